"""Drafts up to the names of their datatypes, constructors, functions and variables."""

from __future__ import annotations

import re

from unsorry.problems.world import render
from unsorry.problems.world.statements import Draft

_IDENTIFIER = re.compile(r"[A-Za-z_][\w']*")
_KEPT = frozenset(
    (
        *("inductive", "open", "def", "theorem", "by", "sorry", "induction", "generalizing", "cases", "simp_all"),
        *("rfl", "Bool", "true", "false", "and", "or", "not", "_"),
    )
)


def canonical(draft: Draft) -> str:
    """The source with every name replaced by the number of its first occurrence: equal for renamed copies."""
    text = render.preamble(draft, 0) + render.theorem(draft.statement)
    names: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        word = match.group()
        return word if word in _KEPT else names.setdefault(word, f"n{len(names)}")

    return _IDENTIFIER.sub(number, text)
