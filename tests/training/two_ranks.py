"""What test_distributed.py runs with one process and, through torchrun, with two: prints nothing, writes a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from training_world import SHAPE, adapted, model, rows, tokenizer

from unsorry.training.batches import MicroBatches
from unsorry.training.checkpoint import Checkpointer, LoopState
from unsorry.training.distributed import Ranks, ranks, shard, whole_state
from unsorry.training.loop import LoopConfig, backward, run
from unsorry.training.lora import save_adapter
from unsorry.training.model import save_model
from unsorry.training.optimiser import AdamConfig, Schedule, adamw, trainable
from unsorry.training.rl import RlConfig, RlStep
from unsorry.training.scorer import Scorer

MICRO = MicroBatches(150)
ROWS = 7  # odd, and long ones among them: the ranks get unlike numbers of passes


def everything(here: Ranks, folder: Path) -> dict[str, Any]:
    """Losses, gradients, weights of supervised and RL steps, full and LoRA, and files written along the way."""
    found: dict[str, Any] = {}
    for kind, make in (("full", model), ("lora", adapted)):
        found[f"sft {kind}"] = supervised(here, make())
        found[f"rl {kind}"] = reinforced(here, make())
    found["few rows"] = supervised(here, model(), count=1)
    trained = model()
    config = LoopConfig(3e-3, epochs=2, step_tokens=60, micro=MICRO, schedule=Schedule("cosine", warmup=2))
    metrics = run(trained, rows(ROWS), config, checkpointer=Checkpointer(folder / "checkpoints"), here=here)
    found["losses"] = [step.loss for step in metrics.steps]
    found["norms"] = [step.grad_norm for step in metrics.steps]
    found["trained"] = whole_state(dict(trainable(trained)))
    save_model(trained, tokenizer(), folder / "model", here=here)
    found["restored"] = resumed(here, folder)
    return found


def supervised(here: Ranks, policy: Any, count: int = ROWS) -> dict[str, Any]:
    scorer = Scorer(policy.train(), chunk=16)
    shard(scorer, scorer.layers, here)
    loss, entropy, tokens = backward(scorer, rows(count), MICRO, here)
    return {"loss": loss, "entropy": entropy, "tokens": tokens, "gradient": _gradient(policy)}


def reinforced(here: Ranks, policy: Any) -> dict[str, Any]:
    step = RlStep(policy, RlConfig(lr=1e-3, micro=MICRO, updates=2, chunk=16), here=here)
    totals = step.backward(rows(ROWS))
    gradient = _gradient(policy)
    step.optimiser.zero_grad()
    metrics = [step.update(rows(ROWS, seed)) for seed in (1, 2)]
    numbers = [[m.loss, m.grad_norm, m.kl, m.mean_ratio, m.max_ratio, m.entropy] for part in metrics for m in part]
    counts = [[m.tokens, m.masked_sequences] for part in metrics for m in part]
    return {
        "loss": totals.loss,
        "kept": totals.kept,
        "gradient": gradient,
        "numbers": numbers,
        "counts": counts,
        "trained": whole_state(dict(trainable(policy))),
    }


def resumed(here: Ranks, folder: Path) -> dict[str, Any]:
    """Weights and moments that come back from a checkpoint, saved and read by sharded models; an adapter saved."""
    policy = adapted(seed=3)
    step = RlStep(policy, RlConfig(lr=1e-3, micro=MICRO), here=here)
    step.update(rows(ROWS, 3))
    checkpoints = Checkpointer(folder / "rl")
    step.save(checkpoints)
    save_adapter(policy, folder / "adapter", here=here)
    again = adapted(seed=4)
    scorer = Scorer(again)
    shard(scorer, scorer.layers, here)
    optimiser = adamw(again, AdamConfig(1e-3, eps=1e-15))
    state = checkpoints.restore(again, optimiser, here=here)
    assert isinstance(state, LoopState)
    moments = [optimiser.state[value]["exp_avg"] for _, value in trainable(again)]
    return {"weights": whole_state(dict(trainable(again))), "moments": whole_state(dict(enumerate(moments)))}  # type: ignore[arg-type]


def _gradient(policy: Any) -> torch.Tensor:
    named = {n: p.grad if p.grad is not None else torch.zeros_like(p) for n, p in sorted(trainable(policy))}
    return torch.cat([value.flatten().double() for value in whole_state(named).values()])


if __name__ == "__main__":
    assert SHAPE.layers == 2
    with ranks() as here:
        result = everything(here, Path(sys.argv[1]))
        if here.writes:
            torch.save(result, Path(sys.argv[1]) / "result.pt")
