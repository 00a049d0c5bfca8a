"""Printing terms: near to Lean, bounded, on one line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry.lean import olean
from unsorry.lean.names import Name
from unsorry.lean.pretty import show, show_level, signature
from unsorry.lean.process import run_lean
from unsorry.lean.terms import ZERO, Arena, Expr, Level
from unsorry.lean.toolchain import Toolchain

PRINTED = {
    "theorem a (x y : Nat) : x + y = y + x := sorry": "∀ (x : Nat), ∀ (y : Nat), x + y = y + x",
    "theorem a (p q : Prop) : p ∧ q → q ∨ ¬p := sorry": "∀ (p : Prop), ∀ (q : Prop), p ∧ q → q ∨ ¬p",
    "theorem a (f : Nat → Nat) (h : ∀ n, f n = 0) : f (f 2) * 3 = 0 := sorry":
        "∀ (f : Nat → Nat), (∀ (n : Nat), f n = 0) → f (f 2) * 3 = 0",
    'theorem a : "x\\ny" = "" := sorry': '"x\\\\ny" = ""',
    "theorem a : (fun (n : Nat) => n) 1 = 1 := sorry": "(fun (n : Nat) => n) 1 = 1",
    "def a : Type 3 := sorry": "Type 3",
}  # fmt: skip


@pytest.mark.parametrize("text", PRINTED)
def test_types_print_as_people_write_them(embedded: Toolchain, text: str) -> None:
    run = run_lean(embedded, text, olean=True)
    assert run.olean is not None, run.messages
    printed = signature(olean.read(run.olean).declarations[Name(("a",))])
    assert printed == PRINTED[text].replace("\\\\", "\\")


def test_levels() -> None:
    arena = Arena()
    u = arena.param(Name(("u",)))
    assert show_level(ZERO) == "0"
    assert show_level(arena.succ(arena.succ(ZERO))) == "2"
    assert show_level(arena.max(arena.succ(u), ZERO)) == "(max u+1 0)"
    assert show_level(arena.imax(u, u)) == "(imax u u)"


def test_shadowed_binders_are_told_apart() -> None:
    arena = Arena()
    x, nat = Name(("x",)), arena.const(Name(("Nat",)), ())
    e = arena.lam(x, nat, arena.lam(x, nat, arena.app(arena.bvar(1), arena.bvar(0))))
    assert show(e) == "fun (x : Nat) => fun (x_1 : Nat) => x x_1"


def test_huge_and_deep_terms_are_cut() -> None:
    arena = Arena()
    wide = deep = nested = arena.const(Name(("c",)), ())
    level: Level = ZERO
    for _ in range(3000):
        wide = arena.app(wide, wide)
        deep = arena.app(deep, arena.nat(1))
        nested = arena.lam(Name(), nested, nested)
        level = arena.max(level, arena.succ(level))
    for e in (wide, deep, nested, arena.sort(level), arena.nat(1 << 100_000), arena.string("x" * 100_000)):
        assert len(show(e, 200)) <= 200


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_term_prints_on_one_bounded_line(draw: st.DataObject) -> None:
    arena = Arena()
    text = st.text(max_size=5)
    made: list[Expr] = [arena.sort(ZERO)]
    for _ in range(draw.draw(st.integers(0, 20))):
        pick = st.sampled_from(made)
        a, b, c, name = (
            draw.draw(pick),
            draw.draw(pick),
            draw.draw(pick),
            Name((draw.draw(text), draw.draw(st.integers(0, 9)))),
        )
        made.append(
            draw.draw(
                st.sampled_from(
                    (
                        arena.app(a, b),
                        arena.lam(name, a, b),
                        arena.pi(name, a, b),
                        arena.let(name, a, b, c),
                        arena.const(name, ()),
                        arena.bvar(3),
                        arena.string(draw.draw(text)),
                        arena.nat(7),
                        arena.proj(name, 1, a),
                    )
                )
            )
        )
    printed = show(made[-1], 100)
    assert len(printed) <= 100
    assert len(printed.splitlines()) <= 1
