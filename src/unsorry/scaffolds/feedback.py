"""What a model is told of its failed submission: the verdict's reason and Lean's errors, for a format to render."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from unsorry import Problem, Status, Verdict
from unsorry.judge.reasons import Reason
from unsorry.judge.tiered import Diagnostics
from unsorry.lean.process import Message
from unsorry.provers.formats import Feedback
from unsorry.scaffolds import DEFECT

TIMED_OUT = frozenset((Reason.COMPILE_TIMEOUT.value, Reason.REPLAY_TIMEOUT.value))


@runtime_checkable
class Diagnosing(Protocol):
    """A judge that remembers what Lean said, as TieredJudge does."""

    def diagnostics(self, problem: Problem, submission: str) -> Diagnostics: ...


def feedback(judge: object, problem: Problem, submission: str, verdict: Verdict) -> Feedback:
    """The feedback on a submission to `problem` that `judge` gave `verdict` on.

    Errors are told where the judge remembers them and only of a rejection: what Lean had said before it was stopped
    depends on the machine's load, and a prompt must not.
    """
    undecided = verdict.status is Status.UNDECIDED
    errors: tuple[Message, ...] = ()
    if isinstance(judge, Diagnosing) and not undecided and not verdict.reason.startswith(DEFECT):
        errors = judge.diagnostics(problem, submission).errors
    return Feedback(
        submission,
        verdict.reason,
        verdict.message,
        errors,
        timed_out=verdict.reason in TIMED_OUT,
        undecided=undecided,
    )
