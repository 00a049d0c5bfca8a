"""Sorries that may remain: only the statement's own, and only when asked for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from unsorry import Problem, Status
from unsorry.judge import Reason, StrictJudge, holes
from unsorry.judge.axioms import SORRY
from unsorry.judge.reasons import Refusal
from unsorry.lean import traversal
from unsorry.lean.declarations import Declaration, Kind
from unsorry.lean.names import Name
from unsorry.lean.terms import Arena, Expr

HEAD = "theorem t (a b c : Nat) (h : a < b) : a + 1 ≤ b ∧ b + c = c + b ∧ ∃ n, n > a"
BODY = """ := by
  refine ⟨?_, ?_, ?_⟩
  · {0}
  · have e : b + c = c + b := by {1}
    exact e
  · {2}
"""
FILLED = ("omega", "omega", "exact ⟨a + 1, by omega⟩")
PROBLEM = Problem("t", HEAD + BODY.format("sorry", "sorry", "sorry"), ("t",))
CASES = Problem(
    "c",
    "theorem s : ∀ n : Nat, n + 0 = n ∧ 0 + n = n := by\n  intro n\n  induction n with\n"
    "  | zero => sorry\n  | succ n ih => sorry",
    ("s",),
)


@pytest.mark.parametrize("which", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2)])
def test_a_partial_proof_is_accepted_when_asked(judge: StrictJudge, which: tuple[int, ...]) -> None:
    text = HEAD + BODY.format(*(FILLED[i] if i in which else "sorry" for i in range(3)))
    verdict = judge.judge(PROBLEM, text, open_holes=True)
    assert (verdict.status, verdict.reason) == (Status.ACCEPTED, Reason.ACCEPTED_WITH_HOLES), verdict
    assert f"{3 - len(which)} of 3" in verdict.message
    assert "sorryAx" in verdict.axioms
    assert verdict.certificate is not None and verdict.certificate["open_holes"] == 3 - len(which)
    assert judge.judge(PROBLEM, text).reason == Reason.AXIOMS_SORRY


def test_a_full_proof_has_no_holes(judge: StrictJudge) -> None:
    verdict = judge.judge(PROBLEM, HEAD + BODY.format(*FILLED), open_holes=True)
    assert verdict.reason == Reason.ACCEPTED, verdict
    assert "sorryAx" not in verdict.axioms


def test_cases_of_an_induction_are_filled_one_by_one(judge: StrictJudge) -> None:
    for before in ("zero => sorry", "succ n ih => sorry"):
        text = CASES.statement.replace(before, before.replace("sorry", "simp"))
        verdict = judge.judge(CASES, text, open_holes=True)
        assert verdict.reason == Reason.ACCEPTED_WITH_HOLES, verdict


HOSTILE = {
    "another goal": HEAD + " := by\n  have f : False := sorry\n  exact f.elim",
    "the whole goal": HEAD + " := by sorry",
    "the same goal twice": HEAD
    + " := by\n  refine ⟨?_, ?_, ?_⟩\n  · sorry\n  · have e : b + c = c + b := by sorry\n    exact e\n"
    "  · exact (⟨b, sorry⟩ : ∃ n, n > a)",
    "a weaker context": "theorem t (a b c : Nat) (h : a < b) : a + 1 ≤ b ∧ b + c = c + b ∧ ∃ n, n > a := by\n"
    "  have k : ∀ a b : Nat, a + 1 ≤ b := by intro a b; sorry\n"
    "  exact ⟨k a b, by omega, ⟨a + 1, by omega⟩⟩",
    "a lemma": "theorem l (a b : Nat) (h : a < b) : a + 1 ≤ b := sorry\n"
    + HEAD
    + BODY.format("exact l a b h", "omega", "sorry"),
    "an axiom": "axiom cheat : False\n" + HEAD + BODY.format("exact cheat.elim", "sorry", "sorry"),
    "sorry as a function": HEAD + " := by\n  have f := @sorryAx\n  exact f _ true",
    "sorry in a type": HEAD + " := by\n  have f : (sorry : Prop) := sorry\n  exact sorry",
}


@pytest.mark.parametrize("case", HOSTILE, ids=lambda c: c.replace(" ", "-"))
def test_other_sorries_are_refused(judge: StrictJudge, case: str) -> None:
    verdict = judge.judge(PROBLEM, HOSTILE[case], open_holes=True)
    assert verdict.status is Status.REJECTED, verdict
    assert verdict.reason in (Reason.AXIOMS_SORRY, Reason.AXIOMS_ILLEGAL, Reason.COMPILE_FAILED), verdict


def test_a_goal_must_mean_the_same(judge: StrictJudge) -> None:
    """The goal that stays open mentions a definition; the submission gives it another value."""
    problem = Problem(
        "p",
        "def P : Prop := 1 = 2\ntheorem u : (P → P) ∧ (P ∨ True) := by\n"
        "  have h : P → P := by sorry\n  exact ⟨h, by sorry⟩",
        ("u",),
    )
    changed = problem.statement.replace("1 = 2", "1 = 1").replace(
        "P ∨ True) := by\n  have h : P → P := by sorry", "P ∨ True) := by\n  have h : P → P := by exact id"
    )
    assert judge.judge(problem, changed, open_holes=True).reason == Reason.DEFINITION_DIFFERS
    inside = Problem(
        "q",
        "def Q : Nat → Prop := fun n => n = n + 1\ntheorem v : True ∧ True := by\n"
        "  have h : Q 0 := by sorry\n  have k : 1 + 1 = 2 := by sorry\n  exact ⟨trivial, trivial⟩",
        ("v",),
    )
    other = inside.statement.replace("n = n + 1", "n = n").replace("1 + 1 = 2 := by sorry", "1 + 1 = 2 := by rfl")
    assert judge.judge(inside, other, open_holes=True).reason == Reason.DEFINITION_DIFFERS
    same = inside.statement.replace("1 + 1 = 2 := by sorry", "1 + 1 = 2 := by rfl")
    assert judge.judge(inside, same, open_holes=True).reason == Reason.ACCEPTED_WITH_HOLES


class Library:
    """`sorryAx` and nothing else."""

    def __contains__(self, name: Name) -> bool:
        return name == SORRY

    def trail(self, name: Name) -> Any:
        return SimpleNamespace(axioms=(SORRY,), unsafe=())


def checked(arena: Arena, values: dict[str, Expr], targets: tuple[str, ...]) -> tuple[int, int]:
    """`check_holes` of declarations with these values that are the statement too."""
    named = {Name((n,)): value for n, value in values.items()}
    own = {n: Declaration(Kind.THEOREM, n, (), arena.const(Name(("P",)), ()), value) for n, value in named.items()}
    module: Any = SimpleNamespace(declarations=own, arena=arena)
    statement: Any = SimpleNamespace(module=module, targets=tuple(Name((t,)) for t in targets))
    library: Any = Library()
    return holes.check_holes(statement, module, frozenset(own), library)


def chain(arena: Arena, end: Expr, length: int) -> Expr:
    f = arena.const(Name(("f",)), ())
    for _ in range(length):
        end = arena.app(f, end)
    return end


def sorry(arena: Arena, goal: Expr) -> Expr:
    return arena.app(arena.const(SORRY, ()), goal)


def test_terms_that_many_declarations_share_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    arena, calls = Arena(), [0]

    def children(e: Expr) -> tuple[Expr, ...]:
        calls[0] += 1
        return original(e)

    original = traversal.children
    monkeypatch.setattr(traversal, "children", children)
    monkeypatch.setattr(holes, "children", children)
    p = arena.const(Name(("P",)), ())
    shared = chain(arena, p, 1000)
    values: dict[str, Expr] = {f"l{i}": arena.app(shared, arena.nat(i)) for i in range(300)}
    values |= {f"t{i}": arena.app(arena.app(shared, arena.nat(i)), sorry(arena, p)) for i in range(300)}
    targets = tuple(name for name in values if name.startswith("t"))
    assert checked(arena, values, targets) == (300, 300)
    assert 1_000 < calls[0] < 100_000  # of 600,000 and more, were each declaration walked alone


@pytest.mark.parametrize("first", ["l", "t"])
def test_a_sorry_that_a_lemma_shares_with_a_target_is_refused(first: str) -> None:
    """However they come: what a target may hold is no leave for a lemma."""
    arena = Arena()
    p = arena.const(Name(("P",)), ())
    values = {name: chain(arena, sorry(arena, p), 3) for name in (first, *{"l", "t"} - {first})}
    with pytest.raises(Refusal, match="l uses sorry outside the target") as refused:
        checked(arena, values, ("t",))
    assert (refused.value.reason, refused.value.target) == (Reason.AXIOMS_SORRY, "l")


def test_a_goal_under_many_unused_definitions_is_undecided_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def value(depth: int, length: int) -> Expr:
        nat = arena.const(Name(("Nat",)), ())
        body = sorry(arena, chain(arena, arena.bvar(depth), length))
        for _ in range(depth):
            body = arena.let(Name(("x",)), nat, arena.nat(0), body)
        return arena.lam(Name(("y",)), nat, body)

    arena = Arena()
    monkeypatch.setattr(holes, "MAX_STEPS", 50_000)
    assert checked(arena, {"t": value(20, 20)}, ("t",)) == (1, 1)
    with pytest.raises(Refusal, match="t has sorries too many") as refused:
        checked(arena, {"t": value(300, 300)}, ("t",))
    assert (refused.value.reason, refused.value.target) == (Reason.HOLES_LIMIT, "t")
    assert refused.value.verdict().status is Status.UNDECIDED


def test_a_sorry_in_too_many_places_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    arena = Arena()
    tree = sorry(arena, arena.const(Name(("P",)), ()))
    for _ in range(40):
        tree = arena.app(tree, tree)
    monkeypatch.setattr(holes, "MAX_STEPS", 50_000)
    with pytest.raises(Refusal) as refused:
        checked(arena, {"t": tree}, ("t",))
    assert refused.value.verdict().status is Status.UNDECIDED
