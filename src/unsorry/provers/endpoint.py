"""A prover behind an OpenAI-compatible endpoint: chat or completions, with usage, price and a journal."""

from __future__ import annotations

import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unsorry import Completion, Cost, Prompt, Sampling, Turn, UnsorryError
from unsorry.provers.answers import check, completion, messages_for, unanswered
from unsorry.provers.formats import Format, Messages, Unsupported
from unsorry.provers.journal import Journal, key_of
from unsorry.provers.openai_api import Client, Failed, Retries, TooLong, one_line
from unsorry.provers.price import Price

__all__ = ["EndpointProver", "Price"]

MAX_TOKENS = 8192
PATHS = {"chat": "/chat/completions", "completions": "/completions"}


@dataclass(frozen=True, slots=True)
class _Job:
    at: int  # which prompt
    prompt: Prompt
    messages: Messages
    body: Mapping[str, Any]
    key: str


class EndpointProver:
    """Asks `model` at `base_url`; `n` samples are `n` requests, each with its own seed, `concurrency` at a time.

    `api_key_env` names the environment variable that holds the key, "" sends none.  `sampling.timeout` is seconds for
    one request with all its retries.  Answers are in the journal before they are used, so nothing is paid twice.
    A request that got no answer gives a completion with the defect `error`, and is asked again by the next run.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        format: Format,
        *,
        id: str = "",
        api_key_env: str = "",
        kind: str = "chat",
        price: Price | None = None,
        retries: Retries | None = None,
        concurrency: int = 8,
        max_tokens: int = MAX_TOKENS,
        journal: Journal | None = None,
        want_logprobs: bool = False,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        if kind not in PATHS:
            raise UnsorryError(f"unknown kind of endpoint {kind!r}: use chat or completions")
        if format.chat != (kind == "chat"):
            fit = "chat" if format.chat else "completions"
            raise UnsorryError(f"format {format.name!r} needs an endpoint of the kind {fit!r}, not {kind!r}")
        if not model:
            raise UnsorryError(f"no model named for the endpoint {base_url}: write it behind `#`")
        if concurrency < 1 or max_tokens < 1:
            raise UnsorryError("an endpoint prover needs concurrency and max_tokens of at least 1")
        Client(base_url, api_key_env=api_key_env).close()  # faults of the user's are told now
        self.id = id or f"endpoint:{model}"
        self.base_url, self.model, self.format, self.kind = base_url.rstrip("/"), model, format, kind
        self.api_key_env, self.price, self.retries = api_key_env, price or Price(), retries or Retries()
        self.concurrency, self.max_tokens, self.journal = concurrency, max_tokens, journal
        self.want_logprobs, self.extra = want_logprobs, dict(extra or {})

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        """`n` completions for each prompt.  Raises UnsorryError if the endpoint answers no request at all."""
        check(sampling)
        out: list[list[Completion]] = [[] for _ in prompts]
        jobs: list[_Job] = []
        seen: Counter[str] = Counter()
        for at, prompt in enumerate(prompts):
            try:
                messages = messages_for(self.format, prompt)
                asked = self._asked(messages)
            except Unsupported as error:
                out[at] = [unanswered(str(error))] * n
                continue
            same = key_of(asked)
            for sample in range(seen[same], seen[same] + n):
                body = self._body(asked, sample, sampling)
                jobs.append(
                    _Job(at, prompt, messages, body, key_of("endpoint", self.base_url, self.kind, body, sample))
                )
            seen[same] += n
        for job, answer in zip(jobs, self._answers(jobs, sampling), strict=True):
            out[job.at].append(answer)
        return out

    def _asked(self, messages: Messages) -> dict[str, Any]:
        if self.kind == "completions":
            return {"prompt": self.format.text(messages)}
        return {"messages": [{"role": message["role"], "content": message["content"]} for message in messages]}

    def _body(self, asked: Mapping[str, Any], sample: int, sampling: Sampling) -> dict[str, Any]:
        body = {
            "model": self.model,
            **asked,
            "max_tokens": sampling.max_tokens or self.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": int(key_of(sampling.seed, sample, asked)[:8], 16) >> 1,
        }
        if self.kind == "completions":
            # The special tokens that frame an answer are to be seen, and its end not to be passed.
            body |= {"skip_special_tokens": False, "spaces_between_special_tokens": False}
        if self.want_logprobs:
            body |= {"logprobs": True if self.kind == "chat" else 1, "return_token_ids": True}
        return body | self.extra

    def _answers(self, jobs: Sequence[_Job], sampling: Sampling) -> list[Completion]:
        """Completions in the order of the jobs; those that the journal holds cost no request."""
        results: list[Completion | None] = [None] * len(jobs)
        todo: queue.SimpleQueue[int] = queue.SimpleQueue()
        done: queue.SimpleQueue[tuple[int, Completion | BaseException]] = queue.SimpleQueue()
        waiting = 0
        for index, job in enumerate(jobs):
            kept = self.journal.get(job.key) if self.journal is not None else None
            if kept is not None:
                results[index] = self._completion(job, kept)
            else:
                todo.put(index)
                waiting += 1
        if not waiting:
            return [result for result in results if result is not None]
        client = Client(self.base_url, api_key_env=self.api_key_env, retries=self.retries)

        def work() -> None:
            while not client.stop.is_set():
                try:
                    index = todo.get_nowait()
                except queue.Empty:
                    return
                try:
                    done.put((index, self._ask(client, jobs[index], sampling)))
                except Failed as error:
                    done.put((index, error))
                except BaseException as error:
                    done.put((index, error))
                    client.stop.set()  # nothing more is asked, and paid for, until the error is read

        # Daemons: an interrupt is not to wait for answers that nobody will read.
        for _ in range(min(self.concurrency, waiting)):
            threading.Thread(target=work, daemon=True).start()
        answered, streak = False, 0  # requests in a row that failed
        try:
            for _ in range(waiting):
                index, got = done.get()
                if isinstance(got, Failed):
                    streak += 1
                    if streak >= 2 * self.concurrency or (not answered and streak >= min(self.concurrency, waiting)):
                        raise got  # the endpoint is down; what it answered is in the journal
                    results[index] = unanswered(str(got), "error", cost=Cost())
                elif isinstance(got, BaseException):
                    raise got
                else:
                    answered, streak = True, 0
                    results[index] = got
        finally:
            client.close()
        return [result for result in results if result is not None]

    def _ask(self, client: Client, job: _Job, sampling: Sampling) -> Completion:
        start = time.monotonic()
        try:
            answer, tries = client.post(
                PATHS[self.kind], job.body, timeout=sampling.timeout, valid=lambda found: _wrong(found, self.kind)
            )
        except TooLong as error:
            return unanswered(str(error), "prompt_too_long")
        kept = {"answer": answer, "seconds": time.monotonic() - start, "tries": tries}
        if self.journal is not None:
            self.journal.put(job.key, kept)
        return self._completion(job, kept)

    def _completion(self, job: _Job, kept: Mapping[str, Any]) -> Completion:
        answer = kept["answer"]
        choice = answer["choices"][0]
        text, reasoning = _texts(choice, self.kind)
        prompt_ids, ids, logprobs = _tokens(answer, choice, self.kind)
        turn = Turn(
            prompt_ids, ids, logprobs, text, job.messages, _finish(choice), str(answer.get("model") or self.model),
            reasoning,
        )  # fmt: skip
        notes = {"tries": kept["tries"]} if kept["tries"] > 1 else {}
        return completion(self.format, job.prompt, turn, self._cost(answer, kept["seconds"]), **notes)

    def _cost(self, answer: Mapping[str, Any], seconds: float) -> Cost:
        usage = answer.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        details = usage.get("prompt_tokens_details")
        total, out = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
        if total is None or out is None:
            return Cost(seconds, total or 0, 0, out or 0)
        cached = min((_count(details.get("cached_tokens")) if isinstance(details, dict) else 0) or 0, total)
        return Cost(seconds, total, cached, out, self.price.money(total - cached, cached, out))


def _wrong(answer: Any, kind: str) -> str:
    """What makes an answer unusable, "" if nothing does."""
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        said = one_line(answer.get("error") or "") if isinstance(answer, dict) else ""
        return "an answer without choices" + (f": {said}" if said else "")
    if kind == "completions":
        return "" if isinstance(choices[0].get("text"), str) else "a choice without text"
    message = choices[0].get("message")
    if not isinstance(message, dict) or not isinstance(message.get("content"), str | list | None):
        return "a choice without a message"
    return ""


def _texts(choice: Mapping[str, Any], kind: str) -> tuple[str, str]:
    """The answer and the reasoning that came apart from it."""
    if kind == "completions":
        return choice["text"], ""
    message = choice["message"]
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    reasoning = reasoning if isinstance(reasoning, str) else ""
    content = message.get("content") or ""
    if isinstance(content, list):  # parts, of which only texts are the answer
        parts = [part for part in content if isinstance(part, dict)]
        reasoning = reasoning or "".join(_inner(p.get("thinking")) for p in parts if p.get("type") == "thinking")
        content = "".join(p["text"] for p in parts if p.get("type") == "text" and isinstance(p.get("text"), str))
    return content, reasoning


def _inner(thinking: Any) -> str:
    if isinstance(thinking, list):
        return "".join(t["text"] for t in thinking if isinstance(t, dict) and isinstance(t.get("text"), str))
    return thinking if isinstance(thinking, str) else ""


def _finish(choice: Mapping[str, Any]) -> str:
    reason = choice.get("finish_reason")
    if reason in ("length", "max_tokens"):
        return "length"
    return "error" if reason in ("content_filter", "error", "abort") else "stop"


def _tokens(
    answer: Mapping[str, Any], choice: Mapping[str, Any], kind: str
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[float, ...]]:
    """Prompt ids, completion ids and log-probabilities, all or nothing: what does not fit together is dropped."""
    prompt_ids = _ids(answer.get("prompt_token_ids") or choice.get("prompt_token_ids"))
    ids = _ids(choice.get("token_ids"))
    found = choice.get("logprobs")
    entries = found.get("content" if kind == "chat" else "token_logprobs") if isinstance(found, dict) else None
    if not isinstance(entries, list) or not prompt_ids or not ids or len(entries) != len(ids):
        return (), (), ()
    logprobs: list[float] = []
    for entry in entries:
        value = entry.get("logprob") if isinstance(entry, dict) else entry
        if not isinstance(value, int | float) or not math.isfinite(value) or value > 0.0:
            return (), (), ()
        logprobs.append(float(value))
    return prompt_ids, ids, tuple(logprobs)


def _ids(value: Any) -> tuple[int, ...]:
    """Token ids, () for anything else."""
    if not isinstance(value, list) or not all(type(one) is int and one >= 0 for one in value):
        return ()
    return tuple(value)


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None
