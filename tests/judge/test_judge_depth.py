"""Terms that are small as graphs and huge as trees, or very deep, through the whole judge: from a file to a verdict.

No person writes such terms; tactics do.  Lean is made to add them as they are, past its kernel, as in `redteam/`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from unsorry import Problem, Status
from unsorry.judge import StrictJudge
from unsorry.redteam import home

TARGET = "theorem target : True := by sorry"
PROBLEM = Problem("target", TARGET, ("target",))


def forging() -> str:
    """What the corpus's cases need to add declarations as they are, up to the constants of expressions."""
    text = (Path(home()) / "hostile" / "v50-shared-term" / "submission.lean").read_text(encoding="utf-8")
    return text[: text.index("def wide")]


EXTRA = """
@[extern "c", export l_Lean_Expr_bvar___override] opaque eVar (n : Nat) : Obj := .a 0 0
@[extern "c", export l_Lean_Expr_lam___override] opaque eLam (n : Lean.Name) (t b : Obj) (i : UInt8) : Obj := .a 0 0
theorem both (a b : True) : True := a
theorem same (a : True) : True := a
def up : Nat → (Obj → Obj) → Obj → Obj | 0, _, e => e | n + 1, f, e => up n f (f e)
def shared (n : Nat) (e : Obj) : Obj := up n (fun e => eApp (eApp (eConst `both []) e) e) e
def deep (n : Nat) (e : Obj) : Obj := up n (eApp (eConst `same [])) e
def binders (n : Nat) (e : Obj) : Obj :=
  up n (fun e => eApp (eLam `x (eConst `True []) e 0) (eConst `True.intro [])) e
"""


def submission(value: str) -> str:
    return f"""{forging()}{EXTRA}
syntax (name := forgeIt) "forge!" : command
@[command_elab forgeIt] def forge : Lean.Elab.Command.CommandElab := fun _ =>
  addRaw (.thm ⟨⟨`target, [], eConst `True []⟩, {value}, [`target]⟩)
forge!
"""


RIGHT, WRONG = "(eConst `True.intro [])", "(eConst `Nat.zero [])"


@pytest.mark.parametrize("shape", ["shared 300", "deep 1000", "binders 200"])
def test_a_proof_that_is_odd_and_right(judge: StrictJudge, shape: str) -> None:
    verdict = judge.judge(PROBLEM, submission(f"{shape} {RIGHT}"))
    assert verdict.accepted, (verdict.reason, verdict.message)
    assert verdict.certificate is not None and verdict.certificate["second"]["opinion"] == "agree"


@pytest.mark.parametrize(
    "shape",
    ["shared 300", "deep 1000", "binders 200", "shared 20000", pytest.param("deep 200000", marks=pytest.mark.slow)],
)
def test_a_proof_that_is_odd_and_wrong(judge: StrictJudge, shape: str) -> None:
    verdict = judge.judge(PROBLEM, submission(f"{shape} {WRONG}"))
    assert verdict.status is not Status.ACCEPTED
    assert verdict.reason.startswith(("replay.", "olean.", "compile.")), (verdict.reason, verdict.message)


@pytest.mark.parametrize(
    "shape",
    ["deep 30000", "shared 10000", *(pytest.param(s, marks=pytest.mark.slow) for s in ("deep 100000", "binders 5000"))],
)
def test_a_proof_beyond_what_can_be_checked_is_not_rejected_for_its_size(judge: StrictJudge, shape: str) -> None:
    """Accepted or undecided; where the kernel accepts, the second checker agrees or says that it is too deep."""
    verdict = judge.judge(PROBLEM, submission(f"{shape} {RIGHT}"))
    assert verdict.status in (Status.ACCEPTED, Status.UNDECIDED), (verdict.reason, verdict.message)
    assert verdict.reason not in {"internal", "second.disagrees"}, verdict.message
