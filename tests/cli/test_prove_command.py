"""`unsorry prove` as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from unsorry import UnsorryError, cli
from unsorry.judge.sandbox import choose

TEXT = """\
-- a file   \t
theorem easy (a b : Nat) : a + b = b + a := by
  sorry -- here

namespace Deep
theorem hard (p : Prop) : p ∨ ¬p := sorry
end Deep
"""
FILLED = TEXT.replace("  sorry", "  omega").replace(":= sorry", ":= Classical.em p")
SCRIPT = {"easy": "omega", "Deep.hard": "Classical.em p"}


def sandbox() -> str:
    try:
        choose("strict")
    except UnsorryError:
        return "limits"
    return "strict"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "Some.lean"
    path.write_text(TEXT)
    return path


@pytest.fixture
def prove(tmp_path: Path, embedded: object) -> Any:
    def run(target: object, *options: str, script: dict[str, Any] | None = None) -> int:
        answers = tmp_path / "script.json"
        answers.write_text(json.dumps(SCRIPT if script is None else script))
        fixed = ["--prover", f"scripted:{answers}", "--sandbox", sandbox(), "--no-disprove", "--workers", "1"]
        return cli.run(["prove", str(target), *fixed, *options])

    return run


def test_by_default_nothing_is_written(prove: Any, file: Path, capsys: Any) -> None:
    assert prove(file) == 0
    out, err = capsys.readouterr()
    assert file.read_text() == TEXT
    assert "2 of 2 sorries filled" in out and "axioms: " in out
    assert "-  sorry -- here\n+  omega -- here\n" in out and "-theorem hard (p : Prop) : p ∨ ¬p := sorry" in out
    assert err == ""


def test_diff_is_a_patch(prove: Any, file: Path, capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(file.parent)
    assert prove(file.name, "--diff") == 0
    out, err = capsys.readouterr()
    assert out.startswith("--- a/Some.lean\n+++ b/Some.lean\n@@") and "2 of 2 sorries filled" in err
    subprocess.run(["patch", "-p1", "-s"], input=out.encode(), check=True, timeout=20)
    assert file.read_text() == FILLED


def test_in_place_is_atomic_and_keeps_the_mode(prove: Any, file: Path, tmp_path: Path) -> None:
    file.chmod(0o640)
    link = tmp_path / "Link.lean"
    link.symlink_to(file)
    assert prove(link, "--in-place") == 0
    assert link.is_symlink() and file.read_text() == FILLED
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["Link.lean", "Some.lean", "script.json"]


def test_partial_success_is_written_elsewhere(prove: Any, file: Path, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "Out.lean"
    assert prove(file, "-o", str(out), "--json", script={"easy": "omega"}) == 1
    told = json.loads(capsys.readouterr().out)
    assert out.read_text() == TEXT.replace("  sorry", "  omega") and file.read_text() == TEXT
    assert told["file"] == str(file) and (told["total"], told["filled"]) == (2, 1) and told["written"] == str(out)
    first, second = told["sorries"]
    assert (first["name"], first["line"], first["verdict"], first["proof"]) == ("easy", 3, "accepted", "omega")
    assert first["certificate"]["problem"]["targets"] == {"easy": "theorem"} and second["certificate"] is None
    assert "propext" in first["axioms"] and first["seconds"] >= 0 and first["reason"] == "accepted"
    assert (second["name"], second["line"], second["verdict"]) == ("Deep.hard", 6, "undecided")
    assert second["reason"] == "prover.no_proof" and second["proof"] is None


@pytest.mark.parametrize("target", [":easy", "#L3", "#3"])
def test_one_target(prove: Any, file: Path, capsys: Any, target: str) -> None:
    assert prove(f"{file}{target}", "--json") == 0
    assert [s["name"] for s in json.loads(capsys.readouterr().out)["sorries"]] == ["easy"]


def test_a_last_component_is_enough(prove: Any, file: Path, capsys: Any) -> None:
    assert prove(f"{file}:hard", "--json") == 0
    assert [s["name"] for s in json.loads(capsys.readouterr().out)["sorries"]] == ["Deep.hard"]


def test_what_rests_on_another_sorry_is_undecided(prove: Any, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "Rests.lean"
    path.write_text("theorem hard : 1 = 1 := by sorry\ntheorem easy : 1 = 1 := by\n  sorry\n")
    assert prove(f"{path}:easy", "--in-place", script={"easy": "exact hard"}) == 3
    assert "proved, but from hard" in capsys.readouterr().out
    assert "exact hard" in path.read_text()


BAD = [
    ("none.lean", None, "", "does not exist"),
    ("folder.lean", "", "", "is a folder"),
    ("text.txt", b"theorem t : True := sorry", "", "is not a .lean file"),
    ("binary.lean", b"\x7fELF\0\0sorry", "", "is not Lean source"),
    ("latin.lean", b"-- caf\xe9\ntheorem t : True := sorry", "", "is not UTF-8: byte 0xe9 at line 1"),
    ("empty.lean", b"", "", "holds no sorry"),
    ("words.lean", b'-- sorry\ndef s := "sorry"\ntheorem sorry\' : True := trivial', "", "holds no sorry"),
    ("open.lean", b"theorem t : True := sorry\n/- a comment", "", "line 2, column 1 does not end"),
    ("name.lean", b"theorem first : True := sorry", ":frist", "declares no frist; did you mean first?"),
    ("done.lean", b"theorem a : True := trivial\ntheorem b : True := sorry", ":a", "a in "),
    ("line.lean", b"theorem t :\n  True := sorry", "#L1", "has no sorry on line 1; there are some on line 2"),
]


@pytest.mark.parametrize(("name", "content", "target", "message"), BAD, ids=[name for name, *_ in BAD])
def test_bad_input_is_one_line(
    prove: Any, tmp_path: Path, capsys: Any, name: str, content: bytes | str | None, target: str, message: str
) -> None:
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        path.mkdir()
    assert prove(f"{path}{target}") == 2
    out, err = capsys.readouterr()
    assert out == "" and message in err and err.startswith("unsorry: ") and err.count("\n") == 1


def test_a_huge_file_is_one_line(prove: Any, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "Huge.lean"
    with path.open("wb") as file:
        file.truncate(100 << 20)
    assert prove(path) == 2
    assert "has 100 MiB, more than the 64 MiB" in capsys.readouterr().err


def test_an_error_elsewhere_is_one_line_and_the_rest_is_kept(prove: Any, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "Broken.lean"
    path.write_text("theorem bad : 1 = = 2 := by (\n" + TEXT)
    assert prove(path, "--in-place") == 2
    out, err = capsys.readouterr()
    assert "2 of 2 sorries filled" in out and "  omega -- here" in path.read_text()
    assert err.count("\n") == 1 and "bad: line 1: unexpected token '='" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_output_without_permission(prove: Any, file: Path, capsys: Any) -> None:
    file.chmod(0o400)
    assert prove(file, "--in-place") == 2
    assert "permission denied" in capsys.readouterr().err


@pytest.mark.parametrize(("output", "message"), [("none/Out.lean", "there is no folder"), (".", "it is a folder")])
def test_an_output_that_cannot_be_written(
    prove: Any, file: Path, tmp_path: Path, capsys: Any, output: str, message: str
) -> None:
    assert prove(file, "-o", str(tmp_path / output)) == 2
    out, err = capsys.readouterr()
    assert out == "" and message in err and err.count("\n") == 1


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system that refuses files")
def test_an_output_where_nothing_can_be_made(prove: Any, file: Path, capsys: Any) -> None:
    assert prove(file, "-o", "/proc/self/Out.lean") == 2
    assert "cannot write /proc/self/Out.lean" in capsys.readouterr().err


def test_options_that_exclude_each_other(prove: Any, file: Path, capsys: Any) -> None:
    assert prove(file, "--in-place", "--diff") == 2
    assert "use one of" in capsys.readouterr().err


def test_a_prover_that_breaks_off_loses_nothing(prove: Any, file: Path, capsys: Any) -> None:
    assert prove(file, "--in-place", script={"easy": "omega", "Deep.hard": 5}) == 2
    out, err = capsys.readouterr()
    assert file.read_text() == TEXT.replace("  sorry", "  omega")
    assert "1 of 2 sorries filled, 1 not tried" in out and err.count("\n") == 1 and "must be a proof" in err


def test_an_unknown_prover(file: Path, capsys: Any) -> None:
    assert cli.run(["prove", str(file), "--prover", "oracle", "--sandbox", "none"]) == 2
    assert "unknown prover 'oracle'" in capsys.readouterr().err


def test_a_file_that_changed_meanwhile_is_left_alone(file: Path) -> None:
    from unsorry.scaffolds.fill import Output

    place = Output(file, file.read_bytes())
    file.write_text("theirs")
    with pytest.raises(UnsorryError, match="was changed during the work"):
        place.write(b"ours")
    assert file.read_text() == "theirs" and (file.parent / "Some.lean.unsorry").read_bytes() == b"ours"


def test_interrupt_keeps_what_was_proved(file: Path, tmp_path: Path, embedded: object) -> None:
    """The second answer never comes: the script is a pipe that the prover of a plug-in module waits for."""
    program = f"""
import sys, time
from unsorry import cli
from unsorry.provers import registry
from unsorry.provers.scripted import ScriptedProver

class Slow(ScriptedProver):
    def propose(self, prompts, *, n, sampling):
        if prompts[0].problem.targets == ("Deep.hard",):
            print("waiting", flush=True, file=sys.stderr)
            time.sleep(600)
        return super().propose(prompts, n=n, sampling=sampling)

registry.make = lambda name, **options: Slow({SCRIPT!r})
sys.exit(cli.run(["prove", {str(file)!r}, "--in-place", "--sandbox", "none", "--workers", sys.argv[1], "--json"]))
"""
    for workers in ("1", "2"):
        file.write_text(TEXT)
        process = subprocess.Popen([sys.executable, "-c", program, workers], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)  # fmt: skip
        assert process.stderr is not None and process.stderr.readline() == "waiting\n"
        deadline = time.monotonic() + 120
        while file.read_text() == TEXT and time.monotonic() < deadline:
            time.sleep(0.1)  # with two workers, the first proof is judged while the second is asked for
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        told = json.loads(out)
        assert process.returncode == 130 and told["interrupted"] and told["filled"] == 1, err
        assert file.read_text() == TEXT.replace("  sorry", "  omega")


def test_search_needs_no_script(tmp_path: Path, embedded: object, capsys: Any) -> None:
    path = tmp_path / "Search.lean"
    path.write_text("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  sorry\n")
    assert cli.run(["prove", str(path), "--in-place", "--timeout", "60"]) == 0
    assert "sorry" not in path.read_text()
