"""A prover that samples from a model in this process: any causal language model of the `transformers` library."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from unsorry import Completion, Cost, Prompt, Sampling, Turn, UnsorryError
from unsorry.provers.answers import check, completion, messages_for, unsupported
from unsorry.provers.attention import sampling_mode
from unsorry.provers.decoding import Drawn, Request, Sampler
from unsorry.provers.formats import Format, Messages, Unsupported
from unsorry.provers.journal import Journal, key_of

MAX_TOKENS = 1024


class LocalProver:
    """Samples in batches with a key-value cache; every turn carries its token ids and log-probabilities.

    A completion depends on weights, `sampling.seed`, the prompt's tokens and the number of the sample alone, not on
    what else is asked (up to rounding).  The same prompt given twice in one call gets different samples.
    `sampling.timeout` is not used: what a clock decides could not be repeated; `max_tokens` bounds the work.

    `model` goes on being the caller's: weights that change between calls are used as they are then, and `version`,
    which turns carry, is for the caller to set.  With `training`, settings under which the sampler's probabilities are
    not the model's are refused.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        format: Format,
        *,
        id: str = "local",
        max_tokens: int = MAX_TOKENS,
        batch: int = 64,
        journal: Journal | None = None,
        training: bool = False,
        version: str = "",
    ) -> None:
        if format.chat and not tokenizer.chat_template:
            raise UnsorryError(
                f'the tokenizer of {id} has no chat template, which format "{format.name}" needs: use format "plain"'
            )
        if batch < 1 or max_tokens < 1:
            raise UnsorryError(f"the local prover needs batch and max_tokens of at least 1, not {batch}, {max_tokens}")
        if journal is not None and not version:
            raise UnsorryError("a local prover with a journal needs the version of its weights: answers belong to them")
        self.id, self.version = id, version
        self.model, self.tokenizer, self.format = model, tokenizer, format
        self.max_tokens, self.batch, self.journal, self.training = max_tokens, batch, journal, training
        self.ends = end_ids(model, tokenizer) | format.end_ids(tokenizer)
        if not self.ends:
            raise UnsorryError(f"neither the model nor the tokenizer of {id} names an end token: answers could not end")
        self.context = int(getattr(model.config, "max_position_embeddings", 0) or 0)

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        """`n` completions for each prompt, in the order of their samples.

        Raises UnsorryError for settings that cannot be sampled with; a problem that the format cannot put, or that
        does not fit into the context, gets completions without text whose `defect` says so.
        """
        check(sampling, training=self.training)
        start = time.monotonic()
        asked: list[tuple[Messages, tuple[int, ...]] | None] = []
        refused: dict[int, Completion] = {}
        requests: list[Request] = []
        owners: list[tuple[int, int]] = []  # (prompt, sample) of each request
        seen: Counter[tuple[int, ...]] = Counter()
        for at, prompt in enumerate(prompts):
            try:
                messages = messages_for(self.format, prompt)
                ids = self.format.encode(self.tokenizer, messages, prompt.turn)
            except Unsupported as error:
                asked.append(None)
                refused[at] = unsupported(str(error))
                continue
            asked.append((messages, ids))
            limit = self._limit(len(ids), sampling)
            if limit < 1:
                refused[at] = unsupported(
                    f"{len(ids)} tokens of prompt, the context holds {self.context}", "prompt_too_long"
                )
                continue
            for sample in range(seen[ids], seen[ids] + n):
                requests.append(Request(ids, key_of(sampling.seed, sample, ids), limit))
                owners.append((at, sample))
            seen[ids] += n
        drawn = self._draw(requests, sampling)
        seconds = (time.monotonic() - start) / max(1, len(requests))
        out: list[list[Completion]] = [[refused[at]] * n if at in refused else [] for at in range(len(prompts))]
        texts = self.tokenizer.batch_decode(
            [self._without_end(one) for one in drawn], skip_special_tokens=False, clean_up_tokenization_spaces=False
        )
        for (at, sample), one, text in zip(owners, drawn, texts, strict=True):
            put = asked[at]
            assert put is not None
            messages, ids = put
            turn = Turn(ids, one.ids, one.logprobs, text, messages, one.finish, self.version or self.id)
            cost = Cost(seconds, len(ids), 0, len(one.ids), 0.0)
            out[at].append(completion(self.format, prompts[at], turn, cost, sample=sample))
        return out

    def _limit(self, length: int, sampling: Sampling) -> int:
        limit = sampling.max_tokens or self.max_tokens
        return min(limit, self.context - length) if self.context else limit

    def _without_end(self, drawn: Drawn) -> tuple[int, ...]:
        return drawn.ids[:-1] if drawn.finish == "stop" else drawn.ids

    def _draw(self, requests: Sequence[Request], sampling: Sampling) -> list[Drawn]:
        """All that was drawn, from the journal if it holds this very call.

        A call is kept as a whole: half of it drawn again would be drawn in other batches, whose rounding differs.
        """
        key = ""
        if self.journal is not None:
            settings = [sampling.temperature, sampling.top_p, self.batch, sorted(self.ends)]
            key = key_of("local", self.version, settings, [[r.prompt, r.key, r.limit] for r in requests])
            kept = self.journal.get(key)
            if kept is not None:
                return [Drawn(tuple(ids), tuple(logprobs), finish) for ids, logprobs, finish in kept]
        drawn: list[Drawn | None] = [None] * len(requests)
        with sampling_mode(self.model):
            sampler = Sampler(
                self.model, ends=self.ends, temperature=sampling.temperature, top_p=sampling.top_p, batch=self.batch
            )
            for at, one in sampler.draw(requests):
                drawn[at] = one
        done = [one for one in drawn if one is not None]
        if self.journal is not None:
            self.journal.put(key, [[one.ids, one.logprobs, one.finish] for one in done])
        return done


def end_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    """Every end token that the model's configurations or the tokenizer name.

    A model may end with any of several; a sampler that knows one takes answers that are finished for cut off.
    """
    found: set[int] = set()
    sources = (getattr(model, "generation_config", None), getattr(model, "config", None), tokenizer)
    for source in sources:
        ids = getattr(source, "eos_token_id", None)
        found |= {ids} if isinstance(ids, int) else set(ids or ())
    return frozenset(found)
