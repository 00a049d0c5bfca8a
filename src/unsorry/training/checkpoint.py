"""Checkpoints of a training loop: complete or absent, and a resumed run equals an unbroken one bit for bit (CPU).

A checkpoint holds the trained weights (all of them, or the adapter's), the optimiser's moments, the random states, the
place in the data, and the metrics so far.  The learning rate is a function of the step (optimiser.Schedule), so its
place is the step.
"""

from __future__ import annotations

import json
import pickle
import random
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from unsorry import UnsorryError
from unsorry.training.atomic import new_folder, sweep
from unsorry.training.distributed import (
    Ranks,
    copy_into,
    load_optimiser_state,
    optimiser_state,
    whole_state,
)
from unsorry.training.optimiser import trainable

_NAME = re.compile(r"step-(\d{8})")
FORMAT = 1


@dataclass(frozen=True, slots=True)
class LoopState:
    """How far a loop is: optimiser steps done, its place in the data, and one mapping of numbers for each step."""

    step: int = 0
    cursor: Mapping[str, int] = field(default_factory=dict)
    metrics: Sequence[Mapping[str, float]] = ()


class Checkpointer:
    """Checkpoints in one folder, the last `keep` of them.

    `identity` names what is trained on what (a digest of base weights, data and configuration): a checkpoint of
    something else is refused.  `every` is in optimiser steps; 0 keeps none but the last.
    """

    def __init__(self, folder: str | Path, *, every: int = 50, keep: int = 2, identity: str = "") -> None:
        if every < 0 or keep < 1:
            raise UnsorryError(f"checkpoints: every {every} steps, the last {keep}: out of range")
        self.folder = Path(folder)
        self.every = every
        self.keep = keep
        self.identity = identity

    def due(self, step: int, total: int) -> bool:
        return step == total or (self.every > 0 and step % self.every == 0)

    def steps(self) -> list[int]:
        """Steps of the complete checkpoints, oldest first."""
        if not self.folder.is_dir():
            return []
        return sorted(int(found[1]) for path in self.folder.iterdir() if (found := _NAME.fullmatch(path.name)))

    def latest(self) -> Path | None:
        """The newest complete checkpoint; leftovers of killed writers are removed."""
        sweep(self.folder)
        done = self.steps()
        return self._path(done[-1]) if done else None

    def save(
        self, model: nn.Module, optimiser: torch.optim.Optimizer, progress: LoopState, *, here: Ranks | None = None
    ) -> Path:
        """Write a checkpoint, then drop those beyond `keep`.  With several ranks all call this, rank 0 writes."""
        here = here or Ranks()
        names = _names(model)
        weights = whole_state(dict(trainable(model)))
        moments = optimiser_state(optimiser, names)
        target = self._path(progress.step)
        if here.writes:
            with new_folder(target) as new:
                save_file({name: value.contiguous() for name, value in weights.items()}, new / "weights.safetensors")
                torch.save({"optimiser": moments, "random": _random_state()}, new / "state.pt")
                (new / "progress.json").write_text(json.dumps(self._record(progress), allow_nan=True))
            for step in self.steps()[: -self.keep]:
                shutil.rmtree(self._path(step), ignore_errors=True)
        here.wait()
        return target

    def restore(
        self, model: nn.Module, optimiser: torch.optim.Optimizer, *, here: Ranks | None = None
    ) -> LoopState | None:
        """Put the newest checkpoint into the model, the optimiser and the random generators; None if there is none."""
        here = here or Ranks()
        path = self.latest()
        here.wait()
        if path is None:
            return None
        record, weights, state = self._read(path)
        names = _names(model)
        expected = {name: tuple(value.shape) for name, value in trainable(model)}
        if expected != {name: tuple(value.shape) for name, value in weights.items()}:
            raise UnsorryError(f"{path} is of a model with other trained weights; remove {self.folder} to start anew")
        copy_into(model, weights)
        load_optimiser_state(optimiser, names, state["optimiser"])
        _set_random_state(state["random"])
        return LoopState(record["step"], record["cursor"], record["metrics"])

    def _path(self, step: int) -> Path:
        return self.folder / f"step-{step:08d}"

    def _record(self, progress: LoopState) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "identity": self.identity,
            "step": progress.step,
            "cursor": dict(progress.cursor),
            "metrics": [dict(entry) for entry in progress.metrics],
        }

    def _read(self, path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor], dict[str, Any]]:
        try:
            record = json.loads((path / "progress.json").read_text())
            if record["format"] != FORMAT:
                raise UnsorryError(f"{path} has checkpoint format {record['format']}, this version reads {FORMAT}")
            if record["identity"] != self.identity:
                raise UnsorryError(
                    f"{path} is of other data, base or configuration; remove {self.folder} to start anew"
                )
            weights = load_file(path / "weights.safetensors")
            state = torch.load(path / "state.pt", weights_only=True, map_location="cpu")
        except (
            OSError,
            ValueError,
            KeyError,
            TypeError,
            RuntimeError,
            EOFError,
            SafetensorError,
            pickle.PickleError,
        ) as e:
            first = str(e).splitlines()[0] if str(e) else type(e).__name__
            raise UnsorryError(
                f"checkpoint {path} is damaged ({first[:200]}); remove it to use the one before"
            ) from None
        return record, weights, state


def _names(model: nn.Module) -> dict[int, str]:
    return {id(value): name for name, value in trainable(model)}


def _random_state() -> dict[str, Any]:
    name, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
    version, internal, following = random.getstate()
    return {
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        "numpy": [
            name,
            torch.from_numpy(np.asarray(keys).astype(np.int64)),
            int(position),
            int(has_gauss),
            float(gauss),
        ],
        "python": [version, list(internal), following],
    }


def _set_random_state(state: Mapping[str, Any]) -> None:
    torch.set_rng_state(state["torch"])
    if torch.cuda.is_available() and len(state["cuda"]) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all(state["cuda"])
    name, keys, *rest = state["numpy"]
    np.random.set_state((name, keys.numpy().astype(np.uint32), *rest))
    version, internal, following = state["python"]
    random.setstate((version, tuple(internal), following))
