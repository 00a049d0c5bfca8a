"""Between parsing and printing: let-expressions and matches in the shape that suits Lean.

A function whose body matches on its arguments becomes a list of clauses, which is what Lean's equation compiler
turns into good equations; a nested match on a variable becomes one match with nested patterns.  All are first-match,
as in SMT-LIB 2.6, and each step keeps the value of the term.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from unsorry.problems.tip.sexp import TipError
from unsorry.problems.tip.syntax import (
    Apply,
    Binder,
    Call,
    Case,
    Constructor,
    Function,
    Lambda,
    Let,
    Local,
    Match,
    Op,
    Quantifier,
    TCon,
    Term,
    children,
    substitute_type,
    subterms,
)

SMALL = 12  # nodes; a value this small may be repeated
LARGE = 3000  # nodes; no inlining makes a term larger
MAX_EXPANDED = 12  # clauses up to which defaults are written out


@dataclass(frozen=True, slots=True)
class Pattern:
    """A variable, or a constructor applied to patterns."""

    binder: Binder | None
    constructor: Constructor | None = None
    args: tuple[Pattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """Patterns, one for each scrutinee, and the value where they match (and no earlier clause does)."""

    patterns: tuple[Pattern, ...]
    body: Term


def map_children(term: Term, f: Callable[[Term], Term]) -> Term:
    """A copy of the node with `f` applied to its children."""
    match term:
        case Call(args=args) | Op(args=args):
            return replace(term, args=tuple(f(a) for a in args)) if args else term
        case Apply(function=function, args=args):
            return replace(term, function=f(function), args=tuple(f(a) for a in args))
        case Lambda(body=body) | Quantifier(body=body):
            return replace(term, body=f(body))
        case Match(scrutinee=scrutinee, cases=cases):
            return replace(term, scrutinee=f(scrutinee), cases=tuple(replace(c, body=f(c.body)) for c in cases))
        case Let(value=value, body=body):
            return replace(term, value=f(value), body=f(body))
    return term


def substitute(term: Term, mapping: Mapping[Binder, Term]) -> Term:
    """Replace variables; binders are objects, so nothing can be captured."""
    if isinstance(term, Local):
        return mapping.get(term.binder, term)
    return map_children(term, lambda t: substitute(t, mapping))


def size(term: Term) -> int:
    """Number of nodes."""
    return sum(1 for _ in subterms(term))


def inline(term: Term, group: Sequence[Function] = (), *, always: bool = False) -> Term:
    """Remove `let` where that repeats no work worth naming: used once on each path, or small without recursion."""
    term = map_children(term, lambda t: inline(t, group, always=always))
    if not isinstance(term, Let):
        return term
    count = sum(1 for t in subterms(term.body) if isinstance(t, Local) and t.binder is term.binder)
    weight = size(term.value)
    if size(term.body) + count * weight > LARGE:
        return term
    recursive = any(isinstance(t, Call) and t.target in group for t in subterms(term.value))
    if always or _uses(term.body, term.binder) <= 1 or (weight <= SMALL and not recursive):
        return substitute(term.body, {term.binder: term.value})
    return term


def _uses(term: Term, binder: Binder) -> int:
    """Most uses of the variable on one path of evaluation; under a binder of functions counts twice."""
    match term:
        case Local():
            return int(term.binder is binder)
        case Match(scrutinee=scrutinee, cases=cases):
            return _uses(scrutinee, binder) + max(_uses(c.body, binder) for c in cases)
        case Op(op="ite", args=(c, a, b)):
            return _uses(c, binder) + max(_uses(a, binder), _uses(b, binder))
        case Lambda(body=body) | Quantifier(body=body):
            return 2 * _uses(body, binder)
    return sum(_uses(t, binder) for t in children(term))


def clauses(scrutinees: Sequence[Binder], body: Term) -> list[Clause]:
    """The body as clauses over the scrutinees; defaults are written out when that stays short."""
    full = _Lifting(scrutinees, expand=True)
    full.run(body, {}, {})
    if len(full.clauses) <= MAX_EXPANDED:
        return full.clauses
    short = _Lifting(scrutinees, expand=False)
    short.run(body, {}, {})
    return short.clauses


def disjoint_clauses(scrutinees: Sequence[Binder], body: Term) -> list[Clause]:
    """Clauses of which exactly one matches, for use as separate equations; none if that would be too many."""
    full = _Lifting(scrutinees, expand=True)
    full.run(body, {}, {})
    return full.clauses if len(full.clauses) <= MAX_EXPANDED else []


_Value: TypeAlias = Binder | tuple[Constructor, tuple[Binder, ...]]


class _Lifting:
    def __init__(self, scrutinees: Sequence[Binder], *, expand: bool) -> None:
        self.scrutinees = scrutinees
        self.expand = expand
        self.clauses: list[Clause] = []
        self.known: set[Binder] = set(scrutinees)

    def run(self, term: Term, values: dict[Binder, _Value], excluded: dict[Binder, frozenset[str]]) -> None:
        """`values`: what refined variables are; `excluded`: constructors that a variable cannot be here."""
        if len(self.clauses) > LARGE:
            raise TipError(term.where, f"more than {LARGE} cases")
        match term:
            case Match(scrutinee=Local(binder=binder)):
                subject = self.resolve(binder, values)
                if isinstance(subject, tuple):
                    self.select(term, subject, values, excluded)
                    return
                if subject in self.known:
                    self.split(term, subject, values, excluded)
                    return
        mapping = {b: self.term(b, values, term.where) for b in values}
        patterns = tuple(self.pattern(b, values) for b in self.scrutinees)
        self.clauses.append(Clause(patterns, substitute(term, mapping)))

    def resolve(self, binder: Binder, values: dict[Binder, _Value]) -> _Value:
        here: _Value = binder
        while isinstance(here, Binder) and here in values:
            here = values[here]
        return here

    def select(
        self,
        term: Match,
        value: tuple[Constructor, tuple[Binder, ...]],
        values: dict[Binder, _Value],
        excluded: dict[Binder, frozenset[str]],
    ) -> None:
        """The constructor is known: take its case."""
        constructor, parts = value
        for case in reachable(term):
            if case.constructor is None:
                assert isinstance(term.scrutinee, Local)
                alias: dict[Binder, _Value] = dict.fromkeys(case.binders, term.scrutinee.binder)
                self.run(case.body, values | alias, excluded)
                return
            if case.constructor is constructor:
                self.run(case.body, values | dict(zip(case.binders, parts, strict=True)), excluded)
                return

    def split(
        self, term: Match, subject: Binder, values: dict[Binder, _Value], excluded: dict[Binder, frozenset[str]]
    ) -> None:
        gone = excluded.get(subject, frozenset())
        for case in reachable(term):
            if case.constructor is not None:
                if case.constructor.name not in gone:
                    self.enter(case.constructor, case.binders, case.body, subject, values, excluded)
                    gone |= {case.constructor.name}
                continue
            alias: dict[Binder, _Value] = dict.fromkeys(case.binders, subject)
            missing = [c for c in _constructors(term) if c.name not in gone]
            if not _constructors(term):
                self.run(case.body, values | alias, excluded)
            elif self.expand or len(missing) == 1:
                for constructor in missing:
                    fresh = _fresh_binders(constructor, subject)
                    self.enter(constructor, fresh, case.body, subject, values | alias, excluded)
            elif missing:
                self.run(case.body, values | alias, excluded | {subject: gone})

    def enter(
        self,
        constructor: Constructor,
        binders: tuple[Binder, ...],
        body: Term,
        subject: Binder,
        values: dict[Binder, _Value],
        excluded: dict[Binder, frozenset[str]],
    ) -> None:
        self.known.update(binders)
        self.run(body, values | {subject: (constructor, binders)}, excluded)

    def term(self, binder: Binder, values: dict[Binder, _Value], where: str) -> Term:
        value = self.resolve(binder, values)
        if isinstance(value, Binder):
            return Local(value, where, value.type)
        constructor, parts = value
        assert isinstance(binder.type, TCon)
        args = tuple(self.term(part, values, where) for part in parts)
        return Call(constructor, args, where, None, binder.type.args, binder.type)

    def pattern(self, binder: Binder, values: dict[Binder, _Value]) -> Pattern:
        value = self.resolve(binder, values)
        if isinstance(value, Binder):
            return Pattern(value)
        constructor, parts = value
        return Pattern(None, constructor, tuple(self.pattern(part, values) for part in parts))


def reachable(term: Match) -> list[Case]:
    """The cases that can be taken, in order; a match that does not cover its type is refused."""
    result: list[Case] = []
    seen: set[str] = set()
    for case in term.cases:
        if case.constructor is None:
            return [*result, case]
        if case.constructor.name not in seen:
            seen.add(case.constructor.name)
            result.append(case)
    for constructor in _constructors(term):
        if constructor.name not in seen:
            raise TipError(term.where, f"`match` has no case for `{constructor.name}`; partial matches are not covered")
    return result


def _constructors(term: Match) -> list[Constructor]:
    for case in term.cases:
        if case.constructor is not None:
            return case.constructor.data.constructors
    return []


def _fresh_binders(constructor: Constructor, subject: Binder) -> tuple[Binder, ...]:
    assert isinstance(subject.type, TCon)
    mapping = dict(zip(constructor.data.params, subject.type.args, strict=True))
    return tuple(
        Binder(f"{subject.name}{i}" if len(constructor.fields) > 1 else subject.name, substitute_type(type_, mapping))
        for i, (_, type_) in enumerate(constructor.fields, 1)
    )
