"""Nested inductive types: the mutual block that one stands for.

`inductive Tree | node (children : List Tree)` is admissible when the block of `Tree` and a copy of `List` at `Tree` is,
and its recursors are those of the block with the copies read as what they copy.  Copies are made in the order in
which they are met, constructor by constructor, copies of copies last: the recursors are numbered by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from unsorry.judge.second.errors import Beyond, Refused
from unsorry.judge.second.kernel import Kernel
from unsorry.judge.second.locals import Local, spine
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo, Kind
from unsorry.lean.names import Name
from unsorry.lean.terms import Const, Expr, Pi
from unsorry.lean.traversal import constants

MAX_COPIES = 256  # a family beyond it is undecided


@dataclass(slots=True)
class Block:
    """A family without nesting.

    `declarations` are its types and constructors; `meaning` maps each copy, and its constructors, to the function of
    the parameters that it stands for; `original` maps a copy's constructors to those that they copy.
    """

    names: tuple[Name, ...]
    declarations: dict[Name, Declaration]
    meaning: dict[Name, Expr] = field(default_factory=dict)
    original: dict[Name, Name] = field(default_factory=dict)


def unnest(kernel: Kernel, names: tuple[Name, ...], find: Mapping[Name, Declaration]) -> Block:
    """The block of a family; raises Refused for a nesting that is not allowed."""
    return _Unnesting(kernel, names, find).block()


class _Unnesting:
    def __init__(self, kernel: Kernel, names: tuple[Name, ...], find: Mapping[Name, Declaration]) -> None:
        self.kernel = kernel
        self.names = names
        self.head = find[names[0]]
        assert isinstance(self.head.info, InductiveInfo)
        self.count = self.head.info.params
        self.levels = tuple(kernel.arena.param(p) for p in self.head.level_params)
        kernel.params = self.head.level_params
        for name in names:
            kernel.sort_of(find[name].type)
        self.params = self._parameters()
        self.types = {name: find[name] for name in names}  # grows by copies
        self.constructors = {name: [find[c] for c in _info(find[name]).constructors] for name in names}
        self.copies: dict[Expr, Name] = {}
        self.made = Block((), {})

    def _parameters(self) -> list[Local]:
        params: list[Local] = []
        rest = self.head.type
        for _ in range(self.count):
            rest = self.kernel.whnf(rest)
            if not isinstance(rest, Pi):
                raise Refused(f"{self.head.name} has fewer parameters than it claims")
            params.append(Local(rest.binder, rest.domain))
            rest = self.kernel.terms.instantiate(rest.body, [params[-1]])
        return params

    def block(self) -> Block:
        done: dict[Name, list[Declaration]] = {}
        while len(done) < len(self.types):
            name = list(self.types)[len(done)]
            done[name] = [self._constructor(c, own=name in self.names) for c in self.constructors[name]]
        every = tuple(self.types)
        for name, constructors in done.items():
            type_ = self.types[name]
            info = replace(_info(type_), all=every, constructors=tuple(c.name for c in constructors))
            for declaration in (replace(type_, info=info), *constructors):
                self.made.declarations[declaration.name] = declaration
        self.made.names = every
        return self.made

    def _constructor(self, constructor: Declaration, *, own: bool) -> Declaration:
        """The constructor with copies in place of what is nested."""
        kernel = self.kernel
        if own:
            kernel.sort_of(constructor.type)
        rest = constructor.type
        for param in self.params:
            rest = rest if isinstance(rest, Pi) else kernel.whnf(rest)
            if not isinstance(rest, Pi) or not kernel.equal(rest.domain, param.type):
                raise Refused(f"{constructor.name} has other parameters than its type")
            rest = kernel.terms.instantiate(rest.body, [param])
        return replace(constructor, type=kernel.pis(self.params, self._replaced(rest)))

    def _replaced(self, root: Expr) -> Expr:
        memo: dict[Expr, Expr] = {}

        def go(e: Expr, depth: int) -> Expr:
            found = memo.get(e)
            if found is None:
                self.kernel.budget.spend()
                found = memo[e] = self._copy_of(e) or self.kernel.terms.map(e, go, depth)
            return found

        return go(root, 0)

    def _copy_of(self, e: Expr) -> Expr | None:
        """The copy in place of a type whose parameters mention the family."""
        head, args = spine(e)
        if not isinstance(head, Const) or head.name in self.types:
            return None
        found = self.kernel.find(head.name)
        if found is None or not isinstance(found.info, InductiveInfo) or len(args) < found.info.params:
            return None
        given = args[: found.info.params]
        if not any(not constants(a).isdisjoint(self.types) for a in given):
            return None
        if any(a.loose for a in given):
            raise Refused(f"{self.head.name} is nested in {head.name} at a parameter that depends on a variable")
        type_ = self.kernel.apply(head, given)
        if type_ not in self.copies:
            self._copy(head, found.info, given)
        copy = self.kernel.arena.const(self.copies[type_], self.levels)
        return self.kernel.apply(copy, [*self.params, *args[found.info.params :]])

    def _copy(self, head: Const, info: InductiveInfo, given: Sequence[Expr]) -> None:
        """Copies the whole mutual block that a type belongs to, at the parameters that it is given."""
        kernel = self.kernel
        for name in info.all:
            if len(self.types) - len(self.names) >= MAX_COPIES:
                raise Beyond(f"{self.head.name} is nested in more than {MAX_COPIES} types")
            source = kernel.declaration(name)
            copy = Name((*self.names[0], "nested", len(self.types)))
            self.copies[kernel.apply(kernel.arena.const(name, head.levels), given)] = copy
            self.types[copy] = self._copied(source, copy, head, given)
            self.made.meaning[copy] = self._meaning(name, head, given)
            self.constructors[copy] = []
            for number, name_ in enumerate(_info(source).constructors):
                constructor = Name((*copy, number))
                copied = self._copied(kernel.declaration(name_), constructor, head, given)
                assert isinstance(copied.info, ConstructorInfo)
                self.constructors[copy].append(
                    replace(copied, info=replace(copied.info, inductive=copy, params=self.count))
                )
                self.made.meaning[constructor] = self._meaning(name_, head, given)
                self.made.original[constructor] = name_

    def _meaning(self, name: Name, head: Const, given: Sequence[Expr]) -> Expr:
        """`fun parameters => name given`."""
        return self.kernel.lambdas(self.params, self.kernel.apply(self.kernel.arena.const(name, head.levels), given))

    def _copied(self, source: Declaration, name: Name, head: Const, given: Sequence[Expr]) -> Declaration:
        kernel = self.kernel
        if kernel.find(name) is not None:
            raise Beyond(f"{name} is declared, a name that this checker makes")
        if len(source.level_params) != len(head.levels):
            raise Refused(f"{head.name} has another number of universe levels")
        type_ = kernel.terms.with_levels(source.type, source.level_params, head.levels)
        for value in given:
            type_ = type_ if isinstance(type_, Pi) else kernel.whnf(type_)
            if not isinstance(type_, Pi):
                raise Refused(f"{source.name} takes fewer parameters than it claims")
            type_ = kernel.terms.instantiate(type_.body, [value])
        info = source.info
        if isinstance(info, InductiveInfo):
            info = replace(info, params=self.count)
        made = Declaration(
            Kind.INDUCTIVE if isinstance(info, InductiveInfo) else Kind.CONSTRUCTOR,
            name,
            self.head.level_params,
            kernel.pis(self.params, type_),
            info=info,
        )
        kernel.extra[name] = made
        return made


def _info(declaration: Declaration) -> InductiveInfo:
    if not isinstance(declaration.info, InductiveInfo):
        raise Refused(f"{declaration.name} is no inductive type")
    return declaration.info
