"""Parity of a translation: the Imp language in Rocq, as data, against what Lean compiled of its translation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.judge import StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean.process import Unconfined
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.parity import Report, compare, parse_rocq
from unsorry.scaffolds.parity.lean import compile_lean

CASE = Path(__file__).parents[1] / "cases" / "imp"
ROCQ = (CASE / "imp.v").read_text()
LEAN = (CASE / "submission.lean").read_text()


@pytest.fixture(scope="module")
def session(embedded: Toolchain) -> Iterator[Session]:
    with Session(embedded) as opened:
        yield opened


def against(embedded: Toolchain, session: Session, lean: str, rocq: str = ROCQ) -> Report:
    return compare(parse_rocq(rocq), compile_lean(embedded, lean, Unconfined()), session.check)


def changed(*pairs: tuple[str, str]) -> str:
    text = LEAN
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def said(report: Report) -> dict[str, tuple[str, str]]:
    return {f.name: (f.word, f.detail) for f in report.findings}


def test_the_vernacular_is_read_as_data() -> None:
    rocq = parse_rocq(ROCQ)
    assert not rocq.unread
    arities = {i.name: [len(c.binders) for c in i.constructors] for i in rocq.inductives}
    assert arities == {
        "aexp": [1, 1, 2, 2, 2], "bexp": [0, 0, 2, 2, 1, 2], "com": [0, 2, 2, 3, 2], "ceval": [1, 5, 7, 7, 7, 4, 8],
    }  # fmt: skip
    assert [f.name for f in rocq.functions] == ["ident", "state", "empty_state", "update", "aeval", "beval", "plus2"]
    aeval = next(f for f in rocq.functions if f.name == "aeval")
    assert [(b.name, b.type) for b in aeval.binders] == [("st", "state"), ("a", "aexp")]  # no {struct a}
    assert [s.value for s in rocq.samples] == ["14", "0", "5", "true", "true"]
    assert {t.name: len(t.binders) for t in rocq.theorems} == {
        "update_eq": 3, "plus2_spec": 5, "ceval_deterministic": 6, "while_true_nonterm": 4,
    }  # fmt: skip


def test_mutual_types_strings_and_comments_of_a_rocq_file() -> None:
    rocq = parse_rocq(
        "Inductive a (A : Type) : Type := (* nested (* . *) *) | x : b A -> a A\n"
        "with b (A : Type) : Type := | y (s : A).\n"
        'Definition quote := "a. (* b *)"%string.\nExample e : f "a. b" = [1; 2].\nProof. a. b. Qed.\n'
        "Fixpoint even n := match n with O => true | S m => odd m end\n"
        "with odd n := match n with O => false | S m => even m end.\n"
    )
    assert [(i.name, len(i.parameters), len(i.constructors)) for i in rocq.inductives] == [("a", 1, 1), ("b", 1, 1)]
    assert [f.name for f in rocq.functions] == ["quote", "even", "odd"]
    assert [(s.term, s.value) for s in rocq.samples] == [('f "a. b"', "[1; 2]")]
    for broken in ("(* no end", 'Definition a := "no end.\n'):
        with pytest.raises(UnsorryError, match="does not end"):
            parse_rocq(broken)


def test_the_translation_of_imp_is_complete_and_its_theorems_are_judged(embedded: Toolchain, session: Session) -> None:
    lean = compile_lean(embedded, LEAN, choose("strict"))
    with StrictJudge(embedded, choose("strict")) as judge:
        report = compare(parse_rocq(ROCQ), lean, session.check, judge)
    assert report.complete, report.text()
    assert {w: report.count(w) for w in ("inductive", "constructor", "function", "sample", "theorem")} == {
        "inductive": (4, 4), "constructor": (23, 23), "function": (7, 7), "sample": (5, 5), "theorem": (4, 4),
    }  # fmt: skip
    assert said(report)["aeval"] == ("same", "the same binders in another order")
    assert "fact_com" in report.only_here and "aeval" not in report.only_here


def test_every_kind_of_difference_is_found(embedded: Toolchain, session: Session) -> None:
    report = against(embedded, session, changed(
        ("decide (aeval a1 st ≤ aeval a2 st)", "decide (aeval a1 st < aeval a2 st)"),  # a sample tells
        ("  | BTrue\n", "  | BTrue\n  | BMaybe\n"),
        ("  | .BTrue => true\n", "  | .BTrue => true\n  | .BMaybe => true\n"),
        ("E_Skip (st : state) :", "E_Skip (st : state) (n : Nat) :"), (".E_Skip st", ".E_Skip st 0"),
        ("def empty_state", "def nowhere"),
        ("simp [update]\n", "sorry\n"),
    ))  # fmt: skip
    found = said(report)
    assert not report.complete
    assert found["bexp"] == ("differs", "it has constructors that the source has not: BMaybe")
    assert found["E_Skip"][0] == "differs" and "1 binders in the source, 2 here" in found["E_Skip"][1]
    assert found["empty_state"] == ("missing", "no such declaration")
    assert found["update_eq"] == ("differs", "stated, not carried: it rests on a sorry")
    assert found["plus2_spec"][0] == "differs"  # it uses update_eq
    assert found["sample_le"][0] == "unknown"  # its state is gone: nothing is claimed of it
    assert found["ceval_deterministic"] == ("unknown", "proved, not judged")


def test_a_sample_that_computes_another_value_is_told(embedded: Toolchain, session: Session) -> None:
    lean = changed(("decide (aeval a1 st ≤ aeval a2 st)", "decide (aeval a1 st < aeval a2 st)"))
    found = said(against(embedded, session, lean))
    assert found["sample_le"] == ("differs", "Lean does not compute `true`")
    assert found["sample_not"][0] == "same"


def test_an_order_of_arguments_of_equal_type_is_told_by_the_samples(embedded: Toolchain, session: Session) -> None:
    rocq = "Definition minus (a b : nat) : nat := a - b.\nExample five : minus 7 2 = 5.\n"
    same = against(embedded, session, "def minus (a b : Nat) : Nat := a - b\n", rocq)
    swapped = against(embedded, session, "def minus (b a : Nat) : Nat := a - b\n", rocq)
    assert same.complete and not swapped.complete
    assert said(swapped)["five"][0] == "differs"


def test_a_translation_that_does_not_compile_is_one_line(embedded: Toolchain) -> None:
    with pytest.raises(UnsorryError, match="the translation does not compile: line 1: "):
        compile_lean(embedded, "def f : Nat := true\n", Unconfined())
