"""Judges the selected cases in parallel, in the sandbox, and keeps the score."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from unsorry import UnsorryError, Verdict
from unsorry.judge import StrictJudge
from unsorry.judge.kernel import KernelLimits
from unsorry.judge.sandbox import choose
from unsorry.lean.process import Confinement, Limits
from unsorry.lean.toolchain import Toolchain

from .corpus import Case

PATIENCE = 30.0  # seconds of elaboration for a case that does not name its own
SCORE: Counter[str] = Counter()


class Verdicts:
    """The verdicts of the selected cases, judged ahead of the tests that ask for them."""

    def __init__(self, judge: Judges, cases: list[Case]) -> None:
        self._queues: dict[float, Iterator[tuple[Case, Verdict]]] = {}
        self._known: dict[str, Verdict] = {}
        for seconds in {case.seconds for case in cases}:
            group = [case for case in cases if case.seconds == seconds]
            verdicts = judge.of(seconds).judge_many((case.problem, case.submission) for case in group)
            self._queues[seconds] = zip(group, verdicts, strict=True)

    def of(self, case: Case) -> Verdict:
        while case.id not in self._known:
            other, verdict = next(self._queues[case.seconds])
            self._known[other.id] = verdict
        return self._known[case.id]


class Judges:
    """One judge for each patience."""

    def __init__(self, toolchain: Toolchain, confinement: Confinement, stack: ExitStack) -> None:
        self._made: dict[float, StrictJudge] = {}
        self._toolchain, self._confinement, self._stack = toolchain, confinement, stack

    def of(self, seconds: float) -> StrictJudge:
        if seconds not in self._made:
            wall = seconds or PATIENCE
            limits = Limits(wall=wall, cpu=wall, memory=2 << 30, file_size=64 << 20)
            kernel = KernelLimits(wall=round(wall), cpu=round(wall), memory=2 << 30)
            judge = StrictJudge(self._toolchain, self._confinement, limits=limits, kernel_limits=kernel)
            self._made[seconds] = self._stack.enter_context(judge)
        return self._made[seconds]


@pytest.fixture(scope="session")
def sandbox() -> Confinement:
    """Hostile files run in the strict sandbox or not at all."""
    try:
        return choose("strict")
    except UnsorryError as error:
        pytest.skip(f"hostile submissions are not run without a strict sandbox: {error}")


@pytest.fixture(scope="session")
def verdicts(request: pytest.FixtureRequest, embedded: Toolchain, sandbox: Confinement) -> Iterator[Verdicts]:
    selected = {
        item.callspec.params["case"].id: item.callspec.params["case"]
        for item in request.session.items
        if getattr(item, "callspec", None)
        and "verdicts" in getattr(item, "fixturenames", ())
        and isinstance(item.callspec.params.get("case"), Case)
    }
    planted = [Path(path) for case in selected.values() for path in case.plant]
    environment = [name for case in selected.values() for name in case.environment]
    for path in planted:
        path.write_text("a secret of the judge's host\n")
    os.environ.update(dict.fromkeys(environment, "a secret of the judge's environment"))
    try:
        with ExitStack() as stack:
            judges = Judges(embedded, sandbox, stack)
            # each xdist process collects every case but runs a few: nothing is judged ahead there
            ahead = [] if "PYTEST_XDIST_WORKER" in os.environ else list(selected.values())
            yield Verdicts(judges, ahead) if ahead else OneByOne(judges)
    finally:
        for path in planted:
            path.unlink(missing_ok=True)
        for name in environment:
            os.environ.pop(name, None)


class OneByOne(Verdicts):
    """Verdicts made when they are asked for."""

    def __init__(self, judges: Judges) -> None:
        self._judges = judges

    def of(self, case: Case) -> Verdict:
        return self._judges.of(case.seconds).judge(case.problem, case.submission)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if SCORE:
        wrong = {key: SCORE.pop(key, 0) for key in ("false accept", "false reject", "wrong verdict", "wrong reason")}
        parts = [f"{count} {key}" for key, count in sorted(SCORE.items())]
        terminalreporter.write_line("red team: " + ", ".join([*parts, *(f"{n} {key}s" for key, n in wrong.items())]))
