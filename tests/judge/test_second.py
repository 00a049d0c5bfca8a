"""The second checker agrees with Lean on what Lean accepts, and disagrees with what is wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seconds import Added

from unsorry.judge.second import OpinionKind, second_opinion
from unsorry.judge.second.errors import Budget
from unsorry.judge.second.levels import Levels
from unsorry.lean.declarations import Declaration, InductiveInfo, Kind, RecursorInfo
from unsorry.lean.names import Name
from unsorry.lean.terms import ZERO, Arena, IMax, Level, Max, Param, Succ, Zero
from unsorry.lean.toolchain import Toolchain

HONEST = """
universe u v
theorem swap (p q : Prop) : p ∧ q → q ∧ p := fun ⟨hp, hq⟩ => ⟨hq, hp⟩
inductive Tree (α : Type u) | leaf | node (l : Tree α) (x : α) (r : Tree α)
def Tree.mirror {α : Type u} : Tree α → Tree α | leaf => leaf | node l x r => node r.mirror x l.mirror
theorem Tree.mirror_mirror {α : Type u} (t : Tree α) : t.mirror.mirror = t := by induction t <;> simp_all [mirror]
inductive Vec (α : Type u) : Nat → Type u | nil : Vec α 0 | cons {n} (x : α) (xs : Vec α n) : Vec α (n + 1)
def Vec.head {α : Type u} {n} : Vec α (n + 1) → α | cons x _ => x
mutual
inductive Even : Nat → Prop | zero : Even 0 | succ {n} : Odd n → Even (n + 1)
inductive Odd : Nat → Prop | succ {n} : Even n → Odd (n + 1)
end
theorem even_four : Even 4 := .succ (.succ (.succ (.succ .zero)))
structure Point (α : Type u) where
  x : α
  y : α
theorem Point.eta {α : Type u} (p : Point α) : ⟨p.x, p.y⟩ = p := rfl
inductive W (α : Type u) (β : α → Type v) | sup (a : α) (f : β a → W α β)
def ack : Nat → Nat → Nat | 0, n => n + 1 | m + 1, 0 => ack m 1 | m + 1, n + 1 => ack m (ack (m + 1) n)
theorem big : 123456789 * 987654321 % 1000007 = 123456789 * 987654321 % 1000007 := rfl
theorem small : ∀ a b c : Fin 3, a + b + c = c + (b + a) := by decide
theorem arith (a b c : Nat) (h : a + b < c) : b < c - a := by omega
theorem unit_eta (a b : Unit) : a = b := rfl
theorem irrelevant (p : Prop) (a b : p) : a = b := rfl
theorem quotient (α : Type u) (r : α → α → Prop) (f : α → Nat) (h : ∀ a b, r a b → f a = f b) (a : α) :
    Quot.lift f h (Quot.mk r a) = f a := rfl
"""


@pytest.fixture(scope="module")
def added(embedded: Toolchain) -> Added:
    return Added(embedded, HONEST)


def test_it_agrees_with_what_lean_accepts(added: Added) -> None:
    opinion = added.opinion()
    assert opinion.kind is OpinionKind.AGREE, opinion
    assert opinion.checked > 60


def test_a_proof_of_something_else(added: Added) -> None:
    wrong = replace(added["swap"], value=added["even_four"].value)
    opinion = added.opinion("swap", "even_four", wrong=wrong)
    assert (opinion.kind, opinion.declaration) == (OpinionKind.DISAGREE, "swap")


def test_a_theorem_that_is_no_proposition(added: Added) -> None:
    wrong = Declaration(Kind.THEOREM, Name(("t",)), (), added.arena.const(Name(("Nat",)), ()), added.arena.nat(3))
    assert added.opinion("swap", "even_four", wrong=wrong).kind is OpinionKind.DISAGREE


def test_a_recursor_that_lies(added: Added) -> None:
    """Swapped rules, another K flag, other counts, another type: each is found."""
    recursor = added["Tree.rec"]
    info = recursor.info
    assert isinstance(info, RecursorInfo)
    leaf, node = info.rules
    lies = [
        replace(info, rules=(replace(leaf, rhs=node.rhs), node)),
        replace(info, rules=(node, leaf)),
        replace(info, k=True),
        replace(info, minors=1),
        replace(info, rules=(leaf,)),
    ]
    for lie in lies:
        assert added.opinion("Tree", wrong=replace(recursor, info=lie)).kind is OpinionKind.DISAGREE
    other = replace(recursor, type=added["Vec.rec"].type)
    assert added.opinion("Tree", "Vec", wrong=other).kind is OpinionKind.DISAGREE


def test_types_that_are_not_admissible(added: Added) -> None:
    """Negative occurrence, universe too low, a missing constructor: built from terms, as a forged file could hold."""
    a = added.arena
    bad, make = Name(("Bad",)), Name(("Bad", "mk"))
    me = a.const(bad, ())
    template = added["W"].info
    assert isinstance(template, InductiveInfo)
    info = replace(template, params=0, indices=0, all=(bad,), constructors=(make,), nested=0)
    from unsorry.lean.declarations import ConstructorInfo

    def declare(field, sort: Level):  # type: ignore[no-untyped-def]
        return {
            "a": Declaration(Kind.INDUCTIVE, bad, (), a.sort(sort), info=info, all=(bad,)),
            "b": Declaration(
                Kind.CONSTRUCTOR, make, (), a.pi(Name(("f",)), field, me), info=ConstructorInfo(bad, 0, 0, 1)
            ),
        }

    one = a.succ(ZERO)
    negative = a.pi(Name(("x",)), me, a.const(Name(("False",)), ()))
    assert "negative" in added.opinion("W", **declare(negative, one)).detail
    assert "universe" in added.opinion("W", **declare(a.sort(one), one)).detail


def test_an_unfinished_budget_is_undecided(added: Added) -> None:
    opinion = second_opinion(list(added.ordered.values()), added.library, added.arena, steps=100)
    assert opinion.kind is OpinionKind.UNDECIDED


def test_a_term_small_as_a_graph_and_huge_as_a_tree(added: Added) -> None:
    """h n := f (h (n-1)) (h (n-1)), 200 levels: linear work, not 2^200."""
    a = added.arena
    add, one = a.const(Name(("Nat", "add")), ()), a.const(Name(("Nat", "zero")), ())
    term = one
    for _ in range(200):
        term = a.app(a.app(add, term), term)
    nat = a.const(Name(("Nat",)), ())
    deep = Declaration(Kind.DEFINITION, Name(("deep",)), (), nat, term)
    assert second_opinion([deep], added.library, a).kind is OpinionKind.AGREE


# --- universe levels against brute force -----------------------------------------------------------------------------

ARENA = Arena()
PARAMS = [ARENA.param(Name((n,))) for n in "uv"]
levels = st.recursive(
    st.sampled_from([ZERO, *PARAMS]),
    lambda inner: st.one_of(
        st.builds(ARENA.succ, inner), st.builds(ARENA.max, inner, inner), st.builds(ARENA.imax, inner, inner)
    ),
    max_leaves=7,
)


def value(level: Level, assignment: dict[Name, int]) -> int:
    match level:
        case Zero():
            return 0
        case Succ():
            return value(level.level, assignment) + 1
        case Max():
            return max(value(level.left, assignment), value(level.right, assignment))
        case IMax():
            right = value(level.right, assignment)
            return max(value(level.left, assignment), right) if right else 0
        case Param():
            return assignment[level.name]
    raise AssertionError(level)


@given(levels, levels)
@settings(max_examples=400, deadline=None)
def test_order_of_levels_is_that_of_their_values(a: Level, b: Level) -> None:
    """Nine successors at most, so values of the parameters up to 12 tell all apart."""
    grid = [{Name(("u",)): i, Name(("v",)): j} for i in range(13) for j in range(13)]
    truth = all(value(a, g) <= value(b, g) for g in grid)
    assert Levels(ARENA, Budget(10**6, 60)).leq(a, b) is truth
