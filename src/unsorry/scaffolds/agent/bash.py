"""The tool that runs commands: in the judge's sandbox, on the workspace, and nowhere else.

No network, nothing of the user's but the workspace and what it shares; only the workspace and a private /tmp can be
written.  Without a strict sandbox there is no such tool.  Each command is a shell of its own: it begins at the top of
the project, and when it ends, or its time is up, all that it started is killed.
"""

from __future__ import annotations

import os
import selectors
import shlex
import shutil
import subprocess
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.judge import confinement as confinements
from unsorry.judge.confinement import Confined
from unsorry.lean.process import Confinement, Limits, environment, kill_session
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent import EnvironmentLost, Observation, ToolSpec
from unsorry.scaffolds.agent.files import object_schema, text_schema
from unsorry.scaffolds.agent.limits import seconds_left
from unsorry.scaffolds.agent.workspace import MAX_DEPTH, Workspace

DEFAULT_SECONDS, MAX_SECONDS = 120.0, 1200.0
HEAD, TAIL = 12_000, 18_000  # bytes of output that are kept: the beginning, and the end, where errors stand
DISK = 4 << 30  # bytes by which free space may fall while a command runs
SPARE = 256 << 20  # bytes that stay free on the disk
LOOK = 0.5  # seconds between two looks at the disk
GRACE = 10.0  # seconds behind our own time-out for the sandbox's
PROGRAMS = ("/usr/bin", "/bin", "/etc/alternatives")
START = "exec 2>&1\n"  # one stream, so that what belongs together stands together


@dataclass(slots=True)
class Output:
    """The beginning and the end of a stream, however long it is."""

    head: bytearray = field(default_factory=bytearray)
    tail: deque[bytes] = field(default_factory=deque)
    kept: int = 0  # bytes in `tail`
    total: int = 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = HEAD - len(self.head)
        self.head += data[:room]
        if rest := data[max(room, 0) :]:
            self.tail.append(rest)
            self.kept += len(rest)
            while self.kept - len(self.tail[0]) >= TAIL:
                self.kept -= len(self.tail.popleft())

    def text(self) -> str:
        tail = b"".join(self.tail)[-TAIL:]
        missing = self.total - len(self.head) - len(tail)
        parts = [bytes(self.head), tail]
        if missing:
            parts[1:1] = [f"\n[... {missing} bytes left out ...]\n".encode()]
        return b"".join(parts).decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended; `why` names what stopped it: time, memory, files, disk, or "" where it ended by itself."""

    code: int
    why: str
    seconds: float


class Bash:
    """`bash`"""

    spec = ToolSpec(
        "bash",
        "Run a shell command at the top of the workspace, in a sandbox: no network, only the workspace and /tmp can be "
        f"written, processes end with the command. Output beyond {HEAD + TAIL} bytes is cut in the middle. "
        "git can be used to look (status, diff, log, show), not to commit.",
        object_schema(
            ("command",),
            command=text_schema("The command, for bash.", minLength=1),
            timeout={
                "type": "number", "exclusiveMinimum": 0, "maximum": MAX_SECONDS,
                "description": f"Seconds (default {DEFAULT_SECONDS:.0f}).",
            },
        ),
    )  # fmt: skip

    def __init__(
        self, workspace: Workspace, toolchain: Toolchain, confinement: Confinement | None = None,
        *, limits: Limits | None = None, seconds: float = DEFAULT_SECONDS,
    ) -> None:  # fmt: skip
        """`limits`: of memory, file size, processes; `seconds`: the time-out where the model names none."""
        self.workspace, self.toolchain, self.seconds = workspace, toolchain, seconds
        self.limits = limits or Limits(processes=256)
        self._confinement = confinement

    def sandbox(self) -> Confined:
        """The sandbox; raises UnsorryError, with how to get one, where there is no strict one."""
        if self._confinement is None:
            from unsorry.judge.sandbox import choose

            self._confinement = choose("strict")
        found = self._confinement
        if not isinstance(found, Confined) or found.name != "strict":
            raise UnsorryError(
                f"bash needs the strict sandbox and got {found.name!r}: what a model writes does not run outside; "
                "leave --sandbox at strict, or go on without bash"
            )
        return found

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        if not self.workspace.files.is_dir():
            raise EnvironmentLost(f"the workspace {self.workspace.place} is gone: someone removed it")
        seconds = seconds_left(min(float(arguments.get("timeout", self.seconds)), MAX_SECONDS))
        command = arguments["command"]
        if "\0" in command:
            raise UnsorryError("the command holds a NUL character: nothing was run")
        output = Output()
        ended = self._run(command, max(seconds, 0.1), output)
        return _observation(output, ended, seconds, self.limits)

    def _run(self, command: str, seconds: float, output: Output) -> Ended:
        sandbox = self.sandbox()
        limits = Limits(
            wall=seconds + GRACE, cpu=(seconds + GRACE) * (os.cpu_count() or 1), memory=self.limits.memory,
            file_size=self.limits.file_size, processes=self.limits.processes,
        )  # fmt: skip
        shell = next((s for s in ("/bin/bash", "/usr/bin/bash") if os.path.exists(s)), "")
        argv = [
            shell,
            "--noprofile",
            "--norc",
            "-c",
            START + f"cd {shlex.quote(str(self.workspace.project))}\n" + command,
        ]
        if not shell:
            argv = ["/bin/sh", "-c", argv[-1]]
        options = confinements.options_for(argv, self.workspace.files, self._readable(), self._environment(), limits)
        options.work_mode = "bind"
        if options.uid >= 0:
            give(self.workspace.files, options.uid)
        process, status = confinements.start(options, sandbox.backend)
        began = time.monotonic()
        try:
            why = _collect(process, output, began + seconds, self.workspace.place)
        finally:
            kill_session(process)
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
            said = _said(status)
        if not why and not any(line == b"ok" for line in said):
            raise UnsorryError(confinements.complaint(said[0] if said else b"", "bash"))
        why = why or next((w for w in ("time", "memory", "files") if w.encode() in said), "")
        return Ended(process.returncode, why, time.monotonic() - began)

    def _readable(self) -> list[Path]:
        """Programs, Lean, what the workspace shares, and git's objects for looking."""
        looked_at = [self.workspace.git.folder, *([self.workspace.objects] if self.workspace.objects else [])]
        if confinements.privileged():
            looked_at = [p for p in looked_at if p.is_dir() and confinements.readable_to_all(str(p))]
        programs = [Path(p) for p in PROGRAMS if os.path.exists(p)]
        return [*programs, *self.toolchain.readable, self._lean(), *self.workspace.shared, *looked_at]

    def _lean(self) -> Path:
        """A folder with a `lean` that is this toolchain's."""
        folder = self.workspace.place / "bin"
        program = folder / "lean"
        if not program.exists():
            folder.mkdir(exist_ok=True)
            words = shlex.join([*self.toolchain.lean, *self.toolchain.options])
            program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
            program.chmod(0o755)
            folder.chmod(0o755)
        return folder

    def _environment(self) -> dict[str, str]:
        env = environment(self.toolchain)
        folders = [self._lean(), Path(self.toolchain.lean[0]).parent, Path("/usr/bin"), Path("/bin")]
        env |= {
            "PATH": os.pathsep.join(map(str, folders)), "HOME": "/tmp", "TERM": "dumb", "PAGER": "cat",  # noqa: S108
            "GIT_PAGER": "cat", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        }  # fmt: skip
        if self.workspace.objects:
            env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = str(self.workspace.objects)
        if path := env.get("LEAN_PATH"):
            env["LEAN_PATH"] = os.pathsep.join(map(self._in_workspace, path.split(os.pathsep)))
        return env

    def _in_workspace(self, folder: str) -> str:
        """The workspace's folder of build products in the place of the user's."""
        path = Path(folder)
        if path.is_relative_to(self.workspace.origin):
            return str(self.workspace.files / path.relative_to(self.workspace.origin))
        return folder


def give(folder: Path, uid: int) -> None:
    """Let the sandbox's user write in the workspace, by descriptors; what is its own already is left alone."""
    root = os.fspath(folder)
    for where, folders, files, handle in os.fwalk(root, follow_symlinks=False):
        if where.count("/") - root.count("/") > MAX_DEPTH:
            folders.clear()  # only the sandbox's user makes such, and has them already
        if os.fstat(handle).st_uid != uid:
            os.fchown(handle, uid, uid)
        for name in (*folders, *files):
            if os.stat(name, dir_fd=handle, follow_symlinks=False).st_uid != uid:
                os.chown(name, uid, uid, dir_fd=handle, follow_symlinks=False)


def _collect(process: subprocess.Popen[bytes], output: Output, deadline: float, place: Path) -> str:
    """Drains a process until it ends; "time" or "disk" where it has to be stopped."""
    assert process.stdin and process.stdout and process.stderr
    process.stdin.close()
    free = shutil.disk_usage(place).free
    least, looked = max(free - DISK, min(SPARE, free // 2)), time.monotonic()
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            now = time.monotonic()
            if now >= deadline:
                return "time"
            if now - looked >= LOOK:
                looked = now
                if shutil.disk_usage(place).free < least:
                    return "disk"
            for key, _ in selector.select(min(deadline - now, LOOK)):
                data = os.read(key.fd, 1 << 16)
                if data:
                    output.add(data)
                else:
                    selector.unregister(key.fileobj)
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return "time"
    return ""


def _said(status: int) -> list[bytes]:
    """What the sandbox reported; it is dead."""
    os.set_blocking(status, False)
    try:
        return os.read(status, 1 << 16).splitlines()
    except BlockingIOError:
        return []
    finally:
        os.close(status)


def _observation(output: Output, ended: Ended, seconds: float, limits: Limits) -> Observation:
    text = output.text()
    if text and not text.endswith("\n"):
        text += "\n"
    data: dict[str, Any] = {"seconds": round(ended.seconds, 3), "bytes": output.total}
    if ended.why == "time":
        return Observation(
            f"{text}[stopped: not finished after {seconds:g} s, all that it started was killed; what it had written "
            "stays. Give a longer timeout or do less at once]",
            "unknown", {**data, "stopped": "time"},
        )  # fmt: skip
    if ended.why:
        limit = {
            "memory": f"it used more than {limits.memory >> 20} MiB of memory",
            "files": "it made too many files in /tmp",
            "disk": "the disk is nearly full; remove what it wrote",
        }[ended.why]
        return Observation(f"{text}[stopped: {limit}]", "error", {**data, "stopped": ended.why})
    killed = f" (killed by signal {ended.code - 128})" if ended.code > 128 else ""
    return Observation(
        f"{text}[exit status {ended.code}{killed}]", "ok" if ended.code == 0 else "error", {**data, "exit": ended.code}
    )
