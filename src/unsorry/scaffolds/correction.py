"""Correction turns: a failed proof comes back with Lean's errors, a bounded number of times.

Every failure is corrected: rejected, undecided and timed out alike, and an answer without a proof too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unsorry import Judge, Problem, Sampling, UnsorryError
from unsorry.provers.formats import Format
from unsorry.scaffolds import chains
from unsorry.scaffolds.sampled import ProofTask


class CorrectionTurns(chains.ChainScaffold):
    """Scaffold that draws `n` samples for each problem and gives each failed one further turns.

    `rounds` counts all turns of a chain, the first included, as published figures do not: Goedel-Prover-V2's two
    rounds of correction are `rounds=3`.  An attempt is one chain: its turns, its last submission and verdict, and in
    `notes["rounds"]` the verdict on each turn.
    """

    id = "correction"

    def __init__(self, format: Format, sampling: Sampling | None = None, *, rounds: int = 2) -> None:
        if rounds < 1:
            raise UnsorryError(f"correction needs at least one round, got {rounds}")
        self.task = ProofTask(format)
        self.sampling = sampling or Sampling()
        self.rounds = rounds

    @property
    def settings(self) -> dict[str, Any]:
        """What attempts depend on besides sampling, problem and prover."""
        return {"format": self.task.format.name if self.task.format is not None else "", "rounds": self.rounds}

    def tasks(self, problems: Sequence[Problem], judge: Judge) -> ProofTask:
        return self.task
