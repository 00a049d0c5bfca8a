"""How likely a problem is to be solved, from solve counts of several rounds: a Beta posterior, not a flag."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from scipy import optimize, special

from unsorry import UnsorryError
from unsorry.evaluation.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class Band:
    """Solve rates worth training on: `low` < rate <= `high`."""

    low: float = 0.0
    high: float = 0.75

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012  an unknown key in a recipe is an error

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise ValueError(f"a band needs 0 <= low < high <= 1, got {self.low} and {self.high}")

    def holds(self, samples: int, correct: int) -> bool:
        """The plain band on observed counts; false of a problem that was not sampled."""
        return samples > 0 and self.low * samples < correct <= self.high * samples

    def pass_probability(self, rate: float, samples: int) -> float:
        """Chance that a problem of this true solve rate is found in the plain band with so many samples."""
        held = (c for c in range(samples + 1) if self.holds(samples, c))
        return sum(comb(samples, c) * rate**c * (1 - rate) ** (samples - c) for c in held)


@dataclass(frozen=True, slots=True)
class Beta:
    """Beta(a, b) over a solve rate.  The default is Jeffreys' prior."""

    a: float = 0.5
    b: float = 0.5

    def __post_init__(self) -> None:
        if not (self.a > 0 and self.b > 0):
            raise UnsorryError(f"a Beta distribution needs a > 0 and b > 0, got {self.a} and {self.b}")

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    def update(self, samples: int, correct: int) -> Beta:
        """After `correct` of `samples` more."""
        if not 0 <= correct <= samples:
            raise UnsorryError(f"impossible count: {correct} correct of {samples} samples")
        return Beta(self.a + correct, self.b + samples - correct)

    def in_band(self, band: Band) -> float:
        """Probability that the true rate is in the band.

        A continuous posterior gives the rate 0 itself no mass, so with `low` = 0 a problem that was never solved is in
        the band almost surely; a `low` of 1/64, say, or `mixed`, asks for problems that are solved now and then.
        """
        return float(special.betainc(self.a, self.b, band.high) - special.betainc(self.a, self.b, band.low))

    def mixed(self, group: int) -> float:
        """Probability that the next `group` samples are neither all correct nor all wrong: that they can teach RL."""
        none = special.betaln(self.a, self.b + group) - special.betaln(self.a, self.b)
        every = special.betaln(self.a + group, self.b) - special.betaln(self.a, self.b)
        return float(max(0.0, 1.0 - np.exp(none) - np.exp(every)))


@dataclass(frozen=True, slots=True)
class Round:
    """Counts of one problem in one round of rollouts by one policy."""

    name: str
    samples: int
    correct: int


@dataclass(frozen=True, slots=True)
class SolveHistory:
    """Everything that was counted of one problem, oldest round first."""

    problem: str
    rounds: tuple[Round, ...] = ()

    def add(self, name: str, samples: int, correct: int) -> SolveHistory:
        """With one more round; a round that is there already is replaced, so that a resumed stage counts once."""
        if not 0 <= correct <= samples:
            raise UnsorryError(f"impossible count: {correct} correct of {samples} samples")
        kept = tuple(r for r in self.rounds if r.name != name)
        return SolveHistory(self.problem, (*kept, Round(name, samples, correct)))

    def posterior(self, prior: Beta | None = None, *, decay: float = 1.0) -> Beta:
        """Beta posterior of the present solve rate.

        The policy moves between rounds: counts of a round that is i rounds old weigh `decay`**i.
        """
        if not 0 < decay <= 1:
            raise UnsorryError(f"decay must be above 0 and at most 1, got {decay}")
        prior = prior or Beta()
        a, b = prior.a, prior.b
        for age, counted in enumerate(reversed(self.rounds)):
            a += counted.correct * decay**age
            b += (counted.samples - counted.correct) * decay**age
        return Beta(a, b)

    def totals(self) -> tuple[int, int]:
        """(samples, correct) of all rounds."""
        return sum(r.samples for r in self.rounds), sum(r.correct for r in self.rounds)


def record(histories: Mapping[str, SolveHistory], name: str, outcomes: Outcomes) -> dict[str, SolveHistory]:
    """The histories with a round added; problems that were not sampled in it stay as they are."""
    updated = dict(histories)
    for problem, count in outcomes.counts.items():
        if count.samples:
            updated[problem] = updated.get(problem, SolveHistory(problem)).add(name, count.samples, count.correct)
    return updated


def fit(counts: Iterable[tuple[int, int]]) -> Beta:
    """The Beta(a, b) that makes (samples, correct) counts most likely as Beta-binomial: the spread of solve rates.

    Maximum likelihood over log a and log b, kept within [0.01, 100]: at the limits problems are all alike.
    Raises UnsorryError if nothing was sampled.
    """
    pairs = [(n, c) for n, c in counts if n > 0]
    if not pairs:
        raise UnsorryError("no samples to fit a spread of solve rates to")
    distinct, weight = np.unique(np.array(pairs), axis=0, return_counts=True)
    n, c = distinct[:, 0], distinct[:, 1]

    def loss(log_ab: np.ndarray[Any, np.dtype[np.float64]]) -> float:
        a, b = np.exp(log_ab)
        return -float((weight * (special.betaln(a + c, b + n - c) - special.betaln(a, b))).sum())

    limits = (np.log(0.01), np.log(100.0))
    starts = [np.log([0.3, 0.3]), np.log([1.0, 1.0]), np.log([0.2, 2.0])]
    found = min((optimize.minimize(loss, s, bounds=[limits, limits]) for s in starts), key=lambda r: float(r.fun))
    a, b = np.exp(found.x)
    return Beta(float(a), float(b))


def to_json(histories: Mapping[str, SolveHistory]) -> dict[str, Any]:
    """The stored form: problem -> [[round, samples, correct], ...]."""
    return {p: [[r.name, r.samples, r.correct] for r in h.rounds] for p, h in histories.items()}


def from_json(raw: Mapping[str, Any]) -> dict[str, SolveHistory]:
    """The inverse of `to_json`; raises UnsorryError on anything else."""
    try:
        return {p: SolveHistory(p, tuple(Round(*entry) for entry in rounds)) for p, rounds in raw.items()}
    except (TypeError, AttributeError) as error:
        raise UnsorryError(f"not stored solve histories ({error!r}); run the pool stage again") from None
