"""What a process holds at a moment: memory, files, processes, mounts; read from /proc."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Held:
    """`rss` and `below` are resident bytes, of this process and of all its descendants together.

    `zombies` are descendants that nobody has waited for, `left` the names in the folder for temporary files.
    """

    rss: int
    below: int
    files: int
    threads: int
    processes: int
    zombies: int
    mounts: int
    left: int


def adopt_orphans() -> None:
    """Makes this process the parent of descendants whose own parent is gone, so that none escapes the count."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def measure(temporary: Path) -> Held:
    """What is held now, after a collection of garbage and of adopted zombies."""
    gc.collect()
    bury()
    states = _descendants(os.getpid())
    return Held(
        rss=_resident(os.getpid()),
        below=sum(map(_resident, states)),
        files=len(os.listdir("/proc/self/fd")) - 1,  # the listing's own
        threads=len(os.listdir("/proc/self/task")),
        processes=len(states),
        zombies=sum(state == "Z" for state in states.values()),
        mounts=len(Path("/proc/self/mountinfo").read_bytes().splitlines()),
        left=sum(1 for _ in temporary.rglob("*")),
    )


def bury() -> None:
    """Waits for adopted descendants that have ended, as the system's first process does; only when nobody judges."""
    own = {found.pid for found in gc.get_objects() if isinstance(found, subprocess.Popen)}
    for pid, state in _descendants(os.getpid()).items():
        if state == "Z" and pid not in own:
            with contextlib.suppress(ChildProcessError):  # the child of another
                os.waitpid(pid, os.WNOHANG)


def settle(temporary: Path, steady: Callable[[Held], bool], seconds: float = 20.0) -> Held:
    """The first measurement that is `steady`, or the last within that time: what was killed takes a moment to go."""
    limit = time.monotonic() + seconds
    while not steady(held := measure(temporary)) and time.monotonic() < limit:
        time.sleep(0.2)
    return held


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _descendants(root: int) -> dict[int, str]:
    """State of each process below one."""
    parents: dict[int, tuple[int, str]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError, IndexError):
                state, parent = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[:2]
                parents[int(entry)] = int(parent), state
    found: dict[int, str] = {}
    for pid in parents:
        above = pid
        while above in parents and above != root:
            above = parents[above][0]
        if above == root and pid != root:
            found[pid] = parents[pid][1]
    return found
