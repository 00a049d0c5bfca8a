"""A model behind an OpenAI-compatible endpoint: chat with tools, streamed or not, retried, priced, never paid twice."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from unsorry import UnsorryError
from unsorry.provers.journal import Journal, key_of
from unsorry.provers.openai_api import Client, Failed, Fatal, Retries, TooLong, Unreadable
from unsorry.provers.price import Price
from unsorry.scaffolds.agent import ContextOverflow, Message, ModelFailed, Reply, ToolSpec, Usage
from unsorry.scaffolds.agent.limits import seconds_left
from unsorry.scaffolds.agent.models import answers, dialects, sse, wire
from unsorry.scaffolds.agent.sizes import size, tokens

PATH = "/chat/completions"
ROOM = 1024  # tokens for an answer, below which a prompt counts as too long
AGENT_RETRIES = Retries(attempts=8, first=1.0, most=60.0)


class EndpointModel:
    """Asks `model` at `base_url`, one request a turn.

    `api_key_env` names the environment variable that holds the key, "" sends none.  `timeout` is seconds for one answer
    with all its tries, `each` for one try.  `max_tokens` of an answer, 0 is the server's own limit; `temperature` and
    the like are sent only if they are given, and `extra` goes into each request as it is.  Without `context` the server
    is asked for it once, and a refusal that names it is remembered.

    With a `journal` an answer is on disk before it is used: the same history asked again, by a run that was killed or
    is replayed, costs nothing.  `attempt` tells attempts at one task apart, in the journal and by its seed.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        id: str = "",
        api_key_env: str = "",
        price: Price | None = None,
        context: int = 0,
        stream: bool = False,
        watch: sse.Watch | None = None,
        max_tokens: int = 0,
        temperature: float | None = None,
        top_p: float | None = None,
        seed: int | None = None,
        attempt: int = 0,
        reasoning: str = "turn",
        timeout: float = 1800.0,
        each: float = 900.0,
        retries: Retries | None = None,
        journal: Journal | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        if not model:
            raise UnsorryError(f"no model named for the endpoint {base_url}: write it behind `#`")
        if reasoning not in wire.REASONING:
            raise UnsorryError(f"reasoning {reasoning!r} is not known: use {', '.join(wire.REASONING)}")
        if max_tokens < 0 or context < 0 or not (timeout > 0 and each > 0):
            raise UnsorryError("max_tokens and context of an endpoint must be 0 or more, its time-outs more than 0")
        self._client = Client(base_url, api_key_env=api_key_env, retries=retries or AGENT_RETRIES)
        self.base_url, self.model = self._client.base_url, model
        self.id, self.price = id or f"endpoint:{model}", price or Price()
        self._context: int | None = context or None
        self.stream, self.watch, self.timeout, self.each = stream, watch, timeout, each
        self.reasoning, self.max_tokens, self.journal, self.attempt = reasoning, max_tokens, journal, attempt
        given = {"temperature": temperature, "top_p": top_p, "seed": None if seed is None else seed + attempt}
        self._settings = {key: value for key, value in given.items() if value is not None} | dict(extra or {})
        self._dialect = dialects.Dialect()
        self._asked: Counter[str] = Counter()

    @property
    def priced(self) -> bool:
        return None not in (self.price.input, self.price.cached, self.price.output)

    @property
    def context(self) -> int:
        """Tokens of prompt and answer together, 0 if the server does not say."""
        if self._context is None:
            self._context = answers.context(self._client.get("/models"), self.model)
        return self._context

    def close(self) -> None:
        self._client.close()

    def reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        """One answer.  Raises ContextOverflow, or ModelFailed with one line that says what to do."""
        same = self._same(messages, tools)
        key = key_of(same, self._asked[same])  # asked a second time by this run, it is another request
        kept = self.journal.get(key) if self.journal is not None else None
        if kept is None:
            kept = self._ask(messages, tools)
            if self.journal is not None:
                self.journal.put(key, kept)
        self._asked[same] += 1
        found = answers.read(kept["answer"], tools, len(messages))
        extra = found.message["extra"]
        if "unread" in kept["answer"]:
            extra["unread"] = True
        if kept["tries"] > 1:
            extra["tries"] = kept["tries"]
        used = found.usage
        if used is None:  # budgets of tokens are kept by an estimate, what it cost stays unknown
            extra["usage_estimated"] = True
            text = f"{found.message['content']}{found.message.get('reasoning_content', '')}"
            used = Usage(size(messages, tools), 0, tokens(text + "".join(call.raw for call in found.calls)))
        return Reply(found.message, found.calls, used, answers.cost(found.usage, self.price), kept["seconds"])

    def _same(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> str:
        """Equal for equal requests, in any process."""
        asked = [wire.outgoing(messages, reasoning="all"), wire.tool_list(tools)]
        settings = [self.max_tokens, self._settings, self.reasoning, self.attempt]
        return key_of("agent", self.base_url, self.model, asked, settings)

    def _ask(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> dict[str, Any]:
        start, tries = time.monotonic(), 0
        room = self.max_tokens
        read = partial(sse.read, watch=self.watch) if self.stream else None
        while True:
            body = self._body(messages, tools, room)
            left = seconds_left(self.timeout) - (time.monotonic() - start)
            try:
                answer, tried = self._client.post(
                    PATH, body, timeout=max(0.0, left), each=self.each, valid=answers.wrong, read=read
                )
            except TooLong as error:
                prompt, self._context = error.exceeded.prompt, self._context or error.exceeded.context or None
                fits = error.exceeded.context - prompt if prompt else 0
                if fits < min(ROOM, room or ROOM) or (room and fits >= room):
                    raise ContextOverflow(str(error)) from None
                room, tries = fits, tries + 1  # the prompt fits: it was the answer that had no room
            except Unreadable as error:
                return {"answer": _unread(error.said), "seconds": time.monotonic() - start, "tries": tries + 1}
            except Fatal as error:
                if not self._dialect.learn(str(error), body):
                    raise ModelFailed(dialects.advice(str(error), body)) from None
                tries += 1
            except Failed as error:
                raise ModelFailed(dialects.advice(str(error), body)) from None
            else:
                return {"answer": answer, "seconds": time.monotonic() - start, "tries": tries + tried}

    def _body(self, messages: Sequence[Message], tools: Sequence[ToolSpec], room: int) -> dict[str, Any]:
        dialect = self._dialect
        reasoning = "none" if dialect.no_reasoning else self.reasoning
        sent = wire.outgoing(
            messages, reasoning=reasoning, short_ids=dialect.short_ids, bridge=dialect.bridge,
            signed=not dialect.no_signatures,
        )  # fmt: skip
        body: dict[str, Any] = {"model": self.model, "messages": sent}
        if tools:
            body["tools"] = wire.tool_list(tools)
        if room:
            body["max_completion_tokens" if dialect.completion_limit else "max_tokens"] = room
        if self.stream:
            body["stream"] = True
            if not dialect.no_usage_option:
                body["stream_options"] = {"include_usage": True}
        body |= self._settings
        if dialect.own_temperature:
            body.pop("temperature", None)
        return body


def _unread(said: str) -> dict[str, Any]:
    """An answer in place of one whose call the server could not read: it costs a turn, the loop says what to do."""
    message = {"role": "assistant", "content": f"(a tool call that could not be read: {said[:4000]})"}
    return {"unread": True, "choices": [{"message": message, "finish_reason": "stop"}]}
