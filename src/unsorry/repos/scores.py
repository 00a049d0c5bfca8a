"""What a submission is worth: one verdict for each obligation, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from unsorry import Attempt, Status, Verdict
from unsorry.evaluation.run import LOST
from unsorry.judge.reasons import one_line, shortened
from unsorry.scaffolds import NO_PROOF

Met = Literal["met", "open", "failed", "review", "undecided"]
# How an attempt ended.  `infra` is no sample: what we run on failed, not who was measured.
OUTCOMES = ("solved", "review", "open", "wrong", "tampered", "limit", "undecided", "infra")
REVIEW = "definition.needs_review"
UNSCORED = "run.unscored"
INFRA = "run.infra"


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on an obligation; `reason` is the judge's code, or one of ours (docs/bench.md)."""

    name: str
    file: str
    role: str
    met: Met
    reason: str
    message: str
    axioms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """`fault` and `reason` are set where the whole submission scores nothing, whatever it proves."""

    obligations: tuple[Judged, ...]
    reason: str = ""
    fault: str = ""

    @property
    def fraction(self) -> float:
        """The share of obligations that are met; 0 where something is wrong with the whole."""
        if self.reason or not self.obligations:
            return 0.0
        return sum(o.met == "met" for o in self.obligations) / len(self.obligations)

    @property
    def strict(self) -> bool:
        return self.fraction == 1.0

    @property
    def outcome(self) -> str:
        if self.reason:
            undecided = self.reason.startswith("undecided.")
            return "undecided" if undecided else "tampered" if self.reason.startswith("tampered.") else "wrong"
        kinds = {o.met for o in self.obligations}
        if kinds == {"met"}:
            return "solved"
        for kind, outcome in (("failed", "wrong"), ("undecided", "undecided"), ("open", "open"), ("review", "review")):
            if kind in kinds:
                return outcome
        return "wrong"

    def verdict(self) -> Verdict:
        """As an attempt's: accepted where every obligation is met."""
        if self.strict:
            axioms = tuple(sorted({a for o in self.obligations for a in o.axioms}))
            return Verdict(Status.ACCEPTED, "accepted", f"{len(self.obligations)} obligations are met", axioms=axioms)
        undecided = self.outcome in ("undecided", "review")
        status = Status.UNDECIDED if undecided else Status.REJECTED
        if self.reason:
            return Verdict(status, self.reason, one_line(shortened(self.fault)))
        order = {"failed": 0, "undecided": 1, "open": 2, "review": 3, "met": 4}
        worst = min(self.obligations, key=lambda o: order[o.met], default=None)
        if worst is None:
            return Verdict(Status.REJECTED, "task.empty", "the task has no obligation")
        told = one_line(shortened(f"{worst.name or worst.file}: {worst.message}"))
        return Verdict(status, worst.reason, told, worst.name)

    def notes(self) -> dict[str, Any]:
        """For an attempt's notes."""
        return {
            "outcome": self.outcome, "fraction": self.fraction, "obligations": [asdict(o) for o in self.obligations],
        }  # fmt: skip


def nothing(reason: str, fault: str) -> Score:
    """A submission that scores nothing as a whole."""
    return Score((), reason, fault)


def outcome(attempt: Attempt) -> str:
    """One of OUTCOMES, also for attempts of `unsorry eval`, which do not name it."""
    told = attempt.notes.get("outcome")
    if told in OUTCOMES:
        return str(told)
    if attempt.verdict.accepted:
        return "solved"
    if attempt.verdict.reason in (LOST, INFRA):
        return "infra"
    if attempt.verdict.reason == NO_PROOF:
        return "open"
    return "undecided" if attempt.verdict.status is Status.UNDECIDED else "wrong"


def fraction(attempt: Attempt) -> float:
    """The share of obligations that an attempt met; 1 or 0 where it had one."""
    told: Mapping[str, Any] = attempt.notes
    value = told.get("fraction")
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else float(attempt.verdict.accepted)
