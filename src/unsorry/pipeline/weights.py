"""The model that stages hand on: a base model and, where one was trained, an adapter beside it.

A `model` artifact is a folder with `model.json`, which names the base (by a path relative to the run, so that a run can
be moved) and may hold `adapter/`.  A base is never rewritten: what training adds stays an adapter until the end.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unsorry import UnsorryError
from unsorry.pipeline.storage import read_json, write_json

if TYPE_CHECKING:
    from peft import PeftModel
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from unsorry.pipeline.recipe import ModelConfig

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Weights:
    """`base` is a model folder; `digest` names base and adapter together, `base_digest` the base alone, hex."""

    base: Path
    adapter: Path | None
    digest: str
    base_digest: str

    @property
    def name(self) -> str:
        """Short and unique: what attempts say of the model that made them."""
        return f"local:{self.digest[:12]}"


def read(folder: Path) -> Weights:
    """The model in an artifact's folder; UnsorryError if it is not complete."""
    raw = read_json(folder / "model.json")
    if raw is None or raw.get("format") != FORMAT:
        raise UnsorryError(f"{folder} holds no model of a stage: model.json is missing or of another version")
    base = (folder / str(raw["base"])).resolve()
    if not base.is_dir():
        raise UnsorryError(f"{folder} belongs to the base model {base}, which is gone; run its stage again")
    adapter = folder / "adapter" if raw.get("adapter") else None
    digest = str(raw["digest"])
    return Weights(base, adapter, digest, str(raw.get("base_digest", "")) or (_hash(base) if adapter else digest))


def write_base(folder: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> Weights:
    """Save a whole model as a base of its own."""
    from unsorry.training.model import save_model

    folder.mkdir(parents=True, exist_ok=True)
    save_model(model, tokenizer, folder / "weights")
    return link_base(folder, folder / "weights")


def link_base(folder: Path, base: Path) -> Weights:
    """An artifact for a base that lies elsewhere."""
    folder.mkdir(parents=True, exist_ok=True)
    digest = _hash(base)
    return _write(folder, Weights(base, None, digest, digest))


def write_adapter(folder: Path, base: Weights, model: PeftModel) -> Weights:
    """Save an adapter on the base of `base`."""
    from unsorry.training.lora import save_adapter

    folder.mkdir(parents=True, exist_ok=True)
    save_adapter(model, folder / "adapter", base=base.base.name)
    return link_adapter(folder, base)


def link_adapter(folder: Path, base: Weights) -> Weights:
    """An artifact for the adapter that lies in `folder/adapter`, on the base of `base`."""
    adapter = folder / "adapter"
    digest = hashlib.sha256((base.base_digest + _hash(adapter)).encode()).hexdigest()
    return _write(folder, Weights(base.base, adapter, digest, base.base_digest))


def copy(folder: Path, weights: Weights) -> Weights:
    """The same model as an artifact of another stage."""
    folder.mkdir(parents=True, exist_ok=True)
    if weights.adapter is not None:
        shutil.rmtree(folder / "adapter", ignore_errors=True)
        shutil.copytree(weights.adapter, folder / "adapter")
    return _write(folder, replace(weights, adapter=folder / "adapter" if weights.adapter else None))


def _write(folder: Path, weights: Weights) -> Weights:
    relative = os.path.relpath(weights.base.resolve(), folder.resolve())
    stored = {"base": relative, "adapter": weights.adapter is not None}
    digests = {"digest": weights.digest, "base_digest": weights.base_digest}
    write_json(folder / "model.json", {"format": FORMAT, **stored, **digests})
    return weights


def _hash(folder: Path) -> str:
    """Of all weights in a folder: 16 GB of them for an 8B base, so its digest is handed on and not made again."""
    from unsorry.training.model import weights_digest

    return weights_digest(folder)


def load_base(
    weights: Weights, config: ModelConfig, device: str, **changes: Any
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """The base alone; `changes` replace the recipe's `dtype` or `fp32_head`."""
    from unsorry.training.model import load_model

    options = {"dtype": config.dtype, "attention": config.attention, "fp32_head": config.fp32_head, **changes}
    return load_model(weights.base, device=device, **options)


def load_tokenizer(weights: Weights) -> PreTrainedTokenizerBase:
    """The tokenizer alone; raises UnsorryError where the base has none."""
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(weights.base, local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        said = " ".join(str(error).split())[:200]
        raise UnsorryError(f"{weights.base} has no tokenizer that can be read: {said}") from None


def load_sampler(
    weights: Weights, config: ModelConfig, device: str, **changes: Any
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """The model for sampling: a float32 base gets the adapter added to a copy, beside another one it stays."""
    from unsorry.training.lora import load_adapter, merged

    model, tokenizer = load_base(weights, config, device, **changes)
    if weights.adapter is None:
        return model, tokenizer
    peft = load_adapter(model, weights.adapter, trainable=False)
    if changes.get("dtype", config.dtype) == "float32":
        return merged(peft).eval(), tokenizer
    return peft.eval(), tokenizer
