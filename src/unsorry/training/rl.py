"""One on-policy update: from judged rollouts to new weights.

The caller owns rollouts, rewards, advantages and tripwires; this owns the optimiser.  Each row is used once: with
`updates` 2 the groups are split in two halves, the second of which is one update off its sampler, which the ratio
corrects.

The sum over tokens is taken with denominator 1 and all gradients are divided by the number of kept tokens, over all
micro-batches and ranks, after the last backward pass and before clipping.  That is the gradient of the normalised
loss; which tokens the sequence mask keeps is only known after the pass, and a pass just to count would cost 30 % more.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from unsorry import UnsorryError
from unsorry.training import batches
from unsorry.training.batches import MicroBatches
from unsorry.training.checkpoint import Checkpointer, LoopState
from unsorry.training.cispo import CispoConfig, CispoStatistics, cispo_loss
from unsorry.training.distributed import Ranks, alone, shard
from unsorry.training.loop import not_finite, rank_batches
from unsorry.training.masks import Row
from unsorry.training.optimiser import (
    AdamConfig,
    Schedule,
    adamw,
    clip_gradients,
    scale_gradients,
    set_lr,
    trainable,
)
from unsorry.training.scorer import Scorer
from unsorry.training.tripwires import StepMetrics


@dataclass(frozen=True, slots=True)
class RlConfig:
    """The update.  `total` steps are planned for the schedule; `temperature` is the sampler's."""

    lr: float = 5e-5
    cispo: CispoConfig = field(default_factory=CispoConfig)
    updates: int = 1  # per set of rollouts
    betas: tuple[float, float] = (0.9, 0.95)
    eps: float = 1e-15  # gradients go down to 1e-18 (MiniMax-M1 sec. 3.2)
    weight_decay: float = 0.0
    clip: float = 1.0
    schedule: Schedule = field(default_factory=Schedule)
    total: int = 0
    micro: MicroBatches = field(default_factory=MicroBatches)
    temperature: float = 1.0
    chunk: int = 1024
    autocast: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if self.updates not in (1, 2):
            raise UnsorryError(f"updates = {self.updates} per rollout: use 1 or 2, more is off-policy training")


class RlStep:
    """Optimiser, step count and random state of a reinforcement-learning run on one model."""

    def __init__(self, model: nn.Module, config: RlConfig, *, here: Ranks | None = None) -> None:
        self.model = model
        self.config = config
        self.here = here or alone(model)
        autocast = config.autocast and self.here.device.type == "cuda"
        self.scorer = Scorer(model, chunk=config.chunk, temperature=config.temperature, autocast=autocast)
        if dropout := next((part.p for part in model.modules() if isinstance(part, nn.Dropout) and part.p > 0), 0.0):
            raise UnsorryError(
                f"dropout {dropout} in RL: the policy would differ from its sampler on every token; set 0"
            )
        if self.here.world > 1:
            shard(self.scorer, self.scorer.layers, self.here)
        self.optimiser = adamw(model, AdamConfig(config.lr, config.betas, config.eps, config.weight_decay, config.clip))
        self.step = 0

    def update(self, rows: Sequence[Row], *, checkpointer: Checkpointer | None = None) -> list[StepMetrics]:
        """One optimiser step for each part of the rows; the metrics of each, those of the rollouts left unset.

        Raises UnsorryError, before the weights are touched, where a loss or gradient is not finite.
        """
        batches.check_rows(rows, self.config.micro.context or self.scorer.context)
        for row in rows:
            if not math.isfinite(row.advantage):
                raise UnsorryError(f"row {row.attempt!r} has advantage {row.advantage}: look at its reward")
        self.model.train()
        try:
            parts = split_groups(rows, self.config.updates, seed=batches.derived_seed(self.config.seed, self.step))
            return [self._one(part, checkpointer) for part in parts]
        finally:
            self.model.eval()

    def save(self, checkpointer: Checkpointer, metrics: Sequence[Mapping[str, float]] = ()) -> None:
        """A checkpoint of model, optimiser and step, to be resumed with `restore`."""
        state = LoopState(self.step, {"step": self.step}, metrics)
        checkpointer.save(self.model, self.optimiser, state, here=self.here)

    def restore(self, checkpointer: Checkpointer) -> LoopState | None:
        state = checkpointer.restore(self.model, self.optimiser, here=self.here)
        if state is not None:
            self.step = state.step
        return state

    def _one(self, rows: Sequence[Row], checkpointer: Checkpointer | None) -> StepMetrics:
        started = time.monotonic()
        config = self.config
        rate = config.lr * config.schedule.factor(self.step, config.total)
        set_lr(self.optimiser, rate)
        totals = self.backward(rows)
        tokens = max(1.0, totals.kept)
        parameters = [value for _, value in trainable(self.model)]
        scale_gradients(parameters, 1.0 / tokens)
        norm = clip_gradients(parameters, config.clip)
        loss = totals.loss / tokens
        if not (math.isfinite(loss) and math.isfinite(norm)):
            self.optimiser.zero_grad(set_to_none=True)
            raise not_finite(self.step, loss, norm, checkpointer)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.step += 1
        seen = totals.statistics
        trained = [row for row in rows if any(row.loss_mask)]
        return StepMetrics(
            step=self.step,
            loss=loss,
            grad_norm=norm,
            kl=seen.kl,
            mean_ratio=seen.mean_ratio,
            max_ratio=seen.max_ratio,
            capped_fraction=seen.capped_fraction,
            masked_sequences=seen.masked_sequences,
            entropy=totals.entropy / max(1, seen.tokens),
            length=sum(row.loss_tokens for row in trained) / len(trained) if trained else math.nan,
            truncated_fraction=sum(row.truncated for row in rows) / len(rows),
            tokens=int(totals.kept),
            learning_rate=rate,
            seconds=time.monotonic() - started,
        )

    def backward(self, rows: Sequence[Row]) -> Totals:
        """Gradients of the loss with denominator 1, added to those there are, and what was seen over all ranks."""
        device = self.here.device
        sums = torch.zeros(3, dtype=torch.float64, device=device)  # loss, kept tokens, entropy
        seen = CispoStatistics(torch.zeros(6, dtype=torch.float64, device=device), torch.zeros((), device=device))
        packed = self.scorer.packs(self.config.micro.layout)
        for batch in rank_batches(self.scorer, rows, self.config.micro, self.here, packed=packed):
            tokens = batch.loss_tokens()
            logprobs, entropy = self.scorer(batch, tokens, packed)
            output = cispo_loss(
                logprobs,
                tokens.sampler_logprobs,
                tokens.advantages,
                tokens.mask,
                config=self.config.cispo,
                denominator=1.0,
                rows=tokens.rows,
            )
            output.loss.backward()  # type: ignore[no-untyped-call]
            parts: list[Tensor] = [output.loss.detach(), output.kept.sum(), entropy.detach().sum()]
            sums += torch.stack([part.double() for part in parts])
            seen = seen + output.statistics
        loss, kept, entropy_sum = self.here.total(sums).tolist()
        return Totals(loss, kept, entropy_sum, seen.over_ranks(self.here.total, self.here.maximum))


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over all micro-batches and ranks; `loss` and the gradients are still to be divided by `kept` tokens."""

    loss: float
    kept: float
    entropy: float
    statistics: CispoStatistics


def split_groups(rows: Sequence[Row], parts: int, *, seed: int) -> list[list[Row]]:
    """The rows in at most `parts` parts; a group stays together, and parts are as even as groups allow."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    names = sorted(groups)
    order = [names[i] for i in batches.shuffled(len(names), seed, 0)]
    result: list[list[Row]] = [[] for _ in range(parts)]
    for name in order:
        min(result, key=lambda part: sum(len(row.input_ids) for row in part)).extend(groups[name])
    return [part for part in result if any(any(row.loss_mask) for row in part)]
