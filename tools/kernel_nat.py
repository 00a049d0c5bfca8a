"""Textual copies of core's definitions of the `Nat` operations that the kernel evaluates by itself, under names that
it does not accelerate, and theorems that both agree on a grid.

The kernel trusts these names: a definition with another meaning would make it inconsistent.
"""

from __future__ import annotations

import re
from pathlib import Path

BINARY = ("add", "mul", "sub", "div", "mod", "gcd", "land", "lor", "xor", "shiftLeft", "shiftRight", "beq", "ble")
OTHERS = ("pow", "pred", "log2", "divLoop", "modLoop", "gcdLoop", "log2Loop", "bitLoop", "bitwise")
GRID = "[0, 1, 2, 3, 5, 6]"


def source(core: Path) -> str:
    """A Lean file that the kernel accepts only if core's definitions mean what the kernel computes."""
    text = (core / "Init" / "BaseTypes.lean").read_text()

    def between(first: str, last: str) -> str:
        start = text.index(first)
        return text[start : text.index(last, start)] + "\n"

    option = "set_option bootstrap.genMatcherCode false in\n"
    copy = between(option + '@[extern "lean_nat_add"]', "protected inductive Nat.le ")
    copy += between("def Nat.divLoop", "instance Nat.instDivNat")
    copy += between('@[extern "lean_nat_mod", irr', "instance Nat.instModNat")
    copy += between("def Nat.gcdLoop", "instance : AndOp Nat")
    copy = re.sub(r'@\[extern "[^"]*"(, irreducible)?\] ?', "", copy)
    copy = copy.replace(option, "").replace("@& Nat", "Nat").replace("protected ", "")
    copy = re.sub(r"/-[-!].*?-/", "", re.sub(r"\ninstance[^\n]*", "", copy), flags=re.DOTALL)
    copy = re.sub(r"^theorem .*\n(  .*\n)*", "", copy, flags=re.MULTILINE)
    for operation in BINARY + OTHERS:
        copy = re.sub(rf"\bNat\.{operation}\b", f"K.{operation}", copy)
    theorems = [f"example : ∀ a ∈ {GRID}, ∀ b ∈ {GRID}, K.{o} a b = Nat.{o} a b := by decide +kernel" for o in BINARY]
    theorems.append("example : ∀ a ∈ [0, 1, 2, 3], ∀ b ∈ [0, 1, 2, 3], K.pow a b = Nat.pow a b := by decide +kernel")
    theorems += [f"example : ∀ a ∈ {GRID}, K.{o} a = Nat.{o} a := by decide +kernel" for o in ("log2", "pred")]
    return "set_option linter.all false\n" + copy + "\n".join(theorems) + "\n"
