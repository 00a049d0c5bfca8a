"""Sampled proofs: n samples a problem, all judged; pass@k needs every one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unsorry import Attempt, Completion, Judge, Problem, Prover, Sampling
from unsorry.provers.formats import Format, Messages
from unsorry.scaffolds import chains
from unsorry.scaffolds.chains import Answer


@dataclass(frozen=True, slots=True)
class ProofTask:
    """Asks for a proof of the statement.  Without a format the prover asks and reads in its own way."""

    format: Format | None

    def opening(self, problem: Problem) -> Messages:
        return self.format.messages(problem) if self.format is not None else ()

    def read(self, problem: Problem, completion: Completion) -> Answer:
        if self.format is None or completion.turn is None or completion.turn.finish == "error":
            return as_given(problem, completion)
        found = self.format.extract(problem, completion.turn.text)
        if found.disproof:  # it was not asked for one, and a proof of the negation proves nothing here
            return Answer(problem, "", defect="no_proof", detail="the answer disproves where a proof was asked for")
        return Answer(problem, found.source, defect=found.defect)


def as_given(problem: Problem, completion: Completion) -> Answer:
    """The answer of a prover that reads its model's text by itself, or that failed."""
    defect = str(completion.notes.get("defect", ""))
    if completion.turn is not None and completion.turn.finish == "error":
        defect = defect or "error"
    return Answer(problem, completion.text, defect=defect or ("" if completion.text else "no_proof"))


class SampledProof:
    """Scaffold that draws `n` samples for each problem and has all of them judged, accepted ones or not."""

    id = "sampled"

    def __init__(self, format: Format | None = None, sampling: Sampling | None = None) -> None:
        self.task = ProofTask(format)
        self.sampling = sampling or Sampling()

    @property
    def settings(self) -> dict[str, Any]:
        """What attempts depend on besides sampling, problem and prover."""
        return {"format": self.task.format.name if self.task.format is not None else ""}

    def attempt(self, problem: Problem, prover: Prover, judge: Judge, *, n: int = 1) -> list[Attempt]:
        """At least one attempt, even if the prover has nothing to say; at most `n`."""
        return self.attempt_many([problem], prover, judge, n=n)[0]

    def attempt_many(
        self, problems: Sequence[Problem], prover: Prover, judge: Judge, *, n: int, sampling: Sampling | None = None
    ) -> list[list[Attempt]]:
        """The attempts at each problem, in order; one `propose` call for all of them."""
        return chains.run(
            problems, prover, judge, task=self.task, scaffold=self.id, n=n, sampling=sampling or self.sampling
        )
