"""The format of a benchmark and of its tasks on disk.

    BENCH/bench.toml            what was read: repository, range, counts
    BENCH/left-out.jsonl        the commits that made no task, one a line, each with its reason
    BENCH/tasks/ID/task.toml    a task, without its answer
    BENCH/tasks/ID/stub.patch   from the base tree to what the agent begins with; empty in mode `open`
    BENCH/gold/ID/gold.toml     what the pull request came to
    BENCH/gold/ID/gold.patch    from what the agent begins with to the pull request's own files

A task is `base tree + stub.patch`; with `gold.patch` on top it is the tree of the merged pull request, byte for byte.
`tasks` alone can be given away: nothing of the answer is in it but the statements that mode `prove` and `define` state.
Both patches are what `git apply --index` takes, binary files included, and either may be empty.

Modes: `prove` (statements and definitions are given, proofs are `sorry`), `define` (definitions are `sorry` as well),
`open` (only the title and the body of the pull request; obligations are met by declarations of the same type, and are
not to be shown to the agent).  Track `migration` holds pull requests that change the environment, all in mode `prove`:
stub.patch is that change alone, and the obligations are the declarations of the files that had to follow it, which must
keep their statements.

`facts` says how obligations are known: `built` (both trees were compiled, the facts are those of the elaborated
declarations) or `source` (nothing was compiled, `facts_why` says why; digests of types and values are empty then).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.repos import toml
from unsorry.scaffolds.agent.beneath import is_git

FORMAT = 1
MODES = ("prove", "define", "open")
TRACKS = ("main", "migration")
FACTS = ("built", "source")
ROLES = ("prove", "define", "keep")
CHANGES = ("filled", "new", "restated", "redefined", "kept")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
LARGEST = 256 << 20  # bytes of a patch that is read
_TREE = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@dataclass(frozen=True, slots=True)
class PullRequest:
    """Where a task comes from; `number` is 0 where the subject names none, `date` is the commit's, ISO 8601 in UTC."""

    number: int
    title: str
    body: str
    date: str


@dataclass(frozen=True, slots=True)
class Base:
    """The tree before the pull request: git's ids in the repository that the benchmark was built from."""

    commit: str
    tree: str
    project: str = ""  # folder of the Lean project in the tree, "" for the top


@dataclass(frozen=True, slots=True)
class Environment:
    """`key` is one digest of toolchain, manifest and lakefile, as they are after stub.patch: tasks of one key share a
    build.  `toolchain` is the text of `lean-toolchain`, "" where there is none."""

    key: str
    toolchain: str


@dataclass(frozen=True, slots=True)
class Hole:
    """A declaration with `count` sorries in the text, stub.patch applied, in a Lean file that the pull request touches.

    `name` is the statement where there is no name, and "" for sorries in other commands."""

    file: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Obligation:
    """A declaration that an attempt must give.

    `name` is full, as Lean prints it (a private one without what Lean puts before it); a nameless instance has the name
    that Lean gave it where that is known, else "".  `role`: `prove` (a theorem), `define` (a definition or an instance,
    a hole itself), `keep` (it must stay as the base states it).  `change` is what the pull request did to it.
    `statement` is the source up to the body, white space folded.  `type_digest` is "" where nothing was built.
    """

    name: str
    kind: str  # the keyword: theorem, lemma, def, abbrev, instance, opaque, structure, class, inductive
    file: str  # as it is after the pull request, relative to the top of the tree
    role: str
    change: str
    statement: str
    type_digest: str = ""
    private: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the pull request made of an obligation (by `name` and `file`); `axioms` beyond the standard three."""

    name: str
    file: str
    value_digest: str = ""
    axioms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """A task as the runner sees it; nothing of the answer."""

    id: str
    mode: str
    track: str
    facts: str
    facts_why: str
    pull_request: PullRequest
    base: Base
    environment: Environment
    stub_sha256: str  # of stub.patch
    obligations: tuple[Obligation, ...]
    holes: tuple[Hole, ...]


@dataclass(frozen=True, slots=True)
class Gold:
    """The answer; `later` are theorems of the pull request that are about its definitions, by full name."""

    id: str
    commit: str
    tree: str
    gold_sha256: str  # of gold.patch
    later: tuple[str, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A commit that made no task; `reason` is a code such as `no-lean`, `message` says more."""

    commit: str
    number: int
    title: str
    date: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Bench:
    """What a benchmark was built from, and how.  `repository` is the path that was given, `head` the newest commit that
    was read; `left_out` counts commits by their reason."""

    repository: str
    head: str
    since: str = ""
    until: str = ""
    modes: tuple[str, ...] = MODES
    project: str = ""  # folder of the Lean project, "" for the top
    most_lines: int = 0  # of Lean that a pull request adds, 0 for any number
    unnumbered: bool = False  # commits too that name no pull request
    commits: int = 0
    tasks: int = 0
    left_out: Mapping[str, int] | None = None


class Folder:
    """A benchmark's folder.  What is written is there whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def task_folder(self, id: str) -> Path:
        """What may be shown of a task."""
        return self.path / "tasks" / _id(id, "a task")

    def gold_folder(self, id: str) -> Path:
        """What no agent may see."""
        return self.path / "gold" / _id(id, "a task")

    def ids(self) -> list[str]:
        """The complete tasks, sorted; raises UnsorryError where the folder is no benchmark."""
        try:
            found = sorted(e.name for e in os.scandir(self.path / "tasks") if ID.fullmatch(e.name))
        except OSError:
            raise UnsorryError(f"{self.path} holds no tasks: build them with `unsorry bench build`") from None
        return [name for name in found if (self.path / "tasks" / name / "task.toml").is_file()]

    def tasks(self) -> Iterator[Task]:
        return (self.task(id) for id in self.ids())

    def task(self, id: str) -> Task:
        """Raises UnsorryError, one line, for a task that is missing or damaged."""
        path = self.task_folder(id) / "task.toml"
        raw = _load(path)
        nested = {
            "pull_request": toml.record(path, PullRequest, raw.pop("pull_request", None)),
            "base": toml.record(path, Base, raw.pop("base", None)),
            "environment": toml.record(path, Environment, raw.pop("environment", None)),
            "obligations": toml.records(path, Obligation, raw.pop("obligations", [])),
            "holes": toml.records(path, Hole, raw.pop("holes", [])),
        }
        task = toml.record(path, Task, raw | nested)
        for what, value, allowed in (("mode", task.mode, MODES), ("track", task.track, TRACKS),
                                     ("facts", task.facts, FACTS)):  # fmt: skip
            _among(path, what, value, allowed)
        for one in task.obligations:
            _among(path, "role", one.role, ROLES)
            _among(path, "change", one.change, CHANGES)
        if task.id != id:
            raise UnsorryError(f"{path}: the id is {task.id!r}, which is not the folder's name")
        _safe(path, task)
        return task

    def gold(self, id: str) -> Gold:
        path = self.gold_folder(id) / "gold.toml"
        raw = _load(path)
        gold = toml.record(path, Gold, raw | {"answers": toml.records(path, Answer, raw.pop("answers", []))})
        if gold.id != id:
            raise UnsorryError(f"{path}: the id is {gold.id!r}, which is not the folder's name")
        return gold

    def stub_patch(self, task: Task) -> bytes:
        """Raises UnsorryError where it is not the one that the task was written with."""
        return _patch(self.task_folder(task.id) / "stub.patch", task.stub_sha256)

    def gold_patch(self, gold: Gold) -> bytes:
        return _patch(self.gold_folder(gold.id) / "gold.patch", gold.gold_sha256)

    def write(self, task: Task, stub: bytes, gold: Gold, answer: bytes) -> None:
        """A task with its answer; the digests must be those of the patches.  The answer is there before the task."""
        assert (task.stub_sha256, gold.gold_sha256) == (sha256(stub), sha256(answer))
        for folder, patch, data, name, text in (
            (self.gold_folder(task.id), "gold.patch", answer, "gold.toml", _gold_text(gold)),
            (self.task_folder(task.id), "stub.patch", stub, "task.toml", _task_text(task)),
        ):
            write_file(folder / patch, data)
            write_file(folder / name, text.encode())

    def bench(self) -> Bench:
        path = self.path / "bench.toml"
        raw = _load(path)
        return toml.record(path, Bench, raw)

    def write_bench(self, bench: Bench) -> None:
        write_file(self.path / "bench.toml", toml.dumps({"format": FORMAT, **_plain(asdict(bench))}).encode())

    def left_out(self) -> Iterator[LeftOut]:
        try:
            for line in (self.path / "left-out.jsonl").read_text(encoding="utf-8").splitlines():
                yield LeftOut(**json.loads(line))
        except (OSError, ValueError, TypeError) as error:
            raise UnsorryError(f"{self.path / 'left-out.jsonl'} cannot be read: {error}") from None


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_file(path: Path, data: bytes) -> None:
    """Writes a file by renaming a complete one; raises UnsorryError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise UnsorryError(f"cannot write {path}: {error.strerror or error}") from None


def _plain(table: Mapping[str, Any]) -> dict[str, Any]:
    """Without what says nothing."""
    return {key: value for key, value in table.items() if value is not None}


def _task_text(task: Task) -> str:
    return toml.dumps({"format": FORMAT, **asdict(task)})


def _gold_text(gold: Gold) -> str:
    return toml.dumps({"format": FORMAT, **asdict(gold)})


def _load(path: Path) -> dict[str, Any]:
    raw = toml.load(path)
    form = raw.pop("format", None)
    if form != FORMAT:
        raise UnsorryError(f"{path}: format is {form!r}, this version reads {FORMAT}")
    return raw


def _among(path: Path, what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UnsorryError(f"{path}: {what} is {value!r}, allowed are {', '.join(allowed)}")


def _safe(path: Path, task: Task) -> None:
    """A task may come from anybody: nothing in it leads out of its tree, or is more than a name to git."""
    if not _TREE.fullmatch(task.base.tree):
        raise UnsorryError(f"{path}: base.tree is {task.base.tree!r}, which is no id of git's")
    if task.pull_request.date and not _DATE.fullmatch(task.pull_request.date):
        raise UnsorryError(f"{path}: the date is {task.pull_request.date!r}, not one such as 2026-01-31T12:00:00Z")
    named = [task.base.project] if task.base.project else []
    for file in (*named, *(o.file for o in task.obligations), *(h.file for h in task.holes)):
        if "\0" in file or any(part in ("", ".", "..") or is_git(part) for part in file.split("/")):
            raise UnsorryError(f"{path}: {file!r} is no path below the top of the tree")


def _id(id: str, what: str) -> str:
    if not ID.fullmatch(id):
        raise UnsorryError(f"{id!r} is no name of {what}")
    return id


def _patch(path: Path, digest: str) -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            raise UnsorryError(f"{path} is larger than {LARGEST >> 20} MiB")
        data = path.read_bytes()
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
    if sha256(data) != digest:
        raise UnsorryError(f"{path} is not the patch that the task was written with: build the benchmark again")
    return data
