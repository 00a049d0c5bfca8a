"""Calls that a server left in the text, because it does not parse what its model writes.

They are taken where they are complete and name a tool that there is; what is not quite one stays text, and the loop
tells the model so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unsorry.scaffolds.agent import ToolCall, ToolSpec
from unsorry.scaffolds.agent.models.values import typed
from unsorry.scaffolds.agent.models.wire import call_id, sendable

_TAG = re.compile(r"\s*<tool_call>\s*(\{.*?\})\s*</tool_call>\s*", re.DOTALL)  # Qwen, Hermes
_XML = re.compile(r"\s*(?:<tool_call>\s*)?<function=([\w.-]+)>(.*?)</function>\s*(?:</tool_call>\s*)?", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
_MISTRAL = "[TOOL_CALLS]"


def calls(text: str, tools: Sequence[ToolSpec], step: int) -> tuple[str, tuple[ToolCall, ...]] | None:
    """The text before the calls, and the calls that make up all the rest of it; None where that is not so."""
    starts = [at for mark in ("<tool_call>", "<function=", _MISTRAL) if (at := text.find(mark)) >= 0]
    if not starts:
        return None
    start = min(starts)
    specs = {tool.name: tool for tool in tools}
    try:
        mistral = text.startswith(_MISTRAL, start)
        found = list(_mistral(text[start:]) if mistral else _tags(text[start:], specs))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not found or not all(
        isinstance(name, str) and name in specs and isinstance(given, dict) for name, given in found
    ):
        return None
    return text[:start].rstrip(), tuple(
        ToolCall(call_id("text", step, at), name, sendable(given), json.dumps(given, ensure_ascii=False))
        for at, (name, given) in enumerate(found)
    )


def _tags(text: str, specs: Mapping[str, ToolSpec]) -> Iterator[tuple[Any, Any]]:
    at = 0
    while at < len(text):
        if found := _TAG.match(text, at):
            value = json.loads(found[1], strict=False)
            yield value["name"], _arguments(value)
        elif found := _XML.match(text, at):
            known = specs[found[1]].parameters.get("properties", {})
            yield found[1], {name: typed(value, known.get(name)) for name, value in _PARAMETER.findall(found[2])}
        else:
            raise ValueError("text between calls")
        at = found.end()


def _mistral(text: str) -> Iterator[tuple[Any, Any]]:
    """`[TOOL_CALLS][{...}]`, or `[TOOL_CALLS]name[ARGS]{...}` once or more."""
    decoder = json.JSONDecoder(strict=False)
    while text:
        if not text.startswith(_MISTRAL):
            raise ValueError("text between calls")
        text = text.removeprefix(_MISTRAL).lstrip()
        name, mark, rest = text.partition("[ARGS]")
        named = bool(mark) and re.fullmatch(r"[\w.-]+", name) is not None
        text = rest.lstrip() if named else text
        value, end = decoder.raw_decode(text)
        text = text[end:].lstrip()
        if named:
            yield name, value
        else:
            for one in value if isinstance(value, list) else [value]:
                yield one["name"], _arguments(one)


def _arguments(value: Any) -> Any:
    given = value.get("arguments", value.get("parameters", {}))
    return json.loads(given, strict=False) if isinstance(given, str) else given
