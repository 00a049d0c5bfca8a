"""A recorded run against other tools and another judge: every call is made again, nothing is asked or paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from loop_world import WORK, Any_, Script, begin, call, lost, says, tools

from unsorry import Judge, Problem, Status, UnsorryError
from unsorry.judge.tiered import TieredJudge
from unsorry.scaffolds.agent import EnvironmentLost, Observation, Submitted, ToolSpec
from unsorry.scaffolds.agent.loop import Agent
from unsorry.scaffolds.agent.recorder import Recorder
from unsorry.scaffolds.agent.replay import replay
from unsorry.scaffolds.agent.toolbox import Toolbox
from unsorry.scaffolds.agent.trajectory import read

ADD = Problem("add", "theorem add_zero' (n : Nat) : n + 0 = n := by sorry", ("add_zero'",))
WHAT = {Status.ACCEPTED: "ok", Status.REJECTED: "error", Status.UNDECIDED: "unknown"}


@dataclass
class Judged:
    """Asks a judge about a proof."""

    judge: Judge
    spec: ClassVar = ToolSpec("judge", "Judge a proof.", {"type": "object", "required": ["proof"]})

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        verdict = self.judge.judge(ADD, ADD.statement.replace("by sorry", arguments["proof"]))
        return Observation(f"{verdict.status}: {verdict.reason}", WHAT[verdict.status])  # type: ignore[arg-type]


def record(folder: Path, box: Toolbox, *answers: Any) -> Path:
    path = folder / "t.jsonl"
    with Recorder(path, begin()) as recorder:
        Agent(Script(answers), box, recorder).run()
    return path


def test_against_another_judge(tiered: TieredJudge, tmp_path: Path) -> None:
    """Recorded with the fast tier, which never accepts; then with the strict one behind the same tool."""
    proofs = [says("", call("judge", f"p{n}", proof=p)) for n, p in enumerate(("rfl", "by exact 3", "by omega'"))]
    path = record(tmp_path, tools(tmp_path, Judged(tiered.fast)), *proofs, WORK[-1])
    data = path.read_bytes()
    again = replay(read(path), tools(tmp_path, Judged(tiered.strict)), tmp_path / "again.jsonl")
    assert again.calls == 5 and isinstance(again.end, Submitted)
    changed = [d for d in again.differences if d.verdict]
    assert [(d.step, d.call.arguments, d.before[0], d.after[0]) for d in changed] == [
        (1, {"proof": "rfl"}, "unknown", "ok")
    ]
    assert path.read_bytes() == data
    found = read(tmp_path / "again.jsonl")
    assert (found.spent.pico, found.spent.turns, found.steps) == (0, 4, 4)
    assert found.header["replay"] == {"id": read(path).header["id"]}
    assert [r["message"]["extra"]["paid"] for r in found.records if r["type"] == "reply"] == [0.01] * 4


def test_with_the_same_tools_nothing_differs(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    path = record(tmp_path / "a", tools(tmp_path / "a"), *WORK)
    again = replay(read(path), tools(tmp_path / "b"), tmp_path / "b" / "t.jsonl")
    assert again.differences == () and again.calls == 9
    assert (tmp_path / "b" / "work.txt").read_text() == "one\ntwo\nthree\n"
    old, new = read(path), read(tmp_path / "b" / "t.jsonl")
    assert [(m["role"], m["content"]) for m in old.messages] == [(m["role"], m["content"]) for m in new.messages]


def test_with_other_tools(tmp_path: Path) -> None:
    path = record(tmp_path, tools(tmp_path), WORK[0], says("", call("write", "w", text="x")), WORK[-1])
    again = replay(read(path), Toolbox([Any_(lambda _: Observation("done"), "write")]), tmp_path / "again.jsonl")
    assert [(d.call.name, d.verdict) for d in again.differences] == [
        ("read", True), ("write", False), ("submit", True), ("write", True),
    ]  # fmt: skip
    assert again.differences[0].after[1].startswith("[error] There is no tool called 'read'")


def test_tools_that_end_it(tmp_path: Path) -> None:
    path = record(tmp_path, tools(tmp_path, Any_(lambda _: Observation("ok"))), says("", call("do")), WORK[-1])
    again = replay(read(path), tools(tmp_path, Any_(lost)), tmp_path / "again.jsonl")
    assert isinstance(again.end, EnvironmentLost) and again.calls == 0
    found = read(tmp_path / "again.jsonl").end
    assert found is not None and found["kind"] == "environment_lost"
    with pytest.raises(UnsorryError, match="is there already"):
        replay(read(path), tools(tmp_path), tmp_path / "again.jsonl")


def test_a_replay_can_be_gone_on_with(tmp_path: Path) -> None:
    path = record(tmp_path, tools(tmp_path), *WORK[:3], KeyboardInterrupt())
    replay(read(path), tools(tmp_path), tmp_path / "again.jsonl")
    with Recorder(tmp_path / "again.jsonl") as recorder:
        end = Agent(Script(WORK, 3), tools(tmp_path), recorder).run()
        assert isinstance(end, Submitted) and recorder.trajectory.spent.price == 0.04
