"""The strict judge in the sandbox, and the score of the cases that were judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from unsorry import UnsorryError
from unsorry.judge.sandbox import choose
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam import JudgeAdapter
from unsorry.redteam.judges import Bench, strict

SCORE: Counter[str] = Counter()


@pytest.fixture(scope="session")
def sandbox() -> Confinement:
    """Hostile files run in the strict sandbox or not at all."""
    try:
        return choose("strict")
    except UnsorryError as error:
        pytest.skip(f"hostile submissions are not run without a strict sandbox: {error}")


@pytest.fixture(scope="session")
def ours(embedded: Toolchain, sandbox: Confinement) -> Iterator[JudgeAdapter]:
    with ExitStack() as stack:
        yield strict(Bench(embedded, sandbox), stack)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if SCORE:
        wrong = {key: SCORE.pop(key, 0) for key in ("false accept", "false reject", "wrong verdict", "wrong reason")}
        parts = [f"{count} {key}" for key, count in sorted(SCORE.items())]
        terminalreporter.write_line("red team: " + ", ".join([*parts, *(f"{n} {key}s" for key, n in wrong.items())]))
