"""False statements about types whose equality nobody decided: refuted, and in as few words as a person would need."""

from __future__ import annotations

import pytest

from unsorry import Problem
from unsorry.judge import StrictJudge
from unsorry.problems.world import WorldConfig, generate
from unsorry.provers.formats import make
from unsorry.provers.formats.negation import negation
from unsorry.provers.values import Witness, compile_statement
from unsorry.scaffolds.disproof_texts import functions, readable
from unsorry.scaffolds.disprove import Refutation, disprove, lean_session

NUMBERS = """inductive N | z | s (n : N)
open N
def add : N → N → N
  | z, y => y
  | s x, y => s (add x y)
def unused (n : N) : N := add n n
"""
LISTS = """inductive L | nil | cons (x : N) (l : L)
open L
def app : L → L → L
  | nil, m => m
  | cons x l, m => cons x (app l m)
"""
CLOSED = """inductive N | z | s (n : N)
def add : N → N → N
  | .z, y => y
  | .s x, y => .s (add x y)
"""


def problem(preamble: str, statement: str, target: str = "t") -> Problem:
    return Problem(id="t", preamble=preamble, statement=f"theorem {statement} := by sorry", targets=(target,))


def refuted(asked: Problem, judge: StrictJudge) -> Refutation:
    found = disprove(asked, judge, timeout=30)
    assert found is not None
    assert found.verdict.accepted
    assert found.problem == negation(asked)
    return found


def proof(found: Refutation) -> list[str]:
    """The lines of the proof behind its `intro h`."""
    first, *lines = found.source.rsplit(":= by\n", 1)[1].rstrip().split("\n")
    assert first == "  intro h"
    return [line.strip() for line in lines]


SHORT = {
    "open constructors": (NUMBERS + LISTS, "t (l m : L) : app l m = app m l", "l = cons z nil, m = cons (s z) nil",
                          ["have h := h (cons z nil) (cons (s z) nil)", "exact nomatch h"]),
    "constructors that are not open": (CLOSED, "t (x : N) : add x .z = .z", "x = s z",
                                       ["have h := h (.s .z)", "exact nomatch h"]),
    "a hypothesis": (NUMBERS, "t (x y : N) (e : add x y = s z) : x = s z", "x = z, y = s z",
                     ["have h := h z (s z)", "simp [add] at h"]),
    "a type variable": ("inductive O (a : Type) | no | yes (x : a)\nopen O\n", "t {a : Type} (x y : O a) : x = y",
                        "x = no, y = yes false", ["have h := h no (yes false)", "exact nomatch h"]),
    "no short cut by computation": ("def half (n : Nat) : Nat := if h : n < 2 then 0 else half (n - 2) + 1\n",
                                    "t (n : Nat) : half n < 1", "n = 2", ["have h := h 2", "simp [half] at h"]),
    "no variables": (NUMBERS, "t : add z z = s z", "", ["exact nomatch h"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SHORT)
def test_the_disproof_is_short(name: str, judge: StrictJudge) -> None:
    preamble, statement, witness, lines = SHORT[name]
    found = refuted(problem(preamble, statement), judge)
    assert found.witness == witness
    assert proof(found) == lines


def test_arguments_are_whole_terms(judge: StrictJudge) -> None:
    found = refuted(problem(NUMBERS, "t (x y : N) (e : x = z) : add x y = z"), judge)
    assert found.arguments == ("N.z", "(N.s N.z)", "(by decide)")


def test_a_name_that_hides_the_witness_is_gone_around(judge: StrictJudge) -> None:
    preamble = "inductive N | h | s (n : N)\nopen N\n"
    found = refuted(problem(preamble, "t (x : N) : x = s h"), judge)
    assert found.witness == "x = h"
    assert proof(found) == ["have h := h .h", "exact nomatch h"]


def test_an_answer_holds_the_disproof_and_nothing_else(judge: StrictJudge) -> None:
    asked = problem(f"set_option maxHeartbeats 4000\n{NUMBERS}", "t (x y : N) : add x y = x")
    found = refuted(asked, judge)
    plain = make("plain")
    answer = plain.answer(asked, found.source, disproof=True, decide=True)
    assert answer == "<|disproof|> by\n  intro h\n  have h := h z (s z)\n  exact nomatch h"
    extracted = plain.extract(asked, answer)
    assert extracted.disproof and judge.judge(found.problem, extracted.source).accepted
    chat = make("goedel").answer(asked, found.source, disproof=True)
    assert chat is not None and "have h := h z (s z)\n  exact nomatch h" in chat and "maxRecDepth" not in chat


def test_most_false_statements_of_the_world_are_refuted(judge: StrictJudge) -> None:
    world = generate(WorldConfig(train=60, valid=1, test=1, guard=1, difficulties=(1, 2, 3)), 0)
    false = world.problems("train", False)[:4]
    assert false
    for asked in false:
        refuted(asked, judge)


def test_only_written_functions_that_the_statement_needs_are_unfolded(judge: StrictJudge) -> None:
    inside = problem(f"namespace My\n{NUMBERS}def twice (n : N) := add n n\n", "t (x : N) : twice x = x", "My.t")
    with lean_session(judge) as session:
        assert functions(compile_statement(inside, session)) == ["add", "twice"]


def test_witnesses_are_read_without_their_namespaces() -> None:
    pair, function = (
        "(A.pair -3 (A.l.cons «my t».x A.l.nil))",
        "(fun (x : _root_.Nat) => if x = 0 then Bool.true else 1)",
    )
    witness = Witness((pair, function), (), ("p", "f"), "t")
    assert readable(witness) == "p = pair -3 (cons x nil), f = fun (x : Nat) => if x = 0 then true else 1"
