"""The CISPO loss against plain loops, and the properties that other losses of the name do not have."""

from __future__ import annotations

import math

import pytest
import reference
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from unsorry import UnsorryError
from unsorry.training.cispo import CispoConfig, cispo_loss, kept_tokens, token_denominator

torch.set_num_threads(1)

CONFIGS = st.builds(
    CispoConfig,
    c_abs=st.sampled_from([1.0, 1.3, 5.0, math.inf]),
    sequence_mask_delta=st.sampled_from([None, 0.0, 0.1, 0.5]),
)


@st.composite
def batches(draw: st.DrawFn) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    rows = draw(st.integers(1, 5))
    length = draw(st.integers(1, 8))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.sampled_from([0.0, 0.05, 0.6, 3.0]))
    sampler = -torch.rand(rows, length, generator=generator, dtype=torch.float64) * 6
    shift = torch.randn(rows, 1, generator=generator, dtype=torch.float64)
    noise = torch.randn(rows, length, generator=generator, dtype=torch.float64)
    advantages = torch.randn(rows, generator=generator, dtype=torch.float64)
    if draw(st.booleans()):
        advantages[0] = 0.0
    mask = torch.rand(rows, length, generator=generator) < draw(st.sampled_from([0.0, 0.5, 1.0]))
    return sampler + spread * (noise + shift), sampler, advantages, mask


def compute(batch: tuple[Tensor, Tensor, Tensor, Tensor], config: CispoConfig, denominator: float | Tensor):
    logprobs, sampler, advantages, mask = batch
    leaf = logprobs.clone().requires_grad_()
    out = cispo_loss(leaf, sampler, advantages, mask, config=config, denominator=denominator)
    out.loss.backward()
    assert leaf.grad is not None
    return out, leaf.grad


def by_loops(batch: tuple[Tensor, Tensor, Tensor, Tensor], config: CispoConfig) -> reference.Cispo:
    return reference.cispo(*(tensor.tolist() for tensor in batch), c_abs=config.c_abs, delta=config.sequence_mask_delta)


@given(batches(), CONFIGS)
@settings(deadline=None, max_examples=100)
def test_equals_the_loops(batch: tuple[Tensor, Tensor, Tensor, Tensor], config: CispoConfig) -> None:
    expected = by_loops(batch, config)
    kept = kept_tokens(*batch, config=config)
    out, gradient = compute(batch, config, token_denominator([kept]))
    assert out.kept.tolist() == kept.tolist() == expected.kept
    assert out.loss.item() == pytest.approx(expected.loss, rel=1e-9, abs=1e-12)
    torch.testing.assert_close(gradient, torch.tensor(expected.gradient, dtype=torch.float64))
    seen = out.statistics
    assert (seen.tokens, seen.masked_sequences) == (expected.tokens, expected.masked_sequences)
    assert seen.sequences == int(batch[3].any(1).sum())
    assert seen.max_ratio == pytest.approx(expected.max_ratio)
    if expected.tokens:
        assert seen.mean_ratio == pytest.approx(expected.mean_ratio)
        assert seen.capped_fraction == pytest.approx(expected.capped / expected.tokens)
        assert seen.kl == pytest.approx(expected.kl, rel=1e-9, abs=1e-12)
        assert seen.kl >= 0.0
    else:
        assert math.isnan(seen.mean_ratio) and math.isnan(seen.kl)


@given(batches(), CONFIGS, st.data())
@settings(deadline=None, max_examples=50)
def test_micro_batches_ranks_order_and_layout_change_nothing(
    batch: tuple[Tensor, Tensor, Tensor, Tensor], config: CispoConfig, data: st.DataObject
) -> None:
    kept = kept_tokens(*batch, config=config)
    whole, gradient = compute(batch, config, token_denominator([kept]))
    order = data.draw(st.permutations(range(len(batch[2]))))
    cut = data.draw(st.integers(0, len(order)))
    parts = [order[:cut], order[cut:]]  # either may be empty: a rank without rows still takes part

    shuffled = [tuple(tensor[list(part)] for tensor in batch) for part in parts]
    denominator = token_denominator([kept_tokens(*part, config=config) for part in shuffled])
    pieces = [compute(part, config, denominator) for part in shuffled]
    torch.testing.assert_close(sum(out.loss for out, _ in pieces), whole.loss)
    torch.testing.assert_close(torch.cat([grad for _, grad in pieces]), gradient[list(order)])
    merged = pieces[0][0].statistics + pieces[1][0].statistics
    torch.testing.assert_close(merged.sums, whole.statistics.sums)
    torch.testing.assert_close(merged.largest, whole.statistics.largest)

    # Two ranks: each knows its own rows, the sum comes from an all-reduce, and the framework averages gradients.
    counts = [kept_tokens(*part, config=config) for part in shuffled]
    total = sum(count.sum(dtype=torch.float64) for count in counts)
    local = [token_denominator([count], all_reduce=lambda _: total, averaged_over=2) for count in counts]
    ranks = [compute(part, config, local[i])[1] / 2 for i, part in enumerate(shuffled)]
    torch.testing.assert_close(torch.cat(ranks), gradient[list(order)])

    # Scaling the gradient of the plain sum afterwards is the same step without a counting pass.
    summed = torch.cat([compute(part, config, 1.0)[1] for part in shuffled]) / denominator
    torch.testing.assert_close(summed, gradient[list(order)])

    # A flat list of loss tokens, each with its row.
    logprobs, sampler, advantages, mask = batch
    rows = torch.arange(len(advantages))[:, None].expand_as(mask)[mask]
    flat = cispo_loss(
        logprobs[mask],
        sampler[mask],
        advantages,
        torch.ones_like(rows, dtype=torch.bool),
        config=config,
        denominator=denominator,
        rows=rows,
    )
    torch.testing.assert_close(flat.loss, whole.loss)
    torch.testing.assert_close(flat.statistics.sums, whole.statistics.sums)
    assert flat.kept.tolist() == whole.kept[mask].tolist()


def test_nothing_outside_the_mask_is_read() -> None:
    """Padding may hold anything; NaN there must reach neither the loss nor the gradient."""
    logprobs = torch.tensor([[-1.0, math.nan, -2.0, math.inf]], requires_grad=True)
    sampler = torch.tensor([[-1.1, math.nan, -2.0, -math.inf]])
    mask = torch.tensor([[True, False, True, False]])
    out = cispo_loss(logprobs, sampler, torch.tensor([-1.0]), mask, config=CispoConfig(), denominator=2)
    out.loss.backward()
    assert logprobs.grad is not None
    assert torch.isfinite(out.loss) and torch.isfinite(logprobs.grad).all()
    assert logprobs.grad[~mask].tolist() == [0.0, 0.0]
    assert math.isfinite(out.statistics.kl) and math.isfinite(out.statistics.max_ratio)


def one_token(log_ratio: float, advantage: float, **config: float | None) -> float:
    """The gradient at log pi of a single token with this log(pi/pi_sampler)."""
    leaf = torch.tensor([[-3.0]], dtype=torch.float64, requires_grad=True)
    sampler = torch.tensor([[-3.0 - log_ratio]], dtype=torch.float64)
    out = cispo_loss(
        leaf,
        sampler,
        torch.tensor([advantage], dtype=torch.float64),
        torch.ones(1, 1),
        config=CispoConfig(**config),
        denominator=1,
    )
    out.loss.backward()
    assert leaf.grad is not None
    return float(leaf.grad.item())


@pytest.mark.parametrize("advantage", [1.0, -1.0])
def test_the_cap_is_absolute_and_above_only(advantage: float) -> None:
    def weight(ratio: float) -> float:
        return one_token(math.log(ratio), advantage, c_abs=5.0, sequence_mask_delta=None) / -advantage

    assert weight(4.999) == pytest.approx(4.999)
    assert weight(5.5) == pytest.approx(5.0)  # a cap of 1 + 5 would let it pass
    assert weight(1e9) == pytest.approx(5.0)
    # No lower clamp: a token the policy has left keeps its vanishing weight; clamped at 0.8 it would be pushed on.
    assert weight(1e-6) == pytest.approx(1e-6)


def test_the_weight_is_no_part_of_the_gradient() -> None:
    """Were the ratio differentiated, the gradient would be r A (1 + log pi), of the other sign here (log pi is -3)."""
    assert one_token(math.log(2.0), 1.0) == pytest.approx(-2.0)


def test_the_sequence_mask_drops_negative_advantages_that_the_policy_has_left() -> None:
    assert one_token(-0.51, -1.0, sequence_mask_delta=0.5) == 0.0
    assert one_token(-0.49, -1.0, sequence_mask_delta=0.5) != 0.0
    assert one_token(-0.5, -1.0, sequence_mask_delta=0.5) != 0.0  # the bound itself stays
    assert one_token(-9.0, 1.0, sequence_mask_delta=0.5) != 0.0  # only negative advantages
    assert one_token(9.0, -1.0, sequence_mask_delta=0.5) != 0.0  # only where the policy went down
    assert one_token(-9.0, -1.0, sequence_mask_delta=None) != 0.0


def test_masked_sequences_leave_the_denominator_too() -> None:
    """Three of four sequences masked: the fourth weighs as much as if it were alone."""
    sampler = torch.full((4, 5), -1.0)
    logprobs = sampler.clone()
    logprobs[1:] -= 2.0
    advantages = torch.tensor([-1.0, -1.0, -1.0, -1.0])
    mask = torch.ones(4, 5, dtype=torch.bool)
    kept = kept_tokens(logprobs, sampler, advantages, mask, config=CispoConfig())
    assert kept.any(1).tolist() == [True, False, False, False]
    assert token_denominator([kept]).item() == 5
    _, gradient = compute((logprobs, sampler, advantages, mask), CispoConfig(), token_denominator([kept]))
    _, alone = compute((logprobs[:1], sampler[:1], advantages[:1], mask[:1]), CispoConfig(), 5)
    torch.testing.assert_close(gradient[:1], alone)


def test_float32_arithmetic_whatever_comes_in() -> None:
    logprobs = torch.tensor([[-1.0, -2.0]], dtype=torch.bfloat16, requires_grad=True)
    out = cispo_loss(
        logprobs,
        torch.tensor([[-1.01, -2.0]]),
        torch.tensor([1.0], dtype=torch.bfloat16),
        torch.ones(1, 2, dtype=torch.long),
        config=CispoConfig(),
        denominator=torch.tensor(2.0, dtype=torch.float64),
    )
    assert out.loss.dtype == torch.float32
    assert out.loss.item() == pytest.approx((math.exp(0.01) + 2.0) / 2, rel=1e-6)


def test_a_sampler_that_gave_a_token_no_probability_is_seen() -> None:
    out = cispo_loss(
        torch.tensor([[-1.0]]),
        torch.tensor([[-math.inf]]),
        torch.tensor([1.0]),
        torch.ones(1, 1),
        config=CispoConfig(),
        denominator=1,
    )
    assert math.isinf(out.statistics.max_ratio) and math.isinf(out.statistics.kl)


def test_nothing_to_learn_from_is_a_zero_loss() -> None:
    assert token_denominator([]).item() == 1
    leaf = torch.zeros(2, 3, requires_grad=True)
    out = cispo_loss(
        leaf, leaf.detach(), torch.zeros(2), torch.zeros(2, 3), config=CispoConfig(), denominator=token_denominator([])
    )
    out.loss.backward()
    assert out.loss.item() == 0.0 and leaf.grad is not None and not leaf.grad.any()


@pytest.mark.parametrize("bad", [{"c_abs": 0.2}, {"c_abs": math.nan}, {"sequence_mask_delta": -0.1}])
def test_settings_that_make_no_sense_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(UnsorryError, match=next(iter(bad))) as caught:
        CispoConfig(**bad)
    assert "\n" not in str(caught.value)


def test_statistics_over_ranks() -> None:
    out, _ = compute(
        (torch.full((1, 2), -1.0), torch.full((1, 2), -1.5), torch.ones(1), torch.ones(1, 2)), CispoConfig(), 2
    )
    both = out.statistics.over_ranks(lambda sums: sums * 2, lambda largest: largest + 1)
    assert both.tokens == 4
    assert both.mean_ratio == pytest.approx(out.statistics.mean_ratio)
    assert both.max_ratio == pytest.approx(out.statistics.max_ratio + 1)
