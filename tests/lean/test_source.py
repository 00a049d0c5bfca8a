"""The text of Lean files: commands, names and holes."""

from __future__ import annotations

from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.lean.source import Import, parse, read_file

FILE = """\
module
public import Init
import all Foo.Bar
/-! doc -/
namespace A.B
/-- d sorry -/
@[simp, deprecated "sorry"] private theorem foo (x : Nat := sorry) : let y := 1; |y| = 1 := by
  constructor
  · sorry
  · have h : 2 = 2 := by sorry
    have h2 : 3 = 3 := sorry
    cases x with
    | zero => sorry
    | succ n => admit
  match x with
  | 0 => exact fun x => sorry
  | _ => if h : p then sorry else sorry
  first | sorry | (try sorry)
  all_goals (sorry)
  exact ⟨by simp, sorry⟩
  · sorry; sorry
end A.B
section X
open Foo in
set_option bla true in
theorem _root_.t : f := open Foo in match 1 with
  | 0 => sorry
mutual
def f : Nat → Nat
  | 0 => sorry
  | n+1 => f n
where g : Nat := by exact sorry
instance (priority := low) : Foo := ⟨sorry⟩
end
end X
macro "foo" : tactic => `(tactic| sorry)
macro_rules | `(a $x) => `(b $(sorry) $x)
example : 1 = 1 := sorry
#eval sorry
def «a.b».c' : Nat := «sorry».sorry + h.sorry + `sorry + "sorry" -- sorry
"""


def test_header_commands_and_names() -> None:
    source = parse(FILE)
    assert source.header.module
    assert source.header.imports == (Import("Init", public=True), Import("Foo.Bar", all=True))
    assert FILE[: source.header.end].endswith("Foo.Bar")
    assert [c.kind for c in source.commands] == [
        "/-!", "namespace", "theorem", "end", "section", "theorem", "mutual", "def", "instance", "end", "end",
        "macro", "macro_rules", "example", "#eval", "def",
    ]  # fmt: skip
    assert [source.label(c) for c in source.declarations] == [
        "A.B.foo", "t", "f", "instance at line 33", "example at line 38", "«a.b».c'",
    ]  # fmt: skip
    foo = source.declaration("A.B.foo")
    assert foo is not None and foo.private and foo.attributes == ('@[simp, deprecated "sorry"]',)
    assert FILE[foo.start :].startswith("/-- d sorry -/")
    assert FILE[foo.body :].startswith(":= by\n  constructor")
    t = source.declaration("t")
    assert t is not None and FILE[t.start :].startswith("open Foo in\nset_option")
    assert [c.name for c in source.declarations if c.in_mutual] == ["f", ""]
    assert source.declaration("a.b.c'") is source.declaration("«a.b».c'") is not None


def test_holes() -> None:
    source = parse(FILE)
    assert [(h.line, h.position, h.token) for h in source.holes] == [
        (7, "term", "sorry"), (9, "tactic", "sorry"), (10, "tactic", "sorry"), (11, "term", "sorry"),
        (13, "tactic", "sorry"), (14, "tactic", "admit"), (16, "term", "sorry"), (17, "tactic", "sorry"),
        (17, "tactic", "sorry"), (18, "tactic", "sorry"), (18, "tactic", "sorry"), (19, "tactic", "sorry"),
        (20, "term", "sorry"), (21, "tactic", "sorry"), (21, "tactic", "sorry"), (27, "term", "sorry"),
        (30, "term", "sorry"), (32, "term", "sorry"), (33, "term", "sorry"), (37, "term", "sorry"),
        (38, "term", "sorry"), (39, "term", "sorry"),
    ]  # fmt: skip
    assert [h.line for h in source.holes if h.in_signature] == [7]
    assert all(FILE[h.start : h.end] == h.token for h in source.holes)
    assert {h.indent for h in source.holes if h.line in (9, 21)} == {4}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("theorem a : p := by\n  exact foo\n    (by sorry)\n    sorry", ["tactic", "term"]),
        ("theorem a : p := by\n  simp\n  sorry", ["tactic"]),
        ("theorem a : p := by\n  simp at h ⊢; sorry", ["tactic"]),
        ("theorem a : p := by\n  constructor <;> sorry", ["tactic"]),
        (
            "theorem a : p := by\n  induction n with\n  | zero => sorry\n  | succ n ih => exact sorry",
            ["tactic", "term"],
        ),
        ("theorem a : p := by\n  cases h with | inl h => sorry | inr h => sorry", ["tactic", "tactic"]),
        ("theorem a : p := by\n  rcases h with h | h\n  · sorry\n  · sorry", ["tactic", "tactic"]),
        ("theorem a : p := by\n  case a => sorry\n  next h => sorry", ["tactic", "tactic"]),
        ("theorem a : p := by\n  have : q := by\n    sorry\n  sorry", ["tactic", "tactic"]),
        (
            "theorem a : p := by\n  have : q := match x with\n    | 0 => sorry\n    | _ => by sorry\n  sorry",
            ["term", "tactic", "tactic"],
        ),
        (
            "theorem a : p := by\n  match x with\n  | 0 => sorry\n  | n + 1 =>\n    simp\n    sorry",
            ["tactic", "tactic"],
        ),
        ("theorem a : p := by\n  refine ⟨?_, fun x => ?_, by sorry, sorry⟩\n  sorry", ["tactic", "term", "tactic"]),
        ("theorem a : p := by\n  show p from sorry", ["term"]),
        ("theorem a : p := by\n  suffices h : q by sorry\n  sorry", ["tactic", "tactic"]),
        ("theorem a : p := calc\n  a = b := sorry\n  _ = c := by sorry\n  _ = d := sorry", ["term", "tactic", "term"]),
        ("theorem a : p := by\n  calc a = b := sorry\n    _ = c := by sorry\n  sorry", ["term", "tactic", "tactic"]),
        ("theorem a : p := by\n  by_cases h : p\n  · sorry\n  sorry", ["tactic", "tactic"]),
        ("theorem a : p := by\n  if h : p then\n    sorry\n  else\n    sorry", ["tactic", "tactic"]),
        ("theorem a : p := by\n  exact if h : p then sorry else sorry", ["term", "term"]),
        ("theorem a : p := by { simp; sorry }", ["tactic"]),
        ("theorem a : p := by intro x; exact (sorry)", ["term"]),
        ("theorem a : p := by\n  obtain ⟨x, h⟩ : ∃ x, q := sorry\n  sorry", ["term", "tactic"]),
        ("theorem a : p := fun x => by\n  intro y\n  sorry", ["tactic"]),
        ("theorem a : p := by\n  intro x\n  -- a comment\n\n  sorry /- more -/", ["tactic"]),
        ("def f (n : Nat) : Nat := f (n - 1)\ntermination_by n\ndecreasing_by sorry", ["tactic"]),
        ("theorem a : p := by\n  set_option maxRecDepth 1000 in\n  sorry", ["tactic"]),
        ("theorem a : p := sorry\ntheorem b : q := by sorry", ["term", "tactic"]),
        ("theorem a : p\n  | 0 => sorry\n  | n + 1 => by sorry", ["term", "tactic"]),
        ("theorem a : p := by\n  exact fun\n    | 0 => sorry\n    | _ => by sorry", ["term", "tactic"]),
        ("def admit := 1\ntheorem a : admit = 1 := by admit", ["tactic"]),
    ],
)
def test_positions(text: str, expected: list[str]) -> None:
    assert [hole.position for hole in parse(text).holes] == expected


def test_a_syntax_error_does_not_hide_what_follows() -> None:
    source = parse("theorem bad : (1 = := by simp [\n\ntheorem good : 1 = 1 := by sorry\n")
    assert [(source.label(source.commands[h.command]), h.line) for h in source.holes] == [("good", 3)]


def test_namespaces_end_by_components() -> None:
    text = "namespace A.B\nsection\nend\nend B\ntheorem x : p := sorry\nend A\ntheorem y : p := sorry\nend Z\nend\n"
    source = parse(text)
    assert [c.name for c in source.declarations] == ["A.x", "y"]


def test_a_declaration_body_is_not_a_let_of_its_statement() -> None:
    text = "theorem a (h : x = 1 := rfl) : let y := 2; have z : Nat := 3; y = 2 := by rfl"
    assert text[parse(text).declarations[0].body :] == ":= by rfl"
    text = "theorem a : match x with | 0 => True | _ => False := by rfl"
    assert text[parse(text).declarations[0].body :] == ":= by rfl"


def test_attributes_belong_to_what_follows() -> None:
    text = "namespace A\n-- c\n@[simp] theorem t : p := q\n@[simp, ext]\nprivate def u := 1\nend A"
    source = parse(text)
    assert [text[c.start : c.end] for c in source.declarations] == [
        "@[simp] theorem t : p := q", "@[simp, ext]\nprivate def u := 1",
    ]  # fmt: skip
    assert [c.attributes for c in source.declarations] == [("@[simp]",), ("@[simp, ext]",)]


def test_nothing_counts_behind_exit() -> None:
    source = parse("theorem a : p := sorry\n#exit\ntheorem b : p := sorry\n")
    assert [hole.line for hole in source.holes] == [1] and [c.name for c in source.declarations] == ["a"]


def test_too_deep_is_told() -> None:
    with pytest.raises(UnsorryError, match="namespaces and sections are open at line 501"):
        parse("namespace A\n" * 600)
    with pytest.raises(UnsorryError, match="brackets and blocks are open at line 1"):
        parse("theorem a : p := sorry " + "(by " * 6000)


@pytest.mark.parametrize(
    "text",
    ["@[" * 20000, "(theorem " * 20000, "/-- -/" * 20000, "private " * 20000, "\n@[a" * 20000, "theorem\n" * 20000,
     "sorry " * 20000, "theorem a : x := by\n" + " (by sorry) " * 20000, "open x in\n" * 20000, "a." * 50000,
     "theorem a := by" + " if " * 20000 + " else " * 20000 + "sorry", "«" * 50000, "`" * 50000, "'" * 50000,
     "namespace a\nend a\n" * 20000, "theorem a := sorry " + "by " * 4000 + "else " * 20000],
    ids=lambda text: text[:12].strip(),
)  # fmt: skip
def test_hostile_text_ends(text: str) -> None:
    """A quadratic walk over these would take minutes."""
    source = parse(text)
    assert all(a.end <= b.start for a, b in zip(source.commands, source.commands[1:], strict=False))


def test_reading_a_file(tmp_path: Path) -> None:
    (tmp_path / "latin.lean").write_bytes("theorem a : p := sorry\n-- caf\xe9\n".encode("latin-1"))
    with pytest.raises(UnsorryError, match=r"latin.lean is not UTF-8: byte 0xe9 at line 2"):
        read_file(tmp_path / "latin.lean")
    with pytest.raises(UnsorryError, match="does not exist"):
        read_file(tmp_path / "none.lean")
    with pytest.raises(UnsorryError, match="is a folder"):
        read_file(tmp_path)
    (tmp_path / "crlf.lean").write_bytes(b"a\r\nb\r")
    assert read_file(tmp_path / "crlf.lean") == "a\r\nb\r"
    with pytest.raises(UnsorryError, match="MiB"):
        read_file(tmp_path / "crlf.lean", limit=2)
