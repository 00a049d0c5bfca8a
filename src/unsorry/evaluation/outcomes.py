"""Solve counts of a set of problems, and the pass@k that they estimate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unsorry import Attempt, Problem, Status, UnsorryError
from unsorry.canonical import json_digest
from unsorry.evaluation.passk import pass_at_k
from unsorry.scaffolds.prove_or_disprove import proves

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Count:
    """What was seen of one problem.  `undecided` samples are among those not correct: nobody proved anything."""

    samples: int
    correct: int
    family: str = ""
    undecided: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.correct <= self.samples and 0 <= self.undecided <= self.samples - self.correct):
            raise UnsorryError(
                f"impossible count: {self.correct} correct and {self.undecided} undecided of {self.samples} samples"
            )


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Problem id -> count, in the order of the problem set.

    `draws` names the samples that were counted (see `draw_id`): two Outcomes that share a draw are not independent.
    Problems of one family are one cluster in every statistic; a problem without a family is a cluster of its own.
    """

    counts: Mapping[str, Count]
    draws: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not self.counts:
            raise UnsorryError("no problems to count: the problem set is empty")

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(self.counts)

    @property
    def samples(self) -> Ints:
        """Samples of each problem, int64 [N]."""
        return np.array([c.samples for c in self.counts.values()], dtype=np.int64)

    @property
    def correct(self) -> Ints:
        """Correct samples of each problem, int64 [N]."""
        return np.array([c.correct for c in self.counts.values()], dtype=np.int64)

    @property
    def undecided_share(self) -> float:
        """Share of all samples that the judge could not decide; they count as not correct."""
        total = sum(c.samples for c in self.counts.values())
        return sum(c.undecided for c in self.counts.values()) / total if total else 0.0

    @property
    def clusters(self) -> Ints:
        """Cluster number of each problem, int64 [N], 0 .. G-1 in order of appearance."""
        numbers: dict[tuple[str, str], int] = {}
        keys = [(c.family, "" if c.family else name) for name, c in self.counts.items()]
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)

    def pass_at(self, k: int) -> Floats:
        """Unbiased pass@k of each problem, float64 [N]; NaN where a problem has fewer than k samples."""
        pairs = [(c.samples, c.correct) for c in self.counts.values()]
        known = {(n, c): pass_at_k(n, c, k) if n >= k else float("nan") for n, c in set(pairs)}
        return np.array([known[pair] for pair in pairs])

    def defined_at(self, k: int) -> Floats:
        """As `pass_at`; raises UnsorryError where it would hold NaN, which a mean must not pass over in silence."""
        values = self.pass_at(k)
        short = int(np.isnan(values).sum())
        if short:
            raise UnsorryError(
                f"pass@{k} needs at least {k} samples of every problem: {short} of {len(values)} problems have fewer "
                f"(least {int(self.samples.min())}); sample more or report a smaller k"
            )
        return values

    def mean(self, k: int) -> float:
        """Mean pass@k over problems; raises UnsorryError where a problem has fewer than k samples."""
        return float(self.defined_at(k).mean())

    def standard_error(self, k: int) -> float:
        """Of `mean`, over a population of families: sampling within problems and choice of problems both count."""
        return clustered_standard_error(self.defined_at(k), self.clusters)

    def only(self, problems: Iterable[str]) -> Outcomes:
        """Restricted to these problems."""
        wanted = set(problems)
        return Outcomes({p: c for p, c in self.counts.items() if p in wanted}, self.draws)


def clustered_standard_error(values: Floats, clusters: Ints) -> float:
    """Standard error of the mean of `values` [N] when problems of one cluster are not independent.

    sqrt(G/(G-1) * sum over clusters of (sum of deviations)^2) / N: arXiv 2411.00640 equation 4 with the finite
    correction for G clusters; with clusters of one it is the usual s / sqrt(N).  Raises UnsorryError if G < 2.
    """
    sums = np.bincount(clusters, weights=values - values.mean())
    if len(sums) < 2:
        raise UnsorryError("a standard error over families needs at least 2 families; the set has 1")
    return float(np.sqrt(len(sums) / (len(sums) - 1) * np.square(sums).sum()) / len(values))


def draw_id(attempt: Attempt) -> str:
    """Names the draw that a sample came from: problem, prover, weights, scaffold and seed."""
    weights = attempt.turns[0].model if attempt.turns else ""
    return json_digest([attempt.problem, attempt.prover, weights, attempt.scaffold, attempt.seed])[:16]


def from_attempts(
    problems: Sequence[Problem], attempts: Iterable[Attempt], *, draws: Iterable[str] | None = None
) -> Outcomes:
    """Counts of the attempts at these problems; a problem without attempts has 0 samples and is not dropped.

    `draws` overrides the names of the draws, for callers that split the samples of one seed.  Raises UnsorryError on
    an attempt at another problem, or on two problems of the same id.
    """
    seen: dict[str, list[Attempt]] = {p.id: [] for p in problems}
    if len(seen) != len(problems):
        raise UnsorryError("two problems of the set have the same id; ids name the pairs of a comparison")
    for attempt in attempts:
        if attempt.problem not in seen:
            raise UnsorryError(f"an attempt at {attempt.problem}, which is not in the problem set")
        seen[attempt.problem].append(attempt)
    counts = {p.id: _count(seen[p.id], p.family) for p in problems}
    names = (draw_id(a) for tried in seen.values() for a in tried) if draws is None else draws
    return Outcomes(counts, frozenset(names))


def _count(attempts: Sequence[Attempt], family: str) -> Count:
    """An accepted disproof is a sample that is not correct: the statement was not proved."""
    undecided = sum(a.verdict.status is Status.UNDECIDED for a in attempts)
    return Count(len(attempts), sum(map(proves, attempts)), family, undecided)


def pool(*parts: Outcomes) -> Outcomes:
    """Counts of disjoint draws added up, problem by problem; raises UnsorryError if two parts share a draw."""
    counts: dict[str, Count] = {}
    draws: frozenset[str] = frozenset()
    for part in parts:
        if draws & part.draws:
            raise UnsorryError("the same draw would be counted twice; pool only samples of different seeds")
        draws |= part.draws
        for name, new in part.counts.items():
            old = counts.get(name, Count(0, 0, new.family))
            if old.family != new.family:
                raise UnsorryError(f"problem {name} is of family {old.family!r} in one part, {new.family!r} in another")
            counts[name] = Count(
                old.samples + new.samples, old.correct + new.correct, new.family, old.undecided + new.undecided
            )
    return Outcomes(counts, draws)


def to_json(outcomes: Outcomes) -> dict[str, Any]:
    """The stored form: `counts` holds [samples, correct, undecided, family] a problem."""
    counts = {p: [c.samples, c.correct, c.undecided, c.family] for p, c in outcomes.counts.items()}
    return {"format": 1, "counts": counts, "draws": sorted(outcomes.draws)}


def from_json(raw: Mapping[str, Any]) -> Outcomes:
    """The inverse of `to_json`; raises UnsorryError on anything else."""
    try:
        counts = {p: Count(n, c, family, undecided) for p, (n, c, undecided, family) in raw["counts"].items()}
        return Outcomes(counts, frozenset(raw["draws"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnsorryError(f"not stored solve counts ({error!r}); measure again") from None
