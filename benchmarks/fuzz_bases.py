"""Compiled files to change, each with the problem that it is judged for: proofs, and cheats that prove nothing."""

from __future__ import annotations

from dataclasses import dataclass

from unsorry import Problem
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain

LIST = """inductive L (α : Type) where
  | nil
  | cons (a : α) (l : L α)
def L.len : L α → Nat
  | nil => 0
  | cons _ l => l.len + 1
"""
FALSE = "inductive T | a | b\ntheorem t (x : T) : x = .a ∧ 1 = 2 := "
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
    "induction": (LIST + "theorem t (l : L α) : 0 ≤ l.len := ", "Nat.zero_le _"),
    "lemma": (
        "def double (n : Nat) := n + n\ntheorem t (n : Nat) : double n = 2 * n := ",
        "by\n  unfold double\n  exact (Nat.two_mul n).symm",
    ),
}  # fmt: skip
CHEATS = {
    "sorry": FALSE + "by sorry",
    "axiom": "axiom c : False\n" + FALSE + "c.elim",
    "kernel off": "inductive T | a | b\nset_option debug.skipKernelTC true in\n"
    "theorem w : (1 : Nat) = 2 := by decide +kernel\ntheorem t (x : T) : x = .a ∧ 1 = 2 := absurd w (by decide)",
    "weaker": "inductive T | a | b\ntheorem t (x : T) : x = x ∧ 1 = 1 := ⟨rfl, rfl⟩",
    "fewer constructors": "inductive T | a\ntheorem t (x : T) : x = .a ∧ 1 = 1 := by cases x; exact ⟨rfl, rfl⟩",
    "other name": "inductive T | a | b\ntheorem s (x : T) : x = x ∧ 1 = 1 := ⟨rfl, rfl⟩\ntheorem u : 1 = 1 := rfl",
    "unsafe": "inductive T | a | b\nunsafe def f : False := f\naxiom g (x : T) : x = .a ∧ 1 = 2\n"
    "theorem t (x : T) : x = .a ∧ 1 = 2 := g x",
    "assumption": "inductive T | a | b\ntheorem t (x : T) (h : x = .a ∧ 1 = 2) : x = .a ∧ 1 = 2 := h",
}


@dataclass(frozen=True, slots=True)
class Base:
    name: str
    problem: Problem
    data: bytes
    right: bool


def compiled(lean: Toolchain) -> list[Base]:
    """Every base, compiled by the real Lean."""
    texts = [(name, asked + "by sorry", asked + proof, True) for name, (asked, proof) in PROOFS.items()]
    texts += [(name, FALSE + "by sorry", text, False) for name, text in CHEATS.items()]
    found = []
    for name, statement, text, right in texts:
        run = run_lean(lean, text, olean=True)
        assert run.olean is not None, (name, run.messages)
        found.append(Base(name, Problem(name, statement, ("t",)), run.olean, right))
    return found
