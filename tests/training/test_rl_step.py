"""One on-policy update: the loss by hand, normalisation over the whole step, what is measured, resume."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from training_world import adapted, gradients, model, relative, rows, same, weights

from unsorry import UnsorryError
from unsorry.training.batches import MicroBatches
from unsorry.training.checkpoint import Checkpointer
from unsorry.training.cispo import CispoConfig
from unsorry.training.masks import Row, without_truncated
from unsorry.training.optimiser import scale_gradients, trainable
from unsorry.training.packing import pad
from unsorry.training.rl import RlConfig, RlStep, split_groups
from unsorry.training.scorer import Scorer

ROWS = rows(9)
CISPO = CispoConfig(c_abs=1.5, sequence_mask_delta=0.2)


def on_policy(policy: Any, data: Sequence[Row], temperature: float = 1.0) -> list[Row]:
    """The rows with the log-probabilities that `policy` itself gives."""
    batch = pad(data, "right")
    tokens = batch.loss_tokens()
    with torch.no_grad():
        values, _ = Scorer(policy.eval(), temperature=temperature)(batch, tokens, False)
    result = []
    for number, row in enumerate(data):
        mine = iter(values[tokens.rows == number].tolist())
        result.append(replace(row, sampler_logprobs=tuple(next(mine) if m else 0.0 for m in row.loss_mask)))
    return result


def by_hand(policy: Any, data: Sequence[Row], config: CispoConfig) -> tuple[float, int, int, Tensor]:
    """Loss, tokens in it, masked sequences and gradient, row by row from the formulas."""
    total, count, masked = torch.zeros(()), 0, 0
    for row in data:
        logs = policy(torch.tensor([row.input_ids])).logits[0].log_softmax(-1)
        places = [i for i, loss in enumerate(row.loss_mask) if loss]
        new = torch.stack([logs[i - 1, row.input_ids[i]] for i in places])
        log_ratio = new.detach() - torch.tensor([row.sampler_logprobs[i] for i in places])
        if (
            row.advantage < 0
            and config.sequence_mask_delta is not None
            and -log_ratio.mean() > config.sequence_mask_delta
        ):
            masked += 1
            continue
        total = total - (log_ratio.exp().clamp(max=config.c_abs) * row.advantage * new).sum()
        count += len(places)
    (total / count).backward()
    return float(total.detach()) / count, count, masked, gradients(policy)


@pytest.mark.parametrize("layout", ["padded", "packed"])
@pytest.mark.parametrize("tokens", [1, 90, 10_000])
def test_gradient_by_hand_however_it_is_cut(layout: str, tokens: int) -> None:
    loss, count, masked, wanted = by_hand(model().train(), ROWS, CISPO)
    assert masked > 0
    policy = model()
    step = RlStep(policy, RlConfig(cispo=CISPO, micro=MicroBatches(tokens, layout), chunk=16))
    totals = step.backward(ROWS)
    assert (totals.kept, totals.statistics.masked_sequences) == (count, masked)
    assert totals.loss / totals.kept == pytest.approx(loss, rel=1e-5)
    scale_gradients([value for _, value in trainable(policy)], 1 / totals.kept)
    assert relative(gradients(policy), wanted) < 1e-5


def test_metrics_on_policy_are_those_of_the_sampler_itself() -> None:
    policy = adapted()
    data = on_policy(policy, ROWS)
    [metrics] = RlStep(policy, RlConfig(lr=1e-3)).update(data)
    assert metrics.mean_ratio == pytest.approx(1.0, abs=1e-5)
    assert metrics.max_ratio == pytest.approx(1.0, abs=1e-4)
    assert metrics.kl == pytest.approx(0.0, abs=1e-6)
    assert (metrics.capped_fraction, metrics.masked_sequences, metrics.step) == (0.0, 0, 1)
    assert metrics.tokens == sum(row.loss_tokens for row in data)
    assert metrics.length == pytest.approx(metrics.tokens / len(data))
    assert 0 < metrics.entropy < math.log(300)
    assert metrics.grad_norm > 0


def test_temperature_of_the_sampler_counts() -> None:
    """Scored at another temperature than it was sampled at, a ratio is not 1 on the sampler's own tokens."""
    policy = adapted()
    data = on_policy(policy, ROWS, temperature=0.7)
    ratios = {t: RlStep(policy, RlConfig(temperature=t)).backward(data).statistics.mean_ratio for t in (0.7, 1.0)}
    assert ratios[0.7] == pytest.approx(1.0, abs=1e-5)
    assert abs(ratios[1.0] - 1.0) > 0.05


def test_the_reward_rises_on_what_was_rewarded() -> None:
    policy = adapted()
    good, bad = [replace(row, group="g") for row in rows(2, seed=5)]
    step = RlStep(policy, RlConfig(lr=3e-3))

    def likelihood(row: Row) -> float:
        [scored] = on_policy(policy, [row])
        return sum(scored.sampler_logprobs)

    before = likelihood(good) - likelihood(bad)
    for _ in range(5):
        step.update([replace(r, advantage=a) for r, a in zip(on_policy(policy, [good, bad]), (1.0, -1.0), strict=True)])
    assert likelihood(good) - likelihood(bad) > before + 1.0


def test_second_update_is_off_policy_by_one_step() -> None:
    policy = adapted()
    data = on_policy(policy, ROWS)
    first, second = RlStep(policy, RlConfig(lr=1e-2, updates=2)).update(data)
    assert first.mean_ratio == pytest.approx(1.0, abs=1e-5)
    assert abs(second.max_ratio - 1.0) > 1e-3
    assert (first.step, second.step) == (1, 2)
    assert first.tokens + second.tokens <= sum(row.loss_tokens for row in data)


def test_split_keeps_groups_whole_and_uses_each_row_once() -> None:
    data = rows(20, seed=1)
    parts = split_groups(data, 2, seed=3)
    assert sorted(row.attempt for part in parts for row in part) == sorted(row.attempt for row in data)
    assert not {row.group for row in parts[0]} & {row.group for row in parts[1]}
    assert split_groups(list(reversed(data)), 1, seed=3)[0]
    assert len(split_groups(rows(3), 2, seed=0)) == 1  # one group cannot be split


def test_masked_truncated_rows_leave_numerator_and_denominator() -> None:
    """trl#6369: with 3 of 4 rows masked but counted, the loss is a quarter of what it should be."""
    data = [replace(ROWS[0], attempt=str(i), truncated=i > 0) for i in range(4)]
    alone = RlStep(model(), RlConfig(cispo=CispoConfig(sequence_mask_delta=None))).update(data[:1])[0]
    step = RlStep(model(), RlConfig(cispo=CispoConfig(sequence_mask_delta=None)))
    found = step.update(without_truncated(data))[0]
    assert found.loss == pytest.approx(alone.loss, rel=1e-5)
    assert found.grad_norm == pytest.approx(alone.grad_norm, rel=1e-4)
    assert found.truncated_fraction == 0.75
    naive = found.loss * found.tokens / sum(row.loss_tokens for row in data)
    assert naive == pytest.approx(alone.loss / 4, rel=1e-5)


def test_when_all_is_masked_nothing_moves() -> None:
    policy = adapted()
    before = weights(policy)
    far = [replace(r, advantage=-1.0, sampler_logprobs=tuple(0.0 for _ in r.loss_mask)) for r in ROWS]
    [metrics] = RlStep(policy, RlConfig(lr=1e-2)).update(far)
    assert (metrics.tokens, metrics.masked_sequences, metrics.loss) == (0, len(ROWS), 0.0)
    assert same(before, weights(policy))


def test_resume_is_bit_exact(tmp_path: Path) -> None:
    config = RlConfig(lr=1e-2, updates=2, micro=MicroBatches(100))
    unbroken, broken = adapted(), adapted()
    straight, first = RlStep(unbroken, config), RlStep(broken, config)
    wanted = [straight.update(rows(9, seed)) for seed in range(4)]
    for seed in range(2):
        first.update(rows(9, seed))
    first.save(Checkpointer(tmp_path), [{"reward": 0.5}])
    resumed = adapted(seed=8)
    for part, original in zip(resumed.parameters(), adapted().parameters(), strict=True):
        part.data.copy_(original.data)  # the base is the run's; the adapter comes from the checkpoint
    second = RlStep(resumed, config)
    state = second.restore(Checkpointer(tmp_path))
    assert state is not None
    assert (second.step, list(state.metrics)) == (4, [{"reward": 0.5}])
    found = [second.update(rows(9, seed)) for seed in range(2, 4)]
    assert [[replace(m, seconds=0.0) for m in part] for part in found] == [
        [replace(m, seconds=0.0) for m in part] for part in wanted[2:]
    ]
    assert same(weights(resumed), weights(unbroken))


def test_nan_is_one_line_and_leaves_the_weights() -> None:
    policy = adapted()
    before = weights(policy)
    broken = [replace(ROWS[0], sampler_logprobs=tuple(math.nan for _ in ROWS[0].loss_mask)), *ROWS[1:]]
    with pytest.raises(UnsorryError, match=r"step 0: loss nan.*weights were not changed") as error:
        RlStep(policy, RlConfig()).update(broken)
    assert "\n" not in str(error.value)
    assert same(before, weights(policy))
    with pytest.raises(UnsorryError, match="has advantage nan"):
        RlStep(policy, RlConfig()).update([replace(ROWS[0], advantage=math.nan)])


def test_what_cannot_be_on_policy_is_refused() -> None:
    with pytest.raises(UnsorryError, match="use 1 or 2"):
        RlConfig(updates=3)
    with pytest.raises(UnsorryError, match=r"dropout 0\.1 in RL"):
        RlStep(adapted(dropout=0.1), RlConfig())
