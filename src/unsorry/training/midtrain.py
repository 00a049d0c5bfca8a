"""Mid-training: causal language modelling over documents, each read on its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from torch import nn
from transformers import PreTrainedTokenizerBase

from unsorry import UnsorryError
from unsorry.training import loop
from unsorry.training.checkpoint import Checkpointer
from unsorry.training.distributed import Ranks
from unsorry.training.loop import LoopConfig, LoopMetrics, Reporter
from unsorry.training.masks import Row, supervised_row
from unsorry.training.optimiser import Schedule


@dataclass(frozen=True, slots=True)
class MidtrainConfig(LoopConfig):
    """Causal language modelling; the defaults suit full training of a small model from nothing."""

    lr: float = 2e-3
    schedule: Schedule = field(default_factory=lambda: Schedule("cosine", warmup=20, final=0.1))
    weight_decay: float = 0.1


def document_rows(documents: Iterable[Sequence[int]], *, context: int, end: int, overlap: int = 0) -> list[Row]:
    """Documents of token ids as rows of at most `context` tokens; every token is predicted exactly once.

    A document begins after `end`, as it would after another one, and is closed by it; if it holds `end` as its last
    token already, that one counts.  A document longer than the context becomes several rows: each repeats the last
    `overlap` tokens of the one before (one at least) as context without loss.
    """
    repeated = max(1, overlap)
    if context <= repeated:
        raise UnsorryError(f"context {context} must be longer than the overlap of {repeated} tokens")
    rows: list[Row] = []
    for number, document in enumerate(documents):
        ids = [end, *document]
        if len(ids) == 1 or ids[-1] != end:
            ids.append(end)
        start, shown = 0, 1
        while start + shown < len(ids):
            part = ids[start : start + context]
            rows.append(supervised_row(part[:shown], part[shown:], key=f"document {number}", group=str(number)))
            start += len(part) - repeated
            shown = repeated
    return rows


def tokenised(texts: Iterable[str], tokenizer: PreTrainedTokenizerBase) -> list[list[int]]:
    """Documents as token ids; letters that look like a special token stay letters."""
    return [tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True) for text in texts]


def train_midtrain(
    model: nn.Module,
    rows: Sequence[Row],
    config: MidtrainConfig,
    checkpointer: Checkpointer | None = None,
    progress: Reporter | None = None,
    *,
    here: Ranks | None = None,
) -> LoopMetrics:
    """Train on rows of `document_rows`, from the newest checkpoint if there is one.  Raises as `loop.run` does."""
    return loop.run(model, rows, config, checkpointer=checkpointer, progress=progress, here=here)
