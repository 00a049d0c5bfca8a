"""Every case that only the kernel stops, with a kernel that accepts everything: the second checker stops it alone."""

from __future__ import annotations

import pytest

from unsorry import Problem, Status
from unsorry.judge import StrictJudge
from unsorry.judge.kernel import KernelProcess, KernelReply
from unsorry.judge.reasons import Reason
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam import Case, home, load

KERNEL = {"replay.refused", "replay.regenerated_differs"}
CASES = [c for c in load(home()) if c.kind == "hostile" and set(c.reason) <= KERNEL and c.needs == "core"]


def param(number: int, case: Case) -> object:
    return pytest.param(case, id=case.id, marks=[pytest.mark.slow] if number % 6 else [])


@pytest.fixture(scope="module")
def credulous(embedded: Toolchain, sandbox: Confinement):  # type: ignore[no-untyped-def]
    with pytest.MonkeyPatch.context() as patch, StrictJudge(embedded, sandbox) as judge:
        patch.setattr(KernelProcess, "check", lambda *_: KernelReply(""))
        yield judge


def test_there_are_such_cases() -> None:
    assert len(CASES) >= 30


@pytest.mark.parametrize("case", [param(number, case) for number, case in enumerate(CASES)])
def test_the_second_checker_refuses(credulous: StrictJudge, case: Case) -> None:
    verdict = credulous.judge(Problem(case.id, case.statement, tuple(case.targets)), case.submission)
    assert verdict.status is Status.UNDECIDED, verdict.message
    assert verdict.reason == Reason.SECOND_DISAGREES, verdict.message
