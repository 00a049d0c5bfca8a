"""The report: pass@k with intervals over pull requests, against what it cost, and what k to buy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from unsorry import UnsorryError
from unsorry.evaluation import costs, paired
from unsorry.evaluation.costs import Measure, Point, Spend
from unsorry.repos.figures import Mark, Series, plot
from unsorry.repos.published import Published
from unsorry.repos.systems import System

FORMAT = "unsorry-bench-report-1"
KS = (1, 2, 4, 8, 16)
UNITS: Mapping[str, str] = {"money": "US$", "seconds": "hours of work", "tokens_out": "million tokens written"}
SCALE: Mapping[str, float] = {"money": 1.0, "seconds": 3600.0, "tokens_out": 1e6}
_STEADY = 1e-9


@dataclass(frozen=True, slots=True)
class Line:
    """A system at one k.  `spend` is that of k whole passes, `stopping` what is spent by who stops at the first
    success; `low` and `high` None where there are too few pull requests to say."""

    system: str
    k: int
    score: float
    low: float | None
    high: float | None
    fraction: float
    spend: Spend
    stopping: Spend


@dataclass(frozen=True, slots=True)
class Difference:
    """pass@k of a system minus that of the first, over the tasks that both have."""

    system: str
    first: str
    k: int
    value: float
    low: float
    high: float
    tasks: int


@dataclass(frozen=True, slots=True)
class Purchase:
    """A point that no other beats in both cost and score; `each` is the cost of a point more than at the last."""

    system: str
    k: int
    cost: float
    score: float
    each: float | None


@dataclass(slots=True)
class Report:
    """All figures.  `measure` is the cost that is drawn; `notes` are lines that a reader must see."""

    systems: list[System]
    lines: list[Line]
    differences: list[Difference]
    purchases: list[Purchase]
    measure: Measure
    published: Published | None
    notes: list[str] = field(default_factory=list)

    @property
    def unit(self) -> str:
        return UNITS[self.measure]

    def svg(self) -> str:
        """The frontier as a drawing."""
        by_system: dict[str, list[Mark]] = {}
        for line in self.lines:
            cost = cost_of(line.spend, self.measure)
            if cost is not None:
                low, high = (None if x is None else 100 * x for x in (line.low, line.high))
                by_system.setdefault(line.system, []).append(Mark(line.k, cost, 100 * line.score, low, high))
        others: dict[str, list[Mark]] = {}
        if self.published is not None and self.measure == "money":
            for row in self.published.rows:
                others.setdefault(row.model, []).append(Mark(row.k, row.cost, row.score))
        note = f"{self.published.source}; another benchmark" if self.published is not None and others else ""
        return plot(
            [Series(name, tuple(marks)) for name, marks in by_system.items()],
            [Series(name, tuple(marks)) for name, marks in others.items()],
            frontier=[Mark(p.k, p.cost, 100 * p.score) for p in self.purchases], unit=self.unit, note=note,
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values; published rows stand apart."""
        return {
            "format": FORMAT, "measure": self.measure, "unit": self.unit,
            "systems": [
                {"name": s.name, "model": s.model, "scaffold": s.scaffold, "tasks": len(s.items),
                 "samples": len(s.samples), "infra": len(s.infra), "unscored": s.unscored, "ends": dict(s.ends),
                 "missing": s.missing, "if_reviews_hold": s.reviewed,
                 "by_task": {id: [a.notes.get("outcome", str(a.verdict.status)) for a in some]
                             for id, some in s.by_task.items()}}
                for s in self.systems
            ],
            "rows": [asdict(line) for line in self.lines], "differences": [asdict(d) for d in self.differences],
            "frontier": [asdict(p) for p in self.purchases], "notes": self.notes,
            "published": None if self.published is None else asdict(self.published),
        }  # fmt: skip


def report(
    systems: Sequence[System], *, published: Published | None = None, measure: Measure | None = None,
    ks: Sequence[int] = KS, seed: int = 0,
) -> Report:  # fmt: skip
    """Figures of one or more systems; raises UnsorryError where two have one name, or nothing was measured."""
    if not systems:
        raise UnsorryError("nothing to report: name a run")
    names = [s.name for s in systems]
    if double := next((n for n in names if names.count(n) > 1), None):
        raise UnsorryError(f"two runs are called {double!r}: give them names with `bench run --name`")
    lines = [line for s in systems for line in _lines(s, ks, seed)]
    chosen = measure or _measure(lines)
    notes = [note for s in systems for note in _notes(s)]
    purchases: list[Purchase] = []
    try:
        purchases = _purchases(lines, chosen)
    except UnsorryError as error:
        notes.append(f"no frontier: {error}")
    return Report(list(systems), lines, _differences(systems, ks, seed), purchases, chosen, published, notes)


def cost_of(spend: Spend, measure: Measure) -> float | None:
    """In the unit of the axis; None is unknown."""
    value = getattr(spend, measure)
    return None if value is None else float(value) / SCALE[measure]


def _lines(system: System, ks: Sequence[int], seed: int) -> list[Line]:
    outcomes, tasks = system.outcomes, len(system.outcomes.counts)
    once = costs.per_pass(system.samples)
    found = []
    for k in ks:
        if k > system.least:
            continue
        low = high = None
        if int(outcomes.clusters.max()) > 0:
            interval = paired.pass_interval(outcomes, k, seed=seed)
            low, high = interval.low, interval.high
        stopping = costs.curve(system.samples, [k])[0].spend.times(tasks)
        found.append(Line(system.name, k, outcomes.mean(k), low, high, system.fraction(k), once.times(k), stopping))
    return found


def _measure(lines: Sequence[Line]) -> Measure:
    """Money where it is known of all and not always nothing, else time."""
    known = all(line.spend.money is not None for line in lines)
    return "money" if known and any(line.spend.money for line in lines) else "seconds"


def _purchases(lines: Sequence[Line], measure: Measure) -> list[Purchase]:
    curves: dict[str, list[Point]] = {}
    for line in lines:
        curves.setdefault(line.system, []).append(Point(line.k, line.score, line.spend))
    found: list[Purchase] = []
    for name, point in costs.frontier(curves, measure):
        cost = cost_of(point.spend, measure) or 0.0
        each = None
        if found and point.pass_at - found[-1].score > _STEADY:
            each = (cost - found[-1].cost) / (100 * (point.pass_at - found[-1].score))
        found.append(Purchase(name, point.k, cost, point.pass_at, each))
    return found


def buy(made: Report, *, budget: float | None = None, target: float | None = None) -> Purchase:
    """What to buy for a budget in the report's unit, or to reach a score in percent; raises UnsorryError if nothing."""
    if not made.purchases:
        raise UnsorryError("there is no frontier to buy from: costs are unknown")
    if budget is not None:
        fits = [p for p in made.purchases if p.cost <= budget]
        if not fits:
            least = min(p.cost for p in made.purchases)
            raise UnsorryError(f"nothing costs at most {budget:g} {made.unit}; the least is {least:.3g}")
        return max(fits, key=lambda p: p.score)
    if target is None:
        raise UnsorryError("give a budget, or a score to reach")
    fits = [p for p in made.purchases if 100 * p.score >= target - _STEADY]
    if not fits:
        top = max(made.purchases, key=lambda p: p.score)
        raise UnsorryError(f"nothing measured reaches {target:g} %; the highest is {100 * top.score:.1f} %")
    return min(fits, key=lambda p: p.cost)


def _differences(systems: Sequence[System], ks: Sequence[int], seed: int) -> list[Difference]:
    """Paired, over the tasks that both have: which problems were drawn is no noise of the difference."""
    first, found = systems[0], []
    for other in systems[1:]:
        both = set(first.outcomes.counts) & set(other.outcomes.counts)
        if len(both) < 2:
            continue
        sides = first.outcomes.only(both), other.outcomes.only(both)
        if int(sides[0].clusters.max()) == 0 or any(
            sides[0].counts[id].family != sides[1].counts[id].family for id in both
        ):
            continue
        for k in ks:
            if k <= min(first.least, other.least):
                d = paired.compare(*sides, k, seed=seed).difference
                found.append(Difference(other.name, first.name, k, d.value, d.low, d.high, len(both)))
    return found


def _notes(system: System) -> list[str]:
    notes = []
    tasks = len(system.items)
    if system.missing:
        notes.append(f"{system.name}: {len(system.missing)} of {tasks} tasks have no scored attempt and are in no "
                     f"figure, such as {system.missing[0]}")  # fmt: skip
    if system.unscored:
        notes.append(f"{system.name}: {system.unscored} attempts are not scored yet")
    if system.infra:
        spent = costs.spent(system.infra)
        money = "unknown" if spent.money is None else f"${spent.money:.4g}"
        notes.append(f"{system.name}: {len(system.infra)} attempts failed for reasons that say nothing of it; they are "
                     f"no samples; they cost {money}")  # fmt: skip
    review = system.ends.get("review", 0)
    if review:
        notes.append(f"{system.name}: {review} attempts need a reader (definitions of the right type that are not "
                     f"proved to be the pull request's) and count as not solved; pass@1 would be at most "
                     f"{100 * system.reviewed:.1f} % if all were right")  # fmt: skip
    families = len({i.family or i.id for i in system.items})
    if families < 2:
        notes.append(f"{system.name}: one pull request only: no interval can be told")
    return notes
