"""What a training corpus shares with evaluation sets: runs of 13 tokens of a statement, or the elaborated statement.

A run is looked for in the statements of the evaluation problems, not in their definitions: every problem about lists
repeats those.  A statement shorter than a run counts as a whole.  Elaborated statements are compared by the judge's
digest, which does not depend on names or layout; the negation of an evaluation problem is held out too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from unsorry import Problem
from unsorry.judge.judge import Prepared
from unsorry.judge.reasons import Refusal
from unsorry.problems.normalise import normalise, statement

RUN = 13  # tokens
TELLING = 7  # tokens of a run that are not in binders of data: `(x y : N) (l : L)` is in every second statement

_WORD = re.compile(r"[^\W\d][\w'.]*")
Digest = Callable[[Problem], str | None]  # of the elaborated statement; None where it has none
Negation = Callable[[Problem], Problem | None]


@dataclass(frozen=True, slots=True)
class Shared:
    """A document that shares something with an evaluation problem."""

    index: int
    problem: str  # id of the evaluation problem; "" where none is known
    kind: str  # "run" | "digest" | "negation" | "undecided" (the document's problem has no digest)


@dataclass(frozen=True, slots=True)
class Decontaminated:
    kept: tuple[int, ...]
    shared: tuple[Shared, ...]

    @property
    def counts(self) -> Mapping[str, int]:
        return Counter(found.kind for found in self.shared)


@dataclass
class Index:
    """What is held out: runs of tokens and digests, each with the problem that it is from."""

    run: int = RUN
    digest: Digest | None = None
    runs: dict[tuple[str, ...], str] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)
    digests: dict[str, tuple[str, str]] = field(default_factory=dict)  # -> problem, kind
    undigested: list[str] = field(default_factory=list)  # evaluation problems that only their text protects

    def add(self, problem: Problem, negation: Problem | None = None) -> None:
        for rename in (True, False):
            words = statement(problem, rename=rename)
            telling = _telling(words)
            length = min(self.run, len(words))
            for start in range(len(words) - length + 1):
                if length == len(words) or sum(telling[start : start + length]) >= TELLING:
                    self.lengths.add(length)
                    self.runs.setdefault(words[start : start + length], problem.id)
        for asked, kind in ((problem, "digest"), (negation, "negation")):
            if asked is None or self.digest is None:
                continue
            found = self.digest(asked)
            if found is None:
                self.undigested.append(asked.id)
            else:
                self.digests.setdefault(found, (problem.id, kind))

    def text(self, text: str) -> tuple[str, str] | None:
        """The evaluation problem that a text repeats a run of, and how it shares it."""
        for rename in (True, False):
            words = normalise(text, rename=rename)
            for length in sorted(self.lengths):
                for start in range(len(words) - length + 1):
                    found = self.runs.get(words[start : start + length])
                    if found is not None:
                        return found, "run"
        return None

    def problem(self, problem: Problem) -> tuple[str, str] | None:
        """The evaluation problem that states the same as this one, or its negation; what has no digest is left out."""
        if self.digest is None:
            return None
        digest = self.digest(problem)
        return self.digests.get(digest) if digest else ("", "undecided")


def _telling(words: Sequence[str]) -> list[bool]:
    """For each token: is it outside of the round brackets that only give data a type?"""
    telling = [True] * len(words)
    start = -1
    for at, word in enumerate(words):
        if word == "(":
            start = at
        elif word == ")" and start >= 0:
            inside = list(words[start + 1 : at])
            if inside.count(":") == 1:
                inside.remove(":")
                if all(_WORD.fullmatch(part) for part in inside):
                    telling[start : at + 1] = [False] * (at + 1 - start)
            start = -1
    return telling


def index(
    evaluation: Iterable[Problem], *, digest: Digest | None = None, negation: Negation | None = None, run: int = RUN
) -> Index:
    """Everything in the evaluation sets that no training document may hold."""
    made = Index(run, digest)
    for problem in evaluation:
        made.add(problem, negation(problem) if negation else None)
    return made


def decontaminate(texts: Sequence[str], problems: Sequence[Problem | None], held_out: Index) -> Decontaminated:
    """Leave out each document that shares a run of tokens or, where it is about a problem, the statement itself.

    `problems[i]` is the problem that document i proves or states, None for other text.
    """
    kept: list[int] = []
    shared: list[Shared] = []
    for number, (text, problem) in enumerate(zip(texts, problems, strict=True)):
        found = held_out.text(text) or (held_out.problem(problem) if problem is not None else None)
        if found is None:
            kept.append(number)
        else:
            shared.append(Shared(number, *found))
    return Decontaminated(tuple(kept), tuple(shared))


def judged_digest(prepare: Callable[[Problem], Prepared]) -> Digest:
    """A digest from a judge's `prepare` (StrictJudge.prepare), None where it refuses the statement."""

    def digest(problem: Problem) -> str | None:
        try:
            return prepare(problem).digest
        except Refusal:
            return None

    return digest
