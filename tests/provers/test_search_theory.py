"""What the search reads from Lean about a problem, and what it computes and conjectures from that."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from unsorry.lean.toolchain import Toolchain
from unsorry.provers.search.conjectures import goal_of
from unsorry.provers.search.evaluate import Evaluator
from unsorry.provers.search.exploration import Explorer
from unsorry.provers.search.goals import Goal, read_goal
from unsorry.provers.search.oracle import Candidate, Oracle
from unsorry.provers.search.symbols import symbols_of
from unsorry.provers.search.syntax import constants, show
from unsorry.provers.search.testing import test as run_samples
from unsorry.provers.search.theory import Theory

PREAMBLE = """\
inductive Chain (α : Type u) where
  | nil
  | cons (head : α) (tail : Chain α)

def app {α : Type u} : Chain α → Chain α → Chain α
  | .nil, ys => ys
  | .cons x xs, ys => .cons x (app xs ys)

def count {α : Type u} : Chain α → Nat
  | .nil => 0
  | .cons _ xs => count xs + 1

def last (d : Nat) : Chain Nat → Nat
  | .nil => d
  | .cons x .nil => x
  | .cons _ (.cons y ys) => last d (.cons y ys)

def keep {α : Type u} (p : α → Bool) : Chain α → Chain α
  | .nil => .nil
  | .cons x xs => if p x then .cons x (keep p xs) else keep p xs
"""
NAMES = ("app", "count", "last", "keep", "Chain")


@pytest.fixture(scope="module")
def oracle(embedded: Toolchain) -> Iterator[Oracle]:
    with_session = Oracle(embedded, "", PREAMBLE, "", time.monotonic() + 600)
    yield with_session
    with_session.close()


@pytest.fixture(scope="module")
def theory(oracle: Oracle) -> Theory:
    known = Theory()
    known.learn(oracle, NAMES)
    return known


def goal(oracle: Oracle, statement: str) -> Goal:
    messages, complete = oracle.run(f"example {statement} := by trace_state; sorry\n")
    assert complete, messages
    return read_goal(next(m.text for m in messages if "⊢" in m.text))[0]


def test_datatypes_come_from_their_recursor(theory: Theory) -> None:
    seq = theory.datatypes["Chain"]
    assert [c.name for c in seq.constructors] == ["Chain.nil", "Chain.cons"]
    assert seq.constructors[1].recursive == (False, True)
    assert seq.recursive


def test_functions_come_from_their_equations(theory: Theory) -> None:
    assert theory.functions["app"].matched == (1,)
    assert theory.functions["app"].recursive
    assert len(theory.functions["last"].equations) == 3
    assert theory.erased("keep") == (True, False, False)
    assert theory.unfoldable(NAMES) == ("app", "count", "keep", "last")


@pytest.mark.parametrize(
    ("statement", "holds"),
    [
        ("(xs ys : Chain Nat) : count (app xs ys) = count xs + count ys", True),
        ("(xs ys : Chain Nat) : app xs ys = app ys xs", False),
        ("{α : Type} (xs ys : Chain α) : app xs ys = app ys xs", False),
        ("(p : Nat → Bool) (xs ys : Chain Nat) : keep p (app xs ys) = app (keep p xs) (keep p ys)", True),
        ("(p : Nat → Bool) (xs : Chain Nat) : keep p xs = xs", False),
        ("(d : Nat) (xs : Chain Nat) (h : xs ≠ .nil) : last d xs = last 0 xs", True),
        ("(d : Nat) (xs : Chain Nat) : last d xs = last 0 xs", False),
        ("(a b : Nat) : a - b + b = a", False),
        ("(a b : Int) : a - b + b = a", True),
        ("(a b : Nat) (h : b ≤ a) : a - b + b = a", True),
        ("(a : Int) (h : a % 2 = 1) : a / 2 * 2 + 1 = a", True),
    ],
)
def test_small_values_decide_as_lean_would(oracle: Oracle, theory: Theory, statement: str, holds: bool) -> None:
    stated = goal(oracle, statement)
    theory.learn(oracle, stated.constants)
    tested = run_samples(Evaluator(theory), stated)
    assert tested.cases > 0
    assert (tested.witness is None) is holds


def test_values_agree_with_lean(oracle: Oracle, theory: Theory) -> None:
    """Whatever the evaluator computes for a closed term, Lean proves equal by computation."""
    evaluator = Evaluator(theory)
    for term in (
        "count (app (.cons 1 (.cons 2 .nil)) (.cons 3 .nil))",
        "last 7 (.cons 4 (.cons 5 .nil))",
        "last 7 .nil",
    ):
        stated = goal(oracle, f"(n : Nat) : n = {term}")
        value = evaluator.run(evaluator.compile(stated.conclusion.args[2]), {})  # type: ignore[union-attr]
        messages, complete = oracle.run(f"example : {term} = {value} := by decide\n")
        assert complete
        assert not [m for m in messages if m.severity == "error"]


def test_exploration_finds_laws_with_general_types(theory: Theory) -> None:
    explorer = Explorer(
        theory,
        Evaluator(theory),
        symbols_of(theory, ("app", "Chain.nil", "Chain.cons")),
        deadline=time.monotonic() + 60,
    )
    explorer.prepare()
    found = [goal_of(c) for size in (2, 3, 4, 5) for c in explorer.level(size)]
    laws = {show(g.conclusion): g for g in found if g is not None}
    unit = [
        g
        for text, g in laws.items()
        if "nil" in text and "xs1" in text and constants(g.conclusion) >= {"app", "Chain.nil"}
    ]
    assert unit
    assert all(h.type.text.startswith("Type u") for g in unit for h in g.types)  # type: ignore[union-attr]
    associativity = [text for text in laws if text.count("@app") == 4 and "nil" not in text and "cons" not in text]
    assert associativity


def test_each_candidate_is_judged_by_itself(oracle: Oracle) -> None:
    stated = goal(oracle, "(a b : Nat) (h : a < b) : a ≤ b ∧ b ≥ a")
    proved, left, failed, broken = oracle.attempt(
        [
            Candidate(stated, "omega"),
            Candidate(stated, "constructor"),
            Candidate(stated, "assumption"),
            Candidate(stated, "))) nonsense ((("),
        ]
    )
    assert proved.proved
    assert left.left is not None
    assert len(left.left) == 2
    assert failed.error and not failed.proved
    assert broken.error and not broken.proved


def test_a_candidate_cannot_pass_by_sorry(oracle: Oracle) -> None:
    stated = goal(oracle, "(a : Nat) : a = a + 1")
    (outcome,) = oracle.attempt([Candidate(stated, "skip")])
    assert not outcome.proved
