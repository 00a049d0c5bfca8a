"""The prover that samples for a stage: the model in this process, or a vLLM server that runs as long as it is needed.

Answers go to a journal before they are used, so that a killed stage does not sample them again; once a stage has them
in its shards, the journal is removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unsorry.pipeline import launch, weights
from unsorry.pipeline.stage import Context

if TYPE_CHECKING:
    from torch import nn

    from unsorry import Prover
    from unsorry.provers.journal import Journal
    from unsorry.provers.vllm_server import ServerConfig

BATCH = {"cpu": 128, "cuda": 512}  # sequences that the local sampler holds at a time
LOG = "vllm.log"  # in a stage's folder: what the last server said


@contextmanager
def sampler(
    context: Context, model: Path, *, max_tokens: int, journal: Path | None = None, training: bool = False
) -> Iterator[Prover]:
    """The model in an artifact's folder, as a prover; `journal` is a file, by default one in the stage's folder.

    `training` says that its tokens will be trained on: the sampler then refuses what makes its distribution another
    than the trainer's.
    """
    found = weights.read(model)
    file = journal or context.folder / "answers.journal"
    with of_weights(context, found, found.name, max_tokens=max_tokens, journal=file, training=training) as prover:
        yield prover


@contextmanager
def of_weights(
    context: Context, found: weights.Weights, name: str, *, max_tokens: int, journal: Path, training: bool = False
) -> Iterator[Prover]:
    """Weights on disk, as a prover that is called `name`; a server for them is gone when the block ends."""
    with journalled(journal) as kept:
        if context.recipe.resources.sampler == "vllm":
            with served(context, found, name, max_tokens=max_tokens, journal=kept, training=training) as prover:
                yield prover
        else:
            yield local(context, found, name, max_tokens=max_tokens, journal=kept, training=training)
            if launch.separate(context):
                launch.free_cards()


def local(
    context: Context,
    found: weights.Weights,
    name: str = "",
    *,
    max_tokens: int,
    journal: Journal | None = None,
    training: bool = False,
) -> Prover:
    """The model in this process."""
    device = context.resources.prepare_torch()
    model, tokenizer = weights.load_sampler(found, context.recipe.model, device)
    return _prover(context, model, tokenizer, name or found.name, max_tokens, journal, training)


@contextmanager
def served(
    context: Context,
    found: weights.Weights,
    name: str,
    *,
    max_tokens: int,
    journal: Journal | None = None,
    training: bool = False,
    dtype: str = "",
    fp32_head: bool | None = None,
) -> Iterator[Prover]:
    """The model in a vLLM server on all cards, from the start of the block to its end; in the recipe's precision,
    unless `dtype` and `fp32_head` say another."""
    from unsorry.provers.formats import make
    from unsorry.provers.vllm_served import ServedProver
    from unsorry.provers.vllm_server import VllmServer, adapter_rank

    rank = adapter_rank(found.adapter) if found.adapter is not None else 0
    adapter = (found.adapter, name) if found.adapter is not None else None
    launch.free_cards()
    config = server_config(context, rank)
    config = replace(
        config, dtype=dtype or config.dtype, fp32_head=config.fp32_head if fp32_head is None else fp32_head
    )
    with VllmServer(found.base, config, log=context.folder / LOG, adapter=adapter) as server:
        yield ServedProver(
            server,
            weights.load_tokenizer(found),
            make(context.recipe.model.format),
            id=name,
            version=name,
            max_tokens=max_tokens,
            journal=journal,
            training=training,
        )


def server_config(context: Context, rank: int) -> ServerConfig:
    """How the recipe wants its server; `rank` is that of the adapter, 0 for none."""
    from unsorry.provers.vllm_server import ServerConfig

    model, resources = context.recipe.model, context.recipe.resources
    return ServerConfig(
        tensor_parallel=resources.tensor_parallel,
        data_parallel=resources.data_parallel,
        max_model_len=model.context,
        dtype=model.dtype,
        fp32_head=model.fp32_head,
        max_lora_rank=rank,
        memory=resources.gpu_utilisation,
        seed=context.seed,
        program=resources.vllm,
    )


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
