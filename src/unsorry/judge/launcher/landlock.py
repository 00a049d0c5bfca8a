"""Landlock: file access, TCP, signals and abstract sockets limited by the process itself.

Source: Documentation/userspace-api/landlock.rst of the kernel (ABI 1 in 5.13, 2 in 5.19, 3 in 6.2, 4 in 6.7, 5 in 6.10,
6 in 6.12).  What the running kernel does not know is left out; `abi()` is a reported fact.
"""

from __future__ import annotations

import ctypes
import os
import stat

from . import linux

EXECUTE, WRITE, READ, READ_DIR = 1, 2, 4, 8
REFER, TRUNCATE, IOCTL = 1 << 13, 1 << 14, 1 << 15
FOR_FILES = EXECUTE | WRITE | READ | TRUNCATE | IOCTL
KNOWN = {0: 0, 1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}  # ABI -> file access rights
NET_ALL = 3  # bind and connect of TCP
SCOPE_ALL = 3  # abstract unix sockets, signals
LOOK = READ | READ_DIR | EXECUTE


def abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    try:
        return linux.syscall("landlock_create_ruleset", None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def restrict(look: list[str], change: list[str], devices: list[str]) -> int:
    """Allow to read and execute under `look`, all but executing under `change`, to read and write `devices`; no TCP.

    Applies to this process and all that it starts.  Returns the ABI used; 0 means that nothing was done.
    """
    version = abi()
    if version == 0:
        return 0
    known = KNOWN.get(version, (1 << 16) - 1)
    attributes = (ctypes.c_uint64 * 3)(known, NET_ALL, SCOPE_ALL)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = linux.syscall(
        "landlock_create_ruleset", ctypes.byref(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0)
    )
    try:
        for paths, rights in ((look, LOOK), (change, ~EXECUTE), (devices, READ | WRITE | IOCTL)):
            for path in paths:
                _allow(ruleset, path, rights & known)
        linux.syscall("landlock_restrict_self", ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)
    return version


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= FOR_FILES
        # struct landlock_path_beneath_attr is packed: u64 rights, s32 descriptor
        rule = rights.to_bytes(8, "little") + handle.to_bytes(4, "little")
        linux.syscall("landlock_add_rule", ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    finally:
        os.close(handle)
