"""What the model is told when its answer called no tool: silence must not end a run unnoticed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

# Calls as the templates of several model families write them, left in the text by a server that does not parse them.
_MARKS = re.compile(
    r"<tool_call>|\[TOOL_CALLS\]|<\|tool_calls?|<function[=_]|\"(?:function|name|tool)\"\s*:\s*\"[\w-]+\"\s*,\s*"
    r"\"(?:arguments|parameters|input)\"\s*:"
)


def nudge(message: Mapping[str, Any], tools: Sequence[str]) -> str:
    """An answer to a reply without calls that says what to do instead."""
    text = str(message.get("content") or "")
    finish = message.get("extra", {}).get("finish")
    done = "call `submit`" if "submit" in tools else "say so by calling the tool that ends the task"
    if finish in ("length", "max_tokens"):
        return (
            "Your answer was cut off at its length limit before it called a tool. Think less at once and call a tool."
        )
    if pseudo_call(text, tools):
        return (
            "Your answer holds a tool call as text; nothing was run. Make the call through the tool-calling interface, "
            f"one of: {', '.join(tools) or 'none'}."
        )
    return f"Your answer called no tool, so nothing happened. Call one to go on; if the task is done, {done}."


def pseudo_call(text: str, tools: Sequence[str]) -> bool:
    """Whether a text looks as if it was meant to call a tool."""
    if _MARKS.search(text):
        return True
    names = "|".join(map(re.escape, tools))
    return bool(names) and re.search(rf"^\s*`*(?:{names})\s*[({{]", text, re.MULTILINE) is not None
