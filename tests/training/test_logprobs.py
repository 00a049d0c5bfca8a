"""Chunked log-probabilities: equal to the full computation, in less memory, and in the precision that was asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import reference
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from unsorry import UnsorryError
from unsorry.training.logprobs import token_logprobs, token_logprobs_and_entropy

torch.set_num_threads(1)


def problem(n: int, vocabulary: int, width: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    hidden = torch.randn(n, width, generator=generator, dtype=torch.float64)
    head = torch.randn(vocabulary, width, generator=generator, dtype=torch.float64)
    bias = torch.randn(vocabulary, generator=generator, dtype=torch.float64)
    targets = torch.randint(0, vocabulary, (n,), generator=generator)
    return [hidden.to(dtype), head.to(dtype), bias.to(dtype), targets]


def full(
    hidden: Tensor, head: Tensor, bias: Tensor | None, targets: Tensor, temperature: float
) -> tuple[Tensor, Tensor]:
    logits = hidden @ head.T
    logs = ((logits if bias is None else logits + bias) / temperature).log_softmax(-1)
    return logs.gather(-1, targets[:, None]).squeeze(-1), -(logs.exp() * logs).sum(-1)


@given(
    st.integers(0, 5),
    st.integers(1, 9),
    st.integers(1, 4),
    st.integers(1, 6),
    st.sampled_from([0.3, 1.0, 1.7]),
    st.booleans(),
    st.booleans(),
    st.integers(0, 1000),
)
@settings(deadline=None, max_examples=100)
def test_equals_the_loops(
    n: int, vocabulary: int, width: int, chunk: int, temperature: float, biased: bool, fp32_head: bool, seed: int
) -> None:
    hidden, head, bias, targets = problem(n, vocabulary, width, seed)
    expected, entropies = reference.logprobs(
        hidden.tolist(),
        head.tolist(),
        targets.tolist(),
        temperature=temperature,
        bias=bias.tolist() if biased else None,
    )
    found, entropy = token_logprobs_and_entropy(
        hidden,
        head,
        targets,
        chunk=chunk,
        fp32_head=fp32_head,
        temperature=temperature,
        bias=bias if biased else None,
    )
    assert found.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-10)
    assert entropy.tolist() == pytest.approx(entropies, rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("fp32_head", [False, True])
@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_gradients_are_those_of_the_full_computation(chunk: int, fp32_head: bool) -> None:
    hidden, head, bias, targets = problem(10, 23, 5)
    weights = torch.randn(2, 10, dtype=torch.float64)
    leaves = [tensor.clone().requires_grad_() for tensor in (hidden, head, bias)]
    again = [tensor.clone().requires_grad_() for tensor in (hidden, head, bias)]

    logprobs, entropy = full(*leaves, targets, 0.7)
    (weights[0] @ logprobs + weights[1] @ entropy).backward()
    logprobs, entropy = token_logprobs_and_entropy(
        again[0], again[1], targets, bias=again[2], chunk=chunk, fp32_head=fp32_head, temperature=0.7
    )
    (weights[0] @ logprobs + weights[1] @ entropy).backward()
    for expected, found in zip(leaves, again, strict=True):
        torch.testing.assert_close(found.grad, expected.grad)


def test_gradients_by_finite_differences() -> None:
    hidden, head, bias, targets = problem(5, 7, 3)
    leaves = tuple(tensor.requires_grad_() for tensor in (hidden, head, bias))

    def function(hidden: Tensor, head: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        return token_logprobs_and_entropy(hidden, head, targets, chunk=2, temperature=1.3, bias=bias)

    assert torch.autograd.gradcheck(function, leaves)


def test_only_what_needs_a_gradient_gets_one() -> None:
    """A LoRA run freezes the head: its gradient, as large as the head, must not be made."""
    hidden, head, _, targets = problem(6, 111, 40)
    for trained in (False, True):
        leaf = hidden.clone().requires_grad_()
        with _Sizes() as sizes:
            token_logprobs(leaf, head.requires_grad_(trained), targets, chunk=2).sum().backward()
        assert leaf.grad is not None and (head.grad is not None) == trained
        assert (sizes.largest >= head.numel()) == trained


def test_a_token_of_probability_zero() -> None:
    """Logits of -inf (a masked vocabulary entry): log-probability -inf, entropy finite."""
    hidden, head = torch.ones(1, 1), torch.tensor([[0.0], [0.0], [0.0]])
    bias = torch.tensor([0.0, 0.0, -torch.inf])
    logprob, entropy = token_logprobs_and_entropy(hidden, head, torch.tensor([2]), bias=bias)
    assert logprob.item() == -torch.inf
    assert entropy.item() == pytest.approx(0.6931472)


class _Sizes(TorchDispatchMode):
    """The number of elements of the largest tensor that any operation returned, views of its arguments set aside."""

    def __init__(self) -> None:
        super().__init__()
        self.largest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        given = {leaf.untyped_storage().data_ptr() for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)}
        for leaf in tree_leaves(result):
            if isinstance(leaf, Tensor) and leaf.untyped_storage().data_ptr() not in given:
                self.largest = max(self.largest, leaf.numel())
        return result


@pytest.mark.parametrize("fp32_head", [False, True])
def test_all_logits_are_never_in_memory(fp32_head: bool) -> None:
    n, vocabulary, width, chunk = 256, 199, 8, 16
    hidden, head, _, targets = problem(n, vocabulary, width, dtype=torch.bfloat16)

    def largest(compute: Callable[[Tensor, Tensor], Tensor]) -> int:
        leaves = [hidden.clone().requires_grad_(), head.clone().requires_grad_()]
        with _Sizes() as sizes:
            compute(*leaves).sum().backward()
        return sizes.largest

    assert largest(lambda h, w: full(h, w, None, targets, 1.0)[0]) == n * vocabulary  # it would be noticed
    assert largest(lambda h, w: token_logprobs(h, w, targets, chunk=chunk, fp32_head=fp32_head)) == chunk * vocabulary


def test_the_float32_head_is_another_head_than_the_bfloat16_one() -> None:
    hidden, head, _, targets = problem(512, 300, 64, dtype=torch.bfloat16)
    exact = full(hidden.double(), head.double(), None, targets, 1.0)[0]
    error = {
        fp32_head: (token_logprobs(hidden, head, targets, fp32_head=fp32_head) - exact).abs().mean().item()
        for fp32_head in (False, True)
    }
    assert error[False] > 1e-3  # logits rounded to 8 bits
    assert error[True] < 1e-5
    half = token_logprobs(hidden, head, targets, fp32_head=False)
    assert half.dtype == torch.float32  # the softmax at least
    naive = full(hidden, head, None, targets, 1.0)[0]  # softmax in bf16 too: worse again
    assert (naive.double() - exact).abs().mean().item() > 1.5 * error[False]


def test_the_float32_head_gives_float32_gradients() -> None:
    hidden, head, _, targets = problem(512, 300, 64, dtype=torch.bfloat16)
    exact = [tensor.double().requires_grad_() for tensor in (hidden, head)]
    full(*exact, None, targets, 1.0)[0].sum().backward()
    for fp32_head, least, most in ((False, 1e-3, 1.0), (True, 0.0, 3e-3)):
        leaves = [tensor.clone().requires_grad_() for tensor in (hidden, head)]
        token_logprobs(*leaves, targets, fp32_head=fp32_head, chunk=64).sum().backward()
        for leaf, truth in zip(leaves, exact, strict=True):
            error = torch.linalg.vector_norm(leaf.grad.double() - truth.grad) / torch.linalg.vector_norm(truth.grad)
            assert least < error.item() < most  # the gradient itself is stored in bf16, 8 bits


def test_autocast_does_not_reach_the_float32_head() -> None:
    hidden, head, _, targets = problem(64, 50, 32, dtype=torch.float32)
    expected = token_logprobs(hidden, head, targets, fp32_head=True)
    leaf = hidden.clone().requires_grad_()
    with torch.autocast("cpu", torch.bfloat16):
        assert (hidden @ head.T).dtype == torch.bfloat16  # what it does to others
        found = token_logprobs(leaf, head, targets, fp32_head=True)
        found.sum().backward()
    torch.testing.assert_close(found, expected)
    plain = hidden.clone().requires_grad_()
    token_logprobs(plain, head, targets, fp32_head=True).sum().backward()
    torch.testing.assert_close(leaf.grad, plain.grad)


def test_without_the_float32_head_autocast_is_honoured() -> None:
    """Else switching the option on and off would compare float32 with float32."""
    hidden, head, bias, targets = problem(64, 50, 32, dtype=torch.float32)
    rounded = [tensor.bfloat16() for tensor in (hidden, head, bias)]
    expected = token_logprobs(rounded[0], rounded[1], targets, bias=rounded[2])
    leaves = [tensor.clone().requires_grad_() for tensor in (hidden, head)]
    with torch.autocast("cpu", torch.bfloat16):
        found = token_logprobs(*leaves, targets, bias=bias)
    torch.testing.assert_close(found, expected)
    found.sum().backward()  # outside autocast, as loops do it
    exact = [tensor.clone().requires_grad_() for tensor in (hidden, head)]
    full(*exact, bias, targets, 1.0)[0].sum().backward()
    for leaf, truth in zip(leaves, exact, strict=True):
        assert leaf.grad is not None and leaf.grad.dtype == torch.float32
        torch.testing.assert_close(leaf.grad, truth.grad, atol=0.2, rtol=0.05)


def test_a_large_vocabulary_goes_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unsorry.training.logprobs._VOCABULARY_BLOCK", 4)
    test_gradients_are_those_of_the_full_computation(3, True)
    test_gradients_are_those_of_the_full_computation(3, False)


def test_a_float32_head_in_tf32_is_refused() -> None:
    hidden, head, _, targets = problem(2, 3, 4, dtype=torch.float32)
    torch.set_float32_matmul_precision("high")
    try:
        with pytest.raises(UnsorryError, match=r"fp32_head.*highest"):
            token_logprobs(hidden, head, targets, fp32_head=True)
        token_logprobs(hidden, head, targets)
    finally:
        torch.set_float32_matmul_precision("highest")


def test_what_is_refused() -> None:
    hidden, head, _, targets = problem(2, 3, 4)
    with pytest.raises(UnsorryError, match="temperature"):
        token_logprobs(hidden, head, targets, temperature=0.0)
    with pytest.raises(UnsorryError, match="chunk"):
        token_logprobs(hidden, head, targets, chunk=0)
    with pytest.raises(ValueError, match="want"):
        token_logprobs(hidden, head.T, targets)
