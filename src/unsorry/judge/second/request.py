"""Terms for the second checker, rebuilt from the request that the kernel is given too (replay.encode)."""

from __future__ import annotations

from typing import Any

from unsorry.judge.second.errors import Beyond
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo, Kind, RecursorInfo, RecursorRule
from unsorry.lean.names import Name
from unsorry.lean.terms import ZERO, Arena, Expr, Level, Pi
from unsorry.lean.traversal import constants

KINDS = (Kind.AXIOM, Kind.DEFINITION, Kind.THEOREM, Kind.OPAQUE)
INDUCTIVE_STEP = 5


def declarations(request: dict[str, Any], arena: Arena) -> list[Declaration]:
    """What the steps declare, in their order; raises Beyond for a step that is no declaration of a submission's."""
    return _Rebuild(request, arena).declarations(request["steps"])


class _Rebuild:
    """Names, levels and expressions of the request's tables, in one arena."""

    def __init__(self, request: dict[str, Any], arena: Arena) -> None:
        self.arena = arena
        self.names = [Name()]
        for prefix, part in request["names"]:
            self.names.append(Name((*self.names[prefix], part)))
        self.levels: list[Level] = [ZERO]
        for row in request["levels"]:
            self.levels.append(self._level(row))
        self.exprs: list[Expr] = []
        for row in request["exprs"]:
            self.exprs.append(self._expr(row))

    def _level(self, row: list[Any]) -> Level:
        if row[0] == "s":
            return self.arena.succ(self.levels[row[1]])
        if row[0] == "p":
            return self.arena.param(self.names[row[1]])
        make = {"m": self.arena.max, "i": self.arena.imax}[row[0]]
        return make(self.levels[row[1]], self.levels[row[2]])

    def _expr(self, row: list[Any]) -> Expr:
        arena, exprs, which = self.arena, self.exprs, row[0]
        if which == "a":
            return arena.app(exprs[row[1]], exprs[row[2]])
        if which == "c":
            return arena.const(self.names[row[1]], tuple(self.levels[i] for i in row[2]))
        if which in "lp":
            return (arena.lam if which == "l" else arena.pi)(Name(), exprs[row[1]], exprs[row[2]])
        if which == "b":
            return arena.bvar(row[1])
        if which == "s":
            return arena.sort(self.levels[row[1]])
        if which == "e":
            return arena.let(Name(), exprs[row[1]], exprs[row[2]], exprs[row[3]])
        if which == "n":
            return arena.nat(int(row[1], 16))
        if which == "t":
            return arena.string(row[1])
        return arena.proj(self.names[row[1]], row[2], exprs[row[3]])

    def declarations(self, steps: list[list[Any]]) -> list[Declaration]:
        found: list[Declaration] = []
        for step in steps:
            if step[0] == INDUCTIVE_STEP:
                found += self._family(step)
            elif step[0] < len(KINDS):
                found.append(self._constant(step))
            else:
                raise Beyond("quotients are declared anew")
        return found

    def _params(self, indices: list[int]) -> tuple[Name, ...]:
        return tuple(self.names[i] for i in indices)

    def _constant(self, step: list[Any]) -> Declaration:
        kind, name, params, type_ = step[:4]
        value = self.exprs[step[4]] if len(step) > 4 else None
        hint = step[5] if KINDS[kind] is Kind.DEFINITION else "opaque"
        return Declaration(KINDS[kind], self.names[name], self._params(params), self.exprs[type_], value, hint=hint)

    def _family(self, step: list[Any]) -> list[Declaration]:
        """The constants of a family, as the file states them; whether it is recursive is seen in its constructors."""
        types = {self.names[name]: [self.names[c] for c, _ in constructors] for name, _, constructors in step[3]}
        block = tuple(types)
        fields = [domain for _, _, cs in step[3] for _, c in cs for domain in _domains(self.exprs[c])]
        recursive = any(not constants(domain).isdisjoint(block) for domain in fields)
        owner = {constructor: name for name, constructors in types.items() for constructor in constructors}
        found = []
        for which, index, params, type_, numbers, rules in step[4]:
            name = self.names[index]
            info: InductiveInfo | ConstructorInfo | RecursorInfo
            if which == 5:
                kind = Kind.INDUCTIVE
                info = InductiveInfo(numbers[0], numbers[1], block, tuple(types[name]), numbers[2], recursive, False)
            elif which == 6:
                kind = Kind.CONSTRUCTOR
                info = ConstructorInfo(owner[name], *numbers)
            else:
                kind = Kind.RECURSOR
                made = tuple(RecursorRule(self.names[c], count, self.exprs[rhs]) for count, rhs, c in rules)
                params_, indices, motives, minors, k = numbers
                info = RecursorInfo(block, params_, indices, motives, minors, made, bool(k))
            found.append(Declaration(kind, name, self._params(params), self.exprs[type_], info=info))
        return found


def _domains(type_: Expr) -> list[Expr]:
    found = []
    while isinstance(type_, Pi):
        found.append(type_.domain)
        type_ = type_.body
    return found
