"""Processes that run Lean's kernel for the judge: one that holds a library and forks for each request."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from unsorry import UnsorryError
from unsorry.lean.olean_image import PARTS
from unsorry.lean.toolchain import Toolchain, python_interpreter

WORKER = Path(__file__).with_name("kernel_worker.py")
STARTUP = 120.0  # seconds for a worker to load the binary and the library
GRACE = 5.0  # seconds beyond a request's own limit, after which the worker is given up
# What the kernel says about a term.  Its other exceptions (time, memory, depth) decide nothing.
LOGICAL = frozenset((
    "unknownConstant", "alreadyDeclared", "declTypeMismatch", "declHasMVars", "declHasFVars", "funExpected",
    "typeExpected", "letTypeMismatch", "exprTypeMismatch", "appTypeMismatch", "invalidProj", "thmTypeIsNotProp",
    "other", "regenerated",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class KernelLimits:
    """Seconds of wall clock and of CPU; bytes of memory beyond what the worker has when it is idle."""

    wall: int = 120
    cpu: int = 120
    memory: int = 4 << 30


@dataclass(frozen=True, slots=True)
class KernelReply:
    """`error` is "" if all was accepted, else the kernel's exception, "regenerated", "timeout" or "crashed".

    `step` is the index of the group that failed, -1 if unknown; `seconds` the wall time of the request.
    """

    error: str
    step: int = -1
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.error

    @property
    def logical(self) -> bool:
        """The kernel refused a term; otherwise nothing was decided."""
        return self.error in LOGICAL


class KernelProcess:
    """A worker with the constants of some library modules; answers requests from any thread, each in a fork.

    `modules` are their files, imports first, `X.olean` before its `.server` and `.private` parts where it has them.
    Without modules the environment is empty, and a request must bring everything it needs.
    """

    def __init__(self, toolchain: Toolchain, modules: Sequence[Path] = ()) -> None:
        if toolchain.native is None:
            raise UnsorryError(
                f"Lean's shared library was not found beside {toolchain.lean[0]}: the kernel cannot be run; "
                "`unsorry doctor` says which toolchains are complete"
            )
        self._argv = [python_interpreter()[0], "-IS", str(WORKER), str(toolchain.native)]
        self._modules = _by_module(modules)
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the worker; a later request starts another."""
        with self._lock:
            self._stop()

    def check(self, request: bytes, limits: KernelLimits | None = None) -> KernelReply:
        """Runs one request (see replay.encode) in a fork of the worker."""
        limits = limits or KernelLimits()
        start = time.monotonic()
        ours, theirs = socket.socketpair()
        with ours:
            with theirs, self._lock:
                self._hand_over(theirs)
            ours.settimeout(limits.wall + GRACE)
            try:
                ours.sendall(struct.pack(">QIIQ", len(request), limits.cpu, limits.wall, limits.memory) + request)
                answer = json.loads(receive(ours, struct.unpack(">Q", receive(ours, 8))[0]))
            except (OSError, EOFError):
                seconds = time.monotonic() - start
                return KernelReply(
                    "timeout" if seconds >= min(limits.wall, limits.cpu) - 0.5 else "crashed", -1, seconds
                )
        seconds = time.monotonic() - start
        if answer["ok"]:
            return KernelReply("", -1, seconds)
        return KernelReply(answer["error"], answer["step"], seconds)

    def _hand_over(self, handle: socket.socket) -> None:
        for attempt in (1, 2):
            if self._control is None:
                self._start()
            assert self._control is not None
            try:
                socket.send_fds(self._control, [b"."], [handle.fileno()])
                return
            except OSError:
                self._stop()  # the worker died between two requests
                if attempt == 2:
                    raise UnsorryError("the kernel worker does not stay up: is there memory for it?") from None

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                self._argv,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"LEAN_ABORT_ON_PANIC": "1", "LEAN_BACKTRACE": "0", "LANG": "C.UTF-8"},
                cwd="/",
            )
        self._control = ours
        ours.settimeout(STARTUP)
        library = json.dumps({"modules": self._modules}).encode()
        try:
            ours.sendall(struct.pack(">Q", len(library)) + library)
            receive(ours, 1)
        except (OSError, EOFError):
            self._stop()
            raise UnsorryError("the kernel worker did not start: `unsorry doctor` checks the toolchain") from None

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process.wait()
            self._process = None


def _by_module(paths: Sequence[Path]) -> list[list[str]]:
    """The files of each module, one or all its parts; raises UnsorryError for others."""
    modules: list[list[str]] = []
    for path in map(str, paths):
        if path.endswith(".olean"):
            modules.append([path])
        elif modules:
            modules[-1].append(path)
        else:
            raise UnsorryError(f"{path} is a part of a module whose `.olean` does not come before it")
    for files in modules:
        if len(files) > 1 and files != [files[0] + suffix for suffix in PARTS]:
            raise UnsorryError(f"the parts of {files[0]} must follow it in Lean's order: {', '.join(PARTS[1:])}")
    return modules


def receive(handle: socket.socket, count: int) -> bytes:
    """Exactly `count` bytes; raises EOFError."""
    data = bytearray()
    while len(data) < count:
        part = handle.recv(min(1 << 20, count - len(data)))
        if not part:
            raise EOFError
        data += part
    return bytes(data)
