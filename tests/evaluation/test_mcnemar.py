"""McNemar's exact test."""

from __future__ import annotations

from itertools import product
from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry import UnsorryError
from unsorry.evaluation.mcnemar import exact, mcnemar
from unsorry.evaluation.outcomes import Count, Outcomes


@settings(deadline=None)
@given(st.integers(0, 6), st.integers(0, 6))
def test_p_values_are_those_of_all_assignments(gained: int, lost: int) -> None:
    gains = [sum(flips) for flips in product((0, 1), repeat=gained + lost)]
    found = exact(gained, lost)
    greater = sum(g >= gained for g in gains) / len(gains)
    less = sum(g <= gained for g in gains) / len(gains)
    assert isclose(found.p_greater, greater)
    assert isclose(found.p_two_sided, min(1.0, 2 * min(greater, less)))
    assert found.p_two_sided == exact(lost, gained).p_two_sided


def test_only_discordant_problems_count() -> None:
    before = Outcomes({"a": Count(1, 0), "b": Count(1, 1), "c": Count(1, 1), "d": Count(1, 0)})
    after = Outcomes({"d": Count(1, 0), "a": Count(1, 1), "b": Count(1, 1), "c": Count(1, 0)})
    found = mcnemar(before, after)
    assert (found.gained, found.lost, found.p_two_sided) == (1, 1, 1.0)


def test_several_samples_are_refused_in_one_line() -> None:
    one, many = Outcomes({"a": Count(1, 0)}), Outcomes({"a": Count(8, 1)})
    for sides in ((one, many), (many, one), (Outcomes({"a": Count(0, 0)}), one)):
        with pytest.raises(UnsorryError, match="one sample of every problem") as caught:
            mcnemar(*sides)
        assert "\n" not in str(caught.value)
    with pytest.raises(UnsorryError, match="same problems"):
        mcnemar(one, Outcomes({"b": Count(1, 0)}))
