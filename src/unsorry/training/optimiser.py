"""AdamW, learning-rate schedules as functions of the step, gradient clipping that also checks for NaN."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.distributed.tensor import DTensor

from unsorry import UnsorryError

SCHEDULES = ("constant", "linear", "cosine")


@dataclass(frozen=True, slots=True)
class AdamConfig:
    """AdamW.  `eps` 1e-15 is for RL, whose gradients go down to 1e-18 (MiniMax-M1 sec. 3.2); 1e-8 is usual in SFT."""

    lr: float
    betas: tuple[float, float] = (0.9, 0.95)
    eps: float = 1e-8
    weight_decay: float = 0.0
    clip: float = 1.0  # largest norm of the whole gradient; 0 for none

    def __post_init__(self) -> None:
        if not (math.isfinite(self.lr) and self.lr > 0):
            raise UnsorryError(f"lr = {self.lr}: give a learning rate above 0")
        if not all(0 <= beta < 1 for beta in self.betas):
            raise UnsorryError(f"betas = {self.betas}: both must be at least 0 and below 1")
        if self.eps <= 0 or self.weight_decay < 0 or self.clip < 0:
            raise UnsorryError(
                f"eps = {self.eps}, weight_decay = {self.weight_decay}, clip = {self.clip}: out of range"
            )


@dataclass(frozen=True, slots=True)
class Schedule:
    """The learning rate of each step as a fraction of the highest; has no state, so it resumes from the step alone."""

    kind: str = "constant"  # after the warm-up: constant, linear or cosine down to `final`
    warmup: int = 0  # steps of linear rise, the first of them at 1 / warmup
    final: float = 0.0  # fraction left at the end

    def __post_init__(self) -> None:
        if self.kind not in SCHEDULES:
            raise UnsorryError(f"schedule {self.kind!r} is unknown: use {', '.join(SCHEDULES)}")
        if self.warmup < 0 or not 0 <= self.final <= 1:
            raise UnsorryError(f"schedule: warmup {self.warmup} must be at least 0, final {self.final} between 0 and 1")

    def factor(self, step: int, total: int) -> float:
        """For the optimiser step `step` (from 0) of `total`; what lies beyond `total` has the final rate."""
        if step < self.warmup:
            return (step + 1) / self.warmup
        if self.kind == "constant":
            return 1.0
        done = min(1.0, (step - self.warmup + 1) / max(1, total - self.warmup))
        shape = 1 - done if self.kind == "linear" else (1 + math.cos(math.pi * done)) / 2
        return self.final + (1 - self.final) * shape


def trainable(model: nn.Module) -> Iterator[tuple[str, nn.Parameter]]:
    """The parameters that are trained, each once, by name."""
    return ((name, value) for name, value in model.named_parameters() if value.requires_grad)


def adamw(model: nn.Module, config: AdamConfig) -> torch.optim.AdamW:
    """AdamW over the trainable parameters; no decay on vectors (norms, biases) and embeddings."""
    decayed: list[nn.Parameter] = []
    plain: list[nn.Parameter] = []
    embeddings = {id(part.weight) for part in model.modules() if isinstance(part, nn.Embedding)}
    for _, value in trainable(model):
        (decayed if value.ndim >= 2 and id(value) not in embeddings else plain).append(value)
    if not decayed and not plain:
        raise UnsorryError("the model has no trainable parameter: attach a trainable adapter or unfreeze it")
    groups = [
        {"params": decayed, "weight_decay": config.weight_decay},
        {"params": plain, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        [group for group in groups if group["params"]], lr=config.lr, betas=config.betas, eps=config.eps
    )


def set_lr(optimiser: torch.optim.Optimizer, lr: float) -> None:
    for group in optimiser.param_groups:
        group["lr"] = lr


def scale_gradients(parameters: Iterable[nn.Parameter], factor: float | Tensor) -> None:
    """Multiply all gradients: the division by the global token count, once the last backward pass is done."""
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad.mul_(factor)


def clip_gradients(parameters: Iterable[nn.Parameter], clip: float) -> float:
    """Scale the gradients to norm `clip` at most (0: leave them); returns the norm before, in float32, over all ranks.

    A norm that is NaN or infinite is returned, not used: nothing is scaled and the caller must not step.
    """
    parameters = [parameter for parameter in parameters if parameter.grad is not None]
    squares = [parameter.grad.detach().float().square().sum() for parameter in parameters if parameter.grad is not None]
    if not squares:
        return 0.0
    whole = [square.full_tensor() if isinstance(square, DTensor) else square for square in squares]
    norm = float(torch.stack(whole).sum().sqrt().item())
    if clip and math.isfinite(norm) and norm > clip:
        scale_gradients(parameters, clip / norm)
    return norm
