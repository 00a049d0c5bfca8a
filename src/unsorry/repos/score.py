"""The scorer: is each obligation of a pull request met by a patch, and is all else still what it was?

Both sides come from trees, never from a folder that an agent wrote.  A file is judged with all that it imports of the
project as one text: the statement is the task's own text, elaborated alone; the submission is compared with it as
terms, and its proofs are checked by the kernel (docs/judge.md).  So notation, instances, macros, options, attributes or
namespaces that make a statement mean something else make a statement that differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from unsorry import Problem, Status, UnsorryError, Verdict
from unsorry.judge import StrictJudge, statement
from unsorry.judge.compile import compile_source
from unsorry.judge.reasons import Reason, Refusal, one_line
from unsorry.lean.olean import OleanError, read
from unsorry.lean.process import Confinement
from unsorry.lean.terms import Arena
from unsorry.lean.toolchain import Toolchain
from unsorry.repos import definitions, library
from unsorry.repos.declarations import outline
from unsorry.repos.kept import Kept, prepared
from unsorry.repos.scores import Judged, Score, nothing
from unsorry.repos.store import PatchFailed, Trees
from unsorry.repos.tamper import Tampered, checked
from unsorry.repos.tasks import Gold, Obligation, Task
from unsorry.scaffolds.agent.reviewer import reviewer
from unsorry.scaffolds.agent.trees import PROOFS, Nameless, Tree, nameless, with_names

_OPEN = (Reason.AXIOMS_SORRY.value,)


@dataclass(frozen=True, slots=True)
class Case:
    """A task with its trees; `answer` is the gold tree, "" where the answer is not at hand."""

    task: Task
    stub: str
    gold: Gold | None = None
    answer: str = ""

    @property
    def stated(self) -> str:
        """The tree whose text states what is asked: where the stub does not, that of the answer."""
        return self.answer if self.answer and (self.task.mode == "open" or self.task.track != "main") else self.stub


@dataclass(slots=True)
class Scorer:
    """Scores patches with one toolchain; a context manager.  Nothing that a patch can hold makes it raise."""

    trees: Trees
    toolchain: Toolchain
    confinement: Confinement
    judge: StrictJudge = field(init=False)
    builds: library.Builds = field(init=False)
    search: bool = True  # whether the search prover tries to show that definitions are equal
    _known: dict[tuple[str, str], Score] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.judge = reviewer(self.toolchain, self.confinement)
        self.builds = library.Builds(self.trees, self.toolchain, self.confinement)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.judge.close()
        self.builds.close()

    def score(self, case: Case, patch: bytes) -> Score:
        """What a patch to the stub is worth."""
        try:
            return self.score_tree(case, self.trees.apply(case.stub, patch))
        except PatchFailed as failed:
            return nothing("tampered.patch", str(failed))

    def score_tree(self, case: Case, result: str) -> Score:
        """What a tree of the store is worth that was made from the stub."""
        if not case.task.obligations:
            return nothing("task.empty", "the task asks for nothing")
        try:
            roots = self.builds.roots(case.task, case.stub)
            result = checked(self.trees, case.task, case.stub, result, roots, self.toolchain.library)
        except Tampered as found:
            return nothing(found.reason, str(found))
        key = case.task.id, result
        if key not in self._known:
            self._known[key] = self._score(case, result, roots)
        return self._known[key]

    def _score(self, case: Case, result: str, roots: tuple[str, ...]) -> Score:
        try:
            if fault := self.builds.broken(case.task, case.stub, result, roots):
                return nothing(fault.reason, fault.message)
            return _Scoring(self, case, result, roots).score()
        except Refusal as refusal:
            undecided = refusal.reason.status is Status.UNDECIDED
            return nothing(f"{'undecided' if undecided else 'library'}.{refusal.reason.value}", str(refusal))
        except UnsorryError as error:
            return nothing("undecided.internal", str(error))


class _Scoring:
    """One submission."""

    def __init__(self, scorer: Scorer, case: Case, result: str, roots: tuple[str, ...]) -> None:
        self.scorer, self.case, self.judge, self.result = scorer, case, scorer.judge, result
        git = scorer.trees.git
        self.before, self.after = Tree(git, case.stub, roots), Tree(git, result, roots)
        self.stated = self.before if case.stated == case.stub else Tree(git, case.stated, roots)
        self.answer = Tree(git, case.answer, roots) if case.answer else None
        self.holes = frozenset(
            [o.name for o in case.task.obligations if _has_value(o) and o.name]
            + [name for o in case.task.obligations for name in self._holes(o.file)]
        )
        self.kept = Kept(self.judge, case.task, self.before, self.after, self.answer, self.holes)

    def _holes(self, file: str) -> Iterator[str]:
        """Definitions of the stub that are still to be given, in a file and below it."""
        for path in self.before.below(file) if file in self.before else ():
            source = self.before.source(path)
            for hole in source.holes:
                command = source.commands[hole.command]
                if command.kind not in PROOFS and command.name and not hole.in_signature:
                    yield command.name

    def score(self) -> Score:
        files = dict.fromkeys(o.file for o in self.case.task.obligations)
        found: dict[int, Judged] = {}
        for file in files:
            wanted = [(i, o) for i, o in enumerate(self.case.task.obligations) if o.file == file]
            fault = self._file(file, wanted, found)
            if fault is not None:
                return fault
        changed = [f for f in self.after.blobs if f in self.before and f not in files
                   and self.after.blobs[f] != self.before.blobs[f]]  # fmt: skip
        for file in changed:
            if (fault := self.kept.fault(file, self.kept.compiled(file))) is not None:
                return fault
        ordered = [found[i] for i in range(len(self.case.task.obligations))]
        return Score(tuple(self._about(ordered)))

    def _file(self, file: str, wanted: list[tuple[int, Obligation]], found: dict[int, Judged]) -> Score | None:
        where = self._place(file, wanted)
        if not where:
            for index, one in wanted:
                missing = _judged(one, "open", Reason.TARGET_MISSING.value, f"no file declares {one.name}")
                found[index] = self._elsewhere(one) or missing
            return None
        data = self.kept.compiled(where)
        if where in self.before and (fault := self.kept.fault(where, data)) is not None:
            return fault
        for index, one in wanted:
            found[index] = self._obligation(one, where, data)
        return None

    def _place(self, file: str, wanted: Sequence[tuple[int, Obligation]]) -> str:
        """The file as it is now; in mode `open`, where it may be another one, the one that declares most of it."""
        if file in self.after:
            return file
        names = {o.name for _, o in wanted}
        best, most = "", 0
        for path in self.after.blobs:
            if path not in self.before or self.after.blobs[path] != self.before.blobs[path]:
                try:
                    count = len(names & {c.name for c in self.after.source(path).declarations})
                except UnsorryError:
                    continue
                if count > most:
                    best, most = path, count
        return best

    # Obligations.

    def _obligation(self, one: Obligation, where: str, data: bytes) -> Judged:
        if not one.name:
            return self._nameless(one, where)
        try:
            text = self.stated.flat(one.file).text
        except UnsorryError as error:
            return _judged(one, "undecided", Reason.STATEMENT_INVALID.value, str(error))
        verdict, also = self._verdict(Problem(one.file, text, (one.name,), origin=one.file), data)
        if verdict.reason == Reason.STATEMENT_INVALID and self.stated is not self.before:
            return self._nameless(one, where)
        if _has_value(one) and verdict.accepted:
            return self._definition(one, where, verdict, data)
        if verdict.reason == Reason.TARGET_MISSING and (other := self._elsewhere(one)) is not None:
            return other
        told = _met(one, verdict)
        return replace(told, message=f"{told.message}; about {', '.join(also)}") if also else told

    def _elsewhere(self, one: Obligation) -> Judged | None:
        """In mode `open`, a new theorem of the same type under another name or in another file, if it is proved."""
        if self.case.task.mode != "open" or one.role != "prove" or not one.type_digest:
            return None
        for path, blob in self.after.blobs.items():
            if self.before.blobs.get(path) == blob:
                continue
            try:
                built = self.scorer.builds.compile(self.case.task, self.result, [path])
                text, stated = self.after.flat(path).text, self.stated.flat(one.file).text
                new = outline(self.after.text(path).encode("utf-8", "surrogatepass")).declarations
            except UnsorryError:
                continue
            for declared in new:
                fact = built.fact(path, declared, {}) if declared.name and declared.kind in PROOFS else None
                if fact is None or fact.type_digest != one.type_digest:
                    continue
                if declared.name != one.name:
                    text += f"\ntheorem {one.name} : type_of% @{declared.name} := @{declared.name}\n"
                verdict, also = self._aliased(Problem(one.file, stated, (one.name,), origin=one.file), text)
                if verdict.accepted:
                    about = f"; about {', '.join(also)}" if also else ""
                    told = f"as {declared.name} in {path}: {verdict.message}{about}"
                    return _judged(one, "met", verdict.reason, told, verdict.axioms)
                text = self.after.flat(path).text
        return None

    def _aliased(self, problem: Problem, text: str) -> tuple[Verdict, tuple[str, ...]]:
        judge = self.judge
        try:
            made = compile_source(judge.toolchain, text, confinement=judge.confinement, limits=judge.limits)
        except Refusal as refusal:
            return refusal.verdict(), ()
        return self._verdict(problem, made.olean)

    def _verdict(self, problem: Problem, data: bytes) -> tuple[Verdict, tuple[str, ...]]:
        """With the definitions that are holes and that the statement is about: any value of their type will do."""
        also: tuple[str, ...] = ()
        while True:
            verdict = self.judge.judge_olean(replace(problem, targets=(*problem.targets, *also)), data)
            free = self.holes - {*problem.targets, *also}
            if verdict.reason != Reason.DEFINITION_DIFFERS or verdict.target not in free:
                return verdict, also
            also = (*also, verdict.target)

    def _definition(self, one: Obligation, where: str, verdict: Verdict, data: bytes) -> Judged:
        if self.answer is None:
            return _judged(one, "review", "definition.no_answer", "it has the right type; the answer is not at hand")
        if self._identical(one, data):
            return _judged(one, "met", "definition.equal", "the same term as the pull request's", verdict.axioms)
        found = definitions.compare(
            definitions.Sides(self.judge, self.stated, self.after, self.answer, self.holes), one, where,
            later=self.case.gold.later if self.case.gold else (), search=self.scorer.search,
        )  # fmt: skip
        return _judged(one, found.met, found.reason, found.message, verdict.axioms)

    def _identical(self, one: Obligation, data: bytes) -> bool:
        """Whether the value is the one of the pull request, as a term: then nothing needs to be proved."""
        assert self.answer is not None
        try:
            asked = replace(prepared(self.judge, self.answer, one.file, (one.name,)).statement, targets=())
            module = read(data, arena=Arena(asked.module.arena), version=self.judge.toolchain.version)
            statement.same_constants(asked, module, [n for n in asked.constants if str(n) == one.name])
        except (UnsorryError, Refusal, OleanError):
            return False
        return any(str(n) == one.name for n in asked.constants)

    def _nameless(self, one: Obligation, where: str) -> Judged:
        """An instance without a name, by what it states: each side gives it the same one."""
        try:
            old, new = nameless(self.stated.source(one.file)), nameless(self.after.source(where))
            mine = [n for n in old.values() if _states(n, one)]
            if len(mine) != 1 or mine[0].states not in new:
                return _judged(one, "failed", Reason.TARGET_MISSING.value, f"nothing states `{one.statement[:200]}`")
            was = with_names(self.stated.source(one.file), mine)
            now = with_names(self.after.source(where), [new[mine[0].states]])
            stated = self.stated.flat(one.file, replaced={one.file: was}).text
            given = self.after.flat(where, replaced={where: now}).text
        except UnsorryError as error:
            return _judged(one, "undecided", Reason.STATEMENT_INVALID.value, str(error))
        verdict = self.judge.judge(Problem(one.file, stated, (mine[0].full,), origin=one.file), given)
        if _has_value(one) and verdict.accepted:
            return _judged(one, "review", "definition.nameless", "a nameless instance of the right type: read it")
        return _met(one, verdict)

    def _about(self, found: list[Judged]) -> Iterator[Judged]:
        """A theorem about a definition that is not settled is not settled: a weak one makes it easy."""
        valued = {o.name for o in self.case.task.obligations if _has_value(o)}
        unsettled = {o.name: o for o in found if o.name in valued and o.met != "met"}
        for one in found:
            about = one.message.rpartition("; about ")[2].split(", ") if "; about " in one.message else []
            weak = next((unsettled[name] for name in about if name in unsettled), None)
            other = next((name for name in about if name not in valued), "")
            if one.met == "met" and other:
                told = f"proved, about {other}, a definition that the task leaves open and does not ask for: read it"
                yield replace(one, met="review", reason="definition.not_asked", message=told)
                continue
            if one.met == "met" and weak is not None:
                yield replace(
                    one,
                    met="review" if weak.met == "review" else "failed",
                    reason=weak.reason,
                    message=f"proved, about {weak.name}: {weak.message}",
                )
            else:
                yield one


def _has_value(one: Obligation) -> bool:
    """Whether what is given is more than its type: a definition, also one that a migration must keep."""
    return one.role == "define" or (one.role == "keep" and one.kind not in PROOFS)


def _states(one: Nameless, obligation: Obligation) -> bool:
    return " ".join(one.states.split()) == definitions.nameless_statement(obligation)


def _judged(one: Obligation, met: str, reason: str, message: str, used: tuple[str, ...] = ()) -> Judged:
    return Judged(one.name, one.file, one.role, met, reason, one_line(message), used)  # type: ignore[arg-type]


def _met(one: Obligation, verdict: Verdict) -> Judged:
    if verdict.accepted:
        return _judged(one, "met", verdict.reason, verdict.message, verdict.axioms)
    met = "undecided" if verdict.status is Status.UNDECIDED else "open" if verdict.reason in _OPEN else "failed"
    return _judged(one, met, verdict.reason, verdict.message, verdict.axioms)
