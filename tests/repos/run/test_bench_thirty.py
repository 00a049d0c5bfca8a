"""Thirty pull requests of every kind, from the history to the report: the search, and an agent that knows answers."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from unsorry import cli
from unsorry.repos.cases import Cases
from unsorry.repos.tasks import Folder
from unsorry.scaffolds.agent.config import VARIABLE

sys.path.insert(0, str(Path(__file__).parents[1] / "making"))
from made_history import make

SUBMIT = {"calls": [{"name": "submit", "arguments": {"summary": "Done."}}], "cost": 0.01}
# An older Lean that is not here; nothing was broken by what the migration changes, so that doing nothing would score.
UNFIT = {"1 prove", "1 open", "2 prove", "2 open", "3 migrate", "30 migrate"}


def bench(*arguments: str) -> int:
    return cli.run(["bench", *arguments])


def scripts(cases: Cases, folder: Path) -> str:
    """Answers of the pull requests themselves, in three samples of four; the second does nothing."""
    for id in cases.bench.ids():
        case = cases.case(id)
        answers: list[dict[str, Any]] = []
        for path, (_, now) in cases.trees.changed(case.stub, case.answer).items():
            if path.endswith(".lean") and now is not None:
                arguments = {"path": path, "content": cases.trees.read(now).decode()}
                answers.append({"calls": [{"name": "write_file", "arguments": arguments}], "cost": 0.02})
        for sample in range(1, 5):
            text = json.dumps([*(answers if sample != 2 else []), SUBMIT, SUBMIT])
            (folder / f"{id}-{sample}.json").write_text(text)
    return f"scripted:{folder}/{{task}}-{{sample}}.json"


@pytest.mark.slow
def test_from_the_history_to_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "agent.toml"))
    (tmp_path / "agent.toml").write_text("[provers]\nseconds = 5\n")
    repository, folder = make(tmp_path / "town").folder, tmp_path / "bench"
    modes = [word for mode in ("prove", "define", "open") for word in ("-m", mode)]
    assert bench("build", str(repository), "-o", str(folder), *modes) == 0
    assert bench("preflight", str(folder), "--json") == 1
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    names = {id: f"{id[2:].partition('-')[0]} {id.rpartition('-')[2]}" for id in found["unfit"]}
    assert set(names.values()) == UNFIT, found["unfit"]
    cases = Cases(Folder(folder), tmp_path / "objects")
    model = scripts(cases, tmp_path)
    search, agent = str(tmp_path / "search"), str(tmp_path / "agent")
    only = ("--only", "*-prove", "-k", "4", "-w", str(os.cpu_count() or 1), "--json")
    assert bench("run", str(folder), "-o", search, "--max-time", "60", *only) == 0
    (tmp_path / "agent.toml").write_text("[provers]\nnames = []\n")
    assert bench("run", str(folder), "-o", agent, "--model", model, "--name", "scripted", *only) == 0
    for run in (search, agent):
        assert bench("score", run, "--json") == 0
    capsys.readouterr()
    assert bench("report", search, agent, "-o", str(tmp_path / "report"), "--target", "99", "--json") == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    rows = {(row["system"], row["k"]): row for row in told["rows"]}
    assert rows["scripted", 1]["score"] == 0.75 and rows["scripted", 2]["score"] == 1.0
    assert all("tampered" not in s["ends"] and "infra" not in s["ends"] for s in told["systems"])
    assert 0 < rows["search", 1]["score"] <= rows["search", 4]["score"] <= 1
    assert rows["search", 1]["low"] < rows["search", 1]["score"] < 0.99  # two functions defined by each other stay open
    assert (told["buy"]["system"], told["buy"]["k"]) == ("scripted", 2)
    assert (tmp_path / "report" / "frontier.svg").read_text().count("<title>") > 8
    print(json.dumps({"rows": told["rows"], "ends": [s["ends"] for s in told["systems"]]}))
