"""Paired comparison of two measurements of the same problems: a bootstrap over families of problems.

What is resampled are families, with all their problems and the estimates that were observed for them.  An observed
estimate is the problem's true pass@k plus the noise of its n samples; its spread over families holds both, so a
resample carries the noise of sampling within problems and of the choice of problems, and nothing is drawn again
inside a problem (that would count the noise within problems twice).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import stats

from unsorry import UnsorryError
from unsorry.evaluation.outcomes import Floats, Ints, Outcomes, clustered_standard_error

Alternative = Literal["greater", "less", "two-sided"]
RESAMPLES = 10_000
TIE = 1e-12  # two sums of the same shares in another order are equal


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over problems with what surrounds it; as shares (0.01 is one percentage point)."""

    value: float
    low: float  # of the two-sided interval
    high: float
    standard_error: float
    level: float
    problems: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Paired:
    """Mean difference `after - before` of pass@k over the same problems."""

    difference: Interval
    p_greater: float  # one-sided: of so large a difference if after were not above before + margin
    p_less: float
    before: float
    after: float
    k: int
    margin: float

    def p(self, alternative: Alternative = "greater") -> float:
        if alternative == "two-sided":
            return min(1.0, 2 * min(self.p_greater, self.p_less))
        return self.p_greater if alternative == "greater" else self.p_less


def resampled_means(values: Floats, clusters: Ints, *, resamples: int, seed: int) -> Floats:
    """Mean of `values` [N] in each of `resamples` draws of G clusters with replacement -> float64 [resamples]."""
    size = np.bincount(clusters)
    total = np.bincount(clusters, weights=values)
    groups = len(size)
    rng = np.random.default_rng(seed)
    means = np.empty(resamples)
    rows = max(1, 2_000_000 // groups)  # 16 MB at a time
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        chosen = rng.integers(0, groups, size=(stop - start, groups))
        means[start:stop] = total[chosen].sum(axis=1) / size[chosen].sum(axis=1)
    return means


def interval(
    values: Floats, clusters: Ints, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """Two-sided bootstrap interval of the mean of `values` [N], shares, over clusters.

    Where nothing was solved, or everything, no resample differs from another; the interval then reaches as far as the
    share of families could with none (or all) of G seen: 1 - (tail)^(1/G), exact binomial (Clopper and Pearson 1934).
    """
    means = resampled_means(values, clusters, resamples=resamples, seed=seed)
    found = _interval(values, clusters, means, level)
    reach = 1 - ((1 - level) / 2) ** (1 / found.clusters)
    if (values == 0).all():
        return replace(found, high=reach)
    return replace(found, low=1 - reach) if (values == 1).all() else found


def pass_interval(
    outcomes: Outcomes, k: int, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """Mean pass@k with its interval over families."""
    return interval(outcomes.defined_at(k), outcomes.clusters, level=level, resamples=resamples, seed=seed)


def compare(
    before: Outcomes,
    after: Outcomes,
    k: int,
    *,
    margin: float = 0.0,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Paired:
    """Paired bootstrap of pass@k(after) - pass@k(before); the same seed gives the same figures.

    `margin` shifts the null hypothesis of both one-sided p-values (not the interval).  Raises UnsorryError if the two
    do not hold the same problems in the same families.
    """
    clusters = _paired_clusters(before, after)
    old, new = before.defined_at(k), after.defined_at(k)[_order(before, after)]
    difference = new - old
    means = resampled_means(difference, clusters, resamples=resamples, seed=seed)
    groups = int(clusters.max()) + 1
    return Paired(
        _interval(difference, clusters, means, level),
        _tail(int((means <= margin + TIE).sum()), resamples, groups),
        _tail(int((means >= margin - TIE).sum()), resamples, groups),
        float(old.mean()),
        float(new.mean()),
        k,
        margin,
    )


def _interval(values: Floats, clusters: Ints, means: Floats, level: float) -> Interval:
    """Expanded percentile interval (Hesterberg, arXiv 1411.5279): as wide as a t interval where families are few."""
    groups = int(clusters.max()) + 1
    error = clustered_standard_error(values, clusters)
    tail = stats.norm.cdf(stats.t.ppf((1 - level) / 2, groups - 1) * np.sqrt(groups / (groups - 1)))
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(values.mean()), float(low), float(high), error, level, len(values), groups)


def _tail(beyond: int, resamples: int, groups: int) -> float:
    """One-sided p of a share of resamples, with the same widening for few families as the interval."""
    share = (beyond + 1) / (resamples + 1)
    if share >= 1.0:
        return 1.0
    return float(stats.t.cdf(stats.norm.ppf(share) * np.sqrt((groups - 1) / groups), groups - 1))


def _order(before: Outcomes, after: Outcomes) -> Ints:
    place = {name: i for i, name in enumerate(after.problems)}
    return np.array([place[name] for name in before.problems], dtype=np.int64)


def _paired_clusters(before: Outcomes, after: Outcomes) -> Ints:
    apart = set(before.problems) ^ set(after.problems)
    if apart:
        raise UnsorryError(
            f"a paired comparison needs the same problems on both sides; {len(apart)} are on one side only, "
            f"such as {min(apart)}"
        )
    moved = [p for p, c in before.counts.items() if after.counts[p].family != c.family]
    if moved:
        raise UnsorryError(f"problem {moved[0]} is in another family on the other side; measure both on one set")
    return before.clusters
