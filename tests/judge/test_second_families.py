"""Inductive families before the second checker: nested, mutual, indexed, as Lean accepts them; and forged ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from seconds import Added

from unsorry.judge.second import OpinionKind
from unsorry.lean.declarations import Declaration, InductiveInfo, RecursorInfo
from unsorry.lean.names import Name
from unsorry.lean.toolchain import Toolchain

NESTED = """
universe u v
namespace N
inductive Rose (α : Type u) | node (x : α) (children : List (Rose α))
inductive Twice | leaf | node (a : List Twice) (b : Option (List Twice)) (c : List Twice)
inductive Under | mk (f : Nat → List Under) (g : Nat → Nat)
inductive Functions | mk (fs : List (Nat → Functions))
inductive Vec (α : Type u) : Nat → Type u | nil : Vec α 0 | cons {n} (x : α) (xs : Vec α n) : Vec α (n + 1)
inductive Indexed | mk (n : Nat) (v : Vec Indexed n)
inductive Pairs (α : Type u) | mk (p : List (Nat × Pairs α)) (q : Nat → α × Pairs α) | end
inductive Pair (α : Type u) (β : Type v) | mk (a : α) (b : β)
inductive OfPairs | stop | go (p : Pair OfPairs (List OfPairs))
mutual
inductive Red (α : Type u) | nil | cons (x : α) (b : Black α)
inductive Black (α : Type u) | cons (x : α) (r : Red α)
end
inductive InMutual | leaf | node (r : Red InMutual) (b : Black InMutual)
mutual
inductive Term | var (n : Nat) | app (f : Nat) (args : List Term) | binds (p : Option Formula)
inductive Formula | atom (t : Term) | all (fs : List (List Formula)) | not (f : Formula)
end
inductive InNested | mk (t : Rose InNested)
inductive Proof : Prop | and (h : Nat → Proof ∧ Proof) | or (h : Proof ∨ Proof) | stop
inductive WithIndex (α : Type u) : Nat → Type u | mk (n : Nat) (xs : List (WithIndex α 3)) : WithIndex α n
structure Tree where
  label : Nat
  children : List Tree
def Rose.size {α : Type u} : Rose α → Nat | node _ cs => 1 + sizes cs
where sizes : List (Rose α) → Nat | [] => 0 | c :: cs => c.size + sizes cs
theorem Rose.size_pos {α : Type u} (t : Rose α) : 0 < t.size := by cases t; simp [Rose.size]; omega
theorem Tree.computes : (Rose.node 1 [.node 2 [], .node 3 []]).size = 3 := rfl
end N
"""

FLAT = """
namespace F
universe u v w
inductive Empty' : Type u
inductive Acc' {α : Sort u} (r : α → α → Prop) : α → Prop | intro (x : α) (h : (y : α) → r y x → Acc' r y) : Acc' r x
inductive Eq' {α : Sort u} (a : α) : α → Prop | refl : Eq' a a
inductive HEq' {α : Sort u} (a : α) : {β : Sort u} → β → Prop | refl : HEq' a a
inductive Ex {α : Sort u} (p : α → Prop) : Prop | intro (w : α) (h : p w) : Ex p
inductive Sub {α : Sort u} (p : α → Prop) : Sort (max 1 u) | mk (val : α) (property : p val)
inductive Both (a b : Prop) : Prop | intro (left : a) (right : b)
inductive Squash (α : Type u) : Prop | mk (a : α)
inductive Fin' : Nat → Type | zero {n} : Fin' (n + 1) | succ {n} (i : Fin' n) : Fin' (n + 1)
inductive Big : Type 1 | mk (α : Type) (f : α → Big)
inductive Poly (α : Type u) (β : α → Type v) : Type (max u v) | mk (a : α) (f : β a → Poly α β) (g : Nat → β a)
inductive ByLet : Type | mk (x : let n := Nat; n) (y : ByLet)
inductive Reducible : Type | mk (x : (fun t : Type => t) Nat) (f : id Nat → Reducible)
structure Class' (α : Type u) (β : Type v) where
  f : α → β
  g : β → α
  h : ∀ x, g (f x) = x
inductive Zero : Prop | a | b
inductive Ty | base | arrow (a b : Ty)
inductive Tm : List Ty → Ty → Type
  | app {Γ a b} (f : Tm Γ (.arrow a b)) (x : Tm Γ a) : Tm Γ b | lam {Γ a b} (t : Tm (a :: Γ) b) : Tm Γ (.arrow a b)
end F
"""


@pytest.fixture(scope="module")
def nested(embedded: Toolchain) -> Added:
    return Added(embedded, NESTED)


def test_nested_families_are_as_lean_makes_them(nested: Added) -> None:
    opinion = nested.opinion()
    assert opinion.kind is OpinionKind.AGREE, opinion
    families = [d.info for d in nested.mine.values() if isinstance(d.info, InductiveInfo)]
    assert {info.nested for info in families} >= {0, 1, 2, 3}


def test_other_families_are_as_lean_makes_them(embedded: Toolchain) -> None:
    opinion = Added(embedded, FLAT).opinion()
    assert opinion.kind is OpinionKind.AGREE, opinion


def change(added: Added, name: str, /, **fields: object) -> Declaration:
    declaration = added[name]
    assert declaration.info is not None
    return replace(declaration, info=replace(declaration.info, **fields))  # type: ignore[arg-type]


def test_lies_about_a_nested_family(nested: Added) -> None:
    """Counts, names and rules that are another family's; each is found."""
    first, second = nested["N.Twice.rec_1"].info, nested["N.Twice.rec_2"].info
    assert isinstance(first, RecursorInfo) and isinstance(second, RecursorInfo)
    lies = [
        change(nested, "N.Rose", nested=0),
        change(nested, "N.Twice", nested=3),
        change(nested, "N.Twice.rec_1", rules=second.rules),
        change(nested, "N.Twice.rec_1", rules=first.rules[::-1]),
        change(nested, "N.Twice.rec_2", motives=second.motives + 1),
        replace(nested["N.Twice.rec_1"], type=nested["N.Twice.rec_2"].type),
        replace(nested["N.InMutual.rec_1"], type=nested["N.InMutual.rec_2"].type),
        replace(nested["N.Rose.rec"], level_params=nested["N.Rose.rec"].level_params[::-1]),
    ]
    for lie in lies:
        opinion = nested.opinion("N.Twice", "N.Rose", "N.InMutual", lie=lie)
        assert opinion.kind is OpinionKind.DISAGREE, (lie.name, opinion)


def test_a_family_that_is_nested_where_it_must_not_be(nested: Added) -> None:
    """Left of an arrow, at a parameter that depends on a field, and in a type that is negative in its parameter."""
    a = nested.arena
    rose = nested["N.Twice"]
    con = nested["N.Twice.node"]
    me, listed = a.const(rose.name, ()), a.const(Name(("List",)), (nested.zero,))
    nat, field = a.const(Name(("Nat",)), ()), Name(("x",))

    def node(type_):  # type: ignore[no-untyped-def]
        lie = replace(con, type=a.pi(field, type_, a.pi(field, nat, a.pi(field, nat, me))))
        return nested.opinion("N.Twice", "N.Vec", lie=lie, count=change(nested, "N.Twice", nested=1))

    assert "negative" in node(a.pi(field, a.app(listed, me), nat)).detail
    vec = a.app(a.const(Name(("N", "Vec")), (nested.zero,)), a.app(listed, me))
    assert node(a.app(vec, nat)).kind is OpinionKind.DISAGREE  # an index of another type
    arrow = a.app(listed, a.pi(field, me, me))
    assert "negative" in node(arrow).detail
    depends = a.app(listed, a.app(a.lam(field, nat, me), a.bvar(0)))
    assert "depends on a variable" in node(a.pi(field, nat, depends)).detail


def test_two_recursors_of_one_number(nested: Added) -> None:
    """A recursor that is missing, and one too many."""
    family = {name: d for name, d in nested.ordered.items() if name[:2] == ("N", "Twice") and d.info is not None}
    assert nested.opinion_of(family.values()).kind is OpinionKind.AGREE
    rest = {name: d for name, d in family.items() if name != Name.parse("N.Twice.rec_2")}
    assert nested.opinion_of(rest.values()).kind is OpinionKind.DISAGREE
    extra = replace(nested["N.Twice.rec_2"], name=Name.parse("N.Twice.rec_9"))
    assert nested.opinion("N.Twice", extra=extra).kind is OpinionKind.DISAGREE
