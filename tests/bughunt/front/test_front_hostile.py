"""Hostile input gives a clear refusal: no traceback, no hang."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.bughunt.manifest import read_manifest
from unsorry.bughunt.rust import read_crate

GOOD = b"\npub fn good(x: u8) -> u8 { x + 1 }\n"
N = 20_000
DEEP = {
    "brackets": b"fn bad() -> u8 { " + b"(" * N + b"1" + b")" * N + b" }",
    "blocks": b"fn bad() { " + b"{" * N + b"}" * N + b" }",
    "minus": b"fn bad() -> i32 { " + b"-" * N + b"1 }",
    "sum": b"fn bad() -> i32 { 1" + b" + 1" * N + b" }",
    "fields": b"fn bad(x: u8) -> u8 { x" + b".a" * N + b" }",
    "methods": b"fn bad(x: u8) -> u8 { x" + b".clone()" * N + b" }",
    "else if": b"fn bad(x: bool) { if x {} " + b"else if x {} " * N + b"}",
    "types": b"fn bad(x: " + b"Vec<" * N + b"u8" + b">" * N + b") {}",
    "references": b"fn bad(x: " + b"&" * N + b"u8) {}",
    "patterns": b"fn bad(x: u8) { let " + b"(" * N + b"y" + b")" * N + b" = x; }",
    "struct": b"struct Bad { x: " + b"Vec<" * N + b"u8" + b">" * N + b" }",
    "impl": b"impl " + b"Vec<" * N + b"u8" + b">" * N + b" { fn bad() {} }",
    "const": b"const BAD: u8 = " + b"(" * N + b"1" + b")" * N + b";",
    "modules": b"mod a { " * N + b"}" * N,
    "use": b"use " + b"a::{" * N + b"b" + b"}" * N + b";",
    "path": b"fn bad() { " + b"a::" * N + b"b }",
    "macro": b"fn bad() { assert!(" + b"(" * N + b"true" + b")" * N + b"); }",
    "closures": b"fn bad() { " + b"|x| " * N + b"x; }",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_is_refused_and_the_rest_lives(crate_of, name: str) -> None:
    crate = crate_of(DEEP[name] + GOOD)
    refusals = [f.refusal for f in crate.functions if f.refusal] + [r.refusal for r in crate.refused]
    assert refusals and all(r.code != "internal" and len(r.message) < 300 for r in refusals)
    good = crate.function("good")
    assert good is not None and good.body is not None


def test_syntax_errors_cost_their_item_only(crate_of) -> None:
    crate = crate_of(b"fn a() -> u8 { 1 }\nfn bad( { ) }\nfn b() -> u8 { 2 }\nstruct S { x: }\nfn c() -> u8 { 3 }\n")
    done = {f.path for f in crate.functions if f.body is not None}
    assert {"a", "c"} <= done
    assert any(f.refusal and f.refusal.code == "syntax" for f in crate.functions) or crate.refused


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe\x00fn", b"fn f\xc3(){}", b"x" * ((1 << 20) + 1)],
    ids=["utf-16", "broken", "too long"],
)
def test_a_file_that_cannot_be_read_is_one_refusal(crate_of, content: bytes) -> None:
    crate = crate_of(b"mod bad;" + GOOD, {"src/bad.rs": content})
    assert [(r.kind, r.refusal.code in ("utf-8", "file")) for r in crate.refused] == [("module", True)]
    good = crate.function("good")
    assert good is not None and good.body is not None


def test_noise_is_no_traceback(crate_of) -> None:
    for noise in (
        b"",
        b"\0" * 100,
        b"lorem ipsum; " * 2000,
        b"}}}}{{{{",
        b"#" * 5000,
        b'"' + b"a" * 1000,
        b"/*" * 1000,
    ):
        crate = crate_of(noise)
        assert not [f for f in crate.functions if f.refusal and f.refusal.code == "internal"]


def test_modules_in_a_ring_and_links_to_elsewhere(crate_of, tmp_path) -> None:
    outside = tmp_path.parent / "outside.rs"
    outside.write_text("pub fn stolen() {}")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "link.rs").symlink_to(outside)
    (tmp_path / "src" / "ring.rs").symlink_to(tmp_path / "src" / "lib.rs")
    crate = crate_of(
        b"mod link; mod ring; pub use ring::ring as r; pub use crate::x::*; mod x { pub use super::*; }" + GOOD
    )
    assert {(r.path, r.refusal.code) for r in crate.refused} >= {("link", "file"), ("ring", "file")}
    assert crate.function("link::stolen") is None


def test_uses_in_a_circle_end(crate_of) -> None:
    crate = crate_of("mod a { pub use super::b::*; } mod b { pub use super::a::*; } use a::*; fn bad() { missing() }")
    bad = crate.function("bad")
    assert bad is not None and bad.refusal is not None and bad.refusal.code == "unresolved"


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (None, "no Cargo.toml"),
        (b"[package", "not TOML"),
        (b"\xff", "not TOML"),
        (b"[workspace]\nmembers = ['a', 'b']", "it is a workspace: give one of a, b"),
        (b"[package]\nname = 'x'", "neither src/lib.rs nor src/main.rs"),
        (b"[package]\nname = 'x'\n[lib]\nproc-macro = true", "procedural macros"),
    ],
)
def test_a_folder_that_is_no_crate_is_told_in_one_line(tmp_path, manifest, said) -> None:
    if manifest is not None:
        (tmp_path / "Cargo.toml").write_bytes(manifest)
    with pytest.raises(UnsorryError, match=said) as caught:
        read_crate(tmp_path)
    assert "\n" not in str(caught.value)


def test_the_entry_may_not_lie_outside(tmp_path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "lib.rs").write_text("")
    (tmp_path / "inner" / "Cargo.toml").write_text("[package]\nname='x'\n[lib]\npath='../lib.rs'")
    with pytest.raises(UnsorryError, match="neither"):
        read_manifest(tmp_path / "inner")


def test_damaged_programs_never_break_the_reader(crate_of) -> None:
    chance = random.Random(5)
    texts = [(Path(__file__).parent / name / "src" / "lib.rs").read_bytes() for name in ("odd", "odder")]
    tokens = [
        b"{",
        b"}",
        b"(",
        b"&mut ",
        b"::",
        b"<",
        b"..=",
        b" as ",
        b"'a ",
        b"!",
        b"self",
        b"\xc3",
        b"0",
        b";",
        b"|",
        b"fn ",
    ]
    for _ in range(20):
        text = bytearray(chance.choice(texts))
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(len(text))
            if chance.random() < 0.5:
                del text[at : at + chance.randrange(1, 30)]
            else:
                text[at:at] = chance.choice(tokens)
        crate = crate_of(bytes(text))
        faults = [f.refusal for f in crate.functions if f.refusal] + [r.refusal for r in crate.refused]
        assert not [f for f in faults if f.code == "internal"]
