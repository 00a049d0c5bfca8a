"""One `lean --worker`, kept warm: goals at positions of a text, by Lean's own language server.

The worker runs in the sandbox that checks run in.  It elaborates what changed since the last text only.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unsorry.lean.process import Confinement, Limits, environment, kill_session, temporary_folder
from unsorry.lean.toolchain import Toolchain

DAY = 86400.0
MAX_MESSAGE = 64 << 20  # bytes of one answer
NAME = "Main.lean"
SETTLE = 3.0  # seconds


class WorkerDied(Exception):
    """The worker is gone or does not answer; another is started for the next question."""


class OutOfTime(WorkerDied):
    """The worker was still elaborating when the time was over."""


@dataclass(frozen=True, slots=True)
class Query:
    """`method`: "plainGoal" or "plainTermGoal"; line and column from 0, the column in codepoints."""

    method: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Answered:
    """`results` are Lean's, in order, None where it has nothing to say; `errors` of the file as far as it was read."""

    results: tuple[Mapping[str, Any] | None, ...]
    errors: tuple[tuple[int, str], ...]  # line from 1, first line of the message


class Worker:
    """Answers questions about one text after another.  Not for several threads at once."""

    def __init__(
        self,
        toolchain: Toolchain,
        confinement: Confinement,
        limits: Limits,
        *,
        search_path: Sequence[Path] = (),
        options: Mapping[str, str] | None = None,
    ) -> None:
        self._folder = temporary_folder()
        self._work = Path(self._folder.name)
        self.uri = (self._work / NAME).as_uri()
        self._next = 0
        self._version = 0
        self._buffer = b""
        self._errors: dict[int, tuple[tuple[int, str], ...]] = {}
        flags = [f"-D{key}={value}" for key, value in (options or {}).items()]
        memory = f"-M{limits.memory >> 20}"
        day = Limits(DAY, DAY * 4, limits.memory * 2, limits.file_size, limits.processes, limits.output)
        self.process: subprocess.Popen[bytes] = confinement.popen(
            [*toolchain.lean, *toolchain.options, *flags, memory, "--worker", self.uri],
            work=self._work,
            readable=(*toolchain.readable, *search_path),
            env=environment(toolchain, search_path),
            limits=day,
        )
        self._text = ""
        self._noisy = True  # until its standard error ends

    def close(self) -> None:
        """End the worker and remove its folder."""
        kill_session(self.process)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._folder.cleanup()

    def ask(self, text: str, queries: Sequence[Query], timeout: float) -> Answered:
        """Lean's answers for this text; raises WorkerDied, after which the worker is to be closed."""
        deadline = time.monotonic() + timeout
        self._show(text)
        lines = text.split("\n")
        places: dict[int, int] = {}
        for index, query in enumerate(queries):
            line = lines[query.line] if query.line < len(lines) else ""
            position = {"line": query.line, "character": utf16(line[: query.column])}
            places[
                self._request(f"$/lean/{query.method}", {"textDocument": {"uri": self.uri}, "position": position})
            ] = index
        results: list[Mapping[str, Any] | None] = [None] * len(queries)
        while places:
            message = self._receive(deadline)
            self._note(message)
            if message.get("id") in places and "method" not in message:
                result = message.get("result")
                results[places.pop(message["id"])] = result if isinstance(result, dict) else None
        self._settle(min(deadline, time.monotonic() + SETTLE))
        return Answered(tuple(results), self._errors.get(self._version, ()))

    def _settle(self, deadline: float) -> None:
        """Lean tells errors apart from its answers, and later; give it the time to, where the file is not long."""
        told = self._request("textDocument/waitForDiagnostics", {"uri": self.uri, "version": self._version})
        with contextlib.suppress(OutOfTime):
            while True:
                message = self._receive(deadline)
                self._note(message)
                if message.get("id") == told and "method" not in message:
                    return

    def _show(self, text: str) -> None:
        if self._version == 0:
            self._request("initialize", {"processId": None, "rootUri": None, "capabilities": {"textDocument": {}}})
        if self._version and text == self._text:
            return
        self._version += 1
        document = {"uri": self.uri, "version": self._version}
        if self._version == 1:
            opened = {"textDocument": {**document, "languageId": "lean", "text": text}, "dependencyBuildMode": "never"}
            self._send({"method": "textDocument/didOpen", "params": opened})
        else:
            changed = {"textDocument": document, "contentChanges": [{"text": text}]}
            self._send({"method": "textDocument/didChange", "params": changed})
        self._text = text

    def _note(self, message: Mapping[str, Any]) -> None:
        if message.get("method") != "textDocument/publishDiagnostics":
            return
        with contextlib.suppress(KeyError, TypeError, AttributeError, IndexError):
            said = message["params"]
            found = [
                (int(d["range"]["start"]["line"]) + 1, str(d["message"]).strip().partition("\n")[0])
                for d in said["diagnostics"]
                if d.get("severity") == 1
            ]
            self._errors = {int(said["version"]): tuple(found)}

    def _request(self, method: str, parameters: Mapping[str, Any]) -> int:
        self._next += 1
        self._send({"id": self._next, "method": method, "params": parameters})
        return self._next

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
        except OSError:
            raise WorkerDied("it ended") from None

    def _receive(self, deadline: float) -> dict[str, Any]:
        head = self._until(b"\r\n\r\n", deadline)
        length = next(
            (int(v) for k, _, v in (line.partition(b":") for line in head.split(b"\r\n"))
             if k.strip().lower() == b"content-length" and v.strip().isdigit()),
            -1,
        )  # fmt: skip
        if not 0 <= length <= MAX_MESSAGE:
            raise WorkerDied("its answer is garbled")
        while len(self._buffer) < length:
            self._fill(deadline)
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        try:
            message = json.loads(body)
        except ValueError:
            raise WorkerDied("its answer is garbled") from None
        if not isinstance(message, dict):
            raise WorkerDied("its answer is garbled")
        return message

    def _until(self, mark: bytes, deadline: float) -> bytes:
        while mark not in self._buffer:
            if len(self._buffer) > 1 << 16:
                raise WorkerDied("its answer is garbled")
            self._fill(deadline)
        found, self._buffer = self._buffer.split(mark, 1)
        return found

    def _fill(self, deadline: float) -> None:
        """Reads more of the answer; what is said on standard error is dropped, so that it does not block the worker."""
        assert self.process.stdout is not None and self.process.stderr is not None
        handle, noise = self.process.stdout.fileno(), self.process.stderr.fileno()
        waiting = [handle, noise] if self._noisy else [handle]
        left = deadline - time.monotonic()
        ready = select.select(waiting, [], [], left)[0] if left > 0 else []
        if not ready:
            raise OutOfTime("it was still elaborating")
        if noise in ready:
            self._noisy = bool(os.read(noise, 1 << 16))
        if handle in ready:
            data = os.read(handle, 1 << 16)
            if not data:
                raise WorkerDied("it ended")
            self._buffer += data


def utf16(text: str) -> int:
    """Length in the units that the protocol counts in."""
    return len(text) + sum(ord(c) > 0xFFFF for c in text)
