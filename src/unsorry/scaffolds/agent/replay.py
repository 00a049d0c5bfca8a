"""A recorded run again, with other tools or another judge behind them, and without asking a model: nothing is paid."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unsorry.scaffolds.agent import AgentEnd, Submitted, ToolCall
from unsorry.scaffolds.agent.observations import observation
from unsorry.scaffolds.agent.recorder import Recorder, header
from unsorry.scaffolds.agent.toolbox import Toolbox
from unsorry.scaffolds.agent.trajectory import Record, Trajectory, tools_json


@dataclass(frozen=True, slots=True)
class Difference:
    """A call that was answered differently.  `before` and `after` are status and text; "" is no answer."""

    step: int
    call: ToolCall
    before: tuple[str, str]
    after: tuple[str, str]

    @property
    def verdict(self) -> bool:
        """Whether more than the wording differs."""
        return self.before[0] != self.after[0]


@dataclass(frozen=True, slots=True)
class Replayed:
    """How many calls were made again and which answers differ; `end` is what a tool ended it with."""

    calls: int
    differences: tuple[Difference, ...]
    end: AgentEnd | None


def replay(source: Trajectory, toolbox: Toolbox, target: Path, *, world: Any = None) -> Replayed:
    """Make every call of a trajectory again and keep the answers in a new one, which can be resumed and viewed.

    The replies are those that were recorded, at no cost (`extra.paid` says what they cost then).  Raises UnsorryError
    if `target` is there already.
    """
    before = _answers(source)
    differences: list[Difference] = []
    calls, end, began = 0, None, time.monotonic()
    first = {**source.header, **header(replay={"id": source.header.get("id", "")})}
    with Recorder(target, first) as recorder:

        def keep(kind: str, /, **values: Any) -> None:
            recorder.append({"type": kind, "at": round(time.monotonic() - began, 3), **values}, sync=False)

        keep("tools", tools=json.loads(json.dumps(tools_json(toolbox.specs), default=str)))
        for record in source.records:
            if record["type"] == "message":
                keep("message", message=record["message"])
            elif record["type"] == "compaction":
                keep("compaction", **{**_values(record), "cost": 0.0, "paid": record["cost"]})
            elif record["type"] == "reply":
                keep("reply", **_free(record))
                step = record["step"]
                for call in list(recorder.trajectory.open.values()):
                    try:
                        message, stop = observation(toolbox, call, recorder.trajectory.submitted is not None)
                    except AgentEnd as fault:
                        end = fault
                        break
                    calls += 1
                    end = stop or end
                    snapshot = {"snapshot": world.snapshot()} if world is not None else {}
                    keep("observation", step=step, message=message, **snapshot)
                    after = (message["extra"]["status"], message["content"])
                    if before.get((step, call.id), ("", "")) != after:
                        differences.append(Difference(step, call, before.get((step, call.id), ("", "")), after))
                if recorder.trajectory.open:
                    break
                keep("step", step=step)
                if end is not None:
                    break
        kind, message_ = (end.kind, end.message) if end is not None else ("replayed", "all recorded replies were used")
        keep("end", kind=kind, message=message_, resumable=not isinstance(end, Submitted))
    return Replayed(calls, tuple(differences), end)


def _answers(source: Trajectory) -> dict[tuple[int, str], tuple[str, str]]:
    """Status and text of each answered call, by step and call: ids are only unique within a step."""
    return {
        (record["step"], message["tool_call_id"]): (message["extra"].get("status", "ok"), message["content"])
        for record in source.records
        if record["type"] == "observation" and (message := record["message"])
    }


def _values(record: Record) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in ("type", "at")}


def _free(record: Record) -> dict[str, Any]:
    message = record["message"]
    extra = {**message["extra"], "cost": 0.0, "paid": message["extra"]["cost"], "seconds": 0.0}
    return {**_values(record), "message": {**message, "extra": extra}}
