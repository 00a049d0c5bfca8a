"""Sampling from a causal language model in batches: what is drawn for a request does not depend on its batch.

Each request brings its own random numbers, one per token, so its completion is a function of weights, prompt and key
(up to the rounding of matrix products, which batches order differently).
"""

from __future__ import annotations

import hashlib
import inspect
import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import torch
from torch import Tensor

from unsorry import UnsorryError
from unsorry.provers.answers import Ask, Drawn
from unsorry.provers.cache import Columns, gather

PREFILL_TOKENS = 16_384  # of prompts in one forward pass
_FULL = {"full_attention", "sliding_attention"}


@dataclass(slots=True)
class _Rows:
    """The state of the rows of a batch, all tensors of the first dimension [rows]."""

    index: list[int]
    columns: Columns
    logits: Tensor  # [rows, V] for the next token
    position: Tensor  # of the next token
    uniforms: Tensor  # [rows, limit] float64
    ids: Tensor  # [rows, limit]
    logprobs: Tensor  # [rows, limit] float32
    count: Tensor  # tokens drawn
    limit: Tensor
    alive: Tensor


class Sampler:
    """Draws completions from `model`, `batch` at a time; a row that ends makes room for the next request."""

    def __init__(
        self, model: Any, *, ends: frozenset[int], temperature: float = 1.0, top_p: float = 1.0, batch: int = 64
    ) -> None:
        kinds = set(getattr(model.config, "layer_types", None) or _FULL) - _FULL
        if kinds:
            raise UnsorryError(f"the local prover cannot cache layers of the kind {min(kinds)}: serve this model")
        self.model = model
        self.device = next(model.parameters()).device
        self.ends = torch.tensor(sorted(ends), device=self.device)
        self.temperature, self.top_p, self.batch = temperature, top_p, batch
        forward = getattr(model, "get_base_model", lambda: model)().forward
        self.last_only = {"logits_to_keep": 1} if "logits_to_keep" in inspect.signature(forward).parameters else {}

    @torch.inference_mode()
    def draw(self, requests: Sequence[Ask]) -> Iterator[tuple[int, Drawn]]:
        """(index of the request, what was drawn), as rows end."""
        # Longest first: neighbours need little padding, and memory is at its highest at the start.
        order = sorted(range(len(requests)), key=lambda at: (-len(requests[at].ids), requests[at].ids))
        waiting = deque(order)
        rows: _Rows | None = None
        while waiting or rows is not None:
            alive = int(rows.alive.sum()) if rows is not None else 0
            total = len(rows.index) if rows is not None else 0
            if waiting and alive <= self.batch - max(1, self.batch // 4):
                taken = [waiting.popleft() for _ in range(min(self.batch - alive, len(waiting)))]
                rows = _merged(rows, self._prefill(requests, taken))
            elif rows is not None and alive <= total - max(1, total // 4):
                rows = _merged(rows, [])
            if rows is None:
                continue
            ended = self._step(rows)
            yield from ended
            if not bool(rows.alive.any()):
                rows = None

    def _prefill(self, requests: Sequence[Ask], taken: list[int]) -> list[_Rows]:
        """The rows of new requests: each distinct prompt goes through the model once."""
        groups = [list(same) for _, same in groupby(taken, key=lambda at: requests[at].ids)]
        made: list[_Rows] = []
        while groups:
            width = len(requests[groups[0][0]].ids)
            chunk, groups = _split(groups, max(1, PREFILL_TOKENS // max(1, width)))
            prompts = [requests[same[0]].ids for same in chunk]
            ids = torch.zeros((len(prompts), width), dtype=torch.long)
            mask = torch.zeros((len(prompts), width), dtype=torch.long)
            for at, prompt in enumerate(prompts):
                ids[at, width - len(prompt) :] = torch.tensor(prompt)
                mask[at, width - len(prompt) :] = 1
            mask = mask.to(self.device)
            columns = Columns.padded(mask)
            position = (mask.cumsum(dim=1) - 1).clamp(min=0)
            logits = self._forward(ids.to(self.device), position, columns)
            rows = torch.tensor([at for at, same in enumerate(chunk) for _ in same], device=self.device)
            index = [one for same in chunk for one in same]
            limits = [requests[one].limit for one in index]
            shape = (len(index), max(limits))
            made.append(_Rows(
                index, gather([(columns, rows)]), logits.index_select(0, rows),
                mask.sum(dim=1).index_select(0, rows), _uniforms([requests[one] for one in index], self.device),
                torch.zeros(shape, dtype=torch.long, device=self.device), torch.zeros(shape, device=self.device),
                torch.zeros(len(index), dtype=torch.long, device=self.device),
                torch.tensor(limits, device=self.device), torch.ones(len(index), dtype=torch.bool, device=self.device),
            ))  # fmt: skip
        return made

    def _forward(self, ids: Tensor, position: Tensor, columns: Columns) -> Tensor:
        """Logits [rows, V] for the token behind the last of `ids`."""
        out = self.model(
            input_ids=ids, attention_mask=columns.mask, position_ids=position, past_key_values=columns.cache,
            use_cache=True, **self.last_only,
        )  # fmt: skip
        return out.logits[:, -1]  # type: ignore[no-any-return]

    def _step(self, rows: _Rows) -> list[tuple[int, Drawn]]:
        """Draw one token for each row that is alive; the rows that ended by it."""
        at = rows.count.clamp(max=rows.ids.shape[1] - 1)[:, None]
        uniform = rows.uniforms.gather(1, at)
        tokens, logprobs = choose(rows.logits, uniform[:, 0], self.temperature, self.top_p)
        keep = rows.alive[:, None]
        rows.ids.scatter_(1, at, torch.where(keep, tokens[:, None], rows.ids.gather(1, at)))
        rows.logprobs.scatter_(1, at, torch.where(keep, logprobs[:, None], rows.logprobs.gather(1, at)))
        rows.count += rows.alive
        stopped = torch.isin(tokens, self.ends) & rows.alive
        ended = (stopped | (rows.count >= rows.limit)) & rows.alive
        done = ended.nonzero()[:, 0].tolist()
        out = [(rows.index[row], _drawn(rows, row, stopped=bool(stopped[row]))) for row in done]
        if done:
            rows.alive &= ~ended
        if len(done) < len(rows.index) and bool(rows.alive.any()):
            rows.columns.add_column()
            rows.logits = self._forward(tokens[:, None], rows.position[:, None], rows.columns)
            rows.position = rows.position + 1
        return out


def choose(logits: Tensor, uniform: Tensor, temperature: float, top_p: float) -> tuple[Tensor, Tensor]:
    """Tokens [rows] for logits [rows, V] and uniform random numbers [rows] in [0, 1), with their log-probabilities.

    The distribution is softmax(logits / temperature) in float32 over the whole vocabulary; with `top_p` < 1 it is
    renormalised on the likeliest tokens that reach that mass.  At temperature 0 the likeliest token is taken, and its
    log-probability at temperature 1 is given.
    """
    scaled = logits.float() / (temperature or 1.0)
    logprobs = torch.log_softmax(scaled, dim=-1)
    if temperature == 0.0:
        tokens = logprobs.argmax(dim=-1)
        return tokens, logprobs.gather(1, tokens[:, None])[:, 0]
    if top_p < 1.0:
        ranked, order = logprobs.sort(dim=-1, descending=True, stable=True)
        mass = ranked.exp()
        beyond = mass.cumsum(dim=-1) - mass >= top_p
        beyond[:, 0] = False
        outside = torch.zeros_like(beyond).scatter_(1, order, beyond)
        logprobs = torch.log_softmax(logprobs.masked_fill(outside, -torch.inf), dim=-1)
    # Inverse of the distribution function, in float64: a token is hit with its probability, one of mass 0 never.
    reached = logprobs.double().exp().cumsum(dim=-1)
    point = uniform[:, None] * reached[:, -1:]
    tokens = torch.searchsorted(reached, point, right=True)[:, 0]
    tokens = torch.where(tokens < logits.shape[1], tokens, logprobs.argmax(dim=-1))
    return tokens, logprobs.gather(1, tokens[:, None])[:, 0]


def _drawn(rows: _Rows, row: int, *, stopped: bool) -> Drawn:
    count = int(rows.count[row])
    logprobs = tuple(rows.logprobs[row, :count].tolist())
    if not all(map(math.isfinite, logprobs)):
        raise UnsorryError(
            "the model's probabilities are not finite: its weights overflowed or are damaged; use an earlier model"
        )
    return Drawn(tuple(rows.ids[row, :count].tolist()), logprobs, "stop" if stopped else "length")


def _uniforms(requests: Sequence[Ask], device: torch.device) -> Tensor:
    """[requests, longest limit] random numbers in [0, 1), each row from its own key."""
    out = torch.zeros((len(requests), max(request.limit for request in requests)), dtype=torch.float64)
    generator = torch.Generator()
    for row, request in enumerate(requests):
        digest = hashlib.sha256(request.key.encode()).digest()
        generator.manual_seed(int.from_bytes(digest[:8], "little", signed=True))
        out[row, : request.limit] = torch.rand(request.limit, dtype=torch.float64, generator=generator)
    return out.to(device)


def _split(groups: list[list[int]], count: int) -> tuple[list[list[int]], list[list[int]]]:
    return groups[:count], groups[count:]


def _merged(rows: _Rows | None, more: list[_Rows]) -> _Rows:
    """The rows that are alive, of both, as one batch."""
    parts = [part for part in (rows, *more) if part is not None]
    alive = [part.alive.nonzero()[:, 0] for part in parts]
    parts, alive = zip(*[(p, a) for p, a in zip(parts, alive, strict=True) if len(a)], strict=True)  # type: ignore[assignment]
    wide = max(part.ids.shape[1] for part in parts)

    def column(name: str) -> Tensor:
        return torch.cat([getattr(p, name).index_select(0, a) for p, a in zip(parts, alive, strict=True)])

    def table(name: str) -> Tensor:
        return torch.cat([
            torch.nn.functional.pad(getattr(p, name).index_select(0, a), (0, wide - p.ids.shape[1]))
            for p, a in zip(parts, alive, strict=True)
        ])  # fmt: skip

    return _Rows(
        [part.index[at] for part, kept in zip(parts, alive, strict=True) for at in kept.tolist()],
        gather([(part.columns, kept) for part, kept in zip(parts, alive, strict=True)]),
        column("logits"), column("position"), table("uniforms"), table("ids"), table("logprobs"), column("count"),
        column("limit"), column("alive"),
    )  # fmt: skip
