"""Crates as they are found: old editions, no_std, inline modules, their own tests with crates that are not here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from unsorry.bughunt.crate import without_tests
from unsorry.bughunt.engine import hunt
from unsorry.bughunt.findings import Build, Fault
from unsorry.bughunt.manifest import read_manifest
from unsorry.bughunt.options import Options

pytest.importorskip("tree_sitter_rust", reason="the parser of the `hunt` extra is not installed")
if shutil.which("rustc") is None:
    pytest.skip("rustc is not installed", allow_module_level=True)

CODE = """#![no_std]
//! Odd.

/// Steps.
pub mod steps {
    /// A step.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Step(pub i16);

    impl Step {
        /// Its length.
        pub fn length(self) -> i16 {
            if self.0 < 0 { -self.0 } else { self.0 }
        }
    }

    fn private(xs: &[u8]) -> u8 { xs[xs.len() - 1] }

    /// The last one, 0 of none.
    pub fn last(xs: &[u8]) -> u8 { if xs.is_empty() { 0 } else { private(xs) } }

    /// The shapes of a thing.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Shape {
        /// Nothing.
        Empty,
        /// A side.
        Square(u8),
        /// Two sides.
        Box {
            /// One.
            a: u8,
            /// The other.
            b: u8,
        },
    }

    /// How many squares of side 1 it holds.
    pub fn area(shape: Shape) -> u8 {
        match shape {
            Shape::Empty => 0,
            Shape::Square(a) => a * a,
            Shape::Box { a, b } => a.saturating_mul(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use not_here::prelude::*;

    #[test]
    fn nothing() {}
}
"""


@pytest.mark.parametrize("edition", ["2015", "2024"])
def test_editions_and_tests_of_the_crate_s_own(tmp_path: Path, edition: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(
        f'[package]\nname = "odd-one"\nversion = "0.1.0"\nedition = "{edition}"\n[dev-dependencies]\nnot_here = "1"\n'
    )
    (tmp_path / "src" / "lib.rs").write_bytes(b"\xef\xbb\xbf" + CODE.encode())
    found = hunt(tmp_path, Options(prove=False, budget=None, inputs=2000))
    assert {(f.function, f.fault) for f in found.confirmed} == {
        ("steps::Step::length", Fault.OVERFLOW),
        ("steps::area", Fault.OVERFLOW),
    }
    area = next(f for f in found.confirmed if f.function == "steps::area")
    assert dict(area.witness) == {"shape": "crate::steps::Shape::Square(16)"}
    assert area.module == "steps"
    assert not [o.how for o in found.outcomes if "does not compile" in o.how]


def test_a_profile_that_checks_overflow_in_release(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "checked"\nversion = "0.1.0"\nedition = "2021"\n[profile.release]\noverflow-checks = true\n'
    )
    (tmp_path / "src" / "lib.rs").write_text("/// Twice.\npub fn twice(n: u8) -> u8 {\n    n * 2\n}\n")
    (finding,) = hunt(tmp_path, Options(prove=False, budget=None, inputs=300)).confirmed
    assert finding.builds == (Build.DEBUG, Build.RELEASE)
    assert dict(finding.witness) == {"n": "128"}


def test_attributes_and_dependencies_that_nothing_needs(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "README.md").write_text("Read me.\n")
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "plain"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nnot_here = "1"\n'
        'also = { path = "../also" }\n'
    )
    (tmp_path / "src" / "lib.rs").write_text(
        '#![doc = include_str!("../README.md")]\n#![cfg_attr(not(test), no_std)]\n'
        "#![cfg_attr(docsrs, feature(doc_cfg))]\n#![forbid(unsafe_code, missing_docs)]\n"
        '#[cfg(feature = "more")]\nuse not_here::Thing;\n\n'
        "/// Twice.\npub fn twice(n: u8) -> u8 {\n    n * 2\n}\n"
    )
    (finding,) = hunt(tmp_path, Options(prove=False, budget=None, inputs=300)).confirmed
    assert dict(finding.witness) == {"n": "128"} and finding.lean.first > 0


def test_features_and_version_are_those_of_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.rs").write_text("fn main() {}\n")
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "a-b"\nversion = "1.2.3-x"\n[features]\ndefault = ["one"]\n'
        'one = ["two"]\ntwo = []\nno = []\n'
    )
    manifest = read_manifest(tmp_path)
    assert (manifest.name, manifest.root, manifest.library) == ("a_b", "src/main.rs", False)
    assert set(manifest.flags.features) == {"default", "one", "two"}
    assert dict(manifest.flags.environment)["CARGO_PKG_VERSION_PATCH"] == "3"
    assert manifest.flags.edition == "2015"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (b"#[cfg(test)] mod t {}", b"#[cfg(tes_)] mod t {}"),
        (b"#![cfg_attr(not(test), no_std)]", b"#![cfg_attr(not(tes_), no_std)]"),
        (b'#[cfg(feature = "latest")]', b'#[cfg(feature = "latest")]'),
        (b"fn test() {}", b"fn test() {}"),
    ],
)
def test_what_is_only_for_tests_is_switched_off_where_it_is(text: bytes, left: bytes) -> None:
    assert without_tests(text) == left
