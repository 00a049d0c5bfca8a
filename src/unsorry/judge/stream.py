"""What every tier shares: judging in order, a bounded number of submissions at a time; closing; a clock."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from unsorry import Problem, Verdict


def judge_in_order(
    judge: Callable[[Problem, str], Verdict], items: Iterable[tuple[Problem, str]], workers: int
) -> Iterator[Verdict]:
    """Verdicts in the order of `items`, `workers` at a time; at most twice as many items are taken ahead."""
    pending: deque[Future[Verdict]] = deque()
    with ThreadPoolExecutor(workers, thread_name_prefix="judge") as pool:
        try:
            for problem, submission in items:
                pending.append(pool.submit(judge, problem, submission))
                if len(pending) > 2 * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


class Tier(ABC):
    """A judge with `workers`, usable as a block that closes it."""

    workers: int

    @abstractmethod
    def judge(self, problem: Problem, submission: str) -> Verdict:
        """The verdict; never raises for anything that a submission can do."""

    @abstractmethod
    def close(self) -> None:
        """Ends its processes; they start again when needed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def judge_many(self, items: Iterable[tuple[Problem, str]]) -> Iterator[Verdict]:
        """Verdicts in the order of the items, which are taken only as fast as they are judged."""
        return judge_in_order(self.judge, items, self.workers)


class Clock:
    """Seconds by stage."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """Ends a stage that began with the last one's end."""
        now = time.perf_counter()
        self._laps[stage] = now - self._last
        self._last = now

    def finish(self) -> Mapping[str, float]:
        """The laps and their total."""
        return {**self._laps, "total": time.perf_counter() - self._start}
