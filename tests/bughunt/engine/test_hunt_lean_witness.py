"""A witness of Lean's becomes a Rust test; where Rust does not fail there, the translation is in doubt."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.confirm import Copy, confirm, replay
from unsorry.bughunt.engine import replayed
from unsorry.bughunt.findings import Claim, Fault, PropertyOutcome, Reason, Status
from unsorry.bughunt.inputs import Inputs
from unsorry.bughunt.literals import read_lean, read_value
from unsorry.bughunt.manifest import read_manifest
from unsorry.bughunt.properties import generate
from unsorry.bughunt.triage import Triage
from unsorry.bughunt.values import Data, Shapes
from unsorry.judge.sandbox import choose

U8S = ir.Vec(ir.U8)


@pytest.mark.parametrize(
    ("text", "ty", "value"),
    [
        ("0", ir.U8, 0),
        ("(-3)", ir.I32, -3),
        ("(Int.negSucc 2)", ir.I32, -3),
        ("(List.cons 1 (List.cons 2 List.nil))", U8S, [1, 2]),
        ("List.nil", U8S, []),
        ("Bool.true", ir.BOOL, True),
        ("(foo 3)", ir.U8, None),
        ("1 2", ir.U8, None),
        ("(List.cons 1", U8S, None),
    ],
)
def test_lean_terms_are_read(text: str, ty: ir.Type, value: object) -> None:
    assert read_lean(text, ty) == value


def test_rust_expressions_are_read() -> None:
    point = ir.Struct("Point", (), (ir.Field("x", ir.I32, True), ir.Field("on", ir.BOOL, True)))
    shapes = Shapes(ir.Crate("c", structs=(point,)))
    ty = ir.Adt("Point")
    assert read_value("crate::Point { x: i32::MIN, on: true }", ty, shapes) == Data("Point", "", (-(2**31), True))
    assert read_value("vec![1, u8::MAX]", U8S, shapes) == [1, 255]
    assert read_value("Some((1, '\\n'))", ir.option(ir.Tuple((ir.U8, ir.CHAR))), shapes) == Data(
        "Option", "Some", ((1, "\n"),)
    )
    assert read_value("{ let mut value = crate::Point::new(); value }", ty, shapes) is None
    assert read_value("crate::Point { x: 1 }", ty, shapes) is None


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Copy, Triage, Candidate]:
    pytest.importorskip("tree_sitter_rust", reason="the parser of the `hunt` extra is not installed")
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")
    from unsorry.bughunt.rust import read_crate

    folder: Path = tmp_path_factory.mktemp("made")
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text('[package]\nname = "made"\nversion = "0.1.0"\nedition = "2021"\n')
    (folder / "src" / "lib.rs").write_text(
        "/// Whether each is less than the next.\npub fn rising(xs: &[u8]) -> bool {\n    let mut i = 0;\n"
        "    while i < xs.len() {\n        if xs[i] >= xs[i + 1] {\n            return false;\n        }\n"
        "        i += 1;\n    }\n    true\n}\n"
    )
    manifest, crate = read_manifest(folder), read_crate(folder)
    inputs = Inputs(crate)
    (candidate,) = generate(crate, inputs)
    copy = Copy(crate, manifest.sources, manifest.root, manifest.flags)
    return copy, Triage(crate, inputs, manifest.sources), candidate


def test_a_witness_that_rust_confirms(made: tuple[Copy, Triage, Candidate]) -> None:
    copy, triage, candidate = made
    confinement = choose("strict")
    outcome = PropertyOutcome(
        candidate.property, Status.OPEN, "proof of the negation", (("xs", "vec![0u8]"),), negated=True, doubtful="?"
    )
    failure = replay(copy, candidate, outcome.witness, confinement)
    assert failure is not None
    shown, proposals = replayed(candidate, outcome, failure, triage)
    assert (shown.status, shown.doubtful) == (Status.REFUTED, "")
    (finding,) = confirm(copy, triage, proposals, confinement)
    assert (finding.claim, finding.fault) == (Claim.CONFIRMED, Fault.INDEX)


def test_a_witness_that_rust_does_not_show_stays_doubtful(made: tuple[Copy, Triage, Candidate]) -> None:
    copy, triage, candidate = made
    confinement = choose("strict")
    outcome = PropertyOutcome(
        candidate.property, Status.OPEN, "proof of the negation", (("xs", "vec![2u8, 1]"),), negated=True, doubtful="?"
    )
    failure = replay(copy, candidate, outcome.witness, confinement)
    assert failure is None
    assert replayed(candidate, outcome, failure, triage) == (outcome, [])


def test_a_claim_whose_test_passes_is_not_confirmed(made: tuple[Copy, Triage, Candidate]) -> None:
    """Whatever proposes it: the Rust run decides."""
    copy, triage, candidate = made
    confinement = choose("strict")
    failure = replay(copy, candidate, (("xs", "vec![0u8]"),), confinement)
    assert failure is not None
    outcome = PropertyOutcome(candidate.property, Status.OPEN, "")
    _, (proposal,) = replayed(candidate, outcome, failure, triage)
    wrong = replace(proposal, failure=replace(failure, inputs=(("xs", "Vec<u8>", "vec![2u8, 1]"),)))
    (finding,) = confirm(copy, triage, [wrong], confinement)
    assert (finding.claim, finding.reason) == (Claim.SUSPECTED, Reason.NOT_RUN)
    broken = replace(proposal, failure=replace(failure, inputs=(("xs", "Vec<u8>", "no such thing"),)))
    (finding,) = confirm(copy, triage, [broken], confinement)
    assert (finding.claim, finding.reason) == (Claim.SUSPECTED, Reason.NOT_RUN)
    assert "not run" in finding.explanation
