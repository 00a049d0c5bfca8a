"""One merged commit: the files that it touched, what they declare before and after, and the tasks that it makes."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from unsorry.lean.source import Source, parse
from unsorry.lean.toolchain import Toolchain
from unsorry.repos import environment, history, stubs
from unsorry.repos.compiled import CannotBuild
from unsorry.repos.declarations import LARGEST, Declared, Outline, body_digest, text_of
from unsorry.repos.diff import Change, Fact, compare, named
from unsorry.repos.elaborated import Compiler, Elaborated
from unsorry.repos.environment import Toolchains
from unsorry.repos.history import Commit
from unsorry.repos.objects import Entry, Repository, Unreadable
from unsorry.repos.outlines import Outlines
from unsorry.repos.patches import Patches
from unsorry.repos.tasks import Answer, Base, Gold, Hole, Obligation, PullRequest, Task, sha256
from unsorry.scaffolds.agent.beneath import is_git

MOST_FILES = 1000  # that a pull request touches
LARGEST_FILE = 8 << 20  # bytes of one of them
MIGRATION = "what a change of the environment must keep is read from the source"


class Skipped(Exception):
    """Why a commit makes no task: a code, and more in words."""

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message)
        self.reason, self.message = reason, message


@dataclass(frozen=True, slots=True)
class Options:
    """What makes a task.  `most_lines`: lines of Lean that a pull request adds at most; 0 is any number."""

    modes: tuple[str, ...] = ("prove",)
    most_lines: int = 1000
    unnumbered: bool = False  # commits too whose subject names no pull request
    project: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """A task with its patches."""

    task: Task
    stub: bytes
    gold: Gold
    answer: bytes


Files = dict[bytes, tuple[Entry | None, Entry | None]]


@dataclass(slots=True)
class Puller:
    """Looks at commits of one repository.  Without a `compiler` nothing is built."""

    repository: Repository
    options: Options
    patches: Patches
    outlines: Outlines
    toolchains: Toolchains
    compiler: Compiler | None = None
    no_compiler: str = "nothing was to be built"
    built: int = 0  # pull requests whose facts are elaborated ones

    def tasks(self, commit: Commit) -> list[Made]:
        """The tasks of a commit; raises Skipped where there is none."""
        try:
            return self._tasks(commit)
        except Unreadable as error:
            raise Skipped("unreadable-object", str(error)) from None

    def _tasks(self, commit: Commit) -> list[Made]:
        if not commit.number and not self.options.unnumbered:
            raise Skipped("no-number", "its subject names no pull request")
        if not commit.parents:
            raise Skipped("root", "it has no parent")
        try:
            base = history.read(self.repository, commit.parents[0])
        except Unreadable as error:
            raise Skipped("no-base", f"its parent cannot be read: {error}") from None
        if commit.tree == base.tree:
            raise Skipped("empty", "it changes nothing")
        if commit.reverts:
            raise Skipped("revert", "what it comes to is in the history before it")
        files = self._files(base.tree, commit.tree)
        moved = bool(environment.paths(self.options.project) & files.keys())
        lean = {path: pair for path, pair in files.items() if self._is_lean(path)}
        if not lean:
            raise Skipped("environment-only" if moved else "no-lean", "it changes no Lean file of the project")
        pull = _Pull(self, commit, base, files, {os.fsdecode(p): pair for p, pair in lean.items()})
        return pull.migration() if moved else pull.main()

    def _files(self, before: str, after: str) -> Files:
        """The files that differ; raises Skipped for too many and for paths that nobody can check out."""
        found: Files = {}
        for path, was, now in itertools.islice(self.repository.differences(before, after), MOST_FILES + 1):
            parts = path.split(b"/")
            if any(part in (b"", b".", b"..") or is_git(os.fsdecode(part)) for part in parts):
                raise Skipped("path", f"it has the path {os.fsdecode(path)!r}")
            found[path] = was, now
        if len(found) > MOST_FILES:
            raise Skipped("too-large", f"it touches more than {MOST_FILES} files")
        return found

    def _is_lean(self, path: bytes) -> bool:
        prefix = os.fsencode(f"{self.options.project}/") if self.options.project else b""
        if not path.endswith(b".lean") or not path.startswith(prefix):
            return False
        inside = path[len(prefix) :]
        hidden = any(part.startswith(b".") for part in inside.split(b"/"))
        if not hidden and inside != b"lakefile.lean":
            try:
                path.decode()
            except UnicodeDecodeError:
                raise Skipped("path", f"the path {os.fsdecode(path)!r} is not UTF-8") from None
            return True
        return False


@dataclass(slots=True)
class _Facts:
    base: Elaborated
    head: Elaborated

    def before(self, path: str, declared: Declared, renamed: Mapping[str, str]) -> Fact | None:
        return self.base.fact(path, declared, renamed)

    def after(self, path: str, declared: Declared) -> Fact | None:
        return self.head.fact(path, declared, {})


class _Pull:
    """A commit that touches Lean files."""

    def __init__(
        self, puller: Puller, commit: Commit, base: Commit, files: Files,
        lean: Mapping[str, tuple[Entry | None, Entry | None]],
    ) -> None:  # fmt: skip
        self.puller, self.commit, self.base, self.files, self.lean = puller, commit, base, files, lean
        self.repository, self.options = puller.repository, puller.options
        self._sources: dict[str, Source] = {}
        self.whole = puller.patches.between(self._side(0), self._side(1))
        added = added_lines(self.whole)
        if self.options.most_lines and added > self.options.most_lines:
            raise Skipped("too-large", f"it adds {added} lines of Lean, more than {self.options.most_lines}")
        self.before = self._outlines(0)
        self.after = self._outlines(1)

    def _outlines(self, side: int) -> dict[str, Outline]:
        found = {}
        for path, pair in sorted(self.lean.items()):
            entry = pair[side]
            if entry is not None and entry.is_file:
                found[path] = self.puller.outlines.of(entry.id)
                if found[path].fault:
                    raise Skipped("unreadable", f"{path} {'after' if side else 'before'} it: {found[path].fault}")
        return found

    def _side(self, side: int) -> dict[bytes, Entry]:
        """The files that differ, as they are on one side; raises Skipped where one is too large for a patch."""
        found = {}
        for path, pair in self.files.items():
            entry = pair[side]
            if entry is not None:
                if entry.is_file or entry.mode == "120000":
                    self.repository.blob(entry.id, LARGEST_FILE)
                found[path] = entry
        return found

    def _body(self, path: str, declared: Declared, renamed: Mapping[str, str]) -> bytes:
        """The digest of a body of the base with new names."""
        if path not in self._sources:
            entry = self.lean[path][0]
            assert entry is not None
            self._sources[path] = parse(text_of(self.repository.blob(entry.id, LARGEST)))
        return body_digest(self._sources[path], declared.index, renamed)

    # The main track.

    def main(self) -> list[Made]:
        files = environment.read(self.repository, self.base.tree, self.options.project)
        facts, why = self._build(files)
        before, after = self.before, self.after
        if facts is not None:
            before, after = self._with_instances(facts.base, before, 0), self._with_instances(facts.head, after, 1)
        try:
            changes = compare(before, after, self._body, facts)
        except CannotBuild as error:
            facts, why = None, str(error)
            changes = compare(self.before, self.after, self._body)
        made = []
        for mode in self.options.modes:
            owed = stubs.obligations(changes, mode)
            if owed and not (mode == "define" and all(o.role != "define" for o, _ in owed)):
                made.append(self._task(mode, "main", owed, files, "built" if facts else "source", why))
        if not made:
            left = any(c.what == "opened" for c in changes)
            said = (
                "it leaves sorries and proves nothing"
                if left
                else "it proves and defines nothing that can be asked for"
            )
            raise Skipped("sorries" if left else "nothing-new", said)
        self.puller.built += facts is not None
        return made

    def _build(self, files: environment.Files) -> tuple[_Facts | None, str]:
        """The elaborated facts of both trees, or why there are none."""
        compiler = self.puller.compiler
        if compiler is None:
            return None, self.puller.no_compiler
        toolchain, why = self.puller.toolchains.find(files)
        if toolchain is None:
            return None, why
        try:
            base, head = (self._compile(compiler, toolchain, files, side) for side in (0, 1))
            return _Facts(base, head), ""
        except CannotBuild as error:
            return None, str(error)

    def _compile(self, compiler: Compiler, toolchain: Toolchain, files: environment.Files, side: int) -> Elaborated:
        tree = (self.base.tree, self.commit.tree)[side]
        paths = list((self.before, self.after)[side])
        try:
            return compiler.compile(self.repository, tree, self.options.project, paths, files, toolchain)
        except CannotBuild as error:
            raise CannotBuild(f"{'after' if side else 'before'} it, {error}") from None

    def _with_instances(self, elaborated: Elaborated, outlines: dict[str, Outline], side: int) -> dict[str, Outline]:
        """With the names of nameless instances."""
        names = {}
        for path, outline in outlines.items():
            if any(d.kind == "instance" and not d.name for d in outline.declarations):
                entry = self.lean[path][side]
                assert entry is not None
                text = text_of(self.repository.blob(entry.id, LARGEST))
                names[path] = elaborated.instances(path, text, list(outline.named))
        return named(outlines, names)

    # The migration track.

    def migration(self) -> list[Made]:
        """A change of the environment: given is that change, owed are the files that had to follow it."""
        changes = compare(self.before, self.after, self._body)
        owed = stubs.kept(changes)
        if not owed:
            raise Skipped("environment-only", "no declaration had to follow the change of the environment")
        files = environment.read(self.repository, self.commit.tree, self.options.project)
        return [self._task("prove", "migration", owed, files, "source", MIGRATION)]

    # What both come to.

    def _task(
        self, mode: str, track: str, owed: Sequence[tuple[Obligation, Change]], files: environment.Files, facts: str,
        why: str,
    ) -> Made:  # fmt: skip
        begin, holes = self._begin(mode, track, owed)
        base, head = self._side(0), self._side(1)
        stub = self.puller.patches.between(base, begin)
        answer = self.whole if begin == base else self.puller.patches.between(begin, head)
        commit = self.commit
        what = "migrate" if track == "migration" else mode
        name = f"pr{commit.number}" if commit.number else "commit"
        task = Task(
            f"{name}-{self.base.id[:10]}-{what}", mode, track, facts, why,
            PullRequest(commit.number, commit.title, commit.body, commit.date),
            Base(self.base.id, self.base.tree, self.options.project), files.environment, sha256(stub),
            tuple(o for o, _ in owed), holes,
        )  # fmt: skip
        answers = tuple(
            Answer(o.name, o.file, c.fact.value_digest if c.fact else "", c.fact.axioms if c.fact else ())
            for o, c in owed
        )
        gold = Gold(task.id, commit.id, commit.tree, sha256(answer), tuple(later(owed)), answers)
        return Made(task, stub, gold, answer)

    def _begin(
        self, mode: str, track: str, owed: Sequence[tuple[Obligation, Change]]
    ) -> tuple[dict[bytes, Entry], tuple[Hole, ...]]:
        """(the files that differ as the agent begins with them, the sorries of the Lean files among them)."""
        begin = self._side(0)
        if track == "migration":
            head = self._side(1)
            for name in environment.paths(self.options.project) & self.files.keys():
                begin.pop(name, None)
                if name in head:
                    begin[name] = head[name]
            return begin, stubs.holes(self.before)
        if mode == "open":
            return begin, stubs.holes(self.before)
        for path, (_, now) in self.lean.items():
            begin.pop(os.fsencode(path), None)
            if now is not None:
                begin[os.fsencode(path)] = self._holed(path, now, owed)
        places = {(c.path, c.after.index) for _, c in owed if c.after is not None}
        return begin, stubs.holes(self.after, places)

    def _holed(self, path: str, entry: Entry, owed: Sequence[tuple[Obligation, Change]]) -> Entry:
        """The pull request's file with sorries for what is owed in it."""
        here = [c.after for _, c in owed if c.path == path and c.after is not None]
        if not here or not entry.is_file:
            return entry
        data = stubs.stub(self.repository.blob(entry.id, LARGEST), here)
        return replace(entry, id=self.puller.patches.blob(data))


def later(owed: Sequence[tuple[Obligation, Change]]) -> Iterator[str]:
    """The theorems among these that are about the definitions among these."""
    defined = {o.name.rpartition(".")[2] for o, _ in owed if o.role == "define" and o.name}
    for obligation, _ in owed:
        parts = {part for word in obligation.statement.split() for part in word.split(".")}
        if obligation.role == "prove" and obligation.name and defined & parts:
            yield obligation.name


def added_lines(patch: bytes) -> int:
    """Lines that a patch adds to Lean files."""
    count, lean = 0, False
    for line in patch.split(b"\n"):
        if line.startswith(b"diff --git "):
            lean = line.rstrip(b'"').endswith(b".lean")
        elif lean and line.startswith(b"+") and not line.startswith(b"+++ "):
            count += 1
    return count
