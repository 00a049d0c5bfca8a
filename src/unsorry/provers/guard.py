"""Run a program that ends when its starter does, with all that it started: `python guard.py STARTER GRACE PROGRAM ...`.

Standard library alone: this file runs as a script of its own.  The starter holds the other end of standard input and
closes it to have the program stopped; the kernel closes it when the starter is killed.  Descendants that leave their
process group or outlive their parent become children of this process (PR_SET_CHILD_SUBREAPER), so that none escapes.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
TICK = 0.1  # seconds between two looks at the program
LAST = 30.0  # seconds for the kernel to bury what was killed


def main(arguments: list[str]) -> int:
    """The program's exit status, 128 and the signal's number where one ended it."""
    starter, grace, command = int(arguments[0]), float(arguments[1]), arguments[2:]
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    asked: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda n, _: asked.append(n))
    try:
        # Should this process be killed, at least the program itself goes with it.
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL),  # noqa: PLW1509 (no threads here)
        )
    except OSError as error:
        print(f"cannot start {command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    status: int | None = None
    try:
        while status is None and not asked and os.getppid() == starter:
            status = _reaped(child.pid)
            if status is None and select.select([0], [], [], TICK)[0] and not os.read(0, 1):
                break
        if status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGTERM)
            until = time.monotonic() + grace
            while status is None and time.monotonic() < until:
                status = _reaped(child.pid)
                time.sleep(TICK / 4)
    finally:
        _bury()
    if status is None:
        return 128 + signal.SIGKILL
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _reaped(program: int) -> int | None:
    """Collect children that ended; the status of the program if it is one of them."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == program:
                return status
            if pid == 0:
                return None
    return None


def _bury() -> None:
    """Kill the children until none is left: those of the killed become ours."""
    until = time.monotonic() + LAST
    while time.monotonic() < until:
        for pid in _children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(TICK / 10)


def _children() -> list[int]:
    own, found = os.getpid(), []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                text = file.read()
                if int(text[text.rindex(b")") + 2 :].split()[1]) == own:
                    found.append(int(name))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
