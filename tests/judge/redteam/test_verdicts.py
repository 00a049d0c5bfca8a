"""The strict judge on every case of the corpus: no false accept, no false reject, the declared reasons."""

from __future__ import annotations

from zlib import crc32

import pytest

from unsorry.redteam import Case, JudgeAdapter, home, load, run_corpus

from .conftest import SCORE

# two thirds of the honest cases, the same everywhere, are left to the slow tests
CASES = [
    pytest.param(
        case, id=str(case), marks=[pytest.mark.slow] if not case.hostile and crc32(case.id.encode()) % 3 else []
    )
    for case in load(home())
    if case.needs == "core"
]


@pytest.mark.parametrize("case", CASES)
def test_verdict(case: Case, ours: JudgeAdapter) -> None:
    board = run_corpus(ours, [case])
    [result] = board.results
    SCORE[f"{case.kind} {result.status}"] += 1
    SCORE[result.fault or "right"] += 1
    assert not result.fault, result.complaint
    assert not board.escapes, "written outside of the sandbox"
