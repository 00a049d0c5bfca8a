"""Solve counts as a posterior: the band filter."""

from __future__ import annotations

from itertools import product
from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry import UnsorryError
from unsorry.evaluation import posterior
from unsorry.evaluation.outcomes import Count, Outcomes
from unsorry.evaluation.posterior import Band, Beta, Round, SolveHistory

BAND = Band()


@pytest.mark.parametrize(("rate", "passes"), [(0.05, 0.34), (0.9, 0.19)])
def test_eight_rollouts_are_a_noisy_filter(rate: float, passes: float) -> None:
    assert round(BAND.pass_probability(rate, 8), 2) == passes


@settings(deadline=None)
@given(st.integers(1, 8), st.floats(0.0, 1.0))
def test_the_chance_of_the_band_is_the_sum_over_counts(n: int, rate: float) -> None:
    expected = 0.0
    for flips in product((0, 1), repeat=n):
        if 0 < sum(flips) / n <= 0.75:
            expected += np.prod([rate if flip else 1 - rate for flip in flips])
    assert isclose(BAND.pass_probability(rate, n), expected, abs_tol=1e-12)


def test_the_plain_band_is_open_below_and_closed_above() -> None:
    assert [c for c in range(9) if BAND.holds(8, c)] == [1, 2, 3, 4, 5, 6]
    assert not BAND.holds(0, 0)


def test_more_rollouts_make_the_posterior_surer_than_the_flag() -> None:
    assert BAND.holds(8, 6)
    assert 0.4 < Beta().update(8, 6).in_band(BAND) < 0.7
    assert Beta().update(64, 40).in_band(BAND) > 0.95
    assert Beta().update(64, 60).in_band(BAND) < 0.01


def test_never_solved_is_in_the_open_band_and_not_in_one_with_a_floor() -> None:
    spread = Beta(0.176, 0.157)  # of a prover that knows most problems well or not at all
    never = spread.update(32, 0)
    assert never.in_band(BAND) > 0.99
    assert never.in_band(Band(1 / 64)) < 0.2
    assert never.mixed(8) < 0.1 < spread.update(32, 3).mixed(8)


@given(st.floats(0.1, 5), st.floats(0.1, 5), st.integers(1, 16))
def test_a_group_is_mixed_as_often_as_the_beta_binomial_says(a: float, b: float, n: int) -> None:
    every = np.prod([(a + j) / (a + b + j) for j in range(n)])
    none = np.prod([(b + j) / (a + b + j) for j in range(n)])
    assert isclose(Beta(a, b).mixed(n), max(0.0, 1 - every - none), abs_tol=1e-9)


def test_rounds_add_up_and_old_ones_fade_when_asked() -> None:
    history = SolveHistory("p").add("pool-0", 8, 0).add("pool-1", 8, 6)
    assert history.totals() == (16, 6)
    assert history.posterior(Beta(1, 1)) == Beta(7, 11)
    assert history.posterior(Beta(1, 1), decay=0.5) == Beta(7, 7)


def test_a_round_that_is_recorded_again_counts_once() -> None:
    measured = Outcomes({"a": Count(8, 3), "b": Count(0, 0)})
    once = posterior.record({}, "pool-0", measured)
    assert once == {"a": SolveHistory("a", (Round("pool-0", 8, 3),))}
    assert posterior.record(once, "pool-0", measured) == once
    assert posterior.record(once, "pool-1", measured)["a"].totals() == (16, 6)


def test_what_is_stored_is_read_back() -> None:
    histories = posterior.record({}, "pool-0", Outcomes({"a": Count(8, 3)}))
    assert posterior.from_json(posterior.to_json(histories)) == histories
    for bad in ({"a": 3}, {"a": [["r", 1]]}):
        with pytest.raises(UnsorryError, match="run the pool stage again"):
            posterior.from_json(bad)


def test_bad_input_is_one_line() -> None:
    for call in (lambda: Beta().update(2, 3), lambda: SolveHistory("a").add("r", 2, 3)):
        with pytest.raises(UnsorryError, match="impossible count"):
            call()
    with pytest.raises(ValueError, match="0 <= low < high <= 1"):
        Band(0.8, 0.75)
    with pytest.raises(UnsorryError, match="decay"):
        SolveHistory("a").posterior(decay=0.0)
    with pytest.raises(UnsorryError, match="a > 0"):
        Beta(0, 1)


def test_a_set_without_any_success_still_has_a_spread() -> None:
    found = posterior.fit([(8, 0)] * 50)
    assert found.mean < 0.01
