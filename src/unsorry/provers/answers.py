"""What the provers that ask a model have in common: the prompts for problems, the completions for answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unsorry import Completion, Cost, Prompt, Sampling, Turn, UnsorryError
from unsorry.provers.formats import Format, Messages, Unsupported
from unsorry.provers.journal import key_of


@dataclass(frozen=True, slots=True)
class Ask:
    """One sample to draw: for which prompt, from which tokens, at most `limit` more; `key` seeds it."""

    at: int  # index of the prompt
    sample: int
    messages: Messages
    ids: tuple[int, ...]
    limit: int
    key: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """Token ids, the end token included, and for each the log-probability with which it was drawn."""

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    finish: str  # "stop" | "length" | "error"
    cached: int = 0  # tokens of the prompt that a cache held


class Plan:
    """All samples that a call draws, and the prompts that cannot be asked.

    A sample's key depends on seed, prompt tokens and number alone.  The same prompt given twice in a call goes on
    counting, so that its samples are other ones.
    """

    def __init__(
        self, format: Format, tokenizer: Any, prompts: Sequence[Prompt], *, n: int, sampling: Sampling, most: int,
        context: int,
    ) -> None:  # fmt: skip
        self.format, self.tokenizer, self.prompts, self.n = format, tokenizer, prompts, n
        self.asks: list[Ask] = []
        self.refused: dict[int, Completion] = {}
        seen: Counter[tuple[int, ...]] = Counter()
        for at, prompt in enumerate(prompts):
            try:
                messages = messages_for(format, prompt)
                ids = format.encode(tokenizer, messages, prompt.turn)
            except Unsupported as error:
                self.refused[at] = unanswered(str(error))
                continue
            limit = sampling.max_tokens or most
            limit = min(limit, context - len(ids)) if context else limit
            if limit < 1:
                why = f"the prompt has {len(ids)} tokens, the model's context holds {context}"
                self.refused[at] = unanswered(why, "prompt_too_long")
                continue
            for sample in range(seen[ids], seen[ids] + n):
                self.asks.append(Ask(at, sample, messages, ids, limit, key_of(sampling.seed, sample, ids)))
            seen[ids] += n

    def completions(self, drawn: Sequence[Drawn], *, model: str, seconds: float) -> list[list[Completion]]:
        """By prompt, the completions for what was drawn; `seconds` is shared out evenly."""
        out = [[self.refused[at]] * self.n if at in self.refused else [] for at in range(len(self.prompts))]
        share = seconds / max(1, len(drawn))
        for ask, one in zip(self.asks, drawn, strict=True):
            ids = one.ids[:-1] if one.finish == "stop" else one.ids
            text = self.tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
            turn = Turn(ask.ids, one.ids, one.logprobs, text, ask.messages, one.finish, model)
            cost = Cost(share, len(ask.ids), one.cached, len(one.ids), 0.0)
            out[ask.at].append(completion(self.format, self.prompts[ask.at], turn, cost, sample=ask.sample))
        return out


def messages_for(format: Format, prompt: Prompt) -> Messages:
    """The messages of a prompt, or the format's own for its problem; raises Unsupported."""
    return tuple(prompt.messages) or format.messages(prompt.problem)


def completion(format: Format, prompt: Prompt, turn: Turn, cost: Cost, **notes: Any) -> Completion:
    """The submission in an answer.  `notes` tell its `defect`, `finish` and whether it is a `disproof`, where so."""
    if turn.finish == "error":
        return Completion("", cost, {"finish": "error", "defect": "error", **notes}, turn)
    found = format.extract(prompt.problem, turn.text, cut=turn.finish == "length")
    said: dict[str, Any] = {"finish": turn.finish}
    if found.defect:
        said["defect"] = found.defect
    if found.disproof:
        said["disproof"] = True
    return Completion(found.source, cost, {**said, **notes}, turn)


def unanswered(reason: str, defect: str = "unsupported", *, cost: Cost | None = None) -> Completion:
    """In place of an answer, where a problem cannot be asked or was not answered; costs nothing unless told."""
    return Completion("", cost or Cost(money=0.0), {"finish": "error", "defect": defect, "error": reason})


def check(sampling: Sampling, *, training: bool = False) -> None:
    """Raises UnsorryError for settings that cannot be sampled with, or not for training."""
    if not sampling.temperature >= 0.0:
        raise UnsorryError(f"temperature {sampling.temperature} is below 0: use 0 (greedy) or more")
    if not 0.0 < sampling.top_p <= 1.0:
        raise UnsorryError(f"top_p {sampling.top_p} is outside (0, 1]")
    if sampling.max_tokens < 0:
        raise UnsorryError(f"max_tokens {sampling.max_tokens} is below 0: use 0 for the prover's own limit")
    if training and sampling.top_p < 1.0:
        raise UnsorryError(
            f"top_p {sampling.top_p} in a training rollout: the sampler would renormalise on the nucleus and the "
            "trainer not, so every ratio would be off by the kept mass; set top_p = 1"
        )
    if training and sampling.temperature == 0.0:
        raise UnsorryError("temperature 0 in a training rollout: nothing is sampled, so nothing can be learned from it")


def end_ids(model: Any, tokenizer: Any, format: Format) -> frozenset[int]:
    """Every end token that the model's configurations, the tokenizer or the format name; raises UnsorryError if none.

    A model may end with any of several; a sampler that knows one takes answers that are finished for cut off.
    """
    found = set(format.end_ids(tokenizer))
    for source in (getattr(model, "generation_config", None), getattr(model, "config", None), tokenizer):
        ids = getattr(source, "eos_token_id", None)
        found |= {ids} if isinstance(ids, int) else set(ids or ())
    if not found:
        raise UnsorryError("neither the model nor its tokenizer names an end token: answers could not end")
    return frozenset(found)


def require_template(format: Format, tokenizer: Any, id: str) -> None:
    """Raises UnsorryError for a chat format with a tokenizer that has no chat template."""
    if format.chat and not tokenizer.chat_template:
        raise UnsorryError(
            f'the tokenizer of {id} has no chat template, which format "{format.name}" needs: use format "plain"'
        )
