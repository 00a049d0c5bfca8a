"""Expressions whose value, computed by native code, must be what the kernel computes from core's definitions.

The operations of `Int` are native wherever they are evaluated, and omega runs its native data functions while the
kernel checks the proof that it made from core's definitions of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

INTEGERS = ["0", "1", "(-1)", "2", "(-2)", "7", "(-7)", "12", "(-13)", f"{10**21}", f"({-(10**21) - 1})"]
LIST, CONSTRAINT, COMBINATION, PAIR = "IntList", "Constraint", "LinearCombo", "(Constraint × Coeffs)"
# how a value of each type is turned into one that prints
SHOW = {
    "Int": "{}",
    "Nat": "{}",
    LIST: "{}",
    CONSTRAINT: "(({}).1, ({}).2)",
    COMBINATION: "(({}).1, ({}).2)",
    PAIR: "((({}).1.1, ({}).1.2), ({}).2)",
}
HEADER = "open Lean.Omega\nset_option linter.all false\nset_option maxRecDepth 10000\n"


def expressions(seed: int) -> list[tuple[str, str]]:
    """(type, term) pairs: the data functions of omega on random arguments, the operations of `Int` on edge cases."""
    pick = random.Random(seed)  # noqa: S311 (test data)

    def integer() -> str:
        return f"({pick.randint(-12, 12)})"

    def natural() -> str:
        return str(pick.randint(0, 6))

    def coefficients() -> str:
        some = [0, 1, -1, pick.randint(-9, 9), pick.randint(-9, 9)]
        return str([pick.choice(some) for _ in range(pick.randint(0, 4))])

    def multiples() -> str:
        factor = pick.randint(2, 5)
        return str([factor * pick.randint(-5, 5) for _ in range(pick.randint(0, 4))])

    def bound() -> str:
        return pick.choice(["none", f"(some {integer()})"])

    def constraint() -> str:
        return f"⟨{bound()}, {bound()}⟩"

    def combination() -> str:
        return f"⟨{integer()}, {coefficients()}⟩"

    def constant() -> str:
        return f"⟨{integer()}, []⟩"

    def pair() -> str:
        return f"(⟨{bound()}, {bound()}⟩, {pick.choice([coefficients, multiples])()})"

    cases: list[tuple[str, str]] = []

    def add(type_: str, function: str, *arguments: Callable[[], str], count: int = 12) -> None:
        cases.extend((type_, " ".join([function, *(a() for a in arguments)])) for _ in range(count))

    for function in ("add", "sub"):
        add(LIST, f"IntList.{function}", coefficients, coefficients)
        add(COMBINATION, f"LinearCombo.{function}", combination, combination)
    add(LIST, "IntList.combo", integer, coefficients, integer, coefficients)
    add(LIST, "IntList.neg", coefficients, count=4)
    add(LIST, "IntList.smul", coefficients, integer)
    add(LIST, "IntList.sdiv", multiples, integer)
    add(LIST, "IntList.bmod", coefficients, natural)
    add(LIST, "IntList.set", coefficients, natural, integer)
    add("Int", "IntList.get", coefficients, natural)
    add("Int", "IntList.leading", coefficients)
    add("Nat", "IntList.gcd", multiples)
    add("Nat", "IntList.gcd", coefficients)
    add("Int", "IntList.dot", coefficients, coefficients)
    add(COMBINATION, "LinearCombo.neg", combination, count=4)
    add(COMBINATION, "LinearCombo.smul", combination, integer)
    add(COMBINATION, "LinearCombo.coordinate", natural, count=4)
    add("Int", "LinearCombo.eval", combination, coefficients)
    add(COMBINATION, "LinearCombo.mul", combination, constant)
    add(COMBINATION, "LinearCombo.mul", constant, combination)
    add(CONSTRAINT, "Constraint.combo", integer, constraint, integer, constraint, count=24)
    add(CONSTRAINT, "Constraint.combine", constraint, constraint, count=24)
    add(CONSTRAINT, "Constraint.scale", integer, constraint)
    add(CONSTRAINT, "Constraint.scale 0", constraint, count=8)
    add(CONSTRAINT, "Constraint.div", constraint, natural, count=24)
    add(CONSTRAINT, "Constraint.neg", constraint)
    add(CONSTRAINT, "Constraint.exact", integer, count=3)
    add(LIST, "bmod_coeffs", natural, natural, coefficients, count=20)
    add(PAIR, "tidy", pair, count=60)
    add(PAIR, "normalize", pair, count=30)
    for function in ("ediv", "emod", "tdiv", "tmod", "add", "sub", "mul", "gcd"):
        type_ = "Nat" if function == "gcd" else "Int"
        cases += [(type_, f"Int.{function} {a} {b}") for a in INTEGERS for b in pick.sample(INTEGERS, 6)]
    for function in ("neg", "natAbs", "toNat", "sign"):
        type_ = "Nat" if function in ("natAbs", "toNat") else "Int"
        cases += [(type_, f"Int.{function} {a}") for a in INTEGERS]
    for function in ("bmod", "bdiv"):
        cases += [("Int", f"Int.{function} {a} {b}") for a in INTEGERS for b in (0, 1, 2, 5, 6)]
    cases += [("Int", f"Int.pow {a} {b}") for a in INTEGERS[:7] for b in (0, 1, 2, 5)]
    return cases


def shown(type_: str, term: str) -> str:
    return SHOW[type_].format(*[f"({term} : {type_})"] * 3)


def evaluations(cases: list[tuple[str, str]]) -> str:
    """A file that prints one value a line, computed by native code."""
    return HEADER + "set_option interpreter.prefer_native true\n" + "".join(f"#eval {shown(t, e)}\n" for t, e in cases)


def equations(cases: list[tuple[str, str]], values: list[str]) -> str:
    """A file in which the kernel confirms these values."""

    def term(value: str) -> str:
        return re.sub(r"(?<![\d(])-(\d+)", r"(-\1)", re.sub(r"some (-?\d+)", r"(some (\1))", value))

    return HEADER + "".join(
        f"example : {shown(t, e)} = {term(v)} := by decide +kernel\n" for (t, e), v in zip(cases, values, strict=True)
    )
