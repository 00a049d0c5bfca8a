"""A run once more, in a folder of its own: from one of its steps on, or every call again under the judge of today.

The first run stays as it is.  Neither touches the user's repository: the copy begins where the first one began,
whatever was changed since.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.scaffolds.agent import AgentEnd
from unsorry.scaffolds.agent.beneath import read_at
from unsorry.scaffolds.agent.engine import Engine, Talk
from unsorry.scaffolds.agent.finish import Result, finish
from unsorry.scaffolds.agent.notes import FOLDER
from unsorry.scaffolds.agent.recorder import Recorder, fork
from unsorry.scaffolds.agent.replay import Replayed, replay
from unsorry.scaffolds.agent.runs import Order, save_order
from unsorry.scaffolds.agent.trajectory import read
from unsorry.scaffolds.agent.workspace import Workspace

_LARGEST = 8 << 20  # bytes of a file of notes or lemmas


@dataclass(frozen=True, slots=True)
class Again:
    """What a replay showed.  `verdicts`: declarations with another verdict than then, as (name, then, now)."""

    replayed: Replayed
    result: Result
    verdicts: tuple[tuple[str, str, str], ...]

    @property
    def same(self) -> bool:
        """Whether nothing but the wording of answers differs."""
        return not self.verdicts and not any(d.verdict for d in self.replayed.differences)


def fork_run(order: Order, step: int, target: Path) -> None:
    """A new run in `target` that stands where `order`'s stood after `step` steps; it goes on like any other.

    The notes and lemmas are those of now.  Raises UnsorryError.
    """
    source = order.attempt / "trajectory.jsonl"
    found = read(source)
    if not 0 <= step <= found.steps:
        raise UnsorryError(f"there is no step {step}: {order.run} has {found.steps} whole steps")
    new = _new(order, target)
    fork(source, step, new.attempt / "trajectory.jsonl")
    _copy(order, new, read(new.attempt / "trajectory.jsonl").snapshot)
    save_order(new)  # last: what was cut short is no run


def replay_run(order: Order, target: Path, talk: Talk | None = None) -> Again:
    """Every call of a run again, in a new run in `target`, and the judge on what that gives.  Raises UnsorryError."""
    source = read(order.attempt / "trajectory.jsonl")
    new = _new(order, target)
    _copy(order, new, None)
    save_order(new)
    path = new.attempt / "trajectory.jsonl"
    with Engine(new, talk or Talk()) as engine:
        replayed = replay(source, engine.toolbox(), path, world=engine.workspace)
        with Recorder(path, reserve=0) as engine.recorder:
            result = finish(engine, replayed.end or AgentEnd("all recorded replies were used"))
    return Again(replayed, result, _changed(order.attempt / "verdict.json", result.as_json()))


def _new(order: Order, target: Path) -> Order:
    if target.exists() and any(target.iterdir()):
        raise UnsorryError(f"{target} is not empty: name another folder with -o")
    return replace(order, run=target)


def _copy(order: Order, new: Order, tree: Any) -> None:
    """The workspace as it was at a snapshot, or as it began; a replay makes its own notes."""
    try:
        new.attempt.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnsorryError(f"cannot write {new.run}: {error.strerror or error}") from None
    with Workspace.open(order.attempt / "work") as old, old.fork(new.attempt / "work") as made:
        if tree is not None:
            made.restore(str(tree))
            for path, data in _notes(old):
                made.beneath.write(path, data)


def _notes(space: Workspace) -> list[tuple[str, bytes]]:
    """The files beneath `.unsorry` of the project's copy; links and what is no file are left out."""
    top = space.project / FOLDER
    found: list[tuple[str, bytes]] = []
    for where, _, files, handle in os.fwalk(top, follow_symlinks=False):
        for name in files:
            path = os.path.relpath(os.path.join(where, name), space.files)
            try:
                found.append((path, read_at(handle, name, path, _LARGEST)))
            except UnsorryError:
                continue
    return found


def _changed(path: Path, now: dict[str, Any]) -> tuple[tuple[str, str, str], ...]:
    """Declarations whose verdict differs from the one in a file, if there is one."""
    try:
        then = {d["name"]: str(d["verdict"]) for d in json.loads(path.read_bytes())["declarations"]}
    except (OSError, ValueError, KeyError, TypeError):
        return ()
    later = {d["name"]: str(d["verdict"]) for d in now["declarations"]}
    names = dict.fromkeys([*then, *later])
    return tuple((n, then.get(n, ""), later.get(n, "")) for n in names if then.get(n) != later.get(n))
