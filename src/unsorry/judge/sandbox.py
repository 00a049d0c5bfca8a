"""Confinement of a hostile process: `choose` a mode, `run` a program in it, `take_file` what it left.

strict   own user, PID, mount, network, IPC and UTS namespaces, private root, Landlock, seccomp, limits; proved by a
         self-test at first use; an UnsorryError where any part is missing
limits   no namespaces: resource limits, Landlock and seccomp where there are any; states what it gives up
none     nothing but wall time and output size

See docs/sandbox.md for what each fact means and how to get it.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.judge import confinement
from unsorry.judge.sandbox_advice import advice
from unsorry.lean.process import Confinement, Unconfined

MODES = ("strict", "limits", "none")


@dataclass(frozen=True, slots=True)
class Facts:
    """What the self-test found from inside a sandbox of this host; each is a thing that was tried, not looked up."""

    confinement: str  # "strict" | "limits" | "none"
    backend: str  # "bubblewrap" | "launcher"
    kernel: str
    userns: bool = False
    pidns: bool = False
    netns: bool = False
    mntns: bool = False
    ipcns: bool = False
    utsns: bool = False
    cgroupns: bool = False
    landlock_abi: int = 0  # 0: none
    seccomp: bool = False
    no_new_privs: bool = False
    no_capabilities: bool = False
    private_root: bool = False  # files outside can be neither read nor written
    no_network: bool = False
    no_new_userns: bool = False
    process_limit: bool = False
    proc: bool = False  # a /proc of its own; official toolchains need it to find themselves
    identity: str = ""  # "uid N": an unprivileged user of its own; "same user": the judge's
    missing: str = ""  # why strict is not available; "" if it is

    @property
    def strict(self) -> bool:
        return not self.missing and all(getattr(self, name) for name in REQUIRED)


REQUIRED = ("userns", "pidns", "netns", "mntns", "ipcns", "utsns", "no_new_privs", "no_capabilities", "private_root",
            "no_network", "no_new_userns", "process_limit")


def choose(mode: str = "strict", backend: str = "auto") -> Confinement:
    """The confinement of that mode.  `backend`: "bubblewrap", "launcher" or "auto" (bubblewrap where it works).

    Raises UnsorryError, one line with what is missing and how to get it, if the host does not give all of strict.
    """
    if mode not in MODES:
        raise UnsorryError(f"no sandbox mode {mode!r}: use one of {', '.join(MODES)}")
    if mode == "none":
        return Unconfined()
    if mode == "limits":
        return confinement.Confined("limits", asdict(_facts("limits", confinement.LIMITS)), confinement.LIMITS)
    reasons = []
    for name in backends(backend):
        facts = _facts("strict", name)
        if facts.strict:
            return confinement.Confined("strict", asdict(facts), name)
        reasons.append(f"{facts.missing or 'no ' + ', no '.join(n for n in REQUIRED if not getattr(facts, n))} ({name})")
    raise UnsorryError(f"no strict sandbox here: {'; '.join(reasons)}; {advice()}, or lower it with --sandbox limits")


def probe(backend: str = "auto") -> Facts:
    """The facts of the sandbox that strict mode would use; never raises for a host that lacks something."""
    found = [_facts("strict", name) for name in backends(backend)]
    return next((facts for facts in found if facts.strict), found[-1])


def backends(wanted: str = "auto") -> tuple[str, ...]:
    known = (confinement.BUBBLEWRAP, confinement.LAUNCHER)
    if wanted == "auto":
        return known if shutil.which("bwrap") else known[1:]
    if wanted not in known:
        raise UnsorryError(f"no sandbox backend {wanted!r}: use auto, {' or '.join(known)}")
    return (wanted,)


@functools.cache
def _facts(mode: str, backend: str) -> Facts:
    """Run the self-test once in a process for each backend."""
    base = Facts(mode, backend, f"{os.uname().sysname} {os.uname().release}")
    if sys.platform != "linux":
        return Facts(mode, backend, base.kernel, missing=f"{sys.platform} has no namespaces")
    try:
        seen = confinement.self_test(backend)
    except UnsorryError as error:
        return Facts(mode, backend, base.kernel, missing=str(error))
    return Facts(
        mode, backend, base.kernel,
        **{name: seen.get(name) == "True" for name in
           ("userns", "pidns", "netns", "mntns", "ipcns", "utsns", "cgroupns", "seccomp", "no_new_privs", "process_limit",
            "proc")},
        landlock_abi=int(seen.get("landlock_abi", "0")),
        no_capabilities=seen.get("capabilities") == "False",
        private_root=all(seen.get(n) == "False" for n in ("reads_outside", "writes_outside", "writes_root", "mounts"))
        and seen.get("writes_work") == "True" and seen.get("signals_outside") == "False",
        no_network=seen.get("internet_socket") == "False",
        no_new_userns=seen.get("new_user_namespace") == "False",
        identity=f"uid {confinement.SANDBOX_UID}" if os.geteuid() == 0 else "same user",
    )


class NotTaken(Exception):
    """There is no file that can be taken; `str(e)` says why."""


def take_file(work: Path, name: str, max_bytes: int) -> bytes:
    """The bytes of `work/name`, which a hostile process may have put there.

    Raises NotTaken unless it is a regular file with one link and at most `max_bytes` bytes.
    """
    if "/" in name or name in ("", ".", ".."):
        raise NotTaken(f"{name!r} is not a file name")
    try:
        handle = os.open(work / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise NotTaken(f"{name}: {os.strerror(error.errno or 0)}") from None
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(handle)
        if not os.path.stat.S_ISREG(facts.st_mode):
            raise NotTaken(f"{name} is not a regular file")
        if facts.st_nlink != 1:
            raise NotTaken(f"{name} has {facts.st_nlink} links")
        data = file.read(max_bytes + 1) if facts.st_size <= max_bytes else None
    if data is None or len(data) > max_bytes:
        raise NotTaken(f"{name} is larger than {max_bytes} bytes")
    return data
