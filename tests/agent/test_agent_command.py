"""`unsorry agent`, headless and to the end: a patch that applies, verdicts that hold, nothing of the user's touched."""

from __future__ import annotations

import json
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from agent_world import PROOFS, SMALL, SUBMIT, User, edits, script, user
from openai_server import Said, raw, serving, status

from unsorry import Problem
from unsorry.judge import StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent import trajectory
from unsorry.scaffolds.agent.config import VARIABLE
from unsorry.scaffolds.agent.lean.project import LeanProject

TWO = ("Shelf.double_eq", "Shelf.even_double")
FEW = [*edits(SMALL, TWO), ("lean_check", {"file": "Shelf/Numbers.lean"}), SUBMIT, SUBMIT]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: Toolchain) -> User:
    made = user(tmp_path)
    monkeypatch.setenv(VARIABLE, str(made.settings))
    return made


def verdict(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "verdict.json").read_text())
    return found


def accepted(result: dict[str, Any]) -> list[str]:
    return [d["name"] for d in result["declarations"] if d["verdict"] == "accepted"]


def judged_again(user: User, patched: Path, result: dict[str, Any]) -> None:
    """Every accepted declaration once more, strictly: the patched files against the user's own."""
    project = LeanProject(patched)
    try:
        for file in {d["file"] for d in result["declarations"]}:
            names = tuple(d["name"] for d in result["declarations"] if d["file"] == file and d["verdict"] == "accepted")
            before, after = ((place / file).read_text() for place in (user.folder, patched))
            with (
                project.toolchain_for(after) as toolchain,
                StrictJudge(toolchain, choose("strict"), full_replay=True) as judge,
            ):
                found = judge.judge(Problem(file, before, names), after)
            assert names and found.accepted, found
    finally:
        project.close()


def test_a_run_to_the_end(mine: User, tmp_path: Path, capsys: Any) -> None:
    before = mine.state()
    model = script(tmp_path / "script.json", [*edits(), ("lean_check", {"file": SMALL[1]}), SUBMIT])
    assert mine.agent("fill the sorries", "--model", model, "-o", "one", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert {path: what for path, what in mine.state().items() if not path.startswith("one")} == before
    assert result == verdict(mine.run("one"))
    assert sorted(accepted(result)) == sorted(name for name in PROOFS if name.startswith(
        ("Shelf.Bin.", "Shelf.double", "Shelf.even", "Shelf.pow2", "Shelf.triangle")))  # fmt: skip
    assert (result["end"], result["read"], result["faults"]) == ("submitted", [], [])
    assert {f["path"] for f in result["files"]} == set(SMALL)
    assert (result["cost"]["turns"], result["cost"]["price"]) == (8, 0.0)
    assert all(set(d["axioms"]) <= {"propext", "Quot.sound", "Classical.choice"} for d in result["declarations"])
    patched = mine.applied(mine.run("one") / "patch.diff", tmp_path / "patched")
    assert (patched / "README.md").read_text() == "Shelf, and more of it\n" and (patched / "new.txt").exists()
    judged_again(mine, patched, result)
    assert len((mine.folder / "one" / "results.jsonl").read_text().splitlines()) == 1
    assert mine.agent("--resume", "one") == 2  # it was submitted


def test_a_run_stopped_after_every_turn_ends_as_the_whole_one(mine: User, tmp_path: Path, capsys: Any) -> None:
    (mine.folder / SMALL[1]).unlink()  # nothing imports the file that is worked on
    calls = [*edits(SMALL, TWO[:1]), SUBMIT, SUBMIT]  # the first submission is not taken: three sorries are open
    task = ("prove one of Shelf/Numbers.lean", "--model", script(tmp_path / "script.json", calls))
    assert mine.agent(*task, "-o", "whole", "--json") == 1
    whole = json.loads(capsys.readouterr().out)
    assert mine.agent(*task, "-o", "cut", "--max-turns", "0", "--json") == 1
    for turns in range(1, len(calls) + 1):
        stopped = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert (stopped["end"], stopped["cost"]["turns"]) == ("limit", turns - 1)
        code = mine.agent("--resume", "cut", "--max-turns", str(turns), "--json")
        assert code == 1
    cut = json.loads(capsys.readouterr().out)
    assert (cut["end"], cut["cost"]["turns"]) == ("submitted", len(calls))
    assert accepted(cut) == accepted(whole) == list(TWO[:1])
    patches = [(mine.run(name) / "patch.diff").read_bytes() for name in ("whole", "cut")]
    assert patches[0] == patches[1]
    said = [
        [m.get("tool_calls") for m in trajectory.read(mine.run(name) / "trajectory.jsonl").messages]
        for name in ("whole", "cut")
    ]
    assert said[0] == said[1]


def test_interrupted_while_the_model_answers_and_resumed(mine: User, tmp_path: Path, capsys: Any) -> None:
    arrived, released = threading.Event(), threading.Event()

    def held(*_: Any) -> Said:
        arrived.set()
        released.wait(120)
        return Said("too late")

    answers = [Said("", [call]) for call in FEW]
    before = mine.state()
    with serving([answers[0], held, *answers[1:]]) as server:
        process = mine.start("two of Shelf/Numbers.lean", "--model", f"endpoint:{server.url}#m?free=1", "-o", "one")
        assert arrived.wait(300), process.communicate()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        released.set()
        assert process.returncode == 130, (out, err)
        assert "Traceback" not in err and "--resume" in out
        assert mine.agent("--resume", "one", "--json") == 1
        result = json.loads(capsys.readouterr().out)
        assert len(server.requests) == len(FEW) + 1  # only what was cut off was asked again
    assert (result["end"], accepted(result)) == ("submitted", list(TWO))
    assert {path: what for path, what in mine.state().items() if not path.startswith("one")} == before


def test_what_a_server_does_wrong_is_survived_or_one_line(mine: User, capsys: Any) -> None:
    good = [Said("", [call]) for call in FEW[2:]]
    busy = status(429, "slow down", Retry_After="0")
    with serving([busy, status(500), *good]) as server:
        code = mine.agent("Shelf/Numbers.lean", "--model", f"endpoint:{server.url}#m?free=1", "-o", "busy", "--json")
    assert code == 1 and json.loads(capsys.readouterr().out)["end"] == "submitted"
    for name, reply in (("broken", status(500)), ("garbage", raw(b"<html>no</html>"))):
        with serving([good[0]], reply) as server:
            code = mine.agent(
                "Shelf/Numbers.lean",
                "--model",
                f"endpoint:{server.url}#m?free=1&timeout=2&each=1",
                "-o",
                name,
                "--json",
            )
            result = json.loads(capsys.readouterr().out)
            assert (code, result["end"], result["cost"]["turns"]) == (2, "model_failed", 1)
            assert result["message"] and "\n" not in result["message"] and "Traceback" not in result["message"]
        assert verdict(mine.run(name))["message"] == result["message"]


def test_budgets_without_prices_are_refused_before_anything_is_spent(mine: User, capsys: Any) -> None:
    with serving([]) as server:
        given = ("Shelf/Numbers.lean", "--model", f"endpoint:{server.url}#m", "--max-price", "1")
        assert mine.agent(*given, "-o", "one") == 2
        assert "the price of" in capsys.readouterr().err and not server.requests
    prices = mine.settings.with_name("prices.toml")
    prices.write_text("[m]\ninput = 1000\ncached = 1000\noutput = 1000\n")
    with serving([], Said("", [FEW[2]])) as server:
        given = ("Shelf/Numbers.lean", "--model", f"endpoint:{server.url}#m", "--prices", str(prices))
        assert mine.agent(*given, "-o", "two", "--max-price", "2", "--json") == 1
        result = json.loads(capsys.readouterr().out)
    assert (result["end"], result["cost"]["turns"]) == ("limit", 2)  # $1.20 a turn
    assert result["cost"]["price"] == pytest.approx(2.4)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "say what to do"),
        (("x", "--task", "y"), "say what to do"),
        (("x", "--profile", "prov"), "did you mean prove"),
        (("x", "--model", "gpt"), "unknown model"),
        (("x", "--project", "nowhere"), "is not a folder"),
        (("x", "--resume", "nowhere"), "leave TASK"),
        (("--resume", "nowhere"), "is no run that can be resumed"),
        (("x", "--sandbox", "none"), "strict, or limits"),
    ],
)
def test_wrong_requests_are_one_line_and_leave_nothing(
    mine: User, capsys: Any, arguments: tuple[str, ...], said: str
) -> None:
    assert mine.agent(*arguments) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1 and "Traceback" not in err


def test_statements_and_definitions_that_differ_are_told_and_not_accepted(
    mine: User, tmp_path: Path, capsys: Any
) -> None:
    text = (mine.folder / SMALL[0]).read_text()
    weaker = "theorem double_eq (n : Nat) : double n = double n := by\n  rfl"
    old = text[text.index("theorem double_eq") :].split("\n\n")[0]
    calls = [
        ("edit_file", {"path": SMALL[0], "old": old, "new": weaker}),
        ("edit_file", {"path": SMALL[0], "old": "  | 0 => true", "new": "  | 0 => false"}),
        ("edit_file", {"path": SMALL[0], "old": "namespace Shelf\n", "new": "namespace Shelf\n\naxiom easy : False\n"}),
        SUBMIT, SUBMIT,
    ]  # fmt: skip
    code = mine.agent("Shelf/Numbers.lean", "--model", script(tmp_path / "s.json", calls), "-o", "one", "--json")
    result = json.loads(capsys.readouterr().out)
    assert code == 1 and not accepted(result)
    read = {(r["what"], r["name"]) for r in result["read"]}
    assert {("statement", "Shelf.double_eq"), ("definition", "Shelf.even"), ("axiom", "Shelf.easy")} <= read


def test_a_project_in_a_folder_of_a_repository_and_one_without_git(mine: User, tmp_path: Path, capsys: Any) -> None:
    lean = "theorem one (n : Nat) : n + 0 = n := by\n  sorry\n"
    inner = mine.folder / "proofs" / "Inner"
    inner.mkdir(parents=True)
    (inner / "A.lean").write_text(lean)
    (inner / "B.lean").write_text("import Inner.A\n\ntheorem two (n : Nat) : n + 0 + 0 = n := by\n  sorry\n")
    proof = ("edit_file", {"path": "Inner/B.lean", "old": "  sorry", "new": "  exact (one _).trans (one n)"})
    first = ("edit_file", {"path": "Inner/A.lean", "old": "  sorry", "new": "  rfl"})
    model = script(tmp_path / "s.json", [first, proof, ("lean_check", {"file": "Inner/B.lean"}), SUBMIT])
    assert mine.agent("fill the sorries", "--project", "proofs", "--model", model, "-o", "one", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert accepted(result) == ["one", "two"] and not result["faults"]
    patched = mine.applied(mine.run("one") / "patch.diff", tmp_path / "patched")
    assert "rfl" in (patched / "proofs" / "Inner" / "A.lean").read_text()

    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "A.lean").write_text(lean)
    calls = [("edit_file", {"path": "A.lean", "old": "  sorry", "new": "  rfl"}), SUBMIT]
    model = script(tmp_path / "p.json", calls)
    assert mine.agent("fill A.lean", "--project", str(plain), "--model", model, "-o", "two", "--json") == 0
    assert accepted(json.loads(capsys.readouterr().out)) == ["one"]
    assert (plain / "A.lean").read_text() == lean and sorted(p.name for p in plain.iterdir()) == ["A.lean"]
