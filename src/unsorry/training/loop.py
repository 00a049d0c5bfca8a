"""The supervised loop: optimiser steps over rows, normalised over the tokens of the whole step.

    loss = (1 / N) * sum over loss tokens of  w * -log pi,     N = loss tokens of the step in rows of weight w != 0

N is counted over all micro-batches and ranks before the first pass, so neither how a step is cut into passes nor over
how many processes it is spread changes a gradient.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Protocol

import torch
from torch import nn

from unsorry import UnsorryError
from unsorry.training import batches
from unsorry.training.batches import MicroBatches
from unsorry.training.checkpoint import Checkpointer, LoopState
from unsorry.training.distributed import Ranks, alone, shard
from unsorry.training.masks import Row
from unsorry.training.optimiser import AdamConfig, Schedule, adamw, clip_gradients, set_lr, trainable
from unsorry.training.packing import Batch
from unsorry.training.scorer import Scorer


class Reporter(Protocol):
    """Hears of each step; the `Progress` of the pipeline is one."""

    def step(self, done: int, total: int = 0, text: str = "") -> None: ...


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """Optimiser, data order, step size and precision."""

    lr: float
    epochs: int = 1
    step_tokens: int = 16_384  # of all ranks, prompts included
    max_steps: int = 0  # 0: all epochs
    micro: MicroBatches = field(default_factory=MicroBatches)
    schedule: Schedule = field(default_factory=Schedule)
    betas: tuple[float, float] = (0.9, 0.95)
    eps: float = 1e-8
    weight_decay: float = 0.0
    clip: float = 1.0  # largest norm of the gradient; 0 for none
    seed: int = 0
    chunk: int = 1024  # tokens whose logits exist at a time
    autocast: bool = False  # passes in bfloat16 on a GPU, with float32 weights

    def __post_init__(self) -> None:
        self.adam()  # checks its own
        if self.epochs < 1 or self.step_tokens < 1 or self.max_steps < 0 or self.chunk < 1:
            raise UnsorryError(
                f"training loop: epochs {self.epochs}, step_tokens {self.step_tokens}, max_steps {self.max_steps} or"
                f" chunk {self.chunk} is out of range"
            )

    def adam(self) -> AdamConfig:
        return AdamConfig(self.lr, self.betas, self.eps, self.weight_decay, self.clip)


@dataclass(frozen=True, slots=True)
class StepLoss:
    """One step: mean negative log-likelihood and entropy in nats per loss token, gradient norm before clipping."""

    step: int
    epoch: int
    loss: float
    entropy: float
    grad_norm: float
    learning_rate: float
    tokens: int
    loss_tokens: int


@dataclass(frozen=True, slots=True)
class LoopMetrics:
    """A whole run, resumed parts included; `seconds` and `tokens_per_second` are of this process's part alone."""

    steps: tuple[StepLoss, ...]
    seconds: float
    tokens_per_second: float

    @property
    def first_loss(self) -> float:
        return self.steps[0].loss

    @property
    def last_loss(self) -> float:
        """Mean over the last tenth of the steps."""
        last = self.steps[-max(1, len(self.steps) // 10) :]
        return sum(step.loss for step in last) / len(last)

    @property
    def tokens(self) -> int:
        return sum(step.tokens for step in self.steps)

    @property
    def loss_tokens(self) -> int:
        return sum(step.loss_tokens for step in self.steps)


def run(
    model: nn.Module,
    rows: Sequence[Row],
    config: LoopConfig,
    *,
    checkpointer: Checkpointer | None = None,
    progress: Reporter | None = None,
    here: Ranks | None = None,
) -> LoopMetrics:
    """Train the trainable parameters of `model` on `rows`, from the newest checkpoint if there is one.

    The model is left in evaluation mode with its last weights.  A loss or gradient that is not finite raises
    UnsorryError before the weights are touched; the last checkpoint is kept.  Where another model's context is shorter
    than a row, or no row has a token in the loss, UnsorryError is raised before anything is done.
    """
    here = here or alone(model)
    scorer = Scorer(model, chunk=config.chunk, autocast=config.autocast and here.device.type == "cuda")
    batches.check_rows(rows, config.micro.context or scorer.context)
    scorer.train()
    if here.world > 1:
        shard(scorer, scorer.layers, here)
    optimiser = adamw(model, config.adam())
    lengths = [len(row.input_ids) for row in rows]
    plan = list(_plan(lengths, config))
    with torch.random.fork_rng(devices=_cuda_devices()):
        torch.manual_seed(batches.derived_seed("loop", config.seed, here.rank))
        state = (checkpointer.restore(model, optimiser, here=here) if checkpointer else None) or LoopState()
        done = [StepLoss(**entry) for entry in state.metrics]  # type: ignore[arg-type]
        started = time.monotonic()
        for number in range(state.step, len(plan)):
            epoch, chosen = plan[number]
            set_lr(optimiser, config.lr * config.schedule.factor(number, len(plan)))
            step = _step(scorer, optimiser, [rows[i] for i in chosen], config, number, epoch, here, checkpointer)
            done.append(step)
            if progress and here.writes:
                progress.step(number + 1, len(plan), f"loss {step.loss:.4f}")
            if checkpointer and checkpointer.due(number + 1, len(plan)):
                cursor = {"epoch": epoch, "step": number + 1}
                checkpointer.save(
                    model, optimiser, LoopState(number + 1, cursor, [asdict(entry) for entry in done]), here=here
                )
        seconds = time.monotonic() - started
    model.eval()
    new_tokens = sum(entry.tokens for entry in done[state.step :])
    return LoopMetrics(tuple(done), seconds, new_tokens / seconds if seconds and new_tokens else 0.0)


def planned_steps(rows: Sequence[Row], config: LoopConfig) -> int:
    """How many optimiser steps `run` will take."""
    return sum(1 for _ in _plan([len(row.input_ids) for row in rows], config))


def _plan(lengths: Sequence[int], config: LoopConfig) -> Iterator[tuple[int, list[int]]]:
    """Epoch and row numbers of every optimiser step."""
    count = 0
    for epoch in range(config.epochs):
        for chosen in batches.steps(lengths, tokens=config.step_tokens, seed=config.seed, epoch=epoch):
            if config.max_steps and count >= config.max_steps:
                return
            count += 1
            yield epoch, chosen


def _step(
    scorer: Scorer,
    optimiser: torch.optim.Optimizer,
    rows: Sequence[Row],
    config: LoopConfig,
    number: int,
    epoch: int,
    here: Ranks,
    checkpointer: Checkpointer | None,
) -> StepLoss:
    loss, entropy, loss_tokens = backward(scorer, rows, config.micro, here)
    norm = clip_gradients([value for _, value in trainable(scorer)], config.clip)
    if not (math.isfinite(loss) and math.isfinite(norm)):
        raise not_finite(number, loss, norm, checkpointer)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    tokens_seen = sum(len(row.input_ids) for row in rows)
    rate = float(optimiser.param_groups[0]["lr"])
    return StepLoss(number, epoch, loss, entropy, norm, rate, tokens_seen, loss_tokens)


def backward(scorer: Scorer, rows: Sequence[Row], micro: MicroBatches, here: Ranks) -> tuple[float, float, int]:
    """Gradients of the step's loss, added to those there are; loss, mean entropy and N, the same on every rank."""
    loss_tokens = sum(row.loss_tokens for row in rows if row.advantage != 0.0)
    sums = torch.zeros(2, dtype=torch.float64, device=here.device)  # weighted negative log-likelihood, entropy
    packed = scorer.packs(micro.layout)
    for batch in rank_batches(scorer, rows, micro, here, packed=packed):
        tokens = batch.loss_tokens()
        logprobs, entropy = scorer(batch, tokens, packed)
        weights = tokens.advantages[tokens.rows]
        nll = -(weights * logprobs).sum()
        (nll / max(1, loss_tokens)).backward()
        sums += torch.stack([nll.detach().double(), entropy.detach()[weights != 0].double().sum()])
    loss, entropy_mean = (here.total(sums) / max(1, loss_tokens)).tolist()
    return loss, entropy_mean, loss_tokens


def rank_batches(
    scorer: Scorer, rows: Sequence[Row], micro: MicroBatches, here: Ranks, *, packed: bool
) -> Iterator[Batch]:
    """This rank's passes of a step, on its device; as many on every rank, idle ones included."""
    mine = batches.share(rows, here.rank, here.world) if here.world > 1 else rows
    parts = batches.micro_batches(mine, micro, pad_id=scorer.pad_id, packed=packed)
    passes = here.most(len(parts))  # before the first pass: collectives must come in one order on all ranks
    for batch in parts:
        yield batch.to(here.device)
    for _ in range(passes - len(parts)):
        yield batches.idle_batch(scorer.pad_id).to(here.device)


def not_finite(step: int, loss: float, norm: float, checkpointer: Checkpointer | None) -> UnsorryError:
    """The one line for a diverged run."""
    kept = checkpointer.latest() if checkpointer else None
    where = f"the checkpoint {kept} is kept" if kept else "there is no checkpoint yet"
    return UnsorryError(
        f"step {step}: loss {loss:g}, gradient norm {norm:g}; the weights were not changed and {where}; lower the"
        " learning rate or look for damaged data, then run again"
    )


def _cuda_devices() -> list[int]:
    return list(range(torch.cuda.device_count())) if torch.cuda.is_available() else []
