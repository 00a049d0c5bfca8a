"""What a person can get wrong, on the real command: one line, exit code 2, and the run goes on once it is mended."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from handful import FIRST, HEAD, RL, SFT, Handful, built, complaint, handful  # noqa: F401

from unsorry.cli import run as unsorry

LIMIT = 240.0  # seconds that anything here may take


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


# what the recipe says


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("threads = 1", "thread = 1", "[resources]: unknown key `thread`; did you mean `threads`?"),
        ("samples = 4", "sample = 4", "[[stage]] rl: unknown key `sample`; did you mean `samples`?"),
        ("k = 2\n", "kk = 2\n", "[[stage]] sft.gate: unknown key `kk`; did you mean `k`?"),
        ("steps = 4", "steps = 4\ntop_p = 0.95", "`top_p` must be 1 in training rollouts"),
        ('kind = "rl"', 'kind = "reinforce"', "no stage of the kind"),
        ('format = "plain"', 'format = "goedel-v3"', "format"),
    ],
)
def test_a_recipe_with_a_fault_runs_nothing(tmp_path: Path, capfd, old: str, new: str, wanted: str) -> None:
    text = HEAD + FIRST + SFT + RL
    assert old in text
    (tmp_path / "r.toml").write_text(text.replace(old, new, 1))
    assert unsorry(["run", str(tmp_path / "r.toml"), "--out", str(tmp_path / "run")]) == 2
    said = complaint(capfd.readouterr())
    assert wanted in said
    assert not (tmp_path / "run").exists()


def test_missing_and_empty_problem_files(tmp_path: Path, capfd) -> None:
    stage = '[[stage]]\nkind = "problems"\ntrain = "train.jsonl"\nvalid = "valid.jsonl"\n'
    made = Handful(tmp_path, stage)
    assert made.run() == 2
    said = complaint(capfd.readouterr())
    assert "`train`: no such file or folder" in said and "and 1 more" in said
    row = {"format": 1, "id": "a", "statement": "theorem a : 1 = 1 := by sorry", "targets": ["a"]}
    (tmp_path / "train.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "valid.jsonl").write_text("\n")
    assert made.run() == 2
    assert "valid.jsonl holds no problem" in complaint(capfd.readouterr())
    (tmp_path / "valid.jsonl").write_text('{"format": 1, "id": "b"}\n')
    assert made.run() == 2
    assert "valid.jsonl:1: `statement` is missing" in complaint(capfd.readouterr())
    (tmp_path / "valid.jsonl").write_text(json.dumps({**row, "id": "b"}) + "\n")
    assert made.run() == 0
    assert made.entry("problems")["metrics"]["problems"]["valid"] == 1


def test_only_and_from_on_a_run_that_is_not_so_far(tmp_path: Path, capfd) -> None:
    made = Handful(tmp_path, FIRST + SFT)
    for flag in ("--only", "--from"):
        assert made.run(flag, "sft") == 2
        assert f"{flag} sft: stage sft needs" in (said := complaint(capfd.readouterr()))
        assert "run it first" in said
    assert made.run("--only", "stf") == 2
    assert "no stage 'stf'; did you mean `sft`?" in complaint(capfd.readouterr())
    assert made.run("--only", "problems") == 0
    assert made.entry("problems")["status"] == "Done"
    assert made.entry("sft")["status"] == "Planned"


def test_a_recipe_that_changed_keeps_what_still_holds(handful: Handful, capfd) -> None:  # noqa: F811
    before = handful.entry("pool")
    handful.stages = FIRST.replace("high = 1.0", "high = 0.9")
    assert handful.run() == 0
    assert handful.entry("pool")["key"] == before["key"]
    assert "pool: runs" not in (said := capfd.readouterr().err) and "filter: runs" in said
    handful.stages = FIRST  # undone: what was there is found again
    assert handful.run() == 0
    assert "filter: runs" not in capfd.readouterr().err
    handful.stages = FIRST.replace('name = "handful"', 'name = "other"')
    handful.head = HEAD.replace('name = "handful"', 'name = "other"')
    assert handful.run() == 2
    assert "give this one another --out" in complaint(capfd.readouterr())


# models


def test_damaged_and_missing_model_folders(handful: Handful, tmp_path: Path, capfd) -> None:  # noqa: F811
    good = handful.stage("base") / "model" / "weights"
    stage = FIRST.replace("vocab = 320\n", "")
    stage = stage[: stage.index('[[stage]]\nkind = "midtrain"')]
    path = tmp_path / "given"
    made = Handful(tmp_path, stage, HEAD.replace("[model]", f"[model]\npath = {json.dumps(str(path))}"))
    made.head = made.head.replace('format = "plain"\ncontext = 256\n\n[model.shape]', "[model.shape]")

    def told(change: Callable[[Path], object]) -> str:
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(good, path)
        change(path)
        assert made.run() == 2
        return complaint(capfd.readouterr())

    weight = "model.safetensors"
    assert "is neither a folder nor in the hub's local cache" in told(shutil.rmtree)
    assert "no config.json" in told(lambda p: (p / "config.json").unlink())
    assert "no .safetensors file" in told(lambda p: (p / weight).unlink())
    assert "damaged" in told(lambda p: os.truncate(p / weight, 1000))
    assert "cannot be loaded" in told(lambda p: (p / "config.json").write_text("{"))
    assert "tokenizer" in told(lambda p: [f.unlink() for f in p.glob("tokenizer*")]).lower()
    shutil.rmtree(path)
    shutil.copytree(good, path)
    assert made.run() == 0
    assert made.entry("base")["metrics"]["weights"] == handful.entry("base")["metrics"]["weights"]


def test_a_model_without_chat_template_cannot_chat(handful: Handful, tmp_path: Path, capfd) -> None:  # noqa: F811
    good = handful.stage("base") / "model" / "weights"
    handful.head = HEAD.replace("[model]", f"[model]\npath = {json.dumps(str(good))}")
    handful.head = handful.head.replace('format = "plain"', 'format = "goedel"')
    stage = FIRST[: FIRST.index('[[stage]]\nkind = "corpus"')]
    handful.stages = stage + '[[stage]]\nkind = "base"\nproblems = "problems"\nsamples = 2\nmax_tokens = 24\n'
    assert handful.run() == 2
    assert "chat template" in complaint(capfd.readouterr())
    handful.head = handful.head.replace('format = "goedel"', 'format = "plain"')
    assert handful.run() == 0


def test_an_adapter_that_was_damaged_or_has_another_rank(handful: Handful, capfd) -> None:  # noqa: F811
    handful.stages = FIRST + SFT + RL.replace('model = "midtrain"', 'model = "sft"').replace("rank = 4", "rank = 8")
    assert handful.run() == 2
    said = complaint(capfd.readouterr())
    assert "stage rl: the adapter of this model has rank 4, the recipe asks for 8" in said
    assert handful.entry("sft")["status"] != "Queued" and handful.entry("rl")["status"] == "Queued"
    (adapter,) = (handful.stage("sft") / "model" / "adapter").glob("*.safetensors")
    kept = adapter.read_bytes()
    adapter.write_bytes(kept[: len(kept) // 2])
    handful.stages = FIRST + SFT + RL.replace('model = "midtrain"', 'model = "sft"')
    assert handful.run() == 2
    assert "damaged" in complaint(capfd.readouterr())
    adapter.write_bytes(kept)
    assert handful.run() == 0


def test_a_base_model_that_was_removed_is_missed(handful: Handful, capfd) -> None:  # noqa: F811
    base = handful.stage("midtrain") / "model"
    base.rename(base.with_name("elsewhere"))
    handful.stages = FIRST + SFT
    assert handful.run() == 2
    assert "its model is gone" in complaint(capfd.readouterr())
    base.with_name("elsewhere").rename(base)
    assert handful.run() == 0


# training that goes wrong


@pytest.mark.parametrize("kind", ["sft", "rl", "midtrain"])
def test_a_learning_rate_that_overflows_stops_the_stage(handful: Handful, capfd, kind: str) -> None:  # noqa: F811
    wrong, right = ("lr = 1e-3", "lr = 1e-4") if kind != "midtrain" else ("lr = 1e-2", "lr = 1e-3")
    stages = {"sft": FIRST + SFT, "rl": FIRST + RL, "midtrain": FIRST.replace("epochs = 20", "epochs = 1")}[kind]
    if kind == "midtrain":
        stages = stages[: stages.index('[[stage]]\nkind = "pool"')]
    handful.stages = stages.replace(wrong, "lr = 1e30")
    code = handful.run()
    said = capfd.readouterr()
    assert code == 2
    line = complaint(said)
    assert f"stage {kind}: " in line and any(word in line for word in ("loss", "gradient", "finite"))
    assert handful.entry(kind)["status"] == "Queued"
    assert not (handful.out / handful.entry(kind)["folder"] / "model" / "model.json").exists()
    handful.stages = stages.replace(wrong, right)
    assert handful.run() == 0


def test_a_band_without_problems(handful: Handful, capfd) -> None:  # noqa: F811
    handful.stages = FIRST.replace("high = 1.0\nkeep_unsolved = 0.0", "low = 0.1\nhigh = 0.2")
    assert handful.run() == 2
    assert "stage filter: no problem is in the band (0.1, 0.2]" in complaint(capfd.readouterr())
    assert handful.entry("filter")["status"] == "Queued"
    handful.stages = FIRST
    assert handful.run() == 0


# machines


def test_an_endpoint_that_is_dead(built: Path, tmp_path: Path, capfd) -> None:  # noqa: F811
    (problems,) = (built / "run" / "stages").glob("problems-*/valid.jsonl")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        began = time.monotonic()
        code = unsorry(
            ["eval", str(problems), "--prover", f"endpoint:http://127.0.0.1:{port}/v1#model", "--timeout", "2",
             "--no-disprove", "--sandbox", "none", "-w", "1", "--out", str(tmp_path / "attempts.jsonl")]
        )  # fmt: skip
    assert time.monotonic() - began < LIMIT
    assert code == 2
    said = complaint(capfd.readouterr())
    assert f"http://127.0.0.1:{port}/v1 gave no answer in" in said and "refused" in said
    attempts = tmp_path / "attempts.jsonl"
    assert not attempts.exists() or attempts.read_text() == ""  # nothing is said about what nobody was asked


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Mounts a disk of that many KiB of free space beside what is on it."""
    libc = ctypes.CDLL(None, use_errno=True)
    mounted: list[Path] = []

    def mount(size: int) -> Path:
        folder = tmp_path / "disk"
        folder.mkdir()
        options = f"size={size}k".encode()
        if libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, options):
            pytest.skip("no file system of a limited size may be mounted here")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        libc.umount2(os.fsencode(folder), 2)


def grow(folder: Path, size: int) -> None:
    """Make room on a disk that is full."""
    libc = ctypes.CDLL(None, use_errno=True)
    assert not libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 32, f"size={size}k".encode())  # MS_REMOUNT


@pytest.mark.parametrize("free", [4, 60, 300])
def test_a_disk_that_is_full(handful: Handful, small_disk, capfd, free: int) -> None:  # noqa: F811
    used = sum(-(-p.stat().st_size // 4096) * 4 for p in handful.folder.rglob("*") if p.is_file())
    disk = small_disk(used + free)
    shutil.copytree(handful.out, disk / "run")
    made = Handful(disk, FIRST + SFT + RL)
    (handful.folder / "recipe.toml").write_text(made.head + made.stages)
    arguments = ["run", str(handful.folder / "recipe.toml"), "--out", str(disk / "run"), "--keep"]
    assert unsorry(arguments) == 2
    said = complaint(capfd.readouterr()).lower()
    assert "full" in said or "no space" in said or "could not be written" in said
    grow(disk, used + 50_000)
    assert unsorry(arguments) == 0
    assert made.entry("rl")["status"] in ("Done", "Failed gate")


# kill -9


def weights_of(run: Handful, stage: str) -> str:
    return str(run.entry(stage)["metrics"]["weights"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "table", "seen"),  # a file that shows where the stage is when it is killed
    [("sft", SFT, ("checkpoints/*2", "measured/valid")), ("rl", RL, ("rollouts/00001/*", "rollouts/00003/*"))],
)
def test_kill_9_in_training_changes_no_weight(
    built: Path,  # noqa: F811
    tmp_path: Path,
    stage: str,
    table: str,
    seen: tuple[str, ...],
) -> None:
    runs = []
    for name in ("unbroken", "broken"):
        shutil.copytree(built / "run", tmp_path / name / "run")
        runs.append(Handful(tmp_path / name, FIRST + table))
    unbroken, broken = runs
    assert unbroken.run() == 0
    for wanted in seen:
        process = broken.start()
        deadline = time.monotonic() + LIMIT
        while process.poll() is None and time.monotonic() < deadline:
            if list((broken.out / "stages").glob(f"{stage}-*/{wanted}")):
                break
            time.sleep(0.01)
        assert process.poll() is None, "it ended before it could be killed"
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        assert not list((broken.out / "stages").glob(f"{stage}-*/stage.json"))
    done = subprocess.run(
        [sys.executable, "-m", "unsorry", *broken.arguments()],
        capture_output=True, text=True, timeout=LIMIT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert weights_of(broken, stage) == weights_of(unbroken, stage)
    assert broken.entry(stage)["ours"] == unbroken.entry(stage)["ours"]
