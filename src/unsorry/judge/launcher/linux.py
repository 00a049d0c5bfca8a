"""The Linux system calls that the standard library lacks, through ctypes.  Numbers are from the kernel's headers."""

from __future__ import annotations

import ctypes
import os

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x0002_0000, 0x0200_0000, 0x0400_0000
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 0x20, 0x1000, 0x4000, 0x4_0000
MNT_DETACH = 2
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV, ATTR_NOEXEC = 1, 2, 4, 8
AT_RECURSIVE, AT_EMPTY_PATH, AT_FDCWD = 0x8000, 0x1000, -100

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_SECCOMP = 1, 4, 24, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 36, 38, 47

SIGINT, SIGKILL, SIGPIPE, SIGXFSZ = 2, 9, 13, 25
NUMBER = {  # system call -> (x86_64, aarch64); those above 423 are the same everywhere
    "pivot_root": (155, 41),
    "mount_setattr": (442, 442),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}
MACHINE = os.uname().machine
COLUMN = {"x86_64": 0, "aarch64": 1}.get(MACHINE, -1)

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def failed(what: str) -> OSError:
    code = ctypes.get_errno()
    return OSError(code, f"{what}: {os.strerror(code)}")


def syscall(name: str, *arguments: object) -> int:
    if COLUMN < 0:
        raise OSError(38, f"{name}: not known for this machine ({MACHINE})")
    result = int(libc.syscall(ctypes.c_long(NUMBER[name][COLUMN]), *arguments))
    if result < 0:
        raise failed(name)
    return result


def unshare(flags: int, what: str) -> None:
    if libc.unshare(flags) != 0:
        raise failed(f"unshare {what}")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    words = [os.fsencode(w) for w in (source, target, kind, data)]
    if libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]) != 0:
        raise failed(f"mount {kind or 'bind'} on {target}")


def unmount(target: str) -> None:
    if libc.umount2(os.fsencode(target), MNT_DETACH) != 0:
        raise failed(f"umount {target}")


def set_attributes(target: str, attributes: int) -> None:
    """mount_setattr over a whole tree of mounts: a bind's submounts become read-only with it."""
    value = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    syscall(
        "mount_setattr",
        ctypes.c_int(AT_FDCWD),
        os.fsencode(target),
        ctypes.c_uint(AT_RECURSIVE),
        ctypes.byref(value),
        ctypes.c_size_t(32),
    )


def pivot_root(new: str, old: str) -> None:
    syscall("pivot_root", os.fsencode(new), os.fsencode(old))


def prctl(option: int, *arguments: int) -> int:
    padded = [ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]]
    result = int(libc.prctl(option, *padded))
    if result < 0:
        raise failed(f"prctl {option}")
    return result


def drop_capabilities() -> None:
    """Empty every capability set of this process, the bounding set too."""
    prctl(PR_CAP_AMBIENT, 4)
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last one that this kernel knows
    header = (ctypes.c_uint32 * 2)(0x2008_0522, 0)
    if libc.capset(ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)())) != 0:
        raise failed("capset")
