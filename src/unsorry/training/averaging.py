"""Averages of adapters and of weights, in float32.

What an adapter adds to a weight is the product B A times a scale.  An average of adapters is the average of those
products; that of the factors, ((1-a) B0 + a B1)((1-a) A0 + a A1), is another update: it has cross terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from unsorry import UnsorryError


@dataclass(frozen=True, slots=True)
class LoraFactors:
    """An adapter of one weight [out, in]: `a` [r, in], `b` [out, r]; it adds scale * b @ a."""

    a: Tensor
    b: Tensor
    scale: float = 1.0

    def __post_init__(self) -> None:
        if self.a.ndim != 2 or self.b.ndim != 2 or self.a.shape[0] != self.b.shape[1]:
            raise ValueError(f"a {tuple(self.a.shape)}, b {tuple(self.b.shape)}: want [r, in] and [out, r]")

    @property
    def rank(self) -> int:
        return self.a.shape[0]


def lora_delta(factors: LoraFactors) -> Tensor:
    """scale * b @ a: [out, in], float32 whatever the factors are in."""
    return factors.scale * (factors.b.float() @ factors.a.float())


def concatenate(first: LoraFactors | None, second: LoraFactors, alpha: float) -> LoraFactors:
    """(1 - alpha) * first + alpha * second, exactly: the ranks add.  `first` None is the base without an adapter.

    The weight goes into `b` alone: on both factors it would count twice (alpha squared).
    """
    right = alpha * second.scale * second.b.float()
    if first is None:
        return LoraFactors(second.a.float(), right)
    if first.a.shape[1] != second.a.shape[1] or first.b.shape[0] != second.b.shape[0]:
        shapes = [(f.b.shape[0], f.a.shape[1]) for f in (first, second)]
        raise UnsorryError(f"the adapters are of weights {shapes[0]} and {shapes[1]}: they belong to different models")
    left = (1.0 - alpha) * first.scale * first.b.float()
    return LoraFactors(torch.cat([first.a.float(), second.a.float()]), torch.cat([left, right], dim=1))


def interpolate_lora(first: LoraFactors | None, second: LoraFactors, alpha: float) -> Tensor:
    """(1 - alpha) * first + alpha * second as a full matrix [out, in], float32."""
    return lora_delta(concatenate(first, second, alpha))


def truncate(factors: LoraFactors, rank: int) -> tuple[LoraFactors, float]:
    """The best approximation of rank `rank` (Eckart-Young), and its error relative to the Frobenius norm of the whole.

    The product itself is never formed: with b = Qb Rb and a^T = Qa Ra its singular values are those of Rb Ra^T [r, r].
    Factors of that rank or less are kept as they are.
    """
    if rank < 1:
        raise UnsorryError(f"rank {rank}: an adapter needs rank 1 or more")
    if factors.rank <= rank:
        return LoraFactors(factors.a.float(), (factors.scale * factors.b.double()).float()), 0.0
    left, left_core = torch.linalg.qr(factors.scale * factors.b.double())
    right, right_core = torch.linalg.qr(factors.a.double().T)
    u, singular, vt = torch.linalg.svd(left_core @ right_core.T, full_matrices=False)
    root = singular[:rank].sqrt()
    b = (left @ u[:, :rank]) * root
    a = root[:, None] * (vt[:rank] @ right.T)
    whole = float(torch.linalg.vector_norm(singular))
    lost = float(torch.linalg.vector_norm(singular[rank:]))
    return LoraFactors(a.float(), b.float()), lost / whole if whole else 0.0


def merged_weight(base: Tensor, factors: LoraFactors, *, out_dtype: torch.dtype | None = None) -> Tensor:
    """base + scale * b @ a as a new tensor, summed in float32 and rounded once.

    The base is never changed, so weights are merged afresh from it each time and neither a second merge nor an unmerge
    can add up: see the reports of merged-and-unmerged adapters in tests/training/test_training_reports.py.
    """
    return (base.float() + lora_delta(factors)).to(base.dtype if out_dtype is None else out_dtype)


def interpolate_weights(a: Tensor, b: Tensor, alpha: float, *, out_dtype: torch.dtype | None = None) -> Tensor:
    """(1 - alpha) * a + alpha * b, summed in float32 and rounded once to `out_dtype` (that of `a` if not given)."""
    if a.shape != b.shape:
        raise UnsorryError(f"weights of shape {tuple(a.shape)} and {tuple(b.shape)}: they belong to different models")
    return torch.lerp(a.float(), b.float(), alpha).to(a.dtype if out_dtype is None else out_dtype)


def interpolate_states(
    a: Mapping[str, Tensor], b: Mapping[str, Tensor], alpha: float, *, out_dtype: torch.dtype | None = None
) -> dict[str, Tensor]:
    """The same for every weight of two models; integers must be equal and are kept."""
    if a.keys() != b.keys():
        odd = sorted(a.keys() ^ b.keys())
        raise UnsorryError(f"the models differ in {len(odd)} weights ({odd[0]}, ...): they cannot be averaged")
    result: dict[str, Tensor] = {}
    for name, weight in a.items():
        if weight.is_floating_point():
            result[name] = interpolate_weights(weight, b[name], alpha, out_dtype=out_dtype)
        elif torch.equal(weight, b[name]):
            result[name] = weight.clone()
        else:
            raise UnsorryError(f"{name} holds integers that differ: the models cannot be averaged")
    return result
