"""The negation of a problem's statement, as text: what a disproof proves."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from unsorry import Problem, UnsorryError
from unsorry.lean import source
from unsorry.lean.source import Command, Kind, Source
from unsorry.lean.source.commands import CLOSING, OPENING


@lru_cache(maxsize=4096)
def negation(problem: Problem) -> Problem | None:
    """`theorem T_neg : ¬ (∀ binders, claim)` for a problem with the one target `T`; None where it has no such text.

    It is made from text alone: whether Lean elaborates it to the negation is for the caller to check (variables that
    are declared outside the statement are not under the negation, for one) before a disproof counts.
    """
    if len(problem.targets) != 1:
        return None
    (target,) = problem.targets
    try:
        parsed = source.parse(problem.source)
    except UnsorryError:
        return None
    command = parsed.declaration(target)
    if command is None or command.kind not in ("theorem", "lemma") or command.body < 0 or command.in_mutual:
        return None
    signature = _signature(parsed, command)
    if signature is None:
        return None
    universes, binders, claim = signature
    scopes = source.namespace(command.scopes)
    full = target + "_neg"
    name = full.removeprefix(scopes + ".") if scopes else full
    inner = f"∀ {binders}, {claim}" if binders else claim
    start = len(problem.header) + (1 if problem.header and not problem.header.endswith("\n") else 0)
    return replace(
        problem,
        id=f"{problem.id}.neg",
        preamble=before + "\n" if (before := parsed.text[start : command.start].rstrip()) else "",
        statement=f"theorem {name}{universes} : ¬ ({inner}) := by sorry",
        targets=(full,),
    )


def _signature(parsed: Source, command: Command) -> tuple[str, str, str] | None:
    """Universes, binders and claim of `theorem name.{universes} binders : claim`, without comments."""
    parts = ["", "", ""]
    part = depth = 0
    for token in parsed.lines:
        if token.start <= command.name_at or token.start >= command.body:
            continue
        if token.text == ".{" and part == 0 and not parts[0]:
            parts[0], depth = ".{", 1
            continue
        if depth == 1 and parts[0] and part == 0:
            parts[0] += token.text
            depth -= token.text == "}"
            continue
        part = max(part, 1)
        if token.text in OPENING:
            depth += 1
        elif token.text in CLOSING:
            depth -= 1
        elif token.text == ":" and depth == 0 and part == 1:
            part = 2
            continue
        parts[part] += " " if token.kind in (Kind.COMMENT, Kind.DOC) else token.text
    if part != 2:
        return None
    return parts[0], " ".join(parts[1].split()), parts[2].strip()
