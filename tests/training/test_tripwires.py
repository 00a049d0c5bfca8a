"""Every wire trips on its own fault and on nothing else."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from unsorry import UnsorryError
from unsorry.training.tripwires import StepMetrics, Tripped, TripwireConfig, Tripwires, Wire, check

CONFIG = TripwireConfig(window=3)


def healthy(step: int) -> StepMetrics:
    noise = random.Random(step).uniform(-1, 1)
    return StepMetrics(
        step=step,
        loss=0.1 * noise,
        grad_norm=1.0 + 0.2 * noise,
        kl=0.002 + 0.001 * noise,
        mean_ratio=1.0 + 0.004 * noise,
        max_ratio=1.8,
        capped_fraction=0.0,
        entropy=0.9 - 0.01 * step,
        length=120 + 2 * step,
        truncated_fraction=0.1,
        reward=0.3 + 0.01 * step + 0.02 * noise,
        reward_format=0.08,
        reward_verified=0.22 + 0.01 * step + 0.02 * noise,
        held_out=0.4 + 0.005 * step + 0.02 * noise if step % 4 == 0 else None,
    )


def run(*changes: dict[str, float], start: int = 12) -> Tripped | None:
    """A healthy run, then one step for each change; what the last step says, after none tripped before it."""
    wires = Tripwires(CONFIG)
    for step in range(start):
        assert wires.update(healthy(step)) is None
    tripped = None
    for i, change in enumerate(changes):
        assert tripped is None, f"too early: {tripped}"
        tripped = wires.update(replace(healthy(start + i), **change))  # type: ignore[arg-type]
    return tripped


def test_a_healthy_run_trips_nothing() -> None:
    wires = Tripwires()
    assert [wires.update(healthy(step)) for step in range(40)] == [None] * 40
    assert check([], CONFIG) is None


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["loss", "grad_norm"])
def test_a_loss_or_gradient_that_is_not_finite(field: str, value: float) -> None:
    tripped = run({field: value})
    assert tripped is not None and tripped.wire is Wire.NON_FINITE and tripped.step == 12
    assert field in tripped.message


def test_an_infinite_ratio_is_not_finite_and_an_unmeasured_one_is_nothing() -> None:
    assert run({"max_ratio": math.inf}).wire is Wire.NON_FINITE  # type: ignore[union-attr]
    assert run({"max_ratio": math.nan}, {"kl": math.nan}, {"entropy": math.nan}, {"reward": math.nan}) is None


def test_an_accepted_canary_stops_at_once_and_goes_before_the_rest() -> None:
    assert run({"canaries_accepted": 1}).wire is Wire.CANARY  # type: ignore[union-attr]
    wires = Tripwires(CONFIG)
    first = wires.update(replace(healthy(0), canaries_accepted=2, kl=9.0))
    assert first is not None and first.wire is Wire.CANARY and first.value == 2


def test_kl_drift() -> None:
    assert run({"kl": 0.2}) is None  # one step is a spike, a window is a drift
    tripped = run({"kl": 0.12}, {"kl": 0.12}, {"kl": 0.12})
    assert tripped is not None and tripped.wire is Wire.KL
    assert tripped.value == pytest.approx(0.12) and tripped.limit == CONFIG.kl
    spike = run({"kl": 1.5})
    assert spike is not None and spike.wire is Wire.KL and spike.limit == CONFIG.kl_step


@pytest.mark.parametrize("ratio", [0.9, 1.1])
def test_ratio_drift_on_both_sides(ratio: float) -> None:
    tripped = run({"mean_ratio": ratio}, {"mean_ratio": ratio})
    assert tripped is not None and tripped.wire is Wire.RATIO
    assert (tripped.limit - 1) * (ratio - 1) > 0


def test_noise_around_a_ratio_of_one_is_no_drift() -> None:
    assert run(*({"mean_ratio": ratio} for ratio in (1.06, 0.94, 1.06, 0.94, 1.05, 0.95))) is None


def test_entropy_collapse() -> None:
    tripped = run({"entropy": 0.1}, {"entropy": 0.1}, {"entropy": 0.1})
    assert tripped is not None and tripped.wire is Wire.ENTROPY


def test_length_blow_up() -> None:
    tripped = run({"length": 250}, {"length": 260}, {"length": 270})
    assert tripped is not None and tripped.wire is Wire.LENGTH and "tokens" in tripped.message
    cut = run({"truncated_fraction": 0.8}, {"truncated_fraction": 0.9}, {"truncated_fraction": 1.0})
    assert cut is not None and cut.wire is Wire.LENGTH and "cut off" in cut.message


def test_a_reward_for_format_alone() -> None:
    """Total reward holds up while nothing is proved any more."""
    change = {"reward": 0.1, "reward_format": 0.1, "reward_verified": 0.0}
    mixed = {"reward": 0.11, "reward_format": 0.1, "reward_verified": 0.01}
    tripped = run(mixed, change, change)
    assert tripped is not None and tripped.wire is Wire.FORMAT_ONLY


def test_a_hard_pool_that_gets_better_is_no_format_reward() -> None:
    """Few proofs from the start, so format is most of the reward, but they rise."""
    wires = Tripwires(CONFIG)
    for step in range(20):
        proved = 0.002 + 0.0005 * step
        metrics = replace(healthy(step), reward=0.1 + proved, reward_format=0.1, reward_verified=proved)
        assert wires.update(metrics) is None


def test_the_reward_rises_while_held_out_falls() -> None:
    tripped = run({"held_out": 0.3, "reward": 0.6})
    assert tripped is not None and tripped.wire is Wire.HELD_OUT
    assert "step" in tripped.message
    assert run({"held_out": 0.3, "reward": 0.0, "reward_verified": 0.1}) is None  # both fell: no proxy is gamed
    assert run({"held_out": 0.42, "reward": 0.6}) is None  # within the noise


def test_a_resumed_run_goes_on_where_it_was() -> None:
    wires = Tripwires(CONFIG)
    history = [replace(healthy(step), kl=0.13 if step >= 10 else 0.002) for step in range(12)]
    for metrics in history:
        assert wires.update(metrics) is None
    last = replace(healthy(12), kl=0.13)
    tripped = wires.update(last)
    assert tripped is not None and Tripwires(CONFIG, history).update(last) == tripped


def test_messages_are_one_line() -> None:
    for change in ({"loss": math.nan}, {"canaries_accepted": 1}):
        tripped = run(change)
        assert tripped is not None and "\n" not in tripped.message


@pytest.mark.parametrize("bad", [{"window": 0}, {"kl": 0.0}, {"entropy_fraction": math.nan}])
def test_limits_that_make_no_sense_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(UnsorryError, match=next(iter(bad))):
        TripwireConfig(**bad)  # type: ignore[arg-type]


def test_the_first_steps_are_not_compared_with_themselves() -> None:
    """Until two windows are measured there is no "at first" to fall from."""
    wires = Tripwires(CONFIG)
    said = [wires.update(replace(healthy(step), entropy=3.0 if step == 0 else 0.1)) for step in range(6)]
    assert said[:5] == [None] * 5
    assert said[5] is not None and said[5].wire is Wire.ENTROPY
