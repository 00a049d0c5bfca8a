"""The tasks of a benchmark with their trees, copied out of the repository once."""

from __future__ import annotations

from pathlib import Path

from unsorry import UnsorryError
from unsorry.repos.objects import Repository
from unsorry.repos.score import Case
from unsorry.repos.store import Trees
from unsorry.repos.tasks import Folder


class Cases:
    """Reads a benchmark; `objects` is where its trees are kept, `repository` where the history is if it has moved."""

    def __init__(self, bench: Folder, objects: Path, repository: Path | None = None) -> None:
        self.bench = bench
        self.repository = repository or Path(bench.bench().repository)
        self.trees = Trees.make(objects, object_format=self._format())
        self._cases: dict[str, Case] = {}

    def _format(self) -> str:
        ids = self.bench.ids()
        return "sha256" if ids and len(self.bench.task(ids[0]).base.tree) == 64 else "sha1"

    def case(self, id: str, *, answer: bool = True) -> Case:
        """A task with its trees; without `answer`, or where it is not at hand, without the gold tree.

        Raises UnsorryError where the base is not to be had, or where a patch is not the task's.
        """
        if id not in self._cases:
            self._cases[id] = self._read(id)
        case = self._cases[id]
        return case if answer else Case(case.task, case.stub)

    def _read(self, id: str) -> Case:
        task = self.bench.task(id)
        self.fetch(task.base.tree)
        stub = self.trees.apply(task.base.tree, self.bench.stub_patch(task))
        if not (self.bench.gold_folder(id) / "gold.toml").is_file():
            return Case(task, stub)
        gold = self.bench.gold(id)
        answer = self.trees.apply(stub, self.bench.gold_patch(gold))
        if answer != gold.tree:
            raise UnsorryError(f"{id}: stub and gold do not give the pull request's tree: build the benchmark again")
        return Case(task, stub, gold, answer)

    def fetch(self, tree: str) -> None:
        """Has a base tree in the store."""
        if self.trees.has(tree):
            return
        if not self.repository.is_dir():
            raise UnsorryError(f"{self.repository} is not there: name the repository with --repository")
        with Repository(self.repository) as source:
            try:
                self.trees.fetch(source.git, tree)
            except UnsorryError as error:
                raise UnsorryError(f"{self.repository} has not all of the tree {tree[:12]}: {error}") from None
