"""What a run comes to: a strict verdict on each declaration, against its original statement, and what is left to read.

Both sides are taken from recorded trees, never from the folder that the model wrote, and every file of the project that
a statement rests on is elaborated with it: the base's for the statement, the result's for the submission.  So a
definition that was changed in another file is a definition that differs, and no compiled file of the model's counts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from unsorry import Status, UnsorryError, Verdict
from unsorry.judge import StrictJudge
from unsorry.judge.reasons import Reason
from unsorry.lean.source import Source
from unsorry.scaffolds.agent.patch import Patch
from unsorry.scaffolds.agent.review import Reading, differences, other_files
from unsorry.scaffolds.agent.trees import PROOFS, Tree, nameless
from unsorry.scaffolds.agent.verdicts import Found, Judged
from unsorry.scaffolds.agent.workspace import Workspace

OPEN = "holes.open"  # nothing was judged: the declaration still has a sorry
WORDS = {Status.ACCEPTED: "proved", Status.REJECTED: "failed", Status.UNDECIDED: "unknown"}
MAX_DEPENDENTS = 40  # files that are judged again because of what they import


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration; `reason` is the judge's, or `holes.open`; `change` is target, changed, new or untouched."""

    file: str
    name: str
    line: int
    status: Status
    reason: str
    message: str
    axioms: tuple[str, ...] = ()
    certificate: Any = None
    change: str = "target"

    @property
    def word(self) -> str:
        return "open" if self.reason == OPEN else WORDS[self.status]


@dataclass(slots=True)
class Report:
    """`unchecked`: files that import what was changed and were not judged again."""

    declarations: list[Declared] = field(default_factory=list)
    reading: list[Reading] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)

    def of(self, word: str) -> list[Declared]:
        """The declarations that are proved, failed, unknown or open."""
        return [d for d in self.declarations if d.word == word]

    @property
    def axioms(self) -> tuple[str, ...]:
        """Those that the accepted declarations rest on."""
        return tuple(sorted({axiom for d in self.of("proved") for axiom in d.axioms}))


def review(
    workspace: Workspace,
    patch: Patch,
    judge: StrictJudge,
    *,
    task: Sequence[str] = (),
    roots: Sequence[str] = ("",),
) -> Report:
    """Judges what changed, what the task names, and what rests on it.

    `judge` must have the toolchain of the user's own project; `task` names files, `roots` the folders in which module
    names begin, both relative to the project.
    """
    prefix = f"{workspace.here}/" if workspace.here else ""
    folders = [os.path.normpath(os.path.join(workspace.here, root)).removeprefix(".") for root in roots]
    before, after = (Tree(workspace.git, tree, folders) for tree in (patch.base, patch.result))
    return _Review(judge, before, after, patch, [prefix + file for file in task]).report


class _Review:
    def __init__(self, judge: StrictJudge, before: Tree, after: Tree, patch: Patch, task: Sequence[str]) -> None:
        self.before, self.after, self.patch, self.task = before, after, patch, task
        self.judged = Judged(judge, before, after)
        self.report = Report()
        self.was = {change.path: change.before for change in patch.changes if change.before}
        self.sources: dict[tuple[int, str], Source | None] = {}
        for tree in (before, after):
            tree.load(list(tree.blobs))
        changed = [c.path for c in patch.changes if c.path in after]
        left = [c.before or c.path for c in patch.changes if c.path not in after]  # deleted, made a link, renamed away
        gone = [path for path in left if path in before and path not in after]
        self.moved = self._moved(changed)
        named = [path for path in task if path in after and path not in changed]
        for path in [*changed, *named]:
            self._file(path)
        for path in gone:
            self._deleted(path)
        for path in self._dependents({*changed, *self.was.values(), *gone}, {*changed, *named}):
            self._file(path)
        self.report.reading += other_files(patch.changes, task)
        self.report.reading += [Reading("left out", path, "", "", why) for path, why in patch.left_out.items()]

    def _source(self, tree: Tree, path: str) -> Source | None:
        """A file that can be read; None, and a fault, where it cannot."""
        key = (id(tree), path)
        if key not in self.sources:
            try:
                self.sources[key] = tree.source(path)
            except UnsorryError as error:
                which = "as it is now" if tree is self.after else "as it was"
                self.report.faults.append(f"{path}, {which}, cannot be judged: {error}")
                self.sources[key] = None
        return self.sources[key]

    def _moved(self, changed: Sequence[str]) -> dict[str, str]:
        """Where names are declared now, in the files that changed."""
        found: dict[str, str] = {}
        for path in changed:
            source = self._source(self.after, path)
            for command in source.declarations if source else ():
                if command.name:
                    found.setdefault(command.name, path)
        return found

    def _dependents(self, changed: set[str], done: set[str]) -> list[str]:
        """Files that import what changed, through others too; those beyond the limit are only named."""
        importers: dict[str, set[str]] = {}
        for path in self.after.blobs:
            try:
                for imported in self.after.imports(path):
                    importers.setdefault(imported, set()).add(path)
            except UnsorryError:
                continue
        found: dict[str, None] = {}
        todo = [path for path in sorted(changed) if path.endswith(".lean")]
        while todo:
            for path in sorted(importers.get(todo.pop(), ())):
                if path not in found:
                    found[path] = None
                    todo.append(path)
        rest = [path for path in found if path not in done and path in self.before]
        self.report.unchecked += rest[MAX_DEPENDENTS:]
        return rest[:MAX_DEPENDENTS]

    def _file(self, path: str) -> None:
        was = self.was.get(path, path)
        old = self._source(self.before, was) if was in self.before else None
        new = self._source(self.after, path)
        if new is None or (was in self.before and old is None):
            self._unreadable(path, old, new)
            return
        self.report.reading += differences(path, old, new)
        now = {c.name: c for c in new.declarations if c.name}
        open_now = {new.commands[h.command].name or new.label(new.commands[h.command]) for h in new.holes}
        had = {old.commands[h.command].name for h in old.holes} if old else set()
        known = {c.name: c for c in old.declarations if c.name} if old else {}
        asked: dict[str, str] = {}  # name -> change
        for name, command in known.items():
            if command.kind not in PROOFS and name not in had:
                continue
            if name not in now:
                self._missing(was, name, old)
                continue
            assert old is not None
            texts = [s.text[c.start : c.end].split() for s, c in ((old, command), (new, now[name]))]
            change = "target" if name in had else "changed" if texts[0] != texts[1] else "untouched"
            if name not in open_now:
                asked[name] = change
            elif name in had:
                self._add(path, name, new, change, Status.UNDECIDED, OPEN, "it still has a sorry")
            else:
                self._add(path, name, new, change, Status.REJECTED, Reason.AXIOMS_SORRY.value,
                          "it had a proof, and has a sorry now")  # fmt: skip
        self._verdicts(path, self.judged.against(was, path, list(asked)), asked, new, was)
        self._new(path, new, {n: c for n, c in now.items() if n not in known}, open_now)
        self._nameless(was, path, old, new)

    def _unreadable(self, path: str, old: Source | None, new: Source | None) -> None:
        """One side is no Lean that can be read: nothing of the file is proved."""
        source = old or new
        reason = Reason.COMPILE_FAILED if old and new is None else Reason.STATEMENT_INVALID
        why = "the file cannot be read any more" if old else "the original file cannot be read"
        proofs = [c for c in source.declarations if c.name and c.kind in PROOFS] if source else []
        lines = {c.name: source.lines.line(c.keyword) for c in proofs} if source else {}
        for name, line in (lines or {path: 0}).items():
            declared = Declared(path, name, line, reason.status, reason.value, why, change="changed")
            self.report.declarations.append(declared)

    def _nameless(self, was: str, path: str, old: Source | None, new: Source) -> None:
        """Examples and nameless instances: those that had a sorry, and those that have one."""
        now = nameless(new)
        open_now = {new.commands[hole.command].start for hole in new.holes}
        for one in now.values():
            if new.commands[one.index].start in open_now:
                self._add(path, one.states, new, "target", Status.UNDECIDED, OPEN, "it still has a sorry",
                          new.lines.line(new.commands[one.index].keyword))  # fmt: skip
        had = {old.commands[hole.command].start for hole in old.holes} if old else set()
        before = [n for n in nameless(old).values() if old.commands[n.index].start in had] if old else []
        for one in before:
            if one.states not in now:
                self.report.declarations.append(
                    Declared(path, one.states, 0, Status.REJECTED, Reason.TARGET_MISSING.value,
                             "nothing states this any more", change="removed")
                )  # fmt: skip
        filled = [n for n in before if n.states in now and new.commands[now[n.states].index].start not in open_now]
        for states, verdict in self.judged.nameless(was, path, filled).verdicts.items():
            line = new.lines.line(new.commands[now[states].index].keyword)
            self._add(path, states, new, "target", verdict.status, verdict.reason, verdict.message, line, verdict)

    def _new(self, path: str, new: Source, fresh: dict[str, Any], open_now: set[str]) -> None:
        """New theorems are judged against themselves, or where they came from; an axiom is told as one."""
        own: dict[str, str] = {}
        for name, command in fresh.items():
            if command.kind == "axiom":
                self._add(path, name, new, "new", Status.REJECTED, Reason.AXIOMS_ILLEGAL.value, "it is a new axiom")
            elif name in open_now:
                self._add(path, name, new, "new", Status.UNDECIDED, OPEN, "it has a sorry")
            elif command.kind in PROOFS and not self._came_from(name):
                own[name] = "new"
        self._verdicts(path, self.judged.own(path, list(own)), own, new, "")

    def _came_from(self, name: str) -> str:
        """The changed file of the base that declared a name, "" if none did."""
        for change in self.patch.changes:
            was = change.before or change.path
            if was in self.before:
                source = self._source(self.before, was)
                if source is not None and any(c.name == name for c in source.declarations):
                    return was
        return ""

    def _deleted(self, path: str) -> None:
        old = self._source(self.before, path)
        if old is None:
            return
        self.report.reading += differences(path, old, None)
        for command in old.declarations:
            if command.name and command.kind in PROOFS:
                self._missing(path, command.name, old)

    def _missing(self, was: str, name: str, old: Source | None) -> None:
        """A declaration that is not in its file any more: judged where it is now, or gone."""
        place = self.moved.get(name, "")
        if place:
            source = self._source(self.after, place)
            if source is not None:
                found = self.judged.against(was, place, [name])
                self._verdicts(place, found, {name: "changed"}, source, was)
                return
        line = old.lines.line(next(c.keyword for c in old.declarations if c.name == name)) if old else 0
        self.report.declarations.append(
            Declared(was, name, line, Status.REJECTED, Reason.TARGET_MISSING.value, "it is not declared any more",
                     change="removed")
        )  # fmt: skip

    def _verdicts(self, path: str, found: Found, asked: dict[str, str], new: Source, was: str) -> None:
        self.report.faults += [fault for fault in found.faults if fault not in self.report.faults]
        unproved = [n for n, v in found.verdicts.items() if not v.accepted and asked[n] == "untouched"]
        before: dict[str, Verdict] = {}
        if unproved and was:
            before = self.judged.base(was, unproved)
        for name, verdict in found.verdicts.items():
            if asked[name] == "untouched" and (verdict.accepted or _same(before.get(name), verdict)):
                continue  # it is what it was
            self._add(path, name, new, asked[name], verdict.status, verdict.reason, verdict.message, 0, verdict)

    def _add(
        self, path: str, name: str, source: Source, change: str, status: Status, reason: str, message: str,
        line: int = 0, verdict: Verdict | None = None,
    ) -> None:  # fmt: skip
        line = line or next((source.lines.line(c.keyword) for c in source.declarations if c.name == name), 0)
        axioms = verdict.axioms if verdict else ()
        certificate = verdict.certificate if verdict else None
        self.report.declarations.append(
            Declared(path, name, line, status, str(reason), message, axioms, certificate, change)
        )


def _same(before: Verdict | None, now: Verdict) -> bool:
    return before is not None and not before.accepted and before.reason == now.reason
