"""Recursors at a constructor, and quotients at a representative."""

from __future__ import annotations

from unsorry.judge.second.locals import spine
from unsorry.judge.second.room import Room
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo, Kind, RecursorInfo
from unsorry.lean.names import Name
from unsorry.lean.terms import Const, Expr, NatLit, StrLit

QUOT_LIFT, QUOT_IND, QUOT_MK = Name(("Quot", "lift")), Name(("Quot", "ind")), Name(("Quot", "mk"))


class Recursion(Room):
    """Applies the rules of recursors and quotients in one kernel."""

    def iota(self, head: Const, args: list[Expr]) -> Expr | None:
        declaration = self.kernel.declaration(head.name)
        if isinstance(declaration.info, RecursorInfo):
            return self._recursor(declaration, declaration.info, head, args)
        if declaration.kind is Kind.QUOT:
            return self._quotient(head.name, args)
        return None

    def _recursor(self, declaration: Declaration, info: RecursorInfo, head: Const, args: list[Expr]) -> Expr | None:
        position = info.params + info.motives + info.minors + info.indices
        if len(args) <= position:
            return None
        major = args[position]
        if info.k:
            major = self._k_major(info, head, args, major) or major
        major = self.kernel.whnf(major)
        if isinstance(major, NatLit):
            major = self.kernel.naturals.constructor_form(major)
        elif isinstance(major, StrLit):
            major = self.kernel.whnf(self.kernel.strings.constructor_form(major))
        con, fields = spine(major)
        rule = next((r for r in info.rules if isinstance(con, Const) and r.constructor == con.name), None)
        if rule is None:
            expanded = self._structure_eta(info, major)
            if expanded is None:
                return None
            con, fields = spine(expanded)
            rule = info.rules[0]
        if len(fields) < rule.fields:
            return None
        rhs = self.terms.with_levels(rule.rhs, declaration.level_params, head.levels)
        given = [
            *args[: info.params + info.motives + info.minors],
            *fields[len(fields) - rule.fields :],
            *args[position + 1 :],
        ]
        return self.kernel.beta(rhs, given)

    def _k_major(self, info: RecursorInfo, head: Const, args: list[Expr], major: Expr) -> Expr | None:
        """For an inductive proposition with one constructor without fields: the constructor, if the types agree."""
        type_ = self.kernel.whnf(self.kernel.infer(major, check=False))
        family, given = spine(type_)
        if not isinstance(family, Const) or family.name not in info.all:
            return None
        inductive = self.kernel.declaration(family.name)
        assert isinstance(inductive.info, InductiveInfo)
        made = self.kernel.apply(self.arena.const(inductive.info.constructors[0], family.levels), given[: info.params])
        if not self.kernel.equal(self.kernel.infer(made, check=False), type_):
            return None
        return made

    def _structure_eta(self, info: RecursorInfo, major: Expr) -> Expr | None:
        """`s` as `mk s.1 s.2 ...` where its type is a structure and not a proposition."""
        if len(info.rules) != 1:
            return None
        type_ = self.kernel.whnf(self.kernel.infer(major, check=False))
        head, args = spine(type_)
        constructor = self.kernel.structure_constructor(head)
        if constructor is None or not isinstance(head, Const) or constructor.name != info.rules[0].constructor:
            return None
        inductive = self.kernel.declaration(head.name)
        assert isinstance(inductive.info, InductiveInfo) and isinstance(constructor.info, ConstructorInfo)
        if inductive.info.recursive or self.kernel.is_proposition(type_):
            return None
        made = self.kernel.apply(self.arena.const(constructor.name, head.levels), args[: constructor.info.params])
        fields = [self.arena.proj(head.name, i, major) for i in range(constructor.info.fields)]
        return self.kernel.apply(made, fields)

    def _quotient(self, name: Name, args: list[Expr]) -> Expr | None:
        # Quot.lift {α r β} f h q and Quot.ind {α r β} h q, at a `Quot.mk r a`
        position, function = {QUOT_LIFT: (5, 3), QUOT_IND: (4, 3)}.get(name, (0, 0))
        if not position or len(args) <= position:
            return None
        head, given = spine(self.kernel.whnf(args[position]))
        if not isinstance(head, Const) or head.name != QUOT_MK or len(given) != 3:
            return None
        return self.kernel.apply(self.arena.app(args[function], given[2]), args[position + 1 :])
