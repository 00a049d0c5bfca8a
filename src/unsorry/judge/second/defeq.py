"""Definitional equality: congruence, proof irrelevance, eta for functions and structures, unit types, lazy delta."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.judge.second.locals import Local, spine
from unsorry.judge.second.room import Room
from unsorry.lean.declarations import ConstructorInfo, InductiveInfo, Kind
from unsorry.lean.terms import Const, Expr, Lam, NatLit, Pi, Proj, Sort, StrLit

if TYPE_CHECKING:
    from unsorry.judge.second.kernel import Kernel


class Equality(Room):
    """Decides equality in one kernel; remembers the answers."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self._equal: set[tuple[Expr, Expr]] = set()
        self._unequal: set[tuple[Expr, Expr]] = set()

    def equal(self, a: Expr, b: Expr) -> bool:
        """Whether two well-typed expressions are definitionally equal."""
        if a is b:
            return True
        self.budget.spend()
        quick = self._quick(a, b)
        if quick is not None:
            return quick
        if (a, b) in self._equal:
            return True
        if (a, b) in self._unequal:
            return False
        result = self._equal_slow(a, b)
        (self._equal if result else self._unequal).add((a, b))
        return result

    def _quick(self, a: Expr, b: Expr) -> bool | None:
        if isinstance(a, Sort) and isinstance(b, Sort):
            return self.levels.equal(a.level, b.level)
        if isinstance(a, NatLit) and isinstance(b, NatLit):
            return a.value == b.value
        if isinstance(a, StrLit) and isinstance(b, StrLit):
            return a.value == b.value
        if (isinstance(a, Lam) and isinstance(b, Lam)) or (isinstance(a, Pi) and isinstance(b, Pi)):
            return self._binders(a, b)
        return None

    def _binders(self, a: Lam | Pi, b: Lam | Pi) -> bool:
        kind = type(a)
        locals_: list[Local] = []
        x: Expr = a
        y: Expr = b
        while isinstance(x, Lam | Pi) and isinstance(y, Lam | Pi) and type(x) is kind and type(y) is kind:
            domain = self.terms.instantiate(x.domain, locals_)
            if x.domain is not y.domain and not self.equal(domain, self.terms.instantiate(y.domain, locals_)):
                return False
            locals_.append(Local(x.binder, domain))
            x, y = x.body, y.body
        return self.equal(self.terms.instantiate(x, locals_), self.terms.instantiate(y, locals_))

    def _equal_slow(self, a: Expr, b: Expr) -> bool:
        a1, b1 = self.kernel.core(a), self.kernel.core(b)
        if a1 is not a or b1 is not b:
            if a1 is b1:
                return True
            quick = self._quick(a1, b1)
            if quick is not None:
                return quick
        a, b = a1, b1
        if self._irrelevant(a, b):
            return True
        a, b, decided = self._lazy_delta(a, b)
        if decided is not None:
            return decided
        return self._structural(a, b)

    def _irrelevant(self, a: Expr, b: Expr) -> bool:
        """Two proofs of the same proposition."""
        type_ = self.kernel.infer(a, check=False)
        return self.kernel.is_proposition(type_) and self.equal(type_, self.kernel.infer(b, check=False))

    def _lazy_delta(self, a: Expr, b: Expr) -> tuple[Expr, Expr, bool | None]:
        """Unfold the higher of the two heads until they meet, or neither unfolds."""
        while True:
            self.budget.spend()
            decided = self.kernel.naturals.equal(a, b)
            if decided is not None:
                return a, b, decided
            x, y = self._height(a), self._height(b)
            if x is None and y is None:
                return a, b, None
            if x is not None and x == y and self._same_head(a, b):
                return a, b, True
            if y is None or (x is not None and x >= y):
                if x == y:  # both
                    b = self.kernel.core(self.kernel.naturals.reduce(b) or self.kernel.unfold(b) or b)
                a = self.kernel.core(self.kernel.naturals.reduce(a) or self.kernel.unfold(a) or a)
            else:
                b = self.kernel.core(self.kernel.naturals.reduce(b) or self.kernel.unfold(b) or b)
            if a is b:
                return a, b, True
            quick = self._quick(a, b)
            if quick is not None:
                return a, b, quick

    def _height(self, e: Expr) -> float | None:
        head, _ = spine(e)
        if not isinstance(head, Const):
            return None
        declaration = self.kernel.declaration(head.name)
        if declaration.value is None or declaration.kind not in (Kind.DEFINITION, Kind.THEOREM):
            return None
        hint = declaration.hint
        if declaration.kind is Kind.THEOREM or hint == "opaque":
            return -1.0
        return float("inf") if hint == "abbrev" else float(hint)

    def _same_head(self, a: Expr, b: Expr) -> bool:
        """f x.. and f y.. with equal arguments, tried before f is unfolded."""
        f, xs = spine(a)
        g, ys = spine(b)
        return (
            isinstance(f, Const)
            and isinstance(g, Const)
            and f.name == g.name
            and len(xs) == len(ys)
            and bool(xs)
            and self._same_levels(f, g)
            and self._all_equal(xs, ys)
        )

    def _same_levels(self, f: Const, g: Const) -> bool:
        return len(f.levels) == len(g.levels) and all(map(self.levels.equal, f.levels, g.levels))

    def _all_equal(self, xs: list[Expr], ys: list[Expr]) -> bool:
        return len(xs) == len(ys) and all(map(self.equal, xs, ys))

    def _structural(self, a: Expr, b: Expr) -> bool:
        f, xs = spine(a)
        g, ys = spine(b)
        if isinstance(f, Const) and isinstance(g, Const) and f.name == g.name and self._same_levels(f, g):
            if self._all_equal(xs, ys):
                return True
        elif (f is g and xs and self._all_equal(xs, ys)) or (
            isinstance(f, Proj)
            and isinstance(g, Proj)
            and f.index == g.index
            and f.structure == g.structure
            and self.equal(f.expr, g.expr)
            and self._all_equal(xs, ys)
        ):
            return True
        return (
            self.kernel.strings.equal(a, b)
            or self._function_eta(a, b)
            or self._function_eta(b, a)
            or self._structure_equal(a, b)
            or self._structure_equal(b, a)
            or self._unit(a, b)
        )

    def _function_eta(self, a: Expr, b: Expr) -> bool:
        if not isinstance(a, Lam) or isinstance(b, Lam):
            return False
        type_ = self.kernel.whnf(self.kernel.infer(b, check=False))
        if not isinstance(type_, Pi):
            return False
        return self.equal(a, self.arena.lam(type_.binder, type_.domain, self.arena.app(b, self.arena.bvar(0))))

    def _structure_equal(self, a: Expr, b: Expr) -> bool:
        """b is `mk ..` and a has its projections as fields."""
        head, args = spine(b)
        if not isinstance(head, Const):
            return False
        constructor = self.kernel.declaration(head.name)
        info = constructor.info
        if not isinstance(info, ConstructorInfo) or len(args) != info.params + info.fields or not info.fields:
            return False
        inductive = self.kernel.declaration(info.inductive)
        assert isinstance(inductive.info, InductiveInfo)
        if len(inductive.info.constructors) != 1 or inductive.info.indices or inductive.info.recursive:
            return False
        if not self.equal(self.kernel.infer(a, check=False), self.kernel.infer(b, check=False)):
            return False
        return all(self.equal(self.arena.proj(info.inductive, i, a), args[info.params + i]) for i in range(info.fields))

    def _unit(self, a: Expr, b: Expr) -> bool:
        """Two values of a structure without fields."""
        type_ = self.kernel.whnf(self.kernel.infer(a, check=False))
        constructor = self.kernel.structure_constructor(spine(type_)[0])
        if constructor is None or not isinstance(constructor.info, ConstructorInfo) or constructor.info.fields:
            return False
        return self.equal(type_, self.kernel.infer(b, check=False))
