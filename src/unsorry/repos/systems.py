"""What was measured: the attempts of one run, as a table counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

from unsorry import Attempt, UnsorryError
from unsorry.evaluation import attempts as store
from unsorry.evaluation.outcomes import Count, Outcomes
from unsorry.repos.runs import Run, current
from unsorry.repos.scores import OUTCOMES, fraction, outcome
from unsorry.repos.scoring import scored
from unsorry.repos.sources import Item
from unsorry.scaffolds.prove_or_disprove import proves


@dataclass(frozen=True, slots=True)
class System:
    """`samples` are the attempts that count, `infra` those that failed for reasons of ours."""

    name: str
    model: str
    scaffold: str
    items: tuple[Item, ...]
    samples: tuple[Attempt, ...]
    infra: tuple[Attempt, ...] = ()
    unscored: int = 0

    @property
    def by_task(self) -> Mapping[str, list[Attempt]]:
        found: dict[str, list[Attempt]] = {item.id: [] for item in self.items}
        for attempt in self.samples:
            found[attempt.problem].append(attempt)
        return found

    @property
    def missing(self) -> list[str]:
        """Tasks without a sample: they are in no figure, and are told."""
        return [id for id, some in self.by_task.items() if not some]

    @property
    def counted(self) -> tuple[Attempt, ...]:
        """The samples of the tasks that have any."""
        return self.samples

    @property
    def least(self) -> int:
        """Samples of the task that has fewest, of those that have any."""
        return min((len(some) for some in self.by_task.values() if some), default=0)

    @property
    def outcomes(self) -> Outcomes:
        """Solve counts; the modes of one pull request are one family."""
        families = {item.id: item.family for item in self.items}
        return Outcomes({
            id: Count(len(some), sum(map(proves, some)), families[id],
                      sum(outcome(a) in ("undecided", "review") and not proves(a) for a in some))
            for id, some in self.by_task.items() if some
        })  # fmt: skip

    @property
    def ends(self) -> Mapping[str, int]:
        """How many attempts ended in each way, those of ours that failed among them."""
        found = Counter(outcome(a) for a in (*self.samples, *self.infra))
        return {name: found[name] for name in OUTCOMES if found[name]}

    def fraction(self, k: int) -> float:
        """Mean over tasks of the expected best share of obligations met in k attempts."""
        tasks = [[fraction(a) for a in some] for some in self.by_task.values() if some]
        return sum(expected_best(values, k) for values in tasks) / len(tasks)

    @property
    def reviewed(self) -> float:
        """pass@1 if everything that is to be read turned out to be right: no more than this."""
        tasks = [[proves(a) or outcome(a) == "review" for a in some] for some in self.by_task.values() if some]
        return sum(sum(some) / len(some) for some in tasks) / len(tasks)


def expected_best(values: Sequence[float], k: int) -> float:
    """Unbiased estimate of the mean of the best of k draws: over all subsets of k; raises ValueError if k > n."""
    n = len(values)
    if not 1 <= k <= n:
        raise ValueError(f"the best of {k} needs as many values, got {n}")
    ordered = sorted(values)
    return sum(x * comb(i, k - 1) for i, x in enumerate(ordered) if i >= k - 1) / comb(n, k)


def load(path: Path) -> System:
    """A run's folder, or the attempts that `unsorry eval` wrote; raises UnsorryError."""
    if path.is_file():
        return _evaluated(path)
    plan, items = Run(path).load()
    known = {item.id for item in items}
    found = [a for a in scored(path) if a.problem in known]
    samples = tuple(a for a in found if outcome(a) != "infra")
    infra = tuple(a for a in found if outcome(a) == "infra")
    have = {str(a.notes.get("key", "")) for a in found}
    waiting = {str(a.notes.get("key", "")) for a in current(plan, store.read(Run(path).attempts))} - have
    if not samples:
        why = f"{len(waiting)} wait for `unsorry bench score {path}`" if waiting else "it has none"
        raise UnsorryError(f"{path} has no scored attempt: {why}")
    return System(plan.title, plan.model, f"agent:{plan.profile}", items, samples, infra, len(waiting))


def _evaluated(path: Path) -> System:
    """Of each problem, seed and setting the first attempt: `eval` makes others only where it failed."""
    first: dict[object, Attempt] = {}
    for number, attempt in enumerate(store.read(path)):
        first.setdefault(attempt.notes.get("key", number), attempt)
    found = list(first.values())
    if not found:
        raise UnsorryError(f"{path} holds no attempts")
    items = tuple(Item(id, "") for id in dict.fromkeys(a.problem for a in found))
    samples = tuple(a for a in found if outcome(a) != "infra")
    infra = tuple(a for a in found if outcome(a) == "infra")
    name = path.stem if len({a.prover for a in found}) > 1 else found[0].prover
    return System(name, found[0].prover, found[0].scaffold, items, samples, infra)
