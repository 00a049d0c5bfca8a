"""A key-value cache for sampling in batches: grows in place, drops rows, takes rows in; rows end at the same column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, DynamicLayer

_SPARE = 64  # columns allocated ahead, at least


class GrowingLayer(DynamicLayer):  # type: ignore[misc]  # the library has no types
    """One layer's keys and values [rows, heads, columns, width] in buffers with room for more columns.

    The library's own layer copies everything at each token.
    """

    def __init__(self, keys: Tensor | None = None, values: Tensor | None = None, length: int = 0) -> None:
        super().__init__()
        self.length = length
        self.buffers = (keys, values) if keys is not None and values is not None else None
        self.is_initialized = self.buffers is not None

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        end = self.length + key_states.shape[-2]
        if self.buffers is None or self.buffers[0].shape[-2] < end:
            self._grow(key_states, value_states, end)
        assert self.buffers is not None
        keys, values = self.buffers
        keys[:, :, self.length : end] = key_states
        values[:, :, self.length : end] = value_states
        self.length = end
        return keys[:, :, :end], values[:, :, :end]

    def _grow(self, key_states: Tensor, value_states: Tensor, end: int) -> None:
        columns = end + max(_SPARE, end // 4)
        grown = []
        for index, like in enumerate((key_states, value_states)):
            new = like.new_zeros((*like.shape[:2], columns, like.shape[3]))
            if self.buffers is not None:
                new[:, :, : self.length] = self.buffers[index][:, :, : self.length]
            grown.append(new)
        self.buffers = (grown[0], grown[1])
        self.is_initialized = True

    def get_seq_length(self) -> int:
        return self.length

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.length + query_length, 0


class Columns:
    """The cache of a batch and its attention mask [rows, columns]; all rows end at column `length`."""

    def __init__(self, layers: list[GrowingLayer], mask: Tensor, length: int) -> None:
        self.cache = Cache(layers=list(layers)) if layers else Cache(layer_class_to_replicate=GrowingLayer)
        self.buffer = mask
        self.length = length

    @classmethod
    def padded(cls, mask: Tensor) -> Columns:
        """An empty cache for prompts padded on the left; `mask` is 1 where a token stands."""
        return cls([], mask, mask.shape[1])

    @property
    def mask(self) -> Tensor:
        return self.buffer[:, : self.length]

    def add_column(self) -> None:
        """Room for one more token of each row."""
        if self.length == self.buffer.shape[1]:
            more = self.buffer.new_zeros((self.buffer.shape[0], _SPARE + self.length // 4))
            self.buffer = torch.cat([self.buffer, more], dim=1)
        self.buffer[:, self.length] = 1
        self.length += 1


def gather(parts: Sequence[tuple[Columns, Tensor]]) -> Columns:
    """The rows (by index, perhaps repeated) of several batches as one, padded on the left to the longest."""
    widths = []
    for columns, rows in parts:
        used = columns.mask.index_select(0, rows).any(dim=0)
        widths.append(columns.length - int(used.to(torch.int8).argmax()))
    width, count = max(widths), sum(len(rows) for _, rows in parts)
    room = width + max(_SPARE, width // 4)
    mask = parts[0][0].buffer.new_zeros((count, room))
    layers: list[GrowingLayer] = []
    for index in range(len(parts[0][0].cache.layers)):
        made = []
        for which in (0, 1):
            like = parts[0][0].cache.layers[index].buffers[which]
            new = like.new_zeros((count, like.shape[1], room, like.shape[3]))
            at = 0
            for (columns, rows), own in zip(parts, widths, strict=True):
                old = columns.cache.layers[index].buffers[which]
                kept = old[:, :, columns.length - own : columns.length]
                new[at : at + len(rows), :, width - own : width] = kept.index_select(0, rows)
                at += len(rows)
            made.append(new)
        layers.append(GrowingLayer(made[0], made[1], width))
    at = 0
    for (columns, rows), own in zip(parts, widths, strict=True):
        mask[at : at + len(rows), width - own : width] = columns.mask[:, columns.length - own :].index_select(0, rows)
        at += len(rows)
    return Columns(layers, mask, width)
