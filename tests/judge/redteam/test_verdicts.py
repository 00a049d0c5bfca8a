"""The strict judge on every case of the corpus: no false accept, no false reject, the declared reasons."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from .conftest import SCORE, Verdicts
from .corpus import RUNNABLE, Case

DAEMON = 2.5  # seconds after which a process that a case left behind would have written its marker


@pytest.mark.parametrize("case", RUNNABLE, ids=str)
def test_verdict(case: Case, verdicts: Verdicts) -> None:
    for marker in case.markers:
        Path(marker).unlink(missing_ok=True)
    verdict = verdicts.of(case)
    complaint = case.complaint(verdict)
    SCORE[f"{case.kind} {verdict.status}"] += 1
    SCORE[complaint.partition(":")[0] or "right"] += 1
    assert not complaint, complaint
    if case.markers:
        time.sleep(DAEMON)
    for marker in case.markers:
        assert not Path(marker).exists(), f"{case.id} wrote {marker}, outside of the sandbox"
