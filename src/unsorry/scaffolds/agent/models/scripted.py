"""A model that answers from a script: the deterministic twin of the others, for tests and for replaying."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.scaffolds.agent import ContextOverflow, Message, ModelFailed, Reply, ToolCall, ToolSpec, Usage
from unsorry.scaffolds.agent.models.answers import parsed
from unsorry.scaffolds.agent.models.wire import call_id
from unsorry.scaffolds.agent.sizes import size, tokens

Answer = str | Mapping[str, Any] | Exception | Reply
Script = Sequence[Answer] | Callable[[Sequence[Message], Sequence[ToolSpec]], Answer]


class ScriptedModel:
    """Answers from a list, or from a function of messages and tools.

    An answer is a text; a mapping with `text`, `calls` (each `{"name": ..., "arguments": {...}}`; arguments that are a
    text are read as a server's, so they can be malformed), `reasoning`, `finish`, `cost`, `usage` (prompt, cached,
    completion), all optional; `{"error": "..."}` for ModelFailed, `{"overflow": "..."}` for ContextOverflow; a Reply;
    or an exception, which is raised.

    Which one of a list comes next depends on the history, so that a run that is resumed goes on where it stopped.
    Everything that was asked is kept in `asked`.
    """

    def __init__(self, script: Script, *, id: str = "scripted", context: int = 0, cost: float | None = 0.0) -> None:
        self.id, self.context, self.cost = id, context, cost
        self.script = script
        self.asked: list[tuple[list[Message], tuple[ToolSpec, ...]]] = []
        self._next = 0

    @classmethod
    def from_file(cls, path: Path) -> ScriptedModel:
        """Reads a JSON list of answers; raises UnsorryError if the file holds none."""
        try:
            script = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
        except ValueError as error:
            raise UnsorryError(f"{path} is not JSON: {error}") from None
        if not isinstance(script, list) or not all(isinstance(one, str | dict) for one in script):
            raise UnsorryError(f"{path} must hold one JSON list of answers: texts, or objects with text and calls")
        return cls(script, id=f"scripted:{path.name}")

    @property
    def priced(self) -> bool:
        return self.cost is not None

    def reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        """The next answer; raises ModelFailed where the script has ended, and what the script says."""
        self.asked.append(([dict(message) for message in messages], tuple(tools)))
        at = self._place(messages)
        if callable(self.script):
            answer = self.script(messages, tools)
        elif at < len(self.script):
            answer = self.script[at]
        else:
            raise ModelFailed(f"the script of {self.id} has ended after {len(self.script)} answers")
        self._next = at + 1
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Reply):
            return answer
        return self._reply({"text": answer} if isinstance(answer, str) else answer, at, messages, tools)

    def _place(self, messages: Sequence[Message]) -> int:
        """Behind the last answer of this script in the history; without one, behind the last that was given."""
        for message in reversed(messages):
            place = message.get("extra", {}).get("scripted")
            if isinstance(place, int):
                return place + 1
        return self._next

    def _reply(
        self, answer: Mapping[str, Any], at: int, messages: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> Reply:
        if "error" in answer:
            raise ModelFailed(str(answer["error"]))
        if "overflow" in answer:
            raise ContextOverflow(str(answer["overflow"]))
        finish = str(answer.get("finish", "stop"))
        calls = tuple(
            _call(call, call_id("scripted", self.id, at, number), cut=finish == "length")
            for number, call in enumerate(answer.get("calls", ()))
        )
        text = str(answer.get("text", ""))
        message: Message = {"role": "assistant", "content": text}
        if answer.get("reasoning"):
            message["reasoning_content"] = str(answer["reasoning"])
        if calls:
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.raw}}
                for call in calls
            ]
        message["extra"] = {"scripted": at, "finish": finish}
        written = text + str(answer.get("reasoning", "")) + "".join(call.raw for call in calls)
        usage = Usage(**answer["usage"]) if "usage" in answer else Usage(size(messages, tools), 0, tokens(written))
        return Reply(message, calls, usage, answer.get("cost", self.cost), float(answer.get("seconds", 0.0)))


def _call(given: Any, identity: str, *, cut: bool) -> ToolCall:
    if not isinstance(given, Mapping) or not isinstance(given.get("name"), str):
        raise UnsorryError("a call of a script must be an object with name and arguments")
    return parsed(str(given.get("id", identity)), given["name"], given.get("arguments"), cut=cut)
