"""The score: what is counted as what, in any order, with traps that are set and taken away."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from unsorry import Status, UnsorryError, Verdict
from unsorry.redteam import Case, run_corpus

HOSTILE = Case("h", "hostile", ("t",), "", "", ("rejected",), ("axioms.sorry",))
EITHER = Case("e", "hostile", ("t",), "", "", ("rejected", "undecided"))
HONEST = Case("g", "honest", ("t",), "", "", ("accepted",), ("accepted",))
MARKER = Path("/tmp/unsorry-redteam-test-marker")


def always(status: str) -> Callable[[Case], str]:
    return lambda case: status


@pytest.mark.parametrize(
    ("status", "accepts", "rejects", "undecided", "wrong", "ok"),
    [("accepted", 2, 0, 0, 0, False), ("rejected", 0, 1, 0, 0, False), ("undecided", 0, 0, 3, 2, True)],
)
def test_what_is_counted(status: str, accepts: int, rejects: int, undecided: int, wrong: int, ok: bool) -> None:
    board = run_corpus(always(status), [HOSTILE, EITHER, HONEST])
    assert (board.hostile, board.honest) == (2, 1)
    assert (board.false_accepts, board.false_rejects, board.undecided) == (accepts, rejects, undecided)
    assert (board.wrong_verdicts, board.ok) == (wrong, ok)


def test_a_right_judge() -> None:
    board = run_corpus(lambda case: "rejected" if case.hostile else "accepted", [HOSTILE, EITHER, HONEST], 3)
    assert board.ok and not board.faults()


def test_reasons_of_verdicts_are_compared() -> None:
    def judge(case: Case) -> Verdict:
        return Verdict(Status.REJECTED, "compile.failed", "line 1:\nnonsense")

    [fault] = run_corpus(judge, [HOSTILE, EITHER]).faults("wrong reason")
    assert fault.case is HOSTILE
    assert "compile.failed: line 1: nonsense" in fault.complaint and "axioms.sorry" in fault.complaint


def test_a_judge_without_reasons_has_no_wrong_ones() -> None:
    assert run_corpus(always("rejected"), [HOSTILE]).wrong_reasons == 0


def test_the_order_does_not_matter() -> None:
    cases = [replace(case, id=f"{case.id}{n}") for n in range(20) for case in (HOSTILE, EITHER, HONEST)]
    shuffled = list(cases)
    random.Random(1).shuffle(shuffled)

    def judge(case: Case) -> str:
        return ("accepted", "rejected", "undecided")[sum(map(ord, case.id)) % 3]

    one, other = run_corpus(judge, cases, 4), run_corpus(judge, shuffled, 2)
    assert one.counts() == other.counts()
    assert {str(r.case): r.status for r in one.results} == {str(r.case): r.status for r in other.results}


def test_a_judge_that_fails_has_decided_nothing() -> None:
    def judge(case: Case) -> str:
        raise RuntimeError("out of luck")

    board = run_corpus(judge, [HOSTILE, HONEST])
    assert board.undecided == 2 and board.false_accepts == 0
    assert "RuntimeError: out of luck" in board.results[0].message
    assert run_corpus(judge, [EITHER]).wrong_reasons == 1, "undecided would be right here, failing is not"


@pytest.mark.parametrize("said", ["Accepted", "", None, True, 0])
def test_an_answer_that_is_none(said: object) -> None:
    with pytest.raises(UnsorryError, match="an adapter answers accepted, rejected, undecided"):
        run_corpus(lambda case: said, [HOSTILE])  # type: ignore[arg-type,return-value]


def test_a_fault_of_the_users_ends_the_run() -> None:
    seen = []

    def judge(case: Case) -> str:
        seen.append(case)
        raise UnsorryError("no Lean here")

    with pytest.raises(UnsorryError, match="no Lean here"):
        run_corpus(judge, [HOSTILE] * 500)
    assert len(seen) < 500


def test_progress_is_told_every_answer() -> None:
    told: list[str] = []
    run_corpus(always("rejected"), [HOSTILE, EITHER, HONEST], 2, progress=lambda result: told.append(result.case.id))
    assert sorted(told) == ["e", "g", "h"]


def test_what_is_left_outside_is_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unsorry.redteam.run.DAEMON", 0.0)  # nothing here is left to daemons
    case = replace(EITHER, markers=(str(MARKER),))
    MARKER.write_text("from an earlier run")
    assert run_corpus(always("rejected"), [case]).ok

    def leaks(case: Case) -> str:
        MARKER.write_text("out")
        return "rejected"

    board = run_corpus(leaks, [case])
    assert board.escapes == (f"hostile/e: {MARKER}",) and not board.ok
    assert not MARKER.exists()


def test_a_marker_that_cannot_be_removed_is_one_line() -> None:
    MARKER.mkdir()
    try:
        with pytest.raises(UnsorryError, match="cannot remove"):
            run_corpus(always("rejected"), [replace(EITHER, markers=(str(MARKER),))])
    finally:
        MARKER.rmdir()


def test_traps_are_there_while_the_cases_run_and_no_longer(tmp_path: Path) -> None:
    trap = Path("/tmp/unsorry-redteam-test-plant")
    name = "UNSORRY_REDTEAM_TEST"
    precious = tmp_path / "precious"
    precious.write_text("mine")
    trap.unlink(missing_ok=True)
    trap.symlink_to(precious)  # left by another user of the machine
    seen: list[str] = []

    def judge(case: Case) -> str:
        seen.extend([trap.read_text(), os.environ[name]])
        return "rejected"

    run_corpus(judge, [replace(EITHER, plant=(str(trap),), environment=(name,))])
    assert seen == ["a secret of the judge's host\n", "a secret of the judge's environment"]
    assert not trap.exists() and name not in os.environ
    assert precious.read_text() == "mine"


def test_the_object_of_the_command() -> None:
    made = run_corpus(always("accepted"), [HOSTILE, HONEST]).as_json()
    assert list(made)[:5] == ["hostile", "honest", "false_accepts", "false_rejects", "undecided"]
    assert made["false_accepts"] == 1 and made["seconds"] >= 0
    assert made["faults"][0]["case"] == "hostile/h"
