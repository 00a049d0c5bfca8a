"""Solve counts, pass@k over problems, standard errors over families."""

from __future__ import annotations

from itertools import combinations
from math import isclose, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import Attempt, Problem, Status, Turn, UnsorryError, Verdict
from unsorry.evaluation import outcomes
from unsorry.evaluation.outcomes import Count, Outcomes
from unsorry.evaluation.passk import pass_at_k


def attempt(problem: str, status: Status, *, seed: int = 0, model: str = "") -> Attempt:
    turns = (Turn(model=model),) if model else ()
    return Attempt(problem, "p", "whole", "", Verdict(status, "", ""), seed=seed, turns=turns)


@given(st.integers(1, 2000), st.data())
def test_pass_at_k_is_the_same_in_both_product_forms(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    product = 1.0
    for i in range(n - c + 1, n + 1):
        product *= max(0.0, 1 - k / i)
    assert isclose(pass_at_k(n, c, k), 1 - product, abs_tol=1e-9)
    assert 0 <= pass_at_k(n, c, k) <= 1


def test_the_plug_in_estimate_is_biased_and_this_one_is_not() -> None:
    n, k, rate = 8, 8, 0.1
    weights = [len(list(combinations(range(n), c))) * rate**c * (1 - rate) ** (n - c) for c in range(n + 1)]
    truth = 1 - (1 - rate) ** k
    plug_in = sum(w * (1 - (1 - c / n) ** k) for c, w in enumerate(weights))
    unbiased = sum(w * pass_at_k(n, c, k) for c, w in enumerate(weights))
    assert isclose(unbiased, truth)
    assert plug_in < truth - 0.05


def test_a_problem_with_too_few_samples_is_nan_and_the_mean_refuses() -> None:
    measured = Outcomes({"a": Count(8, 2), "b": Count(3, 3)})
    values = measured.pass_at(4)
    assert values[0] == pass_at_k(8, 2, 4)
    assert np.isnan(values[1])
    with pytest.raises(UnsorryError, match=r"pass@4 needs at least 4 samples of every problem: 1 of 2 .*least 3"):
        measured.mean(4)
    assert isclose(measured.mean(1), (0.25 + 1) / 2)


def test_counts_come_from_verdicts_and_what_is_undecided_is_not_correct() -> None:
    problems = [Problem("a", "", (), family="f"), Problem("b", "", (), family="f"), Problem("c", "", ())]
    tried = [
        attempt("a", Status.ACCEPTED),
        attempt("a", Status.UNDECIDED),
        attempt("b", Status.REJECTED),
        attempt("a", Status.REJECTED),
    ]
    measured = outcomes.from_attempts(problems, tried)
    assert measured.counts == {"a": Count(3, 1, "f", 1), "b": Count(1, 0, "f"), "c": Count(0, 0)}
    assert measured.clusters.tolist() == [0, 0, 1]
    assert measured.undecided_share == 0.25
    with pytest.raises(UnsorryError, match="1 of 3 problems have fewer"):
        measured.mean(1)  # c was never tried: it is not dropped


def test_bad_input_is_one_line() -> None:
    with pytest.raises(UnsorryError, match="not in the problem set"):
        outcomes.from_attempts([Problem("a", "", ())], [attempt("z", Status.ACCEPTED)])
    with pytest.raises(UnsorryError, match="same id"):
        outcomes.from_attempts([Problem("a", "", ()), Problem("a", "", ())], [])
    with pytest.raises(UnsorryError, match="impossible count"):
        Count(2, 2, "", 1)
    with pytest.raises(UnsorryError, match="empty"):
        Outcomes({})


def test_draws_differ_by_seed_problem_and_weights() -> None:
    problems = [Problem("a", "", ())]
    sets = [
        outcomes.from_attempts(problems, [attempt("a", Status.ACCEPTED, seed=seed, model=model)]).draws
        for seed, model in [(0, "x"), (1, "x"), (0, "y")]
    ]
    assert len(frozenset().union(*sets)) == 3
    again = outcomes.from_attempts(problems, [attempt("a", Status.REJECTED, seed=0, model="x")])
    assert again.draws == sets[0]


def test_pooling_adds_counts_and_refuses_the_same_draw_twice() -> None:
    first = Outcomes({"a": Count(4, 1, "f", 1)}, frozenset({"1"}))
    second = Outcomes({"a": Count(4, 3, "f")}, frozenset({"2"}))
    assert outcomes.pool(first, second) == Outcomes({"a": Count(8, 4, "f", 1)}, frozenset({"1", "2"}))
    with pytest.raises(UnsorryError, match="counted twice"):
        outcomes.pool(first, first)
    with pytest.raises(UnsorryError, match="family"):
        outcomes.pool(first, Outcomes({"a": Count(4, 3, "g")}))


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0, 1)), min_size=2, max_size=40))
def test_the_clustered_error_is_the_double_sum_of_the_paper(pairs: list[tuple[int, float]]) -> None:
    names = {c: i for i, c in enumerate(dict.fromkeys(c for c, _ in pairs))}
    clusters = np.array([names[c] for c, _ in pairs])
    values = np.array([v for _, v in pairs])
    if len(names) < 2:
        with pytest.raises(UnsorryError, match="at least 2 families"):
            outcomes.clustered_standard_error(values, clusters)
        return
    mean, total = values.mean(), 0.0
    for i, a in enumerate(values):
        for j, b in enumerate(values):
            if clusters[i] == clusters[j]:
                total += (a - mean) * (b - mean)
    groups = len(names)
    expected = sqrt(max(0.0, groups / (groups - 1) * total)) / len(values)
    assert isclose(outcomes.clustered_standard_error(values, clusters), expected, abs_tol=1e-7)


def test_clusters_of_one_give_the_usual_standard_error() -> None:
    values = np.array([0.1, 0.5, 0.2, 0.9])
    expected = values.std(ddof=1) / sqrt(4)
    assert isclose(outcomes.clustered_standard_error(values, np.arange(4)), expected)


def test_what_is_stored_is_read_back() -> None:
    measured = Outcomes({"a": Count(8, 2, "f", 3), "b": Count(8, 0)}, frozenset({"x"}))
    assert outcomes.from_json(outcomes.to_json(measured)) == measured
    for bad in ({}, {"counts": {"a": [1, 2]}, "draws": []}, {"counts": 3, "draws": []}):
        with pytest.raises(UnsorryError, match="measure again"):
            outcomes.from_json(bad)
