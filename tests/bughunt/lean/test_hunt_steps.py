"""Short proofs of a crate's properties, found in one run and accepted by the strict judge."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.hunt_differential import write_crate

from unsorry.bughunt import quick
from unsorry.bughunt.inputs import Inputs
from unsorry.bughunt.options import Options
from unsorry.bughunt.properties import generate
from unsorry.bughunt.proving import Lean
from unsorry.bughunt.rust import read_crate
from unsorry.bughunt.statements import exact
from unsorry.bughunt.triage import Triage
from unsorry.judge.judge import StrictJudge
from unsorry.judge.sandbox import choose

RUST = """
pub struct Pair { low: u8, high: u8 }
impl Pair {
    pub fn new(low: u8, high: u8) -> Pair { Pair { low, high } }
    pub fn wide(&self) -> u16 { self.low as u16 + self.high as u16 }
    pub fn gap(&self) -> u8 { self.high - self.low }
    pub fn clear(&mut self) { self.low = 0; }
}
pub fn digits(n: u32) -> u32 {
    let mut rest = n / 10;
    let mut count = 1;
    while rest > 0 { rest /= 10; count += 1; }
    count
}
pub fn next(n: u8) -> u8 { n + 1 }
"""
PROVED = {"Pair::new", "Pair::wide", "Pair::clear", "digits"}
FALSE = {"Pair::gap", "next"}


@pytest.fixture(scope="module")
def hunted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lean, dict[str, tuple[bool, bool]]]:
    """By function: whether a short proof was found, and whether the theorem says no more than the property."""
    folder = tmp_path_factory.mktemp("crate")
    write_crate(folder, RUST)
    crate = read_crate(Path(folder))
    inputs = Inputs(crate)
    confinement = choose("limits")
    lean = Lean(crate, Triage(crate, inputs, {}), Options(), confinement, lambda line: None)
    assert lean.translation is not None
    stated = [c for c in lean.stated(generate(crate, inputs)) if c.property.lean and c.shape == "panic-free"]
    texts = quick.proofs(lean.translation, stated, lean.toolchain, confinement, seconds=300)
    found = {}
    with StrictJudge(lean.toolchain, confinement, workers=1) as judge:
        for one, text in zip(stated, texts, strict=True):
            asked = lean.problem(one)
            good = bool(text) and judge.judge(asked, f"{asked.preamble}\n{text}").accepted
            found[one.property.function] = (good, exact(one, lean.translation))
    return lean, found


@pytest.mark.slow
def test_what_holds_is_proved_and_nothing_else(hunted: tuple[Lean, dict[str, tuple[bool, bool]]]) -> None:
    found = hunted[1]
    assert {name for name, (good, _) in found.items() if good} == PROVED
    assert found.keys() == PROVED | FALSE


@pytest.mark.slow
def test_private_fields_are_no_ground_for_a_negation(hunted: tuple[Lean, dict[str, tuple[bool, bool]]]) -> None:
    assert {name for name, (_, same) in hunted[1].items() if not same} == {"Pair::wide", "Pair::gap", "Pair::clear"}
