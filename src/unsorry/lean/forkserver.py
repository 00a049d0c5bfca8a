"""Fork server: initialise Lean once, answer each check from a forked child.  `python -IS forkserver.py NATIVE LIBRARY`.

Protocol on standard input and output, one JSON object a line:
    {"id": "...", "arguments": [...], "files": {"Main.lean": "..."}, "wall": 30.0, "memory": bytes, "output": bytes}
 -> {"id": "...", "code": 0 | null, "timed_out": false, "truncated": false, "seconds": 0.01, "stdout": "..."}
RLIMIT_AS is "memory" plus RESERVE, because Lean reserves address space that it never touches.
The child runs in a process group of its own, writes to a file, and is killed with its group at the limit.  Nothing of
a check outlives it but the files it wrote in the current folder: orphans, of other sessions too, come to this process,
which ends them before it answers.  A check cannot open this process's memory or its replies.
"""

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
RESERVE = 8 << 30  # bytes; below 6 GiB of address space this Lean cannot start its threads


def serve(native: str, library: str) -> None:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from launcher import call, load  # type: ignore[import-not-found]  # beside this file; the package is not importable here

    control = ctypes.CDLL(None).prctl
    control(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    control(PR_SET_DUMPABLE, 0, 0, 0, 0)
    if library:
        os.environ["LEAN_PATH"] = os.pathsep.join(filter(None, [os.environ.get("LEAN_PATH"), library]))
    lean = load(os.path.dirname(native))
    lean.lean_initialize()
    lean.initialize_Lean(ctypes.c_uint8(1))
    replies = os.dup(1)
    os.dup2(2, 1)  # whatever Lean prints in this process must not mix with replies
    send(replies, {"ready": True})
    for line in sys.stdin.buffer:
        send(replies, answer(lean, call, json.loads(line), replies))


def send(handle: int, reply: dict[str, Any]) -> None:
    data = memoryview(json.dumps(reply).encode() + b"\n")
    while data:
        data = data[os.write(handle, data) :]


def answer(lean: ctypes.CDLL, call: Any, request: dict[str, Any], replies: int) -> dict[str, Any]:
    for name, text in request["files"].items():
        with open(name, "wb") as file:
            file.write(text.encode("utf-8", "surrogatepass"))
    out = "stdout"
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            control = ctypes.CDLL(None).prctl
            control(PR_SET_PDEATHSIG, signal.SIGKILL)
            control(PR_SET_DUMPABLE, 1, 0, 0, 0)
            os.setpgid(0, 0)
            os.close(replies)
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
            target = os.open(out, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
            os.dup2(target, 1)
            os.dup2(target, 2)
            seconds = int(request["wall"]) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (4 * seconds, 4 * seconds))
            space = request["memory"] + RESERVE
            resource.setrlimit(resource.RLIMIT_AS, (space, space))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (request["file_size"], request["file_size"]))
            os._exit(call(lean, request["arguments"]))
        finally:
            os._exit(254)
    status, timed_out = wait(child, start + request["wall"])
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)  # whatever the check left behind in its group
    if not bury():
        os._exit(3)
    with open(out, "rb") as file:
        data = file.read(request["output"] + 1)
    truncated = len(data) > request["output"]
    code = None if timed_out else os.waitstatus_to_exitcode(status)
    return {
        "id": request["id"],
        "code": code,
        "timed_out": timed_out,
        "truncated": truncated,
        "seconds": time.monotonic() - start,
        "stdout": data[: request["output"]].decode("utf-8", "replace"),
    }


def bury() -> bool:
    """Ends all that a check left running; False if that cannot be done."""
    for _ in range(1000):
        try:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
        except ChildProcessError:
            return True
        left = children()
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            return False
        os.waitpid(-1, 0)
    return False


def children() -> list[int]:
    """Processes directly below this one."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def wait(child: int, deadline: float) -> tuple[int, bool]:
    """(wait status, whether it was killed at the deadline); ends this process if whoever asks has gone."""
    handle = os.pidfd_open(child)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.register(0, 0)  # reports only that the other end was closed
        events = dict(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))
        if handle not in events:
            with contextlib.suppress(OSError):
                os.killpg(child, signal.SIGKILL)
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        if 0 in events:
            os._exit(0)
        return status, handle not in events
    finally:
        os.close(handle)


if __name__ == "__main__":
    serve(*sys.argv[1:3])
