"""The paired bootstrap over families."""

from __future__ import annotations

from itertools import product
from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from unsorry import UnsorryError
from unsorry.evaluation import paired
from unsorry.evaluation.outcomes import Count, Outcomes


def single(values: list[int], families: list[str]) -> Outcomes:
    return Outcomes({str(i): Count(1, v, f) for i, (v, f) in enumerate(zip(values, families, strict=True))})


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-1, 0, 1])), min_size=4, max_size=8))
def test_resampled_means_follow_the_distribution_over_all_resamples(pairs: list[tuple[int, int]]) -> None:
    names = {c: i for i, c in enumerate(dict.fromkeys(c for c, _ in pairs))}
    clusters = np.array([names[c] for c, _ in pairs])
    values = np.array([float(v) for _, v in pairs])
    members = [values[clusters == g] for g in range(len(names))]
    every = [
        np.concatenate([members[g] for g in draw]).mean() for draw in product(range(len(names)), repeat=len(names))
    ]
    drawn = paired.resampled_means(values, clusters, resamples=20_000, seed=1)
    for threshold in (-0.5, 0.0, 0.25):
        exact = np.mean(np.array(every) <= threshold + 1e-12)
        assert abs(np.mean(drawn <= threshold + 1e-12) - exact) < 0.02  # 5 standard errors of 20,000 draws


def test_families_move_together() -> None:
    """Ten copies of one problem are one observation: a bootstrap over problems would call this certain."""
    families = [f"f{i // 10}" for i in range(60)]
    before = single([0] * 60, families)
    gains = [1 if i // 10 < 3 else 0 for i in range(60)]
    over_families = paired.compare(before, single(gains, families), 1)
    alone = [str(i) for i in range(60)]
    over_problems = paired.compare(single([0] * 60, alone), single(gains, alone), 1)
    width = over_families.difference.high - over_families.difference.low
    assert over_families.difference.clusters == 6
    assert width > 2.5 * (over_problems.difference.high - over_problems.difference.low)
    assert over_families.difference.value == over_problems.difference.value == 0.5


def test_the_interval_covers_as_often_as_it_says_with_few_families() -> None:
    """Eight families; the plain percentile interval of the same resamples covers too seldom."""
    rng = np.random.default_rng(0)
    covered, plain, rounds = 0, 0, 600
    clusters = np.repeat(np.arange(8), 3)
    for i in range(rounds):
        values = rng.normal(size=8)[clusters] + rng.normal(size=24)
        means = paired.resampled_means(values, clusters, resamples=1000, seed=i)
        found = paired.interval(values, clusters, resamples=1000, seed=i)
        covered += found.low <= 0 <= found.high
        low, high = np.quantile(means, [0.025, 0.975])
        plain += low <= 0 <= high
    assert 0.92 < covered / rounds < 0.98
    assert plain / rounds < 0.92


def test_nothing_solved_is_not_a_certain_zero() -> None:
    """The bootstrap alone would say [0, 0]."""
    nothing = paired.pass_interval(Outcomes({str(i): Count(8, 0) for i in range(20)}), 8)
    everything = paired.pass_interval(Outcomes({str(i): Count(8, 8) for i in range(20)}), 8)
    exact = stats.binomtest(0, 20).proportion_ci(0.95, method="exact")
    assert (nothing.value, nothing.low) == (0.0, 0.0)
    assert isclose(nothing.high, exact.high)
    assert (everything.value, everything.high) == (1.0, 1.0)
    assert isclose(everything.low, 1 - exact.high)


def test_an_unchanged_model_is_called_better_as_often_as_the_level_says() -> None:
    rng = np.random.default_rng(3)
    rates = rng.beta(0.18, 0.16, size=60)
    false = 0
    for i in range(400):
        sides = [Outcomes({str(j): Count(16, int(c)) for j, c in enumerate(rng.binomial(16, rates))}) for _ in range(2)]
        false += paired.compare(*sides, 8, resamples=1000, seed=i).p() <= 0.05
    assert 0.02 < false / 400 < 0.085


def test_p_and_interval_agree() -> None:
    rng = np.random.default_rng(5)
    for shift in (0.0, 0.1, 0.2, 0.3):
        old = rng.binomial(8, 0.4, size=40)
        new = rng.binomial(8, 0.4 + shift, size=40)
        before, after = (Outcomes({str(i): Count(8, int(c)) for i, c in enumerate(s)}) for s in (old, new))
        found = paired.compare(before, after, 1)
        assert (found.p("greater") < 0.025) == (found.difference.low > 0)
        assert (found.p("less") < 0.025) == (found.difference.high < 0)
        assert found.p("two-sided") == min(1.0, 2 * min(found.p("greater"), found.p("less")))
        assert isclose(found.difference.value, found.after - found.before)
        turned = paired.compare(after, before, 1)
        assert isclose(turned.p("less"), found.p("greater"))


def test_it_agrees_with_the_t_test_where_that_is_right() -> None:
    rng = np.random.default_rng(8)
    old, new = rng.binomial(32, 0.3, size=200), rng.binomial(32, 0.32, size=200)
    before, after = (Outcomes({str(i): Count(32, int(c)) for i, c in enumerate(s)}) for s in (old, new))
    reference = stats.ttest_rel(new / 32, old / 32, alternative="greater").pvalue
    assert abs(paired.compare(before, after, 1).p() - reference) < 0.02


def test_no_difference_is_no_evidence() -> None:
    same = Outcomes({str(i): Count(8, i % 9, f"f{i % 7}") for i in range(40)})
    found = paired.compare(same, same, 8)
    assert found.p("greater") == found.p("less") == found.p("two-sided") == 1.0
    assert (found.difference.low, found.difference.value, found.difference.high) == (0.0, 0.0, 0.0)
    assert paired.compare(same, same, 8, margin=-0.01).p("greater") < 0.01


def test_seeds_repeat_and_the_order_of_problems_does_not_matter() -> None:
    rng = np.random.default_rng(1)
    before = Outcomes({str(i): Count(8, int(rng.integers(9)), f"f{i % 9}") for i in range(50)})
    after = Outcomes({str(i): Count(8, int(rng.integers(9)), f"f{i % 9}") for i in range(50)})
    turned = Outcomes(dict(reversed(after.counts.items())))
    assert paired.compare(before, after, 4, seed=7) == paired.compare(before, turned, 4, seed=7)
    assert paired.compare(before, after, 4, seed=7) != paired.compare(before, after, 4, seed=8)


def test_what_is_not_paired_is_refused() -> None:
    a = Outcomes({"x": Count(1, 1, "f"), "y": Count(1, 0, "g")})
    with pytest.raises(UnsorryError, match=r"1 are on one side only, such as y"):
        paired.compare(a, a.only(["x"]), 1)
    with pytest.raises(UnsorryError, match="another family"):
        paired.compare(a, Outcomes({"x": Count(1, 1, "f"), "y": Count(1, 0, "f")}), 1)
    with pytest.raises(UnsorryError, match="2 families"):
        paired.compare(a.only(["x"]), a.only(["x"]), 1)
    with pytest.raises(UnsorryError, match="pass@2"):
        paired.compare(a, a, 2)
