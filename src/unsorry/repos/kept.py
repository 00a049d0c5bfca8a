"""All else is what it was: every declaration of a file that nothing is asked of, compared as terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from unsorry import Problem, UnsorryError
from unsorry.judge import StrictJudge, axioms, statement
from unsorry.judge.compile import compile_source
from unsorry.judge.judge import Prepared
from unsorry.judge.reasons import Reason, Refusal
from unsorry.lean.declarations import Kind
from unsorry.lean.names import Name
from unsorry.lean.olean import OleanError, read
from unsorry.lean.terms import Arena
from unsorry.repos.compiled import plain
from unsorry.repos.scores import Score, nothing
from unsorry.repos.tasks import Task
from unsorry.scaffolds.agent.lean.facts import shown
from unsorry.scaffolds.agent.trees import PROOFS, Tree


def prepared(judge: StrictJudge, tree: Tree, file: str, targets: tuple[str, ...]) -> Prepared:
    """A file of a tree, with what it imports, as a statement; raises Refusal, and UnsorryError where it is no Lean."""
    return judge.prepare(Problem(file, tree.flat(file).text, targets, origin=file))


@dataclass(slots=True)
class Kept:
    """Compares a submission (`after`) with the stub (`before`); `holes` are definitions that may have any value."""

    judge: StrictJudge
    task: Task
    before: Tree
    after: Tree
    answer: Tree | None
    holes: frozenset[str]

    def compiled(self, file: str, tree: Tree | None = None) -> bytes:
        """A file of the submission with what it imports, compiled; raises Refusal, whose position is in the file."""
        judge = self.judge
        try:
            flat = (tree or self.after).flat(file)
        except UnsorryError as error:
            raise Refusal(Reason.COMPILE_FAILED, str(error)) from None
        try:
            return compile_source(judge.toolchain, flat.text, confinement=judge.confinement, limits=judge.limits).olean
        except Refusal as refusal:
            line = re.match(r"line (\d+): ?(.*)", str(refusal))
            if line is None:
                raise
            path, number = flat.place(int(line[1]))
            raise Refusal(refusal.reason, f"{path or file}:{number}: {line[2]}", refusal.target) from None

    def fault(self, file: str, data: bytes) -> Score | None:
        """What is wrong with the rest of a file and of what it imports; `data` is it, compiled.  Raises Refusal."""
        if self.task.track != "main":
            return None
        free = tuple(sorted(self._free(file)))
        some = free or tuple(self._some(file))
        if not some:
            return None
        asked = prepared(self.judge, self.before, file, some).statement
        if not free:
            asked = replace(asked, targets=())
        try:
            module = read(data, arena=Arena(asked.module.arena), version=self.judge.toolchain.version)
        except OleanError as error:
            return nothing("library.olean.malformed", f"the compiled file of {file} is malformed: {error}")
        own, old = module.declarations, asked.module.declarations
        for name, declaration in own.items():
            if declaration.kind is Kind.AXIOM and name not in old:
                native = "_native" in name or "native_decide" in str(name)
                reason = Reason.AXIOMS_NATIVE if native else Reason.AXIOMS_ILLEGAL
                return nothing(f"library.{reason.value}", f"{file}: {name} is a new axiom")
        mine = {o.name for o in self.task.obligations}
        names = [n for n, d in old.items() if n not in asked.targets and str(plain(n)) not in mine and shown(str(n))
                 and d.kind is not Kind.QUOT]  # fmt: skip
        if self.task.mode == "open":
            names = self._as_before(file, asked, names)
        try:
            statement.check_imports(asked, module)
            statement.check_names(module, asked.scope)
            for name in names:
                if name not in own:
                    return nothing("library.removed", f"{file}: {name} is not declared any more")
            statement.same_constants(asked, module, names)
        except Refusal as refusal:
            said = re.sub(r"^the statement uses (\S+), which", r"\1", str(refusal))
            return nothing("library.changed", f"{file}: {said}")
        for name in names:
            if old[name].kind is Kind.THEOREM:
                before = axioms.walk([name], old, asked.scope)
                worse = set(axioms.walk([name], own, asked.scope).axioms) - set(before.axioms) - axioms.ALLOWED
                if worse:
                    said = ", ".join(sorted(map(str, worse)))
                    return nothing("library.unproved", f"{file}: {name} rests on {said}, which it did not before")
        return None

    def _free(self, file: str) -> set[str]:
        """Definitions of a file, and of what it imports, that may have any value."""
        given = []  # nameless instances among them have Lean's own name, which no text shows
        if self.task.mode != "open":
            below = self.before.below(file)
            given = [o.name for o in self.task.obligations if o.role == "define" and o.name and o.file in below]
        return {name for name in (*self.holes, *given) if name in given or self._is_below(file, name)}

    def _as_before(self, file: str, asked: statement.Statement, names: list[Name]) -> list[Name]:
        """Those that the pull request itself left as they were: in mode `open` it may change what is there."""
        if self.answer is None or file not in self.answer:
            return []
        made = self.compiled(file, self.answer)
        theirs = read(made, arena=Arena(asked.module.arena), version=self.judge.toolchain.version)
        kept = []
        for name in names:
            try:
                if name in theirs.declarations:
                    statement.same_constants(asked, theirs, [name])
                    kept.append(name)
            except Refusal:
                continue
        return kept

    def _is_below(self, file: str, name: str) -> bool:
        return any(c.name == name for path in self.before.below(file) for c in self.before.source(path).declarations)

    def _some(self, file: str) -> Iterator[str]:
        for command in self.before.source(file).declarations:
            if command.kind in (*PROOFS, "def", "abbrev", "instance") and command.name and not command.private:
                yield command.name
                return
