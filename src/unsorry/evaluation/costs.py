"""What samples cost, and how much pass@k that buys.  Money that is not known stays unknown; free is an explicit 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from unsorry import Attempt, UnsorryError
from unsorry.evaluation.passk import pass_at_k
from unsorry.scaffolds.prove_or_disprove import proves

Measure = Literal["seconds", "tokens_in", "tokens_cached", "tokens_out", "money"]


@dataclass(frozen=True, slots=True)
class Spend:
    """What a number of attempts cost together, or on average; `money` in US dollars, None is unknown."""

    attempts: float = 0
    seconds: float = 0.0
    tokens_in: float = 0
    tokens_cached: float = 0
    tokens_out: float = 0
    money: float | None = 0.0

    def __add__(self, other: Spend) -> Spend:
        """Unknown money plus anything is unknown."""
        return Spend(
            self.attempts + other.attempts,
            self.seconds + other.seconds,
            self.tokens_in + other.tokens_in,
            self.tokens_cached + other.tokens_cached,
            self.tokens_out + other.tokens_out,
            None if self.money is None or other.money is None else self.money + other.money,
        )

    def times(self, factor: float) -> Spend:
        return Spend(
            self.attempts * factor,
            self.seconds * factor,
            self.tokens_in * factor,
            self.tokens_cached * factor,
            self.tokens_out * factor,
            None if self.money is None else self.money * factor,
        )


def spent(attempts: Iterable[Attempt]) -> Spend:
    """All attempts added up."""
    total = Spend()
    for a in attempts:
        c = a.cost
        total += Spend(1, c.seconds, c.tokens_in, c.tokens_cached, c.tokens_out, c.money)
    return total


def per_pass(attempts: Iterable[Attempt]) -> Spend:
    """One sample of every problem: the mean cost of an attempt at each, added over problems."""
    total = Spend()
    for tried in _by_problem(attempts).values():
        total += spent(tried).times(1 / len(tried))
    return total


@dataclass(frozen=True, slots=True)
class Point:
    """pass@k and its expected cost per problem, means over problems."""

    k: int
    pass_at: float
    spend: Spend  # `attempts` is the expected number of samples


def expected_samples(samples: int, correct: int, k: int) -> float:
    """Unbiased estimate of how many samples are drawn by one who draws up to k and stops at the first correct one.

    The sum over j < k of 1 - pass@j (pass@0 = 0), since sample j+1 is drawn if the first j all failed.
    """
    return 1.0 + sum(1.0 - pass_at_k(samples, correct, j) for j in range(1, k))


def curve(attempts: Iterable[Attempt], ks: Sequence[int], *, stop: bool = True) -> list[Point]:
    """pass@k against cost for each k, from stored attempts; with `stop`, sampling ends at the first accepted proof.

    Failed samples cost the problem's mean failed attempt, an accepted one its mean accepted attempt; by exchangeability
    of samples this is the mean over all orders in which they could have been drawn.  Raises UnsorryError if a problem
    has fewer than k samples.
    """
    groups = list(_by_problem(attempts).values())
    if not groups or not ks or min(ks) < 1:
        raise UnsorryError("a cost curve needs attempts and one or more k >= 1")
    short = min(len(tried) for tried in groups)
    if max(ks) > short:
        raise UnsorryError(f"pass@{max(ks)} needs {max(ks)} samples of every problem; the least is {short}")
    points = []
    for k in ks:
        solved, cost = 0.0, Spend()
        for tried in groups:
            accepted = [a for a in tried if proves(a)]
            failed = [a for a in tried if not proves(a)]
            n, c = len(tried), len(accepted)
            hit = pass_at_k(n, c, k)
            draws = expected_samples(n, c, k) if stop else float(k)
            hits = hit if stop else k * c / n
            solved += hit
            cost += _mean(accepted).times(hits) + _mean(failed).times(draws - hits)
        points.append(Point(k, solved / len(groups), cost.times(1 / len(groups))))
    return points


def frontier(systems: Mapping[str, Sequence[Point]], measure: Measure) -> list[tuple[str, Point]]:
    """The points that no other point beats in both cost and pass@k, cheapest first.

    Raises UnsorryError where the measure is unknown for a point: it could be on the frontier or not.
    """
    points = [(name, point) for name, curve_ in systems.items() for point in curve_]
    points.sort(key=lambda item: (_cost(item[0], item[1], measure), -item[1].pass_at))
    best, kept = -1.0, []
    for name, point in points:
        if point.pass_at > best:
            best = point.pass_at
            kept.append((name, point))
    return kept


def buy(
    points: Sequence[Point], measure: Measure, *, budget: float | None = None, target: float | None = None
) -> Point:
    """What k to buy: the highest pass@k within a budget per problem, or the cheapest that reaches a target share.

    Give one of the two.  Raises UnsorryError if nothing fits, with the nearest that there is.
    """
    if (budget is None) == (target is None) or not points:
        raise UnsorryError("give points of a curve, and either a budget per problem or a target share")
    if budget is not None:
        fits = [p for p in points if _cost("this system", p, measure) <= budget]
        if not fits:
            least = min(_cost("this system", p, measure) for p in points)
            raise UnsorryError(f"nothing costs at most {budget:g} {measure} a problem; the least is {least:g}")
        return max(fits, key=lambda p: (p.pass_at, -_cost("this system", p, measure)))
    fits = [p for p in points if target is not None and p.pass_at >= target]
    if not fits:
        top = max(points, key=lambda p: p.pass_at)
        raise UnsorryError(f"no k measured reaches {target:.3g}; the highest is {top.pass_at:.3g} at k = {top.k}")
    return min(fits, key=lambda p: _cost("this system", p, measure))


def _by_problem(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    groups: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault(attempt.problem, []).append(attempt)
    return groups


def _mean(attempts: Sequence[Attempt]) -> Spend:
    return spent(attempts).times(1 / len(attempts)) if attempts else Spend()


def _cost(name: str, point: Point, measure: Measure) -> float:
    value = getattr(point.spend, measure)
    if value is None:
        raise UnsorryError(f"what {name} costs in {measure} is unknown; set a price, or compare seconds or tokens")
    return float(value)
