"""What a set of attempts says: counts by family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unsorry import Attempt, Problem, Status
from unsorry.scaffolds import REFUTED


@dataclass(frozen=True, slots=True)
class Row:
    """Counts of problems; a problem counts by its best attempt.  `refuted` problems are among the `rejected`."""

    family: str
    problems: int
    accepted: int
    rejected: int
    undecided: int
    refuted: int
    seconds: float  # of all attempts, added up


def best(attempts: Iterable[Attempt]) -> dict[str, Attempt]:
    """For each problem its best attempt: accepted before rejected before undecided, the first among equals."""
    order = {Status.ACCEPTED: 0, Status.REJECTED: 1, Status.UNDECIDED: 2}
    found: dict[str, Attempt] = {}
    for attempt in attempts:
        now = found.get(attempt.problem)
        if now is None or order[attempt.verdict.status] < order[now.verdict.status]:
            found[attempt.problem] = attempt
    return found


def summarise(problems: Sequence[Problem], attempts: Sequence[Attempt]) -> list[Row]:
    """One row a family in order of appearance, then the total (family ""); a problem without attempt is undecided."""
    chosen = best(attempts)
    spent: dict[str, float] = {}
    for attempt in attempts:
        spent[attempt.problem] = spent.get(attempt.problem, 0.0) + attempt.cost.seconds
    families = list(dict.fromkeys(p.family for p in problems))
    groups = [(f or "(none)", [p for p in problems if p.family == f]) for f in families]
    return [_row(name, members, chosen, spent) for name, members in [*groups, ("", list(problems))]]


def _row(name: str, members: Sequence[Problem], chosen: dict[str, Attempt], spent: dict[str, float]) -> Row:
    verdicts = [chosen[p.id].verdict for p in members if p.id in chosen]
    accepted = sum(v.status is Status.ACCEPTED for v in verdicts)
    rejected = sum(v.status is Status.REJECTED for v in verdicts)
    return Row(
        name,
        len(members),
        accepted,
        rejected,
        len(members) - accepted - rejected,
        sum(v.reason == REFUTED for v in verdicts),
        sum(spent.get(p.id, 0.0) for p in members),
    )
