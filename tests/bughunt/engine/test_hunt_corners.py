"""Inputs that chance alone does not find: long lists, corners of what a constructor accepts; and the machine's own."""

from __future__ import annotations

from pathlib import Path

from unsorry.bughunt.engine import hunt
from unsorry.bughunt.findings import Finding, Reason
from unsorry.bughunt.options import Options

SOURCE = """
pub fn encode(body: &[u8]) -> Vec<u8> {
    let mut out = vec![body.len() as u8];
    out.extend_from_slice(body);
    out
}
pub fn decode(bytes: &[u8]) -> Option<Vec<u8>> {
    let len = *bytes.first()? as usize;
    if bytes.len() != len + 1 { return None; }
    Some(bytes[1..].to_vec())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp { hour: u8, minute: u8, day: u16 }

impl Stamp {
    pub fn new(day: u16, hour: u8, minute: u8) -> Option<Stamp> {
        if hour < 24 && minute < 60 { Some(Stamp { hour, minute, day }) } else { None }
    }
    pub fn next_minute(self) -> Stamp {
        if self.minute < 59 { return Stamp { minute: self.minute + 1, ..self }; }
        if self.hour < 23 { return Stamp { minute: 0, hour: self.hour + 1, ..self }; }
        Stamp { minute: 0, hour: 0, day: self.day + 1 }
    }
}

pub fn configured() -> usize { std::fs::read("/etc/stranger.conf").unwrap().len() }
pub fn variable() -> usize { std::env::var("STRANGER").unwrap().len() }
"""


def test_long_lists_and_corners_are_tried_and_files_are_not_blamed(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "stamps"\nversion = "0.1.0"\nedition = "2021"\n')
    (tmp_path / "src/lib.rs").write_text(SOURCE)
    found: dict[str, Finding] = {f.function: f for f in hunt(tmp_path, Options(prove=False)).findings}
    assert {name for name, f in found.items() if f.confirmed} == {"decode", "Stamp::next_minute"}
    assert found["decode"].witness == (("body", "vec![0; 256]"),)
    assert found["Stamp::next_minute"].witness == (("this", "crate::Stamp::new(u16::MAX, 23, 59).unwrap()"),)
    assert {found[name].reason for name in ("configured", "variable")} == {Reason.PRECONDITION}
