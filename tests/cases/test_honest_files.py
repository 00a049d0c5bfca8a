"""The judge accepts what people write: every theorem of the passing Lean files, as its own submission."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from unsorry import Problem
from unsorry.judge import Reason, StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean.source import parse
from unsorry.lean.toolchain import Toolchain

FILES = Path(__file__).parents[1] / "lean" / "files" / "pass"
REFUSED = {"sorry_warns": Reason.AXIOMS_SORRY, "opaque_axiom": Reason.AXIOMS_ILLEGAL}  # and rightly so

pytestmark = pytest.mark.slow


def problem(path: Path) -> Problem | None:
    """The file as a problem that states all its theorems; None if it has none."""
    source = parse(path.read_text())
    targets = tuple(c.name for c in source.declarations if c.kind == "theorem" and not c.private)
    return Problem(id=path.stem, statement=source.text, targets=targets) if targets else None


PROBLEMS = [made for path in sorted(FILES.glob("*.lean")) if (made := problem(path))]


@pytest.fixture(scope="module")
def judge(embedded: Toolchain) -> Iterator[StrictJudge]:
    with StrictJudge(embedded, choose("strict")) as opened:
        yield opened


@pytest.mark.parametrize("stated", PROBLEMS, ids=[p.id for p in PROBLEMS])
def test_theorems_of_the_file_are_accepted(judge: StrictJudge, stated: Problem) -> None:
    verdict = judge.judge(stated, stated.statement)
    assert verdict.reason == REFUSED.get(stated.id, Reason.ACCEPTED), verdict


def test_there_are_theorems_to_judge() -> None:
    assert len(PROBLEMS) >= 90
    assert set(REFUSED) < {p.id for p in PROBLEMS}
