"""Pieces of Lean text, and what continuations are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Lines = list[str]
K = Callable[[str], Lines]


@dataclass(frozen=True, slots=True)
class Tail:
    """A continuation that only hands the value on; it may be written several times.  `plain`: it is `ok term`."""

    go: K
    plain: bool = False

    def __call__(self, term: str) -> Lines:
        return self.go(term)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where `break` and `continue` of a loop go."""

    on_break: K
    on_continue: Callable[[], Lines]


def indent(lines: Lines) -> Lines:
    return ["  " + line for line in lines]


def product(types: Sequence[str]) -> str:
    """The type of tuples of these types."""
    return " × ".join(factor(t) for t in types) or "Unit"


def factor(text: str) -> str:
    """The type as a part of another one."""
    return f"({text})" if " " in text else text


def anchored(term: str) -> bool:
    """Whether Lean sees the type of the numbers in a term from its other parts."""
    if re.search(r"(?<![\w.])\d", term) is None:
        return re.search(r"\[\]|\bnone\b", term) is None
    return (
        re.fullmatch(r"[\w\s.+*/%()-]+", term) is not None
        and re.search(r"[A-Za-z_]", term) is not None
        and not (re.search(r"\b(if|some|mk)\b", term))
    )


def pair(terms: Sequence[str]) -> str:
    """A tuple; one term stays as it is."""
    if not terms:
        return "()"
    return terms[0] if len(terms) == 1 else f"({', '.join(map(bare, terms))})"


def bare(term: str) -> str:
    """Without the parentheses around all of it."""
    if not (term.startswith("(") and term.endswith(")")) or term == "()":
        return term
    depth = 0
    for at, char in enumerate(term):
        depth += (char in "([{") - (char in ")]}")
        if char == '"':
            return term
        if depth == 1 and char == ",":
            return term
        if depth == 0 and at < len(term) - 1:
            return term
    return term if re.fullmatch(r"\(-\d+\)", term) or " : " in term else term[1:-1]
