"""Literals: numbers with Python's integers, where the kernel computes instead of unfolding, and strings by characters.

The functions have their standard meaning because the judge admits them only from the toolchain's own library.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import TYPE_CHECKING

from unsorry.judge.second.locals import spine
from unsorry.lean.names import Name
from unsorry.lean.terms import ZERO as LEVEL_ZERO
from unsorry.lean.terms import App, Const, Expr, NatLit, StrLit

if TYPE_CHECKING:
    from unsorry.judge.second.kernel import Kernel

MAX_SHIFT = 1 << 24  # bits; the kernel's own bound for `Nat.pow`
ZERO, SUCC = Name(("Nat", "zero")), Name(("Nat", "succ"))
OF_LIST, OF_NAT, CHAR = Name(("String", "ofList")), Name(("Char", "ofNat")), Name(("Char",))
NIL, CONS = Name(("List", "nil")), Name(("List", "cons"))
TRUE, FALSE = Name(("Bool", "true")), Name(("Bool", "false"))


def _pow(a: int, b: int) -> int | None:
    return None if b > MAX_SHIFT or a.bit_length() * b > MAX_SHIFT else int(a**b)


def _gcd(a: int, b: int) -> int:
    return gcd(a, b)


def _shift_left(a: int, b: int) -> int | None:
    return None if b > MAX_SHIFT else a << b


NAT_FUNCTIONS: dict[Name, Callable[[int, int], int | None]] = {
    Name(("Nat", name)): function
    for name, function in {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: max(0, a - b),
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a // b if b else 0,
        "mod": lambda a, b: a % b if b else a,
        "gcd": _gcd,
        "beq": lambda a, b: a == b,
        "ble": lambda a, b: a <= b,
        "land": lambda a, b: a & b,
        "lor": lambda a, b: a | b,
        "xor": lambda a, b: a ^ b,
        "shiftLeft": _shift_left,
        "shiftRight": lambda a, b: a >> b,
        "pow": _pow,
    }.items()
}
LOG2 = Name(("Nat", "log2"))


class Naturals:
    """Literals in one kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def constructor_form(self, literal: NatLit) -> Expr:
        """`Nat.zero` or `Nat.succ` of the literal before it."""
        arena = self.kernel.arena
        if literal.value == 0:
            return arena.const(ZERO, ())
        return arena.app(arena.const(SUCC, ()), arena.nat(literal.value - 1))

    def value(self, e: Expr) -> int | None:
        """The number that a weak head normal form is, if it is one."""
        if isinstance(e, NatLit):
            return e.value
        return 0 if isinstance(e, Const) and e.name == ZERO else None

    def reduce(self, e: Expr) -> Expr | None:
        """The value of a function of literals."""
        if not isinstance(e, App) or e.loose:
            return None
        head, args = spine(e)
        if not isinstance(head, Const):
            return None
        if head.name == SUCC and len(args) == 1:
            below = self.value(self.kernel.whnf(args[0]))
            return None if below is None else self.kernel.arena.nat(below + 1)
        if head.name == LOG2 and len(args) == 1:
            number = self.value(self.kernel.whnf(args[0]))
            return None if number is None else self.kernel.arena.nat(max(0, number.bit_length() - 1))
        function = NAT_FUNCTIONS.get(head.name)
        if function is None or len(args) != 2:
            return None
        left = self.value(self.kernel.whnf(args[0]))
        if left is None:
            return None
        right = self.value(self.kernel.whnf(args[1]))
        if right is None:
            return None
        result = function(left, right)
        if isinstance(result, bool):
            return self.kernel.arena.const(TRUE if result else FALSE, ())
        return None if result is None else self.kernel.arena.nat(result)

    def equal(self, a: Expr, b: Expr) -> bool | None:
        """Decides when both are literals or successors; None otherwise."""
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return x == y
        p, q = self._predecessor(a), self._predecessor(b)
        if p is not None and q is not None:
            return self.kernel.equal(p, q)
        if (p is not None and y == 0) or (q is not None and x == 0):
            return False
        return None

    def _predecessor(self, e: Expr) -> Expr | None:
        if isinstance(e, NatLit):
            return self.kernel.arena.nat(e.value - 1) if e.value else None
        if isinstance(e, App) and isinstance(e.fn, Const) and e.fn.name == SUCC:
            return e.arg
        return None


class Strings:
    """A string literal is the list of its characters."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def constructor_form(self, literal: StrLit) -> Expr:
        """`String.ofList [Char.ofNat n, ...]`."""
        arena, kernel = self.kernel.arena, self.kernel
        char = arena.const(CHAR, ())
        cons = arena.app(arena.const(CONS, (LEVEL_ZERO,)), char)
        characters = arena.app(arena.const(NIL, (LEVEL_ZERO,)), char)
        for character in reversed(literal.value):
            kernel.budget.spend()
            one = arena.app(arena.const(OF_NAT, ()), arena.nat(ord(character)))
            characters = kernel.apply(cons, [one, characters])
        return arena.app(arena.const(OF_LIST, ()), characters)

    def equal(self, a: Expr, b: Expr) -> bool:
        """Whether one is a literal and the other is made of its characters."""
        for literal, made in ((a, b), (b, a)):
            if isinstance(literal, StrLit) and isinstance(made, App):
                head = made.fn
                if isinstance(head, Const) and head.name == OF_LIST:
                    return self.kernel.equal(self.constructor_form(literal), made)
        return False
