"""Any model as one with tools: they are explained in its prompt, and its calls are read from its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from unsorry.scaffolds.agent import Message, Model, Reply, ToolSpec
from unsorry.scaffolds.agent.models import blocks, pseudo
from unsorry.scaffolds.agent.models.answers import split_thought
from unsorry.scaffolds.agent.trajectory import FROM_LOOP


class TextModel:
    """`inner` with the text protocol (blocks.py).

    `inner` is asked with system, user and assistant messages alone, in turns, and without tools.  A history may come
    from either kind of model: calls that another made with tools are written as blocks.
    """

    def __init__(self, inner: Model) -> None:
        self.inner = inner

    @property
    def id(self) -> str:
        return self.inner.id

    @property
    def context(self) -> int:
        return self.inner.context

    @property
    def priced(self) -> bool:
        return self.inner.priced

    def close(self) -> None:
        close = getattr(self.inner, "close", None)
        if close is not None:
            close()

    def reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        """One answer.  Its message keeps the text as it was written; text behind the calls is left out.

        Raises what `inner` raises.
        """
        reply = self.inner.reply(as_text(messages, tools), ())
        if not tools or reply.calls:
            return reply
        message = dict(reply.message)
        extra = dict(message.get("extra", {}))
        content = str(message.get("content") or "")
        text, thought = split_thought(content) if not message.get("reasoning_content") else (content, "")
        if thought:
            message["reasoning_content"], extra["reasoning_field"] = thought, "inline"
        found = blocks.read(text, tools, len(messages), cut=extra.get("finish") == "length")
        if not found.calls and (foreign := pseudo.calls(text, tools, len(messages))) is not None:
            found = blocks.Found(text, foreign[1])
            extra["rescued"] = len(foreign[1])
        message["content"] = found.text
        if found.calls:
            extra["protocol"] = "text"  # the content holds the calls already
            message["tool_calls"] = [
                {"id": one.id, "type": "function", "function": {"name": one.name, "arguments": one.raw}}
                for one in found.calls
            ]
        if found.dropped:
            extra["dropped"] = found.dropped
        message["extra"] = extra
        return replace(reply, message=message, calls=found.calls)


def as_text(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> list[Message]:
    """A history as system, user and assistant messages, the last two in turns; `extra` of answers is kept."""
    told = blocks.explained(tools)
    out: list[Message] = []
    names: dict[str, str] = {}
    for message in messages:
        role, content = message["role"], _content(message)
        if role == "system":
            out.append({"role": "system", "content": content})
        elif role == "assistant":
            names = {call["id"]: call["function"]["name"] for call in message.get("tool_calls") or ()}
            extra = message.get("extra", {})
            if names and extra.get("protocol") != "text":
                content = "\n\n".join(filter(None, [content, *map(_block, message["tool_calls"])]))
            out.append({"role": "assistant", "content": content or "(no answer)", "extra": extra})
        elif role == "tool":
            name = message.get("name") or names.get(message.get("tool_call_id", ""), "the call")
            _say(out, f"Result of {name}:\n{content}")
        else:
            reminded = told and message.get("extra", {}).get("from") == FROM_LOOP
            _say(out, f"{content}\n{blocks.REMINDER}" if reminded else content)
    if told and out and out[0]["role"] == "system":
        out[0] = {"role": "system", "content": f"{out[0]['content']}\n\n{told}".lstrip()}
    elif told:
        out.insert(0, {"role": "system", "content": told})
    return out


def _say(out: list[Message], text: str) -> None:
    """A user's message, in one with the one before it: many templates want the roles in turns."""
    if out and out[-1]["role"] == "user":
        out[-1] = {"role": "user", "content": f"{out[-1]['content']}\n\n{text}"}
    else:
        out.append({"role": "user", "content": text})


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return str(content or "")


def _block(call: Mapping[str, Any]) -> str:
    function = call["function"]
    return f"```call {function['name']}\n{function.get('arguments') or '{}'}\n```"
