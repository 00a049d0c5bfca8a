"""A stage's context, a small base model, an adapter and rows, for the tests of launched training."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch

from unsorry.pipeline import weights
from unsorry.pipeline.progress import Quiet
from unsorry.pipeline.recipe import load
from unsorry.pipeline.resources import Resources
from unsorry.pipeline.stage import Context, Inputs
from unsorry.training.masks import Row
from unsorry.training.model import ModelShape, new_model
from unsorry.training.tokenizer import train_tokenizer

torch.set_num_threads(1)

TEXTS = [f"theorem t{i} (n : Nat) : n + {i} = {i} + n := by\n  omega\n" for i in range(12)]
SHAPE = ModelShape(layers=2, hidden=32, heads=4, kv_heads=2, intermediate=64, context=128)
RECIPE = """
format = 1
name = "launched"
seed = 1
[model]
format = "plain"
context = 128
dtype = "{dtype}"
fp32_head = true
[resources]
device = "cpu"
threads = 1
{resources}
[[stage]]
kind = "problems"
[stage.world]
"""


def context(folder: Path, resources: str = "", dtype: str = "float32", **changes: Any) -> Context:
    """Of a stage whose folder is `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "recipe.toml"
    path.write_text(RECIPE.format(resources=resources, dtype=dtype))
    recipe = load(path)
    values: dict[str, Any] = {
        "name": "stage", "folder": folder, "config": None, "seed": 7, "inputs": Inputs({}), "recipe": recipe,
        "progress": Quiet(), "resources": Resources(recipe),
    }  # fmt: skip
    return Context(**{**values, **changes})


def base(folder: Path) -> weights.Weights:
    """A model that is not uniform, as an artifact."""
    tokenizer = train_tokenizer(TEXTS, 290)
    model = new_model(SHAPE, tokenizer, 0)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for value in model.parameters():
            if value.ndim == 2:
                value.copy_(torch.randn(value.shape, generator=generator) * 0.3)
    return weights.write_base(folder, model, tokenizer)


def rows(count: int, seed: int = 0) -> list[Row]:
    """Rows of unlike lengths, advantages of both signs, log-probabilities near those of a model that is not sure."""
    made = random.Random(seed)
    result = []
    for number in range(count):
        prompt, answer = made.randint(1, 20), made.randint(2, 30)
        ids = tuple(made.randrange(290) for _ in range(prompt + answer))
        logprobs = (0.0,) * prompt + tuple(-made.uniform(2.0, 9.0) for _ in range(answer))
        mask = (False,) * prompt + (True,) * answer
        advantage = made.choice([-1.0, -0.25, 0.5, 1.0])
        result.append(Row(ids, mask, logprobs, advantage, str(number // 3), f"é{number}", number % 2, number % 3 == 0))
    return result


class Heard(Quiet):
    """Progress that is remembered."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, int]] = []

    def step(self, done: int, total: int = 0, text: str = "") -> None:
        self.steps.append((done, total))
