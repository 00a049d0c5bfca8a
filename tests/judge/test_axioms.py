"""The axiom walk: through types, values, opaque values, projections, families; never by Lean's word."""

from __future__ import annotations

import pytest

from unsorry.judge import axioms
from unsorry.judge.library import Library, Scope
from unsorry.judge.reasons import Reason, Refusal
from unsorry.lean import olean
from unsorry.lean.declarations import Declaration, Kind
from unsorry.lean.names import Name
from unsorry.lean.process import run_lean
from unsorry.lean.terms import Arena
from unsorry.lean.toolchain import Toolchain

N = Name.parse
SOURCE = """
axiom A : Prop
axiom a : A
theorem plain (x y : Nat) : x + y = y + x := Nat.add_comm x y
theorem ext (f g : Nat → Nat) (h : ∀ x, f x = g x) : f = g := funext h
theorem em (p : Prop) : p ∨ ¬p := Classical.em p
opaque hidden : A := a
theorem through_opaque : True := (fun _ => True.intro) hidden
structure Box (p : Prop) where
  out : p
def box : Box A := ⟨a⟩
theorem through_box : A := box.1
inductive Tagged : Type where
  | tag (h : A)
theorem through_type (t : Tagged) : t = t := rfl
theorem hole : 1 = 2 := sorry
theorem through_hole : 1 = 2 := hole
def compiled (n : Nat) : Bool := n == 3
theorem native : compiled 3 = true := by native_decide
partial def loop (n : Nat) : Nat := loop n
unsafe def bad : Nat := bad
theorem unused : True := True.intro
"""


@pytest.fixture(scope="module")
def own(embedded: Toolchain) -> dict[Name, Declaration]:
    run = run_lean(embedded, SOURCE, olean=True)
    assert run.olean is not None, run.messages
    return olean.read(run.olean).declarations


@pytest.fixture(scope="module")
def scope(embedded: Toolchain) -> Scope:
    return Library(embedded).scope([N("Init")])


USES = {
    "plain": set(),
    "ext": {"Quot.sound"},
    "through_opaque": {"A", "a"},
    "through_box": {"A", "a"},
    "through_type": {"A"},
    "through_hole": {"sorryAx"},
    "unused": set(),
}


@pytest.mark.parametrize("name", USES)
def test_what_a_theorem_rests_on(own: dict[Name, Declaration], scope: Scope, name: str) -> None:
    assert {str(x) for x in axioms.walk([N(name)], own, scope).axioms} == USES[name]


REFUSED = {
    "through_opaque": Reason.AXIOMS_ILLEGAL,
    "through_box": Reason.AXIOMS_ILLEGAL,
    "through_type": Reason.AXIOMS_ILLEGAL,
    "hole": Reason.AXIOMS_SORRY,
    "through_hole": Reason.AXIOMS_SORRY,
    "native": Reason.AXIOMS_NATIVE,
    "bad": Reason.AXIOMS_UNSAFE,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_allowed_is_refused(own: dict[Name, Declaration], scope: Scope, name: str) -> None:
    with pytest.raises(Refusal) as caught:
        axioms.check(axioms.walk([N(name)], own, scope), scope)
    assert caught.value.reason is REFUSED[name]


@pytest.mark.parametrize("name", ["plain", "ext", "em", "unused", "loop"])
def test_the_three_axioms_are_allowed(own: dict[Name, Declaration], scope: Scope, name: str) -> None:
    used = axioms.check(axioms.walk([N(name)], own, scope), scope)
    assert set(used) <= {"propext", "Quot.sound", "Classical.choice"}


def test_an_allowed_name_that_is_not_the_librarys_is_refused(scope: Scope) -> None:
    """An axiom under an allowed name counts only if the library declares it."""
    arena = Arena()
    fake = Declaration(Kind.AXIOM, N("propext"), (), arena.const(N("False"), ()))
    own = {N("propext"): fake, N("t"): Declaration(Kind.THEOREM, N("t"), (), fake.type, arena.const(N("propext"), ()))}

    class Elsewhere:
        def __contains__(self, name: Name) -> bool:
            return False

    footprint = axioms.walk([N("t")], own, scope)
    with pytest.raises(Refusal) as caught:
        axioms.check(footprint, Elsewhere())  # type: ignore[arg-type]
    assert caught.value.reason is Reason.AXIOMS_ILLEGAL


def test_a_circle_ends(own: dict[Name, Declaration], scope: Scope) -> None:
    arena = Arena()
    false = arena.const(N("False"), ())
    circle = {
        N("x"): Declaration(Kind.THEOREM, N("x"), (), false, arena.const(N("y"), ())),
        N("y"): Declaration(
            Kind.THEOREM, N("y"), (), false, arena.app(arena.const(N("x"), ()), arena.const(N("sorryAx"), ()))
        ),
    }
    footprint = axioms.walk([N("x")], circle, scope)
    assert set(footprint.axioms) == {N("sorryAx")}
    assert footprint.reached == {N("x"), N("y")}
