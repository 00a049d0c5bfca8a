"""Weak head normal forms: beta, zeta, projections, and delta by unfolding definitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unsorry.judge.second.errors import Refused
from unsorry.judge.second.locals import Local, spine
from unsorry.judge.second.room import Room
from unsorry.lean.declarations import ConstructorInfo, Kind
from unsorry.lean.terms import App, Const, Expr, Lam, Let, NatLit, Pi, Proj, Sort, StrLit

if TYPE_CHECKING:
    from unsorry.judge.second.kernel import Kernel


class Reduction(Room):
    """Reduces in one kernel; remembers normal forms."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self._cores: dict[Expr, Expr] = {}
        self._normals: dict[Expr, Expr] = {}

    def core(self, e: Expr) -> Expr:
        """Weak head normal form without unfolding definitions."""
        if isinstance(e, Lam | Pi | Sort | NatLit | StrLit | Const):
            return e
        found = self._cores.get(e)
        if found is None:
            found = self._cores[e] = self._core(e)
        return found

    def _core(self, e: Expr) -> Expr:
        while True:
            self.budget.spend()
            if isinstance(e, Let):
                e = self.terms.instantiate(e.body, [e.value])
                continue
            if isinstance(e, Local) and e.value is not None:
                e = e.value
                continue
            if isinstance(e, Proj):
                reduced = self._project(e)
                if reduced is None:
                    return e
                e = reduced
                continue
            if not isinstance(e, App):
                return e
            head, args = spine(e)
            new = self.core(head) if isinstance(head, Let | Proj | Local) else head
            if isinstance(new, Lam):
                e = self.beta(new, args)
                continue
            if new is not head:
                e = self.kernel.apply(new, args)
                continue
            reduced = self.kernel.iota(head, args) if isinstance(head, Const) else None
            if reduced is None:
                return e
            e = reduced

    def beta(self, f: Expr, args: Sequence[Expr]) -> Expr:
        count = 0
        while isinstance(f, Lam) and count < len(args):
            f = f.body
            count += 1
        return self.kernel.apply(self.terms.instantiate(f, args[:count]), args[count:])

    def _project(self, e: Proj) -> Expr | None:
        value = self.whnf(e.expr)
        if isinstance(value, StrLit):
            value = self.kernel.whnf(self.kernel.strings.constructor_form(value))
        head, args = spine(value)
        if isinstance(head, Const):
            declaration = self.kernel.declaration(head.name)
            if isinstance(declaration.info, ConstructorInfo) and len(args) > declaration.info.params + e.index:
                return args[declaration.info.params + e.index]
        return None

    def unfold(self, e: Expr) -> Expr | None:
        """One step of delta at the head."""
        head, args = spine(e)
        if not isinstance(head, Const):
            return None
        declaration = self.kernel.declaration(head.name)
        if declaration.kind not in (Kind.DEFINITION, Kind.THEOREM) or declaration.value is None:
            return None
        if len(head.levels) != len(declaration.level_params):
            raise Refused(f"{head.name} has another number of universe levels")
        value = self.terms.with_levels(declaration.value, declaration.level_params, head.levels)
        return self.beta(value, args)

    def whnf(self, e: Expr) -> Expr:
        """Weak head normal form."""
        found = self._normals.get(e)
        if found is not None:
            return found
        start = e
        while True:
            e = self.core(e)
            literal = self.kernel.naturals.reduce(e)
            if literal is not None:
                e = literal
                break
            unfolded = self.unfold(e)
            if unfolded is None:
                break
            e = unfolded
        self._normals[start] = e
        return e
