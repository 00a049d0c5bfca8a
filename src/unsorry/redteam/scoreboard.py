"""What a judge made of the corpus, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unsorry.redteam.corpus import Case

INTERNAL = "internal"  # the reason of a judge that failed, which is never right


@dataclass(frozen=True, slots=True)
class Result:
    """One judge's answer to one case; `reason` is "" for judges that give none."""

    case: Case
    status: str
    reason: str = ""
    message: str = ""
    seconds: float = 0.0

    @property
    def fault(self) -> str:
        """`false accept`, `false reject`, `wrong verdict`, `wrong reason`, or "" if the answer is right.

        Undecided is never a false accept or reject; where the corpus asks for a decision it is a wrong verdict.
        """
        if self.status not in self.case.verdict:
            if self.status == "undecided":
                return "wrong verdict"
            return {"accepted": "false accept"}.get(
                self.status, "wrong verdict" if self.case.hostile else "false reject"
            )
        if self.reason == INTERNAL or (self.reason and self.case.reason and self.reason not in self.case.reason):
            return "wrong reason"
        return ""

    @property
    def complaint(self) -> str:
        """The fault in one line, "" if there is none."""
        if not self.fault:
            return ""
        right = " or ".join(self.case.verdict) + (
            f" ({' or '.join(self.case.reason)})" if self.reason and self.case.reason else ""
        )
        why = ": ".join(filter(None, (self.reason, " ".join(self.message.split()))))
        got = f"{self.status} ({why})" if why else self.status
        return f"{self.fault}: {self.case}: {got}, right is {right}; {self.case.mechanism}"


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All answers of one judge; `escapes` are the markers that hostile cases left outside of the sandbox."""

    results: tuple[Result, ...]
    seconds: float  # wall clock of the whole run
    judge: str = ""
    escapes: tuple[str, ...] = ()

    @property
    def hostile(self) -> int:
        return sum(result.case.hostile for result in self.results)

    @property
    def honest(self) -> int:
        return len(self.results) - self.hostile

    @property
    def false_accepts(self) -> int:
        return len(self.faults("false accept"))

    @property
    def false_rejects(self) -> int:
        return len(self.faults("false reject"))

    @property
    def undecided(self) -> int:
        return sum(result.status == "undecided" for result in self.results)

    @property
    def wrong_verdicts(self) -> int:
        """Neither a false accept nor a false reject, yet not what the corpus says: `undecided` as a rule."""
        return len(self.faults("wrong verdict"))

    @property
    def wrong_reasons(self) -> int:
        return len(self.faults("wrong reason"))

    @property
    def ok(self) -> bool:
        """No false accept, no false reject, nothing outside of the sandbox."""
        return not (self.false_accepts or self.false_rejects or self.escapes)

    def faults(self, kind: str = "") -> list[Result]:
        """The answers that are wrong, or wrong in one way."""
        return [result for result in self.results if (result.fault == kind if kind else result.fault)]

    def counts(self) -> Mapping[str, int]:
        """The numbers that do not depend on the machine."""
        return {
            "hostile": self.hostile, "honest": self.honest,
            "false_accepts": self.false_accepts, "false_rejects": self.false_rejects, "undecided": self.undecided,
            "wrong_verdicts": self.wrong_verdicts, "wrong_reasons": self.wrong_reasons, "escapes": len(self.escapes),
        }  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """The object of `unsorry redteam --json`."""
        faults = [
            {"case": str(r.case), "fault": r.fault, "verdict": r.status, "reason": r.reason, "message": r.message}
            for r in self.faults()
        ]
        return {**self.counts(), "seconds": round(self.seconds, 1), "faults": faults}
