"""Which declarations of a text fail, and with which words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unsorry.lean.process import Run
from unsorry.lean.source import Command, Source

Check = Callable[[str], Run]  # one run of Lean over a whole text


@dataclass(frozen=True, slots=True)
class Failure:
    """One error of Lean; `declaration` is "" where it lies in none."""

    declaration: str
    command: int  # index in the source, -1 for the header
    line: int  # 1-based
    column: int  # 0-based
    text: str

    @property
    def headline(self) -> str:
        """The first line of the message: what stays the same when the goal around it changes."""
        return next(iter(self.text.strip().splitlines()), "").strip()


def failures(source: Source, run: Run) -> tuple[Failure, ...]:
    """The errors of a run over `source`, each with the command that it lies in."""
    return tuple(
        Failure(source.label(source.commands[at]) if at >= 0 else "", at, error.line, error.column, error.text)
        for error in run.errors
        for at in (command_at(source, error.line, error.column),)
    )


def command_at(source: Source, line: int, column: int) -> int:
    """The index of the command at a place, -1 for the header."""
    offset = source.lines.lines[line - 1] + column if line <= len(source.lines.lines) else len(source.text)
    before = [index for index, command in enumerate(source.commands) if command.start <= offset]
    return before[-1] if before else -1


def signature(source: Source, command: Command) -> str:
    """The text of a declaration up to its `:=`, `|` or `where`."""
    return source.text[command.start : command.body if command.body >= 0 else command.end]


def body(source: Source, command: Command) -> str:
    """The text behind the `:=` of a declaration, "" where it has none."""
    text = source.text[command.body : command.end] if command.body >= 0 else ""
    return text.removeprefix(":=").strip() if text.startswith(":=") else ""
