"""Two processes with sharded weights do what one process does."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from training_world import relative
from two_ranks import everything

from unsorry import UnsorryError
from unsorry.training.distributed import Ranks, ranks
from unsorry.training.lora import factors
from unsorry.training.model import load_model, weights_digest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")


@pytest.fixture(scope="module")
def both(folders: tuple[Path, Path]) -> tuple[dict[str, Any], dict[str, Any]]:
    one, two = folders
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(HERE)}
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    process = subprocess.Popen(
        [*command, str(HERE / "two_ranks.py"), str(two)],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate(timeout=500)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # torchrun's children too
    assert process.returncode == 0, errors[-3000:]
    return everything(Ranks(), one), torch.load(two / "result.pt", weights_only=True)


@pytest.mark.parametrize("kind", ["sft full", "sft lora", "rl full", "rl lora", "few rows"])
def test_loss_and_gradient_are_those_of_one_process(both: Any, kind: str) -> None:
    one, two = both[0][kind], both[1][kind]
    assert two["loss"] == pytest.approx(one["loss"], rel=1e-5)
    assert float(one["gradient"].abs().max()) > 0
    assert relative(two["gradient"], one["gradient"]) < 1e-5
    for count in ("tokens", "kept"):
        assert one.get(count) == two.get(count)


@pytest.mark.parametrize("kind", ["rl full", "rl lora"])
def test_rl_updates_are_those_of_one_process(both: Any, kind: str) -> None:
    one, two = both[0][kind], both[1][kind]
    assert one["counts"] == two["counts"]
    assert sum(masked for _, masked in one["counts"]) > 0  # the sequence mask was at work
    for first, second in zip(one["numbers"], two["numbers"], strict=True):
        assert second == pytest.approx(first, rel=1e-3)
    for name, value in one["trained"].items():
        # Adam with eps 1e-15 moves a weight whose gradient is rounding noise by up to lr, either way
        assert float((two["trained"][name] - value).abs().max()) <= 4 * 2 * 1e-3 + 1e-6
        assert relative(two["trained"][name], value) < 2e-2


def test_whole_runs_agree(both: Any) -> None:
    one, two = both
    assert len(one["losses"]) == len(two["losses"]) > 3
    assert two["losses"] == pytest.approx(one["losses"], rel=1e-4)
    assert two["norms"] == pytest.approx(one["norms"], rel=1e-3)
    for name, value in one["trained"].items():
        assert relative(two["trained"][name], value) < 1e-2


def test_rank_0_writes_whole_files(both: Any, folders: tuple[Path, Path]) -> None:
    _, two = both
    saved, _ = load_model(folders[1] / "model")
    for name, value in saved.named_parameters():
        assert torch.equal(value, two["trained"][name])
    assert weights_digest(saved) == weights_digest(folders[1] / "model")
    assert [path.name for path in (folders[1] / "checkpoints").iterdir()] == [f"step-{len(two['losses']):08d}"]
    assert set(factors(folders[1] / "adapter")) == set(factors(folders[0] / "adapter"))


def test_sharded_checkpoint_comes_back(both: Any, folders: tuple[Path, Path]) -> None:
    one, two = both[0]["restored"], both[1]["restored"]
    adapter = factors(folders[1] / "adapter")
    for name, value in two["weights"].items():
        assert relative(value, one["weights"][name]) < 1e-2
        module = name.removeprefix("base_model.model.").rsplit(".", 3)[0]
        side = adapter[module].a if "lora_A" in name else adapter[module].b
        assert torch.equal(value, side)
    for number, moment in one["moments"].items():
        assert float(moment.abs().max()) > 0
        assert relative(two["moments"][number], moment) < 1e-4


def test_alone_without_torchrun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with ranks() as here:
        assert (here.rank, here.world, here.writes) == (0, 1, True)
        value = torch.tensor(3.0)
        assert here.total(value) is value


def test_more_processes_than_gpus_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"WORLD_SIZE": "2", "RANK": "1", "LOCAL_RANK": "1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    with pytest.raises(UnsorryError, match="rank 1 has no GPU: 1 here"), ranks():
        pass
