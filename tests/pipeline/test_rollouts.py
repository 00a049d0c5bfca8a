"""Rollouts: made once, kept whole, the same whether or not a run was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from scripted_model import PROOFS, SUCC, ZERO, ScriptedModel
from unsorry import UnsorryError
from unsorry.judge.tiered import TieredJudge
from unsorry.pipeline import shards
from unsorry.pipeline.rollouts import Rollouts, chunk_seed, rollouts
from unsorry.provers.formats import make
from unsorry.scaffolds.correction import CorrectionTurns
from unsorry.scaffolds.sampled import SampledProof

PLAIN = make("plain")
COPIES = [replace(problem, id=f"{problem.id}_{i}") for i in range(3) for problem in (ZERO, SUCC)]
SCRIPT = {p.id: [[PROOFS[p.targets[0]]], ["by rfl", PROOFS[p.targets[0]]]] for p in COPIES}


def roll(folder: Path, judge: TieredJudge, model: ScriptedModel | None = None, **options: object) -> Rollouts:
    given = {"n": 2, "seed": 7, "chunk": 2, **options}
    problems = given.pop("problems", COPIES)
    scaffold = given.pop("scaffold", SampledProof(PLAIN))
    return rollouts(problems, scaffold, model or ScriptedModel(SCRIPT), judge, folder=folder, **given)  # type: ignore[arg-type]


def test_attempts_come_in_the_order_of_the_problems(tiered: TieredJudge, tmp_path: Path) -> None:
    done = roll(tmp_path, tiered)
    attempts = list(done)
    assert [a.problem for a in attempts] == [p.id for p in COPIES for _ in range(2)]
    assert [a.verdict.accepted for a in attempts] == [True, False] * 6
    assert [len(group) for group in done.groups()] == [2] * 6
    assert list(done) == attempts  # as often as wanted
    assert [path.name for path in done.paths] == ["00000.jsonl", "00001.jsonl", "00002.jsonl"]


def test_real_attempts_come_back_as_they_were(tiered: TieredJudge, tmp_path: Path) -> None:
    groups = CorrectionTurns(PLAIN).attempt_many(COPIES[:2], ScriptedModel(SCRIPT), tiered, n=2)
    made = [attempt for group in groups for attempt in group]
    shards.write(tmp_path / "a.jsonl", {}, made)
    assert list(shards.read(tmp_path / "a.jsonl")) == made
    assert {len(a.turns) for a in made} == {1, 2} and made[0].verdict.certificate


def test_each_chunk_has_a_seed_of_its_own(tiered: TieredJudge, tmp_path: Path) -> None:
    model = ScriptedModel(SCRIPT)
    done = roll(tmp_path, tiered, model)
    seeds = [seed for _, _, seed in model.asked]
    assert seeds == [chunk_seed(7, index) for index in range(3)] and len(set(seeds)) == 3
    assert [a.seed for a in done] == [seed for seed in seeds for _ in range(4)]
    assert all(0 <= chunk_seed(s, i) < 2**63 for s in range(20) for i in range(20))


def test_a_finished_shard_is_not_made_again(tiered: TieredJudge, tmp_path: Path) -> None:
    first = roll(tmp_path, tiered)
    kept = list(first)
    (tmp_path / "00001.jsonl").unlink()
    (tmp_path / ".00001.jsonl.77.tmp").write_bytes(b'{"format"')
    model = ScriptedModel(SCRIPT)
    again = roll(tmp_path, tiered, model)
    assert [[p.problem.id for p in prompts] for prompts, _, _ in model.asked] == [[p.id for p in COPIES[2:4]]]
    assert again.fingerprint == first.fingerprint
    assert [a.submission for a in again] == [a.submission for a in kept]
    assert not list(tmp_path.glob(".*.tmp"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"n": 1}, "n differ"),
        ({"seed": 8}, "seed"),
        ({"problems": COPIES[1:]}, "problems"),
        ({"problems": [replace(p, preamble=p.preamble + "\n") for p in COPIES]}, "other problem texts"),
        ({"scaffold": CorrectionTurns(PLAIN)}, "scaffold, settings"),
        ({"model": ScriptedModel(SCRIPT, id="other")}, "prover"),
    ],
)
def test_rollouts_of_something_else_are_not_taken(
    tiered: TieredJudge, tmp_path: Path, change: dict[str, object], says: str
) -> None:
    roll(tmp_path, tiered)
    with pytest.raises(UnsorryError, match=f"holds rollouts of another run .*{says}"):
        roll(tmp_path, tiered, **change)  # type: ignore[arg-type]


def test_two_problems_of_one_name_are_refused(tiered: TieredJudge, tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="two problems are called zero_add_0"):
        roll(tmp_path, tiered, problems=[COPIES[0], replace(COPIES[1], id=COPIES[0].id)])


def test_two_runs_do_not_write_in_one_folder(tiered: TieredJudge, tmp_path: Path) -> None:
    class Meanwhile(ScriptedModel):
        def propose(self, prompts, *, n, sampling):  # type: ignore[no-untyped-def]
            with pytest.raises(UnsorryError, match="another run is writing"):
                roll(tmp_path, tiered)
            return super().propose(prompts, n=n, sampling=sampling)

    assert len(list(roll(tmp_path, tiered, Meanwhile(SCRIPT), problems=COPIES[:2]))) == 4


def test_a_folder_that_cannot_be_made_is_one_line(tiered: TieredJudge, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnsorryError, match="cannot write in"):
        roll(tmp_path / "file" / "below", tiered)


CHILD = """
import sys, time
from pathlib import Path
from test_rollouts import COPIES, PLAIN, SCRIPT
from scripted_model import ScriptedModel
from unsorry.judge.fast import FastJudge
from unsorry.judge.judge import StrictJudge
from unsorry.judge.tiered import TieredJudge
from unsorry.lean import toolchain
from unsorry.lean.process import Unconfined
from unsorry.pipeline import shards
from unsorry.pipeline.rollouts import rollouts
from unsorry.scaffolds.correction import CorrectionTurns

class Logged(ScriptedModel):
    def propose(self, prompts, *, n, sampling):
        with open(sys.argv[2], "a") as log:
            log.write(f"{prompts[0].problem.id} {len(prompts[0].messages)}\\n")
        return super().propose(prompts, n=n, sampling=sampling)

lean = toolchain.embedded()
with TieredJudge(StrictJudge(lean, Unconfined()), FastJudge(lean, Unconfined())) as judge:
    prover, folder = Logged(SCRIPT), Path(sys.argv[1])
    done = rollouts(COPIES, CorrectionTurns(PLAIN), prover, judge, n=2, seed=7, folder=folder, chunk=2)
    print(done.fingerprint)
"""


def run(folder: Path, log: Path) -> subprocess.Popen[str]:
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (here, here.parent)))}
    command = [sys.executable, "-c", CHILD, str(folder), str(log)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", tmp_path / "whole.log")
    unbroken = whole.communicate(timeout=120)[0]
    broken = tmp_path / "broken"
    child = run(broken, tmp_path / "broken.log")
    deadline = time.monotonic() + 120
    while not (broken / "00000.jsonl").exists() and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(child.pid, signal.SIGKILL)  # somewhere in the second chunk
    child.communicate()
    assert not (broken / "00002.jsonl").exists()
    resumed = run(broken, tmp_path / "broken.log").communicate(timeout=120)[0]
    assert resumed == unbroken and len(unbroken.strip()) == 64
    asked = (tmp_path / "broken.log").read_text().splitlines()
    assert asked.count("zero_add_0 1") == 1  # the chunk that was finished was not paid for again
