"""A hunt through a crate made for it: what is confirmed, what is only suspected, what is left alone.  Real rustc."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.bughunt.engine import hunt
from unsorry.bughunt.findings import Build, CrateReport, Fault, Reason, Status
from unsorry.bughunt.options import Options

pytest.importorskip("tree_sitter_rust", reason="the parser of the `hunt` extra is not installed")
if shutil.which("rustc") is None:
    pytest.skip("rustc is not installed", allow_module_level=True)

MANIFEST = '[package]\nname = "made"\nversion = "1.2.3"\nedition = "2021"\n'
CODE = """
#![deny(warnings, missing_docs)]
//! A crate with something of everything.

/// The middle of two numbers.
pub fn midpoint(a: u32, b: u32) -> u32 {
    (a + b) / 2
}

/// Item `i`.
pub fn at(xs: &[u8], i: usize) -> u8 {
    xs[i]
}

/// The sum.
pub fn add(a: u32, b: u32) -> u32 {
    a + b
}

/// A hash; wraps around.
pub fn hash(a: u32) -> u32 {
    a * 31 + 7
}

/// The first one.
///
/// # Panics
///
/// Panics if there is none.
pub fn first(xs: &[u8]) -> u8 {
    xs[0]
}

/// The level of a tank; callers make sure that it is not overfull.
pub fn room(capacity: u16, fuel: u16) -> u16 {
    capacity - fuel
}

/// One more, as the book says.
pub fn next(n: u8) -> u8 {
    n.checked_add(1).expect("there is a next one")
}

fn hidden(n: u8) -> u8 {
    n + 1
}

/// Uses what is hidden, where it works.
pub fn shown(n: u8) -> u8 {
    if n < 100 { hidden(n) } else { n }
}

/// Counts down to 7.
pub fn settle(start: u8) -> u8 {
    let mut n = start;
    while n != 7 {
        if n > 7 {
            n -= 1;
        } else if n > 3 {
            n += 1;
        }
    }
    n
}

/// A share of a whole, never panics.
pub fn share(a: u64, b: u64) -> u64 {
    a / b
}

/// At most eight bytes.
#[derive(Clone, Debug)]
pub struct Few {
    data: [u8; 8],
    len: usize,
}

impl Few {
    /// None.
    pub fn new() -> Few {
        Few { data: [0; 8], len: 0 }
    }

    /// One more; false if there is no room.
    pub fn push(&mut self, byte: u8) -> bool {
        if self.len == 8 {
            return false;
        }
        self.data[self.len] = byte;
        self.len += 1;
        true
    }

    /// The last one.
    pub fn last(&self) -> Option<u8> {
        if self.len == 0 { None } else { Some(self.data[self.len - 1]) }
    }

    /// The sum of all.
    pub fn sum(&self) -> u8 {
        let mut sum = 0;
        for i in 0..self.len {
            sum += self.data[i];
        }
        sum
    }
}

impl Default for Few {
    fn default() -> Few {
        Few::new()
    }
}

/// Twice a number.
///
/// ```
/// assert_eq!(made::twice(4), 9);
/// ```
pub fn twice(n: u8) -> u16 {
    n as u16 * 2
}

/// A number in two halves.
pub fn pack(high: u8, low: u8) -> u16 {
    (high as u16) << 8 | low as u16
}

/// Undoes [`pack`].
pub fn unpack(n: u16) -> (u8, u8) {
    ((n >> 8) as u8, (n & 0x7f) as u8)
}
"""


@pytest.fixture(scope="module")
def crate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text(MANIFEST)
    (folder / "src" / "lib.rs").write_text(CODE)
    return folder


@pytest.fixture(scope="module")
def report(crate: Path) -> CrateReport:
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in crate.rglob("*") if p.is_file()}
    found = hunt(crate, Options(prove=False, budget=None, inputs=5000))
    after = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in crate.rglob("*") if p.is_file()}
    assert before == after, "nothing of the user's is written"
    return found


def test_what_is_confirmed(report: CrateReport) -> None:
    confirmed = {(f.function, f.fault) for f in report.confirmed}
    assert confirmed == {
        ("midpoint", Fault.OVERFLOW),
        ("settle", Fault.HANG),
        ("share", Fault.DIVISION),
        ("Few::sum", Fault.OVERFLOW),
        ("twice", Fault.WRONG),
        ("unpack", Fault.WRONG),
    }


def test_what_is_only_suspected_says_why(report: CrateReport) -> None:
    suspected = {f.function: f.reason for f in report.suspected}
    assert suspected == {
        "at": Reason.PRECONDITION,  # the caller gives the index
        "add": Reason.PRECONDITION,  # one operation, called by its name
        "hash": Reason.INTENDED,  # the docs say that it wraps
        "room": Reason.PRECONDITION,  # the docs speak of what callers make sure
        "next": Reason.PRECONDITION,  # `expect` states it
        "hidden": Reason.PRECONDITION,  # private
    }
    assert all(f.explanation for f in report.suspected)


def test_a_documented_panic_is_no_claim(report: CrateReport) -> None:
    outcome = next(o for o in report.outcomes if o.property.id == "first#panic-free")
    assert outcome.status is Status.OPEN
    assert "Panics if there is none." in outcome.message


def test_every_confirmed_claim_is_a_test_that_fails_in_the_user_s_own_hands(
    report: CrateReport, tmp_path: Path, crate: Path
) -> None:
    """The text of each test, put into the crate by hand and compiled without us, fails."""
    tests = "\n".join(f"#[cfg(test)]\nmod t{i} {{\n    {f.test}\n}}" for i, f in enumerate(report.confirmed)
                      if f.fault is not Fault.HANG)  # fmt: skip
    source = tmp_path / "lib.rs"
    source.write_text((crate / "src" / "lib.rs").read_text() + "\nextern crate self as made;\n" + tests)
    subprocess.run(
        ["rustc", "--test", "--edition=2021", "--cap-lints=allow", "-Cdebug-assertions=on", "-o", "t", "lib.rs"],
        cwd=tmp_path, check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    ran = subprocess.run([str(tmp_path / "t")], capture_output=True, text=True, timeout=300, check=False)
    assert f"0 passed; {len(report.confirmed) - 1} failed" in ran.stdout


def test_debug_and_release_are_told_apart(report: CrateReport) -> None:
    builds = {f.function: f.builds for f in report.confirmed}
    assert builds["midpoint"] == (Build.DEBUG,)
    assert builds["share"] == (Build.DEBUG, Build.RELEASE)
    midpoint = next(f for f in report.confirmed if f.function == "midpoint")
    assert midpoint.debug is not None and midpoint.debug.message == "attempt to add with overflow"
    assert midpoint.release is not None and midpoint.release.message == "passed"
    line = CODE.split("\n").index("    (a + b) / 2") + 1
    assert (midpoint.at.file, midpoint.at.first) == ("src/lib.rs", line)
    assert midpoint.lean.first > 0
    assert dict(midpoint.witness) == {"a": "1", "b": "u32::MAX"}


def test_a_struct_with_private_fields_comes_from_its_own_functions(report: CrateReport) -> None:
    total = next(f for f in report.confirmed if f.function == "Few::sum")
    assert "value.push(" in dict(total.witness)["this"]
    assert next(o for o in report.outcomes if o.property.id == "Few::last#panic-free").status is Status.OPEN


def test_the_report_is_json(report: CrateReport) -> None:
    import json

    back = json.loads(json.dumps(report.as_dict()))
    assert back["format"] == 1
    assert {f["claim"] for f in back["findings"]} == {"confirmed", "suspected"}


def test_one_function_alone(crate: Path) -> None:
    found = hunt(crate, Options(prove=False, budget=None, inputs=500, function="midpoint"))
    assert {o.property.function for o in found.outcomes} == {"midpoint"}
    with pytest.raises(UnsorryError, match="has no function nowhere"):
        hunt(crate, Options(function="nowhere"))


@pytest.mark.parametrize(
    ("manifest", "code", "message"),
    [
        (MANIFEST + '[dependencies]\nserde = "1"\n', "use serde::Serialize;", "needs serde; alone it does not compile"),
        ('[workspace]\nmembers = ["a"]\n', "", "it is a workspace: give one of a"),
        (MANIFEST + "[lib]\nproc-macro = true\n", "", "procedural macros"),
        (MANIFEST, "pub fn f() -> u8 { 1u16 }", "does not compile: src/lib.rs:1: mismatched types"),
        ("not toml [", "", "not TOML"),
    ],
)  # fmt: skip
def test_what_cannot_be_hunted_is_refused_in_one_line(tmp_path: Path, manifest: str, code: str, message: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(manifest)
    (tmp_path / "src" / "lib.rs").write_text(code)
    with pytest.raises(UnsorryError) as caught:
        hunt(tmp_path, Options(prove=False))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_build_script_is_refused_and_not_run(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    (tmp_path / "src" / "lib.rs").write_text("")
    (tmp_path / "build.rs").write_text('fn main() { std::fs::write("ran", "").unwrap(); }')
    with pytest.raises(UnsorryError, match="build script"):
        hunt(tmp_path, Options(prove=False))
    assert not (tmp_path / "ran").exists()


def test_code_of_a_crate_reads_and_writes_nothing_outside(tmp_path: Path) -> None:
    """A crate that tries: its function panics if it can read or write a file of ours."""
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "secret").chmod(0o666)
    (tmp_path / "crate" / "src").mkdir(parents=True)
    (tmp_path / "crate" / "Cargo.toml").write_text(MANIFEST)
    (tmp_path / "crate" / "src" / "lib.rs").write_text(
        f"/// Tries.\npub fn tries(n: u8) -> u8 {{\n    let zero = n - n;\n"
        f'    if std::fs::read("{tmp_path}/secret").is_ok() || std::fs::write("{tmp_path}/made", "x").is_ok() '
        f"{{\n        return 1 / zero;\n    }}\n    n\n}}\n"
    )
    found = hunt(tmp_path / "crate", Options(prove=False, budget=None, inputs=50))
    assert not (tmp_path / "made").exists()
    assert found.confirmed == ()
    tried = next(o for o in found.outcomes if o.property.id == "tries#panic-free")
    assert "256 inputs" in tried.how, tried


def test_a_proof_is_one_that_the_judge_accepted(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    (tmp_path / "src" / "lib.rs").write_text(
        "/// The middle.\npub fn middle(a: u32, b: u32) -> u32 {\n    ((a as u64 + b as u64) / 2) as u32\n}\n"
    )
    found = hunt(tmp_path, Options(budget=None, inputs=500))
    (outcome,) = found.outcomes
    assert outcome.status is Status.PROVED
    assert "theorem" in outcome.proof and "sorry" not in outcome.proof
    assert set(outcome.axioms) <= {"propext", "Classical.choice", "Quot.sound"}
    assert outcome.effort.proof_tries >= 1
    (facts,) = found.functions
    assert facts.state == "translated" and facts.lean.first > 0
