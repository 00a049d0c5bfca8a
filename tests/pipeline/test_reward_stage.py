"""The stage that shows the judge on the red team's corpus: the run's own judge, no longer than a case asks."""

from __future__ import annotations

import json
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from unsorry import Problem
from unsorry.judge.tiered import TieredJudge
from unsorry.redteam import corpus
from unsorry.redteam.judges import of_run

if TYPE_CHECKING:
    from conftest import Bench

ENDLESS, HONEST = "hostile/v67-endless-eval-after-proof", "honest/calc"


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """A corpus of one case that never ends, given a second, and one that is proved."""
    folder = tmp_path / "corpus"
    for name in (ENDLESS, HONEST):
        shutil.copytree(corpus.home() / name, folder / name)
    toml = folder / ENDLESS / "case.toml"
    text = toml.read_text()
    assert "seconds = 6\n" in text
    toml.write_text(text.replace("seconds = 6\n", "seconds = 1\n"))
    return folder


def test_an_endless_case_takes_its_own_time_and_not_the_run_s(bench: Bench, cases: Path) -> None:
    bench.write(f'[[stage]]\nkind = "reward"\ncorpus = "{cases}"\n', '[judge]\nseconds = 3600\nsandbox = "none"\n')
    bench.run()
    board = json.loads((bench.stage_folder("reward") / "scoreboard.json").read_text())
    assert (board["hostile"], board["honest"], board["undecided"]) == (1, 1, 1)
    assert board["false_accepts"] == board["false_rejects"] == 0


def test_a_case_is_judged_by_the_judge_of_the_run(tiered: TieredJudge, cases: Path) -> None:
    endless, honest = sorted(corpus.load(cases), key=lambda case: not case.hostile)
    with ExitStack() as stack:
        judge = of_run(tiered, stack)
        before = tiered.counts["asked"]
        assert getattr(judge(honest), "accepted", False) and tiered.counts["asked"] == before + 1
        verdict = judge(endless)
        assert getattr(verdict, "status", "") == "undecided" and tiered.counts["asked"] == before + 1
    assert tiered.judge(Problem("t", "theorem t : True := by sorry", ("t",)), "theorem t : True := trivial").accepted


def test_less_time_and_all_else_the_same(tiered: TieredJudge) -> None:
    hurried = tiered.within(2.0)
    assert hurried.strict.limits.wall == hurried.strict.limits.cpu == hurried.fast.limits.wall == 2.0
    assert hurried.strict.kernel_limits.wall == hurried.strict.kernel_limits.cpu == 2
    for mine, theirs in ((hurried.strict, tiered.strict), (hurried.fast, tiered.fast)):
        assert mine.limits.memory == theirs.limits.memory and mine.confinement is theirs.confinement
    assert hurried.toolchain is tiered.toolchain and hurried.strict.full_replay == tiered.strict.full_replay
    assert hurried.strict.library is tiered.strict.library and hurried.strict._kernels is tiered.strict._kernels
    patient = tiered.within(10**6)
    assert patient.strict.limits == tiered.strict.limits and patient.fast.limits == tiered.fast.limits
    assert patient.strict.kernel_limits == tiered.strict.kernel_limits
