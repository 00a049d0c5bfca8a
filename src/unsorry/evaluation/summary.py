"""What a set of attempts says: counts by family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unsorry import Attempt, Problem, Status
from unsorry.scaffolds import REFUTED
from unsorry.scaffolds.prove_or_disprove import disproves, proves


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
    """For each problem its best attempt: proved, refuted, rejected, undecided, in that order; the first of equals."""
    found: dict[str, Attempt] = {}
    for attempt in attempts:
        now = found.get(attempt.problem)
        if now is None or _rank(attempt) < _rank(now):
            found[attempt.problem] = attempt
    return found


def refutes(attempt: Attempt) -> bool:
    """Whether the judge accepted that the problem is false: a disproof, or a counterexample."""
    return disproves(attempt) or attempt.verdict.reason == REFUTED


def _rank(attempt: Attempt) -> int:
    if proves(attempt):
        return 0
    if refutes(attempt):
        return 1
    return 2 if attempt.verdict.status is Status.REJECTED else 3


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
    ranks = [_rank(chosen[p.id]) for p in members if p.id in chosen]
    accepted, refuted, rejected = ranks.count(0), ranks.count(1), ranks.count(1) + ranks.count(2)
    return Row(
        name,
        len(members),
        accepted,
        rejected,
        len(members) - accepted - rejected,
        refuted,
        sum(spent.get(p.id, 0.0) for p in members),
    )
