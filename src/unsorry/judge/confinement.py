"""Start a program in the launcher or in bubblewrap, and collect what it did."""

from __future__ import annotations

import functools
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unsorry import UnsorryError
from unsorry.judge.launcher import root
from unsorry.judge.launcher.options import Options
from unsorry.judge.launcher.selftest import NAMESPACES
from unsorry.lean.process import Completed, Limits, collect, kill_session
from unsorry.lean.toolchain import python_interpreter, system_libraries

CONFINE = Path(__file__).with_name("launcher") / "confine.py"
BUBBLEWRAP, LAUNCHER, LIMITS = "bubblewrap", "launcher", "limits"
SANDBOX_UID = 65533  # who the target is when the judge is root: no account, owns nothing
RESERVE = 8 << 30  # address space that Lean reserves for its threads and never touches
GRACE = 10.0  # seconds for the keeper to kill all and bring the files out
KEEPER_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_CHOWN", "CAP_KILL", "CAP_DAC_OVERRIDE", "CAP_FOWNER")


@dataclass(frozen=True, slots=True)
class Confined:
    """A Confinement.

    In strict `run`, the work folder is a copy of limited size: its regular files come back when the target ends by
    itself.  In `popen`, and outside strict mode, it is live.  `limits.processes` counts threads too; `limits.memory` is
    for all processes together.
    """

    name: str
    facts: Mapping[str, object]
    backend: str

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
        options = options_for(argv, work, readable, env, limits)
        process, status = start(options, self.backend)
        return finish(process, status, stdin, limits)

    def popen(
        self, argv: Sequence[str], *, work: Path, readable: Sequence[Path], env: Mapping[str, str], limits: Limits
    ) -> subprocess.Popen[bytes]:
        options = options_for(argv, work, readable, env, limits)
        options.work_mode = "bind"
        if options.uid >= 0 and self.backend != LIMITS:
            give(work, options.uid)
        process, status = start(options, self.backend)
        with os.fdopen(status, "rb") as lines:
            first = lines.readline()
        if first != b"ok\n":
            kill_session(process)
            raise UnsorryError(complaint(first, options.argv[0]))
        return process


def options_for(
    argv: Sequence[str], work: Path, readable: Sequence[Path], env: Mapping[str, str], limits: Limits
) -> Options:
    """The request to the launcher.  Raises UnsorryError for paths that cannot be shown."""
    options = Options()
    options.argv = list(argv)
    options.work = os.path.abspath(work)
    options.readable = list(dict.fromkeys(os.path.abspath(p) for p in (*system_libraries(), *readable)))
    options.environment = dict(env)
    options.uid = SANDBOX_UID if privileged() else -1
    options.limits = {
        "wall": round(limits.wall * 1000),
        "cpu": round(limits.cpu * 1000),
        "memory": limits.memory,
        "address_space": limits.memory + RESERVE,
        "file_size": limits.file_size,
        "processes": limits.processes,
    }
    if not os.path.isdir(options.work):
        raise UnsorryError(f"work folder {work} does not exist")
    for path in options.readable:
        if not os.path.exists(path):
            raise UnsorryError(f"{path} does not exist, so a sandbox cannot show it")
        if path in ("/", options.work):
            raise UnsorryError(f"{path} cannot be shown read-only in a sandbox; name what is needed in it")
        if options.uid >= 0 and not readable_to_all(path):
            raise UnsorryError(
                f"{path} is closed to others, and as root the sandbox runs as user {SANDBOX_UID}: chmod -R go+rX {path}"
            )
    return options


def readable_to_all(path: str) -> bool:
    facts = os.stat(path)
    needed = 0o5 if stat.S_ISDIR(facts.st_mode) else 0o4
    return facts.st_mode & needed == needed


@functools.cache
def privileged() -> bool:
    """Root with the right to make namespaces by itself and to become another user; else a user namespace gives both."""
    if os.geteuid() != 0 or sys.platform != "linux":
        return False
    maps = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    can = int(status["CapEff"], 16)
    needed = (0, 5, 6, 7, 21)  # CHOWN, KILL, SETGID, SETUID, SYS_ADMIN
    return any(first <= SANDBOX_UID < first + count for first, _, count in maps) and all(can >> n & 1 for n in needed)


def give(work: Path, uid: int) -> None:
    """Let the target write in a live work folder.  By descriptors: a process dying in there may still swap names."""
    for _, folders, files, handle in os.fwalk(work, follow_symlinks=False):
        os.chown(handle, uid, uid)
        for name in (*folders, *files):
            os.chown(name, uid, uid, dir_fd=handle, follow_symlinks=False)


def size_of(folder: str) -> int:
    """Bytes that a tmpfs needs for a copy of the folder: whole pages, and one for each folder."""
    total = 0
    for where, folders, files in os.walk(folder):
        total += 4096 * len(folders) + sum(-(-os.lstat(os.path.join(where, f)).st_size // 4096) * 4096 for f in files)
    return total


def start(options: Options, backend: str) -> tuple[subprocess.Popen[bytes], int]:
    """The launcher's process, with the target's pipes on 0, 1, 2, and the descriptor on which it reports."""
    if backend == LIMITS:
        options.work_mode, options.uid = "bind", -1
    options.work_size = size_of(options.work) + options.limits["file_size"] if options.work_mode == "tmpfs" else 0
    python, python_files = python_interpreter()
    reading, options.status = os.pipe()
    options.folder = os.open(options.work, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    options.judge = os.pidfd_open(os.getpid()) if hasattr(os, "pidfd_open") else -1
    kept = [fd for fd in (options.status, options.folder, options.judge) if fd >= 0]
    role = {BUBBLEWRAP: "keeper", LAUNCHER: "outer", LIMITS: "soft"}[backend]
    argv = [python, "-IS", str(CONFINE), role, *options.words()]
    if backend == BUBBLEWRAP:
        argv = [*bubblewrap(options, [*map(str, python_files), str(CONFINE.parent)]), *argv]
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env={"LC_ALL": "C.UTF-8"},
            pass_fds=kept,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        os.close(reading)
        raise UnsorryError(f"cannot start a sandbox: {getattr(error, 'strerror', None) or error} ({argv[0]})") from None
    finally:
        for descriptor in kept:
            os.close(descriptor)
    return process, reading


def bubblewrap(options: Options, own: list[str]) -> list[str]:
    """bwrap's part: namespaces and root.  Our keeper is PID 1 in it and seals the target."""
    program = shutil.which("bwrap")
    if program is None:
        raise UnsorryError("bubblewrap is not installed: sudo apt install bubblewrap")
    argv = [
        program,
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup",
        "--as-pid-1",
        "--cap-drop",
        "ALL",
    ]
    if options.uid < 0:
        argv.append("--unshare-user")
    else:
        for capability in KEEPER_CAPABILITIES:
            argv += ["--cap-add", capability]
    argv += ["--perms", "1777", "--size", str(root.SCRATCH_BYTES), "--tmpfs", root.SCRATCH]
    argv += ["--proc", "/proc", "--dir", "/dev"]
    for name in root.DEVICES:
        argv += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, target in root.DEVICE_LINKS.items():
        argv += ["--symlink", target, f"/dev/{name}"]
    shown: list[str] = []
    made: set[str] = {"/", root.SCRATCH, "/dev"}
    entries = {path: os.path.realpath(path) for path in (*options.readable, *own)}
    entries |= {real: real for real in entries.values()}
    for path, real in sorted([*entries.items(), (options.work, "")], key=lambda item: item[0].split("/")):
        if any(path.startswith(parent + "/") for parent in shown) and path != options.work:
            continue
        for parent in reversed([str(p) for p in Path(path).parents]):
            if parent not in made and not any(f"{parent}/".startswith(f"{above}/") for above in shown):
                argv += ["--perms", "0755", "--dir", parent]  # bwrap's own would be closed to the target
                made.add(parent)
        if path == options.work:
            argv += (
                ["--bind", os.path.realpath(path), path]
                if options.work_mode == "bind"
                else ["--perms", "0700", "--size", str(max(options.work_size, 4096)), "--tmpfs", path]
            )
        else:
            argv += ["--ro-bind", real, path]
            shown.append(path)
    return [*argv, "--remount-ro", "/", "--chdir", "/", "--"]


def finish(process: subprocess.Popen[bytes], status: int, stdin: bytes, limits: Limits) -> Completed:
    """Collect the output; what stopped the target comes from the keeper, not from the target."""
    try:
        completed = collect(process, stdin, replace(limits, wall=limits.wall + GRACE))
        os.set_blocking(status, False)
        try:
            said = os.read(status, 1 << 16)
        except BlockingIOError:
            said = b""
    except BaseException:
        kill_session(process)
        raise
    finally:
        os.close(status)
    lines = said.splitlines()
    if b"time" in lines or completed.timed_out:
        return replace(completed, returncode=None, timed_out=True)
    for cause in (b"memory", b"files"):
        if cause in lines:
            note = b"\nunsorry: stopped at the limit of " + cause + b"\n"
            return replace(completed, returncode=-9, stderr=completed.stderr + note)
    if not lines or any(line.startswith(b"error: ") for line in lines):
        raise UnsorryError(complaint(next((x for x in lines if x.startswith(b"error: ")), completed.stderr), ""))
    code = completed.returncode
    return replace(completed, returncode=128 - code if code is not None and code > 128 else code)


def complaint(line: bytes, program: str) -> str:
    """One line from what the launcher, or bubblewrap, said."""
    text = line.decode("utf-8", "replace").removeprefix("error: ").strip().splitlines()
    return f"the sandbox did not start{' ' + program if program else ''}: {text[-1] if text else 'no reason given'}"


def self_test(backend: str) -> dict[str, str]:
    """What the self-test prints from inside a sandbox of this backend."""
    with tempfile.TemporaryDirectory(prefix="unsorry-selftest-") as name:
        work = Path(name) / "work"
        work.mkdir()
        secret = Path(name) / "outside"
        secret.write_text("outside")
        secret.chmod(0o666)
        spaces = [os.readlink(f"/proc/self/ns/{space}") for space in NAMESPACES]
        limits = Limits(wall=20.0, cpu=10.0, memory=1 << 30, file_size=1 << 20, processes=8, output=1 << 16)
        options = options_for(["", str(secret), str(os.getpid()), *spaces], work, [], {}, limits)
        completed = finish(*start(options, backend), b"", limits)
    lines = completed.stdout.decode("utf-8", "replace").splitlines()
    if completed.timed_out:
        raise UnsorryError(f"the self-test did not end in {limits.wall:.0f} s; try again when the machine is less busy")
    if completed.returncode != 0 or not lines:
        said = completed.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UnsorryError(f"the self-test ended with {completed.returncode}: {said[-1] if said else 'no output'}")
    return dict(line.split("=", 1) for line in lines if "=" in line)
