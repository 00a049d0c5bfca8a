"""What the provers that ask a model have in common: the prompt for a problem, the completion for an answer."""

from __future__ import annotations

from typing import Any

from unsorry import Completion, Cost, Prompt, Sampling, Turn, UnsorryError
from unsorry.provers.formats import Format, Messages


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


def unsupported(reason: str, defect: str = "unsupported") -> Completion:
    """In place of an answer to a problem that cannot be asked."""
    return Completion("", Cost(money=0.0), {"finish": "error", "defect": defect, "error": reason})


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
