"""Stages that sample by a server and train in processes of their own: what one samples the other takes as its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from launched_world import base, context

sys.path.append(str(Path(__file__).parents[1] / "provers"))
from served_world import install

from unsorry import Attempt, Cost, Problem, Prompt, Sampling, Status, UnsorryError, Verdict
from unsorry.pipeline import launch, samplers, weights
from unsorry.pipeline.policy import open_policy
from unsorry.pipeline.stage import Artifact, Inputs
from unsorry.pipeline.stages import head
from unsorry.problems import jsonl
from unsorry.training.batches import MicroBatches
from unsorry.training.lora import LoraShape
from unsorry.training.masks import Row, rows_from_attempt
from unsorry.training.rl import RlConfig

SERVED = 'sampler = "vllm"\nprocesses = 2'
PROBLEMS = [Problem(f"p{i}", f"theorem p{i} (n : Nat) : n + {i} = {i} + n := by sorry", (f"p{i}",)) for i in range(2)]
SAMPLING = Sampling(1.0, 1.0, 20, seed=3)


@pytest.fixture(autouse=True)
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", f"{install(tmp_path / 'bin')}:{os.environ['PATH']}")
    yield


def sampled(prover: Any, seed: int) -> list[Row]:
    """Rows of what it answers, for and against by turns."""
    groups = prover.propose([Prompt(p) for p in PROBLEMS], n=3, sampling=SAMPLING)
    made: list[Row] = []
    for problem, group in zip(PROBLEMS, groups, strict=True):
        for number, one in enumerate(group):
            verdict = Verdict(Status.REJECTED, "no_proof", "")
            attempt = Attempt(problem.id, prover.id, "", one.text, verdict, Cost(), seed, turns=(one.turn,))
            made += rows_from_attempt(attempt, (-1.0) ** number, key=f"{problem.id}#{number}", model=prover.id)
    return made


@pytest.mark.slow
def test_what_the_server_samples_is_on_policy_before_and_after_an_update(tmp_path: Path) -> None:
    """Reports 8 and 10: with weights that are not synchronised, the loss moves and the ratio to the sampler drifts."""
    where = context(tmp_path / "stage", SERVED)
    start = base(tmp_path / "base")
    config = RlConfig(lr=2e-2, micro=MicroBatches(400), seed=7, eps=1e-8)
    job = launch.job(where, "rl", start, config, output=where.folder / "adapter", lora=LoraShape(4, 8.0))
    policy = open_policy(where, start, job)
    seen = []
    stale: list[Row] = []
    for done in range(2):
        name = f"{start.name}+{done}"
        with policy.prover(name, max_tokens=20, journal=where.folder / f"{done}.journal") as prover:
            made = sampled(prover, done)
        assert made and not (where.folder / f"{done}.journal").exists()
        stale = stale or made
        (metrics,) = policy.update(made)
        assert metrics.mean_ratio == pytest.approx(1.0, abs=1e-3)
        assert metrics.kl == pytest.approx(0.0, abs=1e-5)
        policy.save({"done": done + 1})
        seen.append([row.input_ids for row in made])
    assert seen[0] != seen[1]  # the adapter answers, not the base
    (metrics,) = policy.update(stale)  # the naive way: answers of the first weights, scored by the third
    assert abs(metrics.mean_ratio - 1.0) > 1e-2
    policy.write(tmp_path / "model")
    found = weights.read(tmp_path / "model")
    assert found.adapter is not None
    with samplers.sampler(where, tmp_path / "model", max_tokens=20, training=True) as prover:
        assert prover.id == found.name
        sampled(prover, 9)
    assert samplers.server_config(where, 4).max_lora_rank == 4


def test_a_server_that_is_not_installed_is_one_line(tmp_path: Path) -> None:
    where = context(tmp_path / "stage", 'sampler = "vllm"\nvllm = "no-such-vllm"')
    base(tmp_path / "base")
    with (
        pytest.raises(UnsorryError, match="there is no program 'no-such-vllm'"),
        samplers.sampler(where, tmp_path / "base", max_tokens=20),
    ):
        raise AssertionError("it serves")


@pytest.mark.parametrize("served", [True, False])
def test_the_gap_of_the_head_is_that_of_the_sampler_that_the_run_uses(tmp_path: Path, served: bool) -> None:
    """Measured with another sampler than the rollouts', the gap would say nothing about them."""
    base(tmp_path / "base")
    jsonl.write(tmp_path / "valid.jsonl", PROBLEMS)
    inputs = Inputs(
        {
            "model": (Artifact("base", "model", tmp_path / "base", "k"),),
            "problems": (Artifact("problems", "valid", tmp_path / "valid.jsonl", "k"),),
        }
    )
    config = head.Config(statements=2, samples=2, max_tokens=12)
    where = context(tmp_path / "stage", SERVED if served else "", config=config, inputs=inputs)
    outcome = head.Head().run(where)
    low, high = (outcome.metrics[f"bfloat16 model, {name} head"] for name in ("bfloat16", "float32"))
    assert low["tokens"] and low["mean"] != high["mean"] and max(low["max"], high["max"]) < 1.0
    assert (where.folder / samplers.LOG).exists() == served
