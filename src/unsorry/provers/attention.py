"""Attention for one new token a row on a CPU: grouped heads are used as they are, where the library repeats them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

NAME = "unsorry_one_token"
_ORDINARY = {"position_ids", "cache_position", "sliding_window", "use_cache", "past_key_values", "output_attentions"}


def one_token_attention(
    module: Any, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **options: Any
) -> tuple[Tensor, Tensor | None]:
    """Softmax attention of query [B, H, 1, D] to key and value [B, H / g, L, D]; anything else goes to SDPA.

    The mask is boolean [B, 1, 1, L], or None where all is seen.
    """
    rows, heads, length, width = query.shape
    unusual = any(
        value is not None for name, value in options.items() if name not in _ORDINARY | {"dropout", "scaling"}
    )
    if length != 1 or unusual or (attention_mask is not None and attention_mask.dtype != torch.bool):
        return sdpa_attention_forward(module, query, key, value, attention_mask, **options)  # type: ignore[no-any-return]
    scaling = options.get("scaling") or width**-0.5
    grouped = (query * scaling).view(rows, key.shape[1], heads // key.shape[1], width)
    scores = grouped @ key.transpose(-1, -2)
    if attention_mask is not None:
        scores.masked_fill_(~attention_mask, -torch.inf)
    out = scores.softmax(dim=-1) @ value
    return out.view(rows, 1, heads, value.shape[-1]), None


AttentionInterface.register(NAME, one_token_attention)
AttentionMaskInterface.register(NAME, sdpa_mask)


@contextmanager
def sampling_mode(model: Any) -> Iterator[None]:
    """`model` in evaluation mode and, on a CPU, with the attention above; as it was afterwards."""
    config, training = model.config, model.training
    before = getattr(config, "_attn_implementation", None)
    swap = before == "sdpa" and next(model.parameters()).device.type == "cpu"
    if swap:
        config._attn_implementation = NAME
    model.eval()
    try:
        yield
    finally:
        model.train(training)
        if swap:
            config._attn_implementation = before
