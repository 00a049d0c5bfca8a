"""Lean as the oracle of the search: batches of candidate proofs and questions, checked in one elaboration each."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from unsorry.lean.process import (
    Confinement,
    Limits,
    Message,
    Unconfined,
    environment,
    publish,
    take_file,
    temporary_folder,
)
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.search.clock import CHECK, Clock, OutOfTime
from unsorry.provers.search.goals import Goal, read_goal, split_goals
from unsorry.provers.search.syntax import PRINTING, ParseFailure, Sort, Term, show, subterms

PREAMBLE = "UnsorryPreamble"
UNFOLDING = "UnsorryUnfolding"
DEFINITIONS = "unsorry_definitions"  # stands in simp sets for the problem's own functions
QUIET = """\
set_option warn.sorry false
set_option linter.all false
set_option linter.unusedVariables false
set_option maxRecDepth 2000
set_option Elab.async false
"""


@dataclass(frozen=True, slots=True)
class Lemma:
    """A proved statement that later proofs may use; `proof` is a tactic block over the goal's own context."""

    name: str
    goal: Goal
    proof: str
    uses: tuple[str, ...] = ()  # names of lemmas that the proof needs
    rank: int = 0  # low: general and short; decides which lemmas simp gets when there are many

    @property
    def declaration(self) -> str:
        return f"theorem {self.name} {self.goal.header()} := by\n{indent(self.proof)}\n"

    @property
    def assumption(self) -> str:
        return f"axiom {self.name} {self.goal.header()}\n"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A goal and a tactic block to try on it."""

    goal: Goal
    tactic: str


@dataclass(frozen=True, slots=True)
class Subgoal:
    """A goal that a tactic left; `renamed` gives names to what has none there (`rename_i`)."""

    goal: Goal
    renamed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`proved`; or what is left (None when the tactic failed or a goal could not be read)."""

    proved: bool
    left: tuple[Subgoal, ...] | None = None
    error: str = ""


FAILED = Outcome(False)


class Oracle:
    """One Lean session over the problem's definitions.  `opening` are the scope commands that every file repeats."""

    def __init__(
        self,
        toolchain: Toolchain,
        header: str,
        preamble: str,
        opening: str,
        deadline: float | Clock,
        confinement: Confinement | None = None,
        heartbeats: int = 4000,
    ) -> None:
        self.toolchain = toolchain
        self.clock = deadline if isinstance(deadline, Clock) else Clock.until(deadline)
        self.confinement = confinement
        self.heartbeats = heartbeats
        self.checks = 0
        self.candidates = 0
        self.cache: dict[tuple[str, str, tuple[str, ...]], Outcome] = {}
        self._stack = ExitStack()
        self.opening = opening
        self.unfolding: tuple[str, ...] = ()  # functions that simp unfolds in every file
        self.local = ""
        self.header = header
        try:
            self._open_session(preamble)
        except BaseException:
            self._stack.close()
            raise

    def _open_session(self, preamble: str) -> None:
        """Compile the definitions once and import them; where that fails, repeat their text in every check."""
        self.folder = Path(self._stack.enter_context(temporary_folder(shared=True)))
        self.imports = self.header
        if self._compile(PREAMBLE, self.header + preamble):
            self.imports = f"{self.header}import {PREAMBLE}\n"
        else:
            self.opening = preamble
        self.session = self._session(self.imports, (self.folder,))

    def unfold(self, functions: Sequence[str], statement: str) -> None:
        """Let simp unfold these functions in every check, by a module that says so: naming them costs 20 ms a call.

        The module also holds the statement itself, unproved, for the auxiliary definitions that it makes (matchers).
        """
        self.unfolding = tuple(functions)
        self.local = f"attribute [local simp] {' '.join(functions)}\n" if functions else ""
        if not (functions or statement) or self.imports == self.header:
            return
        attributes = f"attribute [simp] {' '.join(functions)}\n" if functions else ""
        if self._compile(UNFOLDING, f"{self.imports}{self.opening}\n{attributes}{statement}\n"):
            self.imports += f"import {UNFOLDING}\n"
            self.local = ""
            self.session.close()
            self.session = self._session(self.imports, (self.folder,))

    def _compile(self, module: str, text: str) -> bool:
        """Compile a module of its own name: private names, matchers among them, carry the name and must not clash."""
        confinement, limits = self.confinement or Unconfined(), Limits(wall=self.left(60.0))
        with temporary_folder() as place:
            work = Path(place)
            (work / f"{module}.lean").write_text(text, encoding="utf-8")
            argv = [*self.toolchain.lean, *self.toolchain.options, "--json", "-o", f"{module}.olean", f"{module}.lean"]
            done = confinement.run(
                argv,
                work=work,
                readable=(*self.toolchain.readable, self.folder),
                env=environment(self.toolchain, (self.folder,)),
                limits=limits,
            )
            data = take_file(work / f"{module}.olean", limits.file_size)
        if done.returncode != 0 or data is None:
            return False
        publish(self.folder / f"{module}.olean", data)
        return True

    def _session(self, header: str, search_path: Sequence[Path]) -> Session:
        return Session(self.toolchain, header, search_path=search_path, confinement=self.confinement)

    def close(self) -> None:
        self.session.close()
        self._stack.close()

    def left(self, at_most: float) -> float:
        """Seconds that a call may take; raises OutOfTime when there are none."""
        return self.clock.left(at_most)

    def run(self, body: str, timeout: float = 20.0) -> tuple[tuple[Message, ...], bool]:
        """Messages for `body` after the opening (lines count from `body`), and whether the run ended by itself."""
        prefix = f"{self.opening}\n{QUIET}{PRINTING}set_option maxHeartbeats {self.heartbeats}\n"
        shift = prefix.count("\n")
        for _ in range(3):
            result = self.session.check(prefix + body, timeout=self.left(timeout))
            self.checks += 1
            self.clock.spend(CHECK)
            if result.timed_out or result.completed.returncode in (0, 1):
                break
            time.sleep(0.05)  # a process that could not start its threads: try again
        messages = tuple(
            Message(m.severity, m.text, m.line - shift, m.column, m.end_line - shift, m.end_column, m.kind)
            for m in result.messages
        )
        whole = not result.timed_out and result.completed.returncode == (1 if result.errors else 0)
        return messages, whole and not any(m.line < 1 for m in messages if m.severity == "error")

    def ask(self, commands: Sequence[str]) -> list[str | None]:
        """Answers of one-line commands such as `#check`; None where Lean reports an error or says nothing."""
        if not commands:
            return []
        messages, _ = self.run("\n".join(commands) + "\n")
        answers: list[str | None] = [None] * len(commands)
        for message in messages:
            if message.severity == "information" and 1 <= message.line <= len(commands):
                answers[message.line - 1] = message.text
        return answers

    def attempt(
        self, candidates: Sequence[Candidate], lemmas: Sequence[Lemma] = (), timeout: float = 20.0
    ) -> list[Outcome]:
        """Try each candidate by itself; `lemmas` may be used by name."""
        names = tuple(lemma.name for lemma in lemmas)
        keys = [(c.goal.key + "//" + " ".join(c.goal.names), c.tactic, names) for c in candidates]
        fresh_ones = [i for i, key in enumerate(keys) if key not in self.cache]
        self._attempt(candidates, keys, fresh_ones, lemmas, timeout)
        return [self.cache.get(key, FAILED) for key in keys]

    def _attempt(
        self,
        candidates: Sequence[Candidate],
        keys: Sequence[tuple[str, str, tuple[str, ...]]],
        indices: list[int],
        lemmas: Sequence[Lemma],
        timeout: float,
    ) -> None:
        if not indices:
            return
        body = [
            "set_option autoImplicit false\n",
            self.universes([c.goal for c in candidates] + [lemma.goal for lemma in lemmas]),
        ]
        body.append(self.local)
        body += [lemma.assumption for lemma in lemmas]
        line = sum(part.count("\n") for part in body)
        spans: list[tuple[int, int]] = []
        for index in indices:
            text = _example(candidates[index])
            spans.append((line + 1, line + text.count("\n")))
            line += text.count("\n")
            body.append(text)
        messages, complete = self.run("".join(body), timeout)
        self.candidates += len(indices)
        self.clock.spend(len(indices))
        if not complete:
            if len(indices) == 1:
                self.cache[keys[indices[0]]] = FAILED
                return
            half = len(indices) // 2
            self._attempt(candidates, keys, indices[:half], lemmas, max(1.0, timeout / 2))
            self._attempt(candidates, keys, indices[half:], lemmas, max(1.0, timeout / 2))
            return
        said: list[list[Message]] = [[] for _ in indices]
        for message in messages:
            for place, (first, last) in enumerate(spans):
                if first <= message.line <= last:
                    said[place].append(message)
                    break
        for place, index in enumerate(indices):
            self.cache[keys[index]] = _outcome(said[place])

    @staticmethod
    def universes(goals: Sequence[Goal]) -> str:
        names: set[str] = set()
        for goal in goals:
            for term in (goal.conclusion, *(h.type for h in goal.context)):
                names |= universe_names(term)
        return f"universe {' '.join(sorted(names))}\n" if names else ""


def universe_names(term: Term) -> set[str]:
    """Universe parameters that occur in the sorts of a term."""
    found: set[str] = set()
    for part in subterms(term):
        if isinstance(part, Sort):
            found |= {
                word
                for word in re.findall(r"[^\W\d]\w*", part.text)
                if word not in ("Type", "Sort", "Prop", "max", "imax")
            }
    return found


def indent(block: str, by: int = 2) -> str:
    return "\n".join(" " * by + line if line.strip() else line for line in block.split("\n"))


def spell(tactic: str, definitions: Sequence[str]) -> str:
    """A tactic block with the mark for the problem's definitions replaced by their names."""
    if definitions:
        return tactic.replace(DEFINITIONS, ", ".join(definitions))
    return tactic.replace(f" [{DEFINITIONS}]", "").replace(f"{DEFINITIONS}, ", "")


def _example(candidate: Candidate) -> str:
    tactic = spell(candidate.tactic, ())
    return f"example {candidate.goal.header()} := by\n{indent(tactic)}\n  trace_state\n  all_goals sorry\n"


def _outcome(messages: Sequence[Message]) -> Outcome:
    errors = [m for m in messages if m.severity == "error"]
    if errors:
        return Outcome(False, None, errors[0].text)
    states = [m.text for m in messages if m.severity == "information"]
    if not states:
        return FAILED  # the end of the block was not reached
    if "⊢" not in states[-1]:
        return Outcome(True)
    try:
        return Outcome(False, tuple(Subgoal(*read_goal(text)) for text in split_goals(states[-1])))
    except ParseFailure as failure:
        return Outcome(False, None, f"unreadable goal: {failure}")


__all__ = ["FAILED", "Candidate", "Lemma", "Oracle", "OutOfTime", "Outcome", "Subgoal", "indent", "show"]
