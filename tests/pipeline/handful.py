"""A run of the first stages on a handful of problems, made once for a module; tests go on from copies of it.

All of it is real: a generated world, proofs by search, a model of 2 layers x 32 trained on them, the strict judge.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from unsorry.cli import run as unsorry

HEAD = """
format = 1
name = "handful"
seed = 0

[model]
format = "plain"
context = 256

[model.shape]
layers = 2
hidden = 32
heads = 2
kv_heads = 1
intermediate = 64
tied = true

[judge]
seconds = 20.0
sandbox = "none" # the model knows nothing but proofs that search found
workers = 2

[resources]
device = "cpu"
threads = 1
"""

FIRST = """
[[stage]]
kind = "problems"
[stage.world]
train = 12
valid = 6
test = 6
guard = 2
false = 0.5
difficulties = [1]

[[stage]]
kind = "corpus"
problems = "problems"
false = "problems"
proofs = 12
disproofs = 1
effort = 20
each = 1
sources = 2
statements = false

[[stage]]
kind = "base"
problems = "problems"
guard = "problems"
documents = "corpus"
vocab = 320
samples = 2
max_tokens = 24

[[stage]]
kind = "midtrain"
model = "base"
documents = "corpus"
problems = "problems"
guard = "problems"
held_out = ["problems"]
before = "base"
epochs = 20
lr = 1e-2
step_tokens = 1024
[stage.repeat]
proof = 8
[stage.evaluation]
samples = 2
max_tokens = 24

[[stage]]
kind = "pool"
model = "midtrain"
problems = "problems"
samples = 2
max_tokens = 24

[[stage]]
kind = "filter"
outcomes = ["pool"]
problems = "problems"
high = 1.0
keep_unsolved = 0.0
"""

SFT = """
[[stage]]
kind = "sft"
model = "midtrain"
attempts = ["pool"]
problems = "filter"
valid = "problems"
before = "midtrain"
guard_problems = "problems"
guard_before = "midtrain"
on_fail = "continue"
epochs = 4
lr = 1e-3
step_tokens = 512
checkpoint_every = 1
[stage.lora]
rank = 4
alpha = 4.0
[stage.evaluation]
samples = 2
max_tokens = 24
[stage.gate]
k = 2
n = 2
[stage.guard]
k = 2
n = 2
"""

RL = """
[[stage]]
kind = "rl"
model = "midtrain"
problems = "filter"
valid = "problems"
before = "midtrain"
false = "problems"
on_fail = "continue"
steps = 4
problems_per_step = 4
samples = 4
max_tokens = 24
lr = 1e-3
held_out_every = 2
held_out_problems = 2
held_out_samples = 2
[stage.lora]
rank = 4
alpha = 4.0
[stage.mix]
proof = 0.5
correction = 0.25
prove_or_disprove = 0.25
[stage.tripwires]
kl = 50.0
ratio_drift = 50.0
length_factor = 50.0
entropy_fraction = 1e-9
truncated_fraction = 1.0
[stage.evaluation]
samples = 2
max_tokens = 24
[stage.gate]
k = 2
n = 2
"""


@dataclass
class Handful:
    """A folder with `recipe.toml` and the run `run`; the first stages are done."""

    folder: Path
    stages: str = FIRST
    head: str = HEAD

    @property
    def out(self) -> Path:
        return self.folder / "run"

    @property
    def recipe(self) -> Path:
        path = self.folder / "recipe.toml"
        path.write_text(self.head + self.stages, encoding="utf-8")
        return path

    def arguments(self, *options: str) -> list[str]:
        return ["run", str(self.recipe), "--out", str(self.out), "--keep", *options]

    def run(self, *options: str) -> int:
        """The command, in this process; its exit code."""
        return unsorry(self.arguments(*options))

    def start(self, *options: str, **how: Any) -> subprocess.Popen[str]:
        """The command, in a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "unsorry", *self.arguments(*options)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "HF_HUB_OFFLINE": "1"},
            **how,
        )

    def stage(self, name: str) -> Path:
        (found,) = [p for p in (self.out / "stages").glob(f"{name}-*") if "replaced" not in p.name]
        return found

    def artifact(self, stage: str, name: str) -> Path:
        """The file or folder that later stages take."""
        stored = json.loads((self.stage(stage) / "stage.json").read_text(encoding="utf-8"))
        return self.stage(stage) / str(stored["outcome"]["artifacts"][name])

    def entry(self, name: str) -> dict[str, Any]:
        """The stage's line of the ledger."""
        ledger = json.loads((self.out / "ledger.json").read_text(encoding="utf-8"))
        (found,) = [stage for stage in ledger["stages"] if stage["name"] == name]
        return dict(found)


_BUILT: list[Path] = []


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of the first stages; not to be written to."""
    if not _BUILT:
        folder = tmp_path_factory.mktemp("handful")
        assert Handful(folder).run() == 0
        _BUILT.append(folder)
    return _BUILT[0]


@pytest.fixture
def handful(built: Path, tmp_path: Path) -> Handful:
    """A copy of that run to go on from."""
    shutil.copytree(built / "run", tmp_path / "run")
    return Handful(tmp_path)


def complaint(said: Any) -> str:
    """The one line that a command ended with; there must be no other, and no traceback."""
    text = said.err if hasattr(said, "err") else said
    assert "Traceback" not in text
    lines = [line for line in text.splitlines() if line.startswith("unsorry: ")]
    assert len(lines) == 1, text
    assert text.rstrip().endswith(lines[0])
    assert "internal error" not in lines[0]
    return lines[0]
