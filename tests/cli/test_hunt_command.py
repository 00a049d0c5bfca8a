"""`unsorry hunt` as it is used."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from unsorry.bughunt.needs import lines
from unsorry.cli import run

CRATES = Path(__file__).resolve().parents[1] / "bughunt/crates"

needs_rust = pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed: see https://rustup.rs")


@needs_rust
def test_a_bug_is_told_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two crates, one of which is none: the other is hunted all the same, and its reports are there."""
    words = ["hunt", str(CRATES / "bisect"), str(tmp_path / "none"), "--function", "midpoint", "--no-prove"]
    code = run([*words, "--inputs", "2000", "-o", str(tmp_path / "out")])
    told = capsys.readouterr()
    assert code == 2 and "Cargo.toml" in told.err
    first = told.out.splitlines()[0]
    assert first.startswith("confirmed  src/lib.rs:5  midpoint  arithmetic overflow  fails in debug"), told.out
    assert "precision 100 %" in told.out and "| these crates |     1 |" in told.out
    out = tmp_path / "out/bisect"
    assert {"report.md", "report.html", "report.sarif", "report.json"} <= {path.name for path in out.iterdir()}
    report = json.loads((out / "report.json").read_text())
    [finding] = report["findings"]
    assert finding["claim"] == "confirmed" and finding["debug"]["failed"]
    [test] = (out / "tests").iterdir()
    assert "#[test]" in test.read_text() and "midpoint(" in test.read_text()
    assert sorted(path.name for path in (CRATES / "bisect").iterdir()) == ["Cargo.toml", "expectation.toml", "src"]


@needs_rust
def test_json_and_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["hunt", str(CRATES / "geometry"), "--function", "step_length", "--no-prove", "--inputs", "500", "--json"]
    assert run(words) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["errors"] == {} and told["crates"][0]["crate"] == "geometry"
    assert [f["function"] for f in told["crates"][0]["findings"]] == ["step_length"]


def test_a_dry_run_says_what_is_hunted_and_what_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hunt", str(CRATES / "oddments"), "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert "isqrt  translated" in told
    assert "ready  refused     async: " in told and "total_area  refused     trait-object: " in told
    assert "static CALLS  refused" in told


def test_a_dry_run_of_aeneas_prints_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hunt", str(CRATES / "ringlog"), "--front", "aeneas", "--dry-run", "-o", "/proofs"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"cd {CRATES / 'ringlog'}"
    assert told[2] == "charon cargo --preset=aeneas --dest-file=/proofs/Code.llbc"
    assert any("--start-from 'ringlog::{ringlog::Log}::record'" in line for line in told)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--front", "hax"], "there is no front end hax"),
        (["--kind", "beauty"], "there is no kind of property beauty: use panic freedom"),
        (["--front", "aeneas"], "use --sandbox none if you trust the crate"),
        (["--function", "nothing"], "has no function nothing"),
        (["--propose", "oracle"], "unknown model 'oracle'"),
    ],
)
def test_wrong_words_are_one_line(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    if {"--function", "--propose"} & {*words} and shutil.which("rustc") is None:
        pytest.skip("rustc is not installed: see https://rustup.rs")
    assert run(["hunt", str(CRATES / "levels"), *words]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1 and complaint in told[0]


def test_aeneas_that_is_not_here_is_told_before_the_hunt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("AENEAS_HOME", raising=False)
    assert run(["hunt", str(CRATES / "levels"), "--front", "aeneas", "--sandbox", "none"]) == 2
    assert "charon: not here; nix run" in capsys.readouterr().err


def test_doctor_knows_what_the_hunter_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("AENEAS_HOME", raising=False)
    assert {about for about, _, _, _ in lines()} == {"Rust", "Rust parser", "Aeneas"}
    assert all(ok is not False and (ok or fix) for _, ok, _, fix in lines()), "nothing here is needed by the rest"
    monkeypatch.setenv("AENEAS_HOME", str(tmp_path))
    told = {about: (ok, says) for about, ok, says, _ in lines()}
    assert told["Aeneas: charon"] == (None, "not here")
    assert "names no commit" in told["Aeneas: charon-pin"][1]
