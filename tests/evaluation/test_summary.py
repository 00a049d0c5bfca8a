"""Counts and pass@k."""

from __future__ import annotations

from itertools import combinations
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import Attempt, Cost, Problem, Status, Verdict
from unsorry.evaluation.passk import pass_at_k
from unsorry.evaluation.summary import summarise
from unsorry.scaffolds import REFUTED


@given(st.integers(1, 9), st.data())
def test_pass_at_k_is_the_share_of_subsets_with_a_correct_one(samples: int, data: st.DataObject) -> None:
    correct = data.draw(st.integers(0, samples))
    k = data.draw(st.integers(1, samples))
    subsets = list(combinations(range(samples), k))
    hits = sum(any(i < correct for i in s) for s in subsets)
    assert isclose(pass_at_k(samples, correct, k), hits / len(subsets))


@pytest.mark.parametrize(("samples", "correct", "k"), [(4, 5, 1), (4, -1, 1), (4, 2, 5), (4, 2, 0)])
def test_pass_at_k_refuses_what_it_cannot_estimate(samples: int, correct: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass@"):
        pass_at_k(samples, correct, k)


def test_a_problem_counts_by_its_best_attempt_and_without_one_as_undecided() -> None:
    problems = [Problem(i, "", (), family=f) for i, f in [("a", "x"), ("b", "x"), ("c", "y"), ("d", "y")]]

    def tried(problem: str, status: Status, reason: str = "") -> Attempt:
        return Attempt(problem, "p", "s", "", Verdict(status, reason, ""), Cost(seconds=2.0))

    rows = summarise(
        problems,
        [
            tried("a", Status.REJECTED),
            tried("a", Status.ACCEPTED),
            tried("b", Status.UNDECIDED),
            tried("c", Status.REJECTED, REFUTED),
        ],
    )
    assert [(r.family, r.problems, r.accepted, r.rejected, r.undecided, r.refuted, r.seconds) for r in rows] == [
        ("x", 2, 1, 0, 1, 0, 6.0),
        ("y", 2, 0, 1, 1, 1, 2.0),
        ("", 4, 1, 1, 2, 1, 8.0),
    ]
