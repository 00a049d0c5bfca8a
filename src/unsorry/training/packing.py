"""From rows to tensors: several rows in a line, or one row a line, with the same result for every row.

A row in a line sees itself alone: attention is causal within a segment and nothing crosses, and positions restart at 0.
The loss reads a flat list of loss tokens (`LossTokens`), so neither packing nor padding can reach it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from unsorry import UnsorryError
from unsorry.training.masks import Row


@dataclass(frozen=True, slots=True)
class LossTokens:
    """The N tokens the loss is about.

    `positions` index the hidden states flattened to [B * T, H]: the state before each token, which predicts it.  `rows`
    index `advantages` [R].
    """

    positions: Tensor  # [N] long
    targets: Tensor  # [N] long
    sampler_logprobs: Tensor  # [N] float32
    rows: Tensor  # [N] long
    advantages: Tensor  # [R] float32

    @property
    def mask(self) -> Tensor:
        """[N], all true: the loss functions ask for a mask."""
        return torch.ones_like(self.targets, dtype=torch.bool)


@dataclass(frozen=True, slots=True)
class Batch:
    """B lines of T tokens that hold R rows; `segment_ids` name the row of each token, -1 is padding."""

    input_ids: Tensor  # [B, T] long
    position_ids: Tensor  # [B, T] long, from 0 in every row
    segment_ids: Tensor  # [B, T] long
    loss_mask: Tensor  # [B, T] bool
    sampler_logprobs: Tensor  # [B, T] float32
    advantages: Tensor  # [R] float32
    rows: tuple[int, ...]  # [R] where each row stands in the list that was packed

    def to(self, device: torch.device | str) -> Batch:
        return Batch(
            self.input_ids.to(device),
            self.position_ids.to(device),
            self.segment_ids.to(device),
            self.loss_mask.to(device),
            self.sampler_logprobs.to(device),
            self.advantages.to(device),
            self.rows,
        )

    @property
    def tokens(self) -> int:
        """Of rows, padding not counted."""
        return int((self.segment_ids >= 0).sum().item())

    def loss_tokens(self) -> LossTokens:
        line, place = self.loss_mask.nonzero(as_tuple=True)
        return LossTokens(
            positions=line * self.input_ids.shape[1] + place - 1,
            targets=self.input_ids[line, place],
            sampler_logprobs=self.sampler_logprobs[line, place],
            rows=self.segment_ids[line, place],
            advantages=self.advantages,
        )

    def attention_mask(self, dtype: torch.dtype | None = None) -> Tensor:
        """[B, 1, T, T]: causal within a row, nothing across rows.

        Boolean (true: may look) for sdpa; with a `dtype` the additive form that eager attention takes.  Padding looks
        at padding, because a query that may look at nothing is a softmax over nothing.  T * T bytes a line: at 40k
        tokens use `cu_seqlens` with flash attention.
        """
        same = self.segment_ids[:, :, None] == self.segment_ids[:, None, :]
        allowed = same.tril()[:, None]
        if dtype is None:
            return allowed
        blocked = torch.tensor(torch.finfo(dtype).min, dtype=dtype, device=allowed.device)
        return torch.where(allowed, blocked.new_zeros(()), blocked)

    def cu_seqlens(self) -> tuple[Tensor, int]:
        """Cumulative lengths [S + 1] (int32) of the segments of one line, padding as one of them, and the longest."""
        if self.input_ids.shape[0] != 1:
            raise ValueError(f"{self.input_ids.shape[0]} lines: flash attention takes packed rows as one line")
        line = self.segment_ids[0]
        starts = torch.ones_like(line, dtype=torch.bool)
        starts[1:] = line[1:] != line[:-1]
        end = torch.tensor([line.numel()], device=line.device)
        bounds = torch.cat([starts.nonzero().flatten(), end]).to(torch.int32)
        return bounds, int(bounds.diff().max().item())


def pack(rows: Sequence[Row], length: int, *, pad_id: int = 0, lines: int = 1, multiple: int = 1) -> list[Batch]:
    """Rows into batches of `lines` lines of at most `length` tokens: first fit, longest first, the same each time.

    Lines are as long as their fullest one, rounded up to `multiple`.  A row longer than `length` raises UnsorryError:
    cut off silently it would teach a proof without its end.
    """
    bins: list[list[int]] = []
    room: list[int] = []
    for number in sorted(range(len(rows)), key=lambda i: (-len(rows[i].input_ids), i)):
        size = len(rows[number].input_ids)
        if size > length:
            raise UnsorryError(
                f"row {rows[number].attempt!r} has {size} tokens, lines {length}: raise the context length or filter"
                " it out"
            )
        slot = next((i for i, free in enumerate(room) if free >= size), None)
        if slot is None:
            bins.append([])
            room.append(length)
            slot = len(bins) - 1
        bins[slot].append(number)
        room[slot] -= size
    return [
        _batch(rows, bins[start : start + lines], pad_id, "right", multiple) for start in range(0, len(bins), lines)
    ]


def pad(rows: Sequence[Row], side: Literal["left", "right"] = "right", *, pad_id: int = 0, multiple: int = 1) -> Batch:
    """One row a line, in order, padded at `side` to the longest."""
    return _batch(rows, [[number] for number in range(len(rows))], pad_id, side, multiple)


def _batch(rows: Sequence[Row], lines: Sequence[Sequence[int]], pad_id: int, side: str, multiple: int) -> Batch:
    used = [sum(len(rows[number].input_ids) for number in line) for line in lines]
    width = -(-max(used, default=0) // multiple) * multiple
    shape = (len(lines), width)
    input_ids = torch.full(shape, pad_id, dtype=torch.long)
    position_ids = torch.zeros(shape, dtype=torch.long)
    segment_ids = torch.full(shape, -1, dtype=torch.long)
    loss_mask = torch.zeros(shape, dtype=torch.bool)
    sampler_logprobs = torch.zeros(shape, dtype=torch.float32)
    order: list[int] = []
    for i, line in enumerate(lines):
        start = width - used[i] if side == "left" else 0
        for number in line:
            row = rows[number]
            span = slice(start, start + len(row.input_ids))
            input_ids[i, span] = torch.tensor(row.input_ids, dtype=torch.long)
            position_ids[i, span] = torch.arange(len(row.input_ids))
            segment_ids[i, span] = len(order)
            loss_mask[i, span] = torch.tensor(row.loss_mask, dtype=torch.bool)
            sampler_logprobs[i, span] = torch.tensor(row.sampler_logprobs, dtype=torch.float32)
            order.append(number)
            start = span.stop
    advantages = torch.tensor([rows[number].advantage for number in order], dtype=torch.float32)
    return Batch(input_ids, position_ids, segment_ids, loss_mask, sampler_logprobs, advantages, tuple(order))
