"""A prover on a vLLM server: token ids in, token ids and their log-probabilities out, each answer kept at once."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from unsorry import Completion, Prompt, Sampling, UnsorryError
from unsorry.provers.answers import Ask, Drawn, Plan, check, end_ids, require_template
from unsorry.provers.formats import Format
from unsorry.provers.journal import Journal, key_of
from unsorry.provers.openai_api import one_line
from unsorry.provers.vllm import MAX_TOKENS, _generation_config, sampling_arguments
from unsorry.provers.vllm_server import VllmServer

CONCURRENCY = 512  # requests under way; the engine queues what it cannot batch
TRIES = 3  # of a request that the server answered with a fault of its own, or not at all
SETTLE = 1.0  # seconds for a server that breaks connections because it is ending to have ended
HEALTH = 10.0  # seconds between two looks at the server
DEAF = 30  # looks in a row without an answer before it is given up
PATIENCE = 6 * 3600.0  # seconds without any answer: 40,000 tokens at two a second
_ROUNDING = 1e-3


class ServedProver:
    """Samples through `server`, which goes on being the caller's: it must run while this is asked.

    Each sample is a request with its own seed.  Answers are in the journal, under weights and sample, before they are
    used.  Not repeatable to the bit: the engine's batches depend on timing.  `sampling.timeout` is not used.
    """

    def __init__(
        self,
        server: VllmServer,
        tokenizer: Any,
        format: Format,
        *,
        id: str = "",
        version: str = "",
        max_tokens: int = MAX_TOKENS,
        journal: Journal | None = None,
        training: bool = False,
        concurrency: int = CONCURRENCY,
    ) -> None:
        self.id, self.version = id or f"vllm:{server.folder.name}", version
        require_template(format, tokenizer, self.id)
        if journal is not None and not version:
            raise UnsorryError("a prover with a journal needs the version of its weights: answers belong to them")
        self.server, self.tokenizer, self.format = server, tokenizer, format
        self.max_tokens, self.journal, self.training, self.concurrency = max_tokens, journal, training, concurrency
        self.ends = end_ids(_generation_config(server.folder), tokenizer, format)

    def use_adapter(self, folder: Path, version: str) -> None:
        """Answer with the adapter in `folder` from now on; `version` names its weights in every turn."""
        self.server.use_adapter(folder, version)
        self.version = version

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        """`n` completions for each prompt; raises as LocalProver does, and where the server fails."""
        check(sampling, training=self.training)
        start = time.monotonic()
        plan = Plan(
            self.format, self.tokenizer, prompts, n=n, sampling=sampling, most=self.max_tokens,
            context=self.server.config.max_model_len,
        )  # fmt: skip
        drawn = self._draw(plan.asks, sampling)
        return plan.completions(drawn, model=self.version or self.id, seconds=time.monotonic() - start)

    def _draw(self, asks: Sequence[Ask], sampling: Sampling) -> list[Drawn]:
        settings = [sampling.temperature, sampling.top_p, sorted(self.ends)]
        keys = [key_of("vllm", self.version, settings, ask.key, ask.limit) for ask in asks]
        results: dict[int, Drawn] = {}
        for at, key in enumerate(keys):
            kept = self.journal.get(key) if self.journal is not None else None
            if kept is not None:
                ids, logprobs, finish, cached = kept
                results[at] = Drawn(tuple(ids), tuple(logprobs), finish, cached)
        todo = [at for at in range(len(asks)) if at not in results]
        if todo:
            self.server.check()
            asyncio.run(self._ask_all(asks, todo, keys, sampling, results))
        return [results[at] for at in range(len(asks))]

    async def _ask_all(
        self, asks: Sequence[Ask], todo: list[int], keys: list[str], sampling: Sampling, results: dict[int, Drawn]
    ) -> None:
        limits = httpx.Limits(max_connections=self.concurrency + 1)
        waiting = iter(todo)
        model, last = self.server.model, [time.monotonic()]

        async def work(client: httpx.AsyncClient) -> None:
            for at in waiting:
                body = self._body(model, asks[at], sampling)
                one = read_answer(await self._post(client, body), model, asks[at])
                last[0] = time.monotonic()
                if one.finish != "error" and self.journal is not None:
                    self.journal.put(keys[at], [one.ids, one.logprobs, one.finish, one.cached])
                results[at] = one

        async with httpx.AsyncClient(
            base_url=self.server.url,
            headers=dict(self.server.headers),
            timeout=PATIENCE,
            limits=limits,
            trust_env=False,
        ) as client:
            tasks = [asyncio.create_task(work(client)) for _ in range(min(self.concurrency, len(todo)))]
            watch = asyncio.create_task(self._watch(client, last))
            both: list[asyncio.Future[Any]] = [asyncio.gather(*tasks), watch]
            try:
                done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                for one in done:
                    one.result()
            except UnsorryError:
                await asyncio.sleep(SETTLE)
                self.server.check()  # that it has ended says more than how its last request failed
                raise
            finally:
                for task in (*tasks, watch):
                    task.cancel()
                await asyncio.gather(*tasks, watch, return_exceptions=True)

    def _body(self, model: str, ask: Ask, sampling: Sampling) -> dict[str, Any]:
        options = sampling_arguments(ask, sampling, self.ends)
        del options["detokenize"]
        return {
            "model": model,
            "prompt": list(ask.ids),
            **options,
            "add_special_tokens": False,
            "return_token_ids": True,
            "return_tokens_as_token_ids": True,
        }

    async def _post(self, client: httpx.AsyncClient, body: Mapping[str, Any]) -> Any:
        why = ""
        for attempt in range(TRIES):
            if attempt:
                await asyncio.sleep(SETTLE)
                self.server.check()
            try:
                answer = await client.post("/v1/completions", json=body)
            except httpx.HTTPError as error:
                why = one_line(error) or type(error).__name__
                continue
            if answer.status_code == 200:
                try:
                    return answer.json()
                except ValueError:
                    why = "an answer that is not JSON"
                    continue
            why = f"HTTP {answer.status_code}: {one_line(answer.text)}"
            if answer.status_code < 500 and answer.status_code != 429:
                break
        raise self.server.fault(f"answered no request in {attempt + 1} tries ({why})")

    async def _watch(self, client: httpx.AsyncClient, last: list[float]) -> None:
        """Ends with an error when the server has ended, or answers nothing any more."""
        missed, looked = 0, time.monotonic()
        while True:
            await asyncio.sleep(0.5)
            self.server.check()
            if time.monotonic() - last[0] > PATIENCE:
                raise self.server.fault(f"gave no answer in {PATIENCE / 3600:g} hours")
            if time.monotonic() - looked < HEALTH:
                continue
            looked = time.monotonic()
            try:
                missed = 0 if (await client.get("/health", timeout=HEALTH)).status_code == 200 else missed + 1
            except httpx.HTTPError:
                missed += 1
            if missed >= DEAF:
                raise self.server.fault(f"does not react any more ({missed} times)")


def read_answer(answer: Any, model: str, ask: Ask) -> Drawn:
    """What a completions answer holds.

    Raises UnsorryError if other weights answered, to another prompt, or without the tokens and their probabilities.
    """
    try:
        (choice,) = answer["choices"]
        answered, prompt, ids = answer["model"], choice["prompt_token_ids"], tuple(choice["token_ids"])
        found, finish = choice["logprobs"], choice["finish_reason"]
        logprobs = tuple(float(value) for value in found["token_logprobs"]) if ids else ()
        details = (answer.get("usage") or {}).get("prompt_tokens_details") or {}
        cached = int(details.get("cached_tokens") or 0)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnsorryError(
            f"vLLM answered without token ids and log-probabilities ({type(error).__name__}: {one_line(error)}): is "
            "this vLLM 0.30 or later?"
        ) from None
    if answered != model:
        raise UnsorryError(f"vLLM answered with {one_line(answered)!r}, not with {model!r}")
    if tuple(prompt) != ask.ids:
        raise UnsorryError("vLLM answered to other tokens than it was asked with: is its tokenizer the model's?")
    if len(logprobs) != len(ids) or not all(math.isfinite(p) and p <= _ROUNDING for p in logprobs):
        raise UnsorryError("vLLM returned no log-probability for each token")
    if not all(type(one) is int and one >= 0 for one in ids):
        raise UnsorryError("vLLM returned token ids that are none")
    return Drawn(ids, logprobs, finish if finish in ("stop", "length") else "error", cached)
