"""Costs, the frontier, and what k to buy."""

from __future__ import annotations

from itertools import permutations
from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry import Attempt, Cost, Status, UnsorryError, Verdict
from unsorry.evaluation import costs
from unsorry.evaluation.costs import Point, Spend


def attempt(problem: str, accepted: bool, cost: Cost) -> Attempt:
    status = Status.ACCEPTED if accepted else Status.REJECTED
    return Attempt(problem, "p", "whole", "", Verdict(status, "", ""), cost)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 50)), min_size=1, max_size=6), st.data())
def test_cost_of_stopping_at_the_first_is_the_mean_over_all_orders(
    samples: list[tuple[bool, int]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(samples)))
    tried = [attempt("a", ok, Cost(tokens_out=tokens, money=0.0)) for ok, tokens in samples]
    drawn, tokens, solved = [], [], []
    for order in permutations(samples):
        first = next((i for i, (ok, _) in enumerate(order[:k], 1) if ok), k)
        drawn.append(first)
        tokens.append(sum(t for _, t in order[:first]))
        solved.append(any(ok for ok, _ in order[:k]))
    (point,) = costs.curve(tried, [k])
    assert isclose(point.pass_at, sum(solved) / len(solved), abs_tol=1e-9)
    assert isclose(point.spend.attempts, sum(drawn) / len(drawn), abs_tol=1e-9)
    assert isclose(point.spend.tokens_out, sum(tokens) / len(tokens), abs_tol=1e-6)
    (every,) = costs.curve(tried, [k], stop=False)
    assert isclose(every.spend.tokens_out, k * sum(t for _, t in samples) / len(samples), abs_tol=1e-6)
    assert isclose(every.spend.attempts, k)


def test_unknown_money_stays_unknown_and_free_is_zero() -> None:
    free, paid, unknown = (attempt("a", True, Cost(money=m)) for m in (0.0, 0.5, None))
    assert costs.spent([free, free]).money == 0.0
    assert costs.spent([free, paid]).money == 0.5
    assert costs.spent([free, paid, unknown]).money is None
    assert costs.per_pass([unknown, paid]).money is None
    assert costs.curve([paid, unknown], [1])[0].spend.money is None
    with pytest.raises(UnsorryError, match=r"what x costs in money is unknown"):
        costs.frontier({"x": costs.curve([unknown], [1])}, "money")


def test_one_pass_is_a_sample_of_every_problem() -> None:
    tried = [
        attempt("a", True, Cost(seconds=1, tokens_in=10, tokens_cached=4, tokens_out=100, money=0.1)),
        attempt("a", False, Cost(seconds=3, tokens_in=10, tokens_cached=0, tokens_out=300, money=0.3)),
        attempt("b", False, Cost(seconds=5, tokens_in=20, tokens_cached=0, tokens_out=50, money=0.0)),
    ]
    found = costs.per_pass(tried)
    assert (found.attempts, found.seconds, found.tokens_in, found.tokens_cached, found.tokens_out) == (2, 7, 30, 2, 250)
    assert found.money == pytest.approx(0.2)


def test_the_frontier_keeps_what_nothing_beats() -> None:
    def at(k: int, share: float, tokens: float) -> Point:
        return Point(k, share, Spend(tokens_out=tokens))

    small, large = [at(1, 0.2, 10), at(8, 0.4, 80), at(32, 0.45, 300)], [at(1, 0.4, 60), at(8, 0.7, 400)]
    kept = costs.frontier({"small": small, "large": large}, "tokens_out")
    assert [(name, p.k) for name, p in kept] == [("small", 1), ("large", 1), ("small", 32), ("large", 8)]
    for name, point in [("small", small[1])]:  # as good as large at 1, and dearer
        assert (name, point) not in kept


def test_what_k_to_buy() -> None:
    points = [Point(k, share, Spend(money=cost)) for k, share, cost in [(1, 0.2, 0.1), (8, 0.5, 0.6), (32, 0.6, 2.0)]]
    assert costs.buy(points, "money", budget=1.0).k == 8
    assert costs.buy(points, "money", target=0.5).k == 8
    assert costs.buy(points, "money", target=0.51).k == 32
    with pytest.raises(UnsorryError, match=r"nothing costs at most 0.05 money.*least is 0.1"):
        costs.buy(points, "money", budget=0.05)
    with pytest.raises(UnsorryError, match=r"no k measured reaches 0.9.*0.6 at k = 32"):
        costs.buy(points, "money", target=0.9)
    with pytest.raises(UnsorryError, match="either a budget"):
        costs.buy(points, "money")


def test_a_curve_needs_enough_samples() -> None:
    tried = [attempt("a", True, Cost())] * 4 + [attempt("b", True, Cost())] * 2
    with pytest.raises(UnsorryError, match=r"pass@4 needs 4 samples of every problem; the least is 2"):
        costs.curve(tried, [1, 4])
    for bad in (lambda: costs.curve([], [1]), lambda: costs.curve(tried, []), lambda: costs.curve(tried, [0])):
        with pytest.raises(UnsorryError, match="cost curve needs"):
            bad()
