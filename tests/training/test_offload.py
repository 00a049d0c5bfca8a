"""Gradient checkpointing with hidden states on the CPU: the same gradients, and less that stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from training_world import adapted, gradients, model, rows

from unsorry.training import offload
from unsorry.training.batches import MicroBatches
from unsorry.training.distributed import Ranks
from unsorry.training.loop import backward
from unsorry.training.offload import checkpoint_bytes, checkpoint_layers, logits_bytes
from unsorry.training.rl import RlConfig, RlStep
from unsorry.training.scorer import Scorer

MAKERS = {"full": model, "lora": adapted}
DATA = rows(6)


def gradient(policy: Any) -> Tensor:
    backward(Scorer(policy.train(), chunk=16), DATA, MicroBatches(200), Ranks())
    return gradients(policy)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("offloaded", [True, False])
def test_gradients_are_the_same_bit_for_bit(kind: str, offloaded: bool) -> None:
    plain, treated = MAKERS[kind](), MAKERS[kind]()
    checkpoint_layers(treated, offload=offloaded, smallest=0)
    wanted = gradient(plain)
    assert float(wanted.abs().max()) > 0
    assert torch.equal(gradient(treated), wanted)


@pytest.mark.parametrize("kind", MAKERS)
def test_rl_gradients_too(kind: str) -> None:
    found = []
    for treated in (False, True):
        policy = MAKERS[kind]()
        if treated:
            checkpoint_layers(policy, offload=True, smallest=0)
        RlStep(policy, RlConfig()).backward(DATA)
        found.append(gradients(policy))
    assert torch.equal(*found)


@contextmanager
def saved() -> Iterator[list[int]]:
    """Bytes of every tensor that autograd keeps outside of the checkpointed layers."""
    sizes: list[int] = []

    def note(tensor: Tensor) -> Tensor:
        if not isinstance(tensor, torch.nn.Parameter):
            sizes.append(tensor.numel() * tensor.element_size())
        return tensor

    with saved_tensors_hooks(note, lambda tensor: tensor):
        yield sizes


def test_what_is_offloaded_is_one_hidden_state_a_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts what goes through the hooks against the documented arithmetic."""
    moved: list[int] = []
    original = torch.Tensor.copy_

    def counting(self: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
        moved.append(source.numel() * source.element_size())
        return original(self, source, non_blocking)

    policy = adapted().train()
    checkpoint_layers(policy, offload=True, smallest=0)
    ids = torch.randint(0, 300, (3, 40))
    with monkeypatch.context() as patch:
        patch.setattr(torch.Tensor, "copy_", counting)
        hidden = policy.get_base_model().model(input_ids=ids, use_cache=False).last_hidden_state
    assert sum(moved) == checkpoint_bytes(layers=2, hidden=32, tokens=120, bytes_per_number=4)
    assert len(moved) == 2
    hidden.sum().backward()


def test_without_it_far_more_is_kept() -> None:
    kept = {}
    for treated in (False, True):
        policy = model().train()
        if treated:
            checkpoint_layers(policy, offload=True, smallest=0)
        with saved() as sizes:
            policy.model(input_ids=torch.randint(0, 300, (3, 40)), use_cache=False)
        kept[treated] = sum(sizes)
    assert kept[True] < kept[False] / 5


def test_small_states_stay_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = model().train()
    checkpoint_layers(policy, offload=True)
    calls: list[Callable[..., Any]] = []
    monkeypatch.setattr(offload.torch, "empty", lambda *a, **k: calls.append(a))
    backward(Scorer(policy), DATA[:2], MicroBatches(200), Ranks())
    assert not calls


def test_arithmetic_of_the_8b_model() -> None:
    for tokens, gib in ((8_192, 2.25), (16_384, 4.5), (40_960, 11.25)):
        assert checkpoint_bytes(layers=36, hidden=4096, tokens=tokens) / 2**30 == gib
    assert logits_bytes(vocabulary=151_936, tokens=40_960) / 2**30 == pytest.approx(23.2, abs=0.05)
    assert logits_bytes(vocabulary=151_936, tokens=1024) / 2**30 < 0.6
