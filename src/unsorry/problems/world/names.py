"""Other names for what a problem defines: who proves it must read the definitions and cannot know them by name."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace

from unsorry import Problem
from unsorry.problems.world.statements import Draft

_WORD = re.compile(r"[A-Za-z_]\w*")
_RESERVED = frozenset({"do", "by", "at", "if", "in", "on"})
POOL = tuple(
    word for first in "bcdfghjkmprv" for second in "aeiou" if (word := first + second) not in _RESERVED
)  # short, so that each can be one token; no keyword and no name of the language's types, constructors and variables


def renaming(draft: Draft, key: str) -> dict[str, str]:
    """New names for the functions and lemmas of a draft, drawn from the pool by `key`."""
    old = [*draft.language.functions, *(lemma.name for lemma in draft.lemmas)]
    chosen = random.Random(f"names/{key}").sample(POOL, len(old))  # noqa: S311
    return dict(zip(old, chosen, strict=True))


def renamed(problem: Problem, names: Mapping[str, str]) -> Problem:
    """The problem with those names; every other word stays."""

    def put(text: str) -> str:
        return _WORD.sub(lambda word: names.get(word[0], word[0]), text)

    return replace(problem, preamble=put(problem.preamble), statement=put(problem.statement))
