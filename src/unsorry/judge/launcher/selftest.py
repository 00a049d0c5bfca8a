"""Run in place of a target, sealed like one: tries what must fail and prints `name=value` for each fact.

argv is ["", file outside, pid outside, "user=[...] pid=[...] ..." as the judge sees its own namespaces].
"""

from __future__ import annotations

import _socket
import os

from . import landlock, linux, root
from .options import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAMESPACES = ("user", "pid", "net", "mnt", "ipc", "uts", "cgroup")
PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS, PR_CAPBSET_READ = 21, 39, 23


def report(options: Options, proc: int) -> None:
    """Print the facts and end the process."""
    _, outside, judge, *theirs = options.argv
    facts: dict[str, object] = {}
    if proc >= 0:
        ours = [os.readlink(f"self/ns/{name}", dir_fd=proc) for name in NAMESPACES]
        facts.update({f"{name}ns": mine != other for name, mine, other in zip(NAMESPACES, ours, theirs, strict=True)})
    os.closerange(3, 256)  # the keeper waits for the end of its pipe, as it would for a program
    facts["no_new_privs"] = linux.prctl(PR_GET_NO_NEW_PRIVS) == 1
    facts["seccomp"] = linux.prctl(PR_GET_SECCOMP) == 2
    facts["landlock_abi"] = landlock.abi()
    facts["capabilities"] = any(linux.prctl(PR_CAPBSET_READ, n) for n in range(40))
    facts["reads_outside"] = succeeds(lambda: os.close(os.open(outside, os.O_RDONLY)))
    facts["writes_outside"] = succeeds(lambda: os.close(os.open(outside, os.O_WRONLY)))
    facts["writes_root"] = succeeds(lambda: os.mkdir("/made-by-self-test"))
    facts["writes_work"] = succeeds(write_here)
    facts["signals_outside"] = succeeds(lambda: os.kill(int(judge), 0))
    facts["internet_socket"] = succeeds(lambda: socket_of(_socket.AF_INET))
    facts["new_user_namespace"] = succeeds(lambda: linux.unshare(linux.CLONE_NEWUSER, "user"))
    facts["mounts"] = succeeds(lambda: linux.mount("none", root.SCRATCH, "tmpfs", 0))
    facts["proc"] = os.path.exists("/proc/self")
    facts["process_limit"] = process_limit(options.limits["processes"])
    print("\n".join(f"{name}={value}" for name, value in facts.items()), flush=True)
    os._exit(0)


def succeeds(action: Callable[[], object]) -> bool:
    try:
        action()
    except OSError:
        return False
    return True


def write_here() -> None:
    with open("self-test", "w") as file:
        file.write("written inside")


def socket_of(family: int) -> None:
    _socket.socket(family, _socket.SOCK_STREAM).close()


def process_limit(allowed: int) -> bool:
    """Whether one process more than `allowed` is refused.  They end with this one."""
    for _ in range(allowed + 1):
        try:
            if os.fork() == 0:
                os.read(os.pipe()[0], 1)  # until killed
        except BlockingIOError:
            return True
    return False
