"""Inductive types: is a family (one type, or a mutual block) admissible?

Universes, parameters, strict positivity.  A nested family comes here as the mutual block that it is (nested.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unsorry.judge.second.errors import Refused
from unsorry.judge.second.kernel import Kernel
from unsorry.judge.second.locals import Local, spine
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo
from unsorry.lean.names import Name
from unsorry.lean.terms import Const, Expr, Level, Pi
from unsorry.lean.traversal import constants


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
