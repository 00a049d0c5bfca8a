"""The agent: a model, tools and a linear history, saved after every step.

The map.  Protocols and frozen dataclasses here; what ends a run is an exception (ends.py):

    loop        Agent: ask the model, call the tools, save, again
    toolbox     Toolbox: tools by name; what a model gets wrong is an observation, never a crash
    limits      turns, price, tokens, wall time; `seconds_left` caps the time-outs of tools and models
    trajectory  the history on disk (docs/trajectories.md): resume, replay, view, training rows
    compaction  a history that has grown too long becomes the user's words and a hand-off summary
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from unsorry import Turn
from unsorry.scaffolds.agent.ends import (
    AgentEnd,
    ContextOverflow,
    EnvironmentLost,
    Interrupted,
    LimitExceeded,
    ModelFailed,
    Stalled,
    Submitted,
)

__all__ = [
    "AgentEnd",
    "ContextOverflow",
    "EnvironmentLost",
    "Interrupted",
    "LimitExceeded",
    "Message",
    "Model",
    "ModelFailed",
    "Observation",
    "Reply",
    "Stalled",
    "Submitted",
    "Tool",
    "ToolCall",
    "ToolSpec",
    "Usage",
    "plain",
]

# OpenAI's chat shape: `role`, `content`, perhaps `tool_calls`, `tool_call_id`, `reasoning_content`; and `extra`, what
# we know of the message (cost, seconds, usage, turn, ...), which is never sent to a model.
Message = dict[str, Any]


def plain(messages: Iterable[Mapping[str, Any]]) -> list[Message]:
    """The messages as a model is sent them: without `extra`."""
    return [{key: value for key, value in message.items() if key != "extra"} for message in messages]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told of a tool; `parameters` is the JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model wrote.  `arguments` is None where it is malformed: then `error` says how, `raw` what."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    raw: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one reply; `cached` is the part of `prompt` that was read from a cache."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a model.

    `message` has role assistant; its `tool_calls` are those that the model wrote, one for each of `calls` and in their
    order, malformed ones too.  `cost` is in US dollars, None is unknown, 0.0 is free.  `turn` holds the token ids where
    the model is ours.
    """

    message: Message
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    cost: float | None = None
    seconds: float = 0.0
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """What a tool answers.  `unknown` is neither success nor failure: timed out, stale, still elaborating.

    `data` is kept beside the text (JSON values); `cost` (dollars) in it is added to what the run has spent.
    """

    text: str
    status: Literal["ok", "error", "unknown"] = "ok"
    data: Mapping[str, Any] = field(default_factory=dict)


class Model(Protocol):
    """Answers.  `messages` carry `extra` (an earlier reply's `turn` is there): send `plain(messages)`.

    Raises ContextOverflow where the prompt is longer than the model takes, ModelFailed where no answer can be had.
    """

    @property
    def id(self) -> str: ...

    @property
    def context(self) -> int:
        """Tokens of prompt and answer together, 0 if unknown."""
        ...

    @property
    def priced(self) -> bool:
        """Whether what a reply costs is known (free is known: 0.0); a price limit needs it."""
        ...

    def reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply: ...


class Tool(Protocol):
    """Something a model can call; may raise AgentEnd and nothing else.

    A tool that changes nothing (it reads, or it only ends the run) may have an attribute `repeatable = True`: where a
    run was killed during its call, the call is made again; of others the model is told that the effect is unknown.
    """

    @property
    def spec(self) -> ToolSpec: ...

    def run(self, arguments: Mapping[str, Any]) -> Observation: ...
