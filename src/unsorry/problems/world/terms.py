"""Terms of the tiny world: parsed from Lean's own notation for application, evaluated on small values.

A term is an application of a head (variable, constructor or function) to terms.  Values are terms without variables
and functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_TOKEN = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True, slots=True)
class Term:
    head: str
    args: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.head, *(f"({a})" if a.args else a.head for a in self.args)])

    @property
    def size(self) -> int:
        return 1 + sum(arg.size for arg in self.args)

    def parts(self) -> Iterator[Term]:
        """The term and all terms inside it."""
        yield self
        for arg in self.args:
            yield from arg.parts()

    def substitute(self, values: Mapping[str, Term]) -> Term:
        """Variables replaced; heads of applications stay."""
        if not self.args:
            return values.get(self.head, self)
        return Term(self.head, tuple(arg.substitute(values) for arg in self.args))

    def replaced(self, path: tuple[int, ...], new: Term) -> Term:
        """The term with the part at `path` replaced."""
        if not path:
            return new
        args = list(self.args)
        args[path[0]] = args[path[0]].replaced(path[1:], new)
        return Term(self.head, tuple(args))

    def places(self, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Term]]:
        """All parts with their paths."""
        yield path, self
        for index, arg in enumerate(self.args):
            yield from arg.places((*path, index))


def parse(text: str) -> Term:
    """`f x (g y)`; raises ValueError."""
    tokens = _TOKEN.findall(text)
    term, rest = _sequence(tokens, 0)
    if rest != len(tokens):
        raise ValueError(f"unbalanced term: {text}")
    return term


def _sequence(tokens: list[str], at: int) -> tuple[Term, int]:
    parts: list[Term] = []
    while at < len(tokens) and tokens[at] != ")":
        if tokens[at] == "(":
            inner, at = _sequence(tokens, at + 1)
            if at >= len(tokens):
                raise ValueError("a bracket is not closed")
            parts.append(inner)
        else:
            parts.append(Term(tokens[at]))
        at += 1
    if not parts:
        raise ValueError("an empty term")
    head, *args = parts
    if args and head.args:
        raise ValueError("the head of an application is a name")
    return (Term(head.head, tuple(args)) if args else head), at
