"""Tools by name.  Whatever a model gets wrong, and whatever a tool does, is an observation and never a crash."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from unsorry import UnsorryError
from unsorry.judge.reasons import one_line
from unsorry.scaffolds.agent import AgentEnd, Observation, Tool, ToolCall, ToolSpec, schema

MAX_TEXT = 40_000  # characters of one observation: what is longer would push the work out of the context
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what endpoints take as the name of a function


class Toolbox:
    """The tools of a run, in the order they were registered."""

    def __init__(self, tools: Iterable[Tool] = (), *, max_text: int = MAX_TEXT) -> None:
        self._tools: dict[str, Tool] = {}
        self.max_text = max_text
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool) -> None:
        """Raises UnsorryError for a name that is taken or that no endpoint would accept."""
        name = tool.spec.name
        if not _NAME.fullmatch(name):
            raise UnsorryError(f"a tool cannot be called {name!r}: use up to 64 letters, digits, _ and -")
        if name in self._tools:
            raise UnsorryError(f"there are two tools called {name}: rename or leave out one of them")
        self._tools[name] = tool

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    def repeatable(self, call: ToolCall) -> bool:
        """Whether a call that was cut short may simply be made again: its tool has `repeatable = True`, which says that
        it changes nothing, or the call is none that reaches a tool."""
        tool = self._tools.get(call.name)
        return tool is None or call.arguments is None or bool(getattr(tool, "repeatable", False))

    def call(self, call: ToolCall) -> Observation:
        """What the tool answers, or what was wrong with the call; raises AgentEnd where a tool ends the run."""
        found = self._call(call)
        text = _sendable(found.text)
        length = {"cut_from": len(text)} if len(text) > self.max_text else {}
        return replace(found, text=_cut(text, self.max_text), data=_json({**found.data, **length}))

    def _call(self, call: ToolCall) -> Observation:
        tool = self._tools.get(call.name)
        if tool is None:
            near = difflib.get_close_matches(call.name, list(self._tools), n=1)
            hint = f"Did you mean {near[0]}? " if near else ""
            names = ", ".join(self._tools) or "none"
            return _wrong(f"There is no tool called {call.name!r}. {hint}The tools are: {names}.", "unknown_tool")
        if call.arguments is None:
            wanted = json.dumps(tool.spec.parameters.get("properties", {}), ensure_ascii=False, default=str)
            return _wrong(
                f"The arguments of this call could not be read ({call.error or 'they are not a JSON object'}); "
                f"nothing was done. You wrote: {_cut(call.raw, 400)}\n"
                f"Call {call.name} again with one JSON object; its properties: {_cut(wanted, 2000)}",
                "malformed",
            )
        if fault := schema.fault(call.arguments, tool.spec.parameters):
            return _wrong(f"{fault}. Nothing was done; call {call.name} again.", "schema")
        try:
            found = tool.run(call.arguments)
        except AgentEnd:
            raise
        except UnsorryError as error:
            return _wrong(str(error), "failed")
        except Exception as error:
            why = one_line(str(error)) or "no message"
            return _wrong(f"{call.name} failed: {type(error).__name__}: {why}", "crashed")
        if not isinstance(found, Observation):
            return _wrong(f"{call.name} failed: it gave {type(found).__name__} and no observation", "crashed")
        return found


def _wrong(text: str, fault: str) -> Observation:
    return Observation(text, "error", {"fault": fault})


def _cut(text: str, most: int) -> str:
    """Head and tail of a long text: errors stand at either end."""
    if len(text) <= most:
        return text
    gap = f"\n[... {len(text) - most} characters left out ...]\n"
    head = most * 2 // 3
    return text[:head] + gap + text[len(text) - (most - head) :]


def _sendable(text: str) -> str:
    """Without what no endpoint takes: lone surrogates and NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\N{REPLACEMENT CHARACTER}")


def _json(data: Mapping[str, Any]) -> dict[str, Any]:
    """As it will be read back from a trajectory."""
    found: dict[str, Any] = json.loads(json.dumps(dict(data), default=str))
    return found
