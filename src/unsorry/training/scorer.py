"""The policy as training sees it: batches in, log-probabilities of the loss tokens out."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from unsorry import UnsorryError
from unsorry.training.logprobs import token_logprobs_and_entropy
from unsorry.training.model import causal_lm, has_fp32_head, hidden_and_head
from unsorry.training.packing import Batch, LossTokens


class Scorer(nn.Module):
    """A model with the part of the loss that touches its weights inside `forward`.

    The head's weight is read by a chunked function and not by a layer's own forward pass.  FSDP gathers weights around
    the forward pass of the module it wraps, so that module is this one (see distributed.py).
    """

    def __init__(
        self, model: nn.Module, *, chunk: int = 1024, temperature: float = 1.0, autocast: bool = False
    ) -> None:
        super().__init__()
        self.model = model
        self.chunk = chunk
        self.temperature = temperature
        self.autocast = autocast  # passes in bfloat16 with float32 weights, on a GPU
        self.fp32_head = has_fp32_head(model)
        self.flash = "flash" in str(causal_lm(model).config._attn_implementation)

    @property
    def context(self) -> int:
        return int(causal_lm(self.model).config.max_position_embeddings)

    @property
    def layers(self) -> list[nn.Module]:
        """The model's layers, each a unit when weights are spread over ranks."""
        layers = getattr(causal_lm(self.model).base_model, "layers", None)
        if layers is None:
            raise UnsorryError(f"{type(causal_lm(self.model)).__name__} has no list of layers to spread over ranks")
        return list(layers)

    @property
    def pad_id(self) -> int:
        config: Any = causal_lm(self.model).config
        for value in (config.pad_token_id, config.eos_token_id):
            if value is not None:
                return int(value[0] if isinstance(value, list) else value)
        return 0

    def packs(self, layout: str) -> bool:
        """Whether rows are packed into lines (see batches.py) under this layout and this attention."""
        return layout == "packed" or (layout == "auto" and self.flash)

    def forward(self, batch: Batch, tokens: LossTokens, packed: bool) -> tuple[Tensor, Tensor]:
        """Log-probability and entropy [N] of the loss tokens, float32, in the order of `tokens`."""
        inputs: dict[str, Tensor | None] = {"input_ids": batch.input_ids}
        if packed:
            inputs["position_ids"] = batch.position_ids
            if not self.flash:
                inputs["attention_mask"] = batch.attention_mask()
            elif batch.input_ids.shape[0] != 1:
                raise UnsorryError("flash attention takes packed rows as one line; pack with lines=1")
        with torch.autocast(batch.input_ids.device.type, dtype=torch.bfloat16, enabled=self.autocast):
            hidden, weight, bias = hidden_and_head(self.model, inputs)
            return token_logprobs_and_entropy(
                hidden.flatten(0, 1)[tokens.positions],
                weight,
                tokens.targets,
                chunk=self.chunk,
                fp32_head=self.fp32_head,
                temperature=self.temperature,
                bias=bias,
            )
