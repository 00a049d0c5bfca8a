"""What is wrong with the file before anything is filled: which commands Lean refuses, which do not end."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from unsorry.lean.process import Confinement, Limits, Message, Run, run_lean
from unsorry.lean.source import Hole
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.fill.document import Document, Edit, apply
from unsorry.scaffolds.fill.problems import PLACEHOLDER, PROBE

_MAX_HANGING = 4
_PROBE_SHARE = 0.25  # of the time for a file, for each step in the search for what hangs
_SCOPES = frozenset({"namespace", "section", "end", "mutual"})


@dataclass(frozen=True, slots=True)
class Survey:
    """`faults`: what is wrong with a command, by its index; `data`: offsets of holes that stand for data."""

    faults: dict[int, str]
    data: frozenset[int]
    complete: bool = True  # False if the time was over before the whole file was seen
    messages: tuple[str, ...] = ()  # of the errors

    def unusable(self, document: Document) -> frozenset[int]:
        """Commands to leave out of problems: those at fault, but those that open or close a scope."""
        return frozenset(i for i in self.faults if document.source.commands[i].kind not in _SCOPES)


class Surveyor:
    """Runs Lean over the whole file, in the confinement that was asked for."""

    def __init__(self, document: Document, toolchain: Toolchain, confinement: Confinement, seconds: float) -> None:
        self.document, self.toolchain, self.confinement = document, toolchain, confinement
        self.limits = Limits(wall=seconds, cpu=2 * seconds)
        self.starts = [command.start for command in document.source.commands]

    def run(self, text: str, share: float = 1.0) -> Run:
        limits = replace(self.limits, wall=self.limits.wall * share)
        return run_lean(self.toolchain, text, limits=limits, confinement=self.confinement)

    def survey(self, holes: Sequence[Hole]) -> Survey:
        """Errors of the file as it is, and which of the holes are data."""
        faults: dict[int, str] = {}
        run = self.run(self.document.text)
        messages = tuple(message.text for message in run.errors)
        complete = not run.timed_out
        while run.timed_out and len(faults) < _MAX_HANGING:
            faults[self._hanging(faults)] = f"does not end within {self.limits.wall * _PROBE_SHARE:g} s"
            run = self.run(self._without(faults))
        while not run.timed_out and self._blame(run, faults):  # what needs a command at fault is unusable as well
            run = self.run(self._without(faults))
        if run.timed_out:
            return Survey(faults, frozenset(), complete=False)
        return Survey(faults, self._data(holes, faults), complete, messages)

    def _blame(self, run: Run, faults: dict[int, str]) -> bool:
        """Adds the commands with errors; says whether there were new ones."""
        before = len(faults)
        for message in run.errors:
            index = self.command_at(message)
            if index is not None:
                first = next(iter(message.text.strip().splitlines()), "")
                faults.setdefault(index, f"line {message.line}: {first}")
        return len(faults) > before

    def new_error(self, survey: Survey, edits: Sequence[Edit]) -> str:
        """The first error of the filled file that the file did not have, "" if there is none.

        What answers may add cannot reach other declarations, so this is a check of ourselves, not of the answers.
        """
        run = self.run(apply(self.document.text, edits))
        if run.timed_out or not survey.complete:
            return ""
        known = Counter(survey.messages)
        for message in run.errors:
            if known[message.text] == 0:
                return f"line {message.line}: {message.text.strip().splitlines()[0]}"
            known[message.text] -= 1
        return ""

    def command_at(self, message: Message) -> int | None:
        """The command that a message is about."""
        lines = self.document.source.lines.lines
        if not 1 <= message.line <= len(lines):
            return None
        offset = lines[message.line - 1] + message.column
        index = bisect_right(self.starts, offset) - 1
        return index if index >= 0 else None

    def _without(self, faults: Collection[int], extra: Sequence[Edit] = ()) -> str:
        """The text with faulty commands blanked out, so that no position changes."""
        return apply(self.document.text, [*map(self._blank, faults), *extra])

    def _blank(self, index: int) -> Edit:
        command = self.document.source.commands[index]
        text = self.document.text[command.start : command.end]
        return Edit(command.start, command.end, "".join(c if c == "\n" else " " for c in text))

    def _hanging(self, faults: Collection[int]) -> int:
        """The first command, among those that are left, with which Lean does not come to an end; by bisection, as
        what Lean has said is lost when it is stopped."""
        commands = self.document.source.commands
        low, high = 0, len(commands) - 1  # the file up to `high` hangs, up to before `low` it does not
        while low < high:
            middle = (low + high) // 2
            left_out = {*faults, *(i for i in range(middle + 1, len(commands)) if commands[i].kind not in _SCOPES)}
            if self.run(self._without(left_out), _PROBE_SHARE).timed_out:
                high = middle
            else:
                low = middle + 1
        return low

    def _is_whole_proof(self, hole: Hole) -> bool:
        """Whether the hole is all there is of a theorem's proof, and so no data."""
        command = self.document.source.commands[hole.command]
        before = self.document.text[command.body : hole.start].split() if command.body >= 0 else []
        return command.kind in ("theorem", "lemma") and before in ([":="], [":=", "by"])

    def _data(self, holes: Sequence[Hole], faults: Collection[int]) -> frozenset[int]:
        """Holes where Lean refuses a proof of a proposition."""
        asked = [hole for hole in holes if hole.command not in faults and not self._is_whole_proof(hole)]
        if not asked:
            return frozenset()
        wanted = {hole.start for hole in asked}
        edits, places, grown = [], [], 0
        for hole in self.document.source.holes:
            if hole.command in faults:
                continue
            piece = (PROBE if hole.start in wanted else PLACEHOLDER)[hole.position]
            edits.append(Edit(hole.start, hole.end, piece))
            places.append((hole.start + grown, hole.start + grown + len(piece), hole.start))
            grown += len(piece) - (hole.end - hole.start)
        text = self._without(faults, edits)
        starts = [0]
        for line in text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        found: set[int] = set()
        for message in self.run(text).errors:
            offset = starts[min(message.line, len(starts) - 1) - 1] + message.column
            found.update(start for begin, end, start in places if begin <= offset < end)
        return frozenset(found & wanted)
