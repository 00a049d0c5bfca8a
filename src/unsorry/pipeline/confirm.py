"""Before anything is learned from attempts that were read from disk: every acceptance is judged again.

A shard says what it is and is checked for accidents, and a certificate shows that it belongs to its texts; both can be
forged by whoever can write the file.  The judge cannot be asked to lie.  It remembers what it judged in this process,
so that only the attempts of an earlier process cost anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from unsorry import Attempt, Judge, Problem, Status, UnsorryError
from unsorry.evaluation import backing
from unsorry.judge.reasons import one_line
from unsorry.provers.formats import Format
from unsorry.provers.formats.negation import negation
from unsorry.scaffolds.prove_or_disprove import disproves


@runtime_checkable
class Negating(Protocol):
    """A scaffold that has Lean say which negations are the negation."""

    def negations(self, problems: Sequence[Problem], judge: Judge) -> dict[str, Problem | None]: ...


def confirm(
    attempts: Sequence[Attempt], problems: Mapping[str, Problem], judge: Judge, *, scaffold: object = None
) -> list[Attempt]:
    """The attempts, in order, with this judge's verdict on each that was accepted.

    Raises UnsorryError if one was not accepted for what it says it is: somebody edited it, or another judge made it.
    What cannot be decided now is undecided.
    """
    accepted = [(at, attempt) for at, attempt in enumerate(attempts) if attempt.verdict.accepted]
    negations = _negations([attempt for _, attempt in accepted], problems, judge, scaffold)
    asked = []
    for _, attempt in accepted:
        problem = problems[attempt.problem]
        try:
            backing.check(attempt, problem, lambda p: negations.get(p.id))
            asked.append((backing.judged_problem(attempt, problem, lambda p: negations.get(p.id)), attempt.submission))
        except UnsorryError as error:
            raise _forged(attempt, str(error)) from None
    found = list(attempts)
    for (at, attempt), verdict in zip(accepted, judge.judge_many(asked), strict=True):
        if verdict.status is Status.REJECTED:
            raise _forged(attempt, verdict.message)
        found[at] = replace(attempt, verdict=verdict)
    return found


def said(attempts: Sequence[Attempt], problems: Mapping[str, Problem], format: Format, tokenizer: Any) -> None:
    """Raises UnsorryError unless each accepted submission is what the last turn's tokens say, in this format.

    A proof that was found by one answer must not be the reward of another.
    """
    for attempt in attempts:
        if not attempt.verdict.accepted or not attempt.turns:
            continue
        turn = attempt.turns[-1]
        ids = turn.completion_ids[:-1] if turn.finish == "stop" else turn.completion_ids
        text = tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
        if turn.completion_ids and text != turn.text:
            raise _forged(attempt, "its tokens do not say its text")
        taken = format.extract(problems[attempt.problem], turn.text, cut=turn.finish == "length")
        if taken.source != attempt.submission or taken.disproof != disproves(attempt):
            raise _forged(attempt, "its answer does not say its submission")


def _negations(
    accepted: Sequence[Attempt], problems: Mapping[str, Problem], judge: Judge, scaffold: object
) -> dict[str, Problem | None]:
    """Of the problems with an accepted disproof, as certified by Lean where the scaffold does that."""
    refuted = list({a.problem: problems[a.problem] for a in accepted if disproves(a)}.values())
    if refuted and isinstance(scaffold, Negating):
        return scaffold.negations(refuted, judge)
    return {problem.id: negation(problem) for problem in refuted}


def _forged(attempt: Attempt, why: str) -> UnsorryError:
    return UnsorryError(
        one_line(f"the stored attempt at {attempt.problem} was accepted, it says, but is not: {why}; ")
        + "its file was edited, or made with another judge: delete it to have it made again"
    )
