"""Strict verdicts on a toolchain whose core library consists of modules, in three parts each, as official ones do."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from module_world import core_as_modules, toolchain_at
from unsorry import Problem, Status
from unsorry.judge import Reason, StrictJudge, library_check
from unsorry.judge.library import Library
from unsorry.judge.sandbox import probe
from unsorry.lean.names import Name
from unsorry.lean.process import Confinement, Unconfined
from unsorry.lean.toolchain import Toolchain

pytestmark = pytest.mark.slow
INIT = Name(("Init",))
ADD = Problem("add", "theorem add_swap (a b : Nat) : a + b = b + a := by sorry", ("add_swap",))
TREE = Problem(
    "tree",
    "theorem Tree.size_mirror (t : Tree α) : t.mirror.size = t.size := by sorry",
    ("Tree.size_mirror",),
    preamble="""
inductive Tree (α : Type u) where
  | leaf
  | node (l : Tree α) (x : α) (r : Tree α)
def Tree.mirror : Tree α → Tree α
  | .leaf => .leaf
  | .node l x r => .node r.mirror x l.mirror
def Tree.size : Tree α → Nat
  | .leaf => 0
  | .node l _ r => l.size + r.size + 1""",
)
STATED = "theorem add_swap (a b : Nat) : a + b = b + a := "
VERDICTS = {
    "omega": (ADD, STATED + "by omega", Reason.ACCEPTED),
    "simp": (ADD, STATED + "by simp [Nat.add_comm]", Reason.ACCEPTED),
    "induction": (
        TREE,
        TREE.preamble + "\ntheorem Tree.size_mirror (t : Tree α) : t.mirror.size = t.size := by\n"
        "  induction t <;> simp_all [Tree.mirror, Tree.size, Nat.add_comm]\n",
        Reason.ACCEPTED,
    ),
    "sorry": (ADD, STATED + "by sorry", Reason.AXIOMS_SORRY),
    "axiom": (ADD, "axiom wish : False\n" + STATED + "wish.elim", Reason.AXIOMS_ILLEGAL),
    "other statement": (ADD, "theorem add_swap (a : Nat) : a + a = a + a := rfl", Reason.TYPE_DIFFERS),
    "a module": (ADD, "module\n" + STATED + "by omega", Reason.OLEAN_MODULE_SYSTEM),
}


@pytest.fixture(scope="module")
def modules(embedded: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Toolchain:
    """Built once for all workers of a test run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "core-modules"
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "bin" / "lean").exists():
            core_as_modules(folder, embedded)
    return toolchain_at(folder, embedded)


@pytest.fixture(scope="module")
def confinement() -> Confinement | None:
    """The strict sandbox where there is one."""
    return None if probe().strict else Unconfined()


@pytest.fixture(scope="module")
def judge(modules: Toolchain, confinement: Confinement | None) -> Iterator[StrictJudge]:
    with StrictJudge(modules, confinement) as made:
        yield made


@pytest.mark.parametrize("what", VERDICTS, ids=lambda w: w.replace(" ", "-"))
def test_verdicts(judge: StrictJudge, what: str) -> None:
    problem, submission, reason = VERDICTS[what]
    verdict = judge.judge(problem, submission)
    assert verdict.reason == reason.value, verdict


def test_a_module_as_statement_is_the_problems_fault(judge: StrictJudge) -> None:
    problem = Problem("m", ADD.statement, ADD.targets, preamble="module\n")
    assert judge.judge(problem, STATED + "by omega").reason == Reason.STATEMENT_INVALID.value


def test_the_full_replay_agrees(modules: Toolchain, confinement: Confinement | None) -> None:
    with StrictJudge(modules, confinement, full_replay=True) as judge:
        verdict = judge.judge(ADD, STATED + "by omega")
    assert verdict.status is Status.ACCEPTED, verdict


def test_the_kernel_accepts_everything_that_is_read_from_the_parts(
    modules: Toolchain, embedded: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All values, hidden ones too, stand the check from an empty environment, of the same kinds as a plain build."""
    monkeypatch.setattr(library_check, "cache_folder", lambda: tmp_path)
    scope, plain = Library(modules).scope([INIT]), Library(embedded).scope([INIT])
    assert scope.modules == plain.modules and len(scope.paths) == 3 * len(plain.paths)
    shared = set(scope.names) & set(plain.names)
    assert len(shared) > 0.9 * len(list(plain.names))
    for name in shared:
        ours, theirs = scope.find(name), plain.find(name)
        assert ours is not None and theirs is not None
        assert (ours.kind, ours.safety, ours.value is None) == (theirs.kind, theirs.safety, theirs.value is None), name
    assert library_check.check_library(modules, scope).constants > 5000
