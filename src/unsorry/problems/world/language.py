"""A vocabulary of the tiny world: the datatypes and functions of one problem, their order, types and values."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unsorry.problems.world.definitions import BUILTIN, DATATYPES, SOURCES, Datatype, Function, datatype, function
from unsorry.problems.world.terms import Term

MOST_STEPS = 20_000  # of one evaluation
BUILTIN_CONSTRUCTORS = {"Bool": ("false", "true")}
_OWNER = {
    part.split(" (")[0].strip(): name for name, text in DATATYPES.items() for part in text.split(" | ")
}  # constructor -> datatype


class TooLong(Exception):
    """An evaluation took more steps than it may."""


@dataclass(frozen=True)
class Language:
    """Definitions in the order in which they can be written down."""

    element: str
    datatypes: Mapping[str, Datatype]
    functions: Mapping[str, Function]  # by name, without the variant

    def type_of(self, term: Term, variables: Mapping[str, str]) -> str:
        if term.head in variables:
            return variables[term.head]
        if term.head in BUILTIN:
            return BUILTIN[term.head][1]
        return self.functions[term.head].result if term.head in self.functions else _OWNER[term.head]

    def arguments(self, head: str) -> tuple[str, ...]:
        """Types of the arguments of a function or constructor."""
        if head in BUILTIN:
            return BUILTIN[head][0]
        if head in self.functions:
            return self.functions[head].arguments
        return next(c.fields for c in self.datatypes[_OWNER[head]].constructors if c.name == head)

    def recursive(self, type_: str) -> bool:
        return type_ in self.datatypes and any(type_ in c.fields for c in self.datatypes[type_].constructors)

    def values(self, type_: str, most: int) -> list[Term]:
        """The first values of a type, small ones first, in a fixed order."""
        found: list[Term] = []
        for size in range(1, 12):
            for value in self._sized(type_, size):
                found.append(value)
                if len(found) >= most:
                    return found
        return found

    def _sized(self, type_: str, size: int) -> Iterator[Term]:
        if type_ in BUILTIN_CONSTRUCTORS:
            if size == 1:
                yield from (Term(name) for name in BUILTIN_CONSTRUCTORS[type_])
            return
        for constructor in self.datatypes[type_].constructors:
            for sizes in _compositions(size - 1, len(constructor.fields)):
                pools = [list(self._sized(t, n)) for t, n in zip(constructor.fields, sizes, strict=True)]
                yield from (Term(constructor.name, args) for args in itertools.product(*pools))

    def evaluate(self, term: Term, values: Mapping[str, Term]) -> Term:
        """The value of a term; raises TooLong."""
        return _Evaluation(self.functions).run(term, values)


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(1, total - parts + 2):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


class _Evaluation:
    def __init__(self, functions: Mapping[str, Function]) -> None:
        self.functions = functions
        self.steps = 0

    def run(self, term: Term, values: Mapping[str, Term]) -> Term:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong
        if not term.args and term.head in values:
            return values[term.head]
        arguments = tuple(self.run(arg, values) for arg in term.args)
        if term.head in ("and", "or", "not"):
            bits = [a.head == "true" for a in arguments]
            truth = not bits[0] if term.head == "not" else (all(bits) if term.head == "and" else any(bits))
            return Term("true" if truth else "false")
        if term.head not in self.functions:
            return Term(term.head, arguments)
        for patterns, right in self.functions[term.head].equations:
            binding: dict[str, Term] = {}
            if all(_match(p, a, binding) for p, a in zip(patterns, arguments, strict=True)):
                return self.run(right, binding)
        raise AssertionError(f"{term.head} does not cover {arguments}")


def _match(pattern: Term, value: Term, binding: dict[str, Term]) -> bool:
    if pattern.head in _OWNER or pattern.head in BUILTIN:
        return (
            pattern.head == value.head
            and len(pattern.args) == len(value.args)
            and all(_match(p, v, binding) for p, v in zip(pattern.args, value.args, strict=True))
        )
    binding[pattern.head] = value
    return True


def language(keys: Sequence[str], types: Iterable[str], terms: Iterable[Term], element: str) -> Language:
    """What is needed to speak of the functions `keys` (`name#variant`), the types and the terms."""
    chosen = {key.split("#")[0]: key for key in keys}
    functions: dict[str, Function] = {}
    wanted: set[str] = set()

    def want_type(name: str) -> None:
        name = element if name == "A" else name
        if name in DATATYPES and name not in wanted:
            wanted.add(name)
            for constructor in datatype(name, element).constructors:
                for field in constructor.fields:
                    want_type(field)

    def want(term: Term, local: frozenset[str]) -> None:
        for part in term.parts():
            if part.head in local or part.head in BUILTIN:
                continue
            if part.head in _OWNER:
                want_type(_OWNER[part.head])
            else:
                plain = part.head if part.head in SOURCES else f"{part.head}#1"
                want_function(chosen.get(part.head, plain))

    def want_function(key: str) -> None:
        made = function(key, element)
        if made.name in functions or made.name in open_:
            return
        open_.add(made.name)
        for type_ in (*made.arguments, made.result):
            want_type(type_)
        for patterns, right in made.equations:
            local = frozenset(p.head for pattern in patterns for p in pattern.parts() if p.head not in _OWNER)
            want(right, local)
        functions[made.name] = made

    open_: set[str] = set()
    for key in keys:
        want_function(key)
    for type_ in types:
        want_type(type_)
    for term in terms:
        want(term, frozenset())
    order = [name for name in DATATYPES if name in wanted]
    return Language(element, {name: datatype(name, element) for name in order}, functions)
