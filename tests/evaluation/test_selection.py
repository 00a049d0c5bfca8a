"""Choosing alpha, and reporting on other samples."""

from __future__ import annotations

import numpy as np
import pytest

from unsorry import UnsorryError
from unsorry.evaluation.outcomes import Count, Outcomes, pool
from unsorry.evaluation.selection import choose


def measured(counts: list[int], draw: str, n: int = 8) -> Outcomes:
    return Outcomes({str(i): Count(n, c) for i, c in enumerate(counts)}, frozenset({draw}))


def test_the_best_is_chosen_and_the_smallest_among_equals() -> None:
    a, b, c = measured([1, 1], "a"), measured([3, 1], "b"), measured([1, 3], "c")
    assert choose({0.9: c, 0.6: a, 0.7: b}, 1).chosen == 0.7
    assert choose({0.9: c, 0.6: a, 0.7: b}, 1).scores == {0.6: 0.125, 0.7: 0.25, 0.9: 0.25}


def test_it_does_not_report_on_the_samples_it_chose_with() -> None:
    a, b = measured([1, 1], "a"), measured([3, 1], "b")
    choice = choose({0.6: a, 0.7: b}, 1)
    fresh = measured([2, 1], "c")
    assert choice.report(fresh) is fresh
    for stale in (b, a, pool(b, fresh)):  # more samples on top do not make the old ones fresh
        with pytest.raises(UnsorryError, match="sample again with another seed"):
            choice.report(stale)
    with pytest.raises(UnsorryError, match="cannot be shown to be fresh"):
        choice.report(Outcomes({"0": Count(8, 1), "1": Count(8, 1)}))


def test_the_score_that_chose_is_too_high_and_the_fresh_one_is_not() -> None:
    """Why: of equal candidates the luckiest is chosen."""
    rng = np.random.default_rng(0)
    rates = rng.beta(0.3, 0.3, size=40)
    chosen, fresh = [], []
    for i in range(200):
        candidates = {a: measured(rng.binomial(8, rates).tolist(), f"{i}-{a}") for a in (0.6, 0.7, 0.8, 0.9)}
        choice = choose(candidates, 1)
        chosen.append(choice.scores[choice.chosen])
        fresh.append(choice.report(measured(rng.binomial(8, rates).tolist(), f"{i}-fresh")).mean(1))
    error = np.std(fresh) / np.sqrt(200)
    assert abs(np.mean(fresh) - rates.mean()) < 4 * error
    assert np.mean(chosen) > rates.mean() + 4 * error


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(UnsorryError, match="nothing to choose"):
        choose({}, 1)
    with pytest.raises(UnsorryError, match="same problems"):
        choose({0.6: measured([1], "a"), 0.7: measured([1, 1], "b")}, 1)
    with pytest.raises(UnsorryError, match="do not name"):
        choose({0.6: Outcomes({"0": Count(8, 1)})}, 1)
