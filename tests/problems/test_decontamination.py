"""Nothing of an evaluation set in a training corpus: runs of tokens, elaborated statements, negations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from unsorry import Problem
from unsorry.judge.judge import StrictJudge
from unsorry.lean.process import Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.problems.decontamination import Digest, decontaminate, index, judged_digest
from unsorry.problems.world import WorldConfig, generate

NAT = "inductive N | z | s (n : N)\nopen N\ndef add : N → N → N\n  | z, y => y\n  | s x, y => s (add x y)\n"
HELD = Problem("held", "theorem t (x y : N) : add x (s y) = s (add x y) := by sorry", ("t",), preamble=NAT)
NOT = "theorem t : ¬ (∀ (x y : N), add x (s y) = s (add x y)) := by sorry"


def problem(statement: str, preamble: str = NAT) -> Problem:
    return Problem("train", statement, ("t",), preamble=preamble)


@pytest.mark.parametrize(
    "text",
    [
        HELD.source,
        "theorem other_name (n m : N) :\n  add n (s m) -- says\n  = s (add n m) := by simp",
        "def unrelated := 1\n\nlemma a (p q : N) : add p (s q) = s (add p q) := by\n  induction p <;> simp_all [add]\n",
        "theorem t (h : 1 = 1) (x y : N) : add x (s y) = s (add x y) := rfl",
    ],
)
def test_a_run_of_the_statement_is_found_whatever_its_names_and_layout(text: str) -> None:
    found = decontaminate([text], [None], index([HELD]))
    assert not found.kept
    assert [(s.index, s.problem, s.kind) for s in found.shared] == [(0, "held", "run")]


@pytest.mark.parametrize(
    "text",
    [
        NAT,  # the definitions are everybody's
        NAT + "theorem t (x y : N) : add x y = add y x := by sorry",
        "theorem t (x y : N) : add (s x) y = s (add x y) := rfl",
        "theorem t (x y : N) (l m : L) (h : p x) : q y l m := by sorry",  # shares binders of data, no more
        "",
        "-- theorem t (x y : N) : add x (s y) = s (add x y)",  # a comment teaches a reader of text, but is not read
        '"unterminated',
    ],
)
def test_what_only_looks_alike_is_kept(text: str) -> None:
    assert decontaminate([text], [None], index([HELD])).kept == (0,)


def test_comparing_whole_texts_would_miss_all_of_this() -> None:
    """Why runs of normalised tokens: a search for the statement's text finds none of the copies above."""
    copy = "theorem other_name (n m : N) :\n  add n (s m) = s (add n m) := by simp"
    assert HELD.statement.split(":=")[0].strip() not in copy
    assert not decontaminate([copy], [None], index([HELD])).kept


def test_runs_of_binders_alone_are_no_evidence() -> None:
    """A naive index of every 13 tokens would drop each problem about three lists."""
    held = Problem("h", "theorem t (x : N) (l : L) (y : N) (m : L) : f x l y m = g x l := by sorry", ("t",))
    other = "theorem t (a : N) (k : L) (b : N) (i : L) : k = k := rfl"
    assert decontaminate([other], [None], index([held])).kept == (0,)


@pytest.fixture(scope="module")
def digest(embedded: Toolchain) -> Iterator[Digest]:
    with StrictJudge(embedded, Unconfined()) as judge:
        yield judged_digest(judge.prepare)


RENAMED = """inductive Num | zero | next (n : Num)
open Num
def plus : Num → Num → Num
  | zero, y => y
  | next x, y => next (plus x y)
"""


def test_elaborated_statements_are_compared_whatever_is_renamed(digest: Digest) -> None:
    held_out = index([HELD], digest=digest, negation=lambda p: problem(NOT))
    renamed = problem("theorem t (a b : Num) : plus a (next b) = next (plus a b) := by sorry", RENAMED)
    texts = ["" for _ in range(5)]
    asked = [
        renamed,
        problem("theorem t : ∀ x y : N, add x (s y) = s (add x y) := by sorry"),
        problem(NOT),
        problem("theorem t (x y : N) : add x y = add y x := by sorry"),
        problem("theorem t (x y : N) : unknown x y := by sorry"),
    ]
    found = decontaminate(texts, asked, held_out)
    assert found.kept == (3,)
    assert [(s.index, s.kind) for s in found.shared] == [
        (0, "digest"),
        (1, "digest"),
        (2, "negation"),
        (4, "undecided"),  # what cannot be compared is not trained on
    ]
    assert found.counts == {"digest": 2, "negation": 1, "undecided": 1}
    assert held_out.text(renamed.source) is None  # the text alone would let it through


def test_an_evaluation_problem_without_a_digest_is_told(digest: Digest) -> None:
    broken = problem("theorem t (x : N) : unknown x := by sorry")
    held_out = index([broken, HELD], digest=digest)
    assert held_out.undigested == ["train"]
    assert held_out.text("theorem a (q : N) : unknown q := by rfl") is not None  # its text still protects it


def test_a_world_shares_nothing_between_its_splits_but_what_is_said_alike() -> None:
    world = generate(WorldConfig(train=120, valid=30, test=30, guard=10, false=0.0), 3)
    held_out = index([*world.problems("valid"), *world.problems("test")])
    train = world.problems("train")
    found = decontaminate([p.source for p in train], [None] * len(train), held_out)
    assert len(found.kept) > 0.8 * len(train)  # lemmas given in training problems are no held-out family
