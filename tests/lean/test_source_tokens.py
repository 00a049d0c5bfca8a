"""Tokens of Lean source: lossless on any text, with Lean's own edges."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import UnsorryError
from unsorry.lean.source import Kind, Text, parse

PIECES = st.sampled_from(
    ["/-", "-/", "--", "/--", '"', "\\", 's!"', "{", "}", 'r#"', '"#', "'", "a'", "«", "»", ".", "\n",
     "\r\n", "\t", " ", "sorry", "by", "theorem", "x", "(", ")", "`(", "⟨", "⟩", "@[", "]", ":=", "|", "=>",
     "𝒜", "\ufeff",
     "0x1",
     "1.5", "-",
     "end", "namespace", "·", ";", ",", "where", "match", "fun", "if", "else", "then", "`", "$(", "/"]
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


@given(TEXTS)
def test_lossless(text: str) -> None:
    try:
        tokens = list(Text(text))
    except UnsorryError as error:
        assert "does not end" in str(error) and "\n" not in str(error)
        return
    assert "".join(token.text for token in tokens) == text
    assert all(a.end == b.start and a.start < a.end for a, b in pairwise(tokens))


@given(TEXTS)
def test_parse_covers_every_hole_it_names(text: str) -> None:
    try:
        source = parse(text)
    except UnsorryError:
        return
    for hole in source.holes:
        command = source.commands[hole.command]
        assert command.start <= hole.start < hole.end <= command.end
        assert text[hole.start : hole.end] == hole.token


@given(TEXTS, st.data())
def test_positions(text: str, data: st.DataObject) -> None:
    try:
        lines = Text(text)
    except UnsorryError:
        return
    offset = data.draw(st.integers(0, len(text)))
    assert lines.line(offset) == text.count("\n", 0, offset) + 1
    assert lines.column(offset) == offset - (text.rfind("\n", 0, offset) + 1)
    if not any("\ud800" <= c <= "\udfff" for c in text):
        assert lines.byte_offset(offset) == len(text[:offset].encode())


def kinds(text: str) -> list[tuple[str, str]]:
    return [(token.kind.name, token.text) for token in Text(text) if token.kind is not Kind.SPACE]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/- a /- b -/ c -/x", [("COMMENT", "/- a /- b -/ c -/"), ("IDENT", "x")]),
        ("/-/ -/x", [("COMMENT", "/-/ -/"), ("IDENT", "x")]),
        ("/---/x", [("DOC", "/---/"), ("IDENT", "x")]),
        ("/-!-/x", [("DOC", "/-!-/"), ("IDENT", "x")]),
        ("x --/- y\nz", [("IDENT", "x"), ("COMMENT", "--/- y"), ("IDENT", "z")]),
        ("f a' 'a' '\\''", [("IDENT", "f"), ("IDENT", "a'"), ("CHAR", "'a'"), ("CHAR", "'\\''")]),
        ("f '' s ⁻¹' t", [("IDENT", "f"), ("SYMBOL", "''"), ("IDENT", "s"), ("SYMBOL", "⁻¹'"), ("IDENT", "t")]),
        ('"a\\"b" r#"a"b"# r"\\"', [("STRING", '"a\\"b"'), ("STRING", 'r#"a"b"#'), ("STRING", 'r"\\"')]),
        ('s!"a {f "}" {x}} \\{ {b}"',
         [("IDENT", "s!"), ("INTERPOLATED", '"a {'), ("IDENT", "f"), ("STRING", '"}"'), ("SYMBOL", "{"), ("IDENT", "x"),
          ("SYMBOL", "}"), ("INTERPOLATED", '} \\{ {'), ("IDENT", "b"), ("INTERPOLATED", '}"')]),
        ('throwError "a {b}"',
         [("IDENT", "throwError"), ("INTERPOLATED", '"a {'), ("IDENT", "b"), ("INTERPOLATED", '}"')]),
        ('panic!"a {b"', [("IDENT", "panic!"), ("STRING", '"a {b"')]),
        ("«a b».c.«d» x.1", [("IDENT", "«a b».c.«d»"), ("IDENT", "x"), ("SYMBOL", "."), ("NUMBER", "1")]),
        ("λ x ↦ x₁", [("SYMBOL", "λ"), ("IDENT", "x"), ("SYMBOL", "↦"), ("IDENT", "x₁")]),
        ("a //-1", [("IDENT", "a"), ("SYMBOL", "//"), ("SYMBOL", "-"), ("NUMBER", "1")]),
        ("`a.b ``c", [("NAME", "`a.b"), ("NAME", "``c")]),
    ],
)  # fmt: skip
def test_kinds(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "where"),
    [("x /- a", "line 1, column 3"), ("/- /- -/", "line 1, column 1"), ("/--/", "line 1, column 1"),
     ('\n  "abc', "line 2, column 3"), ('s!"{', "line 1, column 5"), ('s!"{"', "line 1, column 5"),
     ('r##"a"#', "line 1, column 1")],
)  # fmt: skip
def test_what_does_not_end_is_told(text: str, where: str) -> None:
    with pytest.raises(UnsorryError, match=where):
        Text(text)


def test_deep_and_large() -> None:
    assert len(Text("/-" * 100_000 + "-/" * 100_000)) == 1
    assert len(Text('s!"{' * 50_000 + '}"' * 50_000)) == 150_000
    big = "theorem a : 1 = 1 := by\n  simp [b, c] -- comment\n" * 20_000
    assert "".join(token.text for token in Text(big)) == big
