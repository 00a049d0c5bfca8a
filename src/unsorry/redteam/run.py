"""Run a corpus against a judge: in parallel, in any order, with the traps that its cases ask for."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path

from unsorry import Judge, UnsorryError, Verdict
from unsorry.redteam.corpus import VERDICTS, Case
from unsorry.redteam.scoreboard import INTERNAL, Result, Scoreboard

JudgeAdapter = Callable[[Case], "str | Verdict"]
"""A judge under test: `accepted`, `rejected` or `undecided` for a case, or a whole Verdict; called from threads."""

DAEMON = 2.5  # seconds after which a process that a case left behind would have written its marker


def of_judge(judge: Judge) -> JudgeAdapter:
    """The adapter of any judge of this project; each verdict's reason is compared with the case's."""
    return lambda case: "undecided" if case.build else judge.judge(case.problem, case.submission)


def run_corpus(
    judge: JudgeAdapter,
    cases: Sequence[Case],
    workers: int = 1,
    *,
    name: str = "",
    progress: Callable[[Result], None] | None = None,
) -> Scoreboard:
    """The answers of a judge to all cases, `workers` at a time; `progress` is told each answer as it comes.

    An adapter that raises has decided nothing: the case counts as undecided and the exception is its message.  An
    UnsorryError of the adapter, and an answer that is none of the three, end the run with an UnsorryError.
    """
    start = time.monotonic()
    futures: list[Future[Result]] = []
    faults: list[BaseException] = []  # the first ends the run: here, where it happens, not where answers are read

    def one(case: Case) -> Result:
        if not faults:
            try:
                return answer(judge, case)
            except BaseException as fault:
                faults.append(fault)
        raise faults[0]

    with traps(cases), ThreadPoolExecutor(max(1, workers), thread_name_prefix="redteam") as pool:
        try:
            futures = [pool.submit(one, case) for case in cases]
            for future in as_completed(futures):
                result = future.result()
                if progress is not None:
                    progress(result)
        finally:
            for future in futures:
                future.cancel()
        seconds = time.monotonic() - start
        escapes = left_behind(cases)
    return Scoreboard(tuple(future.result() for future in futures), seconds, name, escapes)


def answer(judge: JudgeAdapter, case: Case) -> Result:
    """One answer; see `run_corpus` for what becomes of an adapter's faults."""
    start = time.monotonic()
    try:
        said = judge(case)
    except UnsorryError:
        raise
    except Exception as error:
        message = f"the judge failed: {type(error).__name__}: {error}"
        return Result(case, "undecided", INTERNAL, message, time.monotonic() - start)
    seconds = time.monotonic() - start
    if isinstance(said, Verdict):
        return Result(case, str(said.status), said.reason, said.message, seconds)
    if not isinstance(said, str) or said not in VERDICTS:
        raise UnsorryError(f"the judge's answer to {case} is {said!r}: an adapter answers {', '.join(VERDICTS)}")
    return Result(case, str(said), seconds=seconds)


@contextlib.contextmanager
def traps(cases: Sequence[Case]) -> Iterator[None]:
    """While the context lasts: the files and variables that the cases look for are there, no marker is."""
    planted = sorted({path for case in cases for path in case.plant})
    variables = sorted({name for case in cases for name in case.environment} - set(os.environ))
    for marker in {marker for case in cases for marker in case.markers}:
        _remove(marker)
    try:
        for path in planted:
            _plant(path)
        os.environ.update(dict.fromkeys(variables, "a secret of the judge's environment"))
        yield
    finally:
        for name in variables:
            os.environ.pop(name, None)
        for path in planted:
            _remove(path)


def _remove(path: str) -> None:
    try:
        Path(path).unlink(missing_ok=True)
    except OSError as error:  # somebody else's file, or a folder of that name
        raise UnsorryError(f"cannot remove {path}: {error.strerror or error}; delete it and run again") from None


def _plant(path: str) -> None:
    _remove(path)  # never through a link that someone else left
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o644), "w") as file:
            file.write("a secret of the judge's host\n")
    except OSError as error:
        raise UnsorryError(f"cannot plant {path}: {error.strerror or error}") from None


def left_behind(cases: Sequence[Case]) -> tuple[str, ...]:
    """The cases whose markers are there, once daemons have had their time, each with its marker; removes them."""
    marked = [(case, Path(marker)) for case in cases for marker in case.markers]
    if marked:
        time.sleep(DAEMON)
    found = tuple(f"{case}: {marker}" for case, marker in marked if os.path.lexists(marker))
    for _, marker in marked:
        _remove(str(marker))
    return found
