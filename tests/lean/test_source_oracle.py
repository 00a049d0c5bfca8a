"""What the parser says of text, checked against what Lean says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from unsorry.lean.process import run_lean
from unsorry.lean.source import Source, parse
from unsorry.lean.toolchain import Toolchain

FILE = Path(__file__).with_name("files") / "holes.lean"


@pytest.fixture(scope="module")
def source() -> Source:
    return parse(FILE.read_text())


def test_declarations_with_sorry_are_those_lean_warns_of(embedded: Toolchain, source: Source) -> None:
    run = run_lean(embedded, source.text)
    assert run.errors == ()
    warned = {(m.line, m.column) for m in run.messages if m.kind == "hasSorry"}
    expected = set()
    for index in {hole.command for hole in source.holes}:
        command = source.commands[index]
        place = command.name_at if command.name else command.start
        expected.add((source.lines.line(place), source.lines.column(place)))
    assert warned == expected


def test_positions_are_those_lean_parses(embedded: Toolchain, source: Source) -> None:
    """`(skip; sorry)` is a tactic and no term, `(by skip; sorry)` a term and no tactic."""
    right, wrong = [], []
    pieces = {"tactic": "(skip; sorry)", "term": "(by skip; sorry)"}
    for hole in source.holes:
        other = "term" if hole.position == "tactic" else "tactic"
        for position, texts in ((hole.position, right), (other, wrong)):
            text = source.text[: hole.start] + pieces[position] + source.text[hole.end :]
            texts.append((hole.line, bool(run_lean(embedded, text).errors)))
    assert right == [(hole.line, False) for hole in source.holes]
    assert wrong == [(hole.line, True) for hole in source.holes]


def test_names_are_those_lean_gives(embedded: Toolchain, source: Source) -> None:
    names = [c.name for c in source.declarations if c.name and not c.private]
    checks = "".join(f"#check @{name}\n" for name in names)
    assert len(names) > 15
    assert run_lean(embedded, source.text + "\n" + checks).errors == ()


@pytest.mark.parametrize("text", ["/-/ -/", "/---/", "/-!-/", "/- /- -/ -/", "-- /-\n", "/-- a -/", "/- \"-/"])
def test_comments_end_where_lean_ends_them(embedded: Toolchain, text: str) -> None:
    text += " theorem a : True := sorry"
    assert [m.kind for m in run_lean(embedded, text).messages] == ["hasSorry"]
    assert len(parse(text).holes) == 1
