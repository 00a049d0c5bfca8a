"""Whether an attempt's certificate backs what the attempt claims: nothing is accepted because a file says so."""

from __future__ import annotations

from collections.abc import Callable

from unsorry import Attempt, Problem, Status, UnsorryError
from unsorry.judge import certificate
from unsorry.judge.reasons import Reason, one_line
from unsorry.provers.formats.negation import negation
from unsorry.scaffolds import REFUTED
from unsorry.scaffolds.chains import DISPROVED, PROVED

Negate = Callable[[Problem], Problem | None]


def claims(attempt: Attempt) -> bool:
    """Whether the attempt says that the judge accepted something: a proof, a disproof, a counterexample."""
    return attempt.verdict.accepted or attempt.verdict.reason == REFUTED


def judged_problem(attempt: Attempt, problem: Problem, negate: Negate = negation) -> Problem:
    """What a claim's verdict is about: the problem, or its negation; raises UnsorryError where that has no text."""
    claim = DISPROVED if attempt.verdict.reason == REFUTED else attempt.notes.get("claim", PROVED)
    if claim == PROVED:
        return problem
    negated = negate(problem) if claim == DISPROVED else None
    if negated is None:
        raise UnsorryError(one_line(f"it claims to have {claim} a statement that has no negation as text"))
    return negated


def check(attempt: Attempt, problem: Problem, negate: Negate = negation) -> None:
    """Raises UnsorryError unless every acceptance that the attempt claims is backed by its certificate.

    The verdict must be the strict judge's, without holes; the certificate whole, and about the very texts: of the
    problem (for a disproof, of its negation) and of the submission.  Offline: a certificate that somebody forged with
    a right digest passes; judging again tells (pipeline/confirm.py).
    """
    if attempt.problem != problem.id:
        raise UnsorryError(one_line(f"it is an attempt at {attempt.problem}, not at {problem.id}"))
    if not claims(attempt):
        return
    verdict = attempt.verdict
    wanted = (Status.ACCEPTED, Reason.ACCEPTED) if verdict.accepted else (Status.REJECTED, REFUTED)
    if (verdict.status, verdict.reason) != wanted or verdict.tier != "strict":
        raise UnsorryError(one_line(f"no strict acceptance: {verdict.tier} {verdict.status}, {verdict.reason}"))
    certificate.verify(verdict.certificate, judged_problem(attempt, problem, negate), attempt.submission)
    certified = certificate.shaped(verdict.certificate)
    if certified["open_holes"] or tuple(certified["axioms"]) != tuple(verdict.axioms):
        raise UnsorryError("the certificate has open holes, or other axioms than the verdict")


def backed(attempt: Attempt, problem: Problem, negate: Negate = negation) -> bool:
    """Whether `check` finds nothing."""
    try:
        check(attempt, problem, negate)
    except UnsorryError:
        return False
    return True
