"""The model that reinforcement learning changes, between one set of rollouts and the next.

In one process it stays in memory with its optimiser.  On cards that vLLM samples on, or on several, each update is a
job of its own (see launch.py): start, read the last checkpoint, one set of rollouts, write, end.  A worker that lived
on would have to move weights and moments off the cards while vLLM has them, and no allocator gives everything back;
reading 8B weights costs a minute beside rollouts of ten, and a kill loses nothing that a checkpoint does not hold.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unsorry import UnsorryError
from unsorry.pipeline import launch, samplers, weights
from unsorry.pipeline.stage import Context
from unsorry.pipeline.storage import read_json, write_json
from unsorry.pipeline.weights import Weights

if TYPE_CHECKING:
    from unsorry import Prover
    from unsorry.training.masks import Row
    from unsorry.training.tripwires import StepMetrics
    from unsorry.training.worker import Job


def open_policy(context: Context, start: Weights, job: Job) -> Policy:
    """The policy of a job of the kind `rl`, where it stands."""
    return Separate(context, start, job) if launch.separate(context) else Live(context, start, job)


class Policy(ABC):
    """Changed by `update`, and written down by `save` with what the stage notes beside it."""

    def __init__(self, context: Context, start: Weights, job: Job) -> None:
        self.context, self.start, self.job = context, start, job

    @property
    @abstractmethod
    def step(self) -> int:
        """Optimiser steps so far."""

    @abstractmethod
    def update(self, rows: Sequence[Row]) -> list[StepMetrics]:
        """Learn from one set of rollouts; the metrics of each optimiser step."""

    @abstractmethod
    def save(self, note: Mapping[str, Any]) -> None:
        """Keep weights, optimiser and note, to be found again by `restore`."""

    @abstractmethod
    def restore(self) -> dict[str, Any] | None:
        """Go back to where `save` was last called; the note of that time, None if there is none."""

    @abstractmethod
    @contextmanager
    def prover(self, name: str, *, max_tokens: int, journal: Path) -> Iterator[Prover]:
        """The weights as they are now, as a prover of this name; no update may come before it is given back."""

    @abstractmethod
    def write(self, folder: Path) -> None:
        """The weights as they are now, as a model artifact."""

    def _note(self, step: int) -> Path:
        folder = self.context.folder / "progress"
        folder.mkdir(exist_ok=True)
        return folder / f"{step:05d}.json"


class Live(Policy):
    """In this process, in memory."""

    def __init__(self, context: Context, start: Weights, job: Job) -> None:
        super().__init__(context, start, job)
        import torch

        from unsorry.training import worker
        from unsorry.training.checkpoint import Checkpointer
        from unsorry.training.distributed import Ranks
        from unsorry.training.rl import RlStep

        here = Ranks(device=torch.device(context.resources.prepare_torch()))
        self.model, self.tokenizer = worker.load(job, here)
        self._rl = RlStep(self.model, job.config, here=here)
        self._checkpoints = Checkpointer(job.checkpoints, every=1, identity=job.identity)

    @property
    def step(self) -> int:
        return self._rl.step

    def update(self, rows: Sequence[Row]) -> list[StepMetrics]:
        return self._rl.update(rows)

    def save(self, note: Mapping[str, Any]) -> None:
        write_json(self._note(self.step), dict(note))  # first, so that every checkpoint has its note
        self._rl.save(self._checkpoints)

    def restore(self) -> dict[str, Any] | None:
        found = self._rl.restore(self._checkpoints)
        if found is None:
            return None
        note = read_json(self._note(found.step))
        if note is None:
            raise UnsorryError(
                f"{self._note(found.step)} is gone, which tells of the checkpoint beside it: remove "
                f"{self.context.folder} to start the stage anew"
            )
        return note

    @contextmanager
    def prover(self, name: str, *, max_tokens: int, journal: Path) -> Iterator[Prover]:
        with samplers.journalled(journal) as kept:
            yield samplers.of_policy(
                self.context, self.model, self.tokenizer, name, max_tokens=max_tokens, journal=kept
            )

    def write(self, folder: Path) -> None:
        weights.write_adapter(folder, self.start, self.model)


class Separate(Policy):
    """On disk: each update is a job in processes of its own, which leaves a checkpoint and an adapter."""

    def __init__(self, context: Context, start: Weights, job: Job) -> None:
        super().__init__(context, start, job)
        self._step = 0
        self._adapter = start.adapter

    @property
    def step(self) -> int:
        return self._step

    def update(self, rows: Sequence[Row]) -> list[StepMetrics]:
        from unsorry.training.tripwires import StepMetrics

        # By its first step: after a kill the same update is found done, or is done again from the same checkpoint.
        folder = self.context.folder / "updates" / f"{self._step:05d}"
        job = replace(self.job, step=self._step, output=folder / "adapter")
        found = launch.train(self.context, job, rows, folder)
        metrics = [StepMetrics(**entry) for entry in found["steps"]]
        self._step, self._adapter = metrics[-1].step, job.output
        return metrics

    def save(self, note: Mapping[str, Any]) -> None:
        adapter = self._adapter.relative_to(self.context.folder) if self._step and self._adapter else None
        write_json(self._note(self._step), {**note, "adapter": str(adapter) if adapter else None})

    def restore(self) -> dict[str, Any] | None:
        notes = sorted((self.context.folder / "progress").glob("*.json"))
        if not notes:
            return None
        note = read_json(notes[-1]) or {}
        self._step = int(notes[-1].stem)
        self._adapter = self.context.folder / note["adapter"] if note["adapter"] else self.start.adapter
        return note

    @contextmanager
    def prover(self, name: str, *, max_tokens: int, journal: Path) -> Iterator[Prover]:
        now = replace(self.start, adapter=self._adapter)
        with samplers.of_weights(
            self.context, now, name, max_tokens=max_tokens, journal=journal, training=True
        ) as prover:
            yield prover

    def write(self, folder: Path) -> None:
        if self._adapter is None or self._step == 0:
            weights.copy(folder, self.start)
            return
        shutil.rmtree(folder / "adapter", ignore_errors=True)
        shutil.copytree(self._adapter, folder / "adapter")
        weights.link_adapter(folder, self.start)
