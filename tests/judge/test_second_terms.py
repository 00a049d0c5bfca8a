"""Each kind of term and declaration before the second checker: agreed on, or refused by name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from seconds import Added

from unsorry.judge.second import OpinionKind
from unsorry.lean.declarations import Declaration, Kind, Safety
from unsorry.lean.names import Name
from unsorry.lean.toolchain import Toolchain

FEATURES = """
universe u v w
namespace T
theorem levels {α : Sort u} {β : α → Sort v} (f g : (a : α) → β a) (h : f = g) (a : α) : f a = g a := h ▸ rfl
def Both (α : Sort u) (β : Sort v) : Sort (imax u v) := α → β
theorem universe_of_imax (α : Sort u) (p : Prop) : Both α p = (α → p) := rfl
theorem numbers : 2 ^ 64 * 3 - 1 = 55340232221128654847 ∧ Nat.gcd 84 36 = 12 ∧ 7 / 0 = 0 ∧ 10 % 0 = 10 := by decide
theorem successor (n : Nat) : n + 3 = Nat.succ (n + 2) := rfl
theorem strings : "ab" = String.ofList ['a', 'b'] := rfl
theorem strings_differ : "ab" ≠ "ac" := by decide
theorem unicode : "∀x" ≠ "∃x" := by decide
theorem with_let (n : Nat) : (let m := n + 1; m + m) = n + 1 + (n + 1) := by show _ = _; rfl
theorem with_metadata (p : Prop) (h : p) : p := by have k : p := h; exact (show p from k)
structure S (α : Type u) where
  x : α
  n : Nat
theorem projections (a : α) (n : Nat) : (S.mk a n).x = a ∧ (S.mk a n).2 = n := ⟨rfl, rfl⟩
theorem eta (s t : S α) (h : s.x = t.x) (k : s.n = t.n) : s = t := by cases s; cases t; simp_all
theorem eta_by_definition (s : S α) : s = { x := s.x, n := s.n } := rfl
theorem eta_of_functions (f : Nat → Nat) : (fun x => f x) = f := rfl
theorem units (a b : PUnit.{u}) : a = b := rfl
theorem proofs (p : Prop) (f : p → Nat) (a b : p) : f a = f b := rfl
opaque hidden : Nat
opaque hidden_function (n : Nat) : { m : Nat // m = n } := ⟨n, rfl⟩
theorem of_opaque : hidden = hidden ∧ (hidden_function 3).1 = 3 := ⟨rfl, (hidden_function 3).2⟩
@[irreducible] def slow (n : Nat) : Nat := n + 1
theorem classical (p : Prop) : p ∨ ¬p := Classical.em p
theorem quotients (a b : Nat) (h : a % 2 = b % 2) :
    Quot.mk (fun x y : Nat => x % 2 = y % 2) a = Quot.mk _ b := Quot.sound h
theorem casts (α β : Type u) (h : α = β) (a : α) : HEq (cast h a) a := by cases h; rfl
theorem by_k (n : Nat) (h : n = n) (a : Nat) : (Eq.rec (motive := fun _ _ => Nat) a h : Nat) = a := rfl
def half : Nat → Nat | 0 => 0 | 1 => 0 | n + 2 => half n + 1
theorem structural : half 9 = 4 := rfl
def log : Nat → Nat | 0 => 0 | n + 1 => if h : (n + 1) / 2 < n + 1 then log ((n + 1) / 2) + 1 else 0
theorem well_founded : log 0 = 0 := by simp [log]
end T
"""


@pytest.fixture(scope="module")
def features(embedded: Toolchain) -> Added:
    return Added(embedded, FEATURES)


def test_every_feature_is_agreed_on(features: Added) -> None:
    opinion = features.opinion()
    assert opinion.kind is OpinionKind.AGREE, opinion
    assert opinion.checked >= 50


def test_facts_that_are_false_by_a_little(features: Added) -> None:
    """Each theorem's proof under a statement that one step of another rule would be needed for."""
    pairs = {
        "numbers": "strings", "strings": "strings_differ", "units": "proofs", "eta_by_definition": "eta",
        "by_k": "casts", "structural": "well_founded", "levels": "universe_of_imax", "of_opaque": "structural",
    }  # fmt: skip
    for name, other in pairs.items():
        wrong = replace(features[f"T.{name}"], value=features[f"T.{other}"].value)
        opinion = features.opinion(f"T.{name}", f"T.{other}", wrong=wrong)
        assert (opinion.kind, opinion.declaration) == (OpinionKind.DISAGREE, f"T.{name}"), (name, opinion)


def test_what_is_no_part_of_the_logic_is_refused_by_name(features: Added) -> None:
    good = features["T.slow"]
    for safety in (Safety.UNSAFE, Safety.PARTIAL):
        opinion = features.opinion("T.slow", wrong=replace(good, safety=safety))
        assert opinion.kind is OpinionKind.DISAGREE and f"T.slow is {safety}" in opinion.detail
    quotient = Declaration(Kind.QUOT, Name(("Q",)), (), good.type, quot="type")
    assert "built into the kernel" in features.opinion_of([quotient]).detail
    recursor = features["T.S.rec"]
    assert "no family" in features.opinion_of([recursor]).detail
    loose = replace(good, value=features.arena.bvar(0))
    assert "loose bound variable" in features.opinion("T.slow", wrong=loose).detail


def test_what_is_used_must_come_first(features: Added) -> None:
    """A circle of two, and a constant that uses itself."""
    a = features.arena
    nat = a.const(Name(("Nat",)), ())
    one, two = (Name(("T", "circle", n)) for n in (1, 2))
    first = Declaration(Kind.DEFINITION, one, (), nat, a.const(two, ()))
    second = Declaration(Kind.DEFINITION, two, (), nat, a.const(one, ()))
    assert "unknown constant" in features.opinion_of([first, second]).detail
    assert "unknown constant" in features.opinion_of([replace(first, value=a.const(one, ()))]).detail


def test_universe_parameters_are_each_declarations_own(features: Added) -> None:
    """A term that was right under one declaration's parameters is checked again under another's."""
    a = features.arena
    u = Name(("u",))
    sort = a.sort(a.param(u))
    type_ = a.sort(a.succ(a.param(u)))
    with_u = Declaration(Kind.DEFINITION, Name(("with_u",)), (u,), type_, sort)
    without = replace(with_u, name=Name(("without",)), level_params=())
    assert features.opinion_of([with_u]).kind is OpinionKind.AGREE
    assert "universe parameter u is not declared" in features.opinion_of([with_u, without]).detail
