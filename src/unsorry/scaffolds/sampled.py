"""Sampled proofs: n samples a problem, all judged; pass@k needs every one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unsorry import Completion, Judge, Problem, Sampling
from unsorry.provers.formats import Format, Messages
from unsorry.scaffolds import chains
from unsorry.scaffolds.chains import PROVED, Answer


@dataclass(frozen=True, slots=True)
class ProofTask:
    """Asks for a proof of the statement; without a format the prover asks in its own way."""

    format: Format | None

    def opening(self, problem: Problem) -> Messages:
        return self.format.messages(problem) if self.format is not None else ()

    def read(self, problem: Problem, completion: Completion) -> Answer:
        if completion.notes.get("disproof"):  # it was not asked for one, and to prove the negation proves nothing here
            return Answer(problem, "", defect="no_proof", detail="the answer disproves where a proof was asked for")
        return answer_in(problem, completion)


def answer_in(problem: Problem, completion: Completion, claim: str = PROVED) -> Answer:
    """The submission to `problem` in a completion, with what its prover found wrong with it (provers/answers.py)."""
    defect = str(completion.notes.get("defect", "")) or ("" if completion.text else "no_proof")
    return Answer(problem, completion.text, claim, defect, str(completion.notes.get("error", "")))


class SampledProof(chains.ChainScaffold):
    """Scaffold that draws `n` samples for each problem and has all of them judged, accepted ones or not."""

    id = "sampled"

    def __init__(self, format: Format | None = None, sampling: Sampling | None = None) -> None:
        self.task = ProofTask(format)
        self.sampling = sampling or Sampling()

    @property
    def settings(self) -> dict[str, Any]:
        """What attempts depend on besides sampling, problem and prover."""
        return {"format": self.task.format.name if self.task.format is not None else ""}

    def tasks(self, problems: Sequence[Problem], judge: Judge) -> ProofTask:
        return self.task
