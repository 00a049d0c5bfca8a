"""The supervised loop: exact normalisation, deterministic order, resume bit for bit, one line when it diverges."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from training_world import Interrupted, StopAt, adapted, gradients, model, relative, rows, same, weights

from unsorry import UnsorryError
from unsorry.training import batches
from unsorry.training.batches import MicroBatches
from unsorry.training.checkpoint import Checkpointer
from unsorry.training.distributed import Ranks
from unsorry.training.loop import backward, planned_steps
from unsorry.training.masks import Row
from unsorry.training.optimiser import AdamConfig, Schedule, adamw, clip_gradients, trainable
from unsorry.training.scorer import Scorer
from unsorry.training.sft import SftConfig, train_sft

ROWS = [replace(row, advantage=1.0) for row in rows(12)]
CONFIG = SftConfig(lr=1e-2, epochs=2, step_tokens=80, micro=MicroBatches(120), schedule=Schedule("cosine", warmup=2))


def gradient(data: list[Row], micro: MicroBatches) -> tuple[float, Tensor]:
    policy = model()
    loss, _, _ = backward(Scorer(policy.train(), chunk=16), data, micro, Ranks())
    return loss, gradients(policy)


def by_hand(data: list[Row]) -> tuple[float, Tensor]:
    """Row by row through the library's own forward pass and log-softmax over the full vocabulary."""
    policy = model().train()
    total = torch.zeros(())
    count = 0
    for row in data:
        logs = policy(torch.tensor([row.input_ids])).logits[0].log_softmax(-1)
        for place in range(1, len(row.input_ids)):
            if row.loss_mask[place] and row.advantage != 0:
                total = total - row.advantage * logs[place - 1, row.input_ids[place]]
                count += 1
    (total / count).backward()
    return float(total.detach() / count), gradients(policy)


@pytest.mark.parametrize("layout", ["padded", "packed"])
@pytest.mark.parametrize("tokens", [1, 61, 150, 10_000])
def test_neither_layout_nor_accumulation_changes_the_gradient(layout: str, tokens: int) -> None:
    data = [replace(row, advantage=weight) for row, weight in zip(ROWS, [1.0, 0.0, 0.5] * 4, strict=True)]
    loss, found = gradient(data, MicroBatches(tokens, layout))
    wanted_loss, wanted = by_hand(data)
    assert loss == pytest.approx(wanted_loss, rel=1e-5)
    assert relative(found, wanted) < 1e-5


def test_mean_of_means_is_another_gradient() -> None:
    """What stacks did that divided each micro-batch by its own tokens (the reports on gradient accumulation)."""
    policy = model().train()
    scorer = Scorer(policy)
    parts = batches.micro_batches(ROWS, MicroBatches(100), pad_id=0, packed=False)
    for batch in parts:
        logprobs, _ = scorer(batch, batch.loss_tokens(), False)
        (-logprobs.mean() / len(parts)).backward()
    assert relative(gradients(policy), gradient(ROWS, MicroBatches(100))[1]) > 0.02


def test_prompt_tokens_have_no_part() -> None:
    """Scoring prompts too, as a lost mask does, gives another gradient."""
    lost = [replace(row, loss_mask=(False,) + (True,) * (len(row.loss_mask) - 1)) for row in ROWS]
    assert relative(gradient(lost, MicroBatches(500))[1], gradient(ROWS, MicroBatches(500))[1]) > 0.1


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 90), max_size=40), st.integers(1, 200), st.integers(0, 5))
def test_an_epoch_has_every_row_once(lengths: list[int], tokens: int, epoch: int) -> None:
    steps = batches.steps(lengths, tokens=tokens, seed=3, epoch=epoch)
    assert sorted(row for step in steps for row in step) == list(range(len(lengths)))
    assert steps == batches.steps(lengths, tokens=tokens, seed=3, epoch=epoch)
    for step in steps[:-1]:
        assert len(step) == 1 or sum(lengths[row] for row in step) <= tokens


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 30), st.integers(1, 300), st.booleans(), st.integers(1, 4))
def test_every_row_is_in_one_pass_of_one_rank(count: int, tokens: int, packed: bool, world: int) -> None:
    data = rows(count, seed=count)
    shares = [batches.share(data, rank, world) for rank in range(world)]
    assert sorted(row.attempt for part in shares for row in part) == sorted(row.attempt for row in data)
    assert max(len(part) for part in shares) - min(len(part) for part in shares) <= 1
    seen = []
    for batch in batches.micro_batches(data, MicroBatches(tokens), pad_id=0, packed=packed):
        seen += batch.rows
        longest = max(len(data[row].input_ids) for row in batch.rows)
        assert batch.input_ids.numel() <= max(tokens, longest) or packed
    assert sorted(seen) == list(range(count))


def test_epochs_and_seeds_have_their_own_order() -> None:
    orders = [batches.shuffled(30, seed, epoch) for seed, epoch in ((0, 0), (0, 1), (1, 0))]
    assert len({tuple(order) for order in orders}) == 3


def test_it_learns_and_the_same_seed_learns_the_same() -> None:
    first, second, other = model(), model(), model()
    losses = train_sft(first, ROWS, replace(CONFIG, epochs=12))
    assert losses.last_loss < 0.7 * losses.first_loss
    again = train_sft(second, ROWS, replace(CONFIG, epochs=12))
    assert losses.steps == again.steps
    assert same(weights(first), weights(second))
    train_sft(other, ROWS, replace(CONFIG, epochs=12, seed=1))
    assert not same(weights(first), weights(other))
    assert not first.training


@pytest.mark.parametrize("make", [model, lambda seed=0: adapted(seed, dropout=0.2)], ids=["full", "lora"])
def test_resume_equals_an_unbroken_run(tmp_path: Path, make: Callable[..., Any]) -> None:
    """Report 20 (miles#2661: LoRA resume loses data cursor and rate): weights, moments, order, rate, dropout go on."""
    unbroken = make()
    wanted = train_sft(unbroken, ROWS, CONFIG)
    total = len(wanted.steps)
    assert total == planned_steps(ROWS, CONFIG) > 5
    for at in (1, total // 2, total - 1):
        folder = tmp_path / str(at)
        with pytest.raises(Interrupted):
            train_sft(make(), ROWS, CONFIG, Checkpointer(folder, every=2), StopAt(at))
        torch.rand(at)  # the state of the global generator is not the loop's
        resumed = make()
        found = train_sft(resumed, ROWS, CONFIG, Checkpointer(folder, every=2))
        assert found.steps == wanted.steps
        assert [step.learning_rate for step in found.steps] == [
            CONFIG.lr * CONFIG.schedule.factor(i, total) for i in range(total)
        ]
        assert same(weights(resumed), weights(unbroken))


def test_a_resume_that_forgets_cursor_and_rate_ends_elsewhere(tmp_path: Path) -> None:
    """The naive resume of report 20: weights come back, the data and the schedule begin anew."""
    unbroken, naive = adapted(), adapted()
    total = len(train_sft(unbroken, ROWS, CONFIG).steps)
    with pytest.raises(Interrupted):
        train_sft(naive, ROWS, CONFIG, None, StopAt(total // 2))
    train_sft(naive, ROWS, replace(CONFIG, max_steps=total - total // 2))
    assert not same(weights(naive), weights(unbroken))


def test_a_finished_run_is_not_trained_again(tmp_path: Path) -> None:
    first, again = model(), model()
    done = train_sft(first, ROWS, CONFIG, Checkpointer(tmp_path))
    repeated = train_sft(again, ROWS, CONFIG, Checkpointer(tmp_path))
    assert repeated.steps == done.steps
    assert repeated.tokens_per_second == 0.0
    assert same(weights(first), weights(again))


def test_the_global_generator_is_left_alone() -> None:
    torch.manual_seed(5)
    wanted = torch.rand(2)
    torch.manual_seed(5)
    train_sft(adapted(dropout=0.1), ROWS, CONFIG)
    assert torch.equal(torch.rand(2), wanted)


def test_nan_is_one_line_and_the_checkpoint_is_kept(tmp_path: Path) -> None:
    policy = model()

    class Poison(StopAt):
        def step(self, done: int, total: int = 0, text: str = "") -> None:
            if done == self.at:
                with torch.no_grad():
                    policy.model.norm.weight.fill_(math.nan)

    with pytest.raises(UnsorryError, match=r"step 4: loss nan, .*step-00000003 is kept; lower the learning") as error:
        train_sft(policy, ROWS, CONFIG, Checkpointer(tmp_path, every=3), Poison(4))
    assert "\n" not in str(error.value)
    resumed, unbroken = model(), model()
    train_sft(resumed, ROWS, CONFIG, Checkpointer(tmp_path, every=3))
    train_sft(unbroken, ROWS, CONFIG)
    assert same(weights(resumed), weights(unbroken))


def test_a_gradient_that_is_not_finite_does_not_reach_the_weights() -> None:
    policy = model()
    _, value = next(iter(trainable(policy)))
    value.grad = torch.full_like(value, math.inf)
    norm = clip_gradients([value], 1.0)
    assert not math.isfinite(norm)
    assert bool(value.grad.isinf().all())  # not scaled to NaN


def test_rows_that_cannot_be_trained_on() -> None:
    with pytest.raises(UnsorryError, match="nothing to train on: 0 rows"):
        train_sft(model(), [], CONFIG)
    with pytest.raises(UnsorryError, match="none with a token in the loss"):
        train_sft(model(), [replace(ROWS[0], loss_mask=(False,) * len(ROWS[0].loss_mask))], CONFIG)
    long = Row((1,) * 200, (False, *(True,) * 199), (0.0,) * 200, attempt="long one")
    with pytest.raises(
        UnsorryError, match=r"1 of 13 rows exceed the context of 160 tokens \(longest 200, 'long one'\)"
    ):
        train_sft(model(), [*ROWS, long], CONFIG)
    frozen = model().requires_grad_(False)
    with pytest.raises(UnsorryError, match="no trainable parameter"):
        train_sft(frozen, ROWS, CONFIG)


def test_bad_numbers_are_one_line() -> None:
    for bad in ({"lr": 0.0}, {"lr": math.nan}, {"epochs": 0}, {"betas": (0.9, 1.0)}, {"step_tokens": 0}, {"eps": 0.0}):
        with pytest.raises(UnsorryError):
            SftConfig(**bad)  # type: ignore[arg-type]
    with pytest.raises(UnsorryError, match="unknown: use constant, linear, cosine"):
        Schedule("exponential")
    with pytest.raises(UnsorryError, match="layout 'flat' is unknown"):
        MicroBatches(layout="flat")


def test_schedules() -> None:
    linear = [Schedule("linear", warmup=2, final=0.5).factor(step, 6) for step in range(7)]
    assert linear == pytest.approx([0.5, 1.0, 0.875, 0.75, 0.625, 0.5, 0.5])
    cosine = [Schedule("cosine").factor(step, 4) for step in range(4)]
    assert cosine == pytest.approx([(1 + math.cos(math.pi * part)) / 2 for part in (0.25, 0.5, 0.75, 1.0)])
    assert Schedule("constant", warmup=4).factor(1, 100) == 0.5


def test_no_decay_on_vectors_and_embeddings() -> None:
    policy = model()
    optimiser = adamw(policy, AdamConfig(1e-3, weight_decay=0.1))
    decay = {id(value): group["weight_decay"] for group in optimiser.param_groups for value in group["params"]}
    assert len(decay) == len(list(trainable(policy)))
    for name, value in trainable(policy):
        assert decay[id(value)] == (0.0 if "norm" in name or "embed" in name else 0.1), name
