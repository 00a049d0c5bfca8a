"""Strict verdicts on the declarations of a file: as it is now, against the statements that it had."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from unsorry import Problem, Status, UnsorryError, Verdict
from unsorry.judge import StrictJudge
from unsorry.judge.reasons import Reason, one_line
from unsorry.lean.process import run_lean
from unsorry.scaffolds.agent.trees import PROOFS, Flat, Nameless, Tree, nameless, with_names, without_proofs

REPAIRS = 3  # rounds in which proofs that do not compile are set aside
_BROKEN = (Reason.COMPILE_FAILED.value, Reason.STATEMENT_INVALID.value)


@dataclass(slots=True)
class Found:
    """Verdicts by name; `faults` are about the file as a whole."""

    verdicts: dict[str, Verdict] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Given:
    """A file as it is now, ready to be judged; `set_aside`: theorems that do not compile, with Lean's first word."""

    flat: Flat
    set_aside: dict[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


class Judged:
    """Judges files of `after` against `before`.  `judge` has the toolchain of the base, and no file of the model's."""

    def __init__(self, judge: StrictJudge, before: Tree, after: Tree) -> None:
        self.judge, self.before, self.after = judge, before, after
        self._repaired: dict[str, Given] = {}

    def against(self, was: str, path: str, names: Sequence[str]) -> Found:
        """Declarations of `path`, against the statements that the base's file `was` gives them."""
        if not names:
            return Found()
        try:
            stated = [self.before.flat(was, bare=bare).text for bare in self._sides]
        except UnsorryError as error:
            return self._unknown(names, f"the original {was} cannot be judged: {error}")
        found, holes, left = Found(), self._holes(was), list(names)
        for text in stated:
            more = self._judge(path, text, left, holes)
            found.faults += [fault for fault in more.faults if fault not in found.faults]
            for name, verdict in more.verdicts.items():
                if name not in found.verdicts or not _unusable(verdict):
                    found.verdicts[name] = verdict
            left = [name for name in left if self._again(found.verdicts[name])]
            if not left:
                return found
        unusable = [verdict for verdict in found.verdicts.values() if _unusable(verdict)]
        if unusable:
            found.faults.append(f"{was}: the original does not compile here: {unusable[0].message}")
        return found

    @property
    def _sides(self) -> tuple[bool, bool]:
        """How the original is elaborated, first and where that does not do: without the proofs of its theorems, which
        may not compile here and take most of the time, or with them.  Before Lean 4.12 a proof had a part in what
        its theorem states, by the variables that it mentions."""
        version = tuple(int(part) for part in re.findall(r"\d+", self.judge.toolchain.version)[:2])
        return (True, False) if version >= (4, 12) else (False, True)

    def _again(self, verdict: Verdict) -> bool:
        """Whether the other side may say something else, and would be right."""
        statement = verdict.reason.startswith("statement.") and verdict.reason != Reason.TARGET_MISSING
        return _unusable(verdict) or (statement and self._sides[0])

    def nameless(self, was: str, path: str, wanted: Sequence[Nameless]) -> Found:
        """Examples and nameless instances that both files have, each given the same name; verdicts by what they state.

        Apart from the others, since an example that is no proposition would not compile as a theorem.
        """
        if not wanted:
            return Found()
        try:
            now = nameless(self.after.source(path))
            old = nameless(self.before.source(was))
            stated = self.before.flat(
                was, replaced={was: with_names(self.before.source(was), [old[n.states] for n in wanted])}
            )
            text = with_names(self.after.source(path), [now[n.states] for n in wanted])
            given = self.after.flat(path, replaced={path: text})
        except UnsorryError as error:
            return self._unknown([n.states for n in wanted], str(error))
        problem = Problem(path, stated.text, tuple(n.full for n in wanted), origin=path)
        verdicts = self.judge.judge_each(problem, given.text)
        return Found({n.states: _located(verdicts[n.full], given) for n in wanted})

    def own(self, path: str, names: Sequence[str]) -> Found:
        """Declarations of `path` against their own statements: only proofs and axioms are judged."""
        if not names:
            return Found()
        try:
            given = self._given(path)
        except UnsorryError as error:
            return self._unknown(names, str(error))
        return self._judge(path, given.flat.text, names)

    def base(self, was: str, names: Sequence[str]) -> dict[str, Verdict]:
        """What the base's own proofs are worth: for telling what was so before."""
        text = self.before.flat(was).text
        return self.judge.judge_each(Problem(was, text, tuple(names), origin=was), text)

    def _judge(self, path: str, statement: str, names: Sequence[str], holes: frozenset[str] = frozenset()) -> Found:
        problem = Problem(path, statement, tuple(names), origin=path)
        try:
            given = self._given(path)
        except UnsorryError as error:
            return self._unknown(names, str(error))
        verdicts = self._each(problem, given, holes)
        first = next(iter(verdicts.values()))
        if first.reason == Reason.COMPILE_FAILED and path not in self._repaired:
            self._repaired[path] = given = self._repair(path, given)
            if given.set_aside:
                verdicts = self._each(problem, given, holes)
        verdicts = {name: _located(verdict, given.flat) for name, verdict in verdicts.items()}
        for name, message in given.set_aside.items():
            if name in verdicts:
                verdicts[name] = Verdict(Status.REJECTED, Reason.COMPILE_FAILED.value, message, name)
        return Found(verdicts, list(given.faults))

    def _holes(self, was: str) -> frozenset[str]:
        """Definitions of the base that are still to be given, in the file and below it."""
        found = set()
        for file in self.before.below(was):
            source = self.before.source(file)
            for hole in source.holes:
                command = source.commands[hole.command]
                if command.kind not in PROOFS and command.name and not hole.in_signature:
                    found.add(command.name)
        return frozenset(found)

    def _each(self, problem: Problem, given: Given, holes: frozenset[str]) -> dict[str, Verdict]:
        """The verdicts.  Where a statement is about definitions that were a sorry, these may have any value of their
        type: the judge names them one after the other, and they become targets with it."""
        verdicts = self.judge.judge_each(problem, given.flat.text)
        about: dict[str, tuple[str, ...]] = {}
        while True:
            waiting: dict[tuple[str, ...], list[str]] = {}
            for name, verdict in verdicts.items():
                known = about.get(name, ())
                if verdict.reason == Reason.DEFINITION_DIFFERS and verdict.target in holes - {name, *known}:
                    about[name] = (*known, verdict.target)
                    waiting.setdefault(about[name], []).append(name)
            if not waiting:
                return {name: _about(verdict, about.get(name, ())) for name, verdict in verdicts.items()}
            for also, names in waiting.items():
                one = replace(problem, targets=tuple(names))
                verdicts |= self.judge.judge_each(one, given.flat.text, also)

    def _given(self, path: str) -> Given:
        return self._repaired.get(path) or Given(self.after.flat(path))

    def _repair(self, path: str, given: Given) -> Given:
        """The file with the proofs that do not compile left out, so that what does not need them can be judged."""
        replaced: dict[str, str] = {}
        aside: dict[str, str] = {}
        faults: dict[str, None] = {}
        flat = given.flat
        for _ in range(REPAIRS):
            run = run_lean(
                self.judge.toolchain, flat.text, limits=self.judge.limits, confinement=self.judge.confinement
            )
            if run.timed_out or not run.errors:
                break
            wrong: dict[str, set[int]] = {}
            for error in run.errors:
                file, line = flat.place(error.line)
                said = one_line(next(iter(error.text.strip().splitlines()), ""))
                faults[f"{file or path}:{line}: {said}"] = None
                if file:
                    index = self._theorem_at(file, line, replaced)
                    if index is None:
                        return Given(given.flat, {}, tuple(faults))  # not a proof: nothing can be set aside
                    wrong.setdefault(file, set()).add(index)
                    aside.setdefault(self.after.source(file).commands[index].name, f"{file}:{line}: {said}")
            for file, indices in wrong.items():
                source = self.after.source(file)
                known = {i for i, c in enumerate(source.commands) if c.name and c.name in aside}
                replaced[file] = without_proofs(source, sorted(indices | known)).text
            flat = self.after.flat(path, replaced=replaced)
        else:
            return Given(given.flat, {}, tuple(faults))
        return Given(flat, aside, tuple(faults))

    def _theorem_at(self, file: str, line: int, replaced: dict[str, str]) -> int | None:
        """The index of the theorem on a line, None where something else stands there."""
        source = self.after.source(file)
        for index, command in enumerate(source.commands):
            if source.lines.line(command.start) <= line <= source.lines.line(max(command.start, command.end - 1)):
                fits = command.kind in PROOFS and command.name and command.body >= 0 and not command.in_mutual
                return index if fits else None
        return None

    def _unknown(self, names: Sequence[str], why: str) -> Found:
        verdict = Verdict(Status.UNDECIDED, Reason.STATEMENT_INVALID.value, one_line(why))
        return Found(dict.fromkeys(names, verdict), [why])


def _unusable(verdict: Verdict) -> bool:
    return verdict.reason == Reason.STATEMENT_INVALID and "cannot be used" in verdict.message


def _about(verdict: Verdict, definitions: Sequence[str]) -> Verdict:
    if not definitions or not verdict.accepted:
        return verdict
    return replace(verdict, message=f"{verdict.message}; about {', '.join(definitions)} as now defined: read it")


def _located(verdict: Verdict, flat: Flat) -> Verdict:
    """Lean's first error with the file and line that a person knows."""
    if verdict.reason not in _BROKEN or not verdict.message.startswith("line "):
        return verdict
    number, colon, rest = verdict.message.removeprefix("line ").partition(":")
    if not colon or not number.isdigit():
        return verdict
    file, line = flat.place(int(number))
    return replace(verdict, message=f"{file}:{line}:{rest}" if file else verdict.message)
