"""Averages of adapters and weights: what they are, and what the cheap versions are instead."""

from __future__ import annotations

import pytest
import reference
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from unsorry import UnsorryError
from unsorry.training.averaging import (
    LoraFactors,
    concatenate,
    interpolate_lora,
    interpolate_states,
    interpolate_weights,
    lora_delta,
    merged_weight,
    truncate,
)

torch.set_num_threads(1)


def adapter(seed: int, rank: int = 4, width: int = 24, out: int = 20, scale: float = 2.0) -> LoraFactors:
    generator = torch.Generator().manual_seed(seed)
    return LoraFactors(
        torch.randn(rank, width, generator=generator) / width**0.5, torch.randn(out, rank, generator=generator), scale
    )


def relative(a: Tensor, b: Tensor) -> float:
    return float(torch.linalg.vector_norm(a.double() - b.double()) / torch.linalg.vector_norm(b.double()))


@given(st.integers(0, 1000), st.integers(1, 3), st.integers(1, 3), st.sampled_from([0.0, 0.25, 0.7, 1.0]))
@settings(deadline=None, max_examples=50)
def test_interpolation_equals_the_loops(seed: int, first_rank: int, second_rank: int, alpha: float) -> None:
    first, second = adapter(seed, first_rank, 4, 3, 0.5), adapter(seed + 1, second_rank, 4, 3, 2.0)
    one = reference.product(first.b.tolist(), first.a.tolist(), first.scale)
    other = reference.product(second.b.tolist(), second.a.tolist(), second.scale)
    assert lora_delta(first).tolist() == [pytest.approx(row, abs=1e-5) for row in one]
    expected = [
        [(1 - alpha) * x + alpha * y for x, y in zip(row, others, strict=True)]
        for row, others in zip(one, other, strict=True)
    ]
    assert interpolate_lora(first, second, alpha).tolist() == [pytest.approx(row, abs=1e-5) for row in expected]
    both = concatenate(first, second, alpha)
    assert both.rank == first_rank + second_rank
    exact, error = truncate(both, both.rank)
    assert error < 1e-6
    torch.testing.assert_close(lora_delta(exact), lora_delta(both), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_the_ends_are_the_adapters(alpha: float) -> None:
    first, second = adapter(0), adapter(1)
    torch.testing.assert_close(interpolate_lora(first, second, alpha), lora_delta(second if alpha else first))


def test_from_the_base_without_an_adapter_alpha_counts_once() -> None:
    second = adapter(1)
    alpha = 0.7
    torch.testing.assert_close(interpolate_lora(None, second, alpha), alpha * lora_delta(second))
    naive = LoraFactors(alpha * second.a, alpha * second.b, second.scale)  # both factors scaled
    torch.testing.assert_close(lora_delta(naive), alpha**2 * lora_delta(second))


def test_the_average_of_the_factors_is_not_the_average() -> None:
    """Neither for two unrelated adapters nor for two rounds of one: the cross terms are another update."""
    first = adapter(0)
    later = LoraFactors(first.a + 0.4 * adapter(1).a, first.b + 0.4 * adapter(1).b, first.scale)
    for second, least in ((adapter(1), 0.3), (later, 0.01)):
        exact = interpolate_lora(first, second, 0.5)
        factors = LoraFactors((first.a + second.a) / 2, (first.b + second.b) / 2, first.scale)
        assert relative(lora_delta(factors), exact) > least


def test_peft_agrees_on_which_combinations_are_averages() -> None:
    """PEFT's "cat" is exact, its "svd" is the best of that rank, its "linear" is no average."""
    import peft
    from torch import nn

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(24, 20, bias=False)

        def forward(self, x: Tensor) -> Tensor:
            return self.layer(x)  # type: ignore[no-any-return]

    shape = peft.LoraConfig(r=4, lora_alpha=8, target_modules=["layer"])
    model = peft.get_peft_model(Net(), shape, adapter_name="first")
    model.add_adapter("second", shape)
    layer = model.base_model.model.layer
    ours = {}
    for seed, name in enumerate(("first", "second")):
        ours[name] = adapter(seed)
        layer.lora_A[name].weight.data = ours[name].a.clone()
        layer.lora_B[name].weight.data = ours[name].b.clone()
    exact = interpolate_lora(ours["first"], ours["second"], 0.7)
    for kind in ("cat", "svd", "linear"):
        model.add_weighted_adapter(["first", "second"], [0.3, 0.7], kind, combination_type=kind, svd_rank=4)
    torch.testing.assert_close(layer.get_delta_weight("cat"), exact)
    best, error = truncate(concatenate(ours["first"], ours["second"], 0.7), 4)
    torch.testing.assert_close(layer.get_delta_weight("svd"), lora_delta(best), atol=1e-4, rtol=1e-3)
    assert relative(lora_delta(best), exact) == pytest.approx(error, rel=1e-3)
    assert relative(layer.get_delta_weight("linear"), exact) > 0.3


def test_truncation_is_the_best_of_its_rank() -> None:
    both = concatenate(adapter(0), adapter(1), 0.6)
    whole = lora_delta(both)
    u, s, vt = torch.linalg.svd(whole)
    for rank in range(1, 8):
        smaller, error = truncate(both, rank)
        assert smaller.rank == rank
        torch.testing.assert_close(lora_delta(smaller), (u[:, :rank] * s[:rank]) @ vt[:rank], atol=1e-4, rtol=1e-3)
        assert error == pytest.approx(relative(lora_delta(smaller), whole), rel=1e-3, abs=1e-5)


def test_truncating_an_untrained_adapter() -> None:
    """B starts at 0: there is nothing to divide by."""
    zero = LoraFactors(torch.randn(3, 5), torch.zeros(4, 3))
    smaller, error = truncate(zero, 2)
    assert not lora_delta(smaller).any() and error == 0.0


def test_products_of_half_precision_factors_are_taken_in_float32() -> None:
    half = LoraFactors(adapter(0, 16).a.bfloat16(), adapter(0, 16).b.bfloat16(), 2.0)
    exact = 2.0 * (half.b.double() @ half.a.double())
    assert lora_delta(half).dtype == torch.float32
    assert relative(lora_delta(half), exact) < 1e-6
    assert relative(half.scale * (half.b @ half.a), exact) > 1e-3  # in the adapter's own dtype


def weights(seed: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return (torch.randn(64, 64, generator=torch.Generator().manual_seed(seed)) * 0.02).to(dtype)


def test_weights_are_summed_in_float32_and_rounded_once() -> None:
    """What a merge in the dtype of the weights loses, as mergekit does unless it is given dtype float32."""
    base = weights(0).bfloat16()
    tuned = (base.float() + 0.05 * weights(1)).bfloat16()
    alpha = 0.7
    exact = (1 - alpha) * base.double() + alpha * tuned.double()
    ours = interpolate_weights(base, tuned, alpha)
    naive = (1 - alpha) * base + alpha * tuned  # every step rounded to 8 bits
    assert ours.dtype == torch.bfloat16
    assert torch.equal(ours, exact.bfloat16()) or relative(ours, exact.bfloat16()) < 1e-4
    assert relative(naive, exact) > 1.3 * relative(ours, exact)
    assert relative(interpolate_weights(base, tuned, alpha, out_dtype=torch.float32), exact) < 1e-6


def test_a_small_update_stored_in_bfloat16_is_partly_lost() -> None:
    """|D|/|W| of 2.5 %: W + D in bf16 loses 6.7 % (rms) of D, whichever way it is summed; float32 keeps it."""
    base = weights(0).bfloat16()
    delta = 0.025 * weights(1)
    factors = LoraFactors(torch.eye(64), delta)
    stored = merged_weight(base, factors)
    assert stored.dtype == torch.bfloat16
    assert relative(stored.double() - base.double(), delta) == pytest.approx(0.067, abs=0.01)
    kept = merged_weight(base, factors, out_dtype=torch.float32)
    assert relative(kept.double() - base.double(), delta) < 1e-5
    assert torch.equal(base, weights(0).bfloat16()), "the base is not touched"


def test_states() -> None:
    a = {"w": torch.zeros(2), "steps": torch.tensor([3])}
    b = {"w": torch.ones(2), "steps": torch.tensor([3])}
    found = interpolate_states(a, b, 0.6)
    torch.testing.assert_close(found["w"], torch.full((2,), 0.6))
    assert found["steps"].tolist() == [3]
    with pytest.raises(UnsorryError, match="differ in 1 weights"):
        interpolate_states(a, {"w": b["w"]}, 0.5)
    with pytest.raises(UnsorryError, match="steps holds integers that differ"):
        interpolate_states(a, {**b, "steps": torch.tensor([4])}, 0.5)
    with pytest.raises(UnsorryError, match="different models"):
        interpolate_states(a, {**b, "w": torch.ones(3)}, 0.5)


def test_what_is_refused() -> None:
    with pytest.raises(UnsorryError, match="different models"):
        concatenate(adapter(0), adapter(1, width=8), 0.5)
    with pytest.raises(UnsorryError, match="rank 0"):
        truncate(adapter(0), 0)
    with pytest.raises(ValueError, match="want"):
        LoraFactors(torch.zeros(2, 3), torch.zeros(3, 4))
