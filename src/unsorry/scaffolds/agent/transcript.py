"""A history as plain text of a bounded length, for a model that is to summarise it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unsorry.scaffolds.agent import Message
from unsorry.scaffolds.agent.sizes import cut, tokens

_MOST, _LEAST = 4_000, 60  # tokens of one message


def transcript(history: Sequence[Message], budget: int) -> str:
    """At most about `budget` tokens: first long messages lose their middle, then the oldest ones are left out.

    What an earlier summary said stays before everything else.
    """
    most = min(_MOST, max(budget // 2, _LEAST))
    texts = [_entry(message, most) for message in history]
    while sum(map(tokens, texts)) > budget and most > _LEAST:
        most = max(most // 2, _LEAST)
        texts = [_entry(message, most) for message in history]
    first = texts[:1] if history and "summary" in history[0].get("extra", {}) else []
    left = budget - sum(map(tokens, first))
    kept: list[str] = []
    for text in reversed(texts[len(first) :]):
        left -= tokens(text)
        if left < 0:
            break
        kept.insert(0, text)
    gap = len(texts) - len(first) - len(kept)
    return "\n\n".join([*first, *([f"[{gap} earlier messages left out]"] if gap else []), *kept])


def _entry(message: Mapping[str, Any], most: int) -> str:
    extra = message.get("extra", {})
    if "summary" in extra:
        return f"[summary of what came before]\n{cut(extra['summary'], most * 2)}"
    content = message.get("content")
    text = content if isinstance(content, str) else "".join(
        str(part.get("text", "")) for part in content or () if isinstance(part, dict)
    )  # fmt: skip
    role = str(message["role"])
    parts = [f"[{role}{': ' + extra['status'] if extra.get('status') else ''}]"]
    if text:
        parts.append(cut(text, most) or "...")
    for call in message.get("tool_calls") or ():
        called = call.get("function", {})
        parts.append(f"[calls {called.get('name')}] {cut(str(called.get('arguments', '')), most) or '...'}")
    return "\n".join(parts)
