"""Lean text reduced to what it says: no comments, imports, theorem names or layout; bound names by number.

Names that a declaration binds (brackets, `∀`, `∃`, `fun`, `intro`, `have`, ...) become `_0`, `_1`, ... in the order of
their first occurrence, anew in each declaration.  This works on tokens: it serves to find copies, not to judge.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from unsorry import Problem, UnsorryError
from unsorry.lean.source import TRIVIA, Command, Kind, parse

_THEOREMS = frozenset(("theorem", "lemma", "example"))
_QUANTIFIERS = frozenset(("∀", "∃", "∃!", "fun", "λ", "Σ", "Π"))
_NAMING = frozenset(("intro", "intros", "rintro", "have", "let", "obtain", "set", "generalize", "generalizing"))
_OPEN, _CLOSE = frozenset("([{⦃⟨"), frozenset(")]}⦄⟩")
_SILENT = TRIVIA | {Kind.DOC}
_LOCAL = re.compile(r"[^\W\d][\w'!?]*")


def normalise(text: str, *, rename: bool = True) -> tuple[str, ...]:
    """The tokens that matter, in order; `rename` False leaves bound names as they are written."""
    commands = _commands(text)
    if commands is None:
        return tuple(text.split())  # a comment or string that does not end: no Lean, compared as words
    theorems = [c.name.rsplit(".", 1)[-1] for c, _ in commands if c.kind in _THEOREMS and c.name]
    numbers = {name: f"@{index}" for index, name in enumerate(dict.fromkeys(theorems))}
    return tuple(word for command, words in commands for word in _command(command, words, numbers, rename))


def statement(problem: Problem, *, rename: bool = True) -> tuple[str, ...]:
    """The tokens of the problem's theorem alone, up to its `:=`."""
    words = list(normalise(problem.statement, rename=rename))
    for index in range(len(words) - 1, -1, -1):
        if words[index] == ":=":
            return tuple(words[:index])
    return tuple(words)


def shingles(words: Sequence[str], length: int) -> frozenset[tuple[str, ...]]:
    """All runs of `length` tokens; a shorter text is one run."""
    if len(words) <= length:
        return frozenset({tuple(words)}) if words else frozenset()
    return frozenset(tuple(words[i : i + length]) for i in range(len(words) - length + 1))


@lru_cache(maxsize=64)
def _commands(text: str) -> tuple[tuple[Command, Sequence[str]], ...] | None:
    """The commands behind the header with their tokens, comments left out; None for what is no Lean."""
    try:
        source = parse(text)
    except UnsorryError:
        return None
    lines = source.lines
    kept = [i for i, kind in enumerate(lines.kinds) if kind not in _SILENT]
    starts = [lines.start(i) for i in kept]
    found = []
    for command in source.commands:
        first, last = bisect_left(starts, command.start), bisect_left(starts, command.end)
        found.append((command, tuple(lines.token_text(i) for i in kept[first:last])))
    return tuple(found)


def _command(command: Command, words: Sequence[str], theorems: dict[str, str], rename: bool) -> list[str]:
    bound = _bound(words) if rename else set()
    numbers: dict[str, str] = {}
    result: list[str] = []
    for index, word in enumerate(words):
        if word in _THEOREMS and not result:
            result.append("theorem")
            continue
        if index and words[index - 1] in _THEOREMS and len(result) == 1 and command.name:
            continue  # the theorem's own name
        head, dot, rest = word.partition(".")
        if head in bound:
            result.append(numbers.setdefault(head, f"_{len(numbers)}") + dot + rest)
        else:
            result.append(theorems.get(word, word))
    return result


def _bound(words: Sequence[str]) -> set[str]:
    """Names that the declaration binds."""
    found: set[str] = set()
    for index, word in enumerate(words):
        following = words[index + 1 :]
        if word in _OPEN:
            names = _until(following, {":"})
            if names is not None:
                found |= names
        elif word in _QUANTIFIERS:
            found |= _until(following, {",", "=>", "↦", ":", "∈"}) or set()
        elif word in _NAMING:
            found |= _leading(following)
    return {name for name in found if name != "_"}


def _until(words: Sequence[str], ends: set[str]) -> set[str] | None:
    """The names before one of `ends`; None if anything but names comes first."""
    names: set[str] = set()
    for word in words:
        if word in ends:
            return names
        if not _LOCAL.fullmatch(word):
            return None
        names.add(word)
    return None


def _leading(words: Sequence[str]) -> set[str]:
    """Names up to the first word that is none, through the brackets of patterns; keywords of tactics end it."""
    names: set[str] = set()
    for word in words:
        if word in _OPEN or word in _CLOSE or word in (",", "|"):
            continue
        if not _LOCAL.fullmatch(word) or word in ("with", "at", "using", "from", "by", "exact", "simp", "rw", "apply"):
            break
        names.add(word)
    return names


__all__ = ["normalise", "shingles", "statement"]
