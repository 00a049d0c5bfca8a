"""What the parser says of text, checked against what Lean says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import unsorry.lean
from unsorry.lean.olean import read
from unsorry.lean.process import run_lean
from unsorry.lean.source import Source, parse, read_file
from unsorry.lean.toolchain import Toolchain

FILE = Path(__file__).with_name("files") / "holes.lean"


def plain(name: str) -> str:
    return name.replace("«", "").replace("»", "")


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


def test_declarations_of_the_core_library_are_those_in_its_compiled_modules(embedded: Toolchain) -> None:
    """Some thousand declarations in ordinary Lean: every name that the text declares is in the module."""
    core, library, count = Path(unsorry.lean.__file__).with_name("core"), embedded.library[0], 0
    for file in sorted(core.rglob("*.lean")):
        parsed = parse(read_file(file))
        module = read((library / file.relative_to(core).with_suffix(".olean")).read_bytes(), version=embedded.version)
        names = {plain(str(name)) for name in module.declarations}
        names |= {name.partition(".0.")[2] for name in names if name.startswith("_private.")}
        declared = [plain(c.name) for c in parsed.declarations if c.name]
        assert set(declared) <= names, f"{file.name}: {sorted(set(declared) - names)[:5]}"
        assert parsed.holes == (), file.name
        count += len(declared)
    assert count > 1000


@pytest.mark.parametrize("text", ["/-/ -/", "/---/", "/-!-/", "/- /- -/ -/", "-- /-\n", "/-- a -/", '/- "-/'])
def test_comments_end_where_lean_ends_them(embedded: Toolchain, text: str) -> None:
    text += " theorem a : True := sorry"
    assert [m.kind for m in run_lean(embedded, text).messages] == ["hasSorry"]
    assert len(parse(text).holes) == 1
