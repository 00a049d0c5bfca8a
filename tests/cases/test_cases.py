"""Two migrations that people did with a prover: Imp brought to Lean, and an alias that `rw` does not see through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from unsorry import Problem, Status
from unsorry.judge import Reason, StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain

CASES = Path(__file__).parent
IMP = (CASES / "imp" / "problem.lean").read_text()
IMP_PROVED = (CASES / "imp" / "submission.lean").read_text()
ALIAS_DEF = (CASES / "alias" / "def.lean").read_text()
ALIAS_ABBREV = (CASES / "alias" / "abbrev.lean").read_text()

imp = Problem(id="imp", statement=IMP, targets=tuple(re.findall(r"^theorem (\w+)", IMP, re.MULTILINE)))


def alias(source: str) -> Problem:
    """The alias file with its proofs taken out."""
    statement = re.sub(r":= by\n(  .*\n)+", ":= by sorry\n", source)
    return Problem(id="alias", statement=statement, targets=("use", "L2_length"))


@pytest.fixture(scope="module")
def judge(embedded: Toolchain) -> Iterator[StrictJudge]:
    with StrictJudge(embedded, choose("strict")) as opened:
        yield opened


def test_imp_elaborates_with_one_hole_for_each_target(embedded: Toolchain) -> None:
    run = run_lean(embedded, IMP)
    assert run.ok
    assert "plus2_spec" in imp.targets
    assert [m.severity for m in run.messages] == ["warning"] * len(imp.targets)
    assert all("sorry" in m.text for m in run.messages)


def test_imp_is_proved_without_a_message(embedded: Toolchain) -> None:
    run = run_lean(embedded, IMP_PROVED)
    assert run.ok
    assert not run.messages


def test_the_judge_accepts_the_proofs_of_imp(judge: StrictJudge) -> None:
    verdict = judge.judge(imp, IMP_PROVED)
    assert verdict.accepted, verdict
    assert set(verdict.axioms) <= {"propext", "Quot.sound", "Classical.choice"}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("rw [update_eq, ← this, h1]", "sorry", Reason.AXIOMS_SORRY),
        ("decide (aeval a1 st ≤ aeval a2 st)", "decide (aeval a1 st < aeval a2 st)", Reason.DEFINITION_DIFFERS),
        ("theorem plus2_spec", "axiom plus2_spec", Reason.COMPILE_FAILED),
        ('st\' "X" = n + 2 := by\n', 'st\' "X" = n + 2 ∨ True := by\n  refine Or.inl ?_\n', Reason.TYPE_DIFFERS),
        ("theorem skip_left", "theorem skip_left'", Reason.TARGET_MISSING),
    ],
)
def test_the_judge_rejects_imp_with_a_hole_or_another_meaning(
    judge: StrictJudge, old: str, new: str, reason: Reason
) -> None:
    assert IMP_PROVED.count(old) == 1
    verdict = judge.judge(imp, IMP_PROVED.replace(old, new))
    assert (verdict.status, verdict.reason) == (Status.REJECTED, reason), verdict


def test_the_alias_by_def_fails_where_lean_looks_through_the_alias(embedded: Toolchain) -> None:
    run = run_lean(embedded, ALIAS_DEF)
    assert [(m.line, m.column) for m in run.errors] == [(10, 6), (15, 14)]
    assert "Did not find an occurrence of the pattern" in run.errors[0].text


def test_the_alias_by_abbrev_is_the_only_change_and_passes(embedded: Toolchain) -> None:
    before, after = ALIAS_DEF.splitlines(), ALIAS_ABBREV.splitlines()
    assert [(a, b) for a, b in zip(before[1:], after[1:], strict=True) if a != b] == [
        ("def T2 := List Bool", "abbrev T2 := List Bool")
    ]
    run = run_lean(embedded, ALIAS_ABBREV)
    assert run.ok
    assert not run.messages


def test_the_judge_accepts_the_alias_by_abbrev_only(judge: StrictJudge) -> None:
    assert judge.judge(alias(ALIAS_ABBREV), ALIAS_ABBREV).accepted
    for problem in (alias(ALIAS_ABBREV), alias(ALIAS_DEF)):
        verdict = judge.judge(problem, ALIAS_DEF)
        assert (verdict.status, verdict.reason) == (Status.REJECTED, Reason.COMPILE_FAILED)


def test_the_alias_by_def_is_provable_when_the_proof_opens_it(judge: StrictJudge) -> None:
    repaired = ALIAS_DEF.replace("rw [len]", "exact len (L2 n)").replace("simp [L2, ih]", "exact congrArg Nat.succ ih")
    assert judge.judge(alias(ALIAS_DEF), repaired).accepted
    verdict = judge.judge(alias(ALIAS_ABBREV), repaired)  # to the kernel `def` and `abbrev` are one
    assert verdict.status is Status.ACCEPTED, verdict
