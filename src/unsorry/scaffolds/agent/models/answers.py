"""A server's answer as a message and calls: what servers leave out, nest or write as text is put into one shape."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unsorry.provers.context_length import exceeded
from unsorry.provers.openai_api import TooLong, one_line, unreadable
from unsorry.provers.price import Price
from unsorry.scaffolds.agent import Message, ToolCall, ToolSpec, Usage
from unsorry.scaffolds.agent.models import pseudo
from unsorry.scaffolds.agent.models.wire import CHUNKS, FIELDS, INLINE, call_id, sendable

_THINK = re.compile(r"\s*<think>(.*?)</think>\s*", re.DOTALL)
CUT = "the answer was cut off at its length limit in the middle of this call: write less at once"


@dataclass(frozen=True, slots=True)
class Answer:
    """The message, whose `extra` tells how it ended, its calls, and the tokens, None where the server does not say."""

    message: Message
    calls: tuple[ToolCall, ...]
    usage: Usage | None


def read(answer: Mapping[str, Any], tools: Sequence[ToolSpec], step: int) -> Answer:
    """An answer that `wrong` finds nothing wrong with; `step` is its place in the history, for ids of calls."""
    choice = sendable(answer["choices"][0])
    given = choice["message"]
    text, thought, field = _texts(given)
    finish = _finish(choice)
    raw = given.get("tool_calls") or ()
    calls = tuple(_call(one, at, step, cut=finish == "length") for at, one in enumerate(raw))
    extra: dict[str, Any] = {"finish": finish}
    # Signed thoughts, which some servers want back to the letter: OpenRouter's beside the message, Gemini's in calls.
    if isinstance(given.get("reasoning_details"), list) and given["reasoning_details"]:
        extra["reasoning_details"] = given["reasoning_details"]
    if any(one.get("extra_content") for one in raw):
        extra["extra_content"] = [one.get("extra_content") for one in raw]
    if not calls and (found := pseudo.calls(text, tools, step)) is not None:
        text, calls = found
        extra["rescued"] = len(calls)  # the server left them in the text
    message: Message = {"role": "assistant", "content": text}
    if thought:
        message["reasoning_content"] = thought
        if field != FIELDS[0]:
            extra["reasoning_field"] = field
    if calls:
        message["tool_calls"] = [
            {"id": one.id, "type": "function", "function": {"name": one.name, "arguments": one.raw}} for one in calls
        ]
    if isinstance(answer.get("model"), str):
        extra["model"] = answer["model"]
    message["extra"] = extra
    return Answer(message, calls, usage(answer.get("usage")))


def wrong(answer: Any) -> str:
    """What makes an answer unusable, "" if nothing does; raises TooLong and Unreadable for errors with HTTP 200."""
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        said = answer.get("error") if isinstance(answer, dict) else None
        if said and (found := exceeded(400, json.dumps({"error": said}))):
            raise TooLong(f"the prompt is too long: {one_line(said)}", found)
        if said:
            unreadable(json.dumps({"error": said}))
        return "an answer without choices" + (f": {one_line(said)}" if said else "")
    choice = choices[0]
    message = choice.get("message")
    if not isinstance(message, dict) or not isinstance(message.get("content"), str | list | None):
        return "a choice without a message"
    calls = message.get("tool_calls")
    if not isinstance(calls, list | None) or not all(
        isinstance(one, dict) and isinstance(one.get("function"), dict) for one in calls or ()
    ):
        return "tool calls that are none"
    if choice.get("finish_reason") == "error":
        return "an answer that ended with an error"
    return ""


def _texts(message: Mapping[str, Any]) -> tuple[str, str, str]:
    """Text, reasoning, and where the reasoning stood."""
    content = message.get("content") or ""
    if isinstance(content, list):  # parts: texts and thoughts
        parts = [part for part in content if isinstance(part, dict)]
        thought = "".join(_inner(part.get("thinking")) for part in parts if part.get("type") == "thinking")
        text = "".join(_inner(part.get("text")) for part in parts if part.get("type") == "text")
        return text, thought, CHUNKS
    for field in FIELDS:
        if isinstance(message.get(field), str) and message[field]:
            return content, message[field], field
    return *split_thought(content), INLINE


def split_thought(text: str) -> tuple[str, str]:
    """A text behind its reasoning, and that; a template may have written the tag that opens it, or the text be cut."""
    if found := _THINK.match(text):
        return text[found.end() :], found[1].strip()
    if text.lstrip().startswith("<think>"):
        return "", text.lstrip().removeprefix("<think>").strip()
    before, tag, behind = text.partition("</think>")
    return (behind.lstrip(), before.strip()) if tag and "<think>" not in before else (text, "")


def _inner(value: Any) -> str:
    if isinstance(value, list):
        return "".join(one["text"] for one in value if isinstance(one, dict) and isinstance(one.get("text"), str))
    return value if isinstance(value, str) else ""


def _call(given: Mapping[str, Any], at: int, step: int, *, cut: bool) -> ToolCall:
    function = given["function"]
    name = function.get("name") if isinstance(function.get("name"), str) else ""
    identity = given.get("id") if isinstance(given.get("id"), str) and given["id"] else call_id("call", step, at)
    return parsed(str(identity), name.strip(), function.get("arguments"), cut=cut)


def parsed(identity: str, name: str, arguments: Any, *, cut: bool = False) -> ToolCall:
    """A call from its arguments as a server gives them: JSON text, an object, or nothing for none."""
    if isinstance(arguments, Mapping):
        return ToolCall(identity, name, dict(arguments), json.dumps(arguments, ensure_ascii=False))
    raw = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
    if not raw.strip():
        return ToolCall(identity, name, {}, "{}") if not cut else ToolCall(identity, name, None, raw, CUT)
    try:
        value = json.loads(raw, strict=False)  # line breaks inside strings are what models often forget to escape
        if isinstance(value, str):  # JSON text of JSON text
            value = json.loads(value, strict=False)
    except (ValueError, RecursionError) as error:
        why = f"{error.msg} at character {error.pos}" if isinstance(error, json.JSONDecodeError) else "not JSON"
        return ToolCall(identity, name, None, raw, CUT if cut else f"they are not JSON: {why}")
    if value is None:
        value = {}
    if not isinstance(value, dict):
        return ToolCall(identity, name, None, raw, f"they are no JSON object but {type(value).__name__}")
    return ToolCall(identity, name, sendable(value), raw)


def _finish(choice: Mapping[str, Any]) -> str:
    reason = choice.get("finish_reason")
    return "length" if reason in ("length", "max_tokens", "model_length") else "stop"


def usage(given: Any) -> Usage | None:
    """Tokens as a server counts them, None where it does not.

    Reasoning that is billed, but left out of the answer's tokens, is in the total alone.
    """
    if not isinstance(given, dict):
        return None
    prompt, out, total = (_count(given.get(f"{kind}_tokens")) for kind in ("prompt", "completion", "total"))
    if prompt is None or out is None:
        return None
    details = given.get("prompt_tokens_details")
    cached = next(
        (
            count
            for count in (
                _count(details.get("cached_tokens")) if isinstance(details, dict) else None,
                _count(given.get("prompt_cache_hit_tokens")),
                _count(given.get("cached_tokens")),
            )
            if count is not None
        ),
        0,
    )
    return Usage(prompt, min(cached, prompt), max(out, (total or 0) - prompt))


def cost(used: Usage | None, price: Price) -> float | None:
    """US dollars, None if unknown; cached tokens at their own price."""
    if used is None:
        return 0.0 if (price.input, price.cached, price.output) == (0.0, 0.0, 0.0) else None
    return price.money(used.prompt - used.cached, used.cached, used.completion)


def context(listed: Any, model: str) -> int:
    """The context of a model in a server's list, 0 where it does not say: vLLM, Mistral, OpenRouter, llama.cpp."""
    entries = listed.get("data") if isinstance(listed, dict) else None
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("id") == model:
            meta = entry.get("meta") if isinstance(entry.get("meta"), dict) else {}
            assert isinstance(meta, dict)
            names = ("max_model_len", "max_context_length", "context_length", "context_window")
            found = [_count(entry.get(name)) for name in names] + [_count(meta.get("n_ctx"))]
            return next((count for count in found if count), 0)
    return 0


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None
