"""Extraction with stand-ins for Charon and Aeneas: exact commands, pins, faults that cost one function only."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import stand_ins

from unsorry import UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.aeneas import pins
from unsorry.bughunt.aeneas.extract import extract, plan
from unsorry.cli import run

LAST = "-split-files -namespace Krate -emit-json"


def crate_of(*names: str) -> ir.Crate:
    functions = tuple(ir.Function(name, (), (), ir.UNIT, None) for name in names)
    return ir.Crate("krate", functions=functions, source_hash="cafe")


def write_crate(folder: Path, *names: str) -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "src/lib.rs").write_text("".join(f"fn {name}\n" for name in names))
    return folder


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    stand_ins.write(folder := tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv(pins.HOME, raising=False)
    return folder


def test_the_commands_are_the_documented_ones(tmp_path: Path) -> None:
    lines = list(plan(crate_of("f", "m::Job::run"), Path("proofs")))
    assert lines == [
        "# the whole crate, in its folder",
        "charon cargo --preset=aeneas --dest-file=proofs/Code.llbc",
        f"aeneas -backend lean proofs/Code.llbc -dest proofs -subdir /Krate/Code {LAST}",
        "# only if that fails: each function alone",
        "charon cargo --preset=aeneas --start-from krate::f --dest-file=proofs/F000.llbc",
        f"aeneas -backend lean proofs/F000.llbc -dest proofs -subdir /Krate/F000 {LAST}",
        "charon cargo --preset=aeneas --start-from 'krate::m::{krate::m::Job}::run' --dest-file=proofs/F001.llbc",
        f"aeneas -backend lean proofs/F001.llbc -dest proofs -subdir /Krate/F001 {LAST}",
    ]
    assert all(shlex.split(line, comments=True) or line.startswith("#") for line in lines)


@pytest.mark.usefixtures("programs")
def test_a_whole_crate(tmp_path: Path) -> None:
    folder = write_crate(tmp_path / "krate", "f", "g")
    found = extract(folder, crate_of("f", "g"), tmp_path / "proofs")
    assert found.whole and not found.failed and set(found.joined.entries) == {"f", "g"}
    for path in (tmp_path / "proofs/Krate/Code").glob("*.lean"):
        assert path.read_text().startswith("-- unsorry hunt: of Rust sources cafe\nimport Aeneas\n")
    assert sorted(p.name for p in folder.rglob("*")) == ["lib.rs", "src"], "something was written into the crate"


@pytest.mark.usefixtures("programs")
def test_faults_cost_one_function(tmp_path: Path) -> None:
    """`bad` fails in Charon, `fragile` in Aeneas, each with the whole crate; the others are there all the same."""
    names = ("f", "bad", "g", "fragile")
    found = extract(write_crate(tmp_path / "krate", *names), crate_of(*names), tmp_path / "proofs")
    assert not found.whole and set(found.joined.entries) == {"f", "g"}
    assert found.failed == {
        "bad": "charon: error: async functions are not supported",
        "fragile": "aeneas: [Error] Internal error, please file an issue",
    }
    assert "async functions" in found.notes[0]


@pytest.mark.usefixtures("programs")
def test_nothing_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="extracted nothing of krate: charon: error: async"):
        extract(write_crate(tmp_path / "krate", "bad"), crate_of("bad"), tmp_path / "proofs")


def test_an_llbc_of_another_charon_is_refused(tmp_path: Path, programs: Path) -> None:
    stand_ins.write(programs, llbc_version="0.1.9")
    with pytest.raises(UnsorryError, match=r"is of Charon 0\.1\.9, here is 0\.1\.131"):
        extract(write_crate(tmp_path / "krate", "f"), crate_of("f"), tmp_path / "proofs")


@pytest.mark.usefixtures("programs")
def test_what_an_earlier_extraction_left_is_not_used(tmp_path: Path) -> None:
    folder = write_crate(tmp_path / "krate", "f")
    extract(folder, crate_of("f"), tmp_path / "proofs")
    (folder / "src/lib.rs").write_text("fn bad\n")
    with pytest.raises(UnsorryError, match="extracted nothing"):
        extract(folder, crate_of("f", "bad"), tmp_path / "proofs")


def test_missing_programs_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(pins.HOME, raising=False)
    tools = pins.find()
    assert [check.about for check in tools.missing] == ["charon", "aeneas"]
    assert all("nix run" in check.fix for check in tools.missing)
    with pytest.raises(UnsorryError, match="charon: not here; nix run"):
        extract(tmp_path, crate_of("f"), tmp_path / "proofs")


def test_pins(tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout whose Charon is not the one that its pin names, and whose Lean library is for another Lean."""
    home = tmp_path / "aeneas"
    (home / "charon").mkdir(parents=True)
    git = ["git", "-C", str(home / "charon"), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    monkeypatch.setenv(pins.HOME, str(home))
    assert {check.about for check in pins.find().missing} == {"charon-pin", "Aeneas' Lean library"}

    (home / "charon-pin").write_text(f"# the commit that Aeneas wants\n{'0' * 40}\n")
    (home / "backends/lean").mkdir(parents=True)
    (home / "backends/lean/lean-toolchain").write_text("leanprover/lean4:v4.30.0\n")
    said = {check.about: check for check in pins.find().missing}
    assert "wants 000000000000" in said["charon-pin"].says and head[:12] in said["charon-pin"].says
    assert "v4.30.0" in said["Aeneas' Lean library"].says

    (home / "charon-pin").write_text(f"# the commit that Aeneas wants\n{head}\n")
    (home / "backends/lean/lean-toolchain").write_text("leanprover/lean4:v4.31.0\n")
    assert pins.find().missing == ()
    (programs / "rustup").write_text("#!/bin/sh\necho stable\n")
    assert [check.about for check in pins.find().missing] == [pins.RUST]


@pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed: see https://rustup.rs")
@pytest.mark.usefixtures("programs")
def test_a_hunt_with_aeneas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What our front end has is hunted as ever; what only Aeneas has is told as such, what neither has by name."""
    folder = tmp_path / "krate"
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text('[package]\nname = "krate"\nversion = "0.1.0"\nedition = "2021"\n')
    # the stand-in reads lines that begin with `fn`
    signature = "\nfn {0}\n() -> f32 {{ 0.5 }}\n"
    (folder / "src/lib.rs").write_text(
        "pub fn ours(a: u8) -> u8 { a }" + "".join(map(signature.format, ("bad", "theirs")))
    )
    words = ["hunt", str(folder), "--front", "aeneas", "--sandbox", "none", "--no-prove", "--inputs", "100", "--json"]
    assert run([*words, "-o", str(tmp_path / "out")]) == 0
    report = json.loads(capsys.readouterr().out)["crates"][0]
    assert {f["path"]: f["state"] for f in report["functions"]} == {
        "ours": "translated",
        "bad": "refused",
        "theirs": "translated by Aeneas",
    }
    assert any("Aeneas has no bad: charon: error: async" in note for note in report["notes"])
