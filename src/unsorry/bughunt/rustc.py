"""rustc in the sandbox: compile a copy of a crate as a test program, run it in a second sandbox, time-outs included."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unsorry import UnsorryError
from unsorry.bughunt.findings import Build
from unsorry.lean.process import Completed, Confinement, Limits, publish, take_file, temporary_folder

# The wall clock is to end what does not end by itself: a death by the processor's limit looks like another signal's.
COMPILE = Limits(wall=240.0, cpu=960.0, memory=4 << 30, file_size=256 << 20, processes=256, output=8 << 20)
RUN = Limits(wall=30.0, cpu=120.0, memory=1 << 30, file_size=16 << 20, processes=16, output=8 << 20)
OUTPUT = "hunted"
FOLDER = "unsorry_hunt"  # of our own files, inside the copy of a crate
VARIABLE = "UNSORRY_HUNT"  # names that folder to the compiler
LINKER_FOLDERS = ("/usr/bin", "/usr/libexec", "/bin", "/etc/alternatives")  # of the linker, through cc


@dataclass(frozen=True, slots=True)
class Rust:
    """A compiler: the real one, behind rustup's shim."""

    rustc: Path
    sysroot: Path
    version: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error of rustc: its text, and the file and lines it is about ("" and 0 where it names none)."""

    text: str
    places: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A test program, or why there is none."""

    program: bytes
    errors: tuple[Diagnostic, ...] = ()
    timed_out: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Flags:
    """What decides how a crate behaves: edition, checks in each build (Cargo.toml's profiles), features."""

    edition: str = "2021"
    crate_name: str = "hunted"
    features: tuple[str, ...] = ()
    debug_overflow: bool = True
    debug_assertions: bool = True
    release_overflow: bool = False
    release_assertions: bool = False
    environment: tuple[tuple[str, str], ...] = ()  # CARGO_PKG_VERSION and its like, for env!

    def words(self, build: Build) -> list[str]:
        debug = build is Build.DEBUG
        overflow = self.debug_overflow if debug else self.release_overflow
        assertions = self.debug_assertions if debug else self.release_assertions
        return [
            f"--edition={self.edition}",
            f"--crate-name={self.crate_name}",
            "-Copt-level=1" if debug else "-Copt-level=3",
            "-Cdebuginfo=0",
            f"-Coverflow-checks={'on' if overflow else 'off'}",
            f"-Cdebug-assertions={'on' if assertions else 'off'}",
            *(word for name in self.features for word in ("--cfg", f'feature="{name}"')),
        ]


@functools.cache
def find() -> Rust:
    """The Rust compiler of this machine.  Raises UnsorryError if there is none."""
    program = shutil.which("rustc")
    if program is None:
        raise UnsorryError("rustc is not installed: the hunter confirms with it; see https://rustup.rs")
    try:
        run = subprocess.run(
            [program, "--print", "sysroot"], capture_output=True, text=True, timeout=60, check=True, cwd="/"
        )
        sysroot = Path(run.stdout.strip())
        rustc = sysroot / "bin" / "rustc"
        version = subprocess.run(
            [str(rustc), "--version"], capture_output=True, text=True, timeout=60, check=True, cwd="/"
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise UnsorryError(f"rustc does not run: {error}; try `rustc --version`") from None
    if shutil.which("cc") is None:
        raise UnsorryError("rustc needs a linker, cc: sudo apt install gcc")
    return Rust(rustc, sysroot, version)


def compile_tests(
    sources: Mapping[str, bytes], root: str, build: Build, flags: Flags, confinement: Confinement
) -> Compiled:
    """A test program from files by relative path; `root` is the crate's root file.  Runs in a private copy."""
    rust = find()
    with temporary_folder() as name:
        work = Path(name)
        for path, data in sources.items():
            target = work / path
            target.parent.mkdir(parents=True, exist_ok=True)
            publish(target, data)
        done = confinement.run(
            [
                str(rust.rustc),
                "--test",
                *flags.words(build),
                "--cap-lints=allow",
                "--error-format=json",
                "-Ccodegen-units=4",
                "-o",
                OUTPUT,
                root,
            ],
            work=work,
            readable=(rust.sysroot, *(Path(f) for f in LINKER_FOLDERS if os.path.isdir(f))),
            env={
                "PATH": "/usr/bin:/bin",
                "LANG": "C.UTF-8",
                "HOME": "/nonexistent",
                "TMPDIR": str(work),
                VARIABLE: str(work / FOLDER),
                **dict(flags.environment),
            },
            limits=COMPILE,
        )
        program = take_file(work / OUTPUT, COMPILE.file_size) if done.returncode == 0 else None
    errors = diagnostics(done.stderr)
    if program is None and not errors and not done.timed_out:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        errors = (Diagnostic(said[-1] if said else f"rustc ended with {done.returncode}", ()),)
    return Compiled(program or b"", errors if program is None else (), done.timed_out, done.seconds)


def diagnostics(stderr: bytes) -> tuple[Diagnostic, ...]:
    """The errors among rustc's JSON lines."""
    found = []
    for line in stderr.splitlines():
        try:
            said = json.loads(line)
            if said.get("level") != "error":
                continue
            places = tuple((str(s["file_name"]), int(str(s["line_start"]))) for s in _spans(said))
            found.append(Diagnostic(" ".join(str(said["message"]).split()), places))
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
    return tuple(found)


def _spans(said: dict[str, object]) -> list[dict[str, object]]:
    spans = said.get("spans")
    direct = [s for s in spans if isinstance(s, dict)] if isinstance(spans, list) else []
    children = said.get("children")
    below = [c for c in children if isinstance(c, dict)] if isinstance(children, list) else []
    return direct + [s for c in below for s in _spans(c)]


def run_tests(
    program: bytes, words: Sequence[str], confinement: Confinement, *, seconds: float, stack: int = 8 << 20
) -> Completed:
    """Run a test program with libtest's `words`, in a sandbox where it can write nothing that stays."""
    with temporary_folder(shared=True) as name, temporary_folder() as work:
        path = Path(name) / OUTPUT
        publish(path, program)
        path.chmod(0o755)
        return confinement.run(
            [str(path), *words],
            work=Path(work),
            readable=(path,),
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "RUST_MIN_STACK": str(stack), "RUST_BACKTRACE": "0"},
            limits=replace(RUN, wall=min(RUN.wall, seconds)),
        )


PANIC = re.compile(
    r"^thread '(?P<thread>[^\n]*?)' (?:\(\d+\) )?panicked at (?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+):\n"
    r"(?P<message>.*?)(?=^note: |^thread '|^test |\Z)",
    re.M | re.S,
)
