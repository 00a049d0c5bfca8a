"""A file read in pieces is the file read whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from unsorry.lean import embedded
from unsorry.repos.declarations import outline, substituted
from unsorry.repos.objects import Repository
from unsorry.repos.outlines import Outlines

HARD = [
    "import A\n\nimport B\n\ntheorem a : True := trivial\n",
    "namespace A.B\n\ntheorem x : True := trivial\n\nend B\n\ndef y := 1\n\nend A\n\ntheorem z : True := sorry\n",
    "section\n\nend\n\nend\n\nnamespace «a.b»\n\ntheorem _root_.x : True := by\n  sorry\n\nend «a.b»\n",
    "/- a comment\n\ntheorem no : False := sorry\n\n-/\n\ntheorem yes : True := trivial\n",
    'def text := "\n\ntheorem no : False := sorry\n\n"\n\ntheorem yes : True := trivial\n',
    "open Nat in\n\ntheorem x : True := trivial\n\n@[simp]\n\ntheorem y : True := trivial\n",
    "structure S where\n  a : Nat\n\nderiving instance Repr for S\n\nend\n\ninstance : Inhabited S := ⟨⟨0⟩⟩\n",
    "mutual\n\ndef a : Nat → Nat\n  | n => b n\n\ndef b : Nat → Nat\n  | n => a n\n\nend\n\ndef c : True := sorry\n",
    "macro \"m\" : command => `(theorem x : True := trivial\n\ntheorem y : True := sorry)\n\ndef z := 1\n",
    "theorem a : True := trivial\n\n#exit\n\ntheorem b : True := sorry\n",
    "private\n\ntheorem a : True := trivial\n\n/-- d -/\n\ndef b (n : Nat) : Nat := n\n",
    "theorem a :\r\n    True := by\r\n  trivial\r\n\r\n/-- ä -/\r\ntheorem b : True := sorry\r\n",
]  # fmt: skip


@pytest.fixture
def outlines(tmp_path: Path) -> Outlines:
    return Outlines(Repository.__new__(Repository))  # no object is asked for


def test_pieces_are_the_whole(outlines: Outlines) -> None:
    texts = [text.encode() for text in HARD]
    texts += [path.read_bytes() for path in embedded.modules().values()]
    for data in texts:
        assert outlines.outline(data) == outline(data)
    assert outlines.whole < len(texts) - 10


def test_a_version_of_a_file_is_read_where_it_differs(outlines: Outlines) -> None:
    lines = [f"theorem t{n} : {n} = {n} := rfl\n" for n in range(50)]
    outlines.outline("\n".join(lines).encode())
    pieces = len(outlines._pieces._kept)
    lines[20] = "theorem t20 : 20 = 20 := by rfl\n"
    after = outlines.outline("\n".join(lines).encode())
    assert len(outlines._pieces._kept) == pieces + 1
    assert after == outline("\n".join(lines).encode())


def test_what_an_outline_tells() -> None:
    found = outline(
        b"namespace A\n/-- d -/\n@[simp] private theorem a {n : Nat} -- c\n    (h : n = 0) : n + 0 = n := by\n  sorry\n"
        b"instance (priority := low) : Inhabited Nat where\n  default := 0\ndef five := 5\ndef six : Nat := 6\nend A\n"
    )
    a, instance, five, six = found.declarations
    assert (a.name, a.private, a.holes, a.fillable) == ("A.a", True, 1, True)
    assert a.text == "theorem A.a {n : Nat} (h : n = 0) : n + 0 = n"
    assert (instance.name, instance.statement, instance.fillable) == ("", "(priority := low) : Inhabited Nat", True)
    assert (five.fillable, six.fillable, six.statement) == (False, True, ": Nat")


def test_new_names_for_old_ones() -> None:
    renamed = {"A.old": "A.new", "B": "C"}
    assert substituted("(old x).old_y = A.old.lemma B.c Z.old", renamed) == "(new x).old_y = A.new.lemma C.c Z.old"
    assert substituted("x", {}) == "x"
