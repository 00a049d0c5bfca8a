"""The search prover on real problems: what it returns must be a whole file that Lean accepts."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from unsorry import Problem, Prompt, Sampling
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain
from unsorry.problems.tip.importer import import_files
from unsorry.provers.search import SearchProver

SUM = """\
def sumTo : Nat → Nat
  | 0 => 0
  | n + 1 => sumTo n + (n + 1)
"""
REVERSE = """\
def app {α : Type u} : List α → List α → List α
  | [], ys => ys
  | x :: xs, ys => x :: app xs ys

def rev {α : Type u} : List α → List α
  | [] => []
  | x :: xs => app (rev xs) [x]
"""
TREE = """\
inductive Tree (α : Type) where
  | leaf
  | node (left : Tree α) (value : α) (right : Tree α)

namespace Tree
def mirror : Tree α → Tree α
  | leaf => leaf
  | node l x r => node r.mirror x l.mirror
variable {α : Type} (t : Tree α)
"""


def problem(statement: str, preamble: str = "", name: str = "t") -> Problem:
    return Problem(id="t", statement=statement, targets=(name,), preamble=preamble)


SOLVABLE = {
    "conjunction": problem("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by sorry"),
    "term": problem("theorem t (p q : Prop) : p ∨ q → q ∨ p := sorry"),
    "contraposition": problem("theorem t (p q : Prop) (h : p → q) (hq : ¬ q) : ¬ p := by\n  sorry"),
    "quantifier": problem("theorem t (α : Type) (p : α → Prop) (h : ¬ ∃ x, p x) : ∀ x, ¬ p x := by sorry"),
    "witness": problem("theorem t : ∃ n : Nat, n * n = 49 := by sorry"),
    "linear": problem("theorem t (a b c : Nat) (h : a < b) (h2 : b < c) : a + 1 < c := by sorry"),
    "parity": problem("theorem t (a b : Int) (h : 2 * a + 1 = 2 * b) : False := by sorry"),
    "library list": problem(
        "theorem t (α : Type) (xs ys : List α) : (xs ++ ys).length = ys.length + xs.length := by sorry"
    ),
    "if": problem(
        "theorem t (a b : Nat) : mx a b = mx b a := by sorry", "def mx (a b : Nat) : Nat := if a ≤ b then b else a\n"
    ),
    "match": problem(
        "theorem t (n : Nat) : f n ≤ 2 := by sorry", "def f (n : Nat) : Nat := match n with | 0 => 1 | _ => 2\n"
    ),
    "option": problem("theorem t (α : Type) (o : Option α) (h : o ≠ none) : ∃ a, o = some a := by sorry"),
    "sum": problem("theorem t (n : Nat) : 2 * sumTo n = n * (n + 1) := by\n  sorry", SUM),
    "lemma": problem("theorem t {α : Type u} (xs : List α) : rev (rev xs) = xs := by\n  sorry", REVERSE),
    "namespace": problem(
        "theorem mirror_mirror : t.mirror.mirror = t := by sorry\nend Tree", TREE, "Tree.mirror_mirror"
    ),
    "nested": problem(
        "theorem t (a b : Nat) (h : a ≤ b) : a * 2 ≤ b * 2 + 1 := by\n  have k : a * 2 ≤ b * 2 := by sorry\n  omega"
    ),
    "data with a proof": problem("def t : { n : Nat // n > 3 } := ⟨7, by sorry⟩"),
}


@pytest.mark.parametrize("name", SOLVABLE)
def test_solves(embedded: Toolchain, name: str) -> None:
    asked = SOLVABLE[name]
    result = SearchProver(toolchain=embedded).search(asked, timeout=180)
    assert result.proof, result
    run = run_lean(embedded, result.proof)
    assert run.ok, run.errors
    assert not any("sorry" in m.text for m in run.messages)
    head, _, tail = asked.source.partition("sorry")
    statement = head.rsplit("\n", 2)[-1].rsplit("by", 1)[0].rstrip()
    assert statement in result.proof  # nothing of the problem was rewritten
    assert result.proof.endswith(tail)
    assert result.proof.startswith(asked.preamble)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("def t : Nat := sorry", "data"),
        ("theorem t : True := trivial", "no sorry"),
        ("theorem t : True ∧ True := ⟨sorry, sorry⟩", "2 sorries"),
        ("theorem t : (sorry : Prop) := by trivial", "statement"),
        ("theorem t : Undefined.thing = 3 := by sorry", "elaborate"),
    ],
)
def test_refuses_what_it_cannot_take_up(embedded: Toolchain, statement: str, reason: str) -> None:
    result = SearchProver(toolchain=embedded).search(problem(statement), timeout=60)
    assert not result.proof
    assert reason in result.reason


@pytest.mark.parametrize(
    ("statement", "preamble"),
    [
        ("theorem t (a b : Nat) : a - b = b - a := by sorry", ""),
        ("theorem t (xs ys : List Nat) : app xs ys = app ys xs := by sorry", REVERSE),
        ("theorem t (α : Type) (xs : List α) : rev xs = xs := by sorry", REVERSE),
    ],
)
def test_false_statements_are_refuted(embedded: Toolchain, statement: str, preamble: str) -> None:
    result = SearchProver(toolchain=embedded).search(problem(statement, preamble), timeout=60)
    assert not result.proof
    assert result.refuted


def test_a_conjecture_beyond_it_ends_in_time_and_leaves_no_process(embedded: Toolchain) -> None:
    hard = problem("theorem t (a b c n : Nat) (h : n > 2) : a ^ n + b ^ n = c ^ n → a * b = 0 := by sorry")
    before = _children()
    start = time.monotonic()
    result = SearchProver(toolchain=embedded).search(hard, timeout=15)
    assert not result.proof
    assert result.reason
    assert time.monotonic() - start < 60  # the limit is 15; a loaded machine may need longer to stop
    assert _children() <= before


def _children() -> set[str]:
    listing = subprocess.run(
        ["ps", "-o", "pid=,comm=", "--ppid", str(_own())], capture_output=True, text=True, check=False
    )
    return {line for line in listing.stdout.splitlines() if "ps" not in line.split()[-1:]}


def _own() -> int:
    import os

    return os.getpid()


def test_same_seed_same_answer(embedded: Toolchain) -> None:
    asked = SOLVABLE["lemma"]
    # An effort, because what a time limit cuts off depends on what else the machine does.
    prover = SearchProver(toolchain=embedded, effort=600)
    first, second = (prover.search(asked, timeout=600, seed=3) for _ in range(2))
    assert first.proof
    assert first.proof == second.proof


def test_proposes_in_order_with_notes(embedded: Toolchain) -> None:
    prompts = [Prompt(SOLVABLE["linear"]), Prompt(problem("def t : Nat := sorry"))]
    solved, refused = SearchProver(toolchain=embedded).propose(prompts, n=1, sampling=Sampling(timeout=60))
    assert len(solved) == 1
    assert refused == []
    assert solved[0].cost.money == 0.0
    assert solved[0].notes["checks"] > 0


@pytest.mark.parametrize("name", ["prop_01", "prop_20", "prop_48", "prop_53"])
def test_inductive_problems(embedded: Toolchain, shared: Path, name: str) -> None:
    found = list(import_files([shared / "data" / "tip" / "isaplanner" / f"{name}.smt2"], None))
    result = SearchProver(toolchain=embedded).search(found[0].problems[0], timeout=180)
    assert result.proof, result
