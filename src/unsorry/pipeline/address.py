"""Content addresses: what a stage's results depend on, as one sha256."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import unsorry
from unsorry.canonical import json_digest, text_bytes
from unsorry.pipeline.recipe import Recipe, StageSpec, data_of


@dataclass(frozen=True, slots=True)
class Address:
    """`intent` is what a person asked for; `key` is that and the code that does it.  Hexadecimal sha256."""

    intent: str
    key: str


def address(
    spec: StageSpec, recipe: Recipe, inputs: Mapping[str, list[Address]], *, toolchain: str, code: str
) -> Address:
    """The address of a stage: kind, config, seed, model and judge of the recipe, inputs, Lean toolchain; and code.

    `inputs` are the addresses of the artifacts' stages with `+artifact` in the name of the input, so that two
    artifacts of one stage differ.
    """
    config = spec.config.model_dump(mode="json")
    for field in {field for field, _ in data_of(spec.config)}:
        config[field] = [digest_of(path) for name, path in data_of(spec.config) if name == field]
    judge = recipe.judge.model_dump(mode="json", exclude={"workers"})
    asked = [
        spec.kind,
        config,
        stage_seed(recipe.seed, spec.name),
        recipe.model.model_dump(mode="json"),
        judge,
        toolchain,
    ]
    intents = {name: [a.intent for a in given] for name, given in inputs.items()}
    keys = {name: [a.key for a in given] for name, given in inputs.items()}
    return Address(intent=_sha256([*asked, intents]), key=_sha256([*asked, keys, code]))


def stage_seed(seed: int, name: str) -> int:
    """A seed of its own for every stage, 31 bits, from the run's seed and the stage's name."""
    return int.from_bytes(hashlib.sha256(text_bytes(f"{seed}/{name}")).digest()[:4], "big") >> 1


@functools.cache
def code_digest() -> str:
    """sha256 over the Python sources of the package."""
    root = Path(unsorry.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(_framed(path.relative_to(root).as_posix(), path))
    return digest.hexdigest()


def digest_of(path: Path) -> str:
    """sha256 of a file, or of a folder's files with their names; "missing" where there is none."""
    if not path.exists():
        return "missing"
    digest = hashlib.sha256()
    files = [path] if path.is_file() else [Path(top) / f for top, _, names in os.walk(path) for f in names]
    for file in sorted(files):
        name = file.relative_to(path).as_posix() if file != path else ""
        digest.update(_framed(name, file))
    return digest.hexdigest()


def _framed(name: str, file: Path) -> bytes:
    """Digests of a name and of a file's bytes, each as long as any other: no file can be taken for two."""
    with file.open("rb") as stream:
        return hashlib.sha256(os.fsencode(name)).digest() + hashlib.file_digest(stream, "sha256").digest()


def _sha256(value: object) -> str:
    return json_digest(value)
