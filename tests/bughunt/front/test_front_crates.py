"""Whole crates: files, modules, uses, what other crates reach, the facts of Cargo.toml, examples in docs."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from unsorry.bughunt import render
from unsorry.bughunt.crate import doc_examples
from unsorry.bughunt.manifest import read_manifest
from unsorry.bughunt.rust import read_crate

CORPUS = sorted(p.parent for p in (Path(__file__).parents[1] / "crates").glob("*/Cargo.toml"))
NAMED = frozenset(
    [
        "async",
        "attribute",
        "calls-refused",
        "closure",
        "const-generic",
        "float",
        "foreign-impl",
        "formatting",
        "function-pointer",
        "function-value",
        "impl-trait",
        "macro",
        "std",
        "string",
        "trait-object",
        "type-parameter",
        "unsafe",
        "ffi",
        "box",
        "refused-type",
    ]
)


@pytest.mark.parametrize("folder", CORPUS, ids=[p.name for p in CORPUS])
def test_a_crate_of_the_corpus_comes_through(folder: Path) -> None:
    crate = read_crate(folder)
    codes = {f.refusal.code for f in crate.functions if f.refusal} | {r.refusal.code for r in crate.refused}
    assert codes <= NAMED
    assert any(f.body is not None for f in crate.functions)
    for function in crate.functions:
        if function.body is not None:
            lines = (folder / function.span.file).read_bytes()[function.span.start : function.span.end]
            assert f"fn {function.name}".encode() in lines


def test_the_corpus_is_there() -> None:
    assert len(CORPUS) >= 30
    assert all(tomllib.loads((p / "Cargo.toml").read_text())["package"]["name"] for p in CORPUS)


def test_modules_in_files_and_names_through_uses(crate_of) -> None:
    crate = crate_of(
        "mod a; pub mod b; pub use a::deep::{self as below, three}; use b::*; pub fn one() -> u8 { two() + three() }",
        {
            "src/a/mod.rs": "pub mod deep; pub(crate) fn hidden() -> u8 { deep::three() }",
            "src/a/deep.rs": "pub fn three() -> u8 { super::super::b::two() + self::four() + crate::a::hidden() }\n"
            "fn four() -> u8 { 4 }",
            "src/b.rs": "pub mod c { pub struct S { pub x: u8, y: u8 } impl S { pub fn get(&self) -> u8 { self.x }\n"
            "fn set(&mut self) {} } }\n"
            "pub use self::c::S; pub fn two() -> u8 { 2 }",
        },
    )
    assert not crate.refused and all(f.body is not None for f in crate.functions)
    assert {f.path: f.export for f in crate.functions} == {
        "one": "one",
        "a::hidden": "",
        "a::deep::three": "three",
        "a::deep::four": "",
        "b::two": "b::two",
        "b::c::S::get": "b::S::get",
        "b::c::S::set": "",
    }
    three = crate.function("a::deep::three")
    assert three is not None and three.calls == {"b::two", "a::deep::four", "a::hidden"}
    assert three.span.file == "src/a/deep.rs"
    struct = crate.structs[0]
    assert (struct.export, [(f.name, f.public) for f in struct.fields]) == ("b::S", [("x", True), ("y", False)])


def test_impls_for_one_type_in_several_places(crate_of) -> None:
    crate = crate_of(
        "pub struct W<T> { x: T }\n"
        "impl W<u8> { pub fn a(&self) -> u8 { self.x } }\n"
        "impl W<u16> { pub fn a(&self) -> u16 { self.x } }\n"
        "impl<T: Copy> W<T> { pub fn make(x: T) -> Self { W { x } } pub fn get(&self) -> T { self.x } }\n"
        "pub fn f() -> u16 { let w = W::make(3u16); w.a() + w.get() }\n"
        "pub fn g() -> u8 { let w = W::<u8>::make(3); w.a() }\n"
    )
    bodies = {f.path: f.calls for f in crate.functions if f.body is not None}
    u8s, u16s = "<W<u8>>::a", "<W<u16>>::a"
    assert bodies["f"] == {"W::make", "W::get", u16s}
    assert bodies["g"] == {"W::make", u8s}


def test_a_shadowed_name_means_the_inner_one(crate_of) -> None:
    crate = crate_of(
        "#[derive(Clone, Copy)] pub enum Option { Some, Other } use Option::*;\n"
        "fn min(x: u8) -> u8 { x } pub fn f() -> u8 { fn min(x: u8) -> u8 { x + 1 } min(2) }\n"
        "pub fn g() -> u8 { min(2) }\n"
        "pub fn h(o: Option) -> bool { match o { Some => true, Other => false } }\n"
    )
    calls = {f.path: set(f.calls) for f in crate.functions}
    assert calls["f"] == {"f::min"} and calls["g"] == {"min"}
    h = crate.function("h")
    assert h is not None and h.body is not None


def test_constants_that_call_functions(crate_of) -> None:
    crate = crate_of(
        "pub struct P(u8, u16); impl P { pub const fn of(x: u8) -> P { let y = x as u16; P(x, y * 2) } "
        "pub const BIG: P = P::of(half(9)); } const fn half(x: u8) -> u8 { x / 2 }\n"
        "pub const N: u8 = half(7) + P::BIG.0;\n"
        "const fn bad(x: u8) -> u8 { let f = 1.5; x } const BAD: u8 = bad(1); const WORSE: u8 = BAD + 1;\n"
        "const fn early(x: u8) -> u8 { if x > 1 { return 1 } 0 } const EARLY: u8 = early(2);\n"
        "pub fn f() -> u8 { N } pub fn g() -> u8 { WORSE }"
    )
    shown = {c.path: render.expr(c.value) for c in crate.consts}
    assert shown["N"] == "((7_u8 / 2_u8) + P::BIG.0)"
    assert set(shown) == {"N", "P::BIG"}
    assert "(x_c" in shown["P::BIG"] and "of(" not in shown["P::BIG"]
    assert {r.path: r.refusal.code for r in crate.refused} == {
        "BAD": "calls-refused",
        "WORSE": "refused-const",
        "EARLY": "const-call",
    }
    told = {f.path: f.refusal.code for f in crate.functions if f.refusal}
    assert told == {"bad": "float", "g": "refused-const"}


def test_tests_are_left_out(crate_of) -> None:
    crate = crate_of("pub fn f() {} #[cfg(test)] mod tests { #[test] fn t() { super::f() } } #[test] fn u() {}")
    assert [f.path for f in crate.functions] == ["f"] and not crate.refused


def test_facts_of_a_manifest(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "x.rs").write_text("pub fn f() {}")
    (tmp_path / "Cargo.toml").write_text(
        "[package]\nname = 'a-b'\nversion = '1.2.3'\nedition = '2024'\n[lib]\npath = 'lib/x.rs'\n"
        "[dependencies]\nserde = '1'\n[profile.release]\noverflow-checks = true\n"
    )
    facts = read_manifest(tmp_path)
    assert (facts.name, facts.package, facts.edition, facts.library, facts.root) == (
        "a_b",
        "a-b",
        "2024",
        True,
        "lib/x.rs",
    )
    assert (facts.dependencies, facts.flags.release_overflow, facts.build_script) == (("serde",), True, "")
    (tmp_path / "lib" / "x.rs").write_text("pub fn g() {}")
    assert read_manifest(tmp_path).source_hash != facts.source_hash
    assert read_crate(tmp_path).source_hash == read_manifest(tmp_path).source_hash


def test_a_member_of_a_workspace_inherits_its_edition(tmp_path: Path) -> None:
    (tmp_path / "one" / "src").mkdir(parents=True)
    (tmp_path / "Cargo.toml").write_text("[workspace]\nmembers = ['one']\n[workspace.package]\nedition = '2021'\n")
    (tmp_path / "one" / "Cargo.toml").write_text("[package]\nname = 'one'\nedition.workspace = true\n")
    (tmp_path / "one" / "src" / "lib.rs").write_text(
        "pub mod x { pub fn f() -> u8 { 1 } }\n"
        "pub fn k(a: [u8; 2]) -> u8 { let mut s = x::f(); for x in a { s ^= x } s }\n"
    )
    assert read_manifest(tmp_path / "one").edition == "2021"
    assert all(f.body is not None for f in read_crate(tmp_path / "one").functions)


INNER = [
    "cfg_attr(not(test), no_std)",
    "cfg_attr(docsrs, feature(doc_cfg), warn(missing_docs))",
    'cfg_attr(feature = "a,b", deny(clippy::all, rustdoc::all))',
    "cfg_attr(all(), cfg_attr(any(), no_std))",
    "no_std",
    'recursion_limit = "256"',
]


@pytest.mark.parametrize("attribute", INNER)
def test_a_harmless_attribute_of_the_crate_costs_nothing(crate_of, attribute: str) -> None:
    item = '#[cfg_attr(feature = "s", derive(Debug), must_use)]'
    crate = crate_of(f"#![{attribute}]\n//! Docs.\n{item} pub struct S(pub u8); {item} pub fn f(s: S) -> u8 {{ s.0 }}")
    assert not crate.refused and [f.body is not None for f in crate.functions] == [True]


@pytest.mark.parametrize(
    "attribute",
    ["cfg(unix)", "cfg_attr(unix, path = 'x')", "cfg_attr(unix, cfg(unix))", "cfg_attr(x)", "cfg_attr(x, test)"],
)
def test_an_attribute_that_may_take_code_away_is_refused(crate_of, attribute: str) -> None:
    crate = crate_of(f"mod a {{ #![{attribute}] pub fn f() {{}} }} pub fn good() {{}} #[{attribute}] pub fn bad() {{}}")
    assert {r.refusal.code for r in crate.refused} == {"cfg"}
    assert {f.path: f.body is not None for f in crate.functions} == {"good": True, "bad": False}


def test_a_module_for_tests_alone_is_left_out(crate_of) -> None:
    crate = crate_of("mod a; pub fn good() {}", {"src/a.rs": "#![cfg(test)]\nfn f() { println!() }"})
    assert [f.path for f in crate.functions] == ["good"] and not crate.refused


def test_old_editions(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "lib.rs").write_text(
        "pub mod x { pub fn f() -> u8 { 1 } }\n"
        "pub mod y { use x::f; mod x { pub fn f() -> u8 { 2 } } pub fn g() -> u8 { f() }\n"
        "pub fn h() -> u8 { x::f() } }\n"
        "pub fn k(a: [u8; 2]) -> u8 { let mut s = 0; for x in a.into_iter() { s ^= x } for x in a { s ^= x } s }\n"
    )
    (tmp_path / "Cargo.toml").write_text("[package]\nname = 'old'")
    crate = read_crate(tmp_path)
    calls = {f.path: set(f.calls) for f in crate.functions}
    assert calls["y::g"] == {"x::f"} and calls["y::h"] == {"y::x::f"}
    k = crate.function("k")
    assert k is not None and k.refusal is not None and k.refusal.code == "iterator"


def test_the_conversion_is_chosen_by_the_argument(crate_of) -> None:
    crate = crate_of(
        "pub struct W(u8); impl From<u8> for W { fn from(x: u8) -> W { W(x) } }\n"
        "impl From<bool> for W { fn from(x: bool) -> W { W(x as u8 + 1) } }\n"
        "pub fn f(x: bool) -> W { W::from(x) } pub fn g() -> W { W::from(3u8) } pub fn h(x: u8) -> W { x.into() }\n"
    )
    calls = {f.path: set(f.calls) for f in crate.functions}
    assert calls["f"] == {"<W as From<bool>>::from"} and calls["g"] == calls["h"] == {"<W as From<u8>>::from"}


def test_a_program_exports_nothing(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.rs").write_text("pub fn f(x: u8) -> u8 { x }\nfn main() { f(1); }")
    (tmp_path / "Cargo.toml").write_text("[package]\nname = 'p'")
    crate = read_crate(tmp_path)
    assert [(f.path, f.export, f.body is not None) for f in crate.functions] == [("f", "", True), ("main", "", True)]


def test_examples_in_docs() -> None:
    docs = "Text.\n\n```\n# use x::f;\nassert_eq!(f(1), 2);\n```\n```text\nno\n```"
    docs += "\n```rust,should_panic\nf(0);\n```\n````\nopen"
    found = list(doc_examples(docs))
    assert [(e.code, e.flags, e.line) for e in found] == [
        ("use x::f;\nassert_eq!(f(1), 2);", (), 4),
        ("f(0);", ("should_panic",), 11),
    ]
