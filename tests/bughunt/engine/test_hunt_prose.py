"""Wordings of preconditions that real docs have, and wordings beside them that ask for nothing."""

from __future__ import annotations

import pytest

from unsorry.bughunt import ir
from unsorry.bughunt.docs import Contract, contract


def of(docs: str) -> Contract:
    given = (ir.Param("a", ir.U32), ir.Param("b", ir.U32), ir.Param("s", ir.I32))
    return contract(ir.Function("f", (), given, ir.U32, None, docs=docs))


@pytest.mark.parametrize(
    ("docs", "conditions"),
    [
        ("`a` is expected to be at most 256, so that the result lies between both.", ("a <= 256",)),
        ("`a` has to be at least 2.", ("a >= 2",)),
        ("`a` must not exceed 64.", ("a <= 64",)),
        ("A slot. `b` must be a power of two.", ("b.is_power_of_two()",)),
        ("`s` must be a power of two.", ()),  # there is no such method of signed numbers
    ],
)
def test_more_wordings_become_conditions(docs: str, conditions: tuple[str, ...]) -> None:
    assert of(docs).conditions == conditions


@pytest.mark.parametrize(
    "sentence",
    ["Quick if `a` is at most 16.", "`None` if `a` is at least 3.", "0 when the `a` is less than 5.",
     "Whether `b` is a power of two."],
)  # fmt: skip
def test_a_case_is_no_condition(sentence: str) -> None:
    assert of(sentence).conditions == ()


def test_of_a_sentence_half_may_be_understood() -> None:
    found = of("`a` must not be zero, and `b` must be small enough that the multiple exists.")
    assert found.conditions == ("a != 0",)
    assert len(found.unclear) == 1


@pytest.mark.parametrize(
    "sentence", ["The caller sees to it that `a` is at most 4.", "`a` must be positive, as usual."]
)
def test_what_is_understood_whole_is_not_unclear_too(sentence: str) -> None:
    found = of(sentence)
    assert found.conditions
    assert found.unclear == ()


@pytest.mark.parametrize(
    "sentence", ["It is a logic error to split among nobody.", "Terms beyond thirty years are not supported.",
                 "`b` needs to be coprime to `a`.", "A size of zero is a bug in the caller.", "`a` counts from one.",
                 "Quarter for a month from one to twelve.", "The days in `a` (1 to 12).",
                 "Of a slot that is known to exist."],
)  # fmt: skip
def test_blame_on_the_caller_restricts(sentence: str) -> None:
    assert of(f"Splits. {sentence}").unclear == (sentence,)


def test_an_overflow_that_is_told_is_about_overflow_alone() -> None:
    found = of("Sums. The total may overflow.")
    assert found.overflows == "The total may overflow."
    assert found.unclear == ()


@pytest.mark.parametrize(
    "sentence", ["Week of the month (1 to 6).", "Steps from `a` to `b`.", "Fixes bugs.", "A number from 0 to 99."]
)
def test_what_is_said_of_the_result_restricts_nothing(sentence: str) -> None:
    assert of(sentence).unclear == ()


@pytest.mark.parametrize(
    "sentence",
    ["The product may overflow, so it is computed in 64 bits.", "This can not overflow.", "`None` if it may overflow.",
     "What might overflow saturates.", "Works as expected.", "How many bytes need to be read."],
)  # fmt: skip
def test_no_overflow_is_excused(sentence: str) -> None:
    found = of(sentence)
    assert (found.overflows, found.unclear) == ("", ())
