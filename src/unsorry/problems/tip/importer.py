"""Folders of TIP files to problems: translate, let Lean choose among renderings, refuse by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import Problem, UnsorryError
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain
from unsorry.problems.tip.infer import infer
from unsorry.problems.tip.names import readable
from unsorry.problems.tip.parse import parse
from unsorry.problems.tip.render import NAMESPACE, Rendering
from unsorry.problems.tip.sexp import TipError, read_file
from unsorry.problems.tip.syntax import Call, Function, Theory, subterms
from unsorry.problems.tip.trial import Memory, pieces, settle

SUFFIX = ".smt2"


@dataclass(frozen=True, slots=True)
class Import:
    """What became of one file: its problems, or why it was refused."""

    path: Path
    problems: tuple[Problem, ...] = ()
    refusal: str = ""  # one line with file:line
    elaborated: bool = False  # Lean accepted it, with exactly one sorry for each problem
    given: tuple[str, ...] = ()  # functions stated by their equations, since no termination argument was found


def find_files(directory: Path) -> list[Path]:
    """The TIP files of a folder (recursively) or the one file given."""
    if directory.is_file():
        return [directory]
    if not directory.is_dir():
        raise UnsorryError(f"{directory} does not exist; give a folder of {SUFFIX} files")
    files = sorted(p for p in directory.rglob(f"*{SUFFIX}") if p.is_file())
    if not files:
        raise UnsorryError(f"{directory} holds no {SUFFIX} file")
    return files


def import_files(files: Sequence[Path], toolchain: Toolchain | None, *, timeout: float = 60.0) -> Iterator[Import]:
    """Translate one file after the other; with a toolchain each is elaborated, and what Lean rejects is refused."""
    if toolchain is None:
        for path in files:
            yield import_file(path, None, timeout=timeout)
        return
    memory: Memory = {}
    with Session(toolchain) as session:
        for path in files:
            yield import_file(path, session, memory, timeout=timeout)


def import_file(path: Path, session: Session | None, memory: Memory | None = None, *, timeout: float = 60.0) -> Import:
    """One file; never raises for what is in it.  `timeout` is seconds for each trial of a rendering."""
    try:
        theory = parse(read_file(path), str(path))
        infer(theory)
        if not theory.goals:
            raise TipError(str(path), "holds no `prove`")
        rendering = Rendering(theory)
        rendering.prepare(readable(path.stem))
        if session is not None:
            settle(rendering, session, memory if memory is not None else {}, timeout=timeout)
        problems = tuple(assemble(rendering, path))
    except TipError as error:
        return Import(path, refusal=str(error))
    given = tuple(f.name for group in theory.functions for f in group if f.given)
    return Import(path, problems, elaborated=session is not None, given=given)


def assemble(rendering: Rendering, path: Path) -> Iterator[Problem]:
    """A problem for each `prove`."""
    theory = rendering.theory
    preamble = preamble_of(rendering)
    several = len(theory.goals) > 1
    for number, goal in enumerate(theory.goals, 1):
        suffix = f"_{number}" if several else ""
        name = readable(path.stem) + suffix
        yield Problem(
            id=path.stem + suffix,
            statement=rendering.theorem(name, goal, rendering.style),
            targets=(f"{NAMESPACE}.{name}",),
            preamble=preamble,
            origin=f"tip/{path.parent.name}/{path.name}",
            family=f"{path.parent.name}/{_group(path.stem, theory)}",
        )


def preamble_of(rendering: Rendering) -> str:
    """Namespace, datatypes, functions."""
    return "\n\n".join([*(part.text for part in pieces(rendering) if part.kind != "theorem"), ""])


def _group(stem: str, theory: Theory) -> str:
    """Problems that belong together: `sort_nat_MSortTDCount` is in sort_nat; `prop_07` goes by its functions."""
    if re.fullmatch(r"(prop|goal|lemma|theorem)_?\d+", stem):
        called = {
            t.target.lean
            for t in subterms(theory.goals[0].body)
            if isinstance(t, Call) and isinstance(t.target, Function)
        }
        return "+".join(sorted(called)) or stem
    return stem.rpartition("_")[0] or stem
