"""Memory of a process that judges for days: what a giant submission took goes back to the system."""

from __future__ import annotations

import ctypes
import sys

LARGE = 256 << 10  # bytes
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # glibc, malloc.h


def return_large_blocks() -> bool:
    """Have every block above 256 KiB mapped by itself, for the life of this process; False where libc cannot.

    glibc raises its limit to the largest block that was ever freed (32 MiB at most).  Later giants then lie in the heap
    and small blocks behind them, and the process keeps their pages: its memory grows in steps.  The price is a
    system call for each large block, so a process that also trains a model should not ask for this.
    """
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return bool(mallopt and mallopt(_M_MMAP_THRESHOLD, LARGE) and mallopt(_M_TRIM_THRESHOLD, LARGE))
