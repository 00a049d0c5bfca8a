"""Log-probabilities of given tokens from hidden states, without a tensor of all logits.

For Qwen3-8B the logits of 40,960 tokens would be 23 GiB in float32.  Here they exist for `chunk` tokens at a time,
forward and backward; what is kept between the passes is one number per token.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import torch
from torch import Tensor

from unsorry import UnsorryError

_VOCABULARY_BLOCK = 16_384  # rows of the head that are upcast at a time: 256 MiB at hidden size 4096


def token_logprobs(
    hidden: Tensor,
    head_weight: Tensor,
    targets: Tensor,
    *,
    chunk: int = 1024,
    fp32_head: bool = False,
    temperature: float = 1.0,
    bias: Tensor | None = None,
) -> Tensor:
    """log softmax((hidden @ head_weight.T + bias) / temperature)[targets]: [N], float32 (float64 for float64 input).

    `hidden` [N, H] are the states that predict `targets` [N] (the state of the token before), `head_weight` [V, H],
    `bias` [V].  Gradients reach hidden, head and bias and are exact.  With `fp32_head` the product is taken in float32
    from upcast factors; otherwise in the dtype of `hidden`, as the model itself would, and softmax in float32.
    """
    return token_logprobs_and_entropy(
        hidden, head_weight, targets, chunk=chunk, fp32_head=fp32_head, temperature=temperature, bias=bias
    )[0]


def token_logprobs_and_entropy(
    hidden: Tensor,
    head_weight: Tensor,
    targets: Tensor,
    *,
    chunk: int = 1024,
    fp32_head: bool = False,
    temperature: float = 1.0,
    bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The same, and the entropy [N] in nats of each predicted distribution at this temperature, differentiable too."""
    if chunk < 1:
        raise UnsorryError(f"logprob chunk = {chunk}: give a number of tokens, 1 or more (1024 is usual)")
    if not temperature > 0.0:
        raise UnsorryError(f"temperature = {temperature}: log-probabilities need a temperature above 0")
    if hidden.ndim != 2 or targets.shape != hidden.shape[:1] or head_weight.shape[1:] != hidden.shape[1:]:
        shapes = f"hidden {tuple(hidden.shape)}, head {tuple(head_weight.shape)}, targets {tuple(targets.shape)}"
        raise ValueError(f"{shapes}: want [N, H], [V, H], [N]")
    if fp32_head and hidden.dtype != torch.float64 and torch.get_float32_matmul_precision() != "highest":
        raise UnsorryError(
            f"fp32_head: float32 products are set to {torch.get_float32_matmul_precision()!r} (TF32 or less), which"
            ' undoes it; call torch.set_float32_matmul_precision("highest")'
        )
    arguments = (hidden, head_weight, targets, bias, chunk, fp32_head, temperature)
    return cast(tuple[Tensor, Tensor], _TokenLogprobs.apply(*arguments))  # type: ignore[no-untyped-call]


class _TokenLogprobs(torch.autograd.Function):
    """Forward and backward over chunks of tokens; the logits of a chunk are computed again in the backward pass."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        head: Tensor,
        targets: Tensor,
        bias: Tensor | None,
        chunk: int,
        fp32_head: bool,
        temperature: float,
    ) -> tuple[Tensor, Tensor]:
        out = hidden.new_empty(hidden.shape[0], dtype=_arithmetic(hidden))
        normaliser, entropy = torch.empty_like(out), torch.empty_like(out)
        for span in _spans(hidden.shape[0], chunk):
            logits = _logits(hidden[span], head, bias, fp32_head, temperature)
            normaliser[span] = logits.logsumexp(-1)
            out[span] = logits.gather(-1, targets[span, None]).squeeze(-1) - normaliser[span]
            logits -= normaliser[span, None]
            # a token of probability 0 adds 0, but 0 * -inf is NaN
            entropy[span] = -(logits.exp() * logits.clamp(min=torch.finfo(logits.dtype).min)).sum(-1)
        ctx.save_for_backward(hidden, head, targets, bias, normaliser, entropy)
        ctx.settings = (chunk, fp32_head, temperature)
        ctx.set_materialize_grads(False)
        return out, entropy

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad_out: Tensor | None, grad_entropy: Tensor | None) -> tuple[Tensor | None, ...]:
        hidden, head, targets, bias, normaliser, entropy = ctx.saved_tensors
        chunk, fp32_head, temperature = ctx.settings
        want_hidden, want_head, _, want_bias = ctx.needs_input_grad[:4]
        dtype = _arithmetic(hidden)
        to_hidden = torch.zeros_like(hidden) if want_hidden else None
        # Sums over all tokens: in the arithmetic's dtype, so that bf16 does not lose the small ones.
        to_head = torch.zeros_like(head, dtype=dtype) if want_head else None
        to_bias = torch.zeros_like(bias, dtype=dtype) if want_bias else None
        for span in _spans(hidden.shape[0], chunk):
            logs = _logits(hidden[span], head, bias, fp32_head, temperature) - normaliser[span, None]
            grad = _logit_gradient(logs, targets[span], entropy[span], _at(grad_out, span), _at(grad_entropy, span))
            grad /= temperature
            if to_hidden is not None:
                to_hidden[span] = _times_head(grad, head, hidden.dtype, fp32_head)
            if to_head is not None:
                with torch.autocast(hidden.device.type, enabled=False):
                    to_head += grad.T @ hidden[span].to(dtype)
            if to_bias is not None:
                to_bias += grad.sum(0)
        return (
            to_hidden,
            None if to_head is None else to_head.to(head.dtype),
            None,
            None if to_bias is None else to_bias.to(bias.dtype),
            None,
            None,
            None,
        )


def _arithmetic(hidden: Tensor) -> torch.dtype:
    return torch.promote_types(hidden.dtype, torch.float32)


def _at(values: Tensor | None, span: slice) -> Tensor | None:
    return None if values is None else values[span]


def _spans(length: int, size: int) -> Iterator[slice]:
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))


def _logits(hidden: Tensor, head: Tensor, bias: Tensor | None, fp32_head: bool, temperature: float) -> Tensor:
    """Logits [n, V] over temperature, in float32 or wider, whatever dtype the product was taken in."""
    dtype = _arithmetic(hidden)
    with torch.autocast(hidden.device.type, enabled=False):  # autocast would take the float32 product in bf16
        if fp32_head:
            logits = hidden.new_empty(hidden.shape[0], head.shape[0], dtype=dtype)
            upcast = hidden.to(dtype)
            for block in _spans(head.shape[0], _VOCABULARY_BLOCK):
                torch.matmul(upcast, head[block].to(dtype).T, out=logits[:, block])
            if bias is not None:
                logits += bias.to(dtype)
        else:
            product = hidden @ head.to(hidden.dtype).T
            logits = (product if bias is None else product + bias.to(hidden.dtype)).to(dtype)
    return logits if temperature == 1.0 else logits / temperature


def _logit_gradient(
    logs: Tensor, targets: Tensor, entropy: Tensor, grad_out: Tensor | None, grad_entropy: Tensor | None
) -> Tensor:
    """Gradient [n, V] at the logits (over temperature), from log-softmax `logs`.

    d log p_y / d z_j = [j = y] - p_j;    d H / d z_j = -p_j (log p_j + H)
    """
    probabilities = logs.exp()
    grad = torch.zeros_like(logs)
    if grad_out is not None:
        grad -= grad_out[:, None] * probabilities
        grad.scatter_add_(-1, targets[:, None], grad_out[:, None].to(grad.dtype))
    if grad_entropy is not None:
        finite = logs.clamp(min=torch.finfo(logs.dtype).min)
        grad -= grad_entropy[:, None] * probabilities * (finite + entropy[:, None])
    return grad


def _times_head(grad: Tensor, head: Tensor, dtype: torch.dtype, fp32_head: bool) -> Tensor:
    with torch.autocast(grad.device.type, enabled=False):
        if not fp32_head:
            return grad.to(dtype) @ head.to(dtype)
        out = grad.new_zeros(grad.shape[0], head.shape[1])
        for block in _spans(head.shape[0], _VOCABULARY_BLOCK):
            out += grad[:, block] @ head[block].to(grad.dtype)
        return out.to(dtype)
