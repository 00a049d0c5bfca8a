"""From tasks to a report by the command line: scripted agents, the search, a run that is killed, single theorems."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from bench_world import DOUBLE_EQ, EVEN_DOUBLE, World

from unsorry import Problem, cli
from unsorry.evaluation import attempts as store
from unsorry.problems import jsonl
from unsorry.repos.scores import outcome
from unsorry.scaffolds.agent.config import VARIABLE

NUM = "Shelf/Numbers.lean"
SUBMIT = {"calls": [{"name": "submit", "arguments": {"summary": "That is all."}}], "cost": 0.25}


@pytest.fixture(autouse=True)
def _no_provers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "agent.toml"
    settings.write_text("[provers]\nnames = []\n")
    monkeypatch.setenv(VARIABLE, str(settings))


def edit(stub: str, name: str, whole: str) -> dict[str, Any]:
    start = stub.index(f"theorem {name}")
    end = stub.index("sorry", start) + len("sorry")
    arguments = {"path": NUM, "old": stub[start:end], "new": whole.rstrip()}
    return {"calls": [{"name": "edit_file", "arguments": arguments}], "cost": 0.5,
            "usage": {"prompt": 1000, "cached": 0, "completion": 50}}  # fmt: skip


def scripts(folder: Path, stub: str) -> str:
    """Four samples: both proofs, one of them, a statement that is another one, and a model that fails."""
    both = [edit(stub, "double_eq", DOUBLE_EQ), edit(stub, "even_double", EVEN_DOUBLE), SUBMIT, SUBMIT]
    one = [edit(stub, "double_eq", DOUBLE_EQ), SUBMIT, SUBMIT]
    wrong = [edit(stub, "double_eq", "theorem double_eq (n : Nat) : double n = double n := rfl"), SUBMIT, SUBMIT]
    for number, answers in enumerate([both, one, wrong, [{"error": "the server is down"}]], 1):
        (folder / f"s{number}.json").write_text(json.dumps(answers))
    return f"scripted:{folder}/s{{sample}}.json"


def bench(*arguments: str) -> int:
    return cli.run(["bench", *arguments])


def last(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return found


def test_four_samples_of_a_scripted_agent(made: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = made.id(1)
    stub = made.files(id)[NUM]
    assert bench("preflight", str(made.bench), "--only", id, "-w", "1", "--json") == 0
    assert last(capsys) | {"file": ""} == {"tasks": 1, "fit": 1, "unfit": {}, "file": "", "environment_missing": []}
    out, again = str(tmp_path / "run"), ("--only", id, "-k", "4", "-w", "2", "--json")
    given = ("run", str(made.bench), "-o", out, "--model", scripts(tmp_path, stub), "--name", "agent", *again)
    assert bench(*given) == 1
    state = last(capsys)
    assert (state["asked"], state["done"], state["infra"]) == (4, 3, 1)
    (tmp_path / "s4.json").write_text((tmp_path / "s1.json").read_text())  # the server is back: it goes on
    assert bench(*given) == 0
    assert (last(capsys)["done"], bench(*given), last(capsys)["money"]) == (4, 0, pytest.approx(4.5))
    assert len(list(store.read(tmp_path / "run" / "attempts.jsonl"))) == 5
    assert bench("score", out, "-w", "1", "--json") == 0
    assert last(capsys)["ends"] == {"solved": 2, "open": 1, "wrong": 1}
    kept = (tmp_path / "run" / "scores.jsonl").read_bytes()
    assert bench("score", out, "-w", "1", "--json") == 0  # nothing is scored twice
    assert (tmp_path / "run" / "scores.jsonl").read_bytes() == kept
    capsys.readouterr()
    assert bench("report", out, "-o", str(tmp_path / "report"), "--inspect", "--json") == 0
    report = last(capsys)
    rows = {row["k"]: row for row in report["rows"]}
    assert [rows[k]["score"] for k in (1, 2, 4)] == [0.5, pytest.approx(5 / 6), 1.0] and set(rows) == {1, 2, 4}
    assert rows[1]["fraction"] == pytest.approx(0.625) and rows[1]["low"] is None  # one pull request
    assert rows[4]["spend"]["money"] == pytest.approx(4.5) and rows[1]["spend"]["money"] == pytest.approx(1.125)
    assert report["published"]["rows"] and not any("Leanstral" in row["system"] for row in report["rows"])
    drawing = ET.fromstring((tmp_path / "report" / "frontier.svg").read_text())
    told = [node.text or "" for node in drawing.iter("{http://www.w3.org/2000/svg}title")]
    assert sum(t.startswith("agent, pass@") for t in told) == 3 and any("Leanstral, pass@16" in t for t in told)
    page = (tmp_path / "report" / "report.html").read_text()
    assert "<svg" in page and "<script" not in page and "reference" in page.lower()
    log = json.loads((tmp_path / "report" / "inspect-1.json").read_text())
    assert [s["scores"]["strict"]["value"] for s in log["samples"]].count("C") == 2


def test_a_killed_run_goes_on_and_pays_nothing_twice(
    made: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id = made.id(1)
    model = scripts(tmp_path, made.files(id)[NUM]).replace("s{sample}", "s2")
    given = ["run", str(made.bench), "-o", str(tmp_path / "run"), "--model", model, "--only", id, "-k", "3", "-w", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "unsorry", "bench", *given], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    assert first.startswith("1 of 3"), first
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    journal = tmp_path / "run" / "attempts.jsonl"
    before = journal.read_bytes()
    with journal.open("ab") as file:
        file.write(b'{"format": 1, "torn')  # as a kill in the middle of a line leaves it
    assert bench(*given, "--json") == 0
    assert last(capsys)["done"] == 3 and journal.read_bytes().startswith(before)
    found = list(store.read(journal))
    assert [a.seed for a in found] == [1, 2, 3] and len({str(a.notes["key"]) for a in found}) == 3
    assert {outcome(a) for a in found} == {"open"} and not (tmp_path / "run/attempts" / id / "1/task/1/work").exists()


def test_a_budget_ends_a_run_that_can_go_on(made: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = made.id(1)
    model = scripts(tmp_path, made.files(id)[NUM]).replace("s{sample}", "s2")
    given = ("run", str(made.bench), "-o", str(tmp_path / "run"), "--model", model, "--only", id, "-k", "3", "-w", "1")
    assert bench(*given, "--budget", "0.9", "--json") == 1
    state = last(capsys)
    assert state["done"] == 1 and "of the budget of $0.9 are spent" in state["stopped"]
    assert bench(*given, "--budget", "1.5", "--json") == 1 and last(capsys)["done"] == 2
    assert bench(*given, "--max-turns", "1", "--json") == 0  # other limits: other attempts, which are told apart
    state = last(capsys)
    assert (state["done"], state["money"]) == (3, pytest.approx(1.0 + 1.0 + 0.5))
    assert bench("run", str(made.bench), "-o", str(tmp_path / "run"), "--model", "search") == 2
    assert "is a run with model" in capsys.readouterr().err


def test_an_agent_sees_no_answer_and_no_history(made: World, tmp_path: Path) -> None:
    id = made.id(1)
    gold = made.bench / "gold" / id / "gold.patch"
    look = f"cat {gold}; ls {made.repository} {made.bench}; git log --all -p; echo looked"
    answers = [{"calls": [{"name": "bash", "arguments": {"command": look}}]}, SUBMIT, SUBMIT]
    (tmp_path / "look.json").write_text(json.dumps(answers))
    given = ("--model", f"scripted:{tmp_path}/look.json", "--only", id, "-w", "1", "--allow")
    assert bench("run", str(made.bench), "-o", str(tmp_path / "run"), *given) == 0
    history = (tmp_path / "run" / "attempts" / id / "1" / "task" / "1" / "trajectory.jsonl").read_text()
    assert "looked" in history and "No such file" in history and gold.is_file()
    (stub,) = (tmp_path / "run" / "stubs" / id).iterdir()
    shown = subprocess.run(
        ["git", "log", "--all", "--format=%an %cI %s"], cwd=stub, capture_output=True, text=True, check=True
    ).stdout
    assert shown.splitlines() == ["unsorry 2026-03-02T12:00:00+00:00 The files as they were"]
    told = "simp only [double, ih]; omega"
    places = [p for top in (stub, tmp_path / "run" / "attempts") for p in top.rglob("*") if p.is_file()]
    assert places and not any(told.encode() in p.read_bytes() for p in places)


def test_single_theorems_in_the_same_runner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "minif2f.jsonl"
    row = {"name": "easy/one", "formal_statement": "theorem easy (n : Nat) : n + 0 = n := by", "split": "test"}
    rows.write_text(json.dumps(row) + "\n")
    ours = tmp_path / "ours.jsonl"
    jsonl.write(ours, [Problem("two", "theorem two (n : Nat) : 0 + n = n := by sorry", ("two",), family="f")])
    for path, proof, id in ((rows, "rfl", "easy-one"), (ours, "exact Nat.zero_add n", "two")):
        arguments = {"path": "Problem.lean", "old": "sorry", "new": proof}
        answers = [{"calls": [{"name": "edit_file", "arguments": arguments}]}, SUBMIT, SUBMIT]
        script, out = tmp_path / f"{id}.json", str(tmp_path / id)
        script.write_text(json.dumps(answers))
        assert bench("run", str(path), "-o", out, "--model", f"scripted:{script}", "-w", "1", "--json") == 0
        capsys.readouterr()
        assert bench("score", out, "-w", "1", "--json") == 0
        assert last(capsys)["ends"] == {"solved": 1}
        (scored,) = store.read(tmp_path / id / "scores.jsonl")
        assert scored.problem.startswith(id) and scored.verdict.accepted
    assert cli.run(["eval", str(ours), "--prover", "search", "--out", str(tmp_path / "e.jsonl"), "-w", "1"]) == 0
    capsys.readouterr()
    assert bench("report", str(tmp_path / "two"), str(tmp_path / "e.jsonl"), "-o", str(tmp_path / "r"), "--json") == 0
    assert {row["system"]: row["score"] for row in last(capsys)["rows"]} == {f"scripted:{tmp_path}/two.json": 1.0,
                                                                             "search": 1.0}  # fmt: skip


def test_the_search_where_no_sorry_is_left_is_a_sample(
    made: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "run")
    assert bench("run", str(made.bench), "-o", out, "--only", made.id(1, "open"), "-w", "1", "--json") == 0
    state = last(capsys)
    assert (state["done"], state["infra"], state["money"]) == (1, 0, 0)
    (attempt,) = store.read(tmp_path / "run" / "attempts.jsonl")
    assert outcome(attempt) == "open" and not attempt.submission


@pytest.mark.slow
def test_the_search_on_all_tasks(made: World, tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                 monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv(VARIABLE, str(tmp_path / "search.toml"))
    (tmp_path / "search.toml").write_text("")
    assert bench("preflight", str(made.bench), "-w", "2", "--json") == 0
    assert last(capsys)["unfit"] == {}
    out = str(tmp_path / "run")
    assert bench("run", str(made.bench), "-o", out, "-k", "2", "--json") == 0
    assert bench("score", out, "--json") == 0
    capsys.readouterr()
    assert bench("report", out, "-o", str(tmp_path / "report"), "--json") == 0
    (first, _) = last(capsys)["rows"]
    assert first["low"] <= first["score"] <= first["high"] and 0.3 < first["score"] < 1
