"""From a history to a folder of tasks."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain
from unsorry.repos import environment, history
from unsorry.repos.elaborated import Compiler
from unsorry.repos.environment import Toolchains
from unsorry.repos.history import Commit
from unsorry.repos.objects import Repository, Unreadable
from unsorry.repos.outlines import Outlines
from unsorry.repos.patches import Patches
from unsorry.repos.pull import Options, Puller, Skipped
from unsorry.repos.tasks import Bench, Folder, LeftOut

PART = "left-out.jsonl.part"  # there until a benchmark is complete


@dataclass(frozen=True, slots=True)
class Range:
    """Which commits: of `head` and its first parents, those whose date is in [since, until) (ISO 8601, "" for any);
    the newest `most_tasks` tasks (0: all)."""

    head: str = "HEAD"
    since: str = ""
    until: str = ""
    most_tasks: int = 0


@dataclass(frozen=True, slots=True)
class Building:
    """How facts are found.  Without a confinement nothing is built, and `why` says why not."""

    confinement: Confinement | None = None
    toolchain: Toolchain | None = None
    home: Path | None = None  # a checkout that is trusted: its lakefile is run
    cache: Path | None = None
    environments: Path | None = None  # compiled packages, by environment
    why: str = "nothing was to be built"


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of it; `broke_off` says where the history could not be read further, "" if it was read to its end."""

    bench: Bench
    built: int
    broke_off: str = ""


def build(
    repository: Path, out: Path, options: Options, which: Range | None = None, building: Building | None = None,
    progress: Callable[[int, int], None] = lambda commits, tasks: None,
) -> Summary:  # fmt: skip
    """Writes a benchmark of the repository's history into the new folder `out`; raises UnsorryError."""
    which, building = which or Range(), building or Building()
    _claim(out)
    with Repository(repository) as opened:
        head = opened.resolve(which.head)
        tree = history.read(opened, head).tree
        project = (options.project or environment.find_project(opened, tree)).strip("/")
        patches = Patches(opened)
        compiler = Compiler(building.confinement, cache=building.cache) if building.confinement else None
        puller = Puller(
            opened, _with(options, project), patches, Outlines(opened),
            Toolchains(building.toolchain, building.home, building.environments), compiler, building.why,
        )  # fmt: skip
        try:
            return _Run(puller, Folder(out), which, progress).go(head)
        finally:
            patches.close()


def _with(options: Options, project: str) -> Options:
    return Options(options.modes, options.most_lines, options.unnumbered, project)


def _claim(out: Path) -> None:
    """A new folder, or one where an earlier start was cut short: what that one left is made again."""
    if (out / "bench.toml").exists():
        raise UnsorryError(f"{out} holds a benchmark already: name another folder")
    try:
        names = set(os.listdir(out)) if out.exists() else set()
        if names and (PART not in names or names - {"tasks", "gold", PART}):
            raise UnsorryError(f"{out} is not empty: name a new folder")
        for name in ("tasks", "gold"):
            shutil.rmtree(out / name, ignore_errors=True)
            (out / name).mkdir(parents=True)
        (out / PART).touch()
    except OSError as error:
        raise UnsorryError(f"cannot make {out}: {error.strerror or error}") from None


class _Run:
    def __init__(self, puller: Puller, folder: Folder, which: Range, progress: Callable[[int, int], None]) -> None:
        self.puller, self.folder, self.which, self.progress = puller, folder, which, progress
        self.commits = self.tasks = 0
        self.left_out: Counter[str] = Counter()

    def go(self, head: str) -> Summary:
        broke_off = ""
        log, part = self.folder.path / "left-out.jsonl", self.folder.path / PART
        try:
            with part.open("w", encoding="utf-8") as file:
                try:
                    for commit in history.walk(self.puller.repository, head):
                        if self._wanted(commit):
                            self._one(commit, file.write)
                            if self.which.most_tasks and self.tasks >= self.which.most_tasks:
                                break
                except Unreadable as error:
                    shallow = "; the clone is shallow" if self.puller.repository.shallow else ""
                    broke_off = f"the history ends early: {error}{shallow}"
            part.replace(log)
        except OSError as error:
            raise UnsorryError(f"cannot write {log}: {error.strerror or error}") from None
        options = self.puller.options
        bench = Bench(
            str(self.puller.repository.path), head, self.which.since, self.which.until, options.modes, options.project,
            options.most_lines, options.unnumbered, self.commits, self.tasks, dict(sorted(self.left_out.items())),
        )  # fmt: skip
        self.folder.write_bench(bench)
        return Summary(bench, self.puller.built, broke_off)

    def _wanted(self, commit: Commit) -> bool:
        since, until = self.which.since, self.which.until
        return (not since or commit.date >= since) and (not until or "" < commit.date < until)

    def _one(self, commit: Commit, write: Callable[[str], object]) -> None:
        self.commits += 1
        try:
            for made in self.puller.tasks(commit):
                self.folder.write(made.task, made.stub, made.gold, made.answer)
                self.tasks += 1
        except Skipped as skipped:
            self.left_out[skipped.reason] += 1
            row = LeftOut(commit.id, commit.number, commit.title, commit.date, skipped.reason, skipped.message)
            write(json.dumps(asdict(row)) + "\n")
        self.puller.patches.forget()
        self.progress(self.commits, self.tasks)
