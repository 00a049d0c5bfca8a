"""Check declarations with Lean's kernel, in a process that holds only what the judge made.

`plan` orders what has to be checked; `encode` writes it in a form of the judge's own; a `KernelProcess` (kernel.py)
has the terms rebuilt and submitted (kernel_worker.py).  Two ways lead to a verdict:

- incremental: the library's constants are in the environment of a long-lived process, which forks for each request;
  only the constants that the submission adds are checked.  Milliseconds for a small proof.
- from nothing: the library constants that the target needs are checked as well, in an empty environment.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from unsorry.judge.components import components
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo, Kind, RecursorInfo, Safety
from unsorry.lean.names import ANONYMOUS, Name
from unsorry.lean.terms import (
    ZERO,
    App,
    BVar,
    Const,
    Expr,
    IMax,
    Lam,
    Let,
    Level,
    Max,
    NatLit,
    Param,
    Pi,
    Proj,
    Sort,
    StrLit,
    Succ,
    children,
)
from unsorry.lean.traversal import level_postorder, postorder

MAX_LITERAL_BITS = 1 << 20  # larger literals are not sent: decimal conversion in the worker takes quadratic time
QUOTIENTS = tuple(Name(parts) for parts in (("Quot",), ("Quot", "mk"), ("Quot", "lift"), ("Quot", "ind")))
EQ = Name(("Eq",))
STEPS = {Kind.AXIOM: 0, Kind.DEFINITION: 1, Kind.THEOREM: 2, Kind.OPAQUE: 3}
QUOT_STEP, INDUCTIVE_STEP = 4, 5
Find = Callable[[Name], Declaration | None]


class ReplayError(Exception):
    """The declarations cannot be put before the kernel; `name` is the one at fault, `reason` a verdict's code."""

    def __init__(self, reason: str, name: Name, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.name = name


@dataclass(frozen=True, slots=True)
class Group:
    """What the kernel takes in one step: a constant, a family of inductive types with what comes with it, quotients."""

    head: Declaration
    members: tuple[Declaration, ...]
    types: tuple[tuple[Declaration, tuple[Declaration, ...]], ...] = ()  # a family's types with their constructors

    @property
    def kind(self) -> Kind:
        return self.head.kind

    def terms(self) -> Iterator[Expr]:
        """What must be checkable before this step, or in it; the kernel makes recursors."""
        if self.kind is not Kind.QUOT:
            yield from (e for d in self.members if d.kind is not Kind.RECURSOR for e in d.expressions())

    def relatives(self) -> Iterator[Name]:
        """Constants that must come before this step, or in it, though no term may mention them."""
        if self.kind is Kind.QUOT:
            yield EQ
        else:
            yield from (name for d in self.members if d.kind is not Kind.RECURSOR for name in d.relatives())


def plan(targets: Iterable[Name], find: Find, given: Callable[[Name], bool] = lambda _: False) -> list[Group]:
    """Everything that the targets are built from and that is not `given`, dependencies first, in an order that depends
    on the declarations alone.  Takes time linear in their terms, however these are shared.

    Raises ReplayError for a missing constant, a circle, an unsafe constant, or a family that is not one.
    """
    groups: dict[Name, Group] = {}  # by the name of their head
    head_of: dict[Name, Name] = {}

    def heads(names: Iterable[Name]) -> Iterator[Expr | Name]:
        for name in names:
            if name not in head_of and not given(name):
                group = _enter(name, find)
                groups[group.head.name] = group
                head_of.update({d.name: group.head.name for d in group.members})
            if name in head_of:
                yield head_of[name]

    def below(node: Expr | Name) -> Iterable[Expr | Name]:
        if isinstance(node, Name):
            return itertools.chain(groups[node].terms(), heads(groups[node].relatives()))
        if isinstance(node, Const):
            return heads((node.name,))
        return itertools.chain(children(node), heads((node.structure,))) if isinstance(node, Proj) else children(node)

    order: list[Group] = []
    for component in components(
        heads(targets), below
    ):  # a term that mentions a group makes one with it, if it is in it
        found = [node for node in component if isinstance(node, Name)]
        if len(found) > 1:
            raise ReplayError("replay.circular", found[0], f"{found[0]} is used in its own definition")
        order += [groups[name] for name in found]
    return order


def _enter(name: Name, find: Find) -> Group:
    declaration = find(name)
    if declaration is None:
        raise ReplayError("replay.missing", name, f"{name} is used but not declared")
    group = _group(declaration, find)
    if declaration not in group.members:
        raise ReplayError("replay.family", name, f"{name} is not part of the family that it names")
    for member in group.members:
        if member.safety is not Safety.SAFE:
            raise ReplayError("replay.unsafe", member.name, f"{member.name} is {member.safety}")
    return group


def _group(declaration: Declaration, find: Find) -> Group:
    """The group that a declaration belongs to, as the declarations themselves tell it."""
    info = declaration.info
    if declaration.kind is Kind.QUOT:
        parts = [d for d in map(find, QUOTIENTS) if d is not None and d.kind is Kind.QUOT]
        return Group(parts[0] if parts else declaration, tuple(parts))
    if isinstance(info, ConstructorInfo):
        return _family(_inductive(info.inductive, declaration.name, find), find)
    if isinstance(info, RecursorInfo):
        if not info.all:
            raise ReplayError("replay.family", declaration.name, f"{declaration.name} belongs to no type")
        return _family(_inductive(info.all[0], declaration.name, find), find)
    if isinstance(info, InductiveInfo):
        return _family(declaration, find)
    return Group(declaration, (declaration,))


def _inductive(name: Name, member: Name, find: Find) -> Declaration:
    found = find(name)
    if found is None or not isinstance(found.info, InductiveInfo):
        raise ReplayError("replay.family", member, f"{member} belongs to {name}, which is no inductive type")
    return found


def _family(declaration: Declaration, find: Find) -> Group:
    info = declaration.info
    assert isinstance(info, InductiveInfo)
    if declaration.name not in info.all:
        raise ReplayError("replay.family", declaration.name, f"{declaration.name} is not in its own family")
    head = _inductive(info.all[0], declaration.name, find)
    assert isinstance(head.info, InductiveInfo)
    types = []
    for name in head.info.all:
        member = _inductive(name, declaration.name, find)
        assert isinstance(member.info, InductiveInfo)
        same = (member.info.all, member.info.params, member.level_params) == (info.all, info.params, head.level_params)
        if not same or head.info.all != info.all:
            raise ReplayError("replay.family", name, f"{name} and {declaration.name} disagree about their family")
        types.append((member, tuple(_constructor(c, name, find) for c in member.info.constructors)))
    found = [d for type_, constructors in types for d in (type_, *constructors)]
    return Group(head, (*found, *_recursors(head.info.all, find)), tuple(types))


def _constructor(name: Name, inductive: Name, find: Find) -> Declaration:
    found = find(name)
    if found is None or not isinstance(found.info, ConstructorInfo) or found.info.inductive != inductive:
        raise ReplayError("replay.family", name, f"{name} is listed as a constructor of {inductive} but is none")
    return found


def _recursors(types: Sequence[Name], find: Find) -> Iterator[Declaration]:
    """The recursors that the kernel makes: `T.rec` for each type, `T₀.rec_1`, ... for the nested ones."""
    for name in (Name((*t, "rec")) for t in types):
        found = find(name)
        if found is not None and found.kind is Kind.RECURSOR:
            yield found
    for number in itertools.count(1):
        found = find(Name((*types[0], f"rec_{number}")))
        if found is None or found.kind is not Kind.RECURSOR:
            return
        yield found


def encode(groups: Sequence[Group]) -> bytes:
    """The judge's own serialisation: JSON with tables of names, levels and expressions, each entry written once."""
    tables = _Tables()
    steps = [tables.step(group) for group in groups]
    return json.dumps(
        {"names": tables.name_rows, "levels": tables.level_rows, "exprs": tables.expr_rows, "steps": steps},
        separators=(",", ":"),
        ensure_ascii=False,
    ).encode()


class _Tables:
    """Rows of a request; index 0 of names and levels is the anonymous name and level zero."""

    def __init__(self) -> None:
        self.name_rows: list[tuple[int, str | int]] = []
        self.level_rows: list[tuple[object, ...]] = []
        self.expr_rows: list[tuple[object, ...]] = []
        self._names: dict[Name, int] = {ANONYMOUS: 0}
        self._levels: dict[Level, int] = {ZERO: 0}
        self._exprs: dict[Expr, int] = {}

    def name(self, name: Name) -> int:
        known = self._names.get(name)
        if known is None:
            prefix = self.name(Name(name[:-1]))  # as deep as a name has components
            self.name_rows.append((prefix, name[-1]))
            known = self._names[name] = len(self.name_rows)
        return known

    def level(self, level: Level) -> int:
        if level not in self._levels:
            for part in level_postorder(level, done=self._levels):
                row: tuple[object, ...]
                if isinstance(part, Succ):
                    row = ("s", self._levels[part.level])
                elif isinstance(part, Param):
                    row = ("p", self.name(part.name))
                elif isinstance(part, Max | IMax):
                    row = ("m" if isinstance(part, Max) else "i", self._levels[part.left], self._levels[part.right])
                else:
                    raise TypeError(f"no universe level: {type(part)}")
                self.level_rows.append(row)
                self._levels[part] = len(self.level_rows)
        return self._levels[level]

    def expr(self, e: Expr) -> int:
        if e not in self._exprs:
            for part in postorder(e, done=self._exprs):
                self._exprs[part] = len(self.expr_rows)
                self.expr_rows.append(self._row(part))
        return self._exprs[e]

    def _row(self, e: Expr) -> tuple[object, ...]:
        at = self._exprs
        if isinstance(e, App):
            return ("a", at[e.fn], at[e.arg])
        if isinstance(e, Const):
            return ("c", self.name(e.name), [self.level(x) for x in e.levels])
        if isinstance(e, Lam | Pi):
            return ("l" if isinstance(e, Lam) else "p", at[e.domain], at[e.body])
        if isinstance(e, BVar):
            return ("b", e.index)
        if isinstance(e, Sort):
            return ("s", self.level(e.level))
        if isinstance(e, Let):
            return ("e", at[e.domain], at[e.value], at[e.body])
        if isinstance(e, NatLit):
            if e.value.bit_length() > MAX_LITERAL_BITS:
                raise ReplayError("replay.limit", ANONYMOUS, f"a literal of {e.value.bit_length()} bits is too large")
            return ("n", f"{e.value:x}")
        if isinstance(e, StrLit):
            return ("t", e.value)
        if isinstance(e, Proj):
            return ("j", self.name(e.structure), e.index, at[e.expr])
        raise TypeError(f"no expression: {type(e)}")

    def _closed(self, declaration: Declaration, e: Expr) -> int:
        if e.loose:
            raise ReplayError(
                "replay.open_term", declaration.name, f"{declaration.name} has a variable that nothing binds"
            )
        return self.expr(e)

    def step(self, group: Group) -> list[object]:
        d = group.head
        if d.kind is Kind.QUOT:
            return [QUOT_STEP]
        params = [self.name(p) for p in d.level_params]
        if isinstance(d.info, InductiveInfo):
            types = [
                [
                    self.name(t.name),
                    self._closed(t, t.type),
                    [[self.name(c.name), self._closed(c, c.type)] for c in constructors],
                ]
                for t, constructors in group.types
            ]
            return [INDUCTIVE_STEP, params, d.info.params, types, [self._expected(m) for m in group.members]]
        if d.kind not in STEPS:
            raise ReplayError("replay.family", d.name, f"{d.name} is a {d.kind} without a family")
        row = [STEPS[d.kind], self.name(d.name), params, self._closed(d, d.type)]
        if d.value is not None:
            row.append(self._closed(d, d.value))
        return [*row, d.hint] if d.kind is Kind.DEFINITION else row

    def _expected(self, d: Declaration) -> list[object]:
        """What the file says of a constant that the kernel makes: kind, name, universes, type, counts, rules."""
        params, type_, info = [self.name(p) for p in d.level_params], self._closed(d, d.type), d.info
        rules: list[list[int]] = []
        if isinstance(info, InductiveInfo):
            kind, numbers = 5, [info.params, info.indices, info.nested]
        elif isinstance(info, ConstructorInfo):
            kind, numbers = 6, [info.index, info.params, info.fields]
        else:
            assert isinstance(info, RecursorInfo)
            kind, numbers = 7, [info.params, info.indices, info.motives, info.minors, int(info.k)]
            rules = [[rule.fields, self._closed(d, rule.rhs), self.name(rule.constructor)] for rule in info.rules]
        return [kind, self.name(d.name), params, type_, numbers, rules]
