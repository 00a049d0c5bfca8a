"""What this machine lacks for a recipe; looks, changes nothing."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry.pipeline.recipe import Recipe, missing_data

PACKAGES = ("torch", "transformers", "peft", "safetensors", "tokenizers", "datasketch", "numpy", "scipy")
GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that is wanted and not here, and what to do about it."""

    what: str
    fix: str


def missing(recipe: Recipe, needs: Sequence[str], *, disk: float, host: float) -> list[Missing]:
    """Everything found missing; `disk` and `host` memory in bytes, 0 where they are not known."""
    found = [*_cards(recipe), *_packages(recipe), *_model(recipe), *_lean(recipe)]
    found += [Missing(line, "put it there, or name another in the recipe") for line in missing_data(recipe)]
    for need in dict.fromkeys(needs):
        kind, _, name = need.partition(":")
        if kind == "package" and importlib.util.find_spec(name) is None:
            found.append(Missing(f"the package {name}", f"pip install {name}"))
        elif kind == "program" and shutil.which(name) is None:
            found.append(Missing(f"the program {name}", f"install {name}"))
        elif kind == "dataset" and not _in_hub_cache("datasets", name):
            found.append(
                Missing(f"the data set {name}", f"download it on this machine: hf download --repo-type dataset {name}")
            )
    return [*found, *_room(disk, host)]


def _cards(recipe: Recipe) -> list[Missing]:
    wanted = recipe.resources
    if not wanted.gpus:
        return []
    cards = _memory_of_cards()
    if len(cards) < wanted.gpus:
        return [
            Missing(
                f"{wanted.gpus} GPUs ({wanted.box or 'CUDA'}); here are {len(cards)}",
                "book the machine that the recipe names",
            )
        ]
    small = [gib for gib in cards if gib < wanted.gpu_memory_gib]
    if small:
        return [
            Missing(
                f"{wanted.gpu_memory_gib:g} GiB a card; the smallest here has {min(small):.1f}",
                "lower the lengths, or book larger cards",
            )
        ]
    return []


def _memory_of_cards() -> list[float]:
    """GiB of each card that the driver shows."""
    try:
        run = subprocess.run(
            ["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        return [float(line) / 1024 for line in run.stdout.split()] if run.returncode == 0 else []
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return []


def _packages(recipe: Recipe) -> list[Missing]:
    lacking = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    found = [Missing(f"the packages {', '.join(lacking)}", "pip install 'unsorry[train]'")] if lacking else []
    program = recipe.resources.vllm
    if recipe.resources.sampler == "vllm" and shutil.which(Path(program).expanduser()) is None:
        how = "pip install 'unsorry[vllm]' in an environment of its own; put it on PATH or name it: resources.vllm"
        found.append(Missing(f"the program {program}", how))
    if recipe.model.attention == "flash_attention_2" and importlib.util.find_spec("flash_attn") is None:
        found.append(Missing("the package flash-attn", "pip install flash-attn, or set model.attention to sdpa"))
    return found


def _model(recipe: Recipe) -> list[Missing]:
    path = recipe.model.path
    if not path or Path(path).expanduser().is_dir() or _in_hub_cache("models", path):
        return []
    return [Missing(f"the model {path}", f"download it on this machine: hf download {path}")]


def _in_hub_cache(kind: str, name: str) -> bool:
    """Whether the hub's local cache holds a snapshot."""
    home = Path(os.environ.get("HF_HOME", Path.home() / ".cache" / "huggingface"))
    cache = Path(os.environ.get("HF_HUB_CACHE", home / "hub"))
    return any((cache / f"{kind}--{name.replace('/', '--')}" / "snapshots").glob("*"))


def _lean(recipe: Recipe) -> list[Missing]:
    if not recipe.judge.project:
        return []
    project = Path(recipe.judge.project).expanduser()
    if not (project / "lean-toolchain").is_file():
        fix = "make it with `lake new NAME math` and `lake exe cache get`, or set judge.project"
        return [Missing(f"a Lake project with Mathlib at {project}", fix)]
    found = []
    if shutil.which("lake") is None:
        found.append(Missing("lake", "install elan (https://github.com/leanprover/elan)"))
    if not any(project.glob(".lake/packages/mathlib/.lake/build/lib/**/Mathlib.olean")):
        found.append(Missing(f"a built Mathlib in {project}", f"cd {project} && lake exe cache get"))
    return found


def _room(disk: float, host: float) -> list[Missing]:
    found = []
    free = shutil.disk_usage(Path.cwd()).free
    if disk > free:
        found.append(
            Missing(
                f"{disk / GIB:.0f} GiB of disk; {free / GIB:.0f} are free here", "run it on another disk with --out"
            )
        )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if host > memory:
        found.append(
            Missing(f"{host / GIB:.0f} GiB of host memory; here are {memory / GIB:.0f}", "book a machine with more")
        )
    return found
