"""A kernel for Lean's logic, after its published rules (Carneiro, The Type Theory of Lean, 2019), in four rooms.

infer.py finds types, whnf.py and iota.py reduce, defeq.py compares; they call each other through this class.  Where a
fact needs something that is not here, the answer is `Beyond`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from unsorry.judge.second.defeq import Equality
from unsorry.judge.second.errors import Budget, Refused
from unsorry.judge.second.infer import Types
from unsorry.judge.second.iota import Recursion
from unsorry.judge.second.levels import Levels
from unsorry.judge.second.literals import Naturals, Strings
from unsorry.judge.second.locals import Local, Terms
from unsorry.judge.second.whnf import Reduction
from unsorry.lean.declarations import Declaration, InductiveInfo
from unsorry.lean.names import Name
from unsorry.lean.terms import Arena, Const, Expr, Level, Sort


class Kernel:
    """Checks expressions against an environment of declarations that it is given."""

    def __init__(self, arena: Arena, find: Callable[[Name], Declaration | None], budget: Budget) -> None:
        self.arena = arena
        self.budget = budget
        self.params: tuple[Name, ...] = ()  # universe parameters in scope
        self.extra: dict[Name, Declaration] = {}  # made while a nested family is checked
        self._find = find
        self._known: dict[Name, Declaration] = {}
        self.levels = Levels(arena, budget)
        self.terms = Terms(arena, self.levels, budget)
        self.naturals = Naturals(self)
        self.strings = Strings(self)
        types, reduction, equality = Types(self), Reduction(self), Equality(self)
        self.infer = types.infer
        self.core, self.whnf, self.beta, self.unfold = (
            reduction.core,
            reduction.whnf,
            reduction.beta,
            reduction.unfold,
        )
        self.iota = Recursion(self).iota
        self.equal = equality.equal

    def find(self, name: Name) -> Declaration | None:
        found = self._known.get(name) or self.extra.get(name)
        if found is None:
            found = self._find(name)
            if found is not None:
                self._known[name] = found
        return found

    def forget(self, names: Iterable[Name]) -> None:
        """Ask again for these declarations when they are next needed."""
        for name in names:
            self._known.pop(name, None)

    def declaration(self, name: Name) -> Declaration:
        found = self.find(name)
        if found is None:
            raise Refused(f"unknown constant {name}")
        return found

    def sort_of(self, type_: Expr, *, check: bool = True) -> Level:
        """The universe of a type."""
        sort = self.whnf(self.infer(type_, check=check))
        if not isinstance(sort, Sort):
            raise Refused("a type was expected")
        return sort.level

    def is_proposition(self, type_: Expr) -> bool:
        sort = self.whnf(self.infer(type_, check=False))
        return isinstance(sort, Sort) and self.levels.is_zero(sort.level)

    def structure_constructor(self, head: Expr) -> Declaration | None:
        """The constructor, if `head` is a type with one constructor and no indices."""
        if not isinstance(head, Const):
            return None
        declaration = self.find(head.name)
        if declaration is None or not isinstance(declaration.info, InductiveInfo):
            return None
        info = declaration.info
        if len(info.constructors) != 1 or info.indices:
            return None
        return self.find(info.constructors[0])

    def apply(self, f: Expr, args: Sequence[Expr]) -> Expr:
        for arg in args:
            f = self.arena.app(f, arg)
        return f

    def pis(self, locals_: Sequence[Local], body: Expr) -> Expr:
        """The function type over the locals."""
        return self._close(self.arena.pi, locals_, body)

    def lambdas(self, locals_: Sequence[Local], body: Expr) -> Expr:
        """The function of the locals."""
        return self._close(self.arena.lam, locals_, body)

    def _close(self, make: Callable[[Name, Expr, Expr], Expr], locals_: Sequence[Local], body: Expr) -> Expr:
        body = self.terms.abstract(body, locals_)
        for i in range(len(locals_) - 1, -1, -1):
            body = make(locals_[i].binder, self.terms.abstract(locals_[i].type, locals_[:i]), body)
        return body
