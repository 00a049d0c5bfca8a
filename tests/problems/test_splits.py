"""Splits by family."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import Problem, UnsorryError
from unsorry.problems.splits import by_family, place, split_of

SHARES = {"test": 0.25, "valid": 0.2}
FAMILIES = st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=30)


@given(FAMILIES, FAMILIES, st.integers(0, 5))
def test_a_family_stays_where_it_is_when_others_come(families: list[str], more: list[str], seed: int) -> None:
    problems = [Problem(f, "theorem t : True := by sorry", ("t",), family=f) for f in families]
    added = [Problem(f, "theorem t : True := by sorry", ("t",), family=f) for f in more]
    before = {p.family: p.split for p in by_family(problems, SHARES, seed)}
    after = {p.family: p.split for p in by_family([*added, *problems], SHARES, seed)}
    assert all(after[family] == split for family, split in before.items())


def test_shares_are_met_and_depend_on_the_seed() -> None:
    names = [f"family {i}" for i in range(4000)]
    found = [split_of(name, SHARES, 0) for name in names]
    assert abs(found.count("test") / 4000 - 0.25) < 0.03
    assert abs(found.count("valid") / 4000 - 0.2) < 0.03
    assert found != [split_of(name, SHARES, 1) for name in names]


def test_a_larger_test_share_only_takes() -> None:
    names = [f"family {i}" for i in range(500)]
    small = {n for n in names if split_of(n, {"test": 0.1}) == "test"}
    large = {n for n in names if split_of(n, {"test": 0.3}) == "test"}
    assert small < large


def test_without_a_family_a_problem_is_its_own() -> None:
    alone = [Problem(f"p{i}", "theorem t : True := by sorry", ("t",)) for i in range(60)]
    assert {p.split for p in by_family(alone, SHARES)} == {"train", "valid", "test"}


@pytest.mark.parametrize("shares", [{"test": 0.7, "valid": 0.4}, {"test": -0.1}, {"test": 1.5}])
def test_shares_that_cannot_be(shares: dict[str, float]) -> None:
    with pytest.raises(UnsorryError, match="split shares"):
        split_of("f", shares)


@given(st.text(max_size=20), st.integers())
def test_a_place_is_a_fraction(key: str, seed: int) -> None:
    assert 0 <= place(key, seed) < 1
