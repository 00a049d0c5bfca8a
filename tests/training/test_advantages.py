"""Group advantages against plain loops, and what they do with groups that say nothing."""

from __future__ import annotations

import math

import pytest
import reference
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry import UnsorryError
from unsorry.training.advantages import group_advantages, group_index

torch.set_num_threads(1)

REWARDS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.3, 1.0, 1.1]), st.integers(0, 4).map(lambda group: group * 7)),
    min_size=1,
    max_size=20,
)


@given(REWARDS, st.sampled_from(["none", "group", "batch"]), st.randoms())
@settings(deadline=None, max_examples=150)
def test_equals_the_loops_in_any_order(samples, scale, random) -> None:  # type: ignore[no-untyped-def]
    rewards, groups = zip(*samples, strict=True)
    expected, informative = reference.advantages(list(rewards), list(groups), scale)
    found = group_advantages(torch.tensor(rewards, dtype=torch.float64), torch.tensor(groups), scale=scale)
    assert found.advantages.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-10)
    assert found.informative.tolist() == informative
    assert found.groups == len(set(groups))
    flat = [group for group in set(groups) if len({r for r, g in samples if g == group}) == 1]
    assert found.zero_variance_groups == len(flat)

    order = list(range(len(samples)))
    random.shuffle(order)
    shuffled = group_advantages(
        torch.tensor([rewards[i] for i in order], dtype=torch.float64),
        torch.tensor([groups[i] for i in order]),
        scale=scale,
    )
    assert shuffled.advantages.tolist() == pytest.approx([expected[i] for i in order], rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("scale", ["none", "group", "batch"])
def test_a_table_is_the_same_as_group_numbers(scale: str) -> None:
    torch.manual_seed(0)
    table = torch.randint(0, 2, (6, 8)).double()
    table[2] = 1.0
    by_table = group_advantages(table, scale=scale)  # type: ignore[arg-type]
    by_number = group_advantages(table.flatten(), torch.arange(6).repeat_interleave(8), scale=scale)  # type: ignore[arg-type]
    assert by_table.advantages.shape == table.shape
    torch.testing.assert_close(by_table.advantages.flatten(), by_number.advantages)
    assert by_table.zero_variance_groups == by_number.zero_variance_groups >= 1


def test_what_the_group_deviation_does_to_difficulty() -> None:
    """8 binary rewards: 1/8 and 7/8 are multiplied by 3.0, 4/8 by 2.0."""
    table = torch.zeros(3, 8)
    for group, successes in enumerate([1, 4, 7]):
        table[group, :successes] = 1.0
    plain = group_advantages(table, scale="none").advantages
    scaled = group_advantages(table, scale="group").advantages
    assert (scaled / plain)[:, 0].tolist() == pytest.approx([3.02, 2.0, 3.02], abs=0.01)


@pytest.mark.parametrize("scale", ["none", "group", "batch"])
@pytest.mark.parametrize("reward", [0.1, 1.0, 1 / 3])
def test_equal_rewards_are_exactly_zero(scale: str, reward: float) -> None:
    """The mean of equal floats can differ from them in the last bit, and over the deviation that is large."""
    naive = torch.full((100, 7), 0.1)
    assert (naive - naive.mean(1, keepdim=True)).any()  # what happens without care
    found = group_advantages(torch.full((100, 7), reward), scale=scale)  # type: ignore[arg-type]
    assert not found.advantages.any() and not found.informative.any()
    assert found.zero_variance_groups == found.groups == 100


def test_the_batch_scale_ignores_groups_that_say_nothing() -> None:
    """Padding a batch with solved groups must not change the step on the others."""
    table = torch.tensor([[0.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.0]])
    alone = group_advantages(table, scale="batch").advantages
    padded = group_advantages(torch.cat([table, torch.ones(50, 4)]), scale="batch").advantages
    torch.testing.assert_close(padded[:2], alone)
    assert alone.square().mean().item() == pytest.approx(1.0)


def test_group_index() -> None:
    assert group_index(["b", "a", "b", ("a", 1)]).tolist() == [0, 1, 0, 2]
    assert group_index([]).tolist() == []


def test_no_rewards() -> None:
    found = group_advantages(torch.zeros(0), torch.zeros(0, dtype=torch.long), scale="batch")
    assert found.groups == found.zero_variance_groups == 0


def test_what_is_refused() -> None:
    with pytest.raises(UnsorryError, match="finite"):
        group_advantages(torch.tensor([[0.0, math.nan]]))
    with pytest.raises(UnsorryError, match="none, group or batch"):
        group_advantages(torch.zeros(1, 2), scale="std")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="group number"):
        group_advantages(torch.zeros(3))
    with pytest.raises(ValueError, match="group numbers"):
        group_advantages(torch.zeros(3), torch.zeros(2, dtype=torch.long))
