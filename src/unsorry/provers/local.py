"""A prover that samples from a model in this process: any causal language model of the `transformers` library."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from unsorry import Completion, Prompt, Sampling, UnsorryError
from unsorry.provers.answers import Ask, Drawn, Plan, check, end_ids, require_template
from unsorry.provers.attention import sampling_mode
from unsorry.provers.decoding import Sampler
from unsorry.provers.formats import Format
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
        require_template(format, tokenizer, id)
        if batch < 1 or max_tokens < 1:
            raise UnsorryError(f"the local prover needs batch and max_tokens of at least 1, not {batch}, {max_tokens}")
        if journal is not None and not version:
            raise UnsorryError("a local prover with a journal needs the version of its weights: answers belong to them")
        self.id, self.version = id, version
        self.model, self.tokenizer, self.format = model, tokenizer, format
        self.max_tokens, self.batch, self.journal, self.training = max_tokens, batch, journal, training
        self.ends = end_ids(model, tokenizer, format)
        self.context = int(getattr(model.config, "max_position_embeddings", 0) or 0)

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        """`n` completions for each prompt, in the order of their samples.

        Raises UnsorryError for settings that cannot be sampled with; a problem that the format cannot put, or that
        does not fit into the context, gets completions without text whose `defect` says so.
        """
        check(sampling, training=self.training)
        start = time.monotonic()
        plan = Plan(
            self.format, self.tokenizer, prompts, n=n, sampling=sampling, most=self.max_tokens, context=self.context
        )
        drawn = self._draw(plan.asks, sampling)
        return plan.completions(drawn, model=self.version or self.id, seconds=time.monotonic() - start)

    def _draw(self, asks: Sequence[Ask], sampling: Sampling) -> list[Drawn]:
        """All that was drawn, from the journal if it holds this very call.

        A call is kept as a whole: half of it drawn again would be drawn in other batches, whose rounding differs.
        """
        key = ""
        if self.journal is not None:
            settings = [sampling.temperature, sampling.top_p, self.batch, sorted(self.ends)]
            key = key_of("local", self.version, settings, [[ask.key, ask.limit] for ask in asks])
            kept = self.journal.get(key)
            if kept is not None:
                return [Drawn(tuple(ids), tuple(logprobs), finish) for ids, logprobs, finish in kept]
        drawn: dict[int, Drawn] = {}
        with sampling_mode(self.model):
            sampler = Sampler(
                self.model, ends=self.ends, temperature=sampling.temperature, top_p=sampling.top_p, batch=self.batch
            )
            drawn.update(sampler.draw(asks))
        done = [drawn[at] for at in range(len(asks))]
        if self.journal is not None:
            self.journal.put(key, [[one.ids, one.logprobs, one.finish] for one in done])
        return done
