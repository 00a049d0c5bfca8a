"""Run `lean` once: limits, JSON messages, timings."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from unsorry import UnsorryError
from unsorry.lean.toolchain import Toolchain

MODULE = "Main"  # name of every file we compile; private names carry it, so both sides of a comparison share it


@dataclass(frozen=True, slots=True)
class Message:
    """What Lean says about a place in the file."""

    severity: str  # "error" | "warning" | "information"
    text: str
    line: int  # 1-based
    column: int  # 0-based, in codepoints
    end_line: int
    end_column: int
    kind: str = ""  # Lean's own name for the kind of message, "" where it gives none


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds and bytes; what a confinement cannot enforce it says in its facts."""

    wall: float = 60.0
    cpu: float = 120.0
    memory: int = 4 << 30
    file_size: int = 256 << 20
    processes: int = 64
    output: int = 4 << 20

    def within(self, seconds: float) -> Limits:
        """These limits, and no more than `seconds` of wall clock or processor."""
        return replace(self, wall=min(self.wall, seconds), cpu=min(self.cpu, seconds))


@dataclass(frozen=True, slots=True)
class Completed:
    """A finished process; `returncode` is None when it was killed at the time limit."""

    returncode: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    timed_out: bool = False
    output_truncated: bool = False


class Confinement(Protocol):
    """Runs a process with what it may read, one folder that it may write, and limits."""

    @property
    def name(self) -> str: ...

    @property
    def facts(self) -> Mapping[str, object]: ...

    def run(
        self,
        argv: Sequence[str],
        *,
        work: Path,
        readable: Sequence[Path],
        env: Mapping[str, str],
        limits: Limits,
        stdin: bytes = b"",
    ) -> Completed: ...

    def popen(
        self, argv: Sequence[str], *, work: Path, readable: Sequence[Path], env: Mapping[str, str], limits: Limits
    ) -> subprocess.Popen[bytes]: ...


class Unconfined:
    """No confinement: wall time and output are limited, nothing else.  Only for text that the user trusts."""

    name = "none"
    facts: Mapping[str, object] = {"confinement": "none"}

    def popen(
        self, argv: Sequence[str], *, work: Path, readable: Sequence[Path], env: Mapping[str, str], limits: Limits
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            list(argv),
            cwd=work,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def run(
        self,
        argv: Sequence[str],
        *,
        work: Path,
        readable: Sequence[Path],
        env: Mapping[str, str],
        limits: Limits,
        stdin: bytes = b"",
    ) -> Completed:
        return collect(self.popen(argv, work=work, readable=readable, env=env, limits=limits), stdin, limits)


def collect(process: subprocess.Popen[bytes], stdin: bytes, limits: Limits) -> Completed:
    """Feed and drain a process until it ends or its time is up, then kill its whole session.

    Output beyond `limits.output` bytes a stream is read and dropped, so that a chatty child neither blocks nor fills
    memory.  A grandchild that keeps the pipes open does not delay the return.
    """
    start = time.monotonic()
    deadline = start + limits.wall
    kept: dict[int, bytearray] = {}
    truncated = False
    pending = memoryview(stdin)
    assert process.stdin and process.stdout and process.stderr
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
            kept[stream.fileno()] = bytearray()
        order = list(kept)
        if pending:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
        else:
            process.stdin.close()
        timed_out = False
        ended = False
        while any(key.fileobj is not process.stdin for key in selector.get_map().values()):
            left = deadline - time.monotonic()
            if left <= 0:
                timed_out = not ended
                break
            events = selector.select(min(left, 0.05 if ended else 0.5))
            for key, _ in events:
                if key.fileobj is process.stdin:
                    try:
                        pending = pending[os.write(key.fd, pending[:65536]) :]
                    except BlockingIOError:
                        continue
                    except OSError:
                        pending = memoryview(b"")
                    if not pending:
                        selector.unregister(process.stdin)
                        with contextlib.suppress(OSError):
                            process.stdin.close()
                    continue
                try:
                    data = os.read(key.fd, 1 << 16)
                except BlockingIOError:
                    continue
                if not data:
                    selector.unregister(key.fileobj)
                    continue
                room = limits.output - len(kept[key.fd])
                kept[key.fd] += data[:room]
                truncated = truncated or len(data) > room
            if ended and not events:
                break  # only a grandchild holds the pipes now
            ended = ended or process.poll() is not None
    if not timed_out:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            timed_out = True
    kill_session(process)
    for handle in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError):
            handle.close()
    return Completed(
        None if timed_out else process.returncode,
        bytes(kept[order[0]]),
        bytes(kept[order[1]]),
        time.monotonic() - start,
        timed_out,
        truncated,
    )


def kill_session(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and whatever shares its process group, and reap it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    process.wait()


@dataclass(frozen=True, slots=True)
class Run:
    """One run of `lean`."""

    messages: tuple[Message, ...]
    completed: Completed
    olean: bytes | None = None  # what the run left as .olean, if it was asked for

    @property
    def errors(self) -> tuple[Message, ...]:
        return tuple(m for m in self.messages if m.severity == "error")

    @property
    def timed_out(self) -> bool:
        return self.completed.timed_out

    @property
    def ok(self) -> bool:
        """Lean ended by itself, with code 0, and named no error.  A hostile file can forge this."""
        return not self.timed_out and self.completed.returncode == 0 and not self.errors


def run_lean(
    toolchain: Toolchain,
    source: str,
    *,
    work: Path | None = None,
    olean: bool = False,
    options: Mapping[str, str] | None = None,
    search_path: Sequence[Path] = (),
    limits: Limits | None = None,
    confinement: Confinement | None = None,
) -> Run:
    """Elaborate `source` as module `Main` in a folder of its own; with `olean`, return the compiled file's bytes too.

    `search_path` holds folders with further `.olean` files that the source may import.
    """
    confinement = confinement or Unconfined()
    limits = limits or Limits()
    with contextlib.ExitStack() as stack:
        folder = work or Path(stack.enter_context(temporary_folder()))
        (folder / f"{MODULE}.lean").write_bytes(source.encode("utf-8", "surrogatepass"))
        argv = [*toolchain.lean, *toolchain.options, "--json", f"-M{limits.memory >> 20}"]
        argv += [f"-D{key}={value}" for key, value in (options or {}).items()]
        if olean:
            argv += ["-o", f"{MODULE}.olean"]
        completed = confinement.run(
            [*argv, f"{MODULE}.lean"],
            work=folder,
            readable=(*toolchain.readable, *search_path),
            env=environment(toolchain, search_path),
            limits=limits,
        )
        produced = take_file(folder / f"{MODULE}.olean", limits.file_size) if olean else None
    return Run(parse_messages(completed.stdout), completed, produced)


def temporary_folder(*, shared: bool = False) -> tempfile.TemporaryDirectory[str]:
    """A private folder that disappears with its context; a full or read-only disk is told in one line.

    A `shared` one can be read, not written, by a confined process, which runs as another user.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix="unsorry-")
        if shared:
            os.chmod(folder.name, 0o755)  # noqa: S103
        return folder
    except OSError as error:
        raise UnsorryError(
            f"cannot make a temporary folder: {error.strerror or error}; set TMPDIR to a folder with space"
        ) from None


def publish(path: Path, data: bytes) -> None:
    """Write a file that a confined process may read, whatever the user's umask."""
    path.write_bytes(data)
    path.chmod(0o644)


def take_file(path: Path, limit: int) -> bytes | None:
    """The bytes of a regular file that a hostile process may have put there; None if there is none or it is too big.

    Links, pipes and devices are not opened for reading; the content is read once.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1 or facts.st_size > limit:
            return None
        with os.fdopen(os.dup(handle), "rb") as file:
            data = file.read(limit + 1)
        return data if len(data) <= limit else None
    finally:
        os.close(handle)


def environment(toolchain: Toolchain, search_path: Sequence[Path] = ()) -> dict[str, str]:
    """The whole environment of a Lean process: nothing of the user's is passed on."""
    env = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent", **toolchain.env}
    paths = [*map(str, search_path), *filter(None, [toolchain.env.get("LEAN_PATH")])]
    if paths:
        env["LEAN_PATH"] = os.pathsep.join(paths)
    return env


def parse_messages(stdout: bytes) -> tuple[Message, ...]:
    """The messages among the lines of `lean --json`; anything else on standard output is passed over."""
    return tuple(filter(None, map(_message, stdout.splitlines())))


def _message(line: bytes) -> Message | None:
    if not line.startswith(b"{"):
        return None
    try:
        raw = json.loads(line)
        start = raw["pos"]
        end = raw.get("endPos") or start
        return Message(
            str(raw["severity"]),
            str(raw["data"]),
            int(start["line"]),
            int(start["column"]),
            int(end["line"]),
            int(end["column"]),
            str(raw.get("kind", "")),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
