"""How long texts and histories are for a model: an estimate where it did not say, from above for Lean's Unicode."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from unsorry.scaffolds.agent import Message, ToolSpec

_BYTES = 3  # of UTF-8, a token: prose has about 4, Lean and its symbols about 3
_FRAME = 8  # tokens around a message


def tokens(text: str) -> int:
    """Estimated tokens of a text."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES)


def size(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> int:
    """Tokens of a prompt: what the model counted at its last reply, and an estimate of what came after it."""
    for index in range(len(messages) - 1, -1, -1):
        usage = messages[index].get("extra", {}).get("usage")
        if usage and usage["prompt"]:
            # Reasoning that a server does not show is counted as completion and is in no later prompt.
            answer = min(usage["completion"], _message(messages[index]))
            return int(usage["prompt"] + answer) + sum(map(_message, messages[index + 1 :]))
    return estimate(messages, tools)


def estimate(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> int:
    """Tokens of a prompt by its length alone."""
    return sum(map(_message, messages)) + sum(map(_tool, tools))


def cut(text: str, most: int) -> str:
    """A text of at most `most` estimated tokens: one that is longer loses its middle, and says how much; "" if there is
    no room to say so."""
    if tokens(text) <= most:
        return text
    gap = f"\n[... {len(text)} characters, the middle left out ...]\n"
    room = (most - tokens(gap)) * _BYTES
    if room <= 0:
        return ""
    data = text.encode("utf-8", "surrogatepass")
    head, tail = data[: room * 2 // 3], data[len(data) - (room - room * 2 // 3) :]
    return head.decode("utf-8", "ignore") + gap + tail.decode("utf-8", "ignore")


def _message(message: Mapping[str, Any]) -> int:
    parts = [message.get(key) for key in ("content", "reasoning_content", "tool_calls")]
    return _FRAME + sum(tokens(p if isinstance(p, str) else json.dumps(p, default=str)) for p in parts if p)


def _tool(tool: ToolSpec) -> int:
    return _FRAME + tokens(tool.name + tool.description + json.dumps(dict(tool.parameters), default=str))
