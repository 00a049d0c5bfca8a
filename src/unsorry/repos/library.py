"""The library still builds: every file that rests on what a submission changed, compiled from trees, in the sandbox."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from unsorry import UnsorryError
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain
from unsorry.repos import environment
from unsorry.repos.compiled import CannotBuild, GaveUp
from unsorry.repos.declarations import outline
from unsorry.repos.elaborated import Compiler, Elaborated
from unsorry.repos.objects import Repository
from unsorry.repos.store import Trees
from unsorry.repos.tasks import Task
from unsorry.scaffolds.agent.trees import Tree


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the library is not what it was; `reason` is a code."""

    reason: str
    message: str


class Builds:
    """Compiles trees of a store; what was compiled once, here or in another process, is not compiled again."""

    def __init__(self, trees: Trees, toolchain: Toolchain, confinement: Confinement) -> None:
        self.trees, self.toolchain = trees, toolchain
        self.repository = Repository(trees.git.folder)
        self.compiler = Compiler(confinement)
        self._files: dict[tuple[str, str], environment.Files] = {}
        self._good: dict[tuple[str, tuple[str, ...]], dict[str, Elaborated]] = {}

    def close(self) -> None:
        self.repository.close()

    def files(self, task: Task, tree: str) -> environment.Files:
        """What a tree is built with."""
        key = tree, task.base.project
        if key not in self._files:
            self._files[key] = environment.read(self.repository, tree, task.base.project)
        return self._files[key]

    def roots(self, task: Task, tree: str) -> tuple[str, ...]:
        """Folders of the tree in which module names begin."""
        _, roots = self.compiler.builder(self.files(task, tree), self.toolchain)
        return tuple(joined(task.base.project, root) for root in roots)

    def compile(self, task: Task, tree: str, paths: Iterable[str]) -> Elaborated:
        """Files of a tree and what they import; raises CannotBuild."""
        files = self.files(task, tree)
        return self.compiler.compile(self.repository, tree, task.base.project, list(paths), files, self.toolchain)

    def broken(self, task: Task, stub: str, result: str, roots: tuple[str, ...]) -> Fault | None:
        """The first thing that is not as it was among the files that changed, and those that import one of them."""
        before, after = Tree(self.trees.git, stub, roots), Tree(self.trees.git, result, roots)
        changed = [path for path, blob in after.blobs.items() if before.blobs.get(path) != blob]
        paths = dependents(after, changed)
        good = self._built(task, stub, tuple(path for path in paths if path in before))
        for path in paths:
            if path in before and path not in good:
                continue  # it did not build before
            try:
                built = self.compile(task, result, [path])
            except GaveUp as error:
                return Fault("undecided.library", str(error))
            except CannotBuild as error:
                return Fault("library.broken", f"{path} does not build any more: {error}" if path in before
                             else f"{path} does not build: {error}")  # fmt: skip
            if path in good and path not in changed and task.mode != "open":
                fault = self._same(path, before, good[path], built)
                if fault is not None:
                    return fault
        return None

    def _built(self, task: Task, tree: str, paths: tuple[str, ...]) -> dict[str, Elaborated]:
        """Those of the files that build."""
        key = tree, paths
        if key not in self._good:
            found = {}
            for path in paths:
                try:
                    found[path] = self.compile(task, tree, [path])
                except CannotBuild:
                    continue
            self._good[key] = found
        return self._good[key]

    def _same(self, path: str, before: Tree, old: Elaborated, new: Elaborated) -> Fault | None:
        """A file that only imports what changed: its text is what it was, and so must its statements be."""
        for declared in outline(before.text(path).encode("utf-8", "surrogatepass")).declarations:
            was, now = (side.fact(path, declared, {}) for side in (old, new))
            if was is None:
                continue
            if now is None or (was.theorem, was.type_digest) != (now.theorem, now.type_digest):
                return Fault("library.changed", f"{path}: {declared.name} does not state any more what it stated")
            worse = set(now.axioms) - set(was.axioms)
            if worse:
                return Fault("library.unproved", f"{path}: {declared.name} rests on {', '.join(sorted(worse))} now")
        return None


def dependents(tree: Tree, changed: Iterable[str]) -> list[str]:
    """The changed Lean files and all that import one of them, through others too."""
    importers: dict[str, set[str]] = {}
    for path in tree.blobs:
        try:
            for imported in tree.imports(path):
                importers.setdefault(imported, set()).add(path)
        except UnsorryError:
            continue  # no UTF-8: told where it is compiled
    found: dict[str, None] = dict.fromkeys(path for path in changed if path in tree)
    todo = list(found)
    while todo:
        for path in sorted(importers.get(todo.pop(), ())):
            if path not in found:
                found[path] = None
                todo.append(path)
    return list(found)


def joined(project: str, root: str) -> str:
    """A folder of sources as one of the tree, "" for its top."""
    joined = os.path.normpath(os.path.join(project, root))
    return "" if joined == "." else joined
