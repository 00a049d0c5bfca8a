"""CISPO with one anchor: the sampler.

    loss = -(1 / denominator) * sum over kept tokens of  sg(min(r, c_abs)) * A * log pi,     r = pi / pi_sampler

`sg` is stop-gradient.  The cap is absolute (a bound on the ratio itself, not on its distance from 1) and there is no
lower clamp: a token the policy has left keeps its small weight, so it is not pushed further.  A whole sequence with a
negative advantage leaves the sum when the policy has moved away from it: mean log(pi_sampler / pi) > delta.

Sources: MiniMax-M1 (arXiv 2506.13585) eq. 4-5 for the loss, DeepSeek-V3.2 (arXiv 2512.02556) eq. 9 for the sequence
mask.  The anchor is the sampler in both, which needs no second set of "old" log-probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from unsorry import UnsorryError


@dataclass(frozen=True, slots=True)
class CispoConfig:
    """`c_abs`: upper bound of pi/pi_sampler.  `sequence_mask_delta`: nats per token; None switches the mask off."""

    c_abs: float = 5.0
    sequence_mask_delta: float | None = 0.5

    def __post_init__(self) -> None:
        if not self.c_abs >= 1.0:  # also NaN
            raise UnsorryError(
                f"c_abs = {self.c_abs}: it bounds the ratio pi/pi_sampler itself, so it must be at least 1 (5 is usual)"
            )
        delta = self.sequence_mask_delta
        if delta is not None and not delta >= 0.0:
            raise UnsorryError(f"sequence_mask_delta = {delta}: give nats per token, 0 or more, or leave it out")


@dataclass(frozen=True, slots=True)
class CispoStatistics:
    """Sums over loss tokens that can be added over micro-batches and ranks; reading a property synchronises the device.

    `sums` [6] float64: tokens, ratio, capped tokens, k3, sequences, masked sequences.  They are taken over all loss
    tokens, those of masked sequences included: drift that the mask hides from the loss has to be seen.
    """

    sums: Tensor
    largest: Tensor  # scalar, the largest ratio

    def __add__(self, other: CispoStatistics) -> CispoStatistics:
        return CispoStatistics(self.sums + other.sums, torch.maximum(self.largest, other.largest))

    def over_ranks(self, total: Callable[[Tensor], Tensor], maximum: Callable[[Tensor], Tensor]) -> CispoStatistics:
        """The same over all ranks; the arguments reduce a tensor over ranks by sum and by maximum."""
        return CispoStatistics(total(self.sums), maximum(self.largest))

    def _mean(self, index: int, count: int) -> float:
        sums = self.sums.tolist()
        return float(sums[index] / sums[count]) if sums[count] else math.nan

    @property
    def tokens(self) -> int:
        return int(self.sums[0].item())

    @property
    def mean_ratio(self) -> float:
        """Mean pi/pi_sampler: 1 in expectation while the policy is the sampler, whatever the tokens."""
        return self._mean(1, 0)

    @property
    def max_ratio(self) -> float:
        return float(self.largest.item())

    @property
    def capped_fraction(self) -> float:
        """Of tokens: ratio above c_abs."""
        return self._mean(2, 0)

    @property
    def kl(self) -> float:
        """KL(pi_sampler || pi) in nats per token: k3, the mean of r - 1 - log r, unbiased and never below 0."""
        return self._mean(3, 0)

    @property
    def sequences(self) -> int:
        return int(self.sums[4].item())

    @property
    def masked_sequences(self) -> int:
        return int(self.sums[5].item())


@dataclass(frozen=True, slots=True)
class CispoOutput:
    loss: Tensor  # scalar, differentiable
    kept: Tensor  # bool, shape of the mask: the tokens in the numerator
    statistics: CispoStatistics


def cispo_loss(
    logprobs: Tensor,
    sampler_logprobs: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    config: CispoConfig,
    denominator: float | Tensor,
    rows: Tensor | None = None,
) -> CispoOutput:
    """The loss above, and what it saw.

    `logprobs`, `sampler_logprobs`, `mask` have one shape: [B, T], or any shape together with `rows`, which holds the
    index into `advantages` [R] of each token's sequence (packed lines, or a flat list of loss tokens).  What stands
    outside `mask` is never read.  The arithmetic is float32, or float64 for float64 input.

    `denominator` is the number of tokens in the numerator of the whole optimiser step (see `token_denominator`).  With
    denominator 1 the gradients of all micro-batches may instead be divided by that number after the last backward
    pass and before clipping: the same gradient, without a pass over the batch to count first.
    """
    mask = mask.bool()
    index = _row_index(mask, rows)
    logprobs, log_ratio = _log_ratio(logprobs, sampler_logprobs, mask)
    advantages = advantages.to(logprobs)
    moved_away = _moved_away(log_ratio, advantages, mask, index, config.sequence_mask_delta)
    kept = mask & ~moved_away[index]

    ratio = log_ratio.exp()
    weight = ratio.clamp(max=config.c_abs)
    terms = torch.where(kept, weight * advantages[index] * logprobs, 0.0)
    loss = -terms.sum() / torch.as_tensor(denominator).to(terms)
    return CispoOutput(loss, kept, _statistics(ratio, log_ratio, mask, index, moved_away, config.c_abs))


def kept_tokens(
    logprobs: Tensor,
    sampler_logprobs: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    config: CispoConfig,
    rows: Tensor | None = None,
) -> Tensor:
    """The tokens that will be in the numerator: bool, shape of `mask`; arguments as for `cispo_loss`."""
    mask = mask.bool()
    index = _row_index(mask, rows)
    logprobs, log_ratio = _log_ratio(logprobs, sampler_logprobs, mask)
    return mask & ~_moved_away(log_ratio, advantages.to(logprobs), mask, index, config.sequence_mask_delta)[index]


def token_denominator(
    kept: Iterable[Tensor],
    *,
    all_reduce: Callable[[Tensor], Tensor] | None = None,
    averaged_over: int = 1,
) -> Tensor:
    """How many tokens one optimiser step has in its numerator: a float64 scalar, at least 1.

    `kept` holds the numerator of each micro-batch of this rank; `all_reduce` sums a tensor over ranks.  Where the
    framework averages gradients over ranks (DDP, FSDP), `averaged_over` is their number, which undoes that average.
    """
    counts = [mask.sum(dtype=torch.float64) for mask in kept]
    total = torch.stack(counts).sum() if counts else torch.zeros((), dtype=torch.float64)
    if all_reduce is not None:
        total = all_reduce(total)
    return total.clamp(min=1.0) / averaged_over


def _row_index(mask: Tensor, rows: Tensor | None) -> Tensor:
    if rows is None:
        if mask.ndim != 2:
            raise ValueError(f"mask of shape {tuple(mask.shape)}: give [B, T], or the row of every token")
        return torch.arange(mask.shape[0], device=mask.device)[:, None].expand_as(mask)
    return torch.where(mask, rows, 0)  # padding carries -1


def _log_ratio(logprobs: Tensor, sampler_logprobs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Log pi (differentiable) and log(pi/pi_sampler) (detached), both 0 outside the mask: padding may hold NaN."""
    dtype = torch.promote_types(logprobs.dtype, torch.float32)
    logprobs = torch.where(mask, logprobs.to(dtype), 0.0)
    return logprobs, torch.where(mask, logprobs.detach() - sampler_logprobs.to(dtype), 0.0)


def _moved_away(log_ratio: Tensor, advantages: Tensor, mask: Tensor, index: Tensor, delta: float | None) -> Tensor:
    """Which sequences [R] have a negative advantage and mean log(pi_sampler/pi) > delta."""
    if delta is None:
        return torch.zeros_like(advantages, dtype=torch.bool)
    count = _per_row(mask.to(log_ratio.dtype), index, advantages)
    mean = -_per_row(log_ratio, index, advantages) / count.clamp(min=1.0)
    return (advantages < 0) & (mean > delta)


def _per_row(values: Tensor, index: Tensor, advantages: Tensor) -> Tensor:
    return torch.zeros_like(advantages, dtype=values.dtype).index_add(0, index.flatten(), values.flatten())


def _statistics(
    ratio: Tensor, log_ratio: Tensor, mask: Tensor, index: Tensor, moved_away: Tensor, c_abs: float
) -> CispoStatistics:
    present = _per_row(mask.to(ratio.dtype), index, moved_away) > 0
    k3 = torch.expm1(log_ratio) - log_ratio  # 0 outside the mask
    k3 = k3.nan_to_num(nan=torch.inf, posinf=torch.inf)  # NaN reads as "not measured", and this was
    sums = torch.stack(
        [
            mask.sum(dtype=torch.float64),
            torch.where(mask, ratio, 0.0).sum(dtype=torch.float64),
            (ratio > c_abs).sum(dtype=torch.float64),  # outside the mask the ratio is 1, c_abs at least 1
            k3.sum(dtype=torch.float64),
            present.sum(dtype=torch.float64),
            (moved_away & present).sum(dtype=torch.float64),
        ]
    )
    largest = torch.where(mask, ratio, 0.0).max() if mask.numel() else ratio.new_zeros(())
    return CispoStatistics(sums, largest)
