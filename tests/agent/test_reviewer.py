"""Every judge of the agent has the same limits: the processor's time first, the wall clock far behind."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from lean_world import TOWN, project

from unsorry.judge.judge import LIMITS
from unsorry.lean.process import Completed, Limits, Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.scripted import ScriptedProver
from unsorry.scaffolds.agent.lemmas import Lemmas
from unsorry.scaffolds.agent.limits import until
from unsorry.scaffolds.agent.mcp.serving.work import Work
from unsorry.scaffolds.agent.provers_tool import Provers
from unsorry.scaffolds.agent.reviewer import CPU, LEAST, WALL, reviewer

FILES = {
    **TOWN,
    "Lemma.lean": "theorem kept : 1 = 1 := rfl\n",
    "Goal.lean": "import Town.Base\n\ntheorem open_ : twice 1 = 2 := by\n  sorry\n",
}


class Noting(Unconfined):
    """Keeps the limits of the judges' runs, which are those with their limit of a file."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, float]] = []

    def run(self, *args: Any, limits: Limits, **more: Any) -> Completed:
        if limits.file_size == LIMITS.file_size:
            self.seen.append((limits.cpu, limits.wall))
        return super().run(*args, limits=limits, **more)


def test_a_busy_machine_changes_no_verdict_of_a_lemma_or_a_prover(tmp_path: Path, embedded: Toolchain) -> None:
    assert WALL >= 3 * CPU > 0
    noting = Noting()
    town = project(tmp_path / "town", embedded, FILES, confinement=noting)
    try:
        assert Lemmas(town).save(Path("Lemma.lean"), "kept").usable
        assert len(noting.seen) >= 2  # statement and submission
        assert set(noting.seen) == {(CPU, WALL)}
        noting.seen.clear()
        provers = Provers(town, (), made={"scripted": ScriptedProver({"open_": "rfl"})})
        assert provers.attempt(Path("Goal.lean"), disprove=False).closed == 1
        assert noting.seen.count((CPU, WALL)) >= 2
        assert min(wall for _, wall in noting.seen) > LIMITS.wall  # imports that are compiled first have their own
    finally:
        town.close()


def test_what_the_run_has_left_bounds_a_judge(embedded: Toolchain) -> None:
    with until(time.monotonic() + 100.0), reviewer(embedded, Unconfined()) as judge:
        assert LEAST <= judge.limits.wall <= 100.0
        assert judge.limits.cpu <= 100.0
        assert judge.kernel_limits.wall <= 100
    with until(time.monotonic() - 1.0), reviewer(embedded, Unconfined(), seconds=50.0) as judge:
        assert judge.limits.wall == LEAST
    with reviewer(embedded, Unconfined()) as judge:
        assert (judge.limits.cpu, judge.limits.wall, judge.kernel_limits.cpu) == (CPU, WALL, CPU)


def test_the_server_has_the_same_judge(tmp_path: Path, embedded: Toolchain) -> None:
    work = Work(tmp_path, sandbox="none")
    try:
        judge = work._standing(embedded)
        assert (judge.limits.cpu, judge.limits.wall) == (CPU, WALL)
    finally:
        work.close()
