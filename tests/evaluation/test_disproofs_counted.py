"""An accepted disproof is an acceptance of the negation: no count takes it for a proof of the statement."""

from __future__ import annotations

from unsorry import Attempt, Cost, Problem, Status, Turn, Verdict
from unsorry.evaluation import costs
from unsorry.evaluation.outcomes import Count, from_attempts
from unsorry.evaluation.summary import best, summarise
from unsorry.pipeline.stages.scaffold import _corrections

PROBLEM = Problem("p", "theorem t : 1 = 2 := by sorry", ("t",))
ACCEPTED = Verdict(Status.ACCEPTED, "accepted", "")


def attempt(claim: str, verdict: Verdict = ACCEPTED) -> Attempt:
    return Attempt("p", "model", "prove_or_disprove", "", verdict, Cost(money=1.0), notes={"claim": claim})


DISPROOF, PROOF = attempt("disproved"), attempt("proved")
WRONG = attempt("proved", Verdict(Status.REJECTED, "compile.failed", ""))


def naive(attempts: list[Attempt]) -> int:
    return sum(a.verdict.accepted for a in attempts)


def test_it_is_no_correct_sample() -> None:
    tried = [DISPROOF, DISPROOF, WRONG, attempt("proved", Verdict(Status.UNDECIDED, "x", ""))]
    assert naive(tried) == 2
    assert from_attempts([PROBLEM], tried).counts["p"] == Count(4, 0, undecided=1)
    assert from_attempts([PROBLEM], [*tried, PROOF]).counts["p"].correct == 1


def test_it_buys_no_pass_at_k() -> None:
    (point,) = costs.curve([DISPROOF, WRONG], [1])
    assert naive([DISPROOF, WRONG]) == 1 and point.pass_at == 0.0
    assert costs.curve([PROOF, WRONG], [1])[0].pass_at == 0.5


def test_a_summary_calls_it_refuted() -> None:
    row = summarise([PROBLEM], [WRONG, DISPROOF])[-1]
    assert (row.accepted, row.refuted, row.rejected, row.undecided) == (0, 1, 1, 0)
    assert best([WRONG, DISPROOF])["p"] is DISPROOF and best([DISPROOF, PROOF])["p"] is PROOF


def test_a_correction_that_disproves_mended_nothing() -> None:
    turns = (Turn(text="a"), Turn(text="b"))
    chains = [Attempt("p", "m", "s", "", ACCEPTED, notes={"claim": c}, turns=turns) for c in ("disproved", "proved")]
    assert _corrections(chains)["mended"] == 1
