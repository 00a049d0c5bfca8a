"""What ends a run before its time: signals, and machines that are too small."""

from __future__ import annotations

import contextlib
import errno
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

from unsorry import UnsorryError


class Interrupted(KeyboardInterrupt):
    """The run was told to stop; its message says how it goes on."""


def no_room(error: BaseException, folder: Path) -> UnsorryError | None:
    """One line for the faults of a machine that is too small; None for any other."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        where = error.filename or folder
        return UnsorryError(
            f"the disk is full, at {where}: make room and give the same command, which goes on from there"
        )
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return UnsorryError(
            "out of memory: lower the batch or the lengths in the recipe; the same command goes on from there"
        )
    return None


@contextlib.contextmanager
def terminated_as_interrupt() -> Iterator[None]:
    """SIGTERM and SIGHUP end a run as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
