"""Drafts of the tiny world as Lean source."""

from __future__ import annotations

from unsorry import Problem
from unsorry.problems.world.language import Language
from unsorry.problems.world.statements import Draft, Lemma, Statement, read

TARGET = "t"


def preamble(draft: Draft, heartbeats: int, *, tagged: bool = False) -> str:
    """The definitions and lemmas that the statement needs; a limit keeps proofs that fail cheap."""
    spoken, tag = draft.language, "@[simp] " if tagged else ""
    lines = [f"set_option maxHeartbeats {heartbeats}"] if heartbeats else []
    lines += [made.text for made in spoken.datatypes.values()]
    lines.append(f"open {' '.join(spoken.datatypes)}")
    lines += [tag + made.text for made in spoken.functions.values()]
    lines += [tag + _lemma(lemma, spoken) for lemma in draft.lemmas]
    return "\n".join(lines) + "\n"


def _lemma(lemma: Lemma, spoken: Language) -> str:
    if "→" in lemma.text:
        return f"theorem {lemma.name} {lemma.text} := by {lemma.proof}"
    stated = read(lemma.text, spoken.element)
    return f"theorem {lemma.name} {stated.binders} : {stated.conclusion} := by {lemma.proof}"


def theorem(statement: Statement) -> str:
    return f"theorem {TARGET} {statement.binders} : {statement.conclusion} := by sorry"


def negated(statement: Statement) -> str:
    return f"theorem {TARGET} : ¬ (∀ {statement.binders}, {statement.conclusion}) := by sorry"


def problem(
    draft: Draft, identifier: str, split: str, heartbeats: int, *, negation: bool = False, tagged: bool = False
) -> Problem:
    return Problem(
        id=identifier,
        statement=negated(draft.statement) if negation else theorem(draft.statement),
        targets=(TARGET,),
        preamble=preamble(draft, heartbeats, tagged=tagged),
        origin="world",
        family=draft.family,
        split=split,
    )
