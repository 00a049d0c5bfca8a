"""The second opinion in the verdicts of the strict judge, and in their certificates."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest

from unsorry import Problem, Status, UnsorryError
from unsorry.judge import StrictJudge
from unsorry.judge.certificate import NOT_ASKED
from unsorry.judge.differences import differences
from unsorry.judge.kernel import KernelProcess, KernelReply
from unsorry.judge.reasons import Reason
from unsorry.judge.second.process import DEMANDED, RECORDED, SecondPolicy, policy
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam import home, load

PROBLEM = Problem("and", "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by sorry", ("swap",))
PROOF = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩"


@pytest.fixture(scope="module")
def own(embedded: Toolchain, plain: Confinement) -> Iterator[StrictJudge]:
    with StrictJudge(embedded, plain) as made:
        yield made


def test_an_agreement_is_certified(own: StrictJudge) -> None:
    certificate = own.judge(PROBLEM, PROOF).certificate
    assert certificate is not None
    second = certificate["second"]
    assert (second["opinion"], second["detail"], second["steps"]) == ("agree", "", RECORDED.steps)
    assert second["checked"] == certificate["submission"]["checked"] == 1
    assert own.opinions.counts["agree"] >= 1


def test_a_rejected_submission_is_not_asked_about(own: StrictJudge) -> None:
    before = own.opinions.counts.total()
    assert not own.judge(PROBLEM, PROBLEM.source).accepted
    assert own.opinions.counts.total() == before


def test_what_the_budget_does_not_settle(own: StrictJudge) -> None:
    """Recorded by default, a verdict of its own where an opinion is demanded, nothing where none is asked for."""
    own.second = SecondPolicy(steps=1)
    recorded = own.judge(PROBLEM, PROOF)
    assert recorded.accepted and recorded.certificate is not None
    assert recorded.certificate["second"]["opinion"] == "undecided"
    assert recorded.certificate["second"]["detail"] == "out of steps"
    own.second = SecondPolicy(steps=1, demanded=True)
    demanded = own.judge(PROBLEM, PROOF)
    assert (demanded.status, demanded.reason) == (Status.UNDECIDED, Reason.SECOND_UNDECIDED)
    assert "out of steps" in demanded.message and demanded.certificate is None
    own.second = None
    unasked = own.judge(PROBLEM, PROOF)
    assert unasked.certificate is not None and unasked.certificate["second"] == NOT_ASKED
    own.second = RECORDED


def test_a_false_proof_that_the_kernel_lets_through(
    own: StrictJudge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A kernel that accepts everything: the second checker alone stops a proof that no kernel has seen."""
    monkeypatch.setattr(KernelProcess, "check", lambda *_: KernelReply(""))
    before, cases = own.opinions.counts["disagree"], {case.id: case for case in load(home())}
    for name in ("v38-skip-kernel", "v39-raw-theorem"):
        case = cases[name]
        problem = Problem(case.id, case.statement, tuple(case.targets))
        with caplog.at_level(logging.ERROR):
            verdict = own.judge(problem, case.submission)
        assert (verdict.status, verdict.reason) == (Status.UNDECIDED, Reason.SECOND_DISAGREES), verdict.message
        assert verdict.certificate is None and "\n" not in verdict.message
    assert own.opinions.counts["disagree"] == before + 2
    assert "refuses what the kernel accepts" in caplog.text


def test_a_process_that_dies_is_undecided_and_replaced(own: StrictJudge) -> None:
    own.judge(PROBLEM, PROOF)
    for process in own.opinions._processes.values():
        assert process._process is not None
        process._process.kill()
        process._process.wait()
    certificate = own.judge(PROBLEM, PROOF).certificate
    assert certificate is not None and certificate["second"]["opinion"] in ("agree", "undecided")
    certificate = own.judge(PROBLEM, PROOF).certificate
    assert certificate is not None and certificate["second"]["opinion"] == "agree"


def test_an_agreement_must_be_found_again(own: StrictJudge) -> None:
    """In a comparison of certificates an agreement counts; one that is new, and what it took, do not."""
    made = json.loads(json.dumps(own.judge(PROBLEM, PROOF).certificate))
    none = {**made, "second": dict(NOT_ASKED)}
    more = {**made, "second": {**made["second"], "steps": DEMANDED.steps}}
    less = {**made, "second": {**made["second"], "checked": 7}}
    assert any(d.counts for d in differences(made, none))
    assert any(d.counts for d in differences(made, less))
    assert not any(d.counts for d in differences(none, made))
    assert not any(d.counts for d in differences(made, more)) and differences(made, more)


def test_what_the_option_says() -> None:
    assert (policy("record"), policy("demand"), policy("off")) == (RECORDED, DEMANDED, None)
    with pytest.raises(UnsorryError, match="record, demand, off"):
        policy("maybe")
