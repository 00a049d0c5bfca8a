"""An extraction with Charon and Aeneas: the whole crate, and if that fails, function by function."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from unsorry import UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.aeneas import commands, facts, pins, stale
from unsorry.bughunt.aeneas.commands import Step
from unsorry.judge.reasons import one_line

SECONDS = 600.0  # of one command


@dataclass(frozen=True, slots=True)
class Extraction:
    """Lean below `folder`, facts joined into the crate, and why functions have no translation, by our path."""

    folder: Path
    joined: facts.Joined
    failed: dict[str, str] = field(default_factory=dict)
    whole: bool = True  # one extraction for the crate; False: function by function
    notes: tuple[str, ...] = ()


def plan(crate: ir.Crate, out: Path, tools: pins.Tools | None = None) -> Iterator[str]:
    """The commands, as a shell would take them: those for the crate, then those that isolate a fault."""
    charon = (tools and tools.charon) or "charon"
    aeneas = (tools and tools.aeneas) or "aeneas"
    yield "# the whole crate, in its folder"
    yield from _lines(commands.whole(crate.name, out, charon, aeneas))
    yield "# only if that fails: each function alone"
    for number, function in enumerate(crate.functions):
        yield from _lines(commands.single(crate.name, function.path, number, out, charon, aeneas))


def _lines(step: Step) -> tuple[str, str]:
    return shlex.join(step.charon), shlex.join(step.aeneas)


def extract(
    folder: Path,
    crate: ir.Crate,
    out: Path,
    tools: pins.Tools | None = None,
    progress: Callable[[str], None] | None = None,
) -> Extraction:
    """Extract the crate in `folder` into `out`.

    Runs `cargo` with the crate's build scripts and procedural macros, in no sandbox: the caller asks.  Raises
    UnsorryError if a program is missing or its pin is not met, and if nothing at all could be extracted.
    """
    tools = tools or pins.find()
    if tools.missing:
        first = tools.missing[0]
        raise UnsorryError(f"{first.about}: {first.says}" + (f"; {first.fix}" if first.fix else ""))
    out = out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    say = progress or (lambda _line: None)
    say("charon and aeneas: the whole crate")
    entries, fault = _attempt(folder, commands.whole(crate.name, out, tools.charon, tools.aeneas), tools)
    failed: dict[str, str] = {}
    notes: list[str] = []
    whole = not fault
    if fault:
        notes.append(f"the crate as a whole was not extracted: {fault}")
        entries, failed = _one_by_one(folder, crate, out, tools, say)
    if not entries:
        raise UnsorryError(f"Aeneas extracted nothing of {crate.name}: {fault or 'no function'}")
    stale.mark(out, crate.source_hash)
    joined = facts.join(crate, entries)
    notes += [f"Aeneas has {entry.rust_name}, which is no function here" for entry in joined.strangers]
    return Extraction(out, joined, failed, whole, tuple(notes))


def _one_by_one(
    folder: Path, crate: ir.Crate, out: Path, tools: pins.Tools, say: Callable[[str], None]
) -> tuple[list[facts.Entry], dict[str, str]]:
    """One unsupported item does not lose the crate: each function with what it needs, by itself."""
    entries: dict[str, facts.Entry] = {}
    failed: dict[str, str] = {}
    for number, function in enumerate(crate.functions):
        say(f"charon and aeneas: {function.path}")
        step = commands.single(crate.name, function.path, number, out, tools.charon, tools.aeneas)
        found, fault = _attempt(folder, step, tools)
        if fault:
            failed[function.path] = fault
        for entry in found:
            entries.setdefault(entry.rust_name, entry)
    have = {commands.our_path(crate.name, name) for name in entries}
    return list(entries.values()), {path: why for path, why in failed.items() if path not in have}


def _attempt(folder: Path, step: Step, tools: pins.Tools) -> tuple[list[facts.Entry], str]:
    """What one extraction gives, and why it gives nothing ("" if it does)."""
    step.llbc.unlink(missing_ok=True)  # what an earlier extraction left is not taken for this one's
    for old in step.folder.rglob(commands.JSON):
        old.unlink()
    fault = _run(step.charon, folder, step.llbc.parent)
    if fault:
        return [], f"charon: {fault}"
    check = pins.llbc_check(step.llbc, tools.charon_version)
    if check.ok is False:
        return [], check.says
    fault = _run(step.aeneas, folder, step.llbc.parent)
    if fault:
        return [], f"aeneas: {fault}"
    written = sorted(step.folder.rglob(commands.JSON))
    if len(written) != 1:
        return [], f"aeneas wrote {len(written)} files {commands.JSON} below {step.folder.name}"
    try:
        return list(facts.read(written[0])), ""
    except UnsorryError as error:
        return [], str(error)


def _run(words: tuple[str, ...], folder: Path, out: Path) -> str:
    """Why a command failed, in one line; "" if it did not."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(out / "target"), "CARGO_NET_OFFLINE": "true"}
    try:
        run = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, timeout=SECONDS, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS:.0f} s"
    except OSError as error:
        return f"does not start: {error.strerror or error}"
    if run.returncode == 0:
        return ""
    said = [line for line in (run.stderr or run.stdout).decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in said if "error" in line.lower()]
    return one_line((errors or said or [f"exit code {run.returncode}"])[0].strip())[:300]
