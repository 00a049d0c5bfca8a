"""When to stop a reinforcement-learning run and roll it back: one pure function of the metrics so far."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from unsorry import UnsorryError


class Wire(StrEnum):
    NON_FINITE = "non_finite"  # NaN or infinite loss, gradient, log-probability
    CANARY = "canary"  # the judge accepted a proof of something false
    KL = "kl"  # the policy and the sampler drifted apart
    RATIO = "ratio"  # the mean of pi/pi_sampler is not 1: the two do not compute the same distribution
    ENTROPY = "entropy"  # collapse
    LENGTH = "length"  # blow-up, or most completions cut off
    FORMAT_ONLY = "format_only"  # the reward comes from form, not from proofs
    HELD_OUT = "held_out"  # reward up while held-out pass@k is down


@dataclass(frozen=True, slots=True)
class StepMetrics:
    """One optimiser step.  NaN or None is "not measured"; loss and gradient norm are always measured.

    `kl` (k3) and `mean_ratio` are against the sampler, `entropy` and `kl` in nats per token, `length` in tokens,
    rewards are means over the rollouts of this step, `held_out` is pass@k on problems that are not trained on.
    """

    step: int
    loss: float
    grad_norm: float
    kl: float = math.nan
    mean_ratio: float = math.nan
    max_ratio: float = math.nan
    capped_fraction: float = math.nan
    masked_sequences: int = 0
    entropy: float = math.nan
    length: float = math.nan
    truncated_fraction: float = math.nan
    reward: float = math.nan  # total
    reward_format: float = math.nan  # its format part
    reward_verified: float = math.nan  # the share of rollouts that the strict judge accepted
    canaries_accepted: int = 0
    held_out: float | None = None
    tokens: int = 0  # loss tokens
    learning_rate: float = math.nan
    seconds: float = math.nan


@dataclass(frozen=True, slots=True)
class TripwireConfig:
    """Limits.  Means are over the last `window` steps; "at first" is the mean of the first `window` steps."""

    window: int = 4
    kl: float = 0.1  # nats per token, mean over the window
    kl_step: float = 1.0  # the same of a single step
    ratio_drift: float = 0.05  # of |mean ratio - 1|, mean over the window
    entropy_fraction: float = 0.2  # of the entropy at first
    length_factor: float = 2.0  # of the length at first
    truncated_fraction: float = 0.75
    format_share: float = 0.9  # of the reward, while fewer proofs are verified than at first, or none
    held_out_drop: float = 0.05  # below the best held-out figure; no less than its noise

    def __post_init__(self) -> None:
        if self.window < 1:
            raise UnsorryError(f"tripwire window = {self.window}: give a number of steps, 1 or more")
        for field in dataclasses.fields(self):
            if not getattr(self, field.name) > 0:
                raise UnsorryError(f"tripwire {field.name} = {getattr(self, field.name)}: give a limit above 0")


@dataclass(frozen=True, slots=True)
class Tripped:
    """`value` crossed `limit` at `step`; `message` is one line."""

    wire: Wire
    step: int
    value: float
    limit: float
    message: str


def check(history: Sequence[StepMetrics], config: TripwireConfig) -> Tripped | None:
    """What the last step of the history trips, the gravest first, or None."""
    if not history:
        return None
    for wire in (_non_finite, _canary, _kl, _ratio, _entropy, _length, _format_only, _held_out):
        tripped = wire(history, config)
        if tripped is not None:
            return tripped
    return None


class Tripwires:
    """`check` with the history kept; a resumed run passes the metrics of the steps it keeps."""

    def __init__(self, config: TripwireConfig | None = None, history: Iterable[StepMetrics] = ()) -> None:
        self.config = config or TripwireConfig()
        self.history = list(history)

    def update(self, metrics: StepMetrics) -> Tripped | None:
        self.history.append(metrics)
        return check(self.history, self.config)


_History = Sequence[StepMetrics]


def _measured(steps: _History, get: Callable[[StepMetrics], float]) -> list[float]:
    return [value for step in steps if not math.isnan(value := get(step))]


def _recent(history: _History, config: TripwireConfig, get: Callable[[StepMetrics], float]) -> float | None:
    """The mean of the last `window` measured values; None while there are fewer."""
    values = _measured(history, get)[-config.window :]
    return sum(values) / config.window if len(values) == config.window else None


def _at_first(history: _History, config: TripwireConfig, get: Callable[[StepMetrics], float]) -> float | None:
    """The mean of the first `window` measured values; None until as many others were measured after them."""
    values = _measured(history, get)
    return sum(values[: config.window]) / config.window if len(values) >= 2 * config.window else None


def _non_finite(history: _History, config: TripwireConfig) -> Tripped | None:
    last = history[-1]
    for name in ("loss", "grad_norm"):
        value = getattr(last, name)
        if not math.isfinite(value):
            return Tripped(Wire.NON_FINITE, last.step, value, math.inf, f"{name} is {value} at step {last.step}")
    for name in ("kl", "mean_ratio", "max_ratio", "entropy", "reward"):
        value = getattr(last, name)
        if math.isinf(value):
            return Tripped(Wire.NON_FINITE, last.step, value, math.inf, f"{name} is {value} at step {last.step}")
    return None


def _canary(history: _History, config: TripwireConfig) -> Tripped | None:
    last = history[-1]
    if last.canaries_accepted <= 0:
        return None
    message = (
        f"the judge accepted {last.canaries_accepted} proofs of false statements at step {last.step}: trust no reward"
    )
    return Tripped(Wire.CANARY, last.step, float(last.canaries_accepted), 0.0, message)


def _kl(history: _History, config: TripwireConfig) -> Tripped | None:
    last = history[-1]
    if last.kl > config.kl_step:
        message = f"KL to the sampler is {last.kl:.3g} nats per token at step {last.step}, limit {config.kl_step:g}"
        return Tripped(Wire.KL, last.step, last.kl, config.kl_step, message)
    value = _recent(history, config, lambda step: step.kl)
    if value is None or value <= config.kl:
        return None
    message = f"KL to the sampler is {value:.3g} nats per token over {config.window} steps, limit {config.kl:g}"
    return Tripped(Wire.KL, history[-1].step, value, config.kl, message)


def _ratio(history: _History, config: TripwireConfig) -> Tripped | None:
    # The signed mean: noise around 1 cancels over the window, a bias (top_p below 1, stale weights) does not.
    mean = _recent(history, config, lambda step: step.mean_ratio)
    if mean is None or abs(mean - 1.0) <= config.ratio_drift:
        return None
    message = (
        f"mean pi/pi_sampler is {mean:.3f} over {config.window} steps where 1 is expected: the sampler draws from"
        " another distribution (top_p, temperature, stale weights?)"
    )
    return Tripped(Wire.RATIO, history[-1].step, mean, 1.0 + math.copysign(config.ratio_drift, mean - 1.0), message)


def _entropy(history: _History, config: TripwireConfig) -> Tripped | None:
    now = _recent(history, config, lambda step: step.entropy)
    first = _at_first(history, config, lambda step: step.entropy)
    if now is None or first is None or now >= config.entropy_fraction * first:
        return None
    limit = config.entropy_fraction * first
    message = f"entropy fell from {first:.3g} to {now:.3g} nats per token, limit {limit:.3g}"
    return Tripped(Wire.ENTROPY, history[-1].step, now, limit, message)


def _length(history: _History, config: TripwireConfig) -> Tripped | None:
    now = _recent(history, config, lambda step: step.length)
    first = _at_first(history, config, lambda step: step.length)
    if now is not None and first is not None and now > config.length_factor * first:
        limit = config.length_factor * first
        message = f"completions grew from {first:.0f} to {now:.0f} tokens, limit {limit:.0f}"
        return Tripped(Wire.LENGTH, history[-1].step, now, limit, message)
    cut = _recent(history, config, lambda step: step.truncated_fraction)
    if cut is not None and cut > config.truncated_fraction:
        message = (
            f"{cut:.0%} of completions are cut off over {config.window} steps, limit {config.truncated_fraction:.0%}"
        )
        return Tripped(Wire.LENGTH, history[-1].step, cut, config.truncated_fraction, message)
    return None


def _format_only(history: _History, config: TripwireConfig) -> Tripped | None:
    total = _recent(history, config, lambda step: step.reward)
    form = _recent(history, config, lambda step: step.reward_format)
    proved = _recent(history, config, lambda step: step.reward_verified)
    proved_at_first = _at_first(history, config, lambda step: step.reward_verified)
    if total is None or form is None or proved is None or proved_at_first is None or total <= 0.0:
        return None
    share = form / total
    if share <= config.format_share or (proved > 0.0 and proved >= proved_at_first):
        return None
    message = (
        f"{share:.0%} of the reward is for format while verified proofs went from {proved_at_first:.1%} to {proved:.1%}"
        f" of rollouts, limit {config.format_share:.0%}"
    )
    return Tripped(Wire.FORMAT_ONLY, history[-1].step, share, config.format_share, message)


def _held_out(history: _History, config: TripwireConfig) -> Tripped | None:
    last = history[-1]
    if last.held_out is None:
        return None
    earlier = [i for i, step in enumerate(history[:-1]) if step.held_out is not None]
    if not earlier:
        return None
    best = max(earlier, key=lambda i: history[i].held_out or 0.0)
    before = history[best].held_out or 0.0
    reward_then = _recent(history[: best + 1], config, lambda step: step.reward)
    reward_now = _recent(history, config, lambda step: step.reward)
    drop = before - last.held_out
    if reward_then is None or reward_now is None or drop <= config.held_out_drop or reward_now <= reward_then:
        return None
    message = (
        f"held-out pass@k fell from {before:.3f} (step {history[best].step}) to {last.held_out:.3f} while the reward"
        f" rose from {reward_then:.3f} to {reward_now:.3f}"
    )
    return Tripped(Wire.HELD_OUT, last.step, last.held_out, before - config.held_out_drop, message)
