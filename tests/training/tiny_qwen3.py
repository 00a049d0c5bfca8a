"""A random Qwen3 of two layers, and the gradient of the CISPO loss through it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from torch import Tensor
from transformers import Qwen3Config, Qwen3ForCausalLM

from unsorry.training.cispo import CispoConfig, cispo_loss, token_denominator
from unsorry.training.logprobs import token_logprobs
from unsorry.training.packing import Batch, LossTokens

torch.set_num_threads(1)
VOCABULARY = 61


def qwen3(seed: int = 0, attention: str = "sdpa", dtype: torch.dtype = torch.float32) -> Any:
    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=VOCABULARY,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        max_position_embeddings=512,
        tie_word_embeddings=False,
        initializer_range=0.4,  # far from uniform, so that a wrong mask changes the result visibly
        attn_implementation=attention,
    )
    return Qwen3ForCausalLM(config).to(dtype).train()


def hidden_states(model: Any, batch: Batch) -> Tensor:
    """[B * T, H]"""
    eager = model.config._attn_implementation == "eager"
    mask = batch.attention_mask(model.dtype if eager else None)
    out = model.model(input_ids=batch.input_ids, attention_mask=mask, position_ids=batch.position_ids, use_cache=False)
    return out.last_hidden_state.flatten(0, 1)


def batch_logprobs(model: Any, batch: Batch, tokens: LossTokens) -> Tensor:
    hidden = hidden_states(model, batch)[tokens.positions]
    return token_logprobs(hidden, model.lm_head.weight, tokens.targets, chunk=7)


def gradient(model: Any, batches: Iterable[Batch], config: CispoConfig | None = None) -> Tensor:
    """The gradient of one optimiser step over micro-batches, all parameters in one vector [P]."""
    config = config or CispoConfig()
    model.zero_grad()
    passes: Sequence[tuple[Batch, LossTokens]] = [(batch, batch.loss_tokens()) for batch in batches]
    kept = []
    with torch.no_grad():
        for batch, tokens in passes:
            logprobs = batch_logprobs(model, batch, tokens)
            out = _loss(logprobs, tokens, config, 1.0)
            kept.append(out.kept)
    denominator = token_denominator(kept)
    for batch, tokens in passes:
        _loss(batch_logprobs(model, batch, tokens), tokens, config, denominator).loss.backward()
    return flat_gradient(model)


def flat_gradient(model: Any) -> Tensor:
    parts = [p.grad.flatten() if p.grad is not None else torch.zeros(p.numel()) for p in model.parameters()]
    return torch.cat([part.double() for part in parts])


def _loss(logprobs: Tensor, tokens: LossTokens, config: CispoConfig, denominator: float | Tensor) -> Any:
    return cispo_loss(
        logprobs,
        tokens.sampler_logprobs,
        tokens.advantages,
        tokens.mask,
        config=config,
        denominator=denominator,
        rows=tokens.rows,
    )


def relative(a: Tensor, b: Tensor) -> float:
    """|a - b| / |b|"""
    return float(torch.linalg.vector_norm(a - b) / torch.linalg.vector_norm(b))
