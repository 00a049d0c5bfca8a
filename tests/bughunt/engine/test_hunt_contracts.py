"""What the docs of a function are understood to ask and promise."""

from __future__ import annotations

import pytest

from unsorry.bughunt import ir
from unsorry.bughunt.docs import Contract, contract, examples, restricts

U8S = ir.Ref(False, ir.Slice(ir.U8))


def of(docs: str, **params: ir.Type) -> Contract:
    given = tuple(ir.Param(name, ty) for name, ty in (params or {"a": ir.U32, "b": ir.U32, "xs": U8S}).items())
    return contract(ir.Function("f", (), given, ir.U32, None, docs=docs))


@pytest.mark.parametrize(
    ("docs", "conditions"),
    [
        ("A mask; `a` is at most 32.", ("a <= 32",)),
        ("`a` must not be zero.", ("a != 0",)),
        ("`xs` must not be empty.", ("!xs.is_empty()",)),
        ("A quotient.\n\n# Panics\n\nPanics if `b` is 0.", ("b != 0",)),
        ("Limits.\n\n# Panics\n\nPanics if `a > b`.", ("!(a > b)",)),
        ("Month.\n\n# Panics\n\nPanics if `a` is not in `1..=12`.", ("a >= 1", "a <= 12")),
        ("Digit.\n\n# Panics\n\nPanics if `a` is greater than 15.", ("a <= 15",)),
        ("First.\n\n# Panics\n\nPanics if `xs` is empty.", ("!xs.is_empty()",)),
        ("Quotient.\n\n# Panics\n\nPanics if `b` is 0 or the result does not fit.", ()),
        ("Sum of `a` and `b`.", ()),
        ('`a` is at most `system("rm")`.', ()),
        ("`z` is at most 3.", ()),
    ],
)
def test_sentences_of_known_shape_become_conditions(docs: str, conditions: tuple[str, ...]) -> None:
    assert of(docs).conditions == conditions


def test_a_documented_panic_is_kept_as_text() -> None:
    found = of("Next.\n\n# Panics\n\nPanics if there is no greater major version.")
    assert found.panics == ("Panics if there is no greater major version.",)
    assert found.conditions == ()
    assert found.unclear == ()


@pytest.mark.parametrize(
    "sentence",
    ["The index must be that of a live entry.", "Callers ensure that it fits.", "Only valid for small graphs.", "Needs "
     "non-empty input.", "It is assumed that no item is twice in it."],
)  # fmt: skip
def test_what_may_restrict_the_inputs_is_unclear(sentence: str) -> None:
    assert of(f"Something. {sentence}").unclear == (sentence,)


@pytest.mark.parametrize(
    "sentence",
    ["`None` if that is more than fits.", "Returns an error if it must be refused.", "The sum of all items.",
     "Rounded down.", "0 for what is not positive."],
)  # fmt: skip
def test_what_tells_an_outcome_restricts_nothing(sentence: str) -> None:
    assert not restricts(sentence)


def test_totality_intent_and_order() -> None:
    assert of("Adds. Never panics.").total == "Never panics."
    assert of("Adds; wraps around at the end.").wraps
    assert not of("Adds; does not wrap around.").wraps
    assert of("Adds; saturates.").saturates
    assert of("The place of `a` in sorted `xs`.").sorted_inputs == ("xs",)
    assert of("Whether `xs` is sorted.").sorted_inputs == ()


def test_examples_are_those_that_rustdoc_runs() -> None:
    docs = (
        "F.\n\n```\n# use c::f;\nassert_eq!(f(1), 2);\n```\n\n```ignore\nnever\n```\n```text\nno code\n```\n"
        "```should_panic\nf(0);\n```\n```rust,no_run\nf(9);\n```\n~~~rust\nf(3);\n~~~\n"
    )
    found = examples(docs)
    assert [e.code for e in found] == ["use c::f;\nassert_eq!(f(1), 2);", "f(0);", "f(3);"]
    assert [e.should_panic for e in found] == [False, True, False]
    assert of(docs).panics == ()
