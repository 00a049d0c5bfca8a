"""Judging in order: a bounded number of submissions at a time, taken only as fast as they are judged."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

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
