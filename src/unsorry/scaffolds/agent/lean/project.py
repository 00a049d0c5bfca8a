"""A project, or one attempt's copy of it: checks and goals of its files, over the Lean that all copies share."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from unsorry import UnsorryError
from unsorry.lean import toolchain as toolchains
from unsorry.lean.embedded import cache_folder
from unsorry.lean.olean import OleanError
from unsorry.lean.process import MODULE, Confinement, Limits
from unsorry.lean.source import Hole
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean import lake as lakes
from unsorry.scaffolds.agent.lean import report
from unsorry.scaffolds.agent.lean.answers import Checked, Found, Goals
from unsorry.scaffolds.agent.lean.build import Builder, Recipe
from unsorry.scaffolds.agent.lean.facts import Facts, read_facts
from unsorry.scaffolds.agent.lean.modules import Modules, Unit
from unsorry.scaffolds.agent.lean.plan import Plan, Planner
from unsorry.scaffolds.agent.lean.warm import Tree, WarmLean
from unsorry.scaffolds.agent.lean.worker import OutOfTime, Query, WorkerDied

if TYPE_CHECKING:
    from unsorry.scaffolds.fill import Document

LIMITS = Limits(wall=600.0, cpu=1200.0, file_size=64 << 20)
SECONDS = 180.0
NOWHERE = Path("/nonexistent")


@dataclass(slots=True)
class _Shared:
    """What all copies of a project have in common."""

    warm: WarmLean
    builder: Builder
    users: int = 0


_shared: dict[tuple[object, ...], _Shared] = {}
_lock = threading.Lock()


class LeanProject:
    """Checks, goals and search over the files below `root`; works from any thread.

    `home` is the user's own project where `root` is a copy of it (default: `root`): its toolchain and its `.lake` are
    used, and never written.  `root` None is no project, only the library.  `places`: Lean processes at work at a time
    (one a core); `cache`: where compiled imports are kept (the user's cache).  Without `ask_lake` no lakefile of `home`
    is run: what it says of sources and options is read from its text.  Raises UnsorryError where there is no strict
    sandbox and no other `confinement` is given.
    """

    def __init__(
        self,
        root: Path | None,
        *,
        home: Path | None = None,
        toolchain: Toolchain | None = None,
        confinement: Confinement | None = None,
        limits: Limits | None = None,
        roots: Sequence[str] = (),
        places: int = 0,
        cache: Path | None = None,
        ask_lake: bool = True,
    ) -> None:
        if confinement is None:
            from unsorry.judge.sandbox import choose

            confinement = choose("strict")
        self.root = (root or NOWHERE).resolve()
        self.home = (home or root or Path.cwd()).resolve()
        found = toolchain or toolchains.find(self.home)
        asked = found if ask_lake else replace(found, kind="embedded")  # for that kind no program is asked
        self.lake = lakes.of(self.home, asked) if root is not None else None
        self.toolchain = _without(found, self.lake.compiled) if self.lake else found
        if root is not None and not roots:
            inside = ("src",) if (self.root / "src").is_dir() else ()
            roots = self.lake.roots if self.lake else (".", *inside)
        self.modules = Modules(self.root, roots, self.toolchain.library)
        self.confinement = confinement
        options = self.lake.options if self.lake else {}
        identity = self.lake.identity if self.lake else ""
        recipe = Recipe(self.toolchain, confinement, limits or LIMITS, options, identity)
        store = (cache or cache_folder()) / "projects" / recipe.digest()[:16]
        self.cache = (cache or cache_folder()) / "search"
        self._key = (recipe.digest(), confinement.name, recipe.limits, self.toolchain.library, store)
        with _lock:
            if self._key not in _shared:
                count = places or os.cpu_count() or 1
                _shared[self._key] = _Shared(WarmLean(recipe, count), Builder(recipe, store, count))
            shared = _shared[self._key]
            shared.users += 1
        self.warm, self.builder = shared.warm, shared.builder
        self.planner = Planner(self.modules, self.builder, self.lake)
        self._open = True

    def close(self) -> None:
        """Ends the processes when no other copy of the project uses them."""
        with _lock:
            if not self._open:
                return
            self._open = False
            shared = _shared[self._key]
            shared.users -= 1
            last = shared.users == 0
            if last:
                del _shared[self._key]
        if last:
            shared.warm.close()

    # Checking.

    def check(self, path: Path, *, timeout: float = SECONDS) -> Checked:
        """What Lean says of a file of the project, as it is on disk now."""
        file, name = self.file(path)
        text = self.modules.text(file)
        checked = self._check(text, name, self.modules.module_of(file), timeout)
        if checked.answer != "unknown" and self.modules.text(file) != text:
            return report.unknown(name, f"stale: {name} was changed while it was checked; check it again")
        return checked

    def check_text(self, text: str, *, behind: Path | None = None, timeout: float = SECONDS) -> Checked:
        """What Lean says of a text that is not in a file; with `behind`, of the text put behind that file's own.

        Messages have positions in `text`; those of the file before it are left out, but if it has errors, so is told.
        """
        if behind is None:
            return self._check(text, "the text", "", timeout)
        file, name = self.file(behind)
        before = self.modules.text(file)
        before += "" if before.endswith("\n") or not before else "\n"
        checked = self._check(before + text, "the text", self.modules.module_of(file), timeout)
        return report.behind(checked, before.count("\n"), name)

    def _check(self, text: str, who: str, module: str, timeout: float) -> Checked:
        start = time.monotonic()
        plan = self.plan(text, who, module, timeout)
        if plan.fault is not None:
            return replace(plan.fault, seconds=time.monotonic() - start)
        left = max(1.0, timeout - (time.monotonic() - start))
        if plan.header is not None and plan.header.module:
            return replace(self._check_module(plan, who, module, left), seconds=time.monotonic() - start)
        with self.warm.tree(plan.built) as tree:
            run = self.warm.check(text, plan.cut, tree, left, plain=plan.plain)
        facts: Facts | None = None
        fault = ""
        if run.olean is not None and run.ok:
            try:
                facts = read_facts((run.olean,), self.toolchain.version, plan.imported)
            except OleanError as error:
                fault = f"the compiled file cannot be read: {error}"
        changed = self.planner.changed(plan.built)
        if changed:
            fault = f"stale: {changed} was changed while {who} was checked; check it again"
        checked = report.checked(who, run, facts, plan.built, timeout, fault)
        note = f"\nnote: {self.lake.note}" if self.lake and self.lake.note else ""
        return replace(checked, text=checked.text + note, seconds=time.monotonic() - start)

    def _check_module(self, plan: Plan, who: str, module: str, timeout: float) -> Checked:
        """A file that begins with `module` is compiled, into its three parts, to see what it rests on."""
        assert plan.header is not None
        below = [b.unit for b in plan.built]
        own = tuple(dict.fromkeys(name for name, _ in plan.header.imports if name in {u.module for u in below}))
        digest = hashlib.sha256(plan.text.encode()).hexdigest()
        unit = Unit(module or MODULE, self.root / who, plan.text, digest, own, plan.header)
        built, failed = self.builder.build([*below, unit], timeout)
        changed = self.planner.changed(plan.built)
        fault = f"stale: {changed} was changed while {who} was checked; check it again" if changed else ""
        return report.compiled(who, failed[0] if failed else built[-1], plan.built, fault)

    def plan(self, text: str, who: str, module: str, timeout: float) -> Plan:
        """Compiles what a text imports.  `module` is the text's own name, for imports that come back to it."""
        return self.planner.plan(text, who, module, timeout)

    @contextmanager
    def toolchain_for(self, text: str, who: str = "the text", timeout: float = SECONDS) -> Iterator[Toolchain]:
        """The toolchain with what `text` imports from the project compiled and in reach, for judges and provers.

        A judge has the kernel check these modules too only with `StrictJudge(toolchain, full_replay=True)`.  Raises
        UnsorryError where an import is missing or does not compile.
        """
        plan = self.plan(text, who, "", timeout)
        if plan.fault is not None:
            raise UnsorryError(plan.fault.reason)
        with self.warm.tree(plan.built) as tree:
            yield self._with(tree) if plan.built else self.toolchain

    def _with(self, tree: Tree) -> Toolchain:
        library = (tree.path, *self.toolchain.library)
        return replace(
            self.toolchain,
            library=library,
            env={**self.toolchain.env, "LEAN_PATH": os.pathsep.join(map(str, library))},
            readable=(*self.toolchain.readable, tree.path),
            digest=toolchains.sha256(self.toolchain.digest, tree.key),
        )

    # Goals.

    def goals(
        self, path: Path, line: int, column: int | None = None, *, text: str | None = None, timeout: float = SECONDS
    ) -> Goals:
        """The goals at a place of a file; lines and columns from 1."""
        file, name = self.file(path)
        text = self.modules.text(file) if text is None else text
        lines = text.split("\n")
        if not 1 <= line <= len(lines):
            reason = f"{name} has {len(lines)} lines, there is no line {line}"
            return Goals(line, column or 1, reason=reason, text=reason)
        code = lines[line - 1]
        first = len(code) - len(code.lstrip())
        at = first if column is None else column - 1
        if not 0 <= at <= len(code):
            reason = f"line {line} of {name} has {len(code)} characters, there is no column {column}"
            return Goals(line, column or 1, reason=reason, text=reason)
        end = len(report.without_comment(code))
        queries = [
            Query("plainGoal", line - 1, at),
            Query("plainGoal", line - 1, max(at, end)),
            Query("plainTermGoal", line - 1, at),
        ]
        results, errors, reason = self._ask(text, name, self.modules.module_of(file), queries, timeout)
        if reason:
            return Goals(line, at + 1, reason=reason, text=f"unknown: {reason}")
        return report.goals(name, line, at + 1, results, errors)

    def holes(self, path: Path, name: str = "", *, timeout: float = SECONDS) -> list[tuple[Hole, str, Goals]]:
        """Each sorry of a file, or of its declaration `name`: the hole, its declaration, its goals."""
        from unsorry.scaffolds.fill import select

        file, _ = self.file(path)
        document, told = self.document(path)
        holes = select(document, name)
        queries = [
            Query("plainGoal" if hole.position == "tactic" else "plainTermGoal", hole.line - 1, hole.column)
            for hole in holes
        ]
        module = self.modules.module_of(file)
        results, errors, reason = self._ask(document.text, told, module, queries, timeout)
        found = []
        for index, hole in enumerate(holes):
            label = document.source.label(document.source.commands[hole.command])
            if reason:
                goals = Goals(hole.line, hole.column + 1, reason=reason, text=f"unknown: {reason}")
            else:
                goals = report.hole(told, hole, results[index], errors)
            found.append((hole, label, goals))
        return found

    def _ask(
        self, text: str, who: str, module: str, queries: Sequence[Query], timeout: float
    ) -> tuple[tuple[Mapping[str, object] | None, ...], tuple[tuple[int, str], ...], str]:
        """(Lean's answers, errors of the file as far as it was read, why nothing is known)."""
        start = time.monotonic()
        plan = self.plan(text, who, module, timeout)
        if plan.fault is not None:
            return (), (), plan.fault.reason
        left = max(1.0, timeout - (time.monotonic() - start))
        try:
            with self.warm.tree(plan.built) as tree:
                answered = self.warm.goals(text, text[: plan.cut], tree, queries, left)
        except OutOfTime:
            return (), (), f"Lean was still elaborating {who} after {timeout:g} s"
        except WorkerDied as death:
            return (), (), f"the Lean process died while it elaborated {who} ({death}); the next call starts another"
        changed = self.planner.changed(plan.built)
        if changed:
            return (), (), f"stale: {changed} was changed meanwhile; ask again"
        return answered.results, answered.errors, ""

    # Search.

    def search(
        self, *, name: str = "", uses: Sequence[str] = (), conclusion: str = "", limit: int = 20,
        path: Path | None = None, timeout: float = SECONDS,
    ) -> Found:  # fmt: skip
        """Declarations by name, by constants of their types, by the shape of their conclusions.

        Searched is what `path` reaches, itself included; without it all files of the project, and the library.
        """
        from unsorry.scaffolds.agent.lean import lookup

        return lookup.search(self, name=name, uses=uses, conclusion=conclusion, limit=limit, path=path, timeout=timeout)

    def document(self, path: Path) -> tuple[Document, str]:
        """(a file of the project, parsed, the path as it is told); raises UnsorryError for what is no Lean source."""
        from unsorry.scaffolds.fill import open_document

        file, name = self.file(path)
        return open_document(file, self.modules.data(file)), name

    def file(self, path: Path) -> tuple[Path, str]:
        """(absolute path, the path as it is told); raises UnsorryError for one outside the project."""
        file = Path(os.path.normpath(self.root / path))
        if not self.modules.inside(file):
            raise UnsorryError(f"{path} is outside the project {self.root}")
        return file, self.modules.name(file)


def _without(toolchain: Toolchain, compiled: Path) -> Toolchain:
    """The toolchain without the project's own compiled files, which may be older than its sources."""
    library = tuple(p for p in toolchain.library if p != compiled.resolve())
    env = {**toolchain.env, "LEAN_PATH": os.pathsep.join(map(str, library))}
    readable = tuple(p for p in toolchain.readable if p != compiled.resolve())
    return replace(toolchain, library=library, env=env, readable=readable)
