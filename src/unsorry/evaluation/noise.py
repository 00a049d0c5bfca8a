"""How much pass@k moves when nothing changed: the noise that a gain has to rise above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

from unsorry import UnsorryError
from unsorry.evaluation.outcomes import Floats, Ints, Outcomes
from unsorry.evaluation.passk import pass_at_k
from unsorry.evaluation.posterior import Beta, fit

HALF_WIDTH = float(stats.norm.ppf(0.975))  # standard deviations of noise in half a two-sided 95 % interval


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations of the difference of two measurements of one model, as shares (0.01 is 1 pp)."""

    paired: float  # both on the same problems: only sampling within problems differs
    unpaired: float  # each on its own problems from the same population
    single: float  # of one measurement on fixed problems: paired / sqrt(2)
    k: int
    samples: int  # least number a problem
    problems: int

    @property
    def resolution(self) -> float:
        """The smallest difference that lies outside the 95 % noise of a paired comparison: 1.96 x `paired`."""
        return HALF_WIDTH * self.paired


def same_model_twice(
    outcomes: Outcomes,
    k: int,
    *,
    samples: int | None = None,
    prior: Beta | None = None,
    simulations: int = 100,
    seed: int = 0,
) -> Noise:
    """Noise of pass@k on these problems with `samples` a problem (default: as many as were drawn), by simulation.

    Beta-binomial: the spread of solve rates is fitted to the counts (`posterior.fit`) unless a prior is given; each
    simulation draws a rate of each problem from its posterior and two measurements with that rate.  Problems are
    independent given their rates, so the squares of single problems' differences are averaged: with N problems the
    relative error is about 1 / sqrt(N * simulations).  Raises UnsorryError where samples < k.
    """
    n, c = outcomes.samples, outcomes.correct
    spread = prior or fit(zip(n.tolist(), c.tolist(), strict=True))
    rng = np.random.default_rng(seed)
    rates = rng.beta(spread.a + c, spread.b + n - c, size=(simulations, len(n)))
    draws = n if samples is None else np.full(len(n), samples, dtype=np.int64)
    return _noise(rates, draws, k, rng)


def of_rates(rates: Floats, samples: int, k: int, *, simulations: int = 100, seed: int = 0) -> Noise:
    """As `same_model_twice` for problems whose true solve rates [N] are known."""
    tiled = np.broadcast_to(rates, (simulations, len(rates)))
    return _noise(tiled, np.full(len(rates), samples, dtype=np.int64), k, np.random.default_rng(seed))


def samples_to_resolve(outcomes: Outcomes, k: int, difference: float, *, limit: int = 1024) -> int | None:
    """The smallest n = k, 2k, 4k, ... <= limit with which these problems resolve the difference; None if none does."""
    n = k
    while n <= limit:
        if same_model_twice(outcomes, k, samples=n).resolution <= difference:
            return n
        n *= 2
    return None


def power(
    spread: Beta,
    *,
    problems: int,
    samples: int,
    k: int,
    gain: float,
    level: float = 0.95,
    simulations: int = 400,
    resamples: int = 1000,
    seed: int = 0,
) -> float:
    """Chance that a one-sided paired bootstrap at `level` sees a true pass@k gain, with problems of these solve rates.

    The better model's rates are the old ones shifted by a constant on the log-odds scale, so that problems in the
    middle gain most and hopeless ones nothing.  All simulations share one set of resamples.
    """
    rng = np.random.default_rng(seed)
    old = rng.beta(spread.a, spread.b, size=(simulations, problems))
    new = _moved(old, _shift(spread, k, gain))
    table = _table(samples, k)
    difference = table[rng.binomial(samples, new)] - table[rng.binomial(samples, old)]
    weights = rng.multinomial(problems, np.full(problems, 1 / problems), size=resamples) / problems
    means = weights @ difference.T  # [resamples, simulations]
    return float(((means <= 0).mean(axis=0) <= 1 - level).mean())


def _noise(rates: Floats, samples: Ints, k: int, rng: np.random.Generator) -> Noise:
    """From rates [simulations, N] and samples [N]."""
    if int(samples.min()) < k:
        raise UnsorryError(f"pass@{k} needs at least {k} samples of every problem; the least is {int(samples.min())}")
    first, second = np.empty(rates.shape), np.empty(rates.shape)
    for n in np.unique(samples):
        at = samples == n
        table = _table(int(n), k)
        first[:, at] = table[rng.binomial(n, rates[:, at])]
        second[:, at] = table[rng.binomial(n, rates[:, at])]
    problems = len(samples)
    within = float(np.square(first - second).mean())  # mean over problems of the variance of the difference
    total = float(np.var(np.stack([first, second])))  # of one estimate, problems included
    paired = np.sqrt(within / problems)
    return Noise(
        float(paired),
        float(np.sqrt(2 * total / problems)),
        float(paired / np.sqrt(2)),
        k,
        int(samples.min()),
        problems,
    )


def _table(samples: int, k: int) -> Floats:
    """pass@k for 0 .. samples correct."""
    return np.array([pass_at_k(samples, c, k) for c in range(samples + 1)])


def _shift(spread: Beta, k: int, gain: float) -> float:
    """The constant log-odds shift that raises the mean true pass@k, 1 - (1-p)^k, of Beta rates by `gain`."""
    rates = special.betaincinv(spread.a, spread.b, (np.arange(4000) + 0.5) / 4000)

    def rise(shift: float) -> float:
        return float((1 - (1 - _moved(rates, shift)) ** k).mean() - (1 - (1 - rates) ** k).mean())

    low, high = -30.0, 30.0
    if not rise(low) <= gain <= rise(high):
        raise UnsorryError(f"no shift of these solve rates changes pass@{k} by {100 * gain:+.1f} pp")
    return float(optimize.brentq(lambda shift: rise(shift) - gain, low, high))


def _moved(rates: Floats, shift: float) -> Floats:
    return np.asarray(special.expit(special.logit(rates) + shift), dtype=np.float64)
