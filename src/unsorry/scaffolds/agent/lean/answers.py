"""What Lean says of a text, three-valued: a time-out, a crash or a stale import is `unknown`, never success."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from unsorry.lean.process import Message

Answer = Literal["clean", "errors", "unknown"]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found.  `clean`: Lean came to the end and named no error; sorries may remain, and are told.

    Messages have lines from 1 and columns from 0, in codepoints of the text that was asked about.  `sorries` are the
    declarations of the text that rest on a sorry, however it got there, those of imported files included; `axioms`
    what they rest on besides the standard three and sorry.  Both are read from the compiled file, which there is only
    without errors.  It is information for an agent: what counts is the judge.
    """

    answer: Answer
    messages: tuple[Message, ...] = ()
    reason: str = ""  # one line: why nothing is known, or which import has errors
    sorries: tuple[str, ...] = ()
    axioms: tuple[str, ...] = ()
    imported_sorries: tuple[str, ...] = ()  # `module: declaration` in imported files of the project
    seconds: float = 0.0
    text: str = ""  # all of it, for a reader; columns from 1

    @property
    def clean(self) -> bool:
        return self.answer == "clean"

    @property
    def errors(self) -> tuple[Message, ...]:
        return tuple(m for m in self.messages if m.severity == "error")


@dataclass(frozen=True, slots=True)
class Goals:
    """Goals at a position, as Lean prints them.  `before`: at the position; `after`: at the end of that line's code.

    None is "no tactic there"; () is "no goals left".  `expected` is the type that a term at the position must have.
    `reason` says in one line why nothing is known, "" if something is.
    """

    line: int  # from 1
    column: int  # from 1, in codepoints
    before: tuple[str, ...] | None = None
    after: tuple[str, ...] | None = None
    expected: str = ""
    reason: str = ""
    text: str = ""  # all of it, for a reader

    @property
    def known(self) -> bool:
        return not self.reason


@dataclass(frozen=True, slots=True)
class Match:
    """A declaration that a search found."""

    name: str
    kind: str  # "theorem" | "definition" | "inductive" | ...
    signature: str  # what Lean prints behind the name: `(n m : Nat) : n + m = m + n`, `: Nat`
    module: str


@dataclass(frozen=True, slots=True)
class Found:
    """The first matches, shortest names first, and how many there are in all."""

    matches: tuple[Match, ...] = ()
    total: int = 0
    notes: tuple[str, ...] = ()  # files that could not be searched, names that do not exist
    text: str = ""
