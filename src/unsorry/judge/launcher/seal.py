# ruff: noqa: SIM105  (contextlib would take longer to load than all of this)
"""What the target does to itself before it becomes the confined program.  Nothing here can be undone."""

from __future__ import annotations

import os
import resource
import sys

from . import landlock, linux, root, seccomp
from .options import Options

INNER_UID = 1000  # who the target is in its own eyes
STACK = (8 << 20, 64 << 20)  # Lean sizes its threads itself; the main thread needs the usual 8 MiB
DESCRIPTORS = 256
DEVICES = [f"/dev/{name}" for name in root.DEVICES]


def seal(options: Options, proc: int) -> None:
    """Own session, own identity, no capabilities, limits, Landlock, seccomp.  `proc` is an open /proc that shows us."""
    own_session()
    if options.uid >= 0:
        become(options.uid)
    own_user_namespace(proc)
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    os.chdir(options.work)
    limit(options.limits)
    look = [*options.readable, *map(os.path.realpath, options.readable), "/proc", "/dev"]
    landlock.restrict(look, [options.work, root.SCRATCH], DEVICES)
    seccomp.install()


def seal_softly(options: Options) -> None:
    """The layers that need no namespaces, each where the kernel has it."""
    own_session()
    os.chdir(options.work)
    limit({name: value for name, value in options.limits.items() if name != "processes"})  # counted over the whole user
    if sys.platform != "linux":
        return
    linux.prctl(linux.PR_SET_PDEATHSIG, linux.SIGKILL)
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    try:
        landlock.restrict(["/"], [options.work], DEVICES)
    finally:
        seccomp.install()


def own_session() -> None:
    """No controlling terminal; signals as a program expects them, not as Python leaves them."""
    os.setsid()
    os.umask(0o077)
    for number in (linux.SIGPIPE, linux.SIGXFSZ):
        linux.libc.signal(number, None)


def become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    linux.prctl(linux.PR_SET_DUMPABLE, 1)  # the change of user had cleared it, and /proc/self/uid_map with it


def own_user_namespace(proc: int) -> None:
    """A user namespace for the target alone: it holds nothing but itself, and it may make no further one.

    Being in a child namespace, it may not trace its keeper; the limit on processes is counted within it.
    """
    uid, gid = os.geteuid(), os.getegid()
    linux.unshare(linux.CLONE_NEWUSER, "user namespace")
    map_identity(proc, INNER_UID, uid, gid)
    try:
        write(proc, "sys/user/max_user_namespaces", "0")
    except OSError:
        pass  # a /proc without sys; the seccomp filter refuses them too, and the self-test tries


def map_identity(proc: int, inner: int, uid: int, gid: int) -> None:
    write(proc, "self/setgroups", "deny")
    write(proc, "self/uid_map", f"{inner} {uid} 1")
    write(proc, "self/gid_map", f"{inner} {gid} 1")


def write(proc: int, name: str, text: str) -> None:
    handle = os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=proc)
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)


def limit(limits: dict[str, int]) -> None:
    """rlimits; those of the host that are lower stay."""
    seconds = -(-limits["cpu"] // 1000)
    wanted = {
        "RLIMIT_CORE": (1, 1),  # 0 would still feed a program named in core_pattern; 1 writes nothing (core(5))
        "RLIMIT_CPU": (seconds, seconds + 1),  # SIGXCPU, then SIGKILL
        "RLIMIT_AS": (limits["address_space"],) * 2,
        "RLIMIT_FSIZE": (limits["file_size"],) * 2,
        "RLIMIT_NOFILE": (DESCRIPTORS,) * 2,
        "RLIMIT_STACK": STACK,
        "RLIMIT_MSGQUEUE": (0, 0),
        "RLIMIT_RTPRIO": (0, 0),
    }
    if "processes" in limits:
        wanted["RLIMIT_NPROC"] = (limits["processes"],) * 2
    for name, (soft, hard) in wanted.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        ceiling = resource.getrlimit(kind)[1]
        pair = (soft, hard) if ceiling == resource.RLIM_INFINITY else (min(soft, ceiling), min(hard, ceiling))
        try:
            resource.setrlimit(kind, pair)
        except (ValueError, OSError):
            if sys.platform == "linux":
                raise
