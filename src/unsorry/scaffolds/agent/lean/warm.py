"""Warm Lean processes, shared by all attempts: fork servers by header, goal workers, folders of compiled imports.

A fixed number of places bounds how many processes are at work, whoever asks: sixteen attempts do not start sixteen.
"""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from unsorry import UnsorryError
from unsorry.lean.process import Run, run_lean, temporary_folder
from unsorry.lean.session import Session
from unsorry.scaffolds.agent.lean.build import Built, Recipe, lay_out
from unsorry.scaffolds.agent.lean.worker import Answered, Query, Worker

IDLE_SESSIONS = 4
IDLE_WORKERS = 2
TREES = 32  # folders of compiled imports that are kept


class _Closable(Protocol):
    def close(self) -> None: ...


Process = TypeVar("Process", bound=_Closable)


@dataclass(slots=True)
class Tree:
    """A folder with the compiled imports of some header; `users` are checks and idle processes that read it."""

    key: str
    path: Path
    users: int = 0


class Pool(Generic[Process]):
    """Idle processes by what they were started for, at most `room` of them, the longest unused closed first."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._idle: list[tuple[tuple[str, ...], Process]] = []
        self._lock = threading.Lock()

    def take(self, key: tuple[str, ...]) -> Process | None:
        with self._lock:
            for index in range(len(self._idle) - 1, -1, -1):
                if self._idle[index][0] == key:
                    return self._idle.pop(index)[1]
        return None

    def give(self, key: tuple[str, ...], process: Process) -> None:
        with self._lock:
            self._idle.append((key, process))
            stale = [self._idle.pop(0)[1] for _ in range(len(self._idle) - self.room)]
        for old in stale:
            old.close()

    def drop(self, tree: str = "") -> None:
        """Closes the idle processes that read this tree, by default all."""
        with self._lock:
            stale = [process for key, process in self._idle if tree in ("", key[0])]
            self._idle = [(key, process) for key, process in self._idle if tree not in ("", key[0])]
        for old in stale:
            old.close()


class WarmLean:
    """The processes.  Works from any thread; `started` counts the processes that were started."""

    def __init__(self, recipe: Recipe, places: int) -> None:
        self.recipe = recipe
        self.started = 0
        self._places = threading.BoundedSemaphore(places)
        self._sessions: Pool[Session] = Pool(IDLE_SESSIONS)
        self._workers: Pool[Worker] = Pool(IDLE_WORKERS)
        self._trees: dict[str, Tree] = {}
        self._lock = threading.Lock()
        self._folder = temporary_folder(shared=True)

    def close(self) -> None:
        """Ends the idle processes and removes the folders."""
        self._sessions.drop()
        self._workers.drop()
        self._folder.cleanup()

    @contextmanager
    def tree(self, built: Sequence[Built]) -> Iterator[Tree]:
        """A folder that holds these modules, as long as it is used."""
        text = "\n".join(sorted(f"{b.unit.module} {b.key}" for b in built))
        key = hashlib.sha256(text.encode()).hexdigest()[:32]
        with self._lock:
            tree = self._trees.pop(key, None)
            if tree is None:
                tree = Tree(key, Path(self._folder.name) / key)
                try:
                    tree.path.mkdir()
                    lay_out(tree.path, built)
                except OSError as error:
                    shutil.rmtree(tree.path, ignore_errors=True)
                    raise UnsorryError(
                        f"cannot lay out compiled imports in {tree.path.parent}: {error.strerror or error}; "
                        "set TMPDIR to a folder with space"
                    ) from None
            self._trees[key] = tree  # the most recent last
            tree.users += 1
            old = [t for t in list(self._trees.values())[:-TREES] if not t.users]
            for stale in old:
                del self._trees[stale.key]
        for stale in old:
            self._sessions.drop(stale.key)
            self._workers.drop(stale.key)
            shutil.rmtree(stale.path, ignore_errors=True)
        try:
            yield tree
        finally:
            with self._lock:
                tree.users -= 1

    def check(self, text: str, cut: int, tree: Tree, timeout: float, *, plain: bool = True) -> Run:
        """Lean on `text`, whose header ends at offset `cut`; positions are those of `text`.

        The compiled file's bytes come with it.  `plain`: the header can be kept in a snapshot.
        """
        recipe = self.recipe
        with self._places:
            if not plain:
                return run_lean(
                    recipe.toolchain, text, olean=True, options=recipe.options, search_path=[tree.path],
                    limits=recipe.limits.within(timeout), confinement=recipe.confinement,
                )  # fmt: skip
            header, rest = text[:cut], text[cut:]
            key = (tree.key, header)
            session = self._sessions.take(key)
            if session is None:
                self.started += 1
                session = Session(
                    recipe.toolchain, header, search_path=[tree.path], confinement=recipe.confinement,
                    limits=recipe.limits, options=recipe.options,
                )  # fmt: skip
            try:
                run = session.check(rest, timeout=timeout, olean=True)
            except BaseException:
                session.close()
                raise
            self._sessions.give(key, session)
        down = header.count("\n")
        moved = tuple(replace(m, line=m.line + down, end_line=m.end_line + down) for m in run.messages)
        return Run(moved, run.completed, run.olean)

    def goals(self, text: str, header: str, tree: Tree, queries: Sequence[Query], timeout: float) -> Answered:
        """Lean's answers; raises WorkerDied."""
        recipe = self.recipe
        with self._places:
            key = (tree.key, header)
            worker = self._workers.take(key)
            if worker is None:
                self.started += 1
                worker = Worker(
                    recipe.toolchain, recipe.confinement, recipe.limits, search_path=[tree.path],
                    options=recipe.options,
                )  # fmt: skip
            try:
                answered = worker.ask(text, queries, timeout)
            except BaseException:
                worker.close()
                raise
            self._workers.give(key, worker)
            return answered
