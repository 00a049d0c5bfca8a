"""Runs once more: from any of their steps on, and every call again under the judge of today."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agent_world import SMALL, SUBMIT, User, edits, script, user

from unsorry import cli
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.config import VARIABLE
from unsorry.scaffolds.agent.trajectory import read

TWO = edits(SMALL, ("Shelf.double_eq", "Shelf.even_double"))
CALLS = [TWO[0], ("notes", {"action": "append", "text": "double_eq is done"}), TWO[1], SUBMIT, SUBMIT]


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory, embedded: Toolchain) -> Iterator[User]:
    """A user's repository with one run of the agent in it."""
    folder = tmp_path_factory.mktemp("again")
    made = user(folder, SMALL[:1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(made.settings))
        patch.chdir(made.folder)
        model = script(folder / "script.json", CALLS)
        assert made.agent("prove two of Shelf/Numbers.lean", "--model", model, "-o", "runs/one", "--json") == 1
        yield made


def result(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "task" / "1" / "verdict.json").read_text())
    return found


def verdicts(run: Path) -> dict[str, str]:
    return {d["name"]: d["verdict"] for d in result(run)["declarations"]}


def test_a_fork_stands_where_the_run_stood_and_ends_as_it_did(mine: User, capsys: Any) -> None:
    runs = mine.folder / "runs"
    whole = read(runs / "one/task/1/trajectory.jsonl")
    assert whole.steps == 5
    (mine.folder / SMALL[0]).write_text("-- the user went on\n")  # what the run began with is kept in it
    before = mine.state()
    for step in (0, 1, 3, 5):
        assert cli.run(["fork", "runs/one", "--step", str(step), "-o", f"runs/at{step}"]) == 0
        files = runs / f"at{step}" / "task" / "1" / "work" / "files"
        text = (files / SMALL[0]).read_text()
        assert [call[1]["new"] in text for call in TWO] == [step >= 1, step >= 3]
        assert (files / ".unsorry" / "notes.md").exists() == (step > 0)
        assert read(files.parents[1] / "trajectory.jsonl").steps == step
    assert mine.agent("--resume", "runs/at1", "--json") == 1
    copy = runs / "at1" / "task" / "1"
    found = read(copy / "trajectory.jsonl")
    assert found.steps == 5 and found.submitted == whole.submitted
    assert (copy / "patch.diff").read_bytes() == (runs / "one/task/1/patch.diff").read_bytes()
    assert verdicts(runs / "at1") == verdicts(runs / "one")
    assert mine.state() == before
    capsys.readouterr()
    assert cli.run(["fork", "runs/one", "--step", "6", "-o", "runs/x"]) == 2
    assert "there is no step 6: runs/one has 5 whole steps" in capsys.readouterr().err
    assert not (runs / "x").exists()
    assert cli.run(["fork", "runs/one", "--step", "1", "-o", "runs/at1"]) == 2
    assert "runs/at1 is not empty: name another folder" in capsys.readouterr().err


@pytest.mark.slow
def test_a_replay_with_the_same_tools_and_judge_is_the_same(mine: User, capsys: Any) -> None:
    runs = mine.folder / "runs"
    capsys.readouterr()
    assert cli.run(["replay", "runs/one", "-o", "runs/again", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["calls"], found["differences"], found["verdicts"]) == (5, [], [])
    again = runs / "again" / "task" / "1"
    assert (again / "patch.diff").read_bytes() == (runs / "one/task/1/patch.diff").read_bytes()
    assert found["result"]["cost"]["price"] == 0 and verdicts(runs / "again") == verdicts(runs / "one")


def test_a_replay_tells_what_differs(mine: User, capsys: Any) -> None:
    """An edit that no longer applies: another answer, and another verdict."""
    path = mine.folder / "runs/one/task/1/trajectory.jsonl"
    data = path.read_text()
    old = json.dumps(TWO[1][1]["old"], ensure_ascii=False)[1:-1]
    try:
        path.write_text(data.replace(old, old + " -- not there"))
        assert cli.run(["replay", "runs/one", "-o", "runs/other"]) == 1
    finally:
        path.write_text(data)
    out = capsys.readouterr().out
    assert "step 3  edit_file  ok -> error" in out and "Shelf.even_double  accepted -> undecided" in out
    assert "1 with another outcome" in out
