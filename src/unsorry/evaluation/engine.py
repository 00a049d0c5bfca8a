"""Jobs in processes of their own, their attempts on disk as they end: the engine of `unsorry eval` and `bench run`."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from unsorry import Attempt, UnsorryError
from unsorry.evaluation import attempts as store

T = TypeVar("T")
_PDEATHSIG = 1  # of Linux' prctl


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    """What `work` is given in another process; `label` tells people which it is."""

    label: str
    task: T


def drain(
    jobs: Sequence[Job[T]],
    work: Callable[[T], list[Attempt]],
    out: Path,
    *,
    lost: Callable[[T], Attempt],
    workers: int = 1,
    more: Callable[[], bool] = lambda: True,
) -> Iterator[Attempt]:
    """The attempts of all jobs, as they end; each is on disk in `out` before it is yielded.

    A worker process that is killed takes the others of its pool along; what ran is tried once more, each alone, and
    recorded as `lost` says if it is killed again.  Once `more` says no, what runs is finished and nothing else begun.
    An UnsorryError of `work`, and any other fault, ends the run; what was finished is kept.
    """
    left, killed = deque(jobs), dict.fromkeys(map(id, jobs), 0)
    while left and more():
        running: dict[Future[list[Attempt]], Job[T]] = {}
        suspect = killed[id(left[0])] > 0
        room = 1 if suspect else min(workers, len(left))
        begun = 0
        with _pool(room) as pool:
            try:
                while True:
                    while left and len(running) < room and more() and not (suspect and begun):
                        begun += 1
                        running[pool.submit(work, left[0].task)] = left[0]
                        left.popleft()
                    if not running:
                        break
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        made = _result(future, running[future])
                        del running[future]
                        for attempt in made:
                            store.append(out, attempt)
                            yield attempt
            except BrokenProcessPool:
                again = [job for future, job in running.items() if not _ended_well(future)]
                for future, job in running.items():
                    if job in again:
                        continue
                    for attempt in future.result():  # it ended before another was killed
                        store.append(out, attempt)
                        yield attempt
                for job in reversed(again):
                    killed[id(job)] += 1
                    if killed[id(job)] > 1:
                        attempt = lost(job.task)
                        store.append(out, attempt)
                        yield attempt
                    else:
                        left.appendleft(job)
            finally:
                _end(pool, running)


def _ended_well(future: Future[list[Attempt]]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _result(future: Future[list[Attempt]], job: Job[T]) -> list[Attempt]:
    error = future.exception()
    if error is not None and not isinstance(error, (BrokenProcessPool, UnsorryError)):
        raise UnsorryError(f"{job.label}: {type(error).__name__}: {error}; the attempts before it are kept")
    return future.result()


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), initializer=_obey, initargs=(os.getpid(),)
    )


def _obey(parent: int) -> None:
    """The parent decides: a worker is ended by it, not by Ctrl-C, and does not outlive it where the system can tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)  # it was gone already


def _end(pool: ProcessPoolExecutor, running: dict[Future[list[Attempt]], Job[T]]) -> None:
    """Leave no worker behind, whatever ended the loop."""
    for future in running:
        future.cancel()
    if any(not f.done() for f in running):
        for process in list((pool._processes or {}).values()):
            process.kill()
    pool.shutdown(wait=True, cancel_futures=True)
