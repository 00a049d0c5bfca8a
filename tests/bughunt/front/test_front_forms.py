"""What Rust becomes, form by form, as text."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from unsorry.bughunt import render


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def shown(crate_of, text: str, path: str = "f") -> str:
    crate = crate_of(text)
    function = crate.function(path)
    assert function is not None and function.body is not None, [f.refusal for f in crate.functions]
    return squeeze(render.function(function)).removeprefix("// can fail, can diverge ").removeprefix("// can fail ")


FORMS = [
    # precedence and signs
    ("fn f(a: i32) -> i32 { -a.abs() }", "(-int::abs(a): i32)"),
    ("fn f() -> i32 { -1i32.pow(2) }", "(-int::pow(1_i32, 2_u32): i32)"),
    ("fn f(c: u32) -> bool { !c & 1 == 0 }", "(((!c) & 1_u32) == 0_u32)"),
    ("fn f(a: i32) -> u8 { -a as u8 + 1 }", "(((-a) as u8) + 1_u8)"),
    ("fn f(c: u8) -> u8 { c | c ^ c & c << 1 + 2 }", "(c | (c ^ (c & (c << (1_i32 + 2_i32)))))"),
    ("fn f() -> i8 { -128 }", "-128_i8"),
    ("fn f(a: i32) -> i32 { a - -1 }", "(a - -1_i32)"),
    ("fn f() -> u64 { !0 as u64 }", "((!0_u64) as u64)"),
    ("fn f() -> (u16, i128) { (u16::MAX, i128::MIN) }", f"(65535_u16, {-(1 << 127)}_i128)"),
    ("fn f() -> u32 { 0xff_u32 + 0o17 + 0b1010 + 1_000 }", "(((255_u32 + 15_u32) + 10_u32) + 1000_u32)"),
    ("fn f() -> (char, u8) { ('\\u{e9}', b'\\n') }", "('\\u{e9}', 10_u8)"),
    ('fn f() -> &\'static [u8] { b"a\\x00" }', "unsize(&[97_u8, 0_u8])"),
    # statements that begin like operands
    ("fn f(c: bool, x: &mut i32) { if c {} *x = 2; }", "if c {}; (*x) = 2_i32;"),
    ("fn f(c: bool) -> i32 { match c { _ => {} } -1 }", "match c { _ => {}, }; -1_i32"),
    # inference
    ("fn f() -> u8 { let x = 5; let y = x + 1; y }", "let x: u8 = 5_u8; let y: u8 = (x + 1_u8); y"),
    ("fn f() -> usize { let x = 5; x as usize }", "let x: i32 = 5_i32; (x as usize)"),
    ("fn f(n: u64) -> u64 { let mut s = 0; for i in 0..n { s += i } s }", "for i in 0_u64..n { s += i }"),
    ("fn f() -> Vec<u16> { let mut v = Vec::new(); v.push(1); v }", "let mut v: Vec<u16> = Vec::new(): Vec<u16>;"),
    ("fn f(x: u8) -> u32 { let y: u32 = x.into(); y }", "let y: u32 = (x as u32);"),
    (
        "fn f() -> Option<i64> { let x = None; if true { return x; } Some(1) }",
        "let x: Option<i64> = Option<i64>::None;",
    ),
    # silent borrows, dereferences, conversions
    ("fn g(x: &[u8]) -> usize { x.len() } fn f(v: Vec<u8>) -> usize { g(&v) }", "g(unsize(&v))"),
    ("fn g(x: &[u8]) -> usize { x.len() } fn f(v: &mut [u8; 3]) -> usize { g(v) }", "g(unsize(&(*v)))"),
    ("fn g(x: &mut u8) { *x = 1 } fn f(x: &mut u8) { g(x); g(x) }", "g(&mut (*x)); g(&mut (*x))"),
    ("struct P { a: u8 } impl P { fn m(&self) -> u8 { self.a } } fn f(p: &&P) -> u8 { p.m() }", "P::m((*p))"),
    ("struct P { a: u8 } impl P { fn m(&mut self) {} } fn f(mut p: P) { p.m() }", "P::m(&mut p)"),
    ("fn f(a: &u8, b: u8) -> u8 { a + b }", "((*a) + b)"),
    ("fn f(a: &u8, b: &u8) -> bool { a < b }", "((*a) < (*b))"),
    ("fn f(v: &Vec<u8>, a: [u8; 2]) -> bool { v == &a }", "(unsize(v) == unsize(&a))"),
    # patterns
    (
        "fn f(x: &Option<u8>) -> u8 { match x { Some(y) => *y, None => 0 } }",
        "&Some { 0: ref y } => (*y), &None => 0_u8",
    ),
    ("fn f(x: (u8, u8, u8)) -> u8 { let (a, ..) = x; a }", "let (a, _, _): (u8, u8, u8) = x; a"),
    ("const K: u8 = 3; fn f(x: u8) -> bool { matches!(x, K | 5..=7) }", "(3 | 5..=7) => true"),
    (
        "fn f(x: i8) -> u8 { match x { i8::MIN..=-1 => 0, 0 => 1, 1.. => 2 } }",
        "-128..=-1 => 0_u8, 0 => 1_u8, 1.. => 2_u8",
    ),
    ("struct P { a: u8, b: u8 } fn f(p: P) -> u8 { let P { b, .. } = p; b }", "let P { a: _, b: b }: P = p; b"),
    (
        "fn f(x: &[u8]) -> u8 { match x { [] => 0, [a, rest @ ..] => *a + rest.len() as u8 } }",
        "&[ref a, ref rest @ ..] =>",
    ),
    ("fn f(x: u8) -> u8 { let x = x; { let x = x; x } }", "let x_1: u8 = x; { let x_2: u8 = x_1; x_2 }"),
    # loops and jumps
    ("fn f() { 'a: loop { loop { break 'a } } }", "'a: loop { 'loop: loop { break 'a } }"),
    ("fn f(x: u32) -> u32 { 'a: loop { loop { break 'a (x); } } }", "break 'a x"),
    ("fn f(mut v: Vec<u8>) { while let Some(_) = v.pop() {} }", "Some { 0: _ } => {}, _ => break 'loop,"),
    ("fn f(v: &[u8]) { for (i, &x) in v.iter().enumerate().rev() {} }", "for (i, &x) in ref((*v)).enumerate().rev()"),
    ("fn f(v: &[u8]) -> u8 { v.iter().sum() }", "for item in ref((*v)) { acc = (acc + (*item)); }; acc"),
    ("fn f(m: u8) -> bool { (1..=12).contains(&m) }", "((1_u8 <= m) && (m <= 12_u8))"),
    # operators of the crate
    (
        "#[derive(Clone, Copy)] struct M(u8); impl std::ops::Add for M { type Output = M; "
        "fn add(self, o: M) -> Self::Output { M(self.0 + o.0) } } fn f(a: M, b: M) -> M { a + b }",
        "<M as std::ops::Add>::add(a, b)",
    ),
    (
        "struct M(u8); impl PartialEq for M { fn eq(&self, o: &M) -> bool { self.0 == o.0 } } "
        "fn f(a: M, b: &M) -> bool { &a != b }",
        "(!<M as PartialEq>::eq(&a, b))",
    ),
    ("#[derive(PartialEq)] struct M(u8); fn f(a: M, b: M) -> bool { a == b }", "(a == b)"),
    (
        "struct E; impl From<u8> for E { fn from(x: u8) -> E { E } } fn g() -> Result<u8, u8> { Ok(1) } "
        "fn f() -> Result<u8, E> { Ok(g()? + 1) }",
        "g()?[<E as From<u8>>::from]",
    ),
    # traits of the crate
    (
        "trait T { const K: u8; fn k(&self) -> u8 { Self::K + self.one() } fn one(&self) -> u8; } struct S; "
        "impl T for S { const K: u8 = 4; fn one(&self) -> u8 { 1 } } fn f(s: S) -> u8 { s.k() }",
        "<S as T>::k(&s)",
    ),
    # macros
    (
        'fn f(x: u8) { assert!(x > 1, "x is {}", x); debug_assert_eq!(x, 2); }',
        "assert!((x > 1_u8)); debug_assert!((x == 2_u8));",
    ),
    ("fn f() -> Vec<u8> { vec![1, 2] }", "vec![1_u8, 2_u8]"),
    ("fn f(n: usize) -> Vec<u8> { vec![0; n] }", "vec![0_u8; n]"),
    ("fn f(x: u8) -> u8 { if x > 3 { todo!() } else { unreachable!() } }", "todo!() } else { unreachable!() }"),
]


@pytest.mark.parametrize(("rust", "want"), FORMS, ids=[r[:60] for r, _ in FORMS])
def test_a_form(crate_of, rust: str, want: str) -> None:
    assert want in shown(crate_of, rust)


def test_facts_of_functions(crate_of) -> None:
    crate = crate_of(
        "pub fn pure(x: u8) -> u8 { x.wrapping_add(1) }\n"
        "/// Adds.\n#[inline]\npub fn adds(x: u8) -> u8 { x + 1 }\n"
        "pub fn above(x: u8) -> u8 { adds(x) }\n"
        "fn spins(x: u8) -> u8 { while x > 3 {} x }\n"
        "fn even(x: u8) -> bool { if x == 0 { true } else { odd(x.wrapping_sub(1)) } }\n"
        "fn odd(x: u8) -> bool { if x == 0 { false } else { even(x.wrapping_sub(1)) } }\n"
    )
    facts = {f.path: (f.can_fail, f.can_diverge, f.public) for f in crate.functions}
    assert facts == {
        "pure": (False, False, True),
        "adds": (True, False, True),
        "above": (True, False, True),
        "spins": (False, True, False),
        "even": (False, True, False),
        "odd": (False, True, False),
    }
    adds = crate.function("adds")
    assert adds is not None
    assert (adds.docs, adds.attributes, adds.span.first_line, adds.name) == ("Adds.", ("inline",), 4, "adds")


def test_spans_in_macros_are_those_of_the_file(crate_of) -> None:
    from unsorry.bughunt import ir
    from unsorry.bughunt.ir.walk import walk

    text = "fn f(x: u8, y: u8) {\n    assert!(\n        x + 1 > y,\n    );\n}\n"
    function = crate_of(text).function("f")
    assert function is not None
    spans = [n.span for n in walk(function.body) if isinstance(n, ir.Binary) and n.op == "+"]
    assert [text[s.start : s.end] for s in spans] == ["x + 1"]
    assert [s.first_line for s in spans] == [3]


def test_the_forms_are_rust(tmp_path) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not on this machine")
    text = "".join(f"mod form{n} {{ {rust} }}\n" for n, (rust, _) in enumerate(FORMS))
    (tmp_path / "forms.rs").write_text(text)
    command = ["rustc", "--edition=2021", "--crate-type=lib", "--emit=metadata", "--cap-lints=allow", "forms.rs"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
