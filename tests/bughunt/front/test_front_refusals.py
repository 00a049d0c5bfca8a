"""What is outside of the subset is refused by name and place, one item at a time."""

from __future__ import annotations

import pytest

REFUSED = [
    ("unsafe", "fn bad(p: &u8) -> u8 { unsafe { *(p as *const u8) } }"),
    ("unsafe", "unsafe fn bad() {}"),
    ("unsafe", "fn bad(p: *const u8) {}"),
    ("async", "async fn bad() {}"),
    ("async", "fn bad() { let x = async { 1 }; }"),
    ("ffi", 'pub extern "C" fn bad() {}'),
    ("trait-object", "fn bad(x: &dyn Copy) {}"),
    ("impl-trait", "fn bad(x: impl Copy) {}"),
    ("impl-trait", "fn bad() -> impl Iterator<Item = u8> { 0..3 }"),
    ("closure", "fn bad(x: Option<u8>) -> Option<u8> { x.map(|y| y) }"),
    ("closure", "fn bad() { let f = |x: u8| x; }"),
    ("closure", "fn bad(x: &[u8]) -> bool { x.iter().all(|y| *y > 1) }"),
    ("function-pointer", "fn bad(f: fn(u8) -> u8) -> u8 { f(1) }"),
    ("float", "fn bad(x: f32) {}"),
    ("float", "fn bad() { let x = 1.5; }"),
    ("float", "fn bad() { let x = 1f64; }"),
    ("string", "fn bad(x: String) {}"),
    ("box", "fn bad(x: Box<u8>) {}"),
    ("macro", 'fn bad() { println!("x"); }'),
    ("macro", "macro_rules! assert { ($e:expr) => {} } fn bad() { assert!(false); }"),
    ("const-generic", "fn bad<const N: usize>(x: [u8; N]) {}"),
    ("type-parameter", "fn bad<T: PartialOrd>(x: T, y: T) -> bool { x < y }"),
    ("type-parameter", "trait A { fn a(&self) -> u8; } fn bad<T: A>(x: T) -> u8 { x.a() }"),
    ("let-chain", "fn bad(x: Option<u8>) { if let Some(y) = x && y > 1 {} }"),
    ("labeled-block", "fn bad() { 'a: { break 'a; } }"),
    ("function-value", "fn bad(x: u32) -> u32 { loop { break (x) + 1; } }"),  # which adds first, other than it reads
    ("range", "fn bad() { let r = 0..3; }"),
    ("mut-borrow", "fn bad(x: &mut u8, z: &mut u8, c: bool) { let y = if c { x } else { z }; *y = 1; }"),
    ("mut-borrow", "fn bad(x: &mut u8) -> &mut u8 { x }"),
    ("mut-borrow", "fn bad(x: &mut [u8]) { if let Some(y) = x.get_mut(0) { *y = 1 } }"),
    ("cfg", "#[cfg(unix)] fn bad() {}"),
    ("cfg", "fn bad() { #[cfg(unix)] let x = 1; }"),
    ("attribute", "#[magic::rewrite] fn bad() {}"),
    ("syntax", "fn bad() { let x = ; }"),
    ("type", "fn bad(x: std::collections::HashMap<u8, u8>) {}"),
    ("type", "fn bad(x: std::cell::Cell<u8>) {}"),
    ("refused-type", "struct F { x: f64 } fn bad(x: &F) {}"),
    ("refused-type", "struct F { x: f64 } struct G(F); fn bad(x: &G) {}"),
    ("refused-type", "struct D; impl Drop for D { fn drop(&mut self) {} } fn bad() { let d = D; }"),
    ("refused-type", "enum L { Nil, Cons(Vec<L>) } fn bad(x: &L) {}"),
    ("clone", "struct C; impl Clone for C { fn clone(&self) -> C { C } } fn bad(x: Vec<C>) -> Vec<C> { x.clone() }"),
    ("comparison", "struct C; impl PartialEq for C { fn eq(&self, o: &C) -> bool { false } } "
     "fn bad(x: Option<C>, y: Option<C>) -> bool { x == y }"),
    ("conversion", "fn bad(x: Result<u8, u16>) -> Result<u8, u32> { Ok(x?) }"),
    ("std", "fn bad(x: u8) -> u8 { x.carrying_add(1, true).0 }"),
    ("inner-item", "fn bad() { if true { const X: u8 = 1; } }"),
    ("array-length", "fn bad(x: [u8; 4000000]) {}"),
    ("literal", "fn bad() -> u8 { 256 }"),
    ("foreign-impl", "trait A { fn bad(&self) -> u8; } impl A for Option<u8> { fn bad(&self) -> u8 { 1 } }"),
    ("ambiguous", "trait A { fn abs(&self) -> i32; } impl A for i32 { fn abs(&self) -> i32 { 7 } } "
     "fn bad(x: i32) -> i32 { A::abs(&x) + x.abs() }"),
]  # fmt: skip
GOOD = "\npub fn good(x: u8) -> u8 { x + 1 }\n"


@pytest.mark.parametrize(("code", "rust"), REFUSED, ids=[f"{c}: {r[:50]}" for c, r in REFUSED])
def test_it_is_refused_by_name_and_the_rest_lives(crate_of, code: str, rust: str) -> None:
    crate = crate_of(rust + GOOD)
    bad = next(f for f in crate.functions if f.name == "bad")
    assert bad.refusal is not None and bad.body is None
    assert (bad.refusal.code, bad.refusal.span.file) in ((code, "src/lib.rs"), ("unresolved", "src/lib.rs"))
    if code != "ambiguous":
        assert bad.refusal.code == code, bad.refusal
    assert bad.refusal.span.first_line == 1 and "\n" not in bad.refusal.message
    good = crate.function("good")
    assert good is not None and good.body is not None


ITEMS = [
    ("ffi", 'extern "C" { fn bad(); }'),
    ("macro", "macro_rules! bad { () => {} }"),
    ("macro", "thread_local! { static X: u8 = 1; }"),
    ("unsafe", "static mut BAD: u8 = 1;"),
    ("unsafe", "union Bad { a: u8, b: i8 }"),
    ("float", "struct Bad { x: f64 }"),
    ("refused-type", "struct Worse { x: Bad } struct Bad(f32);"),
    ("recursive-type", "struct Bad { next: Vec<Bad> }"),
    ("const-generic", "struct Bad<const N: usize> { x: [u8; N] }"),
    ("cycle", "const BAD: u8 = BAD + 1;"),
    ("file", "mod bad;"),
    ("mut-borrow", "struct Bad<'a> { x: &'a mut u8 }"),
]


@pytest.mark.parametrize(("code", "rust"), ITEMS, ids=[f"{c}: {r[:50]}" for c, r in ITEMS])
def test_an_item_is_refused_by_name_and_the_rest_lives(crate_of, code: str, rust: str) -> None:
    crate = crate_of(rust + GOOD)
    assert code in {r.refusal.code for r in crate.refused}, crate.refused
    assert all(r.path and r.refusal.span.file == "src/lib.rs" for r in crate.refused)
    good = crate.function("good")
    assert good is not None and good.body is not None


def test_callers_of_refused_functions_are_refused_and_told_why(crate_of) -> None:
    crate = crate_of("fn a() { println!(); } fn b() { a() } fn c() { b() }" + GOOD)
    told = {f.path: (f.refusal.code, f.refusal.message) for f in crate.functions if f.refusal is not None}
    assert told["a"] == ("macro", "macro `println!`")
    assert told["b"] == ("calls-refused", "calls `a`, which is refused: macro `println!`")
    assert told["c"] == ("calls-refused", "calls `b`, which is refused: macro `println!`")
    opaque = crate.function("a")
    assert opaque is not None and opaque.opaque and opaque.signature_known


def test_a_type_that_nothing_decides_is_refused(crate_of) -> None:
    crate = crate_of("fn bad() -> bool { let x = None; let y = x.is_some(); y }" + GOOD)
    bad = crate.function("bad")
    assert bad is not None and bad.refusal is not None and bad.refusal.code == "inference"
