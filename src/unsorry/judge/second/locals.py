"""Free variables and substitution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unsorry.judge.second.errors import Budget
from unsorry.judge.second.levels import Levels
from unsorry.lean.names import Name
from unsorry.lean.terms import App, Arena, BVar, Const, Expr, Lam, Let, Level, Pi, Proj, Sort


class Local(Expr):
    """A free variable with its type, and its value if a `let` introduced it; equal only to itself."""

    __slots__ = ("binder", "type", "value")

    def __init__(self, binder: Name, type_: Expr, value: Expr | None = None) -> None:
        self.binder = binder
        self.type = type_
        self.value = value
        self.loose = 0


class Terms:
    """Substitution over one arena; every result is shared as its inputs are."""

    def __init__(self, arena: Arena, levels: Levels, budget: Budget) -> None:
        self.arena = arena
        self.levels = levels
        self.budget = budget
        self._level_memo: dict[tuple[Expr, tuple[Level, ...]], Expr] = {}

    def instantiate(self, body: Expr, values: Sequence[Expr]) -> Expr:
        """Replace the outermost loose variables of `body`: index 0 by the last of `values`; these must be closed."""
        if body.loose == 0 or not values:
            return body
        count = len(values)
        memo: dict[tuple[Expr, int], Expr] = {}

        def go(e: Expr, depth: int) -> Expr:
            if e.loose <= depth:
                return e
            key = (e, depth)
            found = memo.get(key)
            if found is None:
                self.budget.spend()
                if isinstance(e, BVar):
                    offset = e.index - depth
                    found = values[count - 1 - offset] if offset < count else self.arena.bvar(e.index - count)
                else:
                    found = self.map(e, go, depth)
                memo[key] = found
            return found

        return go(body, 0)

    def abstract(self, e: Expr, locals_: Sequence[Local]) -> Expr:
        """The inverse of `instantiate`: the last of `locals_` becomes variable 0."""
        position = {local: len(locals_) - 1 - i for i, local in enumerate(locals_)}
        memo: dict[tuple[Expr, int], Expr] = {}

        def go(e: Expr, depth: int) -> Expr:
            if isinstance(e, Local):
                return self.arena.bvar(position[e] + depth) if e in position else e
            key = (e, depth)
            found = memo.get(key)
            if found is None:
                self.budget.spend()
                found = memo[key] = self.map(e, go, depth)
            return found

        return go(e, 0)

    def with_levels(self, e: Expr, params: tuple[Name, ...], levels: tuple[Level, ...]) -> Expr:
        """Replace universe parameters."""
        if not params:
            return e
        key = (e, levels)
        found = self._level_memo.get(key)
        if found is None:
            found = self._level_memo[key] = self._with_levels(e, dict(zip(params, levels, strict=True)))
        return found

    def _with_levels(self, root: Expr, values: Mapping[Name, Level]) -> Expr:
        memo: dict[Expr, Expr] = {}

        def go(e: Expr, depth: int) -> Expr:
            found = memo.get(e)
            if found is None:
                self.budget.spend()
                if isinstance(e, Sort):
                    found = self.arena.sort(self.levels.instantiate(e.level, values))
                elif isinstance(e, Const):
                    levels = tuple(self.levels.instantiate(level, values) for level in e.levels)
                    found = self.arena.const(e.name, levels)
                else:
                    found = self.map(e, go, depth)
                memo[e] = found
            return found

        return go(root, 0)

    def with_constants(self, root: Expr, values: Mapping[Name, Expr]) -> Expr:
        """Replace constants by closed expressions."""
        memo: dict[Expr, Expr] = {}

        def go(e: Expr, depth: int) -> Expr:
            found = memo.get(e)
            if found is None:
                self.budget.spend()
                found = values.get(e.name) if isinstance(e, Const) else None
                found = memo[e] = found or self.map(e, go, depth)
            return found

        return go(root, 0) if values else root

    def map(self, e: Expr, go, depth: int) -> Expr:  # type: ignore[no-untyped-def]
        """Rebuild `e` from its mapped children, in order; `go(child, depth)` is told how many binders it is under."""
        a = self.arena
        if isinstance(e, App):
            spine: list[Expr] = []  # long applications are common: walk them without recursion
            f: Expr = e
            while isinstance(f, App):
                spine.append(f.arg)
                f = f.fn
            r = go(f, depth)
            for x in reversed(spine):
                r = a.app(r, go(x, depth))
            return r  # type: ignore[no-any-return]
        if isinstance(e, Lam):
            return a.lam(e.binder, go(e.domain, depth), go(e.body, depth + 1))
        if isinstance(e, Pi):
            return a.pi(e.binder, go(e.domain, depth), go(e.body, depth + 1))
        if isinstance(e, Let):
            return a.let(e.binder, go(e.domain, depth), go(e.value, depth), go(e.body, depth + 1))
        if isinstance(e, Proj):
            return a.proj(e.structure, e.index, go(e.expr, depth))
        return e


def spine(e: Expr) -> tuple[Expr, list[Expr]]:
    """Head and arguments of an application."""
    args: list[Expr] = []
    while isinstance(e, App):
        args.append(e.arg)
        e = e.fn
    args.reverse()
    return e, args
