"""Calls in plain text, for models and servers without tools: a fenced block, one argument a line (docs/models.md).

```call edit
path: Order.lean
old: <<END
  sorry
END
new: <<END
  exact le_trans h₁ h₂
END
```
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unsorry.scaffolds.agent import ToolCall, ToolSpec
from unsorry.scaffolds.agent.models.answers import CUT, parsed
from unsorry.scaffolds.agent.models.values import kinds, typed
from unsorry.scaffolds.agent.models.wire import call_id

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*(.*?)[ \t]*")
_CALL = re.compile(r"(?:call|tool|tool_call|function)(?:[ \t:]+`?([\w.-]+)`?)?(?:\(\))?", re.IGNORECASE)
_ARGUMENT = re.compile(r"[ \t]*(?:[-*] )?[`\"']?([A-Za-z_][\w-]*)[`\"']?[ \t]*:(?:[ \t]+(.*)|[ \t]*)")
_HEREDOC = re.compile(r"<<-?[ \t]*[\"']?(\w+)[\"']?[ \t]*")

REMINDER = "(A call is a block that begins with ```call NAME, holds one `argument: value` a line, and ends with ```.)"

_EXPLAINED = """\
# Tools

You work by calling tools. A call is a block in your answer, with one argument a line:

```call {first}
{one}: value
```

A text of several lines, such as Lean code, stands as it is between `<<END` and a line that is only `END`:

```call {second}
{other}: <<END
theorem t : 1 = 1 := by
  rfl
END
```

Nothing there is escaped or quoted. (A value on one line may stand in double quotes, as in JSON; they are not part of \
it. Lists and objects are written as JSON.) If a line of the text is `END` itself, use another word in both places. \
Say briefly what you do, then write the block, and stop: its result comes as the next message, and what you write \
behind a block is not read. Several blocks right after each other are run in their order. An answer without a block \
does nothing.

The tools:

"""
_LONG = ("new", "content", "code", "text", "old")  # arguments that often hold several lines
_NESTED = ("$ref", "properties", "anyOf", "oneOf", "allOf")
_SCHEMA = 3000  # characters of a schema that is shown as it is


def explained(tools: Sequence[ToolSpec]) -> str:
    """What a model is told of the protocol and the tools."""
    if not tools:
        return ""
    named = {tool.name: list(tool.parameters.get("properties", {})) for tool in tools}
    first, names = next(((tool, names) for tool, names in named.items() if names), (tools[0].name, ["argument"]))
    long = ((tool, name) for tool, names in named.items() for name in _LONG if name in names)
    second, other = next(long, (first, names[0]))
    head = _EXPLAINED.format_map({"first": first, "one": names[0], "second": second, "other": other})
    return head + "\n\n".join(map(_tool, tools))


def _tool(tool: ToolSpec) -> str:
    properties, required = tool.parameters.get("properties", {}), tool.parameters.get("required", ())
    lines = [f"## {tool.name}", tool.description.strip()]
    for name, schema in properties.items():
        about = [" or ".join(kinds(schema)) or "any", "required" if name in required else "optional"]
        if isinstance(schema, Mapping) and "enum" in schema:
            about.append("one of " + ", ".join(map(str, schema["enum"])))
        if isinstance(schema, Mapping) and "default" in schema:
            about.append(f"default {json.dumps(schema['default'], ensure_ascii=False)}")
        says = schema.get("description", "") if isinstance(schema, Mapping) else ""
        lines.append(f"- {name} ({', '.join(about)})" + (f": {says}" if says else ""))
    parts = [part for one in properties.values() if isinstance(one, Mapping) for part in (one, one.get("items"))]
    if any(isinstance(part, Mapping) and any(key in part for key in _NESTED) for part in parts):
        whole = json.dumps(tool.parameters, ensure_ascii=False, default=str)
        lines.append(f"The JSON schema of its arguments: {whole[:_SCHEMA]}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Found:
    """The text up to the end of the last call, the calls, and how many characters behind them were not read."""

    text: str
    calls: tuple[ToolCall, ...]
    dropped: int = 0


def read(text: str, tools: Sequence[ToolSpec], step: int, *, cut: bool = False) -> Found:
    """The calls of an answer: the first group of blocks that follow each other.  Never raises, whatever the text.

    What a model writes behind its calls is often a result that it made up.  `cut`: the answer ended at its length
    limit.
    """
    lines = text.split("\n")
    calls: list[ToolCall] = []
    end = 0  # lines that are read
    for block in _blocks(lines):
        if calls and any(line.strip() for line in lines[end : block.start]):
            break
        calls.append(_parsed(block, tools, call_id("block", step, len(calls)), cut=cut and not block.closed))
        end = block.end
    if not calls:
        return Found(text, ())
    kept = "\n".join(lines[:end])
    return Found(kept, tuple(calls), len(text[len(kept) :].strip()))


@dataclass(frozen=True, slots=True)
class _Block:
    start: int  # its first line
    end: int  # the line behind its last
    name: str
    body: list[str]
    closed: bool


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    at = 0
    while at < len(lines):
        fence = _FENCE.fullmatch(lines[at].rstrip("\r"))
        if fence is None:
            at += 1
            continue
        call = _CALL.fullmatch(fence[2])
        if call is None:
            at = _other_block(lines, at, fence[1])
            continue
        end, closed = _call_end(lines, at, fence[1])
        yield _Block(at, end + closed, call[1] or "", [line.rstrip("\r") for line in lines[at + 1 : end]], closed)
        at = end + closed


def _other_block(lines: Sequence[str], start: int, fence: str) -> int:
    """The line behind a block of anything else; a block that never ends, or in which a call begins, is none."""
    for at in range(start + 1, len(lines)):
        found = _FENCE.fullmatch(lines[at].rstrip("\r"))
        if found is None or found[1][0] != fence[0] or len(found[1]) < len(fence):
            continue
        if not found[2]:
            return at + 1
        if _CALL.fullmatch(found[2]):
            return at
    return start + 1


def _call_end(lines: Sequence[str], start: int, fence: str) -> tuple[int, bool]:
    """The line that closes a call, and whether there is one; texts inside may hold any fence."""
    word = ""
    for at in range(start + 1, len(lines)):
        line = lines[at].strip()
        if word:
            word = "" if line == word else word
        elif (argument := _ARGUMENT.fullmatch(lines[at].rstrip("\r"))) and (
            begin := _HEREDOC.fullmatch((argument[2] or "").strip())
        ):
            word = begin[1]
        elif line == fence or (len(line) > len(fence) and not line.strip(fence[0])):
            return at, True
    return len(lines), False


def _parsed(block: _Block, tools: Sequence[ToolSpec], identity: str, *, cut: bool) -> ToolCall:
    raw = "\n".join(block.body)
    name = block.name
    if raw.lstrip().startswith("{"):  # JSON instead of lines
        call = parsed(identity, name, raw, cut=cut)
        inner = call.arguments
        if inner is not None and not name and isinstance(inner.get("name"), str):
            return parsed(identity, inner["name"], inner.get("arguments", inner.get("parameters", {})))
        return call
    if cut:
        return ToolCall(identity, name, None, raw, CUT)
    spec = next((tool for tool in tools if tool.name == name), None)
    try:
        return ToolCall(identity, name, _arguments(block.body, spec.parameters if spec else {}), raw)
    except ValueError as error:
        return ToolCall(identity, name, None, raw, f"{error}. {REMINDER}")


def _arguments(lines: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a block; ValueError says which line is wrong."""
    known = schema.get("properties", {})
    given: dict[str, Any] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.strip():
            continue
        found = _ARGUMENT.fullmatch(line)
        if found is None:
            raise ValueError(
                f"the line {line.strip()[:60]!r} is no `argument: value`; a text of several lines stands between "
                "`argument: <<END` and `END`"
            )
        name, value = found[1], found[2] or ""
        if name in given:
            raise ValueError(f"the argument {name} is given twice")
        if begin := _HEREDOC.fullmatch(value.strip()):
            last = next((n for n in range(at, len(lines)) if lines[n].strip() == begin[1]), None)
            if last is None:
                raise ValueError(f"the text of {name} does not end: there is no line {begin[1]}")
            given[name], at = "\n".join(lines[at:last]), last + 1
            if (wanted := kinds(known.get(name))) and "string" not in wanted:
                given[name] = _typed(name, given[name], known[name])
            continue
        if value.strip() in ("|", "|-", ">"):  # as in YAML: the indented lines that follow
            last = next((n for n in range(at, len(lines)) if lines[n].strip() and lines[n][0] not in " \t"), len(lines))
            value, at = textwrap.dedent("\n".join(lines[at:last])).rstrip("\n"), last
            given[name] = value
            continue
        given[name] = _typed(name, value, known.get(name))
    return given


def _typed(name: str, text: str, schema: Any) -> Any:
    try:
        return typed(text.strip(), schema)
    except ValueError as error:
        raise ValueError(f"the argument {name} is {text.strip()[:60]!r}: {error}") from None
