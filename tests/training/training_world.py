"""Small models, rows and a tokenizer for the tests of the loops."""

from __future__ import annotations

import os
import random
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerFast

from unsorry.training.lora import ADAPTER, LoraShape, attach, lora_layers
from unsorry.training.masks import Row
from unsorry.training.model import ModelShape, new_model
from unsorry.training.optimiser import trainable
from unsorry.training.tokenizer import train_tokenizer

torch.set_num_threads(1)

TEXTS = [
    f"theorem t{i} (n : Nat) : n + {i} = {i} + n := by\n  induction n with\n  | zero => simp\n  | succ n ih => omega\n"
    for i in range(12)
]
SHAPE = ModelShape(layers=2, hidden=32, heads=4, kv_heads=2, intermediate=64, context=160)


def tokenizer() -> PreTrainedTokenizerFast:
    return train_tokenizer(TEXTS, 300)


def model(seed: int = 0, *, tied: bool = True) -> Any:
    """Logits far from uniform, so that a wrong mask or a wrong batch changes a loss visibly."""
    shape = ModelShape(SHAPE.layers, SHAPE.hidden, SHAPE.heads, SHAPE.kv_heads, SHAPE.intermediate, SHAPE.context, tied)
    made = new_model(shape, tokenizer(), seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for value in made.parameters():
            if value.ndim == 2:
                value.copy_(torch.randn(value.shape, generator=generator) * 0.3)
    return made


def adapted(seed: int = 0, *, rank: int = 4, dropout: float = 0.0) -> Any:
    """A model with an adapter that is not zero."""
    peft = attach(model(seed), LoraShape(rank, 2.0 * rank, dropout=dropout), seed=seed)
    generator = torch.Generator().manual_seed(seed + 1)
    for _, layer in lora_layers(peft):
        weight = layer.lora_B[ADAPTER].weight
        with torch.no_grad():
            weight.copy_(torch.randn(weight.shape, generator=generator) * 0.1)
    return peft


def rows(count: int, seed: int = 0, *, longest: int = 60) -> list[Row]:
    """Rows of unlike lengths with prompts, advantages of both signs and log-probabilities of a made-up sampler."""
    made = random.Random(seed)
    result = []
    for number in range(count):
        prompt, answer = made.randint(1, longest // 3), made.randint(2, longest // 2)
        ids = tuple(made.randrange(300) for _ in range(prompt + answer))
        logprobs = (0.0,) * prompt + tuple(-made.uniform(2.0, 9.0) for _ in range(answer))
        mask = (False,) * prompt + (True,) * answer
        advantage = made.choice([-1.0, -0.25, 0.5, 1.0])
        result.append(Row(ids, mask, logprobs, advantage, group=str(number // 3), attempt=f"a{number}"))
    return result


def gradients(module: nn.Module) -> Tensor:
    """All gradients in one vector, by name; a missing one is zero."""
    parts = [(p.grad if p.grad is not None else torch.zeros_like(p)).flatten() for _, p in sorted(trainable(module))]
    return torch.cat(parts).double()


def weights(module: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in module.state_dict().items()}


def same(first: dict[str, Tensor], second: dict[str, Tensor]) -> bool:
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


class Interrupted(Exception):
    """Stands for a kill in one process: what follows a step is not run."""


class StopAt:
    """A reporter that interrupts the loop after the step `at`."""

    def __init__(self, at: int) -> None:
        self.at = at

    def step(self, done: int, total: int = 0, text: str = "") -> None:
        if done == self.at:
            raise Interrupted


def relative(a: Tensor, b: Tensor) -> float:
    return float(torch.linalg.vector_norm(a - b) / torch.linalg.vector_norm(b))
