"""Confinement of a hostile process: `choose` a mode, `run` a program in it.

strict   own user, PID, mount, network, IPC and UTS namespaces, private root, Landlock, seccomp, limits; proved by a
         self-test at first use; an UnsorryError where any part is missing
limits   no namespaces: resource limits, Landlock and seccomp where there are any; states what it gives up
none     nothing but wall time and output size

See docs/sandbox.md for what each fact means and how to get it.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys
from dataclasses import asdict, dataclass, replace

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
    no_outside_reads: bool = False  # files that are not shown cannot be read
    no_outside_writes: bool = False  # nothing but the work folder and a private /tmp can be written
    no_outside_signals: bool = False
    no_network: bool = False
    no_new_userns: bool = False
    process_limit: bool = False
    proc: bool = False  # a /proc of its own; official toolchains need it to find themselves
    identity: str = ""  # "uid N": an unprivileged user of its own; "same user": the judge's
    memory: str = ""  # how limits.memory is kept: "watched" for all processes together, or "address space" of each
    missing: str = ""  # why strict is not available; "" if it is

    @property
    def strict(self) -> bool:
        return not self.missing and not self.given_up

    @property
    def given_up(self) -> str:
        """The required facts that this confinement does not have, "" for strict."""
        return ", ".join(name for name in REQUIRED if not getattr(self, name))

    def as_dict(self) -> dict[str, object]:
        """For certificates and `unsorry doctor`."""
        return {**asdict(self), "given_up": self.given_up}


OLDEST_KERNEL = (5, 14)
REQUIRED = (
    "userns",
    "pidns",
    "netns",
    "mntns",
    "ipcns",
    "utsns",
    "no_new_privs",
    "no_capabilities",
    "no_outside_reads",
    "no_outside_writes",
    "no_outside_signals",
    "no_network",
    "no_new_userns",
    "process_limit",
)


def choose(mode: str = "strict", backend: str = "auto") -> Confinement:
    """The confinement of that mode.  `backend`: "bubblewrap", "launcher" or "auto" (bubblewrap where it works).

    Raises UnsorryError, one line with what is missing and how to get it, if the host does not give all of strict.
    """
    if mode not in MODES:
        raise UnsorryError(f"no sandbox mode {mode!r}: use one of {', '.join(MODES)}")
    if mode == "none":
        return Unconfined()
    if mode == "limits":
        return confinement.Confined("limits", _facts("limits", confinement.LIMITS).as_dict(), confinement.LIMITS)
    reasons = []
    for name in backends(backend):
        facts = _facts("strict", name)
        if facts.strict:
            return confinement.Confined("strict", facts.as_dict(), name)
        reasons.append(f"{name}: {facts.missing or 'without ' + facts.given_up}")
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
        return replace(base, missing=f"{sys.platform} has no namespaces", memory="address space")
    release = os.uname().release
    if mode == "strict" and tuple(map(int, re.findall(r"\d+", release)[:2])) < OLDEST_KERNEL:
        # before it, the limit of processes counts all of the user's
        return replace(base, missing=f"Linux {release} is older than 5.14")
    try:
        seen = confinement.self_test(backend)
    except UnsorryError as error:
        return replace(base, missing=str(error))

    def tried(name: str) -> bool:
        return seen.get(name) == "True"

    def refused(*names: str) -> bool:
        return all(seen.get(name) == "False" for name in names)

    return replace(
        base,
        userns=tried("userns"),
        pidns=tried("pidns"),
        netns=tried("netns"),
        mntns=tried("mntns"),
        ipcns=tried("ipcns"),
        utsns=tried("utsns"),
        cgroupns=tried("cgroupns"),
        seccomp=tried("seccomp"),
        no_new_privs=tried("no_new_privs"),
        process_limit=tried("process_limit"),
        proc=tried("proc"),
        landlock_abi=int(seen.get("landlock_abi", "0")),
        no_capabilities=refused("capabilities"),
        no_network=refused("internet_socket"),
        no_new_userns=refused("new_user_namespace"),
        no_outside_signals=refused("signals_outside"),
        no_outside_reads=refused("reads_outside"),
        no_outside_writes=refused("writes_outside", "writes_root", "mounts") and tried("writes_work"),
        memory="watched" if tried("proc") and tried("pidns") else "address space",
        identity=f"uid {confinement.SANDBOX_UID}" if confinement.privileged() and mode == "strict" else "same user",
    )
