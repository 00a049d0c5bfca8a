"""Small Lean files, each about one thing, elaborate on the embedded Lean as their own first lines say.

A file in `files/pass` has no error, one in `files/fail` has at least one.  Lines such as

    -- expect: error 7:2 contains "unsolved goals"
    -- expect: information 12:0 is "5"

name severity, line (from 1), column (from 0) and text (a JSON string) of a message.  Expectations and messages match
one to one: what Lean says and the file does not expect is a failure too, warnings and output included.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from unsorry.lean.process import Message, Run, run_lean
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain

FILES = Path(__file__).with_name("files")
LINE = re.compile(
    r"-- expect: (?P<severity>error|warning|information) (?P<line>\d+):(?P<column>\d+) "
    r'(?P<how>is|contains) (?P<text>".*")'
)


@dataclass(frozen=True, slots=True)
class Expectation:
    """One message that a file declares."""

    severity: str
    line: int
    column: int
    how: str
    text: str

    def fits(self, message: Message) -> bool:
        said = message.text.rstrip("\n")
        return (self.severity, self.line, self.column) == (message.severity, message.line, message.column) and (
            self.text == said if self.how == "is" else self.text in said
        )


def expectations(source: str) -> list[Expectation]:
    """What the file declares; a line that starts like an expectation must be one."""
    found = []
    for line in source.splitlines():
        if line.startswith("-- expect"):
            match = LINE.fullmatch(line)
            assert match, f"not an expectation: {line}"
            found.append(
                Expectation(
                    match["severity"], int(match["line"]), int(match["column"]), match["how"], json.loads(match["text"])
                )
            )
    return found


def differences(declared: Sequence[Expectation], messages: Sequence[Message]) -> list[str]:
    """Expectations without a message and messages without an expectation."""
    left = list(messages)
    lines = []
    for expectation in declared:
        fitting = next((m for m in left if expectation.fits(m)), None)
        if fitting is None:
            lines.append(f"missing: {expectation}")
        else:
            left.remove(fitting)
    return lines + [f"not declared: {m.severity} {m.line}:{m.column} {m.text}" for m in left]


@pytest.fixture(scope="module")
def session(embedded: Toolchain) -> Iterator[Session]:
    with Session(embedded) as opened:
        yield opened


def names(folder: str) -> list[str]:
    return sorted(path.stem for path in (FILES / folder).glob("*.lean"))


def elaborate(session: Session, source: str) -> Run:
    """In the session; a file with imports has a header of its own and needs a run of its own."""
    if re.search(r"^(import|module)\b", source, re.MULTILINE):
        return run_lean(session.toolchain, source)
    return session.check(source)


def check(session: Session, path: Path) -> Run:
    source = path.read_text()
    assert re.match(r"-- \S", source), "a file starts with a line that says what it is about"
    run = elaborate(session, source)
    assert not run.timed_out
    assert run.completed.returncode in (0, 1), f"Lean ended with {run.completed.returncode}"
    assert not differences(expectations(source), run.messages)
    return run


@pytest.mark.parametrize("name", names("pass"))
def test_passes(session: Session, name: str) -> None:
    assert check(session, FILES / "pass" / f"{name}.lean").ok


@pytest.mark.parametrize("name", names("fail"))
def test_fails_with_the_declared_message(session: Session, name: str) -> None:
    run = check(session, FILES / "fail" / f"{name}.lean")
    assert run.errors
    assert not run.ok


def test_the_suite_is_there() -> None:
    assert len(names("pass")) >= 120
    assert len(names("fail")) >= 50


def test_what_is_not_declared_is_found() -> None:
    message = Message("warning", "declaration uses `sorry`", 3, 8, 3, 9)
    declared = expectations('-- about\n-- expect: warning 3:8 contains "`sorry`"\n')
    assert not differences(declared, [message])
    assert differences([], [message]) and differences(declared, []) and differences(declared, [message, message])
    assert differences(expectations('-- expect: error 3:8 contains "`sorry`"'), [message])
    assert differences(expectations('-- expect: warning 3:8 is "`sorry`"'), [message])
    with pytest.raises(AssertionError):
        expectations('-- expects: error 3:8 contains "`sorry`"')
