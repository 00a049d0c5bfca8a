"""What a run works through: a benchmark of pull requests, or single theorems from any file of problems.

A single theorem becomes a task as well, a tree with one file and one obligation, so that the same runner, the same
scorer and the same report are used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from unsorry import Problem, UnsorryError
from unsorry.canonical import text_bytes, text_digest
from unsorry.lean.source import parse
from unsorry.repos.cases import Cases
from unsorry.repos.score import Case
from unsorry.repos.store import Trees
from unsorry.repos.tasks import ID, Base, Environment, Folder, Hole, Obligation, PullRequest, Task
from unsorry.scaffolds.agent.git import Entry

FILE = "Problem.lean"


@dataclass(frozen=True, slots=True)
class Item:
    """A task as a run lists it.  Items of one `family`, the modes of one pull request, are no independent samples."""

    id: str
    family: str
    date: str = ""


class Source(Protocol):
    """Items, and the trees of each."""

    @property
    def trees(self) -> Trees: ...

    @property
    def items(self) -> Sequence[Item]: ...

    def case(self, id: str, *, answer: bool = True) -> Case: ...


def open_source(path: Path, objects: Path, repository: Path | None = None) -> Source:
    """A benchmark's folder, or whatever `problems` reads; raises UnsorryError."""
    if (path / "tasks").is_dir():
        return PullRequests(path, objects, repository)
    return Theorems(problems(path), objects)


class PullRequests:
    """The tasks of a benchmark."""

    def __init__(self, path: Path, objects: Path, repository: Path | None = None) -> None:
        self.bench = Folder(path)
        self.cases = Cases(self.bench, objects, repository)
        self.trees = self.cases.trees
        self.items = tuple(
            Item(task.id, task.base.commit, task.pull_request.date)
            for task in self.bench.tasks() if task.obligations or task.mode == "open"
        )  # fmt: skip

    def case(self, id: str, *, answer: bool = True) -> Case:
        return self.cases.case(id, answer=answer)


class Theorems:
    """Problems as tasks of one file."""

    def __init__(self, given: Sequence[Problem], objects: Path) -> None:
        self.trees = Trees.make(objects)
        self.problems: Mapping[str, Problem] = {_id(p.id): p for p in given}
        if len(self.problems) != len(given):
            raise UnsorryError("two problems of the set have the same id: attempts could not be told apart")
        self.items = tuple(Item(id, p.family) for id, p in self.problems.items())
        self._cases: dict[str, Case] = {}

    def case(self, id: str, *, answer: bool = True) -> Case:
        if id not in self._cases:
            self._cases[id] = self._make(id, self.problems[id])
        return self._cases[id]

    def _make(self, id: str, problem: Problem) -> Case:
        source = parse(problem.source)
        known = {c.name: c for c in source.declarations if c.name}
        missing = next((t for t in problem.targets if t not in known), None)
        if missing is not None:
            raise UnsorryError(f"problem {problem.id}: its text declares no {missing}")
        obligations = tuple(
            Obligation(name, known[name].kind, FILE, "prove" if known[name].kind in ("theorem", "lemma") else "define",
                       "filled", " ".join(source.text[known[name].keyword : known[name].body].split()))
            for name in problem.targets
        )  # fmt: skip
        blob = self.trees.git.write_blob(text_bytes(problem.source))
        tree = self.trees.git.write_tree([Entry(FILE.encode(), "100644", blob)])
        task = Task(
            id, "prove", "main", "source", "a single theorem", PullRequest(0, problem.id, "", ""), Base("", tree),
            Environment("", ""), "", obligations, tuple(Hole(FILE, name, 1) for name in problem.targets),
        )  # fmt: skip
        return Case(task, tree)


def _id(name: str) -> str:
    """A problem's id as a folder's name."""
    return name if ID.fullmatch(name) else f"{re.sub(r'[^A-Za-z0-9._-]', '-', name)[:40]}-{text_digest(name)[:10]}"


def problems(path: Path, *, header: str = "") -> list[Problem]:
    """Our problem files, Lean files with sorries, rows as miniF2F, ProofNet, PutnamBench and miniCodeProps publish
    them, or a folder of TIP's SMT-LIB files; raises UnsorryError for a row or file that cannot be read."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise UnsorryError(f"{path} is a pipe or a device: name a file or a folder")
    if path.suffix == ".smt2" or (path.is_dir() and any(path.rglob("*.smt2"))):
        return _tip(path)
    if path.suffix in (".jsonl", ".json", ".parquet") and not _ours(path):
        from unsorry.problems import hub

        made = hub.read(path, header=header)
        if made.refused:
            row, why = next(iter(made.refused.items()))
            raise UnsorryError(f"{row}: {why}; `unsorry import hub {path}` keeps the rows that are problems")
        return made.problems
    from unsorry.problems import load

    return load(path)


def _ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return path.suffix == ".jsonl" and "format" in json.loads(file.readline(16_000_000))
    except (OSError, ValueError, TypeError):
        return False


def _tip(path: Path) -> list[Problem]:
    from unsorry.lean import toolchain
    from unsorry.problems.tip.importer import find_files, import_files

    found: list[Problem] = []
    for one in import_files(find_files(path), toolchain.find()):
        if one.refusal:
            raise UnsorryError(f"{one.refusal}; `unsorry import tip {path}` keeps the files that can be read")
        found += one.problems
    return found
