"""Pre-registered gates: passed, failed, or refused."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from pydantic import BaseModel, ValidationError
from scipy import special

from unsorry import UnsorryError
from unsorry.evaluation import gates
from unsorry.evaluation.gates import GainGate, GateResult, NonInferiorityGate, PublishedGate
from unsorry.evaluation.outcomes import Count, Outcomes

RATES = special.betaincinv(0.176, 0.157, (np.arange(244) + 0.5) / 244)  # pass@8 0.69; see test_noise


def measured(shift: float = 0.0, *, n: int = 32, seed: int = 0, rates: np.ndarray = RATES, family: int = 1) -> Outcomes:
    """A sampled measurement of a model whose log-odds are `shift` above the mix."""
    counts = np.random.default_rng(seed).binomial(n, special.expit(special.logit(rates) + shift))
    return Outcomes({f"p{i}": Count(n, int(c), f"f{i // family}") for i, c in enumerate(counts)})


def test_a_real_gain_passes_and_the_line_says_what_it_was() -> None:
    result = GainGate().decide(measured(), measured(1.0, seed=1))
    assert result.passed
    assert not result.refused
    assert "\n" not in result.text
    for part in ("pass@8 +", "p < 0.001" if result.figures["p"] < 0.001 else "p = ", "N = 244", "n = 32", "noise 0."):
        assert part in result.text.replace("p = < ", "p < ")
    assert result.figures["difference"] == pytest.approx(result.figures["after"] - result.figures["before"])
    assert result.figures["low"] > 0
    assert result.figures["asked"] == pytest.approx(result.figures["noise"])


def test_an_unchanged_model_passes_seldom_and_without_a_level_in_one_of_six() -> None:
    strict = weak = 0
    for seed in range(24):
        before, after = measured(seed=2 * seed), measured(seed=2 * seed + 1)
        strict += GainGate().decide(before, after).passed
        weak += GainGate(level=None).decide(before, after).passed
    assert strict <= 4  # 1.2 expected
    assert 1 <= weak <= 10  # 3.8 expected
    assert strict <= weak


def test_a_gain_below_the_absolute_minimum_fails_though_it_is_significant() -> None:
    before, after = measured(n=64), measured(0.6, n=64, seed=1)
    plain = GainGate(n=64).decide(before, after)
    asked = GainGate(n=64, minimum_gain=plain.figures["difference"] + 0.01).decide(before, after)
    assert plain.passed
    assert not asked.passed
    assert not asked.refused
    assert asked.figures["p"] <= 0.05


def test_two_sides_ask_for_more_than_one() -> None:
    before, after = measured(), measured(0.5, seed=1)
    one, two = GainGate(sides=1).decide(before, after), GainGate(sides=2).decide(before, after)
    assert two.figures["p"] == pytest.approx(2 * one.figures["p"])
    worse = GainGate(sides=2).decide(after, before)
    assert worse.figures["p"] == pytest.approx(two.figures["p"], abs=0.01)
    assert not worse.passed  # a significant loss is no gain


def test_a_gate_that_its_samples_cannot_resolve_is_refused_with_the_noise() -> None:
    few = measured(n=8)
    gate = GainGate(n=8, minimum_gain=0.02)
    with pytest.raises(
        UnsorryError, match=r"cannot be resolved with n = 8 on 244 problems.*differs by 1\.\d\d pp.*use n = 32"
    ):
        gate.require_resolvable(few)
    result = gate.decide(few, measured(3.0, n=8, seed=1))
    assert result.refused
    assert not result.passed
    assert result.text.startswith("refused: a gain of 2.0 pp")
    assert "\n" not in result.text


def test_restored_pass_at_32_needs_64_samples() -> None:
    """32 samples resolve 3 points at best; a margin of 2.2 takes 64."""
    base = measured(n=64)
    with pytest.raises(UnsorryError, match="use n = 64"):
        NonInferiorityGate(k=32, n=32, margin=0.022).require_resolvable(base)
    gate = NonInferiorityGate(k=32, n=64, margin=0.022, word="restored")
    assert gate.decide(base, measured(0.3, n=64, seed=1)).passed
    lost = gate.decide(base, measured(-1.0, n=64, seed=1))
    assert not lost.passed
    assert not lost.refused
    assert lost.text.startswith("restored: pass@32 -")


def test_a_margin_of_three_noises_lets_unchanged_models_through_and_stops_worse_ones() -> None:
    gate = NonInferiorityGate(k=8, n=16)
    same = sum(gate.decide(measured(n=16, seed=2 * s), measured(n=16, seed=2 * s + 1)).passed for s in range(12))
    worse = sum(gate.decide(measured(n=16, seed=2 * s), measured(-1.2, n=16, seed=2 * s + 1)).passed for s in range(12))
    assert same >= 8
    assert worse == 0


def test_registered_is_registered() -> None:
    for before, after in ((measured(n=16), measured(n=32)), (measured(n=32), measured(n=64))):
        result = GainGate(n=32).decide(before, after)
        assert result.refused
        assert "registered with n = 32" in result.text
    with pytest.raises(dataclasses.FrozenInstanceError):
        GainGate().k = 1  # type: ignore[misc]


def test_too_few_families_are_refused() -> None:
    before = measured(family=80)
    result = GainGate().decide(before, measured(3.0, seed=1, family=80))
    assert result.refused
    assert "at least 5 families, the set has 4" in result.text


def test_a_published_figure_is_reproduced_within_its_noise() -> None:
    """82.8 against 84.6 on 244 problems is inside the noise: the binomial error alone is 2.3 points."""
    rates = special.betaincinv(0.45, 0.2, (np.arange(244) + 0.5) / 244)
    truth = float(np.mean(1 - (1 - rates) ** 32))
    ours = measured(rates=rates)
    value = ours.mean(32)
    gate = PublishedGate(published=value + 0.018, k=32, n=32, problems=244)
    result = gate.decide(ours)
    assert result.passed
    assert abs(truth - value) < 0.03
    assert f"{100 * value:.1f} % against {100 * value + 1.8:.1f} % published: -1.8 pp" in result.text
    assert result.figures["sd"] == pytest.approx(np.hypot(result.figures["binomial"], result.figures["family"]))
    far = PublishedGate(published=value + 0.15 if value < 0.8 else value - 0.15, k=32, n=32, problems=244).decide(ours)
    assert not far.passed
    assert not far.refused


def test_binomial_error_of_the_published_base() -> None:
    figures = PublishedGate(published=0.846, k=32, n=32, problems=244).decide(measured()).figures
    assert round(100 * figures["binomial"], 1) == 2.3


def test_on_the_same_problems_only_sampling_is_noise() -> None:
    ours = measured()
    other = PublishedGate(published=ours.mean(32) + 0.04, k=32, n=32, problems=244)
    same = dataclasses.replace(other, same_problems=True)
    assert other.decide(ours).passed
    assert not same.decide(ours).passed
    assert same.decide(ours).figures["sd"] < other.decide(ours).figures["sd"] / 2


def test_a_set_too_small_to_miss_a_figure_does_not_reproduce_it() -> None:
    ours = measured(rates=RATES[::12])
    result = PublishedGate(published=ours.mean(8), k=8, n=32, problems=21).decide(ours)
    assert result.refused
    assert "measure more problems" in result.text


def test_a_recipe_with_an_unknown_key_or_an_impossible_value_is_an_error() -> None:
    class Config(BaseModel):
        gate: GainGate = GainGate()

    assert Config.model_validate({"gate": {"k": 4, "n": 8}}).gate == GainGate(k=4, n=8)
    with pytest.raises(ValidationError, match="samples"):
        Config.model_validate({"gate": {"k": 4, "samples": 8}})
    with pytest.raises(ValidationError, match="needs n >= k >= 1, got n = 4"):
        Config.model_validate({"gate": {"k": 8, "n": 4}})
    for bad in (
        lambda: GainGate(k=8, n=4),
        lambda: GainGate(level=95),
        lambda: GainGate(minimum_gain=2.0),
        lambda: NonInferiorityGate(margin=0),
        lambda: PublishedGate(published=84.6, k=32, n=32, problems=244),
        lambda: PublishedGate(published=0.8, k=32, n=32, problems=244, published_samples=8),
    ):
        with pytest.raises(ValueError, match=r"level|gate|gain|margin|published") as caught:
            bad()
        assert "\n" not in str(caught.value)


def test_several_gates_pass_together_or_not() -> None:
    good, bad = GateResult(True, "up", {"p": 0.01}), GateResult(False, "guard fell", {"p": 0.5})
    both = gates.all_of([good, bad])
    assert not both.passed
    assert both.text == "passed: up; failed: guard fell"
    assert both.figures == {"1.p": 0.01, "2.p": 0.5}
    assert gates.all_of([good, good]).passed
    assert gates.all_of([good, GateResult(False, "n", refused=True)]).refused
