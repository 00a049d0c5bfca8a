"""What an agent did, as it is on disk: JSON lines, one record each (docs/trajectories.md).

A `Trajectory` is the records and what follows from them: the history that the model sees next, the calls that still
want an answer, what was spent.  The loop knows nothing else, so that a run that is read back is the run that stopped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from unsorry import Turn, UnsorryError
from unsorry.judge.reasons import one_line
from unsorry.scaffolds.agent import Message, Reply, ToolCall, ToolSpec, Usage, turns
from unsorry.scaffolds.agent.limits import Spent

FORMAT = "unsorry-trajectory-1"
FROM_LOOP = "loop"  # `extra.from` of messages that the loop wrote; those of the user have "user"
Record = dict[str, Any]


@dataclass(slots=True)
class Trajectory:
    """The records so far.  `apply` is the only way in."""

    header: Mapping[str, Any]
    records: list[Record] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)  # what the model is shown next
    spent: Spent = field(default_factory=Spent)
    steps: int = 0  # whole ones: a reply and the observations of all its calls
    replies: int = 0
    open: dict[str, ToolCall] = field(default_factory=dict)  # calls without an observation
    ids: set[str] = field(default_factory=set)  # of all calls
    begun: set[str] = field(default_factory=set)  # those of them that a tool was already given
    tools: list[Any] = field(default_factory=list)  # as last recorded
    silent: int = 0  # replies without a call since the last one with a call or word of the user
    submitted: str | None = None  # what was handed over, if nothing came after it
    snapshot: Any = None  # of what the tools work in, after the last call that could change it
    end: Record | None = None  # if nothing came after it
    turn: Turn | None = None  # of the last reply that had tokens

    def __post_init__(self) -> None:
        self.messages = [_message({"message": message}) for message in self.header.get("messages", ())]

    @property
    def stepping(self) -> bool:
        """Whether the last reply's step is not closed yet."""
        return self.replies > self.steps

    def apply(self, record: Record) -> None:
        """Take the next record; KeyError, TypeError or ValueError for one that is none, and nothing is changed then."""
        kind = record["type"]
        take = getattr(self, f"_take_{kind}", None)
        if take is None:
            raise ValueError(f"unknown record {kind!r}")
        at = float(record["at"])
        take(record)
        self.spent = replace(self.spent, seconds=max(at, self.spent.seconds))
        self.end = record if kind == "end" else None
        self.records.append(record)

    def _take_start(self, record: Record) -> None:
        pass

    def _take_end(self, record: Record) -> None:
        str(record["kind"])

    def _take_tools(self, record: Record) -> None:
        self.tools = list(record["tools"])

    def _take_message(self, record: Record) -> None:
        message = _message(record)
        self.messages.append(message)
        if message.get("extra", {}).get("from") != FROM_LOOP:
            self.silent, self.submitted = 0, None

    def _take_reply(self, record: Record) -> None:
        message = _message(record)
        extra = message["extra"]
        usage, calls = Usage(**extra["usage"]), calls_of(message)
        turn = turns.decode(extra["turn"], self.turn) if extra.get("turn") else None
        spent = self.spent.plus(usage, extra["cost"], turns=1)
        for earlier in self.messages:
            earlier.get("extra", {}).pop("turn", None)  # each holds its whole prompt: the last one is enough
        message["extra"] = {**extra, "turn": turn} if turn is not None else _without(extra, "turn")
        self.messages.append(message)
        self.replies, self.spent, self.turn = self.replies + 1, spent, turn or self.turn
        self.open, self.begun = {call.id: call for call in calls}, set()
        self.ids.update(self.open)
        self.silent = 0 if calls else self.silent + 1

    def _take_call(self, record: Record) -> None:
        if record["call"] not in self.open:
            raise ValueError(f"no call {record['call']!r} is open")
        self.begun.add(record["call"])

    def _take_observation(self, record: Record) -> None:
        message = _message(record)
        if message["tool_call_id"] not in self.open:
            raise ValueError(f"no call {message['tool_call_id']!r} is open")
        data = message["extra"].get("data", {})
        if "cost" in data:
            self.spent = self.spent.plus(Usage(), data["cost"])
        self.messages.append(message)
        self.begun.discard(message["tool_call_id"])
        del self.open[message["tool_call_id"]]
        self.snapshot = record.get("snapshot", self.snapshot)
        self.submitted = message["extra"].get("submitted", self.submitted)

    def _take_step(self, record: Record) -> None:
        if self.open:
            raise ValueError("a step ends with calls unanswered")
        self.steps += 1

    def _take_compaction(self, record: Record) -> None:
        if self.open:
            raise ValueError("a compaction with calls unanswered")
        messages = [_message({"message": message}) for message in record["messages"]]
        self.spent = self.spent.plus(Usage(**record["usage"]), record["cost"])
        self.messages = messages


def calls_of(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The calls that a reply made, as they were read then."""
    return tuple(ToolCall(**call) for call in message.get("extra", {}).get("calls", ()))


def reply_message(reply: Reply, so_far: Trajectory) -> Message:
    """A reply as it is recorded: every call has an id of its own, and arguments in the history are always JSON.

    What the model wrote instead stays in `extra.calls`: a server refuses a history with arguments it cannot parse.
    """
    seen = set(so_far.ids)
    calls: list[ToolCall] = []
    for number, call in enumerate(reply.calls):
        # Nine letters and digits: there are templates that take nothing else.
        own = f"c{(so_far.replies + 1) % 10**4:04}{number % 10**4:04}"
        fresh = call.id if call.id and call.id not in seen else own
        seen.add(fresh)
        calls.append(replace(call, id=fresh))
    message = _without(reply.message, "tool_calls", "extra")
    message["role"] = "assistant"
    message.setdefault("content", "")
    if calls:
        message["tool_calls"] = [_wire(call) for call in calls]
    extra = dict(reply.message.get("extra", {}))
    if reply.turn is not None:
        extra.setdefault("finish", reply.turn.finish)
    extra |= {"cost": known(reply.cost), "seconds": round(reply.seconds, 3), "usage": asdict(reply.usage)}
    extra["calls"] = [asdict(call) for call in calls]
    if reply.turn is not None and reply.turn.completion_ids:
        extra["turn"] = turns.encode(reply.turn, so_far.turn)
    message["extra"] = extra
    return message


def known(cost: float | None) -> float | None:
    """A cost that is a number of dollars from 0 on, None for anything else."""
    return cost if cost is not None and math.isfinite(cost) and cost >= 0 else None


def _wire(call: ToolCall) -> dict[str, Any]:
    arguments = "{}" if call.arguments is None else json.dumps(dict(call.arguments), ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def tools_json(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Tools as they are recorded, in OpenAI's shape."""
    return [
        {
            "type": "function",
            "function": {"name": s.name, "description": s.description, "parameters": dict(s.parameters)},
        }
        for s in specs
    ]


def read(path: Path) -> Trajectory:
    """A trajectory from its file; a last line that a crash cut off is passed over.

    Raises UnsorryError, naming the line, for anything that is no trajectory.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
    return parse(data, str(path))[0]


def parse(data: bytes, name: str) -> tuple[Trajectory, int]:
    """A trajectory and the length in bytes of its whole lines."""
    found: Trajectory | None = None
    length = 0
    for number, line in enumerate(_lines(data), 1):
        try:
            value = json.loads(line)
            if found is None:
                if not isinstance(value, dict) or value.get("format") != FORMAT:
                    raise ValueError(f"its format is not {FORMAT}")
                found = Trajectory(value)
            else:
                found.apply(value)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ArithmeticError) as error:
            why = one_line(str(error))[:200] if isinstance(error, ValueError) else type(error).__name__
            raise UnsorryError(
                f"{name}:{number}: not a trajectory ({why}): give a file that `unsorry agent` wrote"
            ) from None
        length += len(line)
    if found is None:
        raise UnsorryError(f"{name} is empty: give a trajectory that `unsorry agent` wrote")
    return found, length


def until_step(trajectory: Trajectory, step: int) -> Iterator[Record]:
    """The records up to the end of a whole step; 0 is before the first reply.  Raises UnsorryError if there is none."""
    if not 0 <= step <= trajectory.steps:
        raise UnsorryError(f"there is no step {step}: this trajectory has {trajectory.steps} whole steps")
    seen = 0
    for record in trajectory.records:
        if record["type"] == "reply" and seen == step:
            return
        if record["type"] != "end":
            yield record
        if record["type"] == "step":
            seen += 1
            if seen == step:
                return


def replies(records: Iterable[Record]) -> Iterator[Reply]:
    """The model's replies, as they were given; what they cost then is in them."""
    before: Turn | None = None
    for record in records:
        if record["type"] != "reply":
            continue
        message = _message(record)
        extra = message["extra"]
        turn = turns.decode(extra["turn"], before) if extra.get("turn") else None
        before = turn or before
        usage = Usage(**extra["usage"])
        message["extra"] = _without(extra, "turn", "calls", "cost", "seconds", "usage")
        yield Reply(message, calls_of(record["message"]), usage, extra["cost"], extra["seconds"], turn)


def _lines(data: bytes) -> Iterator[bytes]:
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        yield data[start : end + 1]
        start = end + 1


def _message(record: Mapping[str, Any]) -> Message:
    """A copy of a record's message that may be changed at its top."""
    message = dict(record["message"])
    if not isinstance(message["role"], str):
        raise TypeError("role")
    if "extra" in message:
        message["extra"] = dict(message["extra"])
    return message


def _without(value: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: one for key, one in value.items() if key not in keys}
