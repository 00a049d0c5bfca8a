"""Bytes that are on the disk, whole, before anything follows from them."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path


def claim(path: Path, flags: int = 0) -> int:
    """Open a file to read and write, for this process alone.  Raises BlockingIOError if another one has claimed it."""
    file = os.open(path, os.O_RDWR | os.O_CLOEXEC | flags, 0o666)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(file)
        raise
    return file


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def append(file: int, line: bytes, end: int, *, synced: bool = True) -> int:
    """Write a line at offset `end` of an open file; the new end.  After an OSError what was there is still whole."""
    try:
        written = 0
        while written < len(line):
            written += os.pwrite(file, line[written:], end + written)
        if synced:
            os.fsync(file)
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(file, end)
        raise
    return end + len(line)
