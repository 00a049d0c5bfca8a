"""Run tasks a few at a time, and give their results to one thread that decides what comes next."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_in_order(
    items: deque[Item], prepare: Callable[[Item], Callable[[], Result]], workers: int
) -> Iterator[tuple[Item, Result]]:
    """Yields (item, result) as results come in; items start in order.

    `prepare` runs in the caller's thread, just before an item starts, so that it sees what was decided until then.
    With one worker, tasks run in the caller's thread too.  An exception of a task is raised here.  Threads are daemons:
    after Ctrl-C nobody waits for them.
    """
    if workers <= 1:
        while items:
            item = items.popleft()
            yield item, prepare(item)()
        return
    finished: SimpleQueue[tuple[Item, Result | None, BaseException | None]] = SimpleQueue()

    def work(item: Item, task: Callable[[], Result]) -> None:
        try:
            finished.put((item, task(), None))
        except BaseException as error:
            finished.put((item, None, error))

    running = 0
    while items or running:
        while items and running < workers:
            item = items.popleft()
            threading.Thread(target=work, args=(item, prepare(item)), daemon=True).start()
            running += 1
        done, result, error = finished.get()
        running -= 1
        if error is not None:
            raise error
        yield done, result  # type: ignore[misc]  # not None where there is no error
