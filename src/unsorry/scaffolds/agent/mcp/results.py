"""What a server answers, as an observation: text first, images named and not dumped, long results cut."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from mcp import types

from unsorry.scaffolds.agent import Observation

MAX_TEXT = 20_000  # characters of one result
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f]")


def observation(result: types.CallToolResult, server: str, tool: str) -> Observation:
    """The result as the model sees it; `data` holds what is structured, if it is not too long."""
    parts = [_block(block) for block in result.content]
    structured = result.structured_content
    if structured is not None and not any(_says_the_same(part, structured) for part in parts):
        parts.append(json.dumps(structured, ensure_ascii=False, indent=1, default=str))
    text = clean("\n".join(part for part in parts if part)) or "(an empty result)"
    data: dict[str, Any] = {"server": server, "tool": tool}
    if structured is not None and len(json.dumps(structured, default=str)) <= MAX_TEXT:
        data["structured"] = structured
    if len(text) > MAX_TEXT:
        data["cut_from"] = len(text)
        text = cut(text)
    said = _unwrapped(structured if structured is not None else _parsed(parts))
    if result.is_error:
        return Observation(text, "error", data)
    if why := _unfinished(said):
        return Observation(f"{text}\n[{why}: this answer is incomplete, and no success]", "unknown", data)
    return Observation(text, "error" if said.get("success") is False else "ok", data)


def clean(text: str) -> str:
    """Without terminal escapes and control characters."""
    return _ESCAPES.sub("", text.replace("\r\n", "\n"))


def cut(text: str, most: int = MAX_TEXT) -> str:
    """Head and tail of a long text."""
    head = most * 2 // 3
    left_out = len(text) - most
    return f"{text[:head]}\n[... {left_out} characters left out: ask for less ...]\n{text[len(text) - (most - head) :]}"


def _block(block: types.ContentBlock) -> str:
    match block:
        case types.TextContent():
            return block.text
        case types.ImageContent() | types.AudioContent():
            return f"[{block.type} {block.mime_type}, {len(block.data) * 3 // 4} bytes, not shown]"
        case types.ResourceLink():
            return f"[resource {block.uri}: {block.title or block.name}]"
        case types.EmbeddedResource(resource=types.TextResourceContents() as held):
            return f"[resource {held.uri}]\n{held.text}"
        case types.EmbeddedResource(resource=types.BlobResourceContents() as held):
            kind = held.mime_type or "unknown type"
            return f"[resource {held.uri}: {kind}, {len(held.blob) * 3 // 4} bytes, not shown]"
    return f"[{getattr(block, 'type', 'something')}, not shown]"


def _says_the_same(part: str, structured: Any) -> bool:
    """Servers repeat the structured part as text, for older clients; a list or text is put under one key for that."""
    try:
        said = json.loads(part)
    except (ValueError, RecursionError):
        said = part
    wrapped = list(structured.values()) if isinstance(structured, dict) and len(structured) == 1 else []
    return bool(said == structured or said in wrapped or part in wrapped)


def _parsed(parts: list[str]) -> Any:
    if len(parts) != 1 or not parts[0].lstrip().startswith("{"):
        return None
    try:
        return json.loads(parts[0])
    except (ValueError, RecursionError):
        return None


def _unwrapped(said: Any) -> Mapping[str, Any]:
    """The answer itself: servers put what may be of several types into {"result": ...}."""
    if isinstance(said, Mapping) and set(said) == {"result"}:
        said = said["result"]
    return said if isinstance(said, Mapping) else {}


def _unfinished(said: Mapping[str, Any]) -> str:
    """Why an answer that came is still none, in the words of lean-lsp-mcp and of our own server; "" if it is one."""
    if lines := said.get("still_elaborating_lines"):
        return f"Lean is still elaborating lines {str(lines)[:80]}"
    if said.get("partial") is True:
        return "partial"
    if said.get("timed_out") is True:
        return "timed out"
    undecided = said.get("status") == "unknown" or said.get("verdict") == "undecided"
    return "nothing is decided" if undecided else ""
