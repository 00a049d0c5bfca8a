"""McNemar's exact test, for tables in which each system had one sample of each problem."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from unsorry import UnsorryError
from unsorry.evaluation.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class McNemar:
    """Problems that only one side solved, and exact binomial p-values given how many there are."""

    gained: int  # solved after, not before
    lost: int
    p_greater: float  # one-sided: of at least `gained` gains if gains and losses were equally likely
    p_two_sided: float


def exact(gained: int, lost: int) -> McNemar:
    """Exact test of `gained` against `lost` ~ Binomial(gained + lost, 1/2) (McNemar 1947)."""
    greater, less = _tail(gained, gained + lost), _tail(lost, gained + lost)
    return McNemar(gained, lost, greater, min(1.0, 2 * min(greater, less)))


def mcnemar(before: Outcomes, after: Outcomes) -> McNemar:
    """The test on two single-draw measurements of the same problems; raises UnsorryError on anything else."""
    if set(before.problems) != set(after.problems):
        raise UnsorryError("McNemar's test needs the same problems on both sides")
    if any(int(side.samples.max()) != 1 or int(side.samples.min()) != 1 for side in (before, after)):
        raise UnsorryError(
            "McNemar's test is for one sample of every problem on each side; compare several with the paired bootstrap"
        )
    solved = [(before.counts[p].correct, after.counts[p].correct) for p in before.problems]
    return exact(solved.count((0, 1)), solved.count((1, 0)))


def _tail(least: int, total: int) -> float:
    """P(X >= least), X ~ Binomial(total, 1/2), in integers."""
    ways = sum(comb(total, i) for i in range(least, total + 1))
    return ways / (1 << total)
