"""Refutations are real: found by running the statement, proved, and accepted by the strict judge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from unsorry import Problem, UnsorryError
from unsorry.judge import StrictJudge
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.disprove import disprove

LIST = """namespace My
inductive list (a : Type) where
  | nil
  | cons (head : a) (tail : list a)
  deriving DecidableEq

def append {a : Type} : list a → list a → list a
  | .nil, y => y
  | .cons x xs, y => .cons x (append xs y)
"""

FALSE = {
    "polymorphic": (LIST, "theorem My.c {a : Type} (x y : list a) : append x y = append y x"),
    "hypothesis": ("", "theorem c (n m : Nat) (h : n < m) : n + 1 < m"),
    "arrow": ("", "theorem c (n m : Nat) : n < m → m < n + 3 → m = n + 1"),
    "integers": ("", "theorem c (x : Int) : 0 ≤ x + 2"),
    "instances": (
        LIST,
        "theorem My.c {a : Type} [DecidableEq a] (x y : a) (l : list a) : (if x = y then l else .nil) = l",
    ),
    "functions": ("", "theorem c (f : Bool → Bool) (b : Bool) : f (f b) = b"),
    "predicates": ("", "theorem c (p : Nat → Bool) : p 0 = true → p 1 = true"),
    "core types": ("", "theorem c (p : Nat × Bool) (o : Option Nat) (l : List Bool) : l.length + p.1 = 0 ∨ o = none"),
    "no variables": ("", "theorem c : 2 + 2 = 5"),
    "match in the statement": ("", "theorem c (l : List Nat) : (match l with | [] => true | x :: _ => x == 0) = true"),
    "well-founded": ("def half (n : Nat) : Nat := if h : n < 2 then 0 else half (n - 2) + 1\n",
                     "theorem c (n : Nat) : half n < 2"),
    "attribute and doc": ("", "/-- Wrong. -/\n@[simp] theorem c (n : Nat) : n * n = n"),
}  # fmt: skip

NOT_REFUTED = {
    "true": ("", "theorem c (n m : Nat) : n + m = m + n"),
    "not decidable": ("", "theorem c (n : Nat) : ∃ m : Nat, n = 2 * m"),
    "only large counterexamples": ("", "theorem c (n : Nat) : n < 100"),
    "a variable of the section": ("variable (n : Nat)\n", "theorem c : n = 0"),
    "does not elaborate": ("", "theorem c (n : Nat) : n = undefined_thing"),
    "propositions": ("", "theorem c (p q : Prop) : p → q"),
}  # fmt: skip


def problem(preamble: str, statement: str) -> Problem:
    name = "My.c" if "My.c" in statement else "c"
    statement = statement.replace("My.c", "c")
    return Problem(id="c", preamble=preamble, statement=f"{statement} := by sorry", targets=(name,))


@pytest.fixture(scope="module")
def judge(embedded: Toolchain) -> Iterator[StrictJudge]:
    try:
        made = StrictJudge(embedded)
    except UnsorryError as error:
        pytest.skip(f"no strict sandbox here: {error}")
    with made:
        yield made


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted(name: str, judge: StrictJudge) -> None:
    asked = problem(*FALSE[name])
    found = disprove(asked, judge, timeout=30)
    assert found is not None
    assert found.verdict.accepted
    assert found.problem.targets == (f"{asked.targets[0]}_neg",)
    assert "¬ (" in found.problem.statement
    assert not judge.judge(asked, found.source).accepted


@pytest.mark.parametrize("name", NOT_REFUTED)
def test_nothing_else_is(name: str, judge: StrictJudge) -> None:
    assert disprove(problem(*NOT_REFUTED[name]), judge, timeout=4) is None


def test_the_witness_is_told(judge: StrictJudge) -> None:
    found = disprove(problem("", "theorem c (n m : Nat) : n ≤ m"), judge)
    assert found is not None
    assert found.witness == "n = 1, m = 0"


def test_several_targets_are_left_alone(judge: StrictJudge) -> None:
    both = Problem(id="c", statement="theorem a : 1 = 2 := by sorry\ntheorem b : 1 = 3 := by sorry", targets=("a", "b"))
    assert disprove(both, judge, timeout=5) is None
