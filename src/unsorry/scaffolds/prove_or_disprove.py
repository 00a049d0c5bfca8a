"""Prove or disprove: the model may prove the statement or its negation, and says which; correction turns as an option.

A disproof is a proof of the negated problem and is judged as one.  The attempt's verdict is then on the negation:
`notes["claim"]` says `disproved`, and nothing may take such an attempt for a proof of the statement (`proves`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unsorry import Attempt, Completion, Judge, Problem, Sampling, UnsorryError
from unsorry.provers.formats import Format, Messages, Unsupported
from unsorry.provers.formats.negation import negation as negation_text
from unsorry.provers.telescope import Unsupported as NotRead
from unsorry.provers.values import compile_statement
from unsorry.scaffolds import chains
from unsorry.scaffolds.chains import DISPROVED, PROVED, Answer
from unsorry.scaffolds.disprove import check_negation, lean_session
from unsorry.scaffolds.sampled import answer_in

Negation = Callable[[Problem], Problem | None]
TIMEOUT = 60.0  # seconds to elaborate a statement and its negation


def proves(attempt: Attempt) -> bool:
    """Whether the judge accepted a proof of the problem itself."""
    return attempt.verdict.accepted and attempt.notes.get("claim", PROVED) == PROVED


def disproves(attempt: Attempt) -> bool:
    """Whether the judge accepted a proof of the problem's negation."""
    return attempt.verdict.accepted and attempt.notes.get("claim", PROVED) == DISPROVED


@dataclass(frozen=True, slots=True)
class ClaimTask:
    """Asks for a proof or a disproof; `negations` holds the negated problems by the problem's id."""

    format: Format
    negations: Mapping[str, Problem | None] = field(default_factory=dict)

    def opening(self, problem: Problem) -> Messages:
        if self.negations.get(problem.id) is None:
            raise Unsupported(f"{problem.id} has no negation that Lean reads as one")
        return self.format.disprove(problem)

    def read(self, problem: Problem, completion: Completion) -> Answer:
        negated = self.negations.get(problem.id)
        if not completion.notes.get("disproof") or negated is None:
            return answer_in(problem, completion)
        return answer_in(negated, completion, DISPROVED)


class ProveOrDisprove(chains.ChainScaffold):
    """Scaffold that takes a proof or a disproof; `rounds` above 1 gives failed attempts correction turns.

    Without `negation` a problem's negation is made from its text (provers/formats/negation.py) and used only where
    Lean elaborates it to the statement under a `¬`.  A callable given instead is believed; what it returns must
    declare the same target as that text.  Attempts at a problem without negation end as `answer.unsupported`.
    """

    id = "prove_or_disprove"

    def __init__(
        self,
        format: Format,
        sampling: Sampling | None = None,
        *,
        rounds: int = 1,
        negation: Negation | None = None,
    ) -> None:
        if rounds < 1:
            raise UnsorryError(f"prove-or-disprove needs at least one round, got {rounds}")
        self.format = format
        self.sampling = sampling or Sampling()
        self.rounds = rounds
        self._negation = negation
        self._negations: dict[Problem, Problem | None] = {}

    @property
    def settings(self) -> dict[str, Any]:
        """What attempts depend on besides sampling, problem and prover."""
        return {"format": self.format.name, "rounds": self.rounds}

    def tasks(self, problems: Sequence[Problem], judge: Judge) -> ClaimTask:
        return ClaimTask(self.format, self.negations(problems, judge))

    def negation(self, problem: Problem) -> Problem | None:
        """What a disproof would have to prove, as text; whether Lean reads it as the negation, `negations` tells."""
        return _given(problem, self._negation(problem)) if self._negation is not None else negation_text(problem)

    def negations(self, problems: Sequence[Problem], judge: Judge) -> dict[str, Problem | None]:
        """The negation of each problem by id, None where there is none; remembered."""
        new = [p for p in problems if p not in self._negations]
        if new and self._negation is not None:
            self._negations.update((p, _given(p, self._negation(p))) for p in new)
        elif new:
            self._negations.update(zip(new, certified_negations(new, judge), strict=True))
        return {p.id: self._negations[p] for p in problems}


def certified_negations(problems: Sequence[Problem], judge: Judge) -> list[Problem | None]:
    """The negation of each problem where Lean, run as `judge` runs it, elaborates it to exactly that."""
    with lean_session(judge) as session:
        found: list[Problem | None] = []
        for problem in problems:
            negated = negation_text(problem)
            if negated is not None:
                try:
                    compiled = compile_statement(problem, session, timeout=TIMEOUT)
                    check_negation(compiled, negated, session, timeout=TIMEOUT)
                except NotRead:
                    negated = None
            found.append(negated)
        return found


def _given(problem: Problem, negated: Problem | None) -> Problem | None:
    """A negation from elsewhere; answers are put into the text of ours, so it must declare the same name."""
    text = negation_text(problem)
    if negated is None or text is None:
        return None
    if negated.targets != text.targets:
        raise UnsorryError(
            f"the negation of {problem.id} declares {', '.join(negated.targets)}; it must declare {text.targets[0]}"
        )
    return negated
