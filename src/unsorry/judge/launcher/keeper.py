# ruff: noqa: SIM105  (contextlib would take longer to load than all of this)
"""PID 1 of the sandbox: starts the target, watches it, kills whatever is left, brings the results out."""

from __future__ import annotations

import os
import select
import time

from . import linux, root
from .options import Options

TYPE_CHECKING = False  # as in typing, which would take longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Callable

TICK = 50  # milliseconds between two looks at orphans and memory
STOPPED = 128 + linux.SIGKILL


def keep(options: Options, start: Callable[[], None]) -> int:
    """Run `start` in a child, which ends by becoming the target, and wait for it.

    Returns the exit code, 128+n for signal n.
    """
    linux.libc.signal(linux.SIGINT, None)  # Python's handler would let the target interrupt PID 1
    inside = -1
    if options.work_mode == "tmpfs":
        inside = os.open(options.work, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if options.uid >= 0:
            os.fchown(inside, options.uid, options.uid)
        root.copy_tree(options.folder, inside, options.uid)
    null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
    report, told = os.pipe()
    target = os.fork()
    if target == 0:
        try:
            os.close(report)
            start()
        except BaseException as error:
            os.write(told, f"error: {error}".encode(errors="replace")[:4096])
        finally:
            os._exit(127)
    os.close(told)
    quiet(null)
    failure = os.read(report, 4096)  # empty once the target has become another program
    tell(options, failure.decode() or "ok")
    if failure:
        os._exit(127)
    code, why = watch(options, target)
    kill_all(target)
    if why:
        tell(options, why)
    elif inside >= 0:
        try:
            root.copy_tree(inside, options.folder, -1)
        except OSError as error:
            tell(options, f"error: cannot bring out what was written: {error}")
    return code


def tell(options: Options, text: str) -> None:
    """A line for the judge, who may have stopped listening."""
    try:
        os.write(options.status, text.replace("\n", " ").encode(errors="replace") + b"\n")
    except OSError:
        pass


def quiet(null: int) -> None:
    """Hold no end of the target's pipes."""
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)


def watch(options: Options, target: int) -> tuple[int, str]:
    """(exit code of the target, why it had to be stopped or "")."""
    deadline = time.monotonic() + options.limits["wall"] / 1000
    tmpfs = [options.work] if options.work_mode == "tmpfs" else []
    poll = select.poll()
    if hasattr(os, "pidfd_open"):
        poll.register(os.pidfd_open(target), select.POLLIN)
    if options.judge >= 0:
        poll.register(options.judge, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poll.poll(TICK)}
        while (ended := reap()) is not None:
            if ended[0] == target:
                return ended[1], ""
        if options.judge in ready:
            return STOPPED, "gone"
        if time.monotonic() > deadline:
            return STOPPED, "time"
        if resident() > options.limits["memory"]:
            return STOPPED, "memory"
        if os.getpid() == 1 and max(files(folder) for folder in (root.SCRATCH, *tmpfs)) > 2 * root.FILES:
            return STOPPED, "files"


def reap() -> tuple[int, int] | None:
    """One dead child and its exit code, orphans of the target among them."""
    try:
        pid, status = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
    if pid == 0:
        return None
    code = os.waitstatus_to_exitcode(status)
    return pid, code if code >= 0 else 128 - code


def resident() -> int:
    """Bytes that the processes of this PID namespace have touched and no file backs; 0 where /proc does not tell."""
    if os.getpid() != 1:
        return 0
    total = 0
    try:
        names = os.listdir("/proc")
    except OSError:
        return 0
    for name in names:
        if name.isdigit() and name != "1":
            try:
                with open(f"/proc/{name}/status", "rb", buffering=0) as file:
                    lines = file.read(4096).splitlines()
            except OSError:
                continue
            total += sum(int(line.split()[1]) << 10 for line in lines if line.startswith((b"RssAnon:", b"RssShmem:")))
    return total


def files(folder: str) -> int:
    """Inodes in use on a tmpfs; bubblewrap sets no limit for them, and their memory is the kernel's."""
    facts = os.statvfs(folder)
    return facts.f_files - facts.f_ffree


def kill_all(target: int) -> None:
    """Nothing of the target lives on, however it detached itself: this is PID 1, or adopts orphans at least."""
    while True:
        for pid in [-1] if os.getpid() == 1 else [-target, *children()]:
            try:
                os.kill(pid, linux.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def children() -> list[int]:
    """Outside a PID namespace: who is left among our own children, adopted orphans included."""
    try:
        with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []
