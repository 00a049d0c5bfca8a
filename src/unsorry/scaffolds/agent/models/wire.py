"""A history as an endpoint is sent it: what servers refuse in a conversation is put right, nothing else is changed."""

from __future__ import annotations

import hashlib
import json
import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

from unsorry.scaffolds.agent import Message, ToolSpec

REASONING = ("none", "turn", "all")  # which reasoning is sent back
FIELDS = ("reasoning_content", "reasoning")  # under which name servers give it
CHUNKS, INLINE = "chunks", "inline"  # or as a part of the content: Mistral's, or between <think> tags
_ID_LETTERS = string.ascii_letters + string.digits
_NAME = re.compile(r"[^A-Za-z0-9_.-]")


def outgoing(
    messages: Sequence[Message], *, reasoning: str = "turn", short_ids: bool = False, bridge: bool = False,
    signed: bool = True,
) -> list[Message]:  # fmt: skip
    """The messages without `extra`, in the shape that their server gave them.

    `reasoning` is `none`, `turn` (of answers since the user last spoke, what models with interleaved thinking want) or
    `all`.  `short_ids` renames calls to nine letters and digits, the only ids that Mistral's servers take; `bridge`
    puts an answer between the result of a tool and the user, for templates that know no other order.  `signed` sends
    back what servers sign their calls with.
    """
    last = max((at for at, message in enumerate(messages) if message["role"] == "user"), default=-1)
    out: list[Message] = []
    for at, message in enumerate(messages):
        if bridge and message["role"] == "user" and out and out[-1]["role"] == "tool":
            out.append({"role": "assistant", "content": "I see."})
        sent = {key: value for key, value in message.items() if key not in ("extra", *FIELDS)}
        if message["role"] == "assistant":
            keep = reasoning == "all" or (reasoning == "turn" and at > last)
            _answer(sent, message, keep, signed)
        if message["role"] == "tool":
            sent.pop("name", None)
            if short_ids:
                sent["tool_call_id"] = call_id(message.get("tool_call_id"))
        if short_ids and "tool_calls" in sent:
            sent["tool_calls"] = [{**call, "id": call_id(call["id"])} for call in sent["tool_calls"]]
        out.append(sent)
    return [sendable(message) for message in out]


def sendable(value: Any) -> Any:
    """A JSON value in which every text is UTF-8: halves of a character are put together, or replaced."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    elif isinstance(value, dict):
        return {sendable(key): sendable(one) for key, one in value.items()}
    elif isinstance(value, list):
        return [sendable(one) for one in value]
    return value


def _answer(sent: Message, message: Message, keep: bool, signed: bool) -> None:
    thought, extra = message.get("reasoning_content"), message.get("extra", {})
    if keep and extra.get("reasoning_details"):
        sent["reasoning_details"] = extra["reasoning_details"]
    elif keep and isinstance(thought, str) and thought:
        content = sent.get("content") or ""
        where = extra.get("reasoning_field", FIELDS[0])
        if where == CHUNKS:
            thinking = {"type": "thinking", "thinking": [{"type": "text", "text": thought}]}
            sent["content"] = [thinking, *([{"type": "text", "text": content}] if content else [])]
        elif where == INLINE:
            sent["content"] = f"<think>\n{thought}\n</think>\n\n{content}"
        else:
            sent[where if where in FIELDS else FIELDS[0]] = thought
    if sent.get("tool_calls"):
        sent["tool_calls"] = [_call(call) for call in sent["tool_calls"]]
        if signed and len(extra.get("extra_content", ())) == len(sent["tool_calls"]):
            sent["tool_calls"] = [
                {**call, "extra_content": signature} if signature else call
                for call, signature in zip(sent["tool_calls"], extra["extra_content"], strict=True)
            ]
    else:
        sent.pop("tool_calls", None)
        sent["content"] = sent.get("content") or "(no answer)"  # servers refuse an answer of nothing


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call whose arguments are JSON of an object: templates read them, and fail on anything else."""
    function = call["function"]
    arguments = function.get("arguments")
    try:
        good = isinstance(json.loads(arguments), dict)
    except (TypeError, ValueError, RecursionError):
        good = False
    name = _NAME.sub("_", str(function.get("name") or ""))[:64] or "unnamed"
    return {
        "id": call["id"],
        "type": "function",
        "function": {"name": name, "arguments": arguments if good else "{}"},
    }


def tool_list(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Tools as the `tools` of a request."""
    return [
        {
            "type": "function",
            "function": {"name": one.name, "description": one.description, "parameters": dict(one.parameters)},
        }
        for one in tools
    ]


def call_id(*parts: Any) -> str:
    """Nine letters and digits, equal for equal parts: an id that every server takes."""
    number = int.from_bytes(hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "surrogatepass")).digest()[:16])
    letters = []
    for _ in range(9):
        number, at = divmod(number, len(_ID_LETTERS))
        letters.append(_ID_LETTERS[at])
    return "".join(letters)
