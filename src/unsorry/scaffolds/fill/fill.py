"""Fill the sorries of a document: ask the prover, have the strict judge decide, keep what it accepts."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unsorry import Completion, Problem, Prompt, Prover, Sampling, Status, Verdict
from unsorry.judge import StrictJudge
from unsorry.judge.reasons import Reason, one_line
from unsorry.lean.process import Confinement, Limits, run_lean
from unsorry.lean.source import Hole, parse, split_name
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds import NO_PROOF, REFUTED
from unsorry.scaffolds.disprove import disprove
from unsorry.scaffolds.fill.document import Document, Edit, Unit
from unsorry.scaffolds.fill.guard import components, harmless, keeps_structure
from unsorry.scaffolds.fill.problems import (
    PLACEHOLDER,
    QUIET,
    Answer,
    Question,
    ask,
    build,
    label,
    read_answer,
    target_name,
)
from unsorry.scaffolds.fill.schedule import run_in_order
from unsorry.scaffolds.fill.survey import Survey, Surveyor

UNUSABLE = "completion.unusable"
OPEN = "holes.open"  # proved, but from something that is still sorry
_PROOFS = frozenset({"theorem", "lemma", "example"})
_HAS_WARN_SORRY = (4, 22)  # the first Lean with the option that QUIET sets
_FIRST_ROUND = 0.8  # of the time, for the round without unproved theorems


@dataclass(frozen=True, slots=True)
class Settings:
    """`timeout`: seconds for the prover a sorry; `file_timeout`: seconds for one run of Lean over the whole file;
    `disprove`: look for a counterexample where no proof is found."""

    timeout: float = 60.0
    file_timeout: float = 120.0
    samples: int = 4
    workers: int = 1
    seed: int = 0
    disprove: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one sorry."""

    hole: Hole
    name: str
    status: Status
    reason: str
    message: str
    proof: str = ""
    axioms: tuple[str, ...] = ()
    seconds: float = 0.0
    kept: bool = False  # the proof is in the patched file
    certificate: Mapping[str, Any] | None = None  # of the declaration, for `unsorry verify`

    @property
    def filled(self) -> bool:
        return self.status is Status.ACCEPTED


@dataclass(slots=True)
class _Work:
    """A declaration (or mutual block) with holes, on its way."""

    unit: Unit
    holes: tuple[Hole, ...]  # all of it, asked for or not
    answers: dict[int, Answer] = field(default_factory=dict)  # by the hole's offset
    seconds: dict[int, float] = field(default_factory=dict)
    failures: dict[int, tuple[Status, str, str]] = field(default_factory=dict)  # status, reason, message
    verdict: Verdict | None = None  # the judge's, on the declaration with the answers found so far
    asked: list[Hole] = field(default_factory=list)
    tried: int = 0  # how many of those


@dataclass(frozen=True, slots=True)
class _Answered:
    completions: list[tuple[Question, Completion]]
    seconds: float
    refutation: str = ""  # the counterexample that the judge accepted


class Filler:
    """Fills holes in the order of the file, so that later ones can use what was proved; `edits` is what to write."""

    def __init__(
        self,
        document: Document,
        prover: Prover,
        judge: StrictJudge,
        toolchain: Toolchain,
        confinement: Confinement,
        settings: Settings | None = None,
    ) -> None:
        self.document, self.prover, self.judge = document, prover, judge
        self.toolchain, self.confinement = toolchain, confinement
        self.settings = settings or Settings()
        self.edits: list[Edit] = []
        self._waiting: set[int] = set()  # commands whose holes have yet to be tried, or are being tried
        self.survey = Survey({}, frozenset())
        version = tuple(int(part) for part in re.findall(r"\d+", toolchain.version)[:2])
        self.quiet = QUIET if version >= _HAS_WARN_SORRY else ""
        self.mentions = components(document.source.lines)
        self.surveyor = Surveyor(document, toolchain, confinement, self.settings.file_timeout)

    def fill(self, holes: Sequence[Hole]) -> Iterator[Outcome]:
        """One outcome for each hole, as it becomes known; those of one declaration together."""
        self.survey = self.surveyor.survey(holes)
        works: dict[int, _Work] = {}
        queue: deque[tuple[Hole, _Work]] = deque()
        for hole in holes:
            refusal = self._refuse(hole)
            if refusal is not None:
                yield refusal
                continue
            unit = self.document.unit(hole.command)
            inside = tuple(h for h in self.document.source.holes if unit.start <= h.start < unit.end)
            work = works.setdefault(unit.first, _Work(unit, inside))
            work.asked.append(hole)
            queue.append((hole, work))
            self._waiting.add(hole.command)
        for (hole, work), answered in run_in_order(queue, self._task, self.settings.workers):
            work.seconds[hole.start] = answered.seconds
            self._take(hole, work, answered)
            work.tried += 1
            if work.tried == len(work.asked):
                self._waiting.difference_update(h.command for h in work.asked)
                yield from self._finish(work)

    def new_error(self) -> str:
        """An error that the filled file has and the file had not, "" if there is none.

        A proof of a theorem that was accepted cannot make one: only what was added, or put into a definition.
        """
        commands = self.document.source.commands
        proofs = {hole.start for hole in self.document.source.holes if commands[hole.command].kind in _PROOFS}
        if all(edit.start in proofs for edit in self.edits):
            return ""
        return self.surveyor.new_error(self.survey, self.edits)

    # What cannot be asked.

    def _refuse(self, hole: Hole) -> Outcome | None:
        command = self.document.source.commands[hole.command]
        fault = next((f for i, f in self.survey.faults.items() if self._same_unit(i, hole.command)), None)
        if not command.is_declaration:
            message = f"`{command.kind}` is nothing that can be proved"
            return self._outcome(hole, Status.REJECTED, "hole.command", message)
        holes = self.document.source.holes
        if any(h.in_signature and self._same_unit(h.command, hole.command) for h in holes):
            message = "the statement itself has a sorry: only a person can say what is meant"
            return self._outcome(hole, Status.REJECTED, "hole.statement", message)
        if fault is not None:
            return self._outcome(hole, Status.UNDECIDED, "file.error", f"its declaration does not compile ({fault})")
        if hole.start in self.survey.data:
            message = "it stands for data, not for a proof: only a person can say which value is meant"
            return self._outcome(hole, Status.REJECTED, "hole.data", message)
        return None

    def _same_unit(self, first: int, second: int) -> bool:
        if first == second:
            return True
        commands = self.document.source.commands
        if not commands[second].in_mutual:
            return False
        unit = self.document.unit(second)
        return unit.first <= first <= unit.last

    def _outcome(self, hole: Hole, status: Status, reason: str, message: str, **facts: Any) -> Outcome:
        return Outcome(hole, label(self.document, hole), status, reason, message, **facts)

    # Asking.

    def _task(self, item: tuple[Hole, _Work]) -> Callable[[], _Answered]:
        """What to ask, from what is proved now.  Theorems that have no proof yet are first kept out of sight, so that
        the answer does not rest on them; when that fails, those whose turn is over or never comes are shown."""
        hole, work = item
        unproved = self._open_theorems(work.unit.first)
        rounds = (unproved, unproved & self._waiting) if unproved - self._waiting else (unproved,)
        questions = [self._question(hole, work, hidden) for hidden in rounds]

        def ask_prover() -> _Answered:
            start = time.monotonic()
            for question in questions:
                left = self.settings.timeout - (time.monotonic() - start)
                share = left if question is questions[-1] else _FIRST_ROUND * left
                prompts, sampling = [Prompt(question.problem)], Sampling(timeout=share, seed=self.settings.seed)
                (completions,) = self.prover.propose(prompts, n=self.settings.samples, sampling=sampling)
                if completions:
                    return _Answered([(question, c) for c in completions], time.monotonic() - start)
            left = self.settings.timeout - (time.monotonic() - start)
            witness = self._disprove(hole, work, questions[-1].problem, left)
            return _Answered([], time.monotonic() - start, witness)

        return ask_prover

    def _disprove(self, hole: Hole, work: _Work, problem: Problem, left: float) -> str:
        """A counterexample to the declaration, judged; looked for at its first hole only."""
        kind = self.document.source.commands[hole.command].kind
        if not self.settings.disprove or kind not in _PROOFS or hole != work.holes[0]:
            return ""
        found = disprove(problem, self.judge, timeout=min(max(left, 3.0), 30.0), seed=self.settings.seed)
        return found.witness if found else ""

    def _question(self, hole: Hole, work: _Work, hidden: Collection[int]) -> Question:
        edits = [*self.edits, *self._provisional(work)]
        dropped = self.survey.unusable(self.document) | set(hidden)
        name = label(self.document, hole)
        number = f"#{work.holes.index(hole) + 1}" if len(work.holes) > 1 else ""
        identifier = f"{self.document.path.name}:{name}{number}"
        return ask(self.document, hole, work.unit, edits, dropped, identifier, self.quiet)

    def _open_theorems(self, before: int) -> frozenset[int]:
        """Theorems before that command which still have a hole and which no other text names."""
        filled = {edit.start for edit in self.edits}
        commands = self.document.source.commands
        return frozenset(
            hole.command for hole in self.document.source.holes
            if hole.start not in filled and hole.command < before
            and commands[hole.command].kind in _PROOFS and not commands[hole.command].in_mutual
            and self.mentions[split_name(commands[hole.command].name or "_")[-1]] <= 1
        )  # fmt: skip

    # Taking answers.

    def _take(self, hole: Hole, work: _Work, answered: _Answered) -> None:
        """Finds the first answer that stands; the reason of the last that does not is kept."""
        who, seconds = self.prover.id, work.seconds.get(hole.start, 0.0)
        failure = (Status.UNDECIDED, NO_PROOF, f"{who} found no proof in {seconds:.1f} s")
        if answered.refutation:
            failure = (Status.REJECTED, REFUTED, f"false: {answered.refutation}")
        fallback: tuple[Answer, Verdict] | None = None  # proved, but from something that is still sorry
        for question, completion in answered.completions:
            answer = self._answer(question, completion, hole, work)
            if answer is None:
                failure = (Status.REJECTED, UNUSABLE, f"the answer of {who} is no proof for this place")
                continue
            work.answers[hole.start] = answer
            alone = len(work.holes) == 1
            verdict = self._judge(work) if alone else self._check(work)
            if verdict.status is Status.ACCEPTED:
                work.verdict = verdict if alone else None
                return
            if verdict.reason == OPEN and fallback is None:
                fallback = (answer, verdict)
            del work.answers[hole.start]
            failure = (verdict.status, verdict.reason, verdict.message)
        if fallback is not None:
            work.answers[hole.start], work.verdict = fallback
        else:
            work.failures[hole.start] = failure

    def _answer(self, question: Question, completion: Completion, hole: Hole, work: _Work) -> Answer | None:
        """The completion as an answer at this place; None if it is none, or does more to the file than answer."""
        answer = read_answer(question, completion.text)
        answer = answer and harmless(answer, self.mentions.keys())
        if answer is None or not answer.proof.strip():
            return None
        added = len(parse(answer.before).commands) if answer.before else 0
        return answer if keeps_structure(self.document, answer.edits(hole, work.unit), added) else None

    def _provisional(self, work: _Work) -> list[Edit]:
        by_offset = {hole.start: hole for hole in work.holes}
        return [edit for at, answer in work.answers.items() for edit in answer.edits(by_offset[at], work.unit)]

    def _check(self, work: _Work) -> Verdict:
        """Whether a partly filled declaration elaborates; decides nothing but which answer goes to the judge."""
        filled = {edit.start for edit in self._provisional(work)}
        rest = [Edit(h.start, h.end, PLACEHOLDER[h.position]) for h in work.holes if h.start not in filled]
        problem = self._problem(work, [*self.edits, *self._provisional(work), *rest])
        limits = Limits(wall=self.settings.file_timeout)
        run = run_lean(self.toolchain, problem.source, confinement=self.confinement, limits=limits)
        if run.ok:
            return Verdict(Status.ACCEPTED, "fast.passed", "", tier="fast")
        said = one_line(run.errors[0].text.strip().partition("\n")[0]) if run.errors else "Lean did not finish"
        return Verdict(Status.REJECTED, "fast.error", said, tier="fast")

    def _problem(self, work: _Work, edits: Sequence[Edit], besides: Sequence[str] = ()) -> Problem:
        """The file up to the declaration, as the judge gets it; every declaration of it that has holes is a target."""
        commands = {hole.command: self.document.source.commands[hole.command] for hole in work.holes}
        targets = dict.fromkeys(target_name(self.document, command) for command in commands.values())
        name = f"{self.document.path.name}:{label(self.document, work.holes[0])}"
        dropped = self.survey.unusable(self.document)
        return build(self.document, work.unit, edits, dropped, name, (*targets, *besides))

    def _judge(self, work: _Work) -> Verdict:
        """The strict verdict on a declaration with its answers, and on what it rests that is still sorry.

        The statement is the user's text: of what was proved before, only bodies that the meaning of a statement can
        depend on, those of definitions, are taken over.  Holes that are left in the declaration may stay.  Where the
        proof uses something before it that is still sorry, that becomes a target too, whose sorries may stay.
        """
        commands, open_names = self.document.source.commands, self._open_names(work)
        meant = {h.start for h in self.document.source.holes if commands[h.command].kind not in _PROOFS}
        stated = [edit for edit in self.edits if edit.start in meant]
        submission = self._problem(work, [*self.edits, *self._provisional(work)]).source
        partial = len(work.answers) < len(work.holes)
        besides: list[str] = []
        while True:
            problem = self._problem(work, stated, besides)
            verdict = self.judge.judge(problem, submission, open_holes=partial or bool(besides))
            culprit = open_names.get(_plain(verdict.target), "")
            if verdict.reason != Reason.AXIOMS_SORRY or not culprit or culprit in besides:
                break
            besides.append(culprit)
        if besides and verdict.status is Status.ACCEPTED:
            message = f"proved, but from {', '.join(besides)}, which {'has' if len(besides) == 1 else 'have'} a sorry"
            return replace(verdict, status=Status.UNDECIDED, reason=OPEN, message=message)
        return verdict

    def _open_names(self, work: _Work) -> dict[str, str]:
        """Declarations before this one that still have a sorry, by their names without marks."""
        filled = {edit.start for edit in self.edits}
        commands = self.document.source.commands
        left = {h.command for h in self.document.source.holes if h.start not in filled and h.command < work.unit.first}
        return {_plain(commands[index].name): commands[index].name for index in left if commands[index].name}

    def _finish(self, work: _Work) -> Iterator[Outcome]:
        """The outcomes of a declaration whose holes have all been tried."""
        verdict = work.verdict
        if verdict is None and work.answers:
            verdict = self._judge(work)
        kept = verdict is not None and _stands(verdict)
        if kept:
            self.edits += self._provisional(work)
        for hole in work.asked:
            answer, seconds = work.answers.get(hole.start), work.seconds.get(hole.start, 0.0)
            if answer is None or verdict is None:
                status, reason, message = work.failures[hole.start]
                yield self._outcome(hole, status, reason, message, seconds=seconds)
                continue
            yield self._outcome(
                hole,
                verdict.status,
                verdict.reason,
                verdict.message,
                proof=answer.proof,
                axioms=verdict.axioms,
                seconds=seconds,
                kept=kept,
                certificate=verdict.certificate,
            )


def _stands(verdict: Verdict) -> bool:
    return verdict.status is Status.ACCEPTED or verdict.reason == OPEN


def _plain(name: str) -> str:
    """A name as the file writes it: without `«»`, and without what Lean adds to a private one."""
    head, mark, tail = name.partition(".0.")
    return (tail if mark and head.startswith("_private") else name).replace("«", "").replace("»", "")
