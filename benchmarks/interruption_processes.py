"""Killing a process with everything below it, and seeing that nothing is left."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

GRACE = 3.0  # seconds that processes have to end after their group was killed


def kill(process: subprocess.Popen[bytes]) -> int:
    """SIGKILL to the process's group; how many of its descendants, in whatever group, are still there after a while.

    Those are killed as well: they would be in the way of the next process.
    """
    family = _descendants(process.pid)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    limit = time.monotonic() + GRACE
    while (left := [p for p in family if _alive(*p)]) and time.monotonic() < limit:
        time.sleep(0.05)
    for pid, _ in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(left)


def _descendants(pid: int) -> list[tuple[int, str]]:
    """(process id, start time) of all processes below one, at this moment."""
    children: dict[int, list[tuple[int, str]]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := _stat(int(entry.name))):
            children.setdefault(int(fields[1]), []).append((int(entry.name), fields[19]))
    found: list[tuple[int, str]] = []
    queue = [pid]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += [child for child, _ in below]
    return found


def _alive(pid: int, started: str) -> bool:
    fields = _stat(pid)
    return fields is not None and fields[19] == started and fields[0] != "Z"


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on: state, parent, ..., start time at 19."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
