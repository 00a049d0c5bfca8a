"""What docs promise in sentences: equations and bounds, and sentences beside them that promise nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from unsorry.bughunt import equations, promises
from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.properties import generate
from unsorry.bughunt.rust import read_crate


def of(folder: Path, source: str) -> dict[str, Candidate]:
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text('[package]\nname = "said"\nversion = "0.1.0"\nedition = "2021"\n')
    (folder / "src/lib.rs").write_text(source)
    return {c.property.id: c for c in generate(read_crate(folder))}


PAIR = """
#[derive(Clone, Copy, PartialEq)]
pub struct Wide { pub hi: u8, pub lo: u8 }

impl Wide {
    pub fn plus(self, other: Wide) -> Wide { Wide { hi: self.hi.wrapping_add(other.hi), lo: other.lo } }
    /// The inverse of `plus`: `a.plus(b).minus(b) == a`.
    pub fn minus(self, other: Wide) -> Wide { Wide { hi: self.hi.wrapping_sub(other.hi), lo: self.lo } }
    pub fn top(&self) -> u8 { self.hi }
    /// `of(w.top(), w.low())` is `Some(w)`.
    pub fn of(hi: u8, lo: u8) -> Option<Wide> { Some(Wide { hi, lo }) }
    pub fn low(self) -> u8 { self.lo }
}
"""


def test_an_equation_knows_the_types_of_its_variables(tmp_path: Path) -> None:
    found = of(tmp_path, PAIR)
    minus = found["Wide::minus#equation-0"]
    assert minus.property.inputs == (("a", "crate::Wide"), ("b", "crate::Wide"))
    assert minus.predicate == "a.clone().plus(b.clone()).minus(b.clone()) == a.clone()"
    assert found["Wide::of#equation-0"].predicate == (
        "crate::Wide::of(w.clone().top(), w.clone().low()) == Some(w.clone())"
    )


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("`f(f(x)) == f(x)`.", ["f(f(x)) == f(x)"]),
        ("For the whole range: `f(g(x)) == x` holds.", ["f(g(x)) == x"]),
        ("`f(x, 0)` is `x`.", ["f(x, 0) == x"]),
        ("Shorthand for `f(x) == y`.", []),
        ("Checks that `f(x) == g(x)`.", []),
        ("`f(x) == 0` means that it is empty.", []),
        ("`f(x) == 0`.", []),
    ],
)
def test_what_is_an_equation(sentence: str, texts: list[str]) -> None:
    assert equations.stated(sentence) == texts


@pytest.mark.parametrize(
    "sentence",
    ["`half(double(x)) == x` if it fits.", "Usually `half(double(x))` is `x`.", "`half(double(x)) == x` for all x < 9.",
     "`half({ std::process::exit(0) }) == x`.", "`half(double(x)) == panic!()`.", "`half(unknown(x)) == x`.",
     "`half(z) == z.y.w()`; `x` must be small."],
)  # fmt: skip
def test_a_case_and_what_is_not_known_are_no_equations(tmp_path: Path, sentence: str) -> None:
    source = f"pub fn double(x: u8) -> u8 {{ x }}\n/// {sentence}\npub fn half(y: u8) -> u8 {{ y }}\n"
    assert not [i for i in of(tmp_path, source) if "equation" in i]


@pytest.mark.parametrize(
    ("docs", "bounds"),
    [
        ("A slot. The result is always less than `cap`.", [("<", "cap")]),
        ("The fractional part, always in `0..ONE`.", [(">=", "0"), ("<", "ONE")]),
        ("Days of a month; between 28 and 31.", [(">=", "28"), ("<=", "31")]),
        ("A delay. Never exceeds `max`.", [("<=", "max")]),
        ("The result is at most 7, as usual.", [("<=", "7")]),
        ("`n`, always less than 5.", []),
        ("`n` is always less than 5.", []),
        ("The result is less than `cap` if `cap` is not 0.", []),
        ("Reads a digit, always less than 10, from a stream.", []),
        ("Is between 1 and 5 o'clock.", []),
    ],
)
def test_bounds_that_docs_promise(docs: str, bounds: list[tuple[str, str]]) -> None:
    assert [(b.comparison, b.value) for b in promises.stated(docs)] == bounds


def test_a_bound_is_over_parameters_and_constants(tmp_path: Path) -> None:
    source = """
pub const ONE: i32 = 1 << 16;
/// The fractional part, always in `0..ONE`.
pub fn fract(q: i32) -> i32 { q & (ONE - 1) }
/// The result is always less than `cap`. `cap` must be a power of two.
pub fn slot(pos: u32, cap: u32) -> u32 { pos & cap }
/// The result is always less than `nothing`.
pub fn odd(pos: u32) -> u32 { pos }
"""
    source += """
/// The result lies between `a` and `b`.
pub fn between(a: i32, b: i32) -> i32 { a }
"""
    found = of(tmp_path, source)
    assert "core::cmp::min(a as i128, b as i128)" in found["between#bound-0"].predicate
    assert "core::cmp::max(b as i128, a as i128)" in found["between#bound-1"].predicate
    assert found["fract#bound-1"].predicate.endswith("(result as i128) < (crate::ONE as i128)")
    assert found["slot#bound-0"].property.assumptions == ("cap.is_power_of_two()",)
    assert "odd#bound-0" not in found


@pytest.mark.parametrize(
    ("sentence", "promised"),
    [("Reads what `to_key` wrote.", True), ("Restores the result of [`to_key`].", True), ("Reads `to_key`.", False)],
)
def test_who_reads_what_another_wrote_undoes_it(tmp_path: Path, sentence: str, promised: bool) -> None:
    source = (
        f"pub fn to_key(x: u8) -> u16 {{ x as u16 }}\n/// {sentence}\npub fn from_key(k: u16) -> u8 {{ k as u8 }}\n"
    )
    assert of(tmp_path, source)["from_key#undoes-to_key"].property.promised == promised


def test_what_is_too_small_for_all_inputs_is_not_expected_to_tell_them_apart(tmp_path: Path) -> None:
    source = """
pub fn pack(r: u8, g: u8, b: u8) -> u16 { (r as u16 >> 3) << 11 | (g as u16 >> 2) << 5 | b as u16 >> 3 }
pub fn unpack(c: u16) -> (u8, u8, u8) { ((c >> 11) as u8, (c >> 5 & 63) as u8, (c & 31) as u8) }
pub fn encode(hi: u8, lo: u8) -> u16 { (hi as u16) << 8 | lo as u16 }
pub fn decode(c: u16) -> (u8, u8) { ((c >> 8) as u8, c as u8) }
/// Both halves; `hi` is at most 15 and `lo` is at most 15.
pub fn half_pack(hi: u8, lo: u8) -> u8 { hi << 4 | lo }
pub fn half_unpack(c: u8) -> (u8, u8) { (c >> 4, c & 15) }
"""
    trips = {i for i in of(tmp_path, source) if "#undoes" in i}
    assert trips == {"decode#undoes-encode", "half_unpack#undoes-half_pack"}
