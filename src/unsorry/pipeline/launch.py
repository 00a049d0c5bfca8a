"""Where training runs: in this process, or in one process a card that end with their job.

The second is taken where several processes are asked for, and where vLLM samples: it takes most of each card, and only
the end of a process is sure to give back all that a trainer held.
"""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unsorry import UnsorryError
from unsorry.pipeline.stage import Context
from unsorry.pipeline.storage import read_json, write_json

if TYPE_CHECKING:
    from unsorry.pipeline.weights import Weights
    from unsorry.provers.guarded import Guarded
    from unsorry.training.masks import Row
    from unsorry.training.worker import Job


_ENDED = re.compile(r"exitcode\s*: -(\d+)")  # in torchrun's summary of those that failed


def job(context: Context, kind: str, start: Weights, config: Any, **options: Any) -> Job:
    """A job on a model artifact, with what the recipe says of models; `options` are further fields, and go over it."""
    from unsorry.training.worker import Job

    model = context.recipe.model
    values: dict[str, Any] = {
        "base": start.base,
        "adapter": start.adapter,
        "checkpoints": context.folder / "checkpoints",
        "identity": start.digest,
        "seed": context.seed,
        "dtype": model.dtype,
        "attention": model.attention,
        "fp32_head": model.fp32_head,
        "threads": context.recipe.resources.threads,
    }
    return Job(kind=kind, config=config, **{**values, **options})


def processes(context: Context) -> int:
    """How many processes train together: what the recipe says, or one a card."""
    resources = context.recipe.resources
    return resources.processes or max(1, resources.gpus)


def separate(context: Context) -> bool:
    """Whether training has processes of its own."""
    return processes(context) > 1 or context.recipe.resources.sampler == "vllm"


def train(context: Context, job: Job, rows: Sequence[Row], folder: Path) -> dict[str, Any]:
    """Have the job done, unless it was; its metrics (see worker.perform).  `folder` is the job's own.

    Raises UnsorryError with the reason of the rank that failed first; the job can be done again and goes on then.
    """
    from unsorry.training import worker

    done = read_json(folder / worker.METRICS)
    if done is not None and job.output.exists():
        return done
    folder.mkdir(parents=True, exist_ok=True)
    if separate(context):
        return _launched(context, job, rows, folder)
    import torch

    from unsorry.training.distributed import Ranks

    here = Ranks(device=torch.device(context.resources.prepare_torch()))
    found = worker.perform(job, rows, here, context.progress)
    write_json(folder / worker.METRICS, found)
    return found


def free_cards() -> None:
    """Give back what this process holds of the cards' memory but no longer uses: others are about to need it."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        gc.collect()
        torch.cuda.empty_cache()


def _launched(context: Context, job: Job, rows: Sequence[Row], folder: Path) -> dict[str, Any]:
    from unsorry.provers.guarded import Guarded
    from unsorry.training import worker
    from unsorry.training.rowfile import write_rows

    count = processes(context)
    write_rows(folder / worker.ROWS, rows)
    write_json(folder / worker.JOB, job.as_json())
    shutil.rmtree(folder / worker.ERRORS, ignore_errors=True)
    (folder / worker.METRICS).unlink(missing_ok=True)
    free_cards()
    command = [
        sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={count}", "--max-restarts=0",
        "-m", "unsorry.training.worker", str(folder / worker.JOB),
    ]  # fmt: skip
    environment = {"OMP_NUM_THREADS": "1", **os.environ, "HF_HUB_OFFLINE": "1"}
    if context.recipe.resources.device == "cpu":
        environment["CUDA_VISIBLE_DEVICES"] = ""
    log = folder / "log"
    with Guarded(command, log=log, env=environment, grace=10.0, read=True) as running:
        _listen(context, running)
        code = running.wait()
        found = read_json(folder / worker.METRICS)
        if code != 0 or found is None:
            why = _why(folder / worker.ERRORS, log) or running.reason()
            raise UnsorryError(f"training in {count} processes failed: {why} (log: {log})")
    (folder / worker.ROWS).unlink(missing_ok=True)  # made again from what they were made of
    return found


def _listen(context: Context, running: Guarded) -> None:
    """Pass on the progress of rank 0 until all have ended."""
    for line in running.lines():
        try:
            said = json.loads(line)
            context.progress.step(int(said["step"]), int(said["total"]), str(said["text"]))
        except (ValueError, KeyError, TypeError):
            continue  # what a library prints


def _why(errors: Path, log: Path) -> str:
    """What the rank said that failed first, or the signal that ended one; "" where there is no word of either.

    A rank that is killed says nothing, and the others then say that they lost a peer, which is no cause.
    """
    notes = [note for path in errors.glob("rank-*.json") if (note := read_json(path)) is not None]
    first = min(notes, key=lambda note: (not note["known"], note["at"]), default=None)
    if first is not None and first["known"]:
        return str(first["said"])
    ended = {int(number) for number in _ENDED.findall(log.read_text(encoding="utf-8", errors="replace"))}
    if ended := ended - {signal.SIGTERM}:  # that is how torchrun ends the others
        number = min(ended)
        memory = ": did the memory of this machine run out?" if number == signal.SIGKILL else ""
        return f"a process was ended by signal {number}{memory}"
    return str(first["said"]) if first is not None else ""
