"""The prover that samples for a stage: the model in this process, or vLLM with the adapter under its version's name.

Answers go to a journal before they are used, so that a killed stage does not sample them again; once a stage has them
in its shards, the journal is removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unsorry.pipeline import weights
from unsorry.pipeline.stage import Context

if TYPE_CHECKING:
    from torch import nn

    from unsorry import Prover
    from unsorry.provers.journal import Journal

BATCH = {"cpu": 128, "cuda": 512}  # sequences that the local sampler holds at a time


@contextmanager
def sampler(
    context: Context, model: Path, *, max_tokens: int, journal: Path | None = None, training: bool = False
) -> Iterator[Prover]:
    """The model in an artifact's folder, as a prover; `journal` is a file, by default one in the stage's folder.

    `training` says that its tokens will be trained on: the sampler then refuses what makes its distribution another
    than the trainer's.
    """
    found = weights.read(model)
    with journalled(journal or context.folder / "answers.journal") as kept:
        if context.recipe.resources.sampler == "vllm":
            from unsorry.pipeline.vllm import vllm_prover

            yield vllm_prover(context, found, max_tokens=max_tokens, journal=kept, training=training)
        else:
            yield local(context, found, max_tokens=max_tokens, journal=kept, training=training)


def local(
    context: Context,
    found: weights.Weights,
    *,
    max_tokens: int,
    journal: Journal | None = None,
    training: bool = False,
) -> Prover:
    """The model in this process."""
    device = context.resources.prepare_torch()
    model, tokenizer = weights.load_sampler(found, context.recipe.model, device)
    return _prover(context, model, tokenizer, found.name, max_tokens, journal, training)


def of_policy(
    context: Context, policy: nn.Module, tokenizer: Any, name: str, *, max_tokens: int, journal: Journal | None = None
) -> Prover:
    """A model in training, as it is now.  A float32 one is merged into a copy, which samples faster."""
    from peft import PeftModel

    from unsorry.training.lora import merged

    model: nn.Module = policy
    if isinstance(policy, PeftModel) and context.recipe.model.dtype == "float32":
        model = merged(policy).eval()
    return _prover(context, model, tokenizer, name, max_tokens, journal, training=True)


@contextmanager
def journalled(path: Path) -> Iterator[Journal]:
    """A journal that is gone once everything in it is kept elsewhere."""
    from unsorry.provers.journal import Journal

    with Journal(path) as journal:
        yield journal
    path.unlink(missing_ok=True)


def _prover(
    context: Context,
    model: Any,
    tokenizer: Any,
    name: str,
    max_tokens: int,
    journal: Journal | None,
    training: bool,
) -> Prover:
    from unsorry.provers.formats import make
    from unsorry.provers.local import LocalProver

    return LocalProver(
        model,
        tokenizer,
        make(context.recipe.model.format),
        id=name,
        version=name,
        max_tokens=max_tokens,
        batch=BATCH[context.resources.device],
        journal=journal,
        training=training,
    )
