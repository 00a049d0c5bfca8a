"""A piece of training as a job: in this process, or in those that torchrun starts with this module and the job's file.

A job has a folder with `job.json`, the rows, and at the end `metrics.json`, which is written last: once it is there, so
is what the job was to make.  A job that was interrupted goes on from its checkpoints when it is performed again.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import PreTrainedTokenizerBase

from unsorry import UnsorryError
from unsorry.training import loop
from unsorry.training.batches import MicroBatches
from unsorry.training.checkpoint import Checkpointer
from unsorry.training.cispo import CispoConfig
from unsorry.training.distributed import Ranks, ranks
from unsorry.training.loop import LoopMetrics, Reporter, StepLoss
from unsorry.training.lora import LoraShape, attach, load_adapter, save_adapter
from unsorry.training.masks import Row
from unsorry.training.midtrain import MidtrainConfig
from unsorry.training.model import load_model, save_model
from unsorry.training.offload import checkpoint_layers
from unsorry.training.optimiser import Schedule
from unsorry.training.rl import RlConfig, RlStep
from unsorry.training.rowfile import read_rows
from unsorry.training.sft import SftConfig

JOB, ROWS, METRICS, ERRORS = "job.json", "rows.safetensors", "metrics.json", "errors"  # in a job's folder
CONFIGS: Mapping[str, type[Any]] = {"sft": SftConfig, "midtrain": MidtrainConfig, "rl": RlConfig}
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Job:
    """What is trained on what.  `midtrain` trains all weights and writes a model, the others an adapter.

    `adapter` is where they start, None a new one of the shape `lora` and the seed `seed`.  `rl` is one set of rollouts
    (one update or two), after `step` optimiser steps.
    """

    kind: str  # of CONFIGS
    base: Path
    output: Path
    checkpoints: Path
    identity: str  # see Checkpointer
    config: Any  # of the class in CONFIGS
    adapter: Path | None = None
    lora: LoraShape | None = None
    seed: int = 0
    every: int = 0  # steps between two checkpoints; 0: one at the end
    step: int = 0
    offload: bool = False
    dtype: str = "float32"
    attention: str = "sdpa"
    fp32_head: bool = False
    threads: int = 0  # of torch in all processes together; 0: the cores

    def as_json(self) -> dict[str, Any]:
        return {
            **asdict(self),
            **{name: str(value) for name in ("base", "output", "checkpoints") if (value := getattr(self, name))},
            "adapter": str(self.adapter) if self.adapter is not None else None,
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Job:
        values = dict(raw)
        config = dict(values["config"])
        config["betas"] = tuple(config["betas"])
        config["micro"], config["schedule"] = MicroBatches(**config["micro"]), Schedule(**config["schedule"])
        if "cispo" in config:
            config["cispo"] = CispoConfig(**config["cispo"])
        values["config"] = CONFIGS[values["kind"]](**config)
        for name in ("base", "output", "checkpoints"):
            values[name] = Path(values[name])
        values["adapter"] = Path(values["adapter"]) if values["adapter"] else None
        if values["lora"]:
            targets = values["lora"]["targets"]
            shape = {**values["lora"], "targets": targets if isinstance(targets, str) else tuple(targets)}
            values["lora"] = LoraShape(**shape)
        return cls(**values)


def load(job: Job, here: Ranks) -> tuple[nn.Module, PreTrainedTokenizerBase]:
    """The model that the job trains, and its tokenizer."""
    # With several ranks, sharding moves each layer to its card: no card need hold the model as a whole.
    device = here.device if here.world == 1 else torch.device("cpu")
    model, tokenizer = load_model(
        job.base, dtype=job.dtype, device=device, attention=job.attention, fp32_head=job.fp32_head
    )
    policy: nn.Module = model
    if job.kind != "midtrain":
        if job.lora is None:
            raise UnsorryError(f"job {job.kind}: no shape for its adapter")
        if job.adapter is None:
            policy = attach(model, job.lora, seed=job.seed)
        else:
            peft = load_adapter(model, job.adapter, trainable=True)
            if (rank := peft.peft_config["default"].r) != job.lora.rank:
                raise UnsorryError(
                    f"the adapter of this model has rank {rank}, the recipe asks for {job.lora.rank}: make them equal"
                )
            policy = peft
    if job.offload:
        checkpoint_layers(policy, offload=True)
    return policy, tokenizer


def perform(job: Job, rows: Sequence[Row], here: Ranks, progress: Reporter | None = None) -> dict[str, Any]:
    """Do the job; its metrics as plain JSON.  With several ranks all call this with the same rows, rank 0 writes."""
    policy, tokenizer = load(job, here)
    if job.kind == "rl":
        return _update(job, policy, rows, here)
    checkpoints = Checkpointer(job.checkpoints, every=job.every, identity=job.identity)
    found = loop.run(policy, rows, job.config, checkpointer=checkpoints, progress=progress, here=here)
    if job.kind == "midtrain":
        save_model(policy, tokenizer, job.output, here=here)
    else:
        save_adapter(policy, job.output, base=job.base.name, here=here)
    return asdict(found)


def loop_metrics(raw: Mapping[str, Any]) -> LoopMetrics:
    """What `perform` returns for supervised jobs, as it was."""
    steps = tuple(StepLoss(**step) for step in raw["steps"])
    return LoopMetrics(steps, raw["seconds"], raw["tokens_per_second"])


def _update(job: Job, policy: nn.Module, rows: Sequence[Row], here: Ranks) -> dict[str, Any]:
    checkpoints = Checkpointer(job.checkpoints, every=1, identity=job.identity)
    if here.writes:
        for number in checkpoints.steps():
            if number > job.step:  # of this very job, killed before it had told of its end
                shutil.rmtree(checkpoints.folder / f"step-{number:08d}")
    here.wait()
    step = RlStep(policy, job.config, here=here)
    step.restore(checkpoints)
    if step.step != job.step:
        raise UnsorryError(
            f"{checkpoints.folder} holds step {step.step}, but this update comes after step {job.step}: remove the "
            "stage's folder to start it anew"
        )
    metrics = step.update(rows, checkpointer=checkpoints)
    save_adapter(policy, job.output, base=job.base.name, here=here)
    step.save(checkpoints)
    return {"steps": [asdict(one) for one in metrics]}


class _Said:
    """Progress as lines of JSON on standard output."""

    def step(self, done: int, total: int = 0, text: str = "") -> None:
        print(json.dumps({"step": done, "total": total, "text": text}), flush=True)


def main(path: Path) -> int:
    """Do the job in this file as one of torchrun's processes; the exit status."""
    # torchrun gives its workers sessions of their own: without this they would outlive it where it is killed.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    folder = path.parent
    try:
        job = Job.from_json(json.loads(path.read_text(encoding="utf-8")))
        world = int(os.environ.get("WORLD_SIZE", "1"))
        torch.set_num_threads(max(1, (job.threads or len(os.sched_getaffinity(0))) // world))
        with ranks() as here:
            try:
                metrics = perform(job, read_rows(folder / ROWS), here, _Said() if here.writes else None)
                if here.writes:
                    _replace(folder / METRICS, json.dumps(metrics))
                here.wait()
            except BaseException as error:
                _failed(folder, error)
                os._exit(1)  # at once: taking the group apart would wait for the others, which wait for this one
    except Exception as error:
        _failed(folder, error)
        return 1
    return 0


def _failed(folder: Path, error: BaseException) -> None:
    """Leave word for the launcher: the first error is the cause, the others are of ranks that lost a peer."""
    known = isinstance(error, UnsorryError)
    if not known:
        traceback.print_exc()
    said = str(error) if known else f"{type(error).__name__}: {error}"
    note = {"at": time.time(), "known": known, "said": " ".join(said.split())[:1000]}
    with contextlib.suppress(OSError):  # a full disk may be what it is about; the log may have room
        print(note["said"], file=sys.stderr, flush=True)
        (folder / ERRORS).mkdir(exist_ok=True)
        _replace(folder / ERRORS / f"rank-{os.environ.get('RANK', '0')}.json", json.dumps(note))


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
