"""A row gives the same gradient packed, padded, in micro-batches or alone: through a real Qwen3 of two layers."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_qwen3 import VOCABULARY, gradient, hidden_states, qwen3, relative

from unsorry import UnsorryError
from unsorry.training.advantages import group_advantages, group_index
from unsorry.training.cispo import CispoConfig
from unsorry.training.masks import Row, without_truncated
from unsorry.training.packing import Batch, pack, pad

torch.set_num_threads(1)
SAME = 2e-5  # relative difference of gradients that float32 rounding explains
CONFIG = CispoConfig(sequence_mask_delta=0.2)


def random_rows(seed: int, number: int = 7) -> list[Row]:
    """Rows of two turns with feedback between them; the sequence mask drops the first."""
    rng = random.Random(seed)
    rows = []
    for i in range(number):
        lengths = [rng.randint(1, 6) for _ in range(4)]
        mask = tuple(bool(part % 2) for part, length in enumerate(lengths) for _ in range(length))
        ids = tuple(rng.randrange(VOCABULARY) for _ in mask)
        sampler = tuple(-rng.random() * (0.1 if i == 0 else 9) if learned else 0.0 for learned in mask)
        rows.append(Row(ids, mask, sampler, advantage=-1.0 if i == 0 else rng.uniform(-1, 1), attempt=str(i)))
    return rows


@pytest.fixture(scope="module")
def model():  # type: ignore[no-untyped-def]
    return qwen3()


def one_by_one(model, rows: list[Row]) -> torch.Tensor:  # type: ignore[no-untyped-def]
    """The plainest way: a row at a time, no padding, the model's own causal mask."""
    return gradient(model, [pad([row]) for row in rows], CONFIG)


@pytest.mark.parametrize("seed", range(4))
def test_layout_leaves_the_gradient_unchanged(model, seed: int) -> None:  # type: ignore[no-untyped-def]
    rows = random_rows(seed)
    expected = one_by_one(model, rows)
    assert relative(gradient(model, [pad([row]) for row in rows[1:]], CONFIG), expected) < SAME, "row 0 is masked"
    shuffled = random.Random(seed).sample(rows, len(rows))
    layouts = {
        "right": [pad(rows, "right")],
        "left": [pad(rows, "left", pad_id=7)],
        "multiple": [pad(rows, multiple=16)],
        "packed": pack(rows, 60),
        "packed tight": pack(rows, max(len(row.input_ids) for row in rows)),
        "packed lines": pack(rows, 40, lines=3, multiple=8, pad_id=3),
        "accumulated": [pad(rows[:2]), pad(rows[2:3], "left"), *pack(rows[3:], 50)],
        "order": [pad(shuffled[:4]), pad(shuffled[4:])],
    }
    for name, batches in layouts.items():
        assert relative(gradient(model, batches, CONFIG), expected) < SAME, name


def test_eager_attention_too(model) -> None:  # type: ignore[no-untyped-def]
    rows = random_rows(0)
    eager = qwen3(attention="eager")
    assert relative(gradient(eager, pack(rows, 60), CONFIG), one_by_one(model, rows)) < SAME
    assert relative(gradient(eager, [pad(rows, "left")], CONFIG), one_by_one(model, rows)) < SAME


def test_a_wrong_layout_would_be_noticed(model) -> None:  # type: ignore[no-untyped-def]
    """Naive packing: rows one after another under one causal mask, with or without positions that restart."""
    rows = random_rows(1)
    expected = one_by_one(model, rows)
    (packed,) = pack(rows, 1000)

    class Leaky(Batch):
        def attention_mask(self, dtype: torch.dtype | None = None) -> torch.Tensor:
            return torch.ones_like(self.segment_ids[0] * self.segment_ids.T, dtype=torch.bool).tril()[None, None]

    leaky = Leaky(**{name: getattr(packed, name) for name in Batch.__slots__})
    assert relative(gradient(model, [leaky], CONFIG), expected) > 0.05
    running = replace(packed, position_ids=torch.arange(packed.input_ids.shape[1])[None])
    assert relative(gradient(model, [running], CONFIG), expected) < SAME  # rotary positions are relative
    naive = replace(leaky, position_ids=running.position_ids)
    assert relative(gradient(model, [naive], CONFIG), expected) > 0.05


def test_the_models_own_reading_of_packed_positions_agrees(model) -> None:  # type: ignore[no-untyped-def]
    """transformers finds the boundaries in position ids that restart, when it is given no mask."""
    (packed,) = pack(random_rows(2), 1000)
    ours = hidden_states(model, packed)
    theirs = model.model(input_ids=packed.input_ids, position_ids=packed.position_ids, use_cache=False)
    torch.testing.assert_close(ours, theirs.last_hidden_state.flatten(0, 1), atol=2e-5, rtol=2e-5)


def test_truncated_rows_leave_no_trace(model) -> None:  # type: ignore[no-untyped-def]
    rows = random_rows(3)
    cut = [replace(row, truncated=i in (1, 4)) for i, row in enumerate(rows)]
    others = [row for row in cut if not row.truncated]
    expected = gradient(model, pack(others, 60), CONFIG)
    assert relative(gradient(model, pack(without_truncated(cut), 60), CONFIG), expected) < SAME


def test_the_order_of_groups_changes_nothing(model) -> None:  # type: ignore[no-untyped-def]
    rng = random.Random(5)
    rows = [replace(row, group=str(i % 3)) for i, row in enumerate(random_rows(5, 9))]
    rewards = {row.attempt: float(rng.random() < 0.5) for row in rows}

    def step(ordered: list[Row]) -> torch.Tensor:
        found = group_advantages(
            torch.tensor([rewards[row.attempt] for row in ordered]), group_index([row.group for row in ordered])
        )
        graded = [replace(row, advantage=a) for row, a in zip(ordered, found.advantages.tolist(), strict=True)]
        kept = [row for row, used in zip(graded, found.informative.tolist(), strict=True) if used]
        return gradient(model, pack(kept, 50), CONFIG)

    expected = step(rows)
    for seed in range(3):
        assert relative(step(random.Random(seed).sample(rows, len(rows))), expected) < SAME


ROWS = st.lists(
    st.lists(st.booleans(), min_size=0, max_size=9).map(
        lambda mask: Row((5,) * (len(mask) + 1), (False, *mask), (0.0,) * (len(mask) + 1))
    ),
    min_size=0,
    max_size=12,
)


@given(ROWS, st.integers(10, 25), st.integers(1, 3), st.integers(1, 4), st.sampled_from(["left", "right", "pack"]))
@settings(deadline=None)
def test_every_token_has_one_place(rows: list[Row], length: int, lines: int, multiple: int, how: str) -> None:
    numbered = []
    token = 1
    for i, row in enumerate(rows):
        ids = tuple(range(token, token + len(row.input_ids)))
        token += len(ids)
        numbered.append(replace(row, input_ids=ids, advantage=float(i)))
    if how == "pack":
        batches = pack(numbered, length, lines=lines, multiple=multiple)
    else:
        batches = [pad(numbered, how, multiple=multiple)] if rows else []  # type: ignore[arg-type]

    assert sorted(number for batch in batches for number in batch.rows) == list(range(len(rows)))
    for batch in batches:
        assert batch.input_ids.shape[1] % multiple == 0
        for segment, number in enumerate(batch.rows):
            here = batch.segment_ids == segment
            assert batch.input_ids[here].tolist() == list(numbered[number].input_ids)
            assert batch.position_ids[here].tolist() == list(range(len(numbered[number].input_ids)))
            assert batch.loss_mask[here].tolist() == list(numbered[number].loss_mask)
            assert batch.advantages[segment].item() == number
        assert not batch.loss_mask[batch.segment_ids < 0].any()
        assert batch.tokens == sum(len(numbered[number].input_ids) for number in batch.rows)

        tokens = batch.loss_tokens()
        before = batch.input_ids.flatten()[tokens.positions]
        assert (before + 1 == tokens.targets).all(), "the state before a token predicts it, in the same row"
        assert batch.segment_ids.flatten()[tokens.positions].tolist() == tokens.rows.tolist()
        assert len(tokens.targets) == sum(numbered[number].loss_tokens for number in batch.rows)

        mask = batch.attention_mask()[:, 0]
        for line in range(mask.shape[0]):
            for query in range(mask.shape[1]):
                for key in range(mask.shape[1]):
                    allowed = key <= query and batch.segment_ids[line, query] == batch.segment_ids[line, key]
                    assert mask[line, query, key].item() == bool(allowed)
        additive = batch.attention_mask(torch.bfloat16)[:, 0]
        assert ((additive == 0) == mask).all() and torch.isfinite(additive).all()


@given(ROWS.filter(bool), st.integers(1, 8))
@settings(deadline=None)
def test_cumulative_lengths(rows: list[Row], multiple: int) -> None:
    (batch,) = pack(rows, 1000, multiple=multiple)
    bounds, longest = batch.cu_seqlens()
    lengths = [len(rows[number].input_ids) for number in batch.rows]
    padding = batch.input_ids.shape[1] - sum(lengths)
    lengths += [padding] if padding else []
    assert bounds.dtype == torch.int32
    assert bounds.tolist() == [sum(lengths[:i]) for i in range(len(lengths) + 1)]
    assert longest == max(lengths)


def test_packing_is_dense_and_the_same_each_time() -> None:
    rows = [Row((1,) * n, (False,) * n, (0.0,) * n) for n in (3, 9, 5, 7, 1, 5)]
    batches = pack(rows, 10)
    assert [batch.rows for batch in batches] == [(1, 4), (3, 0), (2, 5)]
    assert all(batch.tokens == batch.input_ids.numel() for batch in batches)


def test_a_row_that_does_not_fit_is_refused() -> None:
    with pytest.raises(UnsorryError, match="row 'k' has 11 tokens, lines 10"):
        pack([Row((1,) * 11, (False,) * 11, (0.0,) * 11, attempt="k")], 10)


def test_two_lines_have_no_cumulative_lengths() -> None:
    with pytest.raises(ValueError, match="one line"):
        pad([Row((1,), (False,), (0.0,))] * 2).cu_seqlens()


def test_batches_move_between_devices() -> None:
    batch = pad(random_rows(0))
    moved = batch.to("meta")
    assert moved.input_ids.device.type == moved.advantages.device.type == "meta" and moved.rows == batch.rows
