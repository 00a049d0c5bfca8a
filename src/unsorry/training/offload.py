"""Gradient checkpointing, with the checkpointed hidden states in the CPU's memory.

What a training pass keeps, for a model of L layers, width H, T tokens in the pass, 2 bytes a number (bfloat16):

    without checkpointing   about 34 * H * T bytes a layer and more under eager attention (Korthikanti 2205.05198)
    with                    2 * L * H * T: one hidden state a layer, and one layer's insides while it is computed again
    offloaded               2 * L * H * T on the CPU, and on the GPU the hidden state in work

Qwen3-8B (L 36, H 4096): 11.25 GiB at 40,960 tokens, 2.25 GiB at 8,192.  The bus carries each state twice: at 40,960
tokens 22.5 GiB, 1 to 2 s over PCIe 4 x16, beside a pass of minutes.  The gradients are the same, bit for bit: states
are copied, not rounded.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.checkpoint import checkpoint

from unsorry.training.model import causal_lm


def checkpoint_bytes(*, layers: int, hidden: int, tokens: int, bytes_per_number: int = 2) -> int:
    """Memory of the checkpointed hidden states of one pass: one [tokens, hidden] a layer."""
    return layers * hidden * tokens * bytes_per_number


def logits_bytes(*, vocabulary: int, tokens: int, bytes_per_number: int = 4) -> int:
    """Memory of a tensor of logits; with chunked log-probabilities `tokens` is the chunk."""
    return vocabulary * tokens * bytes_per_number


def checkpoint_layers(model: nn.Module, *, offload: bool, smallest: int = 1 << 16) -> None:
    """Keep one hidden state a layer in training passes and compute the rest again; `offload` keeps it on the CPU.

    Applies in training mode only.  States below `smallest` bytes stay where they are: a copy would cost more.
    """
    inner = causal_lm(model)
    inner.config.use_cache = False
    with warnings.catch_warnings():  # of the library about a name of its own
        warnings.simplefilter("ignore", FutureWarning)
        inner.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    run = partial(_offloaded, smallest=smallest) if offload else _checkpointed
    for part in inner.modules():
        if getattr(part, "gradient_checkpointing", False):
            part._gradient_checkpointing_func = run


def _checkpointed(layer: Callable[..., Any], *inputs: Any) -> Any:
    return checkpoint(layer, *inputs, use_reentrant=False)


def _offloaded(layer: Callable[..., Any], *inputs: Any, smallest: int) -> Any:
    # Non-reentrant checkpointing saves the layer's inputs as saved tensors, under the hooks in force here, and discards
    # all that is saved inside; so the hooks see the hidden state and nothing else of the layer.
    with offloading(smallest):
        return checkpoint(layer, *inputs, use_reentrant=False)


@contextmanager
def offloading(smallest: int = 1 << 16) -> Iterator[None]:
    """Tensors saved for a backward pass in this block go to the CPU, pinned, and come back when they are needed."""

    def out(tensor: Tensor) -> Tensor | tuple[torch.device, Tensor]:
        size = tensor.numel() * tensor.element_size()
        if isinstance(tensor, nn.Parameter) or not tensor.is_floating_point() or size < smallest:
            return tensor
        pinned = tensor.device.type == "cuda"
        held = torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu", pin_memory=pinned)
        held.copy_(tensor, non_blocking=pinned)
        return tensor.device, held

    def back(packed: Tensor | tuple[torch.device, Tensor]) -> Tensor:
        if isinstance(packed, Tensor):
            return packed
        device, held = packed
        return held.to(device, non_blocking=True)

    with saved_tensors_hooks(out, back):
        yield
