"""Real Lean in every sandbox that there is here."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from unsorry.judge.sandbox import choose
from unsorry.lean.process import Confinement, Limits, run_lean
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain

sys.path.insert(0, str(Path(__file__).parent))  # whether or not this folder is a package
from sandboxes import BACKENDS, strict

LIMITS = Limits(wall=60.0, cpu=60.0, memory=2 << 30, file_size=64 << 20, processes=64)
GOOD = "theorem swap (a b : Nat) : a + b = b + a := by omega\n"


@pytest.fixture(params=[*BACKENDS, "limits", "none"])
def confinement(request: pytest.FixtureRequest) -> Confinement:
    if request.param in ("limits", "none"):
        return choose(request.param)
    found, why = strict(request.param)
    if found is None:
        pytest.skip(why)
    return found


def test_compiles(embedded: Toolchain, confinement: Confinement) -> None:
    run = run_lean(embedded, GOOD, olean=True, limits=LIMITS, confinement=confinement)
    assert run.ok, run
    assert run.olean and run.olean.startswith(b"olean")


def test_says_what_is_wrong(embedded: Toolchain, confinement: Confinement) -> None:
    run = run_lean(embedded, "theorem no : 1 = 2 := by decide\n", limits=LIMITS, confinement=confinement)
    assert len(run.errors) == 1 and run.errors[0].line == 1


def test_endless_proof_is_stopped(embedded: Toolchain, confinement: Confinement) -> None:
    text = (
        "set_option maxRecDepth 1000000\nset_option maxHeartbeats 0\n"
        "def f : Nat → Nat → Nat | 0, n => n | m+1, n => f m (f m n)\nexample : f 60 1 = 0 := by decide\n"
    )
    run = run_lean(embedded, text, limits=replace(LIMITS, wall=3.0), confinement=confinement)
    assert run.timed_out or not run.ok


def test_lean_code_reads_no_other_file(embedded: Toolchain, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("reference proof")
    secret.chmod(0o644)
    text = f'run_elab do\n  let text ← IO.FS.readFile "{secret}"\n  Lean.logInfo text\n'
    for backend in BACKENDS:
        found, _ = strict(backend)
        if found is not None:
            run = run_lean(embedded, text, limits=LIMITS, confinement=found)
            assert not any("reference proof" in message.text for message in run.messages)
            assert b"reference proof" not in run.completed.stdout + run.completed.stderr


def test_session(embedded: Toolchain, confinement: Confinement) -> None:
    with Session(embedded, confinement=confinement, limits=LIMITS) as session:
        assert session.check(GOOD).ok
        assert not session.check("theorem no : 1 = 2 := by decide\n").ok
        produced = session.check(GOOD, olean=True)
        assert produced.ok and produced.olean
