"""TRL as an oracle: its loss, its off-policy mask and its log-probabilities on random tensors.

`GRPOTrainer._compute_loss` is called unbound, on an object that carries the attributes it reads, with its forward pass
replaced by given log-probabilities.  The conventions coincide when `old_per_token_logps` are the sampler's, the vLLM
correction is off, and `num_items_in_batch` is our denominator; `epsilon_high` is then our `c_abs` (absolute in both).

Differences, which the tests below set aside or show (written against TRL 1.16):
  - TRL's ratio is pi/pi_old with pi_old computed again by the trainer, and with vLLM a second factor pi_old/pi_vllm (by
    default one per sequence, zeroed above 3).  Ours is the one ratio pi/pi_sampler.
  - TRL keeps the tokens of sequences that the off-policy mask drops in the denominator; ours leave it.
  - TRL counts an unscored token (NaN) as no evidence in the off-policy mask; we refuse it when rows are made.
  - TRL's `cispo_clip_ratio` counts capped tokens of positive advantage; our `capped_fraction` counts all.
  - TRL divides by the unbiased deviation plus 1e-4 for `scale_rewards="group"`, we by the population's, where it is
    not 0.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

os.environ.setdefault("HF_HUB_OFFLINE", "1")
pytest.importorskip("trl", reason="the oracle needs TRL: pip install trl (it is in the dev extra)")

from trl.trainer.grpo_trainer import GRPOTrainer
from trl.trainer.utils import entropy_from_logits, selective_log_softmax

from unsorry.training.cispo import CispoConfig, cispo_loss, kept_tokens, token_denominator
from unsorry.training.logprobs import token_logprobs_and_entropy

torch.set_num_threads(1)

SEEDS = range(20)


def random_batch(seed: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    rows, length = 6, 9
    sampler = -torch.rand(rows, length, generator=generator, dtype=torch.float64) * 5
    shift = torch.randn(rows, 1, generator=generator, dtype=torch.float64)
    noise = torch.randn(rows, length, generator=generator, dtype=torch.float64)
    advantages = torch.randn(rows, generator=generator, dtype=torch.float64)
    mask = torch.rand(rows, length, generator=generator) < 0.8
    mask[:, 0] = True
    return sampler + shift + noise, sampler, advantages, mask


def trl_loss(
    logprobs: Tensor,
    sampler: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    config: CispoConfig,
    items: float,
    accumulation: int = 1,
    generation_steps: int = 1,
) -> tuple[Tensor, dict[str, list[float]]]:
    metrics: dict[str, dict[str, list[float]]] = {"train": defaultdict(list)}
    trainer = SimpleNamespace(
        _get_per_token_logps_and_entropies=lambda *args, **kwargs: (logprobs, torch.zeros_like(logprobs), None),
        get_off_policy_mask=GRPOTrainer.get_off_policy_mask,
        loss_type="cispo",
        importance_sampling_level="token",
        epsilon_high=config.c_abs,
        off_policy_mask_threshold=config.sequence_mask_delta,
        top_entropy_quantile=1.0,
        beta=0.0,
        use_vllm=False,
        vllm_importance_sampling_correction=False,
        aux_loss_enabled=False,
        _entropy_bonus_enabled=False,
        current_gradient_accumulation_steps=accumulation,
        args=SimpleNamespace(steps_per_generation=generation_steps),
        accelerator=SimpleNamespace(num_processes=1, reduce=lambda tensor, reduction: tensor),
        model=SimpleNamespace(training=True),
        _metrics=metrics,
    )
    inputs: dict[str, Any] = {
        "prompt_ids": torch.zeros(len(mask), 1, dtype=torch.long),
        "prompt_mask": torch.ones(len(mask), 1, dtype=torch.long),
        "completion_ids": torch.zeros_like(mask, dtype=torch.long),
        "completion_mask": mask.long(),
        "advantages": advantages,
        "old_per_token_logps": sampler,
        "num_items_in_batch": torch.tensor(float(items), dtype=torch.float64),
    }
    return GRPOTrainer._compute_loss(trainer, None, inputs), metrics["train"]


@pytest.mark.parametrize("delta", [None, 0.1, 0.5])
@pytest.mark.parametrize("seed", SEEDS)
def test_loss_and_gradient(seed: int, delta: float | None) -> None:
    batch = random_batch(seed)
    config = CispoConfig(c_abs=3.0, sequence_mask_delta=delta)
    denominator = token_denominator([kept_tokens(*batch, config=config)])
    ours, theirs = batch[0].clone().requires_grad_(), batch[0].clone().requires_grad_()
    out = cispo_loss(ours, *batch[1:], config=config, denominator=denominator)
    loss, metrics = trl_loss(theirs, *batch[1:], config=config, items=denominator.item())
    torch.testing.assert_close(out.loss, loss)
    out.loss.backward()
    loss.backward()
    torch.testing.assert_close(ours.grad, theirs.grad)

    capped = out.statistics.capped_fraction * out.statistics.tokens
    positive = (batch[2] > 0)[:, None] & batch[3] & ((batch[0] - batch[1]).exp() > 3.0)
    assert metrics["cispo_clip_ratio"] == [pytest.approx(positive.sum().item() / batch[3].sum().item())]
    assert capped >= positive.sum().item()


@pytest.mark.parametrize("seed", SEEDS)
def test_gradient_accumulation(seed: int) -> None:
    """TRL 1.16 with two micro-batches in a step, two steps a generation, against our sum over micro-batches."""
    batch = random_batch(seed)
    config = CispoConfig(sequence_mask_delta=None)
    halves = [tuple(tensor[part] for tensor in batch) for part in (slice(0, 3), slice(3, 6))]
    tokens = [half[3].sum().item() for half in halves]
    denominator = token_denominator([half[3] for half in halves])
    ours = sum(cispo_loss(*half, config=config, denominator=denominator).loss for half in halves)
    # The generation batch holds this step and another of the same size, hence twice the items.
    theirs = sum(
        trl_loss(*half, config=config, items=2 * sum(tokens), accumulation=2, generation_steps=4)[0] for half in halves
    )
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_off_policy_mask(seed: int) -> None:
    batch = random_batch(seed)
    logprobs, sampler, advantages, mask = batch
    for delta in (0.1, 0.5, 1.0):
        kept = kept_tokens(*batch, config=CispoConfig(sequence_mask_delta=delta))
        theirs = GRPOTrainer.get_off_policy_mask(advantages[:, None], logprobs, sampler, mask.double(), delta)
        assert kept.any(1).tolist() == theirs.bool().squeeze(1).tolist()


def test_trl_keeps_dropped_sequences_in_the_denominator() -> None:
    """The difference: with one of two sequences dropped, TRL's own item count halves the gradient of the other."""
    sampler = torch.full((2, 4), -1.0, dtype=torch.float64)
    logprobs = sampler - torch.tensor([[0.0], [2.0]], dtype=torch.float64)
    batch = (logprobs, sampler, -torch.ones(2, dtype=torch.float64), torch.ones(2, 4, dtype=torch.bool))
    config = CispoConfig()
    kept = kept_tokens(*batch, config=config)
    ours = cispo_loss(*batch, config=config, denominator=token_denominator([kept])).loss
    theirs, _ = trl_loss(*batch, config=config, items=batch[3].sum().item())
    assert kept.sum().item() == 4
    assert theirs.item() == pytest.approx(ours.item() / 2)


@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_logprobs_and_entropy(temperature: float) -> None:
    torch.manual_seed(0)
    hidden, head = torch.randn(50, 16), torch.randn(97, 16)
    targets = torch.randint(0, 97, (50,))
    ours, entropy = token_logprobs_and_entropy(hidden, head, targets, chunk=8, temperature=temperature)
    logits = hidden @ head.T / temperature
    torch.testing.assert_close(ours, selective_log_softmax(logits, targets), atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(entropy, entropy_from_logits(logits), atol=1e-5, rtol=1e-5)
    assert math.isfinite(entropy.sum().item())
