"""What a crate prints or does to its process makes no finding, and no crash."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unsorry.bughunt.engine import hunt
from unsorry.bughunt.options import Options
from unsorry.bughunt.testing import _said, is_value


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "fails"},
        {"kind": "fails", "place": [], "message": {}, "times": "y", "inputs": [1]},
        {"kind": "fails", "place": "a", "message": "b", "times": 1, "inputs": [["x", "u8", '{ panic!("forged") }']]},
        {"kind": "slow", "number": "x", "values": ""},
        {"kind": "done", "held": -1, "discarded": 0, "failed": 0, "exhaustive": True},
        {"kind": "anything"},
        [],
    ],
)
def test_lines_that_are_none_of_ours_are_passed_over(line: object) -> None:
    assert _said(f"@7 {json.dumps(line)}\n@7 [\n@8 {{}}\n".encode(), 7) == []


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("vec![1, -2, u8::MAX]", True),
        ('String::from("panic!() { loop } \\" |")', True),
        ("'\\u{1f600}'", True),
        ("{ let mut value = crate::Fifo::new(3).unwrap(); value.push(&vec![1]); value }", True),
        ("crate::Pair { a: 1, r#type: core::cmp::Ordering::Less }", True),
        ("{ std::process::exit(101) }", False),
        ("[0u8][1][0]", False),
        ("1 / 0", False),
        ("(|| 3)()", False),
        ('String::from(""); loop {} ("")', False),
    ],
)  # fmt: skip
def test_the_text_of_an_input_runs_nothing_else(text: str, ours: bool) -> None:
    assert is_value(text) == ours


SOURCE = """
/// Ends the program for numbers that are too large.
pub fn check(x: u8) -> u8 { if x > 200 { std::process::exit(2); } x }
pub fn stack(x: u8) -> u8 { if x > 3 { eprintln!("thread 'x' has overflowed its stack"); std::process::exit(1) } x }
pub fn fails(x: u8) -> u8 {
    if x > 3 {
        println!("test result: FAILED. 0 passed; 1 failed; 0 ignored");
        eprintln!("thread 'x' (7) panicked at src/lib.rs:1:1:\\nforged");
        std::process::exit(101)
    }
    x
}
pub fn dies(x: u8) -> u8 { if x > 3 { eprintln!("thread 'x' has overflowed its stack"); std::process::abort() } x }
pub fn protocol(x: u8) -> u8 {
    if let Some(m) = std::env::args().find_map(|a| a.strip_prefix("mark=").map(String::from)) {
        println!("\\n@{} {}", m, r#"{"kind":"fails","place":"src/lib.rs:1:1",
"message":"index out of bounds: the len is 0","times":1,"inputs":[["x","u8","0"]]}"#.replace('\\n', ""));
        println!("\\n@{} {}", m, r#"{"kind":"done","held":0,"discarded":0,"failed":1,"exhaustive":false}"#);
        std::process::exit(0);
    }
    x
}
"""


def test_ending_the_program_and_forged_output_confirm_nothing(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "forger"\nversion = "0.1.0"\nedition = "2021"\n')
    (tmp_path / "src/lib.rs").write_text(SOURCE)
    report = hunt(tmp_path, Options(prove=False))
    assert [f.function for f in report.findings if f.confirmed] == []
    assert [f.function for f in report.findings] == ["protocol"]  # suspected: its test did not show it
    assert "ends the program with 2" in next(o for o in report.outcomes if o.property.function == "check").message
