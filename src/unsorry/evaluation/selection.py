"""Choosing one of several models by measuring them, and not reporting on the samples that chose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unsorry import UnsorryError
from unsorry.evaluation.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidate (an averaging weight alpha, say) with the highest pass@k, and the draws that made it so."""

    chosen: float
    scores: Mapping[float, float]  # candidate -> mean pass@k on the samples that chose
    k: int
    draws: frozenset[str]

    def report(self, outcomes: Outcomes) -> Outcomes:
        """The outcomes, if they are fresh; raises UnsorryError if any of their draws took part in the choice.

        The best of several noisy scores is too high on average; on other samples it is not.
        """
        if not outcomes.draws:
            raise UnsorryError("samples without the name of their draw cannot be shown to be fresh; report others")
        shared = len(outcomes.draws & self.draws)
        if shared:
            raise UnsorryError(
                f"{self.chosen:g} was chosen with {shared} of the {len(outcomes.draws)} draws it would be reported on; "
                "sample again with another seed and report that"
            )
        return outcomes


def choose(candidates: Mapping[float, Outcomes], k: int) -> Choice:
    """The candidate with the highest mean pass@k on the same problems, the smallest among equals."""
    if not candidates:
        raise UnsorryError("nothing to choose from: no candidate was measured")
    sets = {frozenset(outcomes.counts) for outcomes in candidates.values()}
    if len(sets) > 1:
        raise UnsorryError("candidates must be measured on the same problems to be compared")
    unnamed = [c for c, outcomes in candidates.items() if not outcomes.draws]
    if unnamed:
        raise UnsorryError(f"the samples of candidate {unnamed[0]:g} do not name their draws; nobody could check later")
    scores = {candidate: candidates[candidate].mean(k) for candidate in sorted(candidates)}
    best = max(scores, key=lambda candidate: scores[candidate])  # the first of equals: the smallest
    return Choice(best, scores, k, frozenset().union(*(o.draws for o in candidates.values())))
