"""The corpus itself: complete, well-formed, and no straw men."""

from __future__ import annotations

import pytest

from unsorry.judge.reasons import Reason
from unsorry.lean.process import Confinement, Limits
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam import Case, home, lean_says, load

LIMITS = Limits(wall=60.0, memory=3 << 30, file_size=64 << 20)
CASES = load(home())
RUNNABLE = [case for case in CASES if case.needs == "core"]
FOOLING = [case for case in RUNNABLE if case.fools]
LONG = {"v15-deep-name-axiom"}  # Lean itself takes a minute for it
SAMPLE = [case for case in FOOLING[::8] if case.id not in LONG]


def test_there_are_enough_cases() -> None:
    assert sum(case.hostile for case in RUNNABLE) >= 400
    assert sum(not case.hostile for case in RUNNABLE) >= 330


def test_every_vector_of_the_first_forty_has_a_hostile_case() -> None:
    assert set(range(1, 41)) <= {v for case in RUNNABLE if case.kind == "hostile" for v in case.vectors}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_well_formed(case: Case) -> None:
    assert case.mechanism.endswith(".")
    assert case.targets and case.verdict and case.reason
    statuses = {str(Reason(reason).status) for reason in case.reason}
    assert statuses == set(case.verdict), "each reason belongs to a right verdict, and each verdict has a reason"
    assert "internal" not in case.reason, "a fault of the judge is never right"
    if case.kind == "honest":
        assert case.verdict == ("accepted",) and not case.fools
    else:
        assert case.defence and case.vectors and "accepted" not in case.verdict


@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_a_sample_fools_real_lean(case: Case, embedded: Toolchain, sandbox: Confinement) -> None:
    assert fools(case, embedded, sandbox) >= set(case.fools)


@pytest.mark.slow
@pytest.mark.parametrize("case", FOOLING, ids=str)
def test_each_fools_real_lean(case: Case, embedded: Toolchain, sandbox: Confinement) -> None:
    assert fools(case, embedded, sandbox) >= set(case.fools)


def fools(case: Case, toolchain: Toolchain, sandbox: Confinement) -> set[str]:
    """The naive judges that Lean's own words about the submission would satisfy."""
    run = lean_says.run_case(case, case.submission, toolchain, sandbox, LIMITS)
    asked = lean_says.asking(case.submission, case.targets)
    answered = lean_says.run_case(case, asked, toolchain, sandbox, LIMITS)
    said = {
        "exit-code": lean_says.passes_exit_code(run),
        "messages": lean_says.passes_messages(run),
        "print-axioms": lean_says.passes_print_axioms(answered),
    }
    return {name for name, passes in said.items() if passes}
