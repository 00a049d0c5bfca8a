"""Samples: every vector, both kinds, the same for the same seed, whatever the order."""

from __future__ import annotations

import random

import pytest

from unsorry.redteam import Case, home, load, sample

CASES = load(home())
VECTORS = {v for case in CASES if case.hostile for v in case.vectors}


@pytest.mark.parametrize("n", [1, 70, 150, 400])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_vector_and_both_kinds(n: int, seed: int) -> None:
    chosen = sample(CASES, n, seed)
    assert {v for case in chosen if case.hostile for v in case.vectors} == VECTORS
    assert any(not case.hostile for case in chosen)
    assert len(set(chosen)) == len(chosen) >= n
    assert len(chosen) == n or n < 100


def test_the_order_of_the_cases_does_not_matter() -> None:
    shuffled = list(CASES)
    random.Random(5).shuffle(shuffled)
    assert sample(CASES, 100, 3) == sample(shuffled, 100, 3)


def test_seeds_differ() -> None:
    assert sample(CASES, 100, 1) != sample(CASES, 100, 2)


def test_honest_cases_in_their_share() -> None:
    chosen = sample(CASES, 200, 0)
    share = sum(not case.hostile for case in CASES) / len(CASES)
    assert sum(not case.hostile for case in chosen) == round(200 * share)


def test_more_than_there_are() -> None:
    assert sorted(map(str, sample(CASES, 10**6))) == sorted(map(str, CASES))


def test_one_kind_alone() -> None:
    def case(number: int, kind: str) -> Case:
        return Case(f"c{number}", kind, ("t",), "", "", ("accepted",), vectors=(number,))

    assert len(sample([case(n, "honest") for n in range(9)], 3)) == 9  # each has a vector of its own
    assert len(sample([case(n, "hostile") for n in range(9)], 3)) == 9
