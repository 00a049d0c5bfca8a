"""How many calls run at a time, how many wait, and for how long.  A call's thread cannot be killed: it keeps its slot
until it ends, though nobody waits for it any more, so that the machine never does more than it was meant to."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from unsorry import UnsorryError

T = TypeVar("T")
GRACE = 30.0  # seconds after a call's deadline in which it may still say what it has found


class Call:
    """A call's time, and where it tells how far it is.  `stop` ends its time: nobody waits for it any more."""

    def __init__(
        self, seconds: float, report: Callable[[int, int, str], None] = lambda done, total, what: None
    ) -> None:
        self.seconds, self.report = seconds, report
        self._deadline = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds, at least 0."""
        return max(0.0, self._deadline - time.monotonic())

    def stop(self) -> None:
        self._deadline = 0.0


class OutOfTime(Exception):
    """The call did not end in its time."""


class Slots:
    """`running` calls at a time, `waiting` behind them; more are refused.  For one event loop."""

    def __init__(self, running: int, waiting: int = 32) -> None:
        self.running, self.waiting = running, waiting
        self._free = asyncio.Semaphore(running)
        self._here = 0

    async def run(self, task: Callable[[Call], T], call: Call) -> T:
        """What the task returns or raises; raises OutOfTime after the call's time, the time spent waiting included."""
        if self._here >= self.running + self.waiting:
            raise UnsorryError(
                f"the server is busy: {self.running} calls run and {self.waiting} wait; call again later, or start it "
                "with more --workers"
            )
        self._here += 1
        try:
            async with asyncio.timeout(call.left):
                await self._free.acquire()
        except BaseException as error:
            self._here -= 1
            if isinstance(error, TimeoutError):
                raise OutOfTime from None
            raise
        result = self._start(task, call)
        try:
            async with asyncio.timeout(call.left + GRACE):
                return await asyncio.wrap_future(result)
        except TimeoutError:
            raise OutOfTime from None
        finally:
            call.stop()

    def _start(self, task: Callable[[Call], T], call: Call) -> concurrent.futures.Future[T]:
        loop = asyncio.get_running_loop()
        result: concurrent.futures.Future[T] = concurrent.futures.Future()
        result.set_running_or_notify_cancel()  # who waits may go; the thread does not

        def body() -> None:
            try:
                result.set_result(task(call))
            except BaseException as error:
                result.set_exception(error)
            finally:
                with contextlib.suppress(RuntimeError):  # the loop is closed: the server is ending
                    loop.call_soon_threadsafe(self._end)

        threading.Thread(target=body, daemon=True).start()
        return result

    def _end(self) -> None:
        self._here -= 1
        self._free.release()
