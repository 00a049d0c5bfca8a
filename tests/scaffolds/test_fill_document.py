"""Edits of a file: nothing but the holes changes, whatever its line ends and spaces."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import UnsorryError
from unsorry.lean.source import parse
from unsorry.scaffolds.fill import Document, parse_target, select
from unsorry.scaffolds.fill.document import Edit, apply

LINES = st.lists(
    st.tuples(
        st.sampled_from(
            ["theorem t : p := by sorry", "  sorry", "-- sorry ∀", "", "\t", "x  ", "namespace A", "end A", "𝒜"]
        ),
        st.sampled_from(["\n", "\r\n"]),
    ),
    max_size=12,
)


@given(LINES, st.booleans(), st.sampled_from(["rfl", "", "by simp ∧"]))
def test_every_other_byte_stays(lines: list[tuple[str, str]], mark: bool, proof: str) -> None:
    raw = "theorem s : p := by\n" + "".join(text + end for text, end in lines)
    data = (("\ufeff" if mark else "") + raw).encode()
    document = Document(Path("File.lean"), data)
    edits = [Edit(hole.start, hole.end, proof) for hole in document.source.holes]
    # The same holes, replaced in the text as it is: Lean's comments and strings do not depend on line ends.
    expected = apply(raw, [Edit(hole.start, hole.end, proof) for hole in parse(raw).holes])
    assert document.patched(edits) == (("\ufeff" if mark else "") + expected).encode()
    assert document.patched([]) == data


@given(LINES)
def test_new_lines_end_as_most_lines_do(lines: list[tuple[str, str]]) -> None:
    raw = "theorem s : p := by sorry " + "".join(text + end for text, end in [("--", "\n"), *lines])
    document = Document(Path("File.lean"), raw.encode())
    hole = document.source.holes[0]
    patched = document.patched([Edit(hole.start, hole.end, "skip\nsimp")]).decode()
    crlf = sum(end == "\r\n" for _, end in lines) * 2 > len(lines) + 1
    assert patched == raw.replace("sorry", "skip\r\nsimp" if crlf else "skip\nsimp", 1)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("a/B.lean", ("a/B.lean", "", 0)),
        ("a/B.lean:foo.bar", ("a/B.lean", "foo.bar", 0)),
        ("a/B.lean:«a:b».c", ("a/B.lean", "«a:b».c", 0)),
        ("a/B.lean#L42", ("a/B.lean", "", 42)),
        ("a/B.lean#42", ("a/B.lean", "", 42)),
        ("B.lean.lean:x", ("B.lean.lean", "x", 0)),
        ("B.txt", ("B.txt", "", 0)),
    ],
)
def test_targets(target: str, expected: tuple[str, str, int]) -> None:
    path, name, line = parse_target(target)
    assert (str(path), name, line) == expected


def test_an_existing_path_is_no_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("A.lean:b.lean").write_text("")
    assert parse_target("A.lean:b.lean")[0] == Path("A.lean:b.lean")


def test_several_of_a_name() -> None:
    text = "namespace A\ntheorem t : p := sorry\nend A\nnamespace B\ntheorem t : p := sorry\nend B\n"
    document = Document(Path("File.lean"), text.encode())
    with pytest.raises(UnsorryError, match=r"several t: say which of A\.t, B\.t"):
        select(document, "t")
    assert [hole.line for hole in select(document, "B.t")] == [5]


def test_units_of_mutual_blocks() -> None:
    block = "mutual\ntheorem b : p := sorry\nsection\nend\ndef c := d\nend"
    text = f"theorem a : p := sorry\n{block}\ntheorem e : p := sorry\n"
    document = Document(Path("File.lean"), text.encode())
    units = [document.unit(hole.command) for hole in document.source.holes]
    assert [text[u.start : u.end] for u in units] == ["theorem a : p := sorry", block, "theorem e : p := sorry"]
