"""Group advantages: how much better an attempt did than the others at the same problem."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from unsorry import UnsorryError

Scale = Literal["none", "group", "batch"]


@dataclass(frozen=True, slots=True)
class GroupAdvantages:
    """`advantages` has the shape of the rewards and is 0 in groups whose rewards are all equal."""

    advantages: Tensor
    informative: Tensor  # bool, shape of the rewards: the group has more than one reward value
    groups: int
    zero_variance_groups: int


def group_index(keys: Sequence[Hashable]) -> Tensor:
    """Group numbers [N] for the keys, in order of first appearance."""
    numbers: dict[Hashable, int] = {}
    return torch.tensor([numbers.setdefault(key, len(numbers)) for key in keys], dtype=torch.long)


def group_advantages(rewards: Tensor, groups: Tensor | None = None, *, scale: Scale = "none") -> GroupAdvantages:
    """Reward minus the mean of its group, in float64; `rewards` is [G, n], or [N] with group numbers `groups` [N].

    `scale` divides by a standard deviation (population, no epsilon):
      none   not at all: R - mean.
      group  of the group's rewards.  Lifts groups that are nearly solved or nearly hopeless: with 8 binary rewards, one
             success weighs 3.0 times as much, four weigh 2.0 times (MiniMax-M1 and GRPO do this).
      batch  root mean square of the centred rewards of all informative groups (ScaleRL, arXiv 2510.13786).

    A group with one reward value says nothing about which attempt was better: it gets 0 and is never divided by 0.
    """
    if scale not in ("none", "group", "batch"):
        raise UnsorryError(f"advantage scale {scale!r}: use none, group or batch")
    if groups is None:
        if rewards.ndim != 2:
            raise ValueError(f"rewards of shape {tuple(rewards.shape)}: give [G, n], or a group number for each")
        index = torch.arange(rewards.shape[0], device=rewards.device)[:, None].expand_as(rewards).flatten()
    else:
        if groups.shape != rewards.shape:
            raise ValueError(f"{tuple(rewards.shape)} rewards but {tuple(groups.shape)} group numbers")
        index = groups.flatten()
    if not torch.isfinite(rewards).all():
        raise UnsorryError("a reward is not finite: no advantage can be taken from it; look for it in the rollouts")
    flat = rewards.flatten().double()
    _, index = torch.unique(index, return_inverse=True)  # numbers may have gaps
    count = int(index.max().item()) + 1 if index.numel() else 0
    sizes = flat.new_zeros(count).index_add(0, index, torch.ones_like(flat))
    means = flat.new_zeros(count).index_add(0, index, flat) / sizes
    # By the range and not by the deviation: the mean of equal floats may differ from them in the last bit.
    lowest = flat.new_full((count,), torch.inf).scatter_reduce(0, index, flat, "amin")
    highest = flat.new_full((count,), -torch.inf).scatter_reduce(0, index, flat, "amax")
    varied = highest > lowest
    informative = varied[index]
    centred = torch.where(informative, flat - means[index], 0.0)
    if scale == "group":
        deviation = (flat.new_zeros(count).index_add(0, index, centred.square()) / sizes).sqrt()
        centred = torch.where(informative, centred / torch.where(varied, deviation, 1.0)[index], 0.0)
    elif scale == "batch" and bool(informative.any()):
        centred = centred / centred[informative].square().mean().sqrt()
    return GroupAdvantages(
        centred.reshape(rewards.shape),
        informative.reshape(rewards.shape),
        count,
        count - int(varied.sum().item()),
    )
