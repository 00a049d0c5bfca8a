"""Training in processes of its own does what it does in this one, and its failures are one line."""

from __future__ import annotations

import json
import math
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from launched_world import Heard, base, context, rows
from safetensors.torch import load_file

from unsorry import UnsorryError
from unsorry.pipeline import launch, weights
from unsorry.pipeline.policy import Live, Policy, Separate, open_policy
from unsorry.training import worker
from unsorry.training.batches import MicroBatches
from unsorry.training.cispo import CispoConfig
from unsorry.training.lora import LoraShape
from unsorry.training.midtrain import MidtrainConfig
from unsorry.training.optimiser import Schedule
from unsorry.training.rl import RlConfig
from unsorry.training.rowfile import read_rows, write_rows
from unsorry.training.sft import SftConfig

LORA = LoraShape(4, 8.0)
TWO = "processes = 2"
MICRO = MicroBatches(150)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> weights.Weights:
    return base(tmp_path_factory.mktemp("base"))


def sft_job(where: Any, start: weights.Weights, **options: Any) -> worker.Job:
    config = SftConfig(lr=1e-3, epochs=2, step_tokens=150, micro=MICRO, schedule=Schedule("cosine", 2, 0.1), seed=7)
    values = {"output": where.folder / "model" / "adapter", "lora": LORA, "every": 2, **options}
    return launch.job(where, "sft", start, config, **values)


def rl_job(where: Any, start: weights.Weights) -> worker.Job:
    config = RlConfig(lr=1e-3, cispo=CispoConfig(5.0, 0.5), updates=2, micro=MICRO, seed=7, eps=1e-8)
    return launch.job(where, "rl", start, config, output=where.folder / "adapter", lora=LORA)


def adapter(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "adapter_model.safetensors")


def close(first: dict[str, torch.Tensor], second: dict[str, torch.Tensor], limit: float) -> bool:
    """Whether adapters agree: relative error of all weights together."""
    assert first.keys() == second.keys()
    one, two = (torch.cat([part[name].flatten() for name in sorted(part)]) for part in (first, second))
    return float(torch.linalg.vector_norm(one - two) / torch.linalg.vector_norm(one)) < limit


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    made = rows(9)
    write_rows(tmp_path / "deep" / "rows", made)
    assert read_rows(tmp_path / "deep" / "rows") == made
    write_rows(tmp_path / "none", [])
    assert read_rows(tmp_path / "none") == []
    (tmp_path / "none").write_bytes(b"\0" * 100)
    for path in (tmp_path / "none", tmp_path / "missing"):
        with pytest.raises(UnsorryError, match="holds no training rows"):
            read_rows(path)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["rows"]


def test_jobs_come_back_as_they_were(tmp_path: Path, start: weights.Weights) -> None:
    where = context(tmp_path)
    middle = launch.job(where, "midtrain", start, MidtrainConfig(seed=3), output=tmp_path / "m", adapter=None)
    for job in (sft_job(where, start, adapter=tmp_path / "a"), rl_job(where, start), middle):
        assert worker.Job.from_json(json.loads(json.dumps(job.as_json()))) == job


def test_two_processes_make_the_adapter_of_one(tmp_path: Path, start: weights.Weights) -> None:
    made = rows(11)
    found: dict[str, Any] = {}
    for name, resources in (("one", ""), ("two", TWO)):
        heard = Heard()
        where = context(tmp_path / name, resources, progress=heard)
        assert launch.separate(where) == bool(resources)
        job = sft_job(where, start)
        metrics = worker.loop_metrics(launch.train(where, job, made, where.folder / "training"))
        again = worker.loop_metrics(launch.train(where, job, [], where.folder / "training"))  # it is done
        assert metrics == again
        assert heard.steps[-1] == (len(metrics.steps), len(metrics.steps))
        found[name] = metrics, adapter(job.output)
    (one, first), (two, second) = found["one"], found["two"]
    assert [s.loss for s in two.steps] == pytest.approx([s.loss for s in one.steps], rel=1e-4)
    assert len(one.steps) > 2
    assert close(first, second, 2e-2)  # Adam moves a weight whose gradient is rounding noise by up to lr
    linked = weights.link_adapter(tmp_path / "two" / "model", start)
    assert weights.read(tmp_path / "two" / "model").digest == linked.digest != start.digest


def test_updates_by_two_processes_are_those_of_one(tmp_path: Path, start: weights.Weights) -> None:
    policies: dict[str, Policy] = {}
    for name, resources in (("one", ""), ("two", TWO)):
        where = context(tmp_path / name, resources)
        policies[name] = open_policy(where, start, rl_job(where, start))
    live, separate = policies["one"], policies["two"]
    assert isinstance(live, Live) and isinstance(separate, Separate)
    assert live.restore() is None and separate.restore() is None
    for seed in (1, 2):
        one, two = (policy.update(rows(9, seed)) for policy in (live, separate))
        assert [m.step for m in one] == [m.step for m in two] == [2 * seed - 1, 2 * seed]
        for first, second in zip(one, two, strict=True):
            assert second.tokens == first.tokens
            assert (second.loss, second.grad_norm, second.kl) == pytest.approx(
                (first.loss, first.grad_norm, first.kl), rel=1e-3
            )
        for policy in (live, separate):
            policy.save({"done": seed})
    live.write(tmp_path / "live")
    separate.write(tmp_path / "separate")
    assert close(adapter(tmp_path / "live" / "adapter"), adapter(tmp_path / "separate" / "adapter"), 2e-2)
    assert weights.read(tmp_path / "separate").digest == weights.read(tmp_path / "separate").digest

    # a killed run: what was done is found done, what was not told of is not done twice
    again = Separate(separate.context, start, separate.job)
    assert again.restore() == {"done": 2, "adapter": "updates/00002/adapter"}
    assert again.step == 4
    (separate.context.folder / "progress" / "00004.json").unlink()  # killed after the job, before the note
    again = Separate(separate.context, start, separate.job)
    assert again.restore() == {"done": 1, "adapter": "updates/00000/adapter"}
    before = (separate.context.folder / "updates" / "00002" / worker.METRICS).stat().st_mtime_ns
    told = again.update(rows(9, 2))
    assert again.step == 4 and [m.step for m in told] == [3, 4]
    assert (separate.context.folder / "updates" / "00002" / worker.METRICS).stat().st_mtime_ns == before


@pytest.mark.slow
def test_an_update_that_was_killed_before_its_end_is_done_again(tmp_path: Path, start: weights.Weights) -> None:
    """In one process of its own: no rounding between the two, so the second time gives the very same."""
    where = context(tmp_path, 'processes = 1\nsampler = "vllm"')
    assert launch.separate(where)
    policy = open_policy(where, start, rl_job(where, start))
    policy.update(rows(6, 1))
    policy.save({"done": 1})
    policy.update(rows(6, 2))
    folder = tmp_path / "updates" / "00002"
    first = adapter(folder / "adapter")
    (folder / worker.METRICS).unlink()  # the checkpoint was there, the metrics were not
    again = open_policy(where, start, rl_job(where, start))
    assert again.restore() is not None
    again.update(rows(6, 2))
    second = adapter(folder / "adapter")
    assert all(torch.equal(first[name], second[name]) for name in first)


@pytest.mark.slow
def test_bfloat16_base_and_float32_adapter_over_two_processes(tmp_path: Path, start: weights.Weights) -> None:
    """The 8B recipe's kind of weights: frozen ones in bfloat16, float32 factors and head, checkpointed layers."""
    found = []
    for name, resources in (("one", ""), ("two", TWO)):
        where = context(tmp_path / name, resources, dtype="bfloat16")
        job = sft_job(where, start, offload=True)
        metrics = worker.loop_metrics(launch.train(where, job, rows(8), where.folder / "training"))
        found.append([step.loss for step in metrics.steps])
        assert all(value.dtype == torch.float32 for value in adapter(job.output).values())
    assert found[1] == pytest.approx(found[0], rel=2e-2)


@pytest.mark.slow
def test_midtraining_over_two_processes_writes_a_model(tmp_path: Path, start: weights.Weights) -> None:
    losses = []
    for name, resources in (("one", ""), ("two", TWO)):
        where = context(tmp_path / name, resources)
        config = MidtrainConfig(lr=1e-3, step_tokens=150, micro=MICRO, seed=7)
        job = launch.job(where, "midtrain", start, config, output=where.folder / "model" / "weights", adapter=None)
        found = worker.loop_metrics(launch.train(where, job, rows(8), where.folder / "training"))
        losses.append([step.loss for step in found.steps])
        linked = weights.link_base(where.folder / "model", job.output)
        assert linked.digest != start.digest
    assert losses[1] == pytest.approx(losses[0], rel=1e-4)


def test_why_a_rank_failed_is_one_line(tmp_path: Path, start: weights.Weights) -> None:
    where = context(tmp_path, TWO)
    bad = [replace(row, advantage=math.inf) for row in rows(5)]
    folder = tmp_path / "training"
    with pytest.raises(UnsorryError, match=r"training in 2 processes failed: step 0: loss") as error:
        launch.train(where, sft_job(where, start), bad, folder)
    assert "\n" not in str(error.value) and str(folder / "log") in str(error.value)
    with pytest.raises(UnsorryError, match="there is no model folder"):
        launch.train(where, sft_job(where, start, base=tmp_path / "none"), rows(5), folder)


@pytest.mark.slow
def test_a_killed_rank_is_told_and_leaves_nothing(tmp_path: Path, start: weights.Weights) -> None:
    where = context(tmp_path, TWO)
    job = sft_job(where, start)
    job = replace(job, config=replace(job.config, epochs=100_000))
    killed: list[int] = []

    def kill() -> None:
        until = time.monotonic() + 120
        while time.monotonic() < until and not killed:
            if (where.folder / "checkpoints").is_dir():
                killed.extend(ranks_of(tmp_path)[1:2])
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.2)

    thread = threading.Thread(target=kill)
    thread.start()
    with pytest.raises(UnsorryError, match="training in 2 processes failed: a process was ended by signal 9") as error:
        launch.train(where, job, rows(5), tmp_path / "training")
    thread.join()
    assert killed and "\n" not in str(error.value)
    assert not ranks_of(tmp_path)


def ranks_of(folder: Path) -> list[int]:
    """The workers on the job in this folder, by start."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"unsorry.training.worker" in words and b"torch.distributed.run" not in words:
            found += [int(path.parent.name)] if str(folder).encode() in b"".join(words) else []
    return sorted(found)
