"""A seccomp filter: refuses system calls that Lean never needs and that attacks on kernels and judges start from.

A deny list, on top of namespaces and not in place of them: what it misses still meets an empty capability set.
Numbers are from the kernel's system call tables.
"""

from __future__ import annotations

import ctypes
import struct

from . import linux

# name: (x86_64, aarch64); None where the machine has no such call
DENIED = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    # memory that belongs to no process, so that no limit counts it
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    # large kernel interfaces
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "fanotify_init": (300, 262),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # the machine itself
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    "iopl": (172, None),
    "ioperm": (173, None),
    "uselib": (134, None),
    "modify_ldt": (154, None),
}
CLONE, CLONE3, SOCKET = (56, 220), (435, 435), (41, 198)
ARCHITECTURE = (0xC000_003E, 0xC000_00B7)
NEW_NAMESPACES = 0x7E02_0080  # every CLONE_NEW* flag
AF_UNIX = 1

LOAD, EQUAL, GREATER_EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, EPERM, ENOSYS, EAFNOSUPPORT = 0x7FFF_0000, 0x8000_0000, 0x0005_0001, 0x0005_0026, 0x0005_0061


def program() -> bytes:
    """The filter as classic BPF; empty where this machine's numbers are not known."""
    if linux.COLUMN < 0:
        return b""
    column = linux.COLUMN
    code: list[tuple[int, int, int, int]] = []

    def refuse(number: int, action: int) -> None:
        code.extend([(EQUAL, 0, 1, number), (RETURN, 0, 0, action)])

    def refuse_if(number: int, test: tuple[int, int], hit: bool, action: int) -> None:
        """Refuse call `number` when `test` on its first argument comes out as `hit`; the call ends the program."""
        kind, value = test
        code.extend(
            [
                (EQUAL, 0, 4, number),
                (LOAD, 0, 0, 16),
                (kind, *((0, 1) if hit else (1, 0)), value),
                (RETURN, 0, 0, action),
                (RETURN, 0, 0, ALLOW),
            ]
        )

    code.extend([(LOAD, 0, 0, 4), (EQUAL, 1, 0, ARCHITECTURE[column]), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)])
    if column == 0:
        code.extend([(GREATER_EQUAL, 0, 1, 0x4000_0000), (RETURN, 0, 0, KILL)])  # the x32 numbers
    for numbers in DENIED.values():
        if (number := numbers[column]) is not None:
            refuse(number, EPERM)
    refuse(CLONE3[column], ENOSYS)  # its flags are behind a pointer; the C library then uses clone
    refuse_if(CLONE[column], (ANY_BIT, NEW_NAMESPACES), True, EPERM)
    refuse_if(SOCKET[column], (EQUAL, AF_UNIX), False, EAFNOSUPPORT)
    code.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def install() -> bool:
    """Apply the filter to this process and all that it starts; needs no_new_privs.  False where there is no filter."""
    instructions = program()
    if not instructions:
        return False
    buffer = ctypes.create_string_buffer(instructions, len(instructions))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    description = Program(len(instructions) // 8, ctypes.addressof(buffer))
    linux.prctl(linux.PR_SET_SECCOMP, 2, ctypes.addressof(description))
    return True
