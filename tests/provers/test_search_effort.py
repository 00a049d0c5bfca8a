"""Search under a counted effort, and the short proofs that come before it."""

from __future__ import annotations

import math
import time

import pytest

from unsorry import Problem, Prompt, Sampling
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.search import SearchProver
from unsorry.provers.search.clock import Clock, OutOfTime
from unsorry.provers.search.quick import candidates
from unsorry.provers.search.statement import locate

NAT = """\
inductive N | z | s (n : N)
inductive B | on | off
open N B
def add : N → N → N
  | z, y => y
  | s x, y => s (add x y)
def opp : B → B
  | on => off
  | off => on
"""


def problem(statement: str, preamble: str = NAT) -> Problem:
    return Problem("t", statement, ("t",), preamble=preamble)


@pytest.mark.parametrize(
    ("statement", "proof"),
    [
        ("theorem t (x : N) : add z x = x := by sorry", "rfl"),
        ("theorem t (x : B) : opp (opp x) = x := by sorry", "cases x <;> rfl"),
        ("theorem t (x : N) : add x z = x := by sorry", "induction x <;> simp_all [add]"),
        ("theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b := sorry", "omega"),
        ("theorem t : 2 + 2 = 4 := by sorry", "decide"),
    ],
)
def test_easy_problems_get_the_shortest_proof_in_two_runs(embedded: Toolchain, statement: str, proof: str) -> None:
    result = SearchProver(toolchain=embedded).search(problem(statement), timeout=120)
    assert proof in result.proof, result
    assert result.checks == 2
    for source in (result.proof, *result.others):
        assert run_lean(embedded, source).ok
        assert source.startswith(NAT)


def test_other_proofs_are_of_other_kinds_and_as_many_as_asked_for(embedded: Toolchain) -> None:
    prompt = Prompt(problem("theorem t (x y : N) : add (s x) y = s (add x y) := by sorry"))
    several = SearchProver(toolchain=embedded).propose([prompt], n=3, sampling=Sampling(timeout=120))[0]
    one = SearchProver(toolchain=embedded).propose([prompt], n=1, sampling=Sampling(timeout=120))[0]
    assert len({c.text for c in several}) == len(several) == 3
    assert [c.text for c in one] == [several[0].text]


@pytest.mark.parametrize(
    "statement",
    [
        "theorem t {x : N} : x = x := by sorry",
        "@[simp] theorem t (x : N) : x = x := by sorry",
        "theorem t.{u} (α : Type u) (x : α) : x = x := by sorry",
        "theorem t (x : N) : x = x := by\n  have h : x = x := by sorry\n  exact h",
        "def t : { n : Nat // n > 3 } := ⟨7, by sorry⟩",
        "theorem t (f : N → N) (h : ∀ x, f x = x) : f z = z := by sorry",
        "theorem t : ∀ x : N, add x z = x := by sorry",
    ],
)
def test_candidates_are_made_from_any_statement(statement: str) -> None:
    found = candidates(locate(problem(statement)))
    assert len(found) <= 28
    assert all("\n" not in tactic and "sorry" not in tactic for tactic in found)


def test_no_induction_on_what_has_no_recursion() -> None:
    found = candidates(locate(problem("theorem t (x : N) (b : B) (c : Bool) : opp b = b := by sorry")))
    assert not [t for t in found if t.startswith(("induction b", "induction c"))]
    assert [t for t in found if t.startswith("induction x")]


COMM = "theorem t (x y : N) : add x y = add y x := by sorry"


def test_under_an_effort_the_outcome_is_the_same_each_time(embedded: Toolchain) -> None:
    """Also where it is cut off: the numbers of what was tried agree, which no limit of seconds can promise."""
    for effort in (120, 400):
        runs = [SearchProver(toolchain=embedded, effort=effort).search(problem(COMM), timeout=600) for _ in range(2)]
        assert (runs[0].proof, runs[0].checks, runs[0].candidates, runs[0].explored) == (
            runs[1].proof,
            runs[1].checks,
            runs[1].candidates,
            runs[1].explored,
        )
        assert bool(runs[0].proof) is (effort == 400)


def test_an_effort_ends_the_search(embedded: Toolchain) -> None:
    hard = problem("theorem t (a b c n : Nat) (h : n > 2) : a ^ n + b ^ n = c ^ n → a * b = 0 := by sorry", "")
    result = SearchProver(toolchain=embedded, effort=150).search(hard, timeout=3600)
    assert not result.proof
    assert result.candidates < 400


def test_a_small_effort_is_for_short_proofs_only(embedded: Toolchain) -> None:
    prover = SearchProver(toolchain=embedded, effort=40)
    assert prover.search(problem("theorem t (x : N) : add x z = x := by sorry"), timeout=600).proof
    failed = prover.search(problem(COMM), timeout=600)
    assert not failed.proof
    assert failed.reason == "no short proof, and nothing left for a search"


def test_a_clock_counts_seconds_or_effort() -> None:
    wall = Clock(time.monotonic(), 100.0, 0.1)
    wall.spend(1e9)
    assert 0 < wall.left(5.0) <= 5.0
    assert wall.share(0.5) == 50.0
    counted = Clock(time.monotonic(), 100.0, 0.1, budget=200)
    assert counted.now() == 0.0
    assert counted.share(0.5) == 100.0
    counted.spend(179.0)
    assert counted.left(5.0) > 5.0  # the machine may be busy: a check gets more wall time
    counted.spend(1.0)
    with pytest.raises(OutOfTime):
        counted.left(5.0)
    counted.release()  # the reserve is for the answer
    assert counted.left(5.0) > 0
    assert Clock.until(math.inf).left(3.0) == 3.0
    with pytest.raises(OutOfTime):
        Clock.until(time.monotonic() - 1).left(1.0)
