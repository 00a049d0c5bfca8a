"""A verdict on each target alone: what the judge says of many at once must be what it says of each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unsorry import Problem
from unsorry.judge import StrictJudge, certificate
from unsorry.lean.process import Unconfined
from unsorry.lean.toolchain import Toolchain

STATED = Problem(
    "many",
    "def two := 2\n"
    "theorem good : two = 2 := by sorry\n"
    "theorem open_ : two = 2 := by sorry\n"
    "theorem weak (n : Nat) : n < n + 2 := by sorry\n"
    "theorem wished : two = 3 := by sorry\n"
    "theorem gone : two = 2 := by sorry\n",
    ("good", "open_", "weak", "wished", "gone", "never_stated"),
)
GIVEN = (
    "def two := 2\n"
    "theorem good : two = 2 := rfl\n"
    "theorem open_ : two = 2 := by sorry\n"
    "theorem weak (n : Nat) : n < n + 3 := by omega\n"
    "axiom wish : two = 3\n"
    "theorem wished : two = 3 := wish\n"
)
REASONS = {
    "good": "accepted", "open_": "axioms.sorry", "weak": "statement.type_differs", "wished": "axioms.illegal",
    "gone": "statement.missing", "never_stated": "statement.invalid",
}  # fmt: skip


@pytest.fixture
def judge(embedded: Toolchain) -> StrictJudge:
    return StrictJudge(embedded, Unconfined())


def test_each_target_has_its_own_verdict_and_certificate(judge: StrictJudge) -> None:
    with judge:
        found = judge.judge_each(STATED, GIVEN)
        assert {name: verdict.reason for name, verdict in found.items()} == REASONS
        alone = replace(STATED, targets=("good",))
        given = found["good"].certificate
        assert given is not None and given == judge.judge(alone, GIVEN).certificate
        certificate.verify(given, alone, GIVEN)
        assert judge.judge_each(STATED, GIVEN).keys() == REASONS.keys()  # from memory


def test_what_does_not_compile_is_the_same_verdict_for_all(judge: StrictJudge) -> None:
    with judge:
        assert {v.reason for v in judge.judge_each(STATED, GIVEN + "theorem x : 1 = 2 := rfl\n").values()} == {
            "compile.failed"
        }
        broken = replace(STATED, statement="theorem good : := sorry\n")
        assert {v.reason for v in judge.judge_each(broken, GIVEN).values()} == {"statement.invalid"}
        assert judge.judge_each(replace(STATED, targets=()), GIVEN) == {}
