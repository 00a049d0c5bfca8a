"""The fast tier rejects and never accepts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from unsorry import Problem, Status
from unsorry.judge import FastJudge, Reason, StrictJudge
from unsorry.judge.fast import sorry_in
from unsorry.lean.process import Confinement, Limits, Message
from unsorry.lean.toolchain import Toolchain

ADD = Problem("add", "theorem A.add_swap (a b : Nat) : a + b = b + a := by sorry", ("A.add_swap",))
HEAD = "theorem A.add_swap (a b : Nat) : a + b = b + a := "


@pytest.fixture(scope="module")
def fast(embedded: Toolchain, plain: Confinement) -> Iterator[FastJudge]:
    with FastJudge(embedded, plain, limits=Limits(wall=20.0)) as made:
        yield made


CASES = {
    "proof": (HEAD + "by omega", Reason.FAST_PASSED),
    "error": (HEAD + "by decide", Reason.FAST_ERROR),
    "sorry": (HEAD + "by sorry", Reason.FAST_SORRY),
    "sorry in a namespace": (
        "namespace A\ntheorem add_swap (a b : Nat) : a + b = b + a := by sorry\nend A",
        Reason.FAST_SORRY,
    ),
    "sorry elsewhere": ("theorem x : 1 = 2 := sorry\n" + HEAD + "by omega", Reason.FAST_PASSED),
    "import": ("import Init\n" + HEAD + "by omega", Reason.FAST_PASSED),
    "import and error": ("import Init\n\n" + HEAD + "by decide", Reason.FAST_ERROR),
    "import on one line": ("import Init " + HEAD + "by omega", Reason.FAST_PASSED),
    "unknown import": ("import Nowhere\n" + HEAD + "by omega", Reason.FAST_ERROR),
    "prelude": ("prelude\naxiom x : Prop", Reason.FAST_PASSED),
    "open comment": ("/- ", Reason.FAST_ERROR),
    "nothing": ("", Reason.FAST_PASSED),
    "no unicode": ("\ud800", Reason.SUBMISSION_TEXT),
    "axiom": ("axiom c : False\n" + HEAD + "c.elim", Reason.FAST_PASSED),
}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.replace(" ", "-"))
def test_what_the_fast_tier_says(fast: FastJudge, case: str) -> None:
    text, reason = CASES[case]
    verdict = fast.judge(ADD, text)
    assert verdict.reason == reason, verdict
    assert verdict.status is not Status.ACCEPTED
    assert verdict.tier == "fast" and verdict.certificate is None


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.replace(" ", "-"))
def test_strict_accepts_nothing_that_fast_rejects(fast: FastJudge, judge: StrictJudge, case: str) -> None:
    text, _ = CASES[case]
    if fast.judge(ADD, text).status is Status.REJECTED:
        assert not judge.judge(ADD, text).accepted


def test_lines_are_those_of_the_submission(fast: FastJudge) -> None:
    verdict = fast.judge(ADD, "import Init\n-- two\n\n" + HEAD + "by decide")
    assert "line 4" in verdict.message


def test_a_hang_is_undecided(embedded: Toolchain, plain: Confinement) -> None:
    with FastJudge(embedded, plain, limits=Limits(wall=2.0)) as fast:
        text = (
            "set_option maxHeartbeats 0\nset_option maxRecDepth 100000000\ndef f : Nat → Nat\n"
            "  | 0 => 1\n  | 1 => 1\n  | n + 2 => f n + f (n + 1)\n"
        )
        verdict = fast.judge(ADD, text + "#eval f 70\n" + HEAD + "by omega")
        assert verdict.status is Status.UNDECIDED, verdict
        assert verdict.reason == Reason.COMPILE_TIMEOUT
        assert fast.judge(ADD, HEAD + "by omega").reason == Reason.FAST_PASSED  # and the next check works


def test_many_are_judged_in_order(fast: FastJudge) -> None:
    texts = [HEAD + "by omega", HEAD + "by sorry", HEAD + "by decide"] * 4
    found = [v.reason for v in fast.judge_many((ADD, text) for text in texts)]
    assert found == [Reason.FAST_PASSED, Reason.FAST_SORRY, Reason.FAST_ERROR] * 4


def test_no_state_passes_from_one_check_to_the_next(fast: FastJudge) -> None:
    assert fast.judge(ADD, "theorem helper : True := trivial\n" + HEAD + "by omega").reason == Reason.FAST_PASSED
    assert fast.judge(ADD, HEAD + "by have := helper; omega").reason == Reason.FAST_ERROR


def test_a_sorry_message_belongs_to_the_declaration_it_stands_at() -> None:
    text = "theorem A.t : 1 = 2 := sorry"
    message = Message("warning", "whatever the words", 1, 8, 1, 11, "hasSorry")
    assert sorry_in(message, text, ("A.t",)) == "A.t"
    assert sorry_in(message, text, ("B.t", "t")) == ""
    assert sorry_in(Message("warning", "declaration uses `sorry`", 1, 8, 1, 11, "other"), text, ("A.t",)) == ""
    assert sorry_in(Message("warning", "", 7, 8, 7, 11, "hasSorry"), text, ("A.t",)) == ""
