"""Many checks against one header: a fork server with a header snapshot, or plain runs where there is none.

A check costs about 10 ms plus elaboration, against 80 ms for a bare `lean` on a small file (docs/results.md).
Each check is a forked child: no state passes from one to the next.  After a check that left files in the folder, or
touched the snapshot, the server and the folder are new.  A hostile check could still attack the server process, which
shares its user; nothing said here is more than `rejected` or `undecided`.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import stat
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from unsorry import UnsorryError
from unsorry.lean.process import (
    MODULE,
    Completed,
    Confinement,
    Limits,
    Message,
    Run,
    Unconfined,
    environment,
    kill_session,
    parse_messages,
    run_lean,
    take_file,
    temporary_folder,
)
from unsorry.lean.toolchain import Toolchain, python_interpreter

SERVER = Path(__file__).with_name("forkserver.py")
SNAPSHOT = "header.snap"
SAVED = (SNAPSHOT, f"{SNAPSHOT}.deps")
OWN = frozenset((f"{MODULE}.lean", "Header.lean", "stdout", *SAVED))  # what the server itself writes in its folder
STARTUP = 60.0  # seconds for the server to come up and for the header to be loaded


class ServerDied(Exception):
    """The fork server is gone; the session starts another for the next check."""


class Session:
    """Checks text after a fixed header.  Not for several threads at once: open one session for each."""

    def __init__(
        self,
        toolchain: Toolchain,
        header: str = "",
        *,
        search_path: Sequence[Path] = (),
        confinement: Confinement | None = None,
        limits: Limits | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.toolchain = toolchain
        self.header = header if not header or header.endswith("\n") else header + "\n"
        self.search_path = tuple(search_path)
        self.confinement = confinement or Unconfined()
        self.limits = limits or Limits()
        self.options = [f"-D{key}={value}" for key, value in (options or {}).items()]
        self.checks = 0
        self._folder = temporary_folder()
        self.work = Path(self._folder.name)
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""
        self._snapshot: str | None = None
        self._saved: tuple[int, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the server and remove its folder."""
        self._stop()
        self._folder.cleanup()

    def check(self, text: str, *, timeout: float = 30.0, olean: bool = False) -> Run:
        """Elaborate header and `text`; positions in the messages refer to `text`.  `olean`: return the bytes."""
        self.checks += 1
        if self.toolchain.native is None:
            options = dict(o[2:].split("=", 1) for o in self.options)
            run = run_lean(
                self.toolchain,
                self.header + text,
                olean=olean,
                options=options,
                search_path=self.search_path,
                confinement=self.confinement,
                limits=self._limits(timeout),
            )
            return Run(self._shift(run.messages), run.completed, run.olean)
        try:
            if self._process is None:
                self._start()
            arguments = [*self.toolchain.options, *self.options, "--json", f"-M{self.limits.memory >> 20}"]
            if self._snapshot:
                arguments.append(f"--incr-load={self._snapshot}")
            if olean:
                arguments += ["-o", f"{MODULE}.olean"]
            completed = _completed(
                self._ask([*arguments, f"{MODULE}.lean"], {f"{MODULE}.lean": self.header + text}, timeout)
            )
        except ServerDied as death:
            self._renew()
            completed = Completed(254, b"", str(death).encode(), 0.0)
            lost = Message("error", f"the Lean process died: {death}", 1, 0, 1, 0, "unsorry.died")
            return Run((lost,), completed)
        produced = None
        if olean:
            produced = take_file(self.work / f"{MODULE}.olean", self.limits.file_size)
            with contextlib.suppress(OSError):
                (self.work / f"{MODULE}.olean").unlink()
        if self._left() - OWN or self._snapshot_facts() != self._saved:
            self._renew()  # nothing that one check leaves reaches the next, or stays on the disk
        return Run(self._shift(parse_messages(completed.stdout)), completed, produced)

    def _shift(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        lines = self.header.count("\n")
        return (
            tuple(
                Message(m.severity, m.text, m.line - lines, m.column, m.end_line - lines, m.end_column, m.kind)
                for m in messages
            )
            if lines
            else messages
        )

    def _limits(self, timeout: float) -> Limits:
        limits = self.limits
        return Limits(
            timeout, max(limits.cpu, timeout), limits.memory, limits.file_size, limits.processes, limits.output
        )

    def _start(self) -> None:
        python, files = python_interpreter()
        library = "" if "LEAN_PATH" in self.toolchain.env else str(self.toolchain.library[0])
        argv = [python, "-IS", str(SERVER), str(self.toolchain.native), library]
        day = Limits(
            86400.0,
            86400.0 * 4,
            self.limits.memory * 2,
            self.limits.file_size,
            self.limits.processes,
            self.limits.output,
        )
        self._process = self.confinement.popen(
            argv,
            work=self.work,
            env=environment(self.toolchain, self.search_path),
            readable=(*self.toolchain.readable, *files, SERVER.parent, *self.search_path),
            limits=day,
        )
        self._buffer = b""
        if self._receive(time.monotonic() + STARTUP).get("ready") is not True:
            raise UnsorryError("the Lean fork server did not start; run `unsorry doctor`")
        self._snapshot = None
        probe = self._ask(
            [*self.toolchain.options, *self.options, "--json", f"--incr-header-save={SNAPSHOT}", "Header.lean"],
            {"Header.lean": self.header},
            STARTUP,
        )
        if probe.get("code") == 0 and (self.work / SNAPSHOT).is_file():
            self._snapshot = SNAPSHOT  # without one, each check imports for itself: slower, same answers
        self._saved = self._snapshot_facts()

    def _left(self) -> set[str]:
        """Names in the folder; one that is not a plain file of its own counts as foreign."""
        with os.scandir(self.work) as entries:
            return {e.name if _plain(e.stat(follow_symlinks=False)) else f"{e.name}/" for e in entries}

    def _snapshot_facts(self) -> tuple[int, ...]:
        """What changes when somebody writes the snapshot; its change time cannot be set by a program."""
        found: list[int] = []
        for name in SAVED:
            with contextlib.suppress(OSError):
                facts = os.stat(self.work / name, follow_symlinks=False)
                found += (facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
        return tuple(found)

    def _renew(self) -> None:
        """Ends the server and its folder; the next check starts another in a fresh one."""
        self._stop()
        self._folder.cleanup()
        self._folder = temporary_folder()
        self.work = Path(self._folder.name)

    def _ask(self, arguments: list[str], files: dict[str, str], timeout: float) -> dict[str, Any]:
        assert self._process is not None and self._process.stdin is not None
        identity = secrets.token_hex(16)
        request = {
            "id": identity,
            "arguments": arguments,
            "files": files,
            "wall": timeout,
            "memory": self.limits.memory,
            "file_size": self.limits.file_size,
            "output": self.limits.output,
        }
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise ServerDied(self._last_words()) from None
        reply = self._receive(time.monotonic() + timeout + 10.0)
        if reply.get("id") != identity:
            raise ServerDied("an answer that is none to this request")
        return reply

    def _receive(self, deadline: float) -> dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        handle = self._process.stdout.fileno()
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([handle], [], [], left)[0]:
                raise ServerDied("no answer in time")
            data = os.read(handle, 1 << 16)
            if not data:
                raise ServerDied(self._last_words())
            self._buffer += data
            if len(self._buffer) > 8 * self.limits.output + (1 << 20):
                raise ServerDied("answer too long")
        line, self._buffer = self._buffer.split(b"\n", 1)
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            raise ServerDied("garbled answer") from None
        if not isinstance(reply, dict):
            raise ServerDied("garbled answer")
        return reply

    def _last_words(self) -> str:
        assert self._process is not None and self._process.stderr is not None
        handle = self._process.stderr.fileno()
        said = b""
        while select.select([handle], [], [], 0.1)[0] and (data := os.read(handle, 4096)):
            said = (said + data)[-4096:]
        lines = said.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it left no message"

    def _stop(self) -> None:
        if self._process is None:
            return
        kill_session(self._process)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._process = None


def _completed(reply: Mapping[str, Any]) -> Completed:
    """What the server says of a run, if it is that."""
    match reply:
        case {
            "code": int() | None as code, "stdout": str() as output, "seconds": int() | float() as seconds,
            "timed_out": bool() as timed_out, "truncated": bool() as truncated,
        }:  # fmt: skip
            return Completed(code, output.encode("utf-8", "replace"), b"", float(seconds), timed_out, truncated)
    raise ServerDied("garbled answer")


def _plain(facts: os.stat_result) -> bool:
    return stat.S_ISREG(facts.st_mode) and facts.st_nlink == 1
