"""The recursors of a family, derived here and compared with those of the file."""

from __future__ import annotations

from collections.abc import Sequence

from unsorry.judge.second.errors import Refused
from unsorry.judge.second.inductive import Family
from unsorry.judge.second.locals import Local, spine
from unsorry.judge.second.nested import Block
from unsorry.lean.declarations import ConstructorInfo, Declaration, RecursorInfo
from unsorry.lean.names import Name
from unsorry.lean.terms import ZERO, Expr, Level


class Recursors:
    """What eliminates a family that has been checked; `own` are the types that it has in the file."""

    def __init__(self, family: Family, block: Block, own: tuple[Name, ...]) -> None:
        self.kernel = family.kernel
        self.family = family
        self.block = block
        self.own = own
        copies = len(family.names) - len(own)
        self.names = [Name((*n, "rec")) for n in own] + [Name((*own[0], f"rec_{i + 1}")) for i in range(copies)]

    def compare(self, recursors: Sequence[Declaration]) -> None:
        """The recursors of the file against those derived here; raises Refused."""
        by_name = {r.name: r for r in recursors}
        if set(by_name) != set(self.names):
            raise Refused(f"{self.own[0]} comes with other recursors than its own")
        for position, name in enumerate(self.names):
            self._compare(position, by_name[name])

    def _same(self, stated: Expr, derived: Expr) -> bool:
        """Whether an expression of the file is what was derived, copies read as what they copy."""
        derived = self.kernel.terms.with_constants(derived, self.block.meaning)
        if stated is derived:
            return True
        self.kernel.infer(stated)
        return self.kernel.equal(stated, derived)

    def _compare(self, position: int, recursor: Declaration) -> None:
        kernel, arena, info = self.kernel, self.kernel.arena, recursor.info
        if not isinstance(info, RecursorInfo):
            raise Refused(f"{recursor.name} is no recursor")
        large = self.family.large()
        extra = len(recursor.level_params) - len(self.family.level_params)
        if extra != (1 if large else 0) or recursor.level_params[extra:] != self.family.level_params:
            raise Refused(f"{recursor.name} has other universe parameters")
        if len(set(recursor.level_params)) != len(recursor.level_params):
            raise Refused(f"{recursor.name} repeats a universe parameter")
        kernel.params = recursor.level_params
        goal = arena.param(recursor.level_params[0]) if large else ZERO
        motives = [self._motive(i, goal) for i in range(len(self.family.types))]
        minors, rules = self._minors(motives)
        indices = self.family.indices[position]
        major = Local(Name(("t",)), self._type_at(position, indices))
        result = kernel.apply(motives[position], [*indices, major])
        flat = [m for group in minors for m in group]
        wanted = kernel.pis([*self.family.params, *motives, *flat, *indices, major], result)
        if not self._same(recursor.type, wanted):
            raise Refused(f"{recursor.name} has another type than its family gives")
        numbers = (info.params, info.indices, info.motives, info.minors, info.all)
        if numbers != (len(self.family.params), len(indices), len(motives), len(flat), self.own):
            raise Refused(f"{recursor.name} has other numbers of arguments than its family gives")
        if info.k != self._k(position):
            raise Refused(f"{recursor.name} claims another kind of reduction")
        self._compare_rules(position, recursor, info, motives, flat, rules[position])

    def _k(self, position: int) -> bool:
        """A proposition with one constructor without fields, alone in its block: reduction without looking."""
        constructors = self.family.constructors[position]
        if len(self.family.types) != 1 or not self.kernel.levels.is_zero(self.family.sort) or len(constructors) != 1:
            return False
        info = constructors[0].info
        return isinstance(info, ConstructorInfo) and info.fields == 0

    def _type_at(self, position: int, indices: Sequence[Expr]) -> Expr:
        head = self.kernel.arena.const(self.family.names[position], self.family.levels)
        return self.kernel.apply(head, [*self.family.params, *indices])

    def _motive(self, position: int, goal: Level) -> Local:
        indices = self.family.indices[position]
        major = Local(Name(("t",)), self._type_at(position, indices))
        return Local(Name(("motive",)), self.kernel.pis([*indices, major], self.kernel.arena.sort(goal)))

    def _minors(
        self, motives: Sequence[Local]
    ) -> tuple[list[list[Local]], list[list[tuple[Declaration, list[Local]]]]]:
        """The minor premises by type and constructor, and for each constructor its fields."""
        minors: list[list[Local]] = []
        rules: list[list[tuple[Declaration, list[Local]]]] = []
        for group in self.family.constructors:
            minors.append([])
            rules.append([])
            for constructor in group:
                fields, result = self.family.fields(constructor)
                position = self.family.application(result)
                assert position is not None
                hypotheses = []
                for field in fields:
                    found = self.family.recursive(field)
                    if found is not None:
                        arguments, target, indices = found
                        conclusion = self.kernel.apply(motives[target], [*indices, self.kernel.apply(field, arguments)])
                        hypotheses.append(Local(Name(("ih",)), self.kernel.pis(arguments, conclusion)))
                head = self.kernel.arena.const(constructor.name, self.family.levels)
                made = self.kernel.apply(head, [*self.family.params, *fields])
                conclusion = self.kernel.apply(motives[position], [*spine(result)[1][len(self.family.params) :], made])
                minors[-1].append(Local(Name(("m",)), self.kernel.pis([*fields, *hypotheses], conclusion)))
                rules[-1].append((constructor, fields))
        return minors, rules

    def _compare_rules(
        self,
        position: int,
        recursor: Declaration,
        info: RecursorInfo,
        motives: Sequence[Local],
        minors: Sequence[Local],
        rules: Sequence[tuple[Declaration, list[Local]]],
    ) -> None:
        kernel, arena = self.kernel, self.kernel.arena
        if [r.constructor for r in info.rules] != [self.block.original.get(c.name, c.name) for c, _ in rules]:
            raise Refused(f"{recursor.name} has rules for other constructors")
        offset = sum(len(g) for g in self.family.constructors[:position])
        levels = tuple(arena.param(p) for p in recursor.level_params)
        for number, (rule, (constructor, fields)) in enumerate(zip(info.rules, rules, strict=True)):
            if rule.fields != len(fields):
                raise Refused(f"the rule of {recursor.name} for {constructor.name} has another number of fields")
            results: list[Expr] = []
            for field in fields:
                found = self.family.recursive(field)
                if found is None:
                    continue
                arguments, target, indices = found
                call = arena.const(self.names[target], levels)
                call = kernel.apply(
                    call, [*self.family.params, *motives, *minors, *indices, kernel.apply(field, arguments)]
                )
                results.append(kernel.lambdas(arguments, call))
            body = kernel.apply(minors[offset + number], [*fields, *results])
            wanted = kernel.lambdas([*self.family.params, *motives, *minors, *fields], body)
            if not self._same(rule.rhs, wanted):
                raise Refused(f"the rule of {recursor.name} for {constructor.name} is not the one of its family")
