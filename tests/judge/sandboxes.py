"""What the sandbox tests share: which sandboxes there are here, and how to run a small Python program in one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from unsorry.judge import sandbox
from unsorry.lean.process import Completed, Confinement, Limits, Unconfined
from unsorry.lean.toolchain import python_interpreter, system_libraries

LIMITS = Limits(wall=20.0, cpu=10.0, memory=512 << 20, file_size=8 << 20, processes=16, output=1 << 20)
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
PYTHON, PYTHON_FILES = python_interpreter()
BACKENDS = ("launcher", "bubblewrap")


def strict(backend: str) -> tuple[Confinement | None, str]:
    """The strict sandbox of that backend, or None and why not."""
    facts = sandbox.probe(backend)
    if not facts.strict:
        return None, f"no strict sandbox with {backend} here: {facts.missing or facts}"
    return sandbox.choose("strict", backend), ""


def python(
    confinement: Confinement,
    work: Path,
    program: str,
    *arguments: object,
    readable: tuple[Path, ...] = (),
    stdin: bytes = b"",
    **limits: float,
) -> Completed:
    """Run a Python program; its words are in `sys.argv[1:]`."""
    return confinement.run(
        [PYTHON, "-IS", "-c", "import os, sys\n" + program, *map(str, arguments)],
        work=work,
        env=ENVIRONMENT,
        readable=(*system_libraries(), *PYTHON_FILES, *readable),
        limits=replace(LIMITS, **limits),
        stdin=stdin,
    )


def said(completed: Completed) -> str:
    """The last line a program printed, or the last of its complaints."""
    lines = completed.stdout.decode().split("\n") + completed.stderr.decode().strip().split("\n")
    assert not completed.timed_out, completed
    return next((line for line in lines if line), "")


def unconfined(work: Path, program: str, *arguments: object) -> Completed:
    """The same without a sandbox: shows that the program can do harm where it may."""
    return python(Unconfined(), work, program, *arguments)


def running(marker: str) -> list[int]:
    """Processes of this machine whose command line holds `marker`."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if marker.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
    return found
