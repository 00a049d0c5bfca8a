"""Tasks a few at a time: each once, none sees less than was decided when it began, faults are not lost."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import UnsorryError
from unsorry.scaffolds.fill.schedule import run_in_order


@given(st.lists(st.integers(), max_size=20), st.integers(1, 5))
def test_every_item_once(items: list[int], workers: int) -> None:
    def prepare(item: int) -> Callable[[], int]:
        assert threading.current_thread() is threading.main_thread()
        return lambda: item + 1

    found = list(run_in_order(deque(items), prepare, workers))
    assert sorted(found) == sorted((item, item + 1) for item in items)


def test_no_more_than_the_workers_at_once() -> None:
    running, most, lock = 0, 0, threading.Lock()
    gate = threading.Barrier(3)

    def task() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        gate.wait(timeout=60)  # passes only when three are at work
        with lock:
            running -= 1

    assert len(list(run_in_order(deque(range(6)), lambda _: task, 3))) == 6
    assert most == 3


@pytest.mark.parametrize("workers", [1, 3])
def test_a_fault_is_raised_where_results_are_taken(workers: int) -> None:
    def fail() -> int:
        raise UnsorryError("no")

    with pytest.raises(UnsorryError, match="no"):
        list(run_in_order(deque([1]), lambda _: fail, workers))
