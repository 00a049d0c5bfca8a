from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry.problems.tip import sexp
from unsorry.problems.tip.importer import import_file
from unsorry.problems.tip.names import KEYWORDS, Names, readable
from unsorry.problems.tip.sexp import Atom, Node, TipError

NAT = "(declare-datatype Nat ((Z) (S (p Nat))))\n"


def plain(form: sexp.Sexp) -> object:
    return form.text if isinstance(form, Atom) else [plain(i) for i in form.items]


def test_positions_comments_and_quotes() -> None:
    forms = sexp.read("; one (\n(a |b c|\n  (d)) e", "f.smt2")
    assert [plain(f) for f in forms] == [["a", "b c", ["d"]], "e"]
    assert [f.where for f in forms] == ["f.smt2:2", "f.smt2:3"]
    assert isinstance(forms[0], Node) and forms[0].items[2].where == "f.smt2:3"


@given(
    st.recursive(st.from_regex(r"[a-z+*<=>!-]{1,5}", fullmatch=True), lambda s: st.lists(s, max_size=4), max_leaves=30)
)
def test_what_is_printed_is_read_back(tree: object) -> None:
    def show(t: object) -> str:
        return t if isinstance(t, str) else f"({' '.join(map(show, t))})"  # type: ignore[arg-type, call-overload]

    assert [plain(f) for f in sexp.read(show(tree), "f")] == [tree]


@given(st.text('()|;" \nabc01=>_@', max_size=60))
def test_any_text_is_read_or_refused_with_a_position(text: str) -> None:
    try:
        sexp.read(text, "f.smt2")
    except TipError as error:
        assert str(error).startswith("f.smt2:")
        assert "\n" not in str(error)


@pytest.mark.parametrize(("text", "line", "said"), [
    ("(a\n(b)", 1, "never closed"),
    ("a)\n", 1, "without an opening one"),
    ("\n|abc", 2, "unterminated quoted symbol"),
    ('\n\n"abc', 3, "unterminated string"),
    ("(" * 5000 + ")" * 5000, 1, "nested deeper"),
    ("(frobnicate)", 1, "not a command of TIP"),
    ("prove", 1, "not a command of TIP"),
    (NAT, 0, "holds no `prove`"),
    ("(prove (= x 1))", 1, "unknown symbol `x`"),
    ("(prove (f 1))", 1, "unknown function `f`"),
    ("(prove 1)", 1, "different types"),
    ("(prove (= 1 true))", 1, "different types"),
    ("(prove (= 1.5 1))", 1, "real numbers"),
    ("(declare-const x Real)", 1, "real numbers"),
    (NAT + "(define-fun f ((x Nat)) Nat (match x ((Z x))))(prove true)", 2, "no case for `S`"),
    (NAT + "(prove (forall ((x Nat)) (= (p x) x)))", 2, "partial selectors"),
    (NAT + "(prove (= Z (S)))", 2, "takes 1 arguments, not 0"),
    (NAT + "(define-fun f ((x Nat)) Nat (g x))", 2, "unknown function `g`"),
    (NAT + "(define-fun f ((x Nat) (x Nat)) Nat x)", 2, "bound twice"),
    (NAT + "(define-fun f ((x Nat)) Nat x)\n(define-fun f ((x Nat)) Nat x)", 3, "declared twice"),
    (NAT + "(declare-datatype T ((Z)))", 2, "declared twice"),
    (NAT + "(prove (forall ((x Mat)) true))", 2, "unknown sort `Mat`"),
    (NAT + "(prove (forall ((x (Nat Nat))) true))", 2, "takes 0 arguments"),
    ("(declare-sort A 1)", 1, "sorts with parameters"),
    ("(define-fun f ((x Int)) Bool (forall ((y Int)) (= x y)))(prove (f 1))", 1, "inside a computed term"),
    ("(prove (forall ((x Int)) (= (div x 0) 1)))", 1, "may be zero"),
    ("(prove (forall ((x Int) (y Int)) (= (mod x y) 1)))", 1, "may be zero"),
    ("(declare-datatype l (par (a) ((nil) (cons (h a) (t (l a))))))\n(prove (= nil nil))", 2, "not determined"),
    ("(prove)", 1, "expected (prove FORMULA)"),
    ("(declare-datatype)", 1, "expected (declare-datatype"),
    ("(define-fun f)", 1, "expected"),
    ("(prove ())", 1, "empty term"),
    ("(prove (match 1 ()))", 1, "without cases"),
])  # fmt: skip
def test_bad_files_are_refused_with_file_and_line(text: str, line: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.smt2"
    path.write_text(text)
    result = import_file(path, None)
    assert not result.problems
    assert said in result.refusal
    assert result.refusal.startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert "\n" not in result.refusal


@given(
    st.lists(
        st.sampled_from(
            [
                "(",
                ")",
                "(",
                ")",
                "prove",
                "=",
                "forall",
                "x",
                "Nat",
                "Z",
                "S",
                "par",
                "a",
                "match",
                "_",
                "@",
                "lambda",
                "let",
                "ite",
                "and",
                "declare-datatype",
                "define-fun-rec",
                "1",
                "assert",
            ]
        ),
        max_size=40,
    )
)
def test_junk_never_escapes(tokens: list[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "junk.smt2"
        path.write_text(NAT + " ".join(tokens))
        import_file(path, None)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "cannot be read" in import_file(tmp_path / "no.smt2", None).refusal
    (tmp_path / "x.smt2").write_bytes(b"(prove\n \xff true)")
    assert import_file(tmp_path / "x.smt2", None).refusal.endswith("x.smt2:2: is not UTF-8")
    (tmp_path / "big.smt2").write_bytes(b" " * (sexp.MAX_BYTES + 1))
    assert "are not read" in import_file(tmp_path / "big.smt2", None).refusal


def test_names_are_readable_and_lean() -> None:
    wanted = {"++": "append", "==": "eq", "<=2": "le2", "nmsorttd-half1": "nmsorttd_half1", ":&:": "and",
              "take": "take",
              "x.>.": "x_gt", "bar=": "bar_eq", "k'": "k'", ">>=": "bind"}  # fmt: skip
    assert {name: readable(name) for name in wanted} == wanted


@given(st.lists(st.text(st.characters(codec="ascii", min_codepoint=33), min_size=1, max_size=6)))
def test_names_never_clash(symbols: list[str]) -> None:
    names = Names()
    made = [names.fresh(readable(s)) for s in symbols]
    assert len(set(made)) == len(made)
    assert not set(made) & KEYWORDS
    assert all(n[0].isalpha() or n[0] == "_" for n in made)
    assert all(c.isalnum() or c in "_'" for n in made for c in n)
