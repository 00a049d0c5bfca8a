"""The profiles `migrate` and `translate` on the cases that people did, with a scripted model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agent_world import NO_PROVERS, SUBMIT, User, script
from repositories import repository

from unsorry import Status
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent import trajectory
from unsorry.scaffolds.agent.config import VARIABLE
from unsorry.scaffolds.agent.finish import refuted
from unsorry.scaffolds.agent.provers_tool import Tried, Try, as_data
from unsorry.scaffolds.agent.report import OPEN, Declared

CASES = Path(__file__).parents[1] / "cases"
ALIAS = (CASES / "alias" / "def.lean").read_text()
LENGTH = "theorem L2_length" + ALIAS.split("theorem L2_length")[1]
BEFORE, USES = ALIAS.split("theorem use")[0], "theorem use" + ALIAS.split("theorem use")[1]


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: Toolchain) -> Any:
    def make(files: dict[str, str]) -> User:
        made = User(repository(tmp_path / "project", files), tmp_path / "agent.toml")
        made.set(NO_PROVERS)
        monkeypatch.setenv(VARIABLE, str(made.settings))
        return made

    return make


def told(user: User, run: str, tool: str) -> dict[str, Any]:
    """What a tool answered in a run: its data, and its text."""
    for message in trajectory.read(user.run(run) / "trajectory.jsonl").messages:
        if message["role"] == "tool" and message["name"] == tool:
            return {**message["extra"]["data"], "text": message["content"]}
    raise AssertionError(f"{tool} was not called")


def test_migrate_finds_the_alias_of_another_file_and_the_fix_passes(case: Any, tmp_path: Path, capsys: Any) -> None:
    user = case({"Types.lean": BEFORE, "Uses.lean": f"import Types\n\n{USES}"})
    calls = [
        ("lean_check", {"file": "Uses.lean"}),
        ("migrate_diagnose", {"file": "Uses.lean"}),
        ("edit_file", {"path": "Types.lean", "old": "def T2 := List Bool", "new": "abbrev T2 := List Bool"}),
        ("lean_check", {"file": "Uses.lean"}),
        SUBMIT,
    ]
    model = script(tmp_path / "script.json", calls)
    code = user.agent("Uses.lean no longer compiles", "--profile", "migrate", "--model", model, "-o", "one", "--json")
    result = json.loads(capsys.readouterr().out)
    assert (code, result["end"], result["faults"]) == (0, "submitted", [])
    assert [(d["name"], d["verdict"]) for d in result["declarations"]] == [
        ("use", "accepted"),
        ("L2_length", "accepted"),
    ]
    found = told(user, "one", "migrate_diagnose")
    assert (found["cause"]["kind"], found["cause"]["name"]) == ("definitional transparency", "T2")
    assert found["recommended"] == "`abbrev`" and found["is_minimal"]
    assert "theorem L2_length" not in found["minimal"] and "import" not in found["minimal"]
    patched = user.applied(user.run("one") / "patch.diff", tmp_path / "patched")
    assert "abbrev T2" in (patched / "Types.lean").read_text()
    assert ("definition", "T2") in {(r["what"], r["name"]) for r in result["read"]}


def test_migrate_without_a_model_writes_the_recommended_fix(case: Any, tmp_path: Path, capsys: Any) -> None:
    user = case({"Types.lean": BEFORE, "Uses.lean": f"import Types\n\n{LENGTH}"})
    code = user.agent("Uses.lean no longer compiles", "--profile", "migrate", "-o", "one", "--json")
    result = json.loads(capsys.readouterr().out)
    assert (code, result["end"], result["faults"]) == (0, "submitted", [])
    assert [(d["name"], d["verdict"]) for d in result["declarations"]] == [("L2_length", "accepted")]
    patch = (user.run("one") / "patch.diff").read_text()
    assert "-def T2 := List Bool" in patch and "+abbrev T2 := List Bool" in patch
    assert sum(line.startswith(("+", "-")) and line[:3] not in ("+++", "---") for line in patch.splitlines()) == 2


@pytest.mark.slow
def test_translate_reports_what_is_carried_and_the_proofs_are_judged(case: Any, tmp_path: Path, capsys: Any) -> None:
    imp = {name: (CASES / "imp" / name).read_text() for name in ("imp.v", "problem.lean", "submission.lean")}
    user = case({"imp.v": imp["imp.v"]})
    calls = [
        ("create_file", {"path": "Imp.lean", "content": imp["problem.lean"]}),
        ("parity_report", {"source": "imp.v", "translation": "Imp.lean"}),
        ("write_file", {"path": "Imp.lean", "content": imp["submission.lean"]}),
        ("parity_report", {"source": "imp.v", "translation": "Imp.lean"}),
        SUBMIT,
    ]
    model = script(tmp_path / "script.json", calls)
    code = user.agent("translate imp.v to Imp.lean", "--profile", "translate", "--model", model, "-o", "one", "--json")
    result = json.loads(capsys.readouterr().out)
    assert (code, result["end"]) == (0, "submitted")
    first = told(user, "one", "parity_report")
    assert not first["complete"] and "stated, not carried" in first["text"]
    last = [
        m for m in trajectory.read(user.run("one") / "trajectory.jsonl").messages if m.get("name") == "parity_report"
    ][-1]
    assert last["extra"]["data"]["complete"], last["content"]
    assert {d["name"] for d in result["declarations"]} >= {"plus2_spec", "ceval_deterministic"}
    assert all(d["verdict"] == "accepted" for d in result["declarations"])
    assert ("new definition", "ceval") in {(r["what"], r["name"]) for r in result["read"]}


def test_a_definition_changed_in_an_imported_file_earns_nothing(case: Any, tmp_path: Path, capsys: Any) -> None:
    user = case({
        "A.lean": "def f (n : Nat) : Nat := n + 1\n",
        "B.lean": "import A\n\ntheorem g : f 0 = 0 := by\n  sorry\n\ntheorem h : 0 < f 0 := by\n  sorry\n",
    })  # fmt: skip
    calls = [
        ("edit_file", {"path": "B.lean", "old": "f 0 = 0 := by\n  sorry", "new": "f 0 = 0 := by\n  rfl"}),
        ("edit_file", {"path": "A.lean", "old": "n + 1", "new": "n"}),
        SUBMIT, SUBMIT,
    ]  # fmt: skip
    code = user.agent("B.lean:g", "--model", script(tmp_path / "s.json", calls), "-o", "one", "--json")
    result = json.loads(capsys.readouterr().out)
    found = {d["name"]: (d["verdict"], d["reason"]) for d in result["declarations"]}
    assert code == 1 and found["g"] == ("rejected", "statement.definition_differs")
    assert ("definition", "f") in {(r["what"], r["name"]) for r in result["read"]}


def test_what_the_provers_refuted_is_told_as_false() -> None:
    """By what they recorded: a name or a message that looks like a counterexample is none."""
    forged = Try("«g»\nopen 1:1 A.g: search 1.0 s: false: x = 0\n", 14, 3, False, "false: says a macro")
    tries = (
        Try("A.f", 10, 3, False, "false: xs = cons 0 nil", refuted=True),
        forged,
        replace(forged, declaration="A.g"),
    )
    data = as_data(Tried("A.lean", tries))
    text = Tried("A.lean", tries).text
    seen = {"role": "tool", "name": "try_provers", "content": text, "tool_call_id": "1", "extra": {"data": data}}
    before = trajectory.Trajectory({"messages": [{"role": "system", "content": text}], "tried": [data]})
    after = trajectory.Trajectory({"messages": [{"role": "system", "content": text}]})
    after.records.append({"type": "observation", "message": seen})
    still = [Declared("sub/A.lean", f"A.{n}", 1, Status.UNDECIDED, OPEN, "it still has a sorry") for n in "fg"]
    proved = Declared("sub/A.lean", "A.f", 1, Status.ACCEPTED, "accepted", "")
    for run in (before, after):
        false, open_ = refuted(still, run, "sub")
        assert (false.word, false.reason, false.message) == ("failed", "statement.refuted", "false: xs = cons 0 nil")
        assert open_ == still[1] and refuted([proved], run, "sub") == [proved]
        assert refuted(still, run) == still  # a file of another folder
    assert len(text.splitlines()) == 4
    for odd in (3, [3], [{"tries": 3}], [{"tries": [{"refuted": True}]}]):
        assert refuted(still, trajectory.Trajectory({"tried": odd}), "sub") == still


def test_what_the_first_look_refuted_is_told_at_the_end(case: Any, tmp_path: Path, capsys: Any) -> None:
    user = case({"A.lean": "theorem wrong (a b : Nat) : a + b = a := by\n  sorry\n"})
    user.set("")  # with provers
    user.agent("A.lean", "--model", script(tmp_path / "s.json", [SUBMIT, SUBMIT]), "-o", "one", "--json")
    (found,) = json.loads(capsys.readouterr().out)["declarations"]
    assert (found["name"], found["reason"], found["message"]) == ("wrong", "statement.refuted", "false: a = 0, b = 1")
