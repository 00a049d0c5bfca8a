"""Inductive types: are they admissible, and are the recursors in the file the ones that belong to them?

Families without nesting (mutual ones included) are checked in full: universes, parameters, strict positivity, and the
recursors are derived here and compared.  A nested family is `Beyond`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unsorry.judge.second.errors import Beyond, Refused
from unsorry.judge.second.kernel import Kernel
from unsorry.judge.second.locals import Local, spine
from unsorry.lean.terms import (
    ZERO,
    Const,
    ConstructorInfo,
    Declaration,
    Expr,
    InductiveInfo,
    Level,
    Name,
    Pi,
    RecursorInfo,
    constants,
)


class Family:
    """One mutual block, with its parameters fixed as locals."""

    def __init__(self, kernel: Kernel, names: Sequence[Name], find: Mapping[Name, Declaration]) -> None:
        self.kernel = kernel
        self.names = tuple(names)
        self.types = [find[n] for n in names]
        first = self.types[0]
        self.level_params = first.level_params
        self.levels: tuple[Level, ...] = tuple(kernel.arena.param(p) for p in first.level_params)
        self.infos: list[InductiveInfo] = []
        for declaration in self.types:
            if not isinstance(declaration.info, InductiveInfo) or declaration.info.all != self.names:
                raise Refused(f"{declaration.name} does not belong to its mutual block")
            if declaration.info.nested:
                raise Beyond(f"nested inductive type {declaration.name}")
            if declaration.level_params != self.level_params or declaration.info.params != self.infos_params(
                declaration
            ):
                raise Refused(f"{declaration.name} has other parameters than its mutual block")
            self.infos.append(declaration.info)
        self.constructors = [[find[c] for c in info.constructors] for info in self.infos]
        self.params: list[Local] = []
        self.indices: list[list[Local]] = []
        self.sort: Level = kernel.arena.param(Name(("u",)))

    def infos_params(self, declaration: Declaration) -> int:
        info = self.types[0].info
        assert isinstance(info, InductiveInfo)
        return info.params

    # --- admissibility ------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Types, then constructors; raises Refused."""
        kernel = self.kernel
        kernel.params = self.level_params
        if len(set(self.level_params)) != len(self.level_params):
            raise Refused(f"{self.names[0]} repeats a universe parameter")
        for position, declaration in enumerate(self.types):
            kernel.infer(declaration.type)
            locals_, result = self.telescope(declaration.type, None)
            count = self.infos[position].params
            if len(locals_) != count + self.infos[position].indices:
                raise Refused(f"{declaration.name} has another number of parameters and indices")
            level = getattr(result, "level", None)
            if level is None:
                raise Refused(f"{declaration.name} is no type family")
            if position == 0:
                self.params, self.sort = locals_[:count], level
                self.indices.append(locals_[count:])
                continue
            rest = declaration.type
            for param in self.params:
                rest = kernel.whnf(rest)
                if not isinstance(rest, Pi) or not kernel.equal(rest.domain, param.type):
                    raise Refused(f"{declaration.name} has other parameters than its mutual block")
                rest = kernel.terms.instantiate(rest.body, [param])
            indices, _ = self.telescope(rest, None)
            self.indices.append(indices)
            if not kernel.levels.equal(level, self.sort):
                raise Refused(f"{declaration.name} lives in another universe than its mutual block")
        for position, constructors in enumerate(self.constructors):
            for index, constructor in enumerate(constructors):
                self._check_constructor(position, index, constructor)

    def telescope(self, type_: Expr, limit: int | None) -> tuple[list[Local], Expr]:
        """Locals for the arguments of a function type, up to `limit`, and what is left."""
        locals_: list[Local] = []
        while limit is None or len(locals_) < limit:
            type_ = self.kernel.whnf(type_) if not isinstance(type_, Pi) else type_
            if not isinstance(type_, Pi):
                break
            local = Local(type_.binder, type_.domain)
            locals_.append(local)
            type_ = self.kernel.terms.instantiate(type_.body, [local])
        return locals_, type_

    def _check_constructor(self, position: int, index: int, constructor: Declaration) -> None:
        kernel, info = self.kernel, constructor.info
        if (
            not isinstance(info, ConstructorInfo)
            or info.inductive != self.names[position]
            or info.index != index
            or info.params != len(self.params)
            or constructor.level_params != self.level_params
        ):
            raise Refused(f"{constructor.name} does not fit its type")
        kernel.infer(constructor.type)
        rest = constructor.type
        for param in self.params:
            rest = kernel.whnf(rest) if not isinstance(rest, Pi) else rest
            if not isinstance(rest, Pi) or not kernel.equal(rest.domain, param.type):
                raise Refused(f"{constructor.name} has other parameters than its type")
            rest = kernel.terms.instantiate(rest.body, [param])
        fields, result = self.telescope(rest, None)
        if len(fields) != info.fields:
            raise Refused(f"{constructor.name} has another number of fields")
        for field in fields:
            level = kernel.sort_of(field.type)
            if not kernel.levels.is_zero(self.sort) and not kernel.levels.leq(level, self.sort):
                raise Refused(f"a field of {constructor.name} lives in too high a universe")
            self._positive(constructor, field.type)
        if self.application(result) != position:
            raise Refused(f"{constructor.name} makes something else")
        for index_ in spine(result)[1][len(self.params) :]:
            if self._mentions(index_):
                raise Refused(f"{constructor.name} uses its own type as an index")

    def application(self, e: Expr) -> int | None:
        """Which type of the block `e` is, applied to the parameters and some indices."""
        head, args = spine(e)
        if not isinstance(head, Const) or head.name not in self.names or head.levels != self.levels:
            return None
        position = self.names.index(head.name)
        if len(args) != len(self.params) + self.infos[position].indices or not all(
            a is p or self.kernel.equal(a, p) for a, p in zip(args, self.params, strict=False)
        ):
            return None
        return position

    def _mentions(self, e: Expr) -> bool:
        return not constants(e).isdisjoint(self.names)

    def _positive(self, constructor: Declaration, type_: Expr) -> None:
        """The block occurs in a field only as its final result."""
        type_ = self.kernel.whnf(type_)
        if not self._mentions(type_):
            return
        arguments, result = self.telescope(type_, None)
        if any(self._mentions(a.type) for a in arguments):
            raise Refused(f"{constructor.name} has a negative occurrence of its type")
        position = self.application(result)
        if position is None:
            raise Refused(f"{constructor.name} has an occurrence of its type that is not allowed")
        for index in spine(result)[1][len(self.params) :]:
            if self._mentions(index):
                raise Refused(f"{constructor.name} uses its own type as an index")

    def recursive(self, field: Local) -> tuple[list[Local], int, list[Expr]] | None:
        """For a recursive field: its arguments, which type of the block it ends in, and the indices."""
        arguments, result = self.telescope(self.kernel.whnf(field.type), None)
        position = self.application(result)
        if position is None:
            return None
        return arguments, position, spine(result)[1][len(self.params) :]

    # --- the recursors -----------------------------------------------------------------------------------------------

    def large(self) -> bool:
        """Whether elimination goes into every universe."""
        kernel = self.kernel
        if kernel.levels.never_zero(self.sort):
            return True
        if len(self.types) > 1:
            return False
        constructors = self.constructors[0]
        if not constructors:
            return True
        if len(constructors) > 1:
            return False
        fields, result = self.fields(constructors[0])
        visible = spine(result)[1]
        return all(kernel.levels.is_zero(kernel.sort_of(f.type, check=False)) or f in visible for f in fields)

    def fields(self, constructor: Declaration) -> tuple[list[Local], Expr]:
        rest = constructor.type
        for param in self.params:
            rest = self.kernel.whnf(rest) if not isinstance(rest, Pi) else rest
            assert isinstance(rest, Pi)
            rest = self.kernel.terms.instantiate(rest.body, [param])
        return self.telescope(rest, None)

    def compare_recursors(self, recursors: Sequence[Declaration]) -> None:
        """The recursors of the file against those derived here; raises Refused."""
        by_name = {r.name: r for r in recursors}
        expected = [Name((*n, "rec")) for n in self.names]
        if set(by_name) != set(expected):
            raise Refused(f"{self.names[0]} comes with other recursors than its own")
        for position, name in enumerate(expected):
            self._compare(position, by_name[name])

    def _compare(self, position: int, recursor: Declaration) -> None:
        kernel, arena, info = self.kernel, self.kernel.arena, recursor.info
        if not isinstance(info, RecursorInfo):
            raise Refused(f"{recursor.name} is no recursor")
        large = self.large()
        extra = len(recursor.level_params) - len(self.level_params)
        if extra != (1 if large else 0) or recursor.level_params[extra:] != self.level_params:
            raise Refused(f"{recursor.name} has other universe parameters")
        kernel.params = recursor.level_params
        goal = arena.param(recursor.level_params[0]) if large else ZERO
        motives = [self._motive(i, goal) for i in range(len(self.types))]
        minors, rules = self._minors(motives)
        indices = self.indices[position]
        major = Local(Name(("t",)), self._type_at(position, indices))
        result = kernel.apply(motives[position], [*indices, major])
        flat = [m for group in minors for m in group]
        wanted = kernel.pis([*self.params, *motives, *flat, *indices, major], result)
        if not kernel.equal(recursor.type, wanted):
            raise Refused(f"{recursor.name} has another type than its family gives")
        numbers = (info.params, info.indices, info.motives, info.minors, info.all)
        if numbers != (len(self.params), len(indices), len(motives), len(flat), self.names):
            raise Refused(f"{recursor.name} has other numbers of arguments than its family gives")
        if info.k != self._k(position):
            raise Refused(f"{recursor.name} claims another kind of reduction")
        self._compare_rules(position, recursor, info, motives, flat, rules[position])

    def _k(self, position: int) -> bool:
        """A proposition with one constructor without fields, alone in its block: reduction without looking."""
        constructors = self.constructors[position]
        if len(self.types) != 1 or not self.kernel.levels.is_zero(self.sort) or len(constructors) != 1:
            return False
        info = constructors[0].info
        return isinstance(info, ConstructorInfo) and info.fields == 0

    def _type_at(self, position: int, indices: Sequence[Expr]) -> Expr:
        head = self.kernel.arena.const(self.names[position], self.levels)
        return self.kernel.apply(head, [*self.params, *indices])

    def _motive(self, position: int, goal: Level) -> Local:
        indices = self.indices[position]
        major = Local(Name(("t",)), self._type_at(position, indices))
        return Local(Name(("motive",)), self.kernel.pis([*indices, major], self.kernel.arena.sort(goal)))

    def _minors(
        self, motives: Sequence[Local]
    ) -> tuple[list[list[Local]], list[list[tuple[Declaration, list[Local]]]]]:
        """The minor premises by type and constructor, and for each constructor its fields."""
        minors: list[list[Local]] = []
        rules: list[list[tuple[Declaration, list[Local]]]] = []
        for group in self.constructors:
            minors.append([])
            rules.append([])
            for constructor in group:
                fields, result = self.fields(constructor)
                position = self.application(result)
                assert position is not None
                hypotheses = []
                for field in fields:
                    found = self.recursive(field)
                    if found is not None:
                        arguments, target, indices = found
                        conclusion = self.kernel.apply(motives[target], [*indices, self.kernel.apply(field, arguments)])
                        hypotheses.append(Local(Name(("ih",)), self.kernel.pis(arguments, conclusion)))
                head = self.kernel.arena.const(constructor.name, self.levels)
                made = self.kernel.apply(head, [*self.params, *fields])
                conclusion = self.kernel.apply(motives[position], [*spine(result)[1][len(self.params) :], made])
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
        if [r.constructor for r in info.rules] != [c.name for c, _ in rules]:
            raise Refused(f"{recursor.name} has rules for other constructors")
        offset = sum(len(g) for g in self.constructors[:position])
        levels = tuple(arena.param(p) for p in recursor.level_params)
        for number, (rule, (constructor, fields)) in enumerate(zip(info.rules, rules, strict=True)):
            if rule.fields != len(fields):
                raise Refused(f"the rule of {recursor.name} for {constructor.name} has another number of fields")
            results: list[Expr] = []
            for field in fields:
                found = self.recursive(field)
                if found is None:
                    continue
                arguments, target, indices = found
                call = arena.const(Name((*self.names[target], "rec")), levels)
                call = kernel.apply(call, [*self.params, *motives, *minors, *indices, kernel.apply(field, arguments)])
                results.append(self.lambdas(arguments, call))
            body = kernel.apply(minors[offset + number], [*fields, *results])
            wanted = self.lambdas([*self.params, *motives, *minors, *fields], body)
            if rule.rhs is not wanted and not kernel.equal(rule.rhs, wanted):
                raise Refused(f"the rule of {recursor.name} for {constructor.name} is not the one of its family")

    def lambdas(self, locals_: Sequence[Local], body: Expr) -> Expr:
        """The function of the locals."""
        terms, arena = self.kernel.terms, self.kernel.arena
        body = terms.abstract(body, locals_)
        for i in range(len(locals_) - 1, -1, -1):
            body = arena.lam(locals_[i].binder, terms.abstract(locals_[i].type, locals_[:i]), body)
        return body
