"""Compiled files to change, each with the problem that it is judged for: proofs, and cheats that prove nothing."""

from __future__ import annotations

from dataclasses import dataclass

from unsorry import Problem
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain

FALSE = "theorem t (n : Nat) : n = 0 ∧ 1 = 2 := "
FALSE_OF_TYPE = "inductive T | a | b\ntheorem t (x : T) : x = .a ∧ 1 = 2 := "
# name: (statement up to its proof, proof)
PROOFS = {
    "logic": ("theorem t (p q : Prop) : p ∧ q → q ∧ p := ", "fun ⟨hp, hq⟩ => ⟨hq, hp⟩"),
    "arithmetic": ("theorem t (a b c : Nat) : a + b + c = b + a + c := ", "by rw [Nat.add_comm a b]"),
    "literals": ("theorem t : 12345678901234567890123 + 1 = 12345678901234567890124 := ", "rfl"),
    "text": ('theorem t : "ab" ++ "c" = "abc" := ', "by decide"),
    "universes": (
        "theorem t.{u, v} {α : Type u} {β : Type v} (f : α → β) (a b : α) : a = b → f a = f b := ", "fun h => h ▸ rfl"
    ),
    "own type": ("inductive T | a | b\ntheorem t (x : T) : x = .a ∨ x = .b := ", "by cases x <;> simp"),
    "recursion": (
        "def half : Nat → Nat\n  | 0 => 0\n  | 1 => 0\n  | n + 2 => half n + 1\ntheorem t : half 4 = 2 := ", "rfl"
    ),
    "lemma": (
        "def double (n : Nat) := n + n\ntheorem t (n : Nat) : double n = 2 * n := ",
        "by\n  unfold double\n  exact (Nat.two_mul n).symm",
    ),
}  # fmt: skip
CHEATS = {
    "sorry": (FALSE, FALSE + "by sorry"),
    "axiom": (FALSE, "axiom c : False\n" + FALSE + "c.elim"),
    "kernel off": (
        FALSE, "set_option debug.skipKernelTC true in\ntheorem w : (1 : Nat) = 2 := by decide +kernel\n"
        "theorem t (n : Nat) : n = 0 ∧ 1 = 2 := absurd w (by decide)"
    ),
    "weaker": (FALSE, "theorem t (n : Nat) : n = n ∧ 1 = 1 := ⟨rfl, rfl⟩"),
    "other name": (FALSE, "theorem s (n : Nat) : n = n ∧ 1 = 1 := ⟨rfl, rfl⟩\ntheorem u : 1 = 1 := rfl"),
    "unsafe": (FALSE, "unsafe def f : False := f\naxiom g (n : Nat) : n = 0 ∧ 1 = 2\n" + FALSE + "g n"),
    "assumption": (FALSE, "theorem t (n : Nat) (h : n = 0 ∧ 1 = 2) : n = 0 ∧ 1 = 2 := h"),
    "fewer constructors": (
        FALSE_OF_TYPE, "inductive T | a\ntheorem t (x : T) : x = .a ∧ 1 = 1 := by cases x; exact ⟨rfl, rfl⟩"
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Base:
    name: str
    problem: Problem
    data: bytes
    right: bool


def compiled(lean: Toolchain) -> list[Base]:
    """Every base, compiled by the real Lean."""
    texts = [(name, asked + "by sorry", asked + proof, True) for name, (asked, proof) in PROOFS.items()]
    texts += [(name, asked + "by sorry", text, False) for name, (asked, text) in CHEATS.items()]
    found = []
    for name, statement, text, right in texts:
        run = run_lean(lean, text, olean=True)
        assert run.olean is not None, (name, run.messages)
        found.append(Base(name, Problem(name, statement, ("t",)), run.olean, right))
    return found
