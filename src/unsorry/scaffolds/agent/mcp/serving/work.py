"""What the tools do, in threads of their own, over the files of one project; nothing is ever written."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from unsorry import Problem, Prover, Status, UnsorryError
from unsorry.judge import StrictJudge
from unsorry.judge.reasons import one_line
from unsorry.lean.process import Confinement
from unsorry.lean.source import Hole, decode, parse
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean_session import Goals, LeanProject
from unsorry.scaffolds.agent.mcp.serving.answers import (
    GoalAnswer,
    JudgeAnswer,
    MatchAnswer,
    Place,
    ProveAnswer,
    SearchAnswer,
    SorryAnswer,
)
from unsorry.scaffolds.agent.mcp.serving.slots import Call
from unsorry.scaffolds.agent.reviewer import reviewer
from unsorry.scaffolds.fill import Document, Filler, Outcome, Settings, select
from unsorry.scaffolds.fill.problems import label

TEXT = Path("source.lean")  # the name that a text without a file has in answers
MAX_HOLES = 50  # of a text whose goals are asked for without a line
LEAST = 1.0  # seconds: less is not begun


class Work:
    """The project at `root`, opened at the first call; `prover` is a name of provers/registry.py."""

    def __init__(self, root: Path, *, prover: str = "search", sandbox: str = "strict") -> None:
        from unsorry.judge.sandbox import choose

        self.root = root.resolve()
        if not self.root.is_dir():
            raise UnsorryError(f"--root {root} is no folder")
        self._prover_name, self._sandbox = prover, sandbox
        self.confinement: Confinement = choose(sandbox)
        self._made: Prover | None = None if prover == "search" else self._make()
        self._one = threading.Lock()  # a prover with a model does one thing at a time
        self._lock = threading.Lock()
        self._project: LeanProject | None = None
        self._judge: StrictJudge | None = None

    def close(self) -> None:
        """Ends what was started."""
        with self._lock:
            if self._judge is not None:
                self._judge.close()
            if self._project is not None:
                self._project.close()
            self._judge = self._project = None

    @property
    def project(self) -> LeanProject:
        with self._lock:
            if self._project is None:
                self._project = LeanProject(self.root, confinement=self.confinement)
            return self._project

    # The tools.

    def prove(
        self, call: Call, *, file: str, source: str, declaration: str, line: int, seconds: float, disprove: bool
    ) -> ProveAnswer:
        """Fills sorries of a file or a text, `seconds` for each, in the time that the call has."""
        document = self._document(file, source)
        holes = select(document, declaration, line)
        outcomes: dict[int, Outcome] = {}
        with self._lean(document.text, document.path, call) as (toolchain, judge), self._prover(toolchain) as prover:
            settings = Settings(min(seconds, max(LEAST, call.left)), max(LEAST, call.left), disprove=disprove)
            filler = Filler(
                document, prover, judge.within(max(LEAST, call.left)), toolchain, self.confinement, settings
            )
            for outcome in filler.fill(holes):
                outcomes[outcome.hole.start] = outcome
                call.report(len(outcomes), len(holes), f"{outcome.name}: {outcome.status}")
                if call.left < LEAST:
                    break
        commands, label_of = document.source.commands, document.source.label
        faults = [f"{label_of(commands[index])}: {one_line(said)}" for index, said in filler.survey.faults.items()]
        answers = [_sorry(document, hole, outcomes.get(hole.start)) for hole in holes]
        filled = sum(answer.verdict == "accepted" for answer in answers)
        return ProveAnswer(
            verdict=_overall(answers), message=f"{filled} of {len(holes)} sorries filled", filled=filled,
            total=len(holes), sorries=answers, diff=document.diff(filler.edits), errors=faults,
        )  # fmt: skip

    def judge(
        self, call: Call, *, statement: str, statement_file: str, submission: str, submission_file: str,
        targets: list[str], open_holes: bool,
    ) -> JudgeAnswer:  # fmt: skip
        """The strict verdict on a submission."""
        stated = self._text(statement, statement_file, "statement")
        given = self._text(submission, submission_file, "submission")
        problem = _problem(stated, tuple(targets))
        with self._lean(given, Path(submission_file) if submission_file else TEXT, call) as (_, judge):
            verdict = judge.within(max(LEAST, call.left)).judge(problem, given, open_holes=open_holes)
        return JudgeAnswer(
            verdict=verdict.status.value, reason=str(verdict.reason), message=verdict.message, target=verdict.target,
            axioms=list(verdict.axioms), seconds=round(verdict.timings.get("total", 0.0), 3),
        )  # fmt: skip

    def goal(self, call: Call, *, file: str, source: str, declaration: str, line: int, column: int) -> GoalAnswer:
        """Goals at a place, or those of all sorries."""
        _one_of(file, source, "file", "source")
        text = source if source else None
        path = Path(file) if file else TEXT
        if line:
            found = [("", self.project.goals(path, line, column or None, text=text, timeout=max(LEAST, call.left)))]
        elif text is None:
            holes = self.project.holes(path, declaration, timeout=max(LEAST, call.left))
            found = [(name, goals) for _, name, goals in holes]
        else:
            found = self._goals_of(text, declaration, call)
        unknown = any(not goals.known for _, goals in found)
        message = "\n\n".join(f"{name}, sorry at {g.text}" if name else g.text for name, g in found)
        return GoalAnswer(
            status="unknown" if unknown else "ok", message=message, places=[_place(name, g) for name, g in found]
        )

    def search(self, call: Call, *, name: str, uses: list[str], conclusion: str, file: str, limit: int) -> SearchAnswer:
        """Declarations in reach."""
        found = self.project.search(
            name=name, uses=uses, conclusion=conclusion, limit=limit, path=Path(file) if file else None,
            timeout=max(LEAST, call.left),
        )  # fmt: skip
        missed = any("searched" in note for note in found.notes)
        status: Literal["ok", "unknown"] = "unknown" if missed and not found.matches else "ok"
        matches = [MatchAnswer(name=m.name, kind=m.kind, signature=m.signature, module=m.module) for m in found.matches]
        return SearchAnswer(status=status, total=found.total, matches=matches, notes=list(found.notes))

    # What they share.

    def _document(self, file: str, source: str) -> Document:
        _one_of(file, source, "file", "source")
        if source:
            return Document(TEXT, source.encode())
        document, name = self.project.document(Path(file))
        document.path = Path(name)  # as it is told, and as `git apply` wants it
        return document

    def _text(self, text: str, file: str, what: str) -> str:
        _one_of(text, file, what, f"{what}_file")
        if text:
            return text
        path, name = self.project.file(Path(file))
        return decode(self.project.modules.data(path), name).removeprefix("\ufeff")

    @contextlib.contextmanager
    def _lean(self, text: str, path: Path, call: Call) -> Iterator[tuple[Toolchain, StrictJudge]]:
        """A toolchain that reaches what the text imports, and a judge over it: modules of the project are not the
        toolchain's own, so what they declare goes before the kernel too."""
        project = self.project
        with project.toolchain_for(text, path.as_posix(), timeout=max(LEAST, call.left)) as toolchain:
            if toolchain.library == project.toolchain.library:
                yield toolchain, self._standing(toolchain)
            else:
                with reviewer(toolchain, self.confinement, full_replay=True) as judge:
                    yield toolchain, judge

    def _standing(self, toolchain: Toolchain) -> StrictJudge:
        with self._lock:
            if self._judge is None:
                self._judge = reviewer(toolchain, self.confinement)
            return self._judge

    @contextlib.contextmanager
    def _prover(self, toolchain: Toolchain) -> Iterator[Prover]:
        if self._made is None:
            from unsorry.provers.search import SearchProver

            yield SearchProver(toolchain=toolchain, confinement=self.confinement)
            return
        with self._one:
            yield self._made

    def _make(self) -> Prover:
        from unsorry.provers import registry

        return registry.make(self._prover_name, sandbox=self._sandbox)

    def _goals_of(self, text: str, declaration: str, call: Call) -> list[tuple[str, Goals]]:
        document = Document(TEXT, text.encode())
        found = []
        for hole in select(document, declaration)[:MAX_HOLES]:
            goals = self.project.goals(TEXT, hole.line, hole.column + 1, text=text, timeout=max(LEAST, call.left))
            found.append((label(document, hole), goals))
        return found


def _one_of(first: str, second: str, a: str, b: str) -> None:
    if bool(first) == bool(second):
        raise UnsorryError(f"give one of `{a}` and `{b}`" + (", not both" if first else ""))


def _problem(text: str, targets: tuple[str, ...]) -> Problem:
    """A statement as a problem; its targets are its declarations with a sorry, if none are named."""
    source = parse(text)
    names = {command.name for command in source.declarations if command.name}
    if missing := [name for name in targets if source.declaration(name) is None]:
        raise UnsorryError(
            f"the statement declares no {missing[0]}; it declares {', '.join(sorted(names)[:8]) or 'nothing'}"
        )
    holes = {source.commands[hole.command].name: None for hole in source.holes if not hole.in_signature}
    found = targets or tuple(name for name in holes if name in names)
    if not found:
        raise UnsorryError("the statement has no named declaration with a sorry: say in `targets` what is to be proved")
    end = source.header.end
    return Problem("statement", text[end:].strip("\n") + "\n", found, header=text[:end])


def _sorry(document: Document, hole: Hole, outcome: Outcome | None) -> SorryAnswer:
    answer = SorryAnswer(
        declaration=label(document, hole), line=hole.line, column=hole.column + 1, verdict="undecided", reason="time",
        message="the time was over",
    )  # fmt: skip
    if outcome is None:
        return answer
    found: dict[str, Any] = {"verdict": outcome.status.value, "reason": str(outcome.reason), "message": outcome.message}
    if outcome.status is Status.ACCEPTED:
        found |= {"proof": outcome.proof, "axioms": list(outcome.axioms)}
    return answer.model_copy(update={**found, "seconds": round(outcome.seconds, 3)})


def _overall(answers: list[SorryAnswer]) -> Literal["accepted", "rejected", "undecided"]:
    if all(answer.verdict == "accepted" for answer in answers):
        return "accepted"
    return "rejected" if any(answer.verdict == "rejected" for answer in answers) else "undecided"


def _place(name: str, goals: Goals) -> Place:
    before, after = goals.before, goals.after
    return Place(
        line=goals.line, column=goals.column, declaration=name, expected=goals.expected,
        before=None if before is None else list(before), after=None if after is None else list(after),
    )  # fmt: skip
