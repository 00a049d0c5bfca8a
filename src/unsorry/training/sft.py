"""Supervised fine-tuning on rows whose completions are to be learned: full, or a LoRA that is attached already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from torch import nn

from unsorry.training import loop
from unsorry.training.checkpoint import Checkpointer
from unsorry.training.distributed import Ranks
from unsorry.training.loop import LoopConfig, LoopMetrics, Reporter
from unsorry.training.masks import Row
from unsorry.training.optimiser import Schedule


@dataclass(frozen=True, slots=True)
class SftConfig(LoopConfig):
    """Supervised fine-tuning.  The default learning rate is for LoRA; about a tenth of it suits full training."""

    lr: float = 2e-4
    schedule: Schedule = field(default_factory=lambda: Schedule("cosine", warmup=10, final=0.1))


def train_sft(
    model: nn.Module,
    rows: Sequence[Row],
    config: SftConfig,
    checkpointer: Checkpointer | None = None,
    progress: Reporter | None = None,
    *,
    here: Ranks | None = None,
) -> LoopMetrics:
    """Train on the masked tokens of `rows`; `Row.advantage` is the weight of a row, 1 unless it was set.

    Continues from the newest checkpoint.  Raises UnsorryError as `loop.run` does.
    """
    return loop.run(model, rows, config, checkpointer=checkpointer, progress=progress, here=here)
