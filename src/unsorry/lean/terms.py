"""Universe levels and expressions of Lean's kernel, as immutable hash-consed values.

An `Arena` interns levels and expressions: two of them are equal exactly when they are the same object, so equality and
hashing take constant time and a term that is small as a graph stays small.  An arena may have a frozen parent, whose
values it shares.

What does not count for meaning is not part of a value: metadata is dropped, binder names are kept only as a hint for
printing (the first one seen wins), binder annotations (implicit, instance) are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from unsorry.lean.names import Name

# --- universe levels -------------------------------------------------------------------------------------------------


class Level:
    """A universe level; made by an `Arena`, compared by identity."""

    __slots__ = ()


class Zero(Level):
    __slots__ = ()


class Succ(Level):
    __slots__ = ("level",)

    def __init__(self, level: Level) -> None:
        self.level: Final = level


class Max(Level):
    __slots__ = ("left", "right")

    def __init__(self, left: Level, right: Level) -> None:
        self.left: Final = left
        self.right: Final = right


class IMax(Level):
    __slots__ = ("left", "right")

    def __init__(self, left: Level, right: Level) -> None:
        self.left: Final = left
        self.right: Final = right


class Param(Level):
    __slots__ = ("name",)

    def __init__(self, name: Name) -> None:
        self.name: Final = name


ZERO = Zero()


def level_children(level: Level) -> tuple[Level, ...]:
    """The levels directly below `level`."""
    if isinstance(level, Succ):
        return (level.level,)
    if isinstance(level, Max | IMax):
        return (level.left, level.right)
    return ()


# --- expressions -----------------------------------------------------------------------------------------------------


class Expr:
    """An expression; made by an `Arena`, compared by identity.

    `loose` is one more than the largest de Bruijn index that points outside, 0 if the expression is closed.
    """

    __slots__ = ("loose",)
    loose: int


class BVar(Expr):
    """A bound variable, by de Bruijn index."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index: Final = index
        self.loose = index + 1


class Sort(Expr):
    __slots__ = ("level",)

    def __init__(self, level: Level) -> None:
        self.level: Final = level
        self.loose = 0


class Const(Expr):
    __slots__ = ("levels", "name")

    def __init__(self, name: Name, levels: tuple[Level, ...]) -> None:
        self.name: Final = name
        self.levels: Final = levels
        self.loose = 0


class App(Expr):
    __slots__ = ("arg", "fn")

    def __init__(self, fn: Expr, arg: Expr) -> None:
        self.fn: Final = fn
        self.arg: Final = arg
        self.loose = fn.loose if fn.loose > arg.loose else arg.loose


class Lam(Expr):
    __slots__ = ("binder", "body", "domain")

    def __init__(self, binder: Name, domain: Expr, body: Expr) -> None:
        self.binder: Final = binder
        self.domain: Final = domain
        self.body: Final = body
        self.loose = max(domain.loose, body.loose - 1)


class Pi(Expr):
    __slots__ = ("binder", "body", "domain")

    def __init__(self, binder: Name, domain: Expr, body: Expr) -> None:
        self.binder: Final = binder
        self.domain: Final = domain
        self.body: Final = body
        self.loose = max(domain.loose, body.loose - 1)


class Let(Expr):
    __slots__ = ("binder", "body", "domain", "value")

    def __init__(self, binder: Name, domain: Expr, value: Expr, body: Expr) -> None:
        self.binder: Final = binder
        self.domain: Final = domain
        self.value: Final = value
        self.body: Final = body
        self.loose = max(domain.loose, value.loose, body.loose - 1)


class NatLit(Expr):
    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value: Final = value
        self.loose = 0


class StrLit(Expr):
    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value: Final = value
        self.loose = 0


class Proj(Expr):
    """Field `index` of `expr`, a value of the structure `structure`."""

    __slots__ = ("expr", "index", "structure")

    def __init__(self, structure: Name, index: int, expr: Expr) -> None:
        self.structure: Final = structure
        self.index: Final = index
        self.expr: Final = expr
        self.loose = expr.loose


def children(e: Expr) -> tuple[Expr, ...]:
    """The expressions directly below `e`, in the order of the kernel's constructor."""
    kind = type(e)  # faster than isinstance, and this is where traversals spend their time
    if kind is App:
        return (e.fn, e.arg)  # type: ignore[attr-defined]
    if kind is Lam or kind is Pi:
        return (e.domain, e.body)  # type: ignore[attr-defined]
    if kind is Let:
        return (e.domain, e.value, e.body)  # type: ignore[attr-defined]
    if kind is Proj:
        return (e.expr,)  # type: ignore[attr-defined]
    return ()


class Arena:
    """Interns levels and expressions.

    With a `parent`, values of the parent are reused; the parent must not grow afterwards (`freeze` it), or equal
    values could exist twice.
    """

    def __init__(self, parent: Arena | None = None) -> None:
        if parent is not None and not parent.frozen:
            raise ValueError("the parent of an arena must be frozen")
        self.frozen: bool = False
        # own table first; the key's first element tells the constructors apart
        self._tables: tuple[dict[object, Expr | Level], ...] = ({}, *(() if parent is None else parent._tables))

    def freeze(self) -> Arena:
        """Refuses new values from now on; returns the arena."""
        self.frozen = True
        return self

    def __len__(self) -> int:
        return sum(len(table) for table in self._tables)

    def _intern(self, key: tuple[object, ...], make: Callable[..., Expr | Level], *args: object) -> Expr | Level:
        for table in self._tables:
            found = table.get(key)
            if found is not None:
                return found
        if self.frozen:
            raise ValueError("the arena is frozen")
        made = self._tables[0][key] = make(*args)
        return made

    def succ(self, level: Level) -> Level:
        return self._intern((Succ, level), Succ, level)  # type: ignore[return-value]

    def max(self, left: Level, right: Level) -> Level:
        return self._intern((Max, left, right), Max, left, right)  # type: ignore[return-value]

    def imax(self, left: Level, right: Level) -> Level:
        return self._intern((IMax, left, right), IMax, left, right)  # type: ignore[return-value]

    def param(self, name: Name) -> Level:
        return self._intern((Param, name), Param, name)  # type: ignore[return-value]

    def bvar(self, index: int) -> Expr:
        return self._intern((BVar, index), BVar, index)  # type: ignore[return-value]

    def sort(self, level: Level) -> Expr:
        return self._intern((Sort, level), Sort, level)  # type: ignore[return-value]

    def const(self, name: Name, levels: tuple[Level, ...]) -> Expr:
        return self._intern((Const, name, levels), Const, name, levels)  # type: ignore[return-value]

    def app(self, fn: Expr, arg: Expr) -> Expr:
        return self._intern((App, fn, arg), App, fn, arg)  # type: ignore[return-value]

    def lam(self, binder: Name, domain: Expr, body: Expr) -> Expr:
        return self._intern((Lam, domain, body), Lam, binder, domain, body)  # type: ignore[return-value]

    def pi(self, binder: Name, domain: Expr, body: Expr) -> Expr:
        return self._intern((Pi, domain, body), Pi, binder, domain, body)  # type: ignore[return-value]

    def let(self, binder: Name, domain: Expr, value: Expr, body: Expr) -> Expr:
        return self._intern((Let, domain, value, body), Let, binder, domain, value, body)  # type: ignore[return-value]

    def nat(self, value: int) -> Expr:
        # Large integers with equal hashes are easily found, texts with equal hashes are not.
        key = value if value < 1 << 60 else f"{value:x}"
        return self._intern((NatLit, key), NatLit, value)  # type: ignore[return-value]

    def string(self, value: str) -> Expr:
        return self._intern((StrLit, value), StrLit, value)  # type: ignore[return-value]

    def proj(self, structure: Name, index: int, expr: Expr) -> Expr:
        return self._intern((Proj, structure, index, expr), Proj, structure, index, expr)  # type: ignore[return-value]
