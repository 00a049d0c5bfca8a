"""A tiny model on disk with adapters, and the test program `vllm` on PATH, for the tests of served sampling."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch

from unsorry import Problem
from unsorry.training.lora import ADAPTER, LoraShape, attach, lora_layers, save_adapter
from unsorry.training.model import ModelShape, load_model, new_model, save_model
from unsorry.training.tokenizer import train_tokenizer

torch.set_num_threads(1)

TEXTS = [f"theorem t{i} (n : Nat) : n + {i} = {i} + n := by\n  omega\n" for i in range(12)]
SHAPE = ModelShape(layers=2, hidden=32, heads=4, kv_heads=2, intermediate=64, context=128)
PROBLEMS = [Problem(f"p{i}", f"theorem p{i} (n : Nat) : n + {i} = {i} + n := by sorry", (f"p{i}",)) for i in range(3)]


def install(folder: Path) -> Path:
    """A folder for PATH with the program `vllm` in it."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "vllm"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).with_name("vllm_program.py")}" "$@"\n')
    program.chmod(0o755)
    return folder


def write_model(folder: Path, seed: int = 0) -> Path:
    """A model that does not answer uniformly."""
    tokenizer = train_tokenizer(TEXTS, 290)
    model = new_model(SHAPE, tokenizer, seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for value in model.parameters():
            if value.ndim == 2:
                value.copy_(torch.randn(value.shape, generator=generator) * 0.3)
    return save_model(model, tokenizer, folder)


def write_adapter(folder: Path, base: Path, seed: int, rank: int = 4) -> Path:
    """An adapter that is not zero."""
    model, _ = load_model(base)
    peft: Any = attach(model, LoraShape(rank, 2.0 * rank), seed=seed)
    generator = torch.Generator().manual_seed(seed)
    for _, layer in lora_layers(peft):
        weight = layer.lora_B[ADAPTER].weight
        with torch.no_grad():
            weight.copy_(torch.randn(weight.shape, generator=generator) * 0.2)
    return save_adapter(peft, folder, base=base.name)
