"""A model that says what a test wrote down, and tools that really do something, for tests of the loop."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from unsorry import Turn
from unsorry.scaffolds.agent import (
    EnvironmentLost,
    Message,
    Observation,
    Reply,
    Submitted,
    ToolCall,
    ToolSpec,
    Usage,
    plain,
)
from unsorry.scaffolds.agent.loop import opening
from unsorry.scaffolds.agent.recorder import header
from unsorry.scaffolds.agent.toolbox import Toolbox
from unsorry.scaffolds.agent.trajectory import Trajectory

USAGE = Usage(100, 40, 10)
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


def call(name: str, id: str = "", /, **arguments: Any) -> ToolCall:
    return ToolCall(id, name, arguments, json.dumps(arguments))


def says(
    text: str = "", *calls: ToolCall, cost: float | None = 0.01, tokens: Usage = USAGE,
    turn: Turn | None = None, **message: Any,
) -> Reply:  # fmt: skip
    return Reply({"role": "assistant", "content": text, **message}, calls, tokens, cost, 0.5, turn)


Answer = Reply | BaseException | Callable[[Sequence[Message]], Reply]


@dataclass
class Script:
    """The answers in order, beginning with number `at`; an exception is raised.  `asked` is what it was sent."""

    answers: Sequence[Answer]
    at: int = 0
    id: str = "script"
    context: int = 0
    priced: bool = True
    asked: list[list[Message]] = field(default_factory=list)

    def reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        answer = self.answers[self.at]
        self.at += 1
        self.asked.append(plain(messages))
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, Reply) else answer(messages)


@dataclass
class Write:
    """Appends a line to a file: made twice it is there twice."""

    path: Path
    spec: ClassVar = ToolSpec("write", "Add a line.", TEXT)

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        with self.path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(arguments["text"] + "\n")
        return Observation(f"{len(self.path.read_text().splitlines())} lines")


@dataclass
class Read:
    path: Path
    repeatable: ClassVar = True
    spec: ClassVar = ToolSpec("read", "The file.", {"type": "object", "properties": {}})

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        return Observation(self.path.read_text() if self.path.exists() else "")


@dataclass
class Submit:
    repeatable: ClassVar = True
    spec: ClassVar = ToolSpec("submit", "Hand over.", TEXT)

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        raise Submitted(arguments["text"])


@dataclass
class Any_:
    """Does what the test says."""

    does: Callable[[Mapping[str, Any]], Observation]
    name: str = "do"
    repeatable: bool = False

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, "Does it.", {"type": "object"})

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        return self.does(arguments)


def lost(arguments: Mapping[str, Any]) -> Observation:
    raise EnvironmentLost("the sandbox is gone: its process died; resume to start a new one")


def tools(folder: Path, *more: Any) -> Toolbox:
    return Toolbox([Write(folder / "work.txt"), Read(folder / "work.txt"), Submit(), *more])


def begin(task: str = "Fill the sorry.") -> dict[str, Any]:
    return header(messages=opening("You prove.", task), profile="prove")


WORK: tuple[Reply, ...] = (
    says("I look.", call("read", "a")),
    says("Two at once.", call("write", "b", text="one"), call("write", "c", text="two")),
    says("Nothing to call."),
    says("", ToolCall("d", "write", None, '{"text": "thr', "cut off"), reasoning_content="hm"),
    says("", call("write", "e", text="three"), call("red", "f")),
    says("", call("read", "g")),
    says("Done.", call("submit", "h", text="three lines"), call("write", "i", text="never")),
)


def told(trajectory: Trajectory) -> list[Any]:
    """What happened, without times and without where it was interrupted."""
    return [_timeless(r) for r in trajectory.records if r["type"] not in ("start", "end")]


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _timeless(v) for k, v in value.items() if k not in ("at", "seconds", "took")}
    return [_timeless(v) for v in value] if isinstance(value, list) else value
