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

_VOCABULARY_BLOCK = 16_384  # rows of the head that are converted at a time: 256 MiB in float32 at hidden size 4096


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
    from upcast factors; otherwise in the dtype of `hidden`, or of autocast where that is on, as the model itself would.
    The softmax is float32 in any case.
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
    product = _arithmetic(hidden.dtype) if fp32_head else _model_dtype(hidden)
    arguments = (hidden, head_weight, targets, bias, chunk, product, temperature)
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
        product: torch.dtype,
        temperature: float,
    ) -> tuple[Tensor, Tensor]:
        out = hidden.new_empty(hidden.shape[0], dtype=_arithmetic(product))
        normaliser, entropy = torch.empty_like(out), torch.empty_like(out)
        for span in _spans(hidden.shape[0], chunk):
            logits = _logits(hidden[span], head, bias, product, temperature)
            normaliser[span] = logits.logsumexp(-1)
            out[span] = logits.gather(-1, targets[span, None]).squeeze(-1) - normaliser[span]
            logits -= normaliser[span, None]
            # a token of probability 0 adds 0, but 0 * -inf is NaN
            entropy[span] = -(logits.exp() * logits.clamp(min=torch.finfo(logits.dtype).min)).sum(-1)
        ctx.save_for_backward(hidden, head, targets, bias, normaliser, entropy)
        ctx.settings = (chunk, product, temperature)
        ctx.set_materialize_grads(False)
        return out, entropy

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad_out: Tensor | None, grad_entropy: Tensor | None) -> tuple[Tensor | None, ...]:
        hidden, head, targets, bias, normaliser, entropy = ctx.saved_tensors
        chunk, product, temperature = ctx.settings
        want_hidden, want_head, _, want_bias = ctx.needs_input_grad[:4]
        dtype = normaliser.dtype
        to_hidden = torch.zeros_like(hidden) if want_hidden else None
        # Sums over all tokens: in float32, so that bf16 does not lose the small ones.
        to_head = torch.zeros_like(head, dtype=dtype) if want_head else None
        to_bias = torch.zeros_like(bias, dtype=dtype) if want_bias else None
        for span in _spans(hidden.shape[0], chunk):
            logs = _logits(hidden[span], head, bias, product, temperature) - normaliser[span, None]
            grad = _logit_gradient(logs, targets[span], entropy[span], _at(grad_out, span), _at(grad_entropy, span))
            grad /= temperature
            if to_bias is not None:
                to_bias += grad.sum(0)
            _add_products(grad.to(product), hidden[span], head, _at(to_hidden, span), to_head)
        return (
            to_hidden,
            None if to_head is None else to_head.to(head.dtype),
            None,
            None if to_bias is None else to_bias.to(bias.dtype),
            None,
            None,
            None,
        )


def _arithmetic(dtype: torch.dtype) -> torch.dtype:
    """What softmax and sums are taken in: float32, or wider."""
    return torch.promote_types(dtype, torch.float32)


def _model_dtype(hidden: Tensor) -> torch.dtype:
    """What a linear layer would multiply these states in."""
    kind = hidden.device.type
    if torch.is_autocast_enabled(kind) and hidden.dtype != torch.float64:
        return torch.get_autocast_dtype(kind)
    return hidden.dtype


def _at(values: Tensor | None, span: slice) -> Tensor | None:
    return None if values is None else values[span]


def _spans(length: int, size: int) -> Iterator[slice]:
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))


def _logits(hidden: Tensor, head: Tensor, bias: Tensor | None, product: torch.dtype, temperature: float) -> Tensor:
    """Logits [n, V] over temperature, float32 or wider, from products in the dtype `product`."""
    logits = hidden.new_empty(hidden.shape[0], head.shape[0], dtype=_arithmetic(product))
    with torch.autocast(hidden.device.type, enabled=False):  # the dtype is settled, also in the backward pass
        states = hidden.to(product)
        for block in _spans(head.shape[0], _VOCABULARY_BLOCK):
            part = states @ head[block].to(product).T
            logits[:, block] = part if bias is None else part + bias[block].to(product)
    return logits if temperature == 1.0 else logits.div_(temperature)


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


def _add_products(grad: Tensor, hidden: Tensor, head: Tensor, to_hidden: Tensor | None, to_head: Tensor | None) -> None:
    """Add what a gradient [n, V] at the logits gives to the hidden states [n, H] and to the head [V, H]."""
    states = hidden.to(grad.dtype)
    total = hidden.new_zeros(hidden.shape, dtype=_arithmetic(grad.dtype))
    with torch.autocast(hidden.device.type, enabled=False):
        for block in _spans(head.shape[0], _VOCABULARY_BLOCK):
            if to_hidden is not None:
                total += grad[:, block] @ head[block].to(grad.dtype)
            if to_head is not None:
                to_head[block] += grad[:, block].T @ states
    if to_hidden is not None:
        to_hidden += total
