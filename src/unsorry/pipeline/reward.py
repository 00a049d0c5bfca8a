"""What an attempt is worth: a small part for its form, the rest for the strict verdict, kept apart.

The parts stay apart because a policy that learns the form and not the proof shows in them (training/tripwires.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unsorry import Attempt, Problem, UnsorryError
from unsorry.evaluation.backing import Negate, backed
from unsorry.judge.reasons import Reason
from unsorry.lean import source
from unsorry.provers.formats.negation import negation
from unsorry.scaffolds import DEFECT

FORMAT_PART = 0.05


@dataclass(frozen=True, slots=True)
class RewardParts:
    """`format` in {0, share}, `verified` in {0, 1 - share}; their sum is what training sees."""

    format: float
    verified: float

    @property
    def total(self) -> float:
        return self.format + self.verified


@dataclass(frozen=True, slots=True)
class RewardSummary:
    """Means over a batch; `format_only` is the share of attempts with the format part and nothing else."""

    attempts: int
    format: float
    verified: float
    total: float
    format_only: float


def reward(
    attempt: Attempt, problem: Problem, *, format_part: float = FORMAT_PART, negate: Negate = negation
) -> RewardParts:
    """`format_part` for an answer that holds a proof without sorry, 1 - `format_part` for a strict acceptance.

    Nothing is verified that the certificate does not back, for this problem and this text (evaluation/backing.py).
    An undecided attempt has its format part only.  A claim to have disproved counts like a proof: its verdict is on
    the negation.
    """
    if not 0.0 <= format_part < 1.0:
        raise UnsorryError(f"the format part of the reward must be in [0, 1), got {format_part:g}")
    verified = attempt.verdict.accepted and backed(attempt, problem, negate)
    formed = verified or _well_formed(attempt)
    return RewardParts(format_part if formed else 0.0, 1.0 - format_part if verified else 0.0)


def summarise(parts: Iterable[RewardParts]) -> RewardSummary:
    """Raises UnsorryError for an empty batch, which has no mean."""
    rewards = list(parts)
    if not rewards:
        raise UnsorryError("no attempts to reward: the batch is empty")
    count = len(rewards)
    return RewardSummary(
        count,
        sum(r.format for r in rewards) / count,
        sum(r.verified for r in rewards) / count,
        sum(r.total for r in rewards) / count,
        sum(r.format > 0 and r.verified == 0 for r in rewards) / count,
    )


def _well_formed(attempt: Attempt) -> bool:
    """A submission without sorry, whatever else may be wrong with it.

    A format has told, for it knows which sorries are the problem's own; the text of a prover without one is read.
    """
    if not attempt.submission or attempt.verdict.reason.startswith(DEFECT):
        return False
    if attempt.verdict.reason in (Reason.FAST_SORRY, Reason.AXIOMS_SORRY):
        return False
    if attempt.notes.get("format"):
        return True
    try:
        return not source.parse(attempt.submission).holes
    except UnsorryError:
        return False
