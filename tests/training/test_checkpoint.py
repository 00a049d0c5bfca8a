"""Checkpoints: all or nothing on disk whatever happens to the writer, and everything comes back."""

from __future__ import annotations

import ctypes
import math
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from training_world import adapted, model, rows, same, weights

from unsorry import UnsorryError
from unsorry.training.atomic import new_folder
from unsorry.training.batches import MicroBatches
from unsorry.training.checkpoint import Checkpointer, LoopState
from unsorry.training.distributed import Ranks
from unsorry.training.loop import backward
from unsorry.training.optimiser import AdamConfig, adamw
from unsorry.training.scorer import Scorer


def stepped(policy: Any) -> torch.optim.AdamW:
    """An optimiser with moments."""
    optimiser = adamw(policy, AdamConfig(1e-2))
    backward(Scorer(policy), rows(4), MicroBatches(200), Ranks())
    optimiser.step()
    optimiser.zero_grad()
    return optimiser


@pytest.mark.parametrize("make", [model, adapted], ids=["full", "lora"])
def test_everything_comes_back(tmp_path: Path, make: Callable[..., Any]) -> None:
    policy = make()
    optimiser = stepped(policy)
    state = LoopState(3, {"epoch": 1, "step": 3}, [{"loss": 1.5}, {"loss": math.nan}])
    Checkpointer(tmp_path / "c", identity="x").save(policy, optimiser, state)
    drawn = (torch.rand(3), np.random.rand(3), random.random())

    other = make(seed=7)
    fresh = adamw(other, AdamConfig(1e-2))
    found = Checkpointer(tmp_path / "c", identity="x").restore(other, fresh)
    assert found is not None
    assert (found.step, found.cursor, found.metrics[0]) == (3, {"epoch": 1, "step": 3}, {"loss": 1.5})
    assert math.isnan(found.metrics[1]["loss"])
    again = (torch.rand(3), np.random.rand(3), random.random())
    assert torch.equal(drawn[0], again[0])
    assert (drawn[1] == again[1]).all()
    assert drawn[2] == again[2]
    if make is model:
        assert same(weights(policy), weights(other))
    for one, two in zip(optimiser.state_dict()["state"].values(), fresh.state_dict()["state"].values(), strict=True):
        assert one.keys() == two.keys()
        assert all(torch.equal(one[key], two[key]) for key in one)


def test_adapter_checkpoint_holds_the_adapter_alone(tmp_path: Path) -> None:
    for name, policy in (("full", model()), ("lora", adapted(rank=1))):
        Checkpointer(tmp_path / name).save(policy, stepped(policy), LoopState(1))
    sizes = {n: sum(f.stat().st_size for f in (tmp_path / n).rglob("*.safetensors")) for n in ("full", "lora")}
    assert sizes["lora"] < sizes["full"] / 3


def test_the_last_two_are_kept(tmp_path: Path) -> None:
    policy = adapted()
    optimiser, checkpoints = stepped(policy), Checkpointer(tmp_path)
    assert checkpoints.latest() is None
    assert checkpoints.restore(policy, optimiser) is None
    for step in (1, 2, 9, 10):
        checkpoints.save(policy, optimiser, LoopState(step))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["step-00000009", "step-00000010"]
    assert checkpoints.latest() == tmp_path / "step-00000010"


def test_due() -> None:
    checkpoints = Checkpointer("unused", every=3)
    assert [step for step in range(1, 9) if checkpoints.due(step, 8)] == [3, 6, 8]
    assert [step for step in range(1, 9) if Checkpointer("unused", every=0).due(step, 8)] == [8]


def test_something_else_is_refused(tmp_path: Path) -> None:
    policy = adapted()
    Checkpointer(tmp_path, identity="a").save(policy, stepped(policy), LoopState(1))
    with pytest.raises(UnsorryError, match="of other data, base or configuration; remove"):
        Checkpointer(tmp_path, identity="b").restore(policy, stepped(policy))
    larger = adapted(rank=8)
    with pytest.raises(UnsorryError, match="of a model with other trained weights"):
        Checkpointer(tmp_path, identity="a").restore(larger, stepped(larger))


@pytest.mark.parametrize("name", ["weights.safetensors", "state.pt", "progress.json"])
@pytest.mark.parametrize("keep", [None, 0, 40])
def test_damage_is_one_line(tmp_path: Path, name: str, keep: int | None) -> None:
    policy = adapted()
    path = Checkpointer(tmp_path).save(policy, stepped(policy), LoopState(1))
    before = weights(policy)
    file = path / name
    file.unlink() if keep is None else file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(UnsorryError, match=r"step-00000001 is damaged .* remove it to use the one before") as error:
        Checkpointer(tmp_path).restore(policy, stepped_optimiser := adamw(policy, AdamConfig(1e-2)))
    assert "\n" not in str(error.value)
    assert same(before, weights(policy))
    assert not stepped_optimiser.state


def in_child(work: Callable[[], None]) -> int:
    """Run `work` in a forked process; returns its pid."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return pid


def test_kill_9_at_any_moment(tmp_path: Path) -> None:
    """Whatever the moment, what is left is a complete checkpoint not older than the last one that was finished."""
    policy = adapted()
    optimiser = stepped(policy)
    chance = random.Random(0)
    highest = 0
    for _ in range(15):
        start = highest

        def work(start: int = start) -> None:
            for step in range(start + 1, start + 1000):
                Checkpointer(tmp_path).save(policy, optimiser, LoopState(step, {"step": step}))
                (tmp_path.parent / "finished").write_text(str(step))

        pid = in_child(work)
        time.sleep(chance.uniform(0.02, 0.3))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        marker = tmp_path.parent / "finished"
        finished = int(marker.read_text() or 0) if marker.exists() else 0
        found = Checkpointer(tmp_path).restore(policy, optimiser)
        names = sorted(path.name for path in tmp_path.iterdir())
        assert all(name.startswith("step-") for name in names), names  # leftovers are gone
        assert len(names) <= 3
        highest = found.step if found else 0
        assert highest >= finished
        assert found is None or found.cursor == {"step": highest}
    assert highest > 3


def test_leftovers_of_a_living_writer_stay(tmp_path: Path) -> None:
    with new_folder(tmp_path / "a") as first:
        (first / "x").write_text("1")
        with new_folder(tmp_path / "b") as second:
            (second / "y").write_text("2")
        assert first.is_dir()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_a_failed_write_leaves_the_old_folder(tmp_path: Path) -> None:
    with new_folder(tmp_path / "a") as folder:
        (folder / "x").write_text("old")
    with pytest.raises(KeyError), new_folder(tmp_path / "a") as folder:
        (folder / "x").write_text("new")
        raise KeyError
    assert (tmp_path / "a" / "x").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_replacement_that_was_cut_between_two_renames_is_put_back(tmp_path: Path) -> None:
    old = tmp_path / ".a.999999999.1.old"
    old.mkdir()
    (old / "x").write_text("old")
    (tmp_path / ".a.999999999.1.new").mkdir()
    Checkpointer(tmp_path).latest()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a" / "x").read_text() == "old"


def _small_disk(folder: Path, size: int) -> None:
    """Mount a file system of `size` bytes in this process's own namespace; OSError where that is not allowed."""
    libc = ctypes.CDLL(None, use_errno=True)
    new_user, new_mount = 0x10000000, 0x20000
    flags = new_mount if os.getuid() == 0 else new_user | new_mount
    private = 1 << 18 | 1 << 14  # MS_PRIVATE | MS_REC
    if libc.unshare(flags) or libc.mount(b"none", b"/", None, private, None):
        raise OSError(ctypes.get_errno(), "unshare")
    if libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, f"size={size}".encode()):
        raise OSError(ctypes.get_errno(), "mount")


def test_full_disk_is_one_line_and_keeps_what_there_is(tmp_path: Path) -> None:
    policy = adapted()
    optimiser = stepped(policy)
    probe = Checkpointer(tmp_path / "probe").save(policy, optimiser, LoopState(1))
    needed = sum(file.stat().st_size for file in probe.iterdir())
    shutil.rmtree(tmp_path / "probe")
    disk, report = tmp_path / "disk", tmp_path / "report"
    disk.mkdir()

    def work() -> None:
        try:
            _small_disk(disk, int(needed * 1.6) + 40_000)
        except OSError as error:
            report.write_text(f"skip: {error}")
            return
        checkpoints = Checkpointer(disk / "c")
        checkpoints.save(policy, optimiser, LoopState(1))
        try:
            checkpoints.save(policy, optimiser, LoopState(2))
        except UnsorryError as error:
            found = checkpoints.restore(policy, optimiser)
            report.write_text(f"{error}\n{found.step if found else None}\n{len(list((disk / 'c').iterdir()))}")

    os.waitpid(in_child(work), 0)
    text = report.read_text()
    if text.startswith("skip"):
        pytest.skip(text)
    message, step, entries = text.split("\n")
    assert message.startswith(f"cannot write {disk / 'c' / 'step-00000002'}: No space left on device; free some space")
    assert (step, entries) == ("1", "1")
