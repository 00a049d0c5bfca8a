"""Pre-registered gates: what a stage must show before the next one starts, fixed before anything is measured.

A gate is a frozen value that a recipe names.  It passes, fails, or is refused: a gate that these problems and samples
cannot decide is not passed, and says how large the noise is.  Shares are fractions (0.02 is 2 percentage points).
An impossible gate is a ValueError when it is made: a recipe's reader says where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy import stats

from unsorry import UnsorryError
from unsorry.evaluation import noise, paired
from unsorry.evaluation.outcomes import Outcomes

FEWEST_FAMILIES = 5  # an interval over fewer clusters says nothing, however it is made


@dataclass(frozen=True, slots=True)
class GateResult:
    """`text` is one line for the table's cell; `figures` hold what it was decided by."""

    passed: bool
    text: str
    figures: Mapping[str, float] = field(default_factory=dict)
    refused: bool = False  # it could not be decided, so it is not passed


@dataclass(frozen=True, slots=True)
class GainGate:
    """pass@k rose by at least the larger of `noise_multiple` standard deviations of noise and `minimum_gain`.

    The noise is that of the same model measured twice on these problems (`noise.same_model_twice` of the side before).
    With a `level` the rise must be significant too, in a paired bootstrap over families with one or two sides.
    `level = None` asks for the size of the rise alone; at one standard deviation 16 % of unchanged models show it.
    """

    k: int = 8
    n: int = 32  # samples of every problem, on both sides
    noise_multiple: float = 1.0
    minimum_gain: float | None = None
    level: float | None = 0.95
    sides: Literal[1, 2] = 1
    seed: int = 0

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012  an unknown key in a recipe is an error

    def __post_init__(self) -> None:
        _check(self.k, self.n, self.level)
        if self.noise_multiple < 0 or (self.minimum_gain is not None and not 0 <= self.minimum_gain < 1):
            raise ValueError("a gain gate asks for a rise: noise_multiple and minimum_gain are 0 or more, below 1")

    def require_resolvable(self, before: Outcomes) -> noise.Noise:
        """The noise; raises UnsorryError if n samples of these problems cannot show the gain asked for."""
        spread = _noise(before, self.k, self.n)
        if self.minimum_gain:
            _require(before, spread, self.minimum_gain, "a gain")
        return spread

    def decide(self, before: Outcomes, after: Outcomes) -> GateResult:
        try:
            _require_samples(self.n, before, after)
            spread = self.require_resolvable(before)
            found = paired.compare(before, after, self.k, level=self.level or 0.95, seed=self.seed)
        except UnsorryError as error:
            return _refused(error)
        asked = max(self.noise_multiple * spread.paired, self.minimum_gain or 0.0)
        p = found.p("greater" if self.sides == 1 else "two-sided")
        significant = self.level is None or p <= 1 - self.level
        passed = found.difference.value >= asked and found.difference.value > 0 and significant
        text = f"{_difference(found)}, p = {_p(p)}; asked {100 * asked:+.1f} pp ({_size(found, spread)})"
        return GateResult(passed, text, {**_figures(found, spread), "p": p, "asked": asked})


@dataclass(frozen=True, slots=True)
class NonInferiorityGate:
    """pass@k is not lower than before by `margin` or more: for guard sets, and for "pass@32 restored".

    The one-sided bound of the paired bootstrap must lie above -margin.  Without a `margin` it is `noise_multiple`
    standard deviations of noise (3: an unchanged model passes in 9 of 10 cases).
    """

    k: int = 32
    n: int = 64
    margin: float | None = None
    noise_multiple: float = 3.0
    level: float = 0.95
    word: str = "not worse"  # "restored", "guard"
    seed: int = 0

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012

    def __post_init__(self) -> None:
        _check(self.k, self.n, self.level)
        if self.margin is not None and not 0 < self.margin < 1:
            raise ValueError(f"the margin of a non-inferiority gate is between 0 and 1, got {self.margin}")
        if self.noise_multiple <= 0:
            raise ValueError(f"the noise_multiple of a margin is above 0, got {self.noise_multiple}")

    def require_resolvable(self, reference: Outcomes) -> noise.Noise:
        """The noise; raises UnsorryError if n samples of these problems cannot exclude a loss of the margin."""
        spread = _noise(reference, self.k, self.n)
        allowed = self.noise_multiple * spread.paired if self.margin is None else self.margin
        _require(reference, spread, allowed, "a loss")
        return spread

    def decide(self, reference: Outcomes, after: Outcomes) -> GateResult:
        try:
            _require_samples(self.n, reference, after)
            spread = self.require_resolvable(reference)
            margin = self.noise_multiple * spread.paired if self.margin is None else self.margin
            found = paired.compare(reference, after, self.k, margin=-margin, level=self.level, seed=self.seed)
        except UnsorryError as error:
            return _refused(error)
        passed = found.p_greater <= 1 - self.level
        text = (
            f"{self.word}: {_difference(found)}, p = {_p(found.p_greater)} of a loss of {100 * margin:.1f} pp "
            f"({_size(found, spread)})"
        )
        return GateResult(passed, text, {**_figures(found, spread), "p": found.p_greater, "margin": margin})


@dataclass(frozen=True, slots=True)
class PublishedGate:
    """Our pass@k agrees with a published figure within what sampling explains, two-sided at `level`.

    The variance of the difference is the published side's p(1-p)/N, which holds its sampling and its problems, plus
    that of our mean over families.  With `same_problems` both sides measured the very same problems, which then are no
    noise: only sampling within them is, ours and theirs (`published_samples` a problem, by default our n).
    `tolerance` is the difference that must not stay unseen: a set too small to see it refuses the gate.
    """

    published: float
    k: int
    n: int
    problems: int  # that the figure was measured on
    published_samples: int | None = None
    same_problems: bool = False
    level: float = 0.95
    tolerance: float = 0.10

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012

    def __post_init__(self) -> None:
        _check(self.k, self.n, self.level)
        if not 0 <= self.published <= 1 or self.problems < 1:
            raise ValueError(f"a published figure is a share of 1 (0.846, not 84.6), got {self.published}")
        if self.published_samples is not None and self.published_samples < self.k:
            raise ValueError(f"a published pass@{self.k} needs {self.k} samples or more")

    def decide(self, ours: Outcomes) -> GateResult:
        try:
            _require_samples(self.n, ours)
            value = ours.mean(self.k)
            within = noise.same_model_twice(ours, self.k).single
            theirs = noise.same_model_twice(ours, self.k, samples=self.published_samples or self.n).single
            binomial = float(np.sqrt(self.published * (1 - self.published) / self.problems))
            family = ours.standard_error(self.k)
            sd = float(np.hypot(within, theirs) if self.same_problems else np.hypot(binomial, family))
            width = float(stats.norm.ppf((1 + self.level) / 2)) * sd
            if width > self.tolerance:
                raise UnsorryError(
                    f"the noise of this comparison is {100 * sd:.1f} pp, so a difference below {100 * width:.1f} pp "
                    f"would pass; {100 * self.tolerance:.1f} pp must not: measure more problems"
                )
        except UnsorryError as error:
            return _refused(error)
        difference = value - self.published
        text = (
            f"pass@{self.k} {100 * value:.1f} % against {100 * self.published:.1f} % published: "
            f"{100 * difference:+.1f} pp, noise {100 * sd:.1f} pp, allowed {100 * width:.1f} pp "
            f"(N = {len(ours.counts)}, n = {self.n})"
        )
        figures = {
            "value": value,
            "difference": difference,
            "sd": sd,
            "allowed": width,
            "binomial": binomial,
            "family": family,
            "within": within,
            "z": difference / sd if sd else float("inf") * np.sign(difference) if difference else 0.0,
        }
        return GateResult(abs(difference) <= width, text, figures)


def all_of(results: Sequence[GateResult]) -> GateResult:
    """Passed if all are; the figures of the i-th gate (from 1) are prefixed `i.`."""
    figures = {f"{i}.{name}": x for i, r in enumerate(results, 1) for name, x in r.figures.items()}
    text = "; ".join(r.text if r.refused else f"{_word(r)}: {r.text}" for r in results)
    return GateResult(all(r.passed for r in results), text, figures, any(r.refused for r in results))


def _check(k: int, n: int, level: float | None) -> None:
    if not 1 <= k <= n:
        raise ValueError(f"a gate on pass@{k} needs n >= k >= 1, got n = {n}")
    if level is not None and not 0.5 < level < 1:
        raise ValueError(f"the level of a gate is between 0.5 and 1 (0.95), got {level}")


def _noise(outcomes: Outcomes, k: int, n: int) -> noise.Noise:
    families = int(outcomes.clusters.max()) + 1
    if families < FEWEST_FAMILIES:
        raise UnsorryError(
            f"a gate needs problems of at least {FEWEST_FAMILIES} families, the set has {families}: its interval "
            "would say nothing"
        )
    return noise.same_model_twice(outcomes, k, samples=n)


def _require(outcomes: Outcomes, spread: noise.Noise, asked: float, what: str) -> None:
    if asked >= spread.resolution:
        return
    enough = noise.samples_to_resolve(outcomes, spread.k, asked)
    advice = f"use n = {enough}" if enough else "no n up to 1024 is enough: use more problems"
    raise UnsorryError(
        f"{what} of {100 * asked:.1f} pp in pass@{spread.k} cannot be resolved with n = {spread.samples} on "
        f"{spread.problems} problems: the same model twice differs by {100 * spread.paired:.2f} pp (one standard "
        f"deviation), which resolves {100 * spread.resolution:.1f} pp; {advice}"
    )


def _require_samples(n: int, *sides: Outcomes) -> None:
    for side in sides:
        other = [(p, c.samples) for p, c in side.counts.items() if c.samples != n]
        if other:
            raise UnsorryError(
                f"the gate was registered with n = {n} samples a problem; {len(other)} of {len(side.counts)} problems "
                f"have another number ({other[0][0]}: {other[0][1]})"
            )


def _refused(error: UnsorryError) -> GateResult:
    return GateResult(False, f"refused: {error}", {}, refused=True)


def _word(result: GateResult) -> str:
    return "passed" if result.passed else "failed"


def _difference(found: paired.Paired) -> str:
    d = found.difference
    return f"pass@{found.k} {100 * d.value:+.1f} pp [{100 * d.low:+.1f}, {100 * d.high:+.1f}]"


def _size(found: paired.Paired, spread: noise.Noise) -> str:
    d = found.difference
    return f"noise {100 * spread.paired:.1f} pp, N = {d.problems} in {d.clusters} families, n = {spread.samples}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _figures(found: paired.Paired, spread: noise.Noise) -> dict[str, float]:
    d = found.difference
    return {
        "before": found.before,
        "after": found.after,
        "difference": d.value,
        "low": d.low,
        "high": d.high,
        "standard_error": d.standard_error,
        "noise": spread.paired,
        "problems": d.problems,
        "families": d.clusters,
    }
