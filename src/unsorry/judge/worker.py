"""Worker processes of the judge: each holds a library and forks for every request (see kernel_worker.serve)."""

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
from types import TracebackType
from typing import Any, Self

from unsorry import UnsorryError

STARTUP = 120.0  # seconds for a worker to load the binary and the library
GRACE = 5.0  # seconds beyond a request's own limit, after which the worker is given up


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """Seconds of wall clock and of CPU; bytes of memory beyond what the worker has when it is idle."""

    wall: int = 120
    cpu: int = 120
    memory: int = 4 << 30


class WorkerProcess:
    """Answers requests from any thread, each in a fork of one process that is started when it is first needed.

    `name` is for messages, `argv` starts the process, `library` is the object that it is given first.
    """

    def __init__(self, name: str, argv: Sequence[str], library: object) -> None:
        self._name = name
        self._argv = list(argv)
        self._library = library
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

    def ask(self, request: bytes, limits: WorkerLimits) -> tuple[Any, float]:
        """The answer to one request and its seconds of wall time; None if the fork ended without one."""
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
                answer = None
        return answer, time.monotonic() - start

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
                    raise UnsorryError(f"the {self._name} worker does not stay up: is there memory for it?") from None

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
        library = json.dumps(self._library).encode()
        try:
            ours.sendall(struct.pack(">Q", len(library)) + library)
            receive(ours, 1)
        except (OSError, EOFError):
            self._stop()
            raise UnsorryError(
                f"the {self._name} worker did not start: `unsorry doctor` checks the toolchain"
            ) from None

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process.wait()
            self._process = None


def receive(handle: socket.socket, count: int) -> bytes:
    """Exactly `count` bytes; raises EOFError."""
    data = bytearray()
    while len(data) < count:
        part = handle.recv(min(1 << 20, count - len(data)))
        if not part:
            raise EOFError
        data += part
    return bytes(data)
