"""The whole made repository, headless: the search first, then a scripted model; sixteen files, forty-three sorries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from agent_world import PROOFS, SHELF, SUBMIT, User, edits, script, user

from unsorry import Problem
from unsorry.judge import StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean.source import parse
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent import trajectory
from unsorry.scaffolds.agent.config import VARIABLE
from unsorry.scaffolds.agent.lean.project import LeanProject

FILES = tuple(sorted(path.relative_to(SHELF).as_posix() for path in SHELF.rglob("*.lean")))
FALSE = ("Shelf.rev_append", "Shelf.mirror_eq")
UNKNOWN = "Shelf.collatz_ends"


def holes() -> list[str]:
    found = []
    for file in FILES:
        source = parse((SHELF / file).read_text())
        found += [source.commands[hole.command].name for hole in source.holes]
    return found


def test_the_repository_is_what_its_readme_says() -> None:
    names = holes()
    assert (len(FILES), len(names), len(set(names))) == (16, 43, 43)
    assert set(names) - set(PROOFS) == {*FALSE, UNKNOWN}
    assert set(PROOFS) <= set(names)
    importing = [file for file in FILES if "import Shelf" in (SHELF / file).read_text()]
    assert len(importing) >= 10


@pytest.mark.slow
def test_the_whole_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: Toolchain, capsys: Any
) -> None:
    mine: User = user(tmp_path, FILES)
    monkeypatch.setenv(VARIABLE, str(mine.settings))
    mine.set("[provers]\nseconds = 10\n")
    before = mine.state()
    model = script(tmp_path / "script.json", [*edits(FILES), SUBMIT, SUBMIT])
    code = mine.agent("fill the sorries", "--model", model, "-o", "one", "--json")
    result = json.loads(capsys.readouterr().out)
    assert (code, result["end"]) == (1, "submitted")  # three are left
    assert {path: what for path, what in mine.state().items() if not path.startswith("one")} == before

    verdicts = {d["name"]: d for d in result["declarations"] if d["change"] == "target"}
    assert set(verdicts) == set(holes())
    assert sorted(n for n, d in verdicts.items() if d["verdict"] == "accepted") == sorted(PROOFS), result["faults"]
    left = {n: (d["verdict"], d["reason"]) for n, d in verdicts.items() if n not in PROOFS}
    still = ("undecided", "holes.open")
    assert all(left[name] in (still, ("rejected", "statement.refuted")) for name in FALSE)
    assert left[UNKNOWN] == still
    run = trajectory.read(mine.run("one") / "trajectory.jsonl")
    looked = run.header["messages"][0]["content"]
    assert "provers closed" in looked
    edited = [m for m in run.messages if m["role"] == "tool" and m["name"] == "edit_file"]
    by_search = sum(m["extra"]["status"] != "ok" for m in edited)  # nothing was left to edit
    assert 1 <= by_search < len(edited)  # how many depends on the machine's load; 26 of 40 in 12 s each

    patched = mine.applied(mine.run("one") / "patch.diff", tmp_path / "patched")
    project = LeanProject(patched)
    try:
        for file in FILES:
            was, now = ((place / file).read_text() for place in (mine.folder, patched))
            names = tuple(n for n, d in verdicts.items() if d["file"] == file and d["verdict"] == "accepted")
            if not names:
                continue
            with (
                project.toolchain_for(now) as toolchain,
                StrictJudge(toolchain, choose("strict"), full_replay=True) as judge,
            ):
                verdict = judge.judge(Problem(file, was, names), now)
            assert verdict.accepted, verdict
    finally:
        project.close()
