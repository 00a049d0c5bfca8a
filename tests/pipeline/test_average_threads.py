"""An average that is made again after a kill has the same bits, whatever the process did before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from launched_world import base, context

from unsorry.pipeline import weights
from unsorry.pipeline.stages import average
from unsorry.training.lora import ADAPTER, LoraShape, attach, lora_layers


@pytest.fixture
def threads() -> Any:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def adapter(folder: Path, start: weights.Weights, seed: int) -> weights.Weights:
    generator = torch.Generator().manual_seed(seed)
    where = context(folder)
    model, _ = weights.load_base(start, where.recipe.model, "cpu")
    peft: Any = attach(model, LoraShape(8, 16.0), seed=seed)
    for _, layer in lora_layers(peft):
        weight = layer.lora_B[ADAPTER].weight
        with torch.no_grad():
            weight.copy_(torch.randn(weight.shape, generator=generator) * 0.2)
    return weights.write_adapter(folder, start, peft)


def test_the_threads_are_the_recipes(tmp_path: Path, threads: Any) -> None:
    start = base(tmp_path / "base")
    earlier, later = (adapter(tmp_path / f"adapter-{seed}", start, seed) for seed in (1, 2))
    digests = []
    for number, count in enumerate((1, 2)):
        torch.set_num_threads(count)
        where = context(tmp_path / f"stage-{number}")
        lost = average._average(where, earlier, later, 0.6, where.folder / "alpha", 8)
        assert torch.get_num_threads() == 1, "the recipe's"
        assert 0 < lost < 1
        digests.append(weights.read(where.folder / "alpha").digest)
    assert digests[0] == digests[1]
