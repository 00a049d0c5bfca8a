"""`base`: the model that training starts from, read or made, and what it solves before anything is done to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from unsorry import UnsorryError
from unsorry.evaluation.gates import PublishedGate
from unsorry.pipeline import measure, weights
from unsorry.pipeline.recipe import Recipe
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageStatus, Work, register


class Config(measure.SamplingTable):
    """How the baseline is measured; the model itself is the recipe's [model]."""

    vocab: int = Field(default=1024, ge=300)  # of the tokenizer of a new model
    published: PublishedGate | None = None  # a figure that the baseline must reproduce


@register
class Base(Stage):
    """Writes `model`, and what it solves of valid (`outcomes`) and of the guard set (`guard_outcomes`)."""

    kind = "base"
    row = "Base"
    inputs = {
        "problems": Input("valid"),
        "guard": Input("guard", required=False),
        "documents": Input("documents", required=False),
    }
    outputs = ("model", "outcomes", "guard_outcomes")
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        folder = context.folder / "model"
        what = _make(context, config, folder)
        found = {
            name: measure.own_model(context, name, context.inputs[name], config)
            for name in ("problems", "guard")
            if name in context.inputs
        }
        outcomes, saved = found["problems"]
        status, gate, reason = StageStatus.DONE, "-", ""
        if config.published is not None:
            decided = config.published.decide(outcomes)
            gate = decided.text
            if not decided.passed:
                status, reason = StageStatus.FAILED_GATE, decided.text
        ks = [k for k in (1, 8, 32) if k <= config.samples]
        return Outcome(
            ours=f"{what}; valid {', '.join(measure.percent(outcomes, k) for k in ks)}, n={config.samples}, "
            f"seed {context.seed}",
            gate=gate,
            status=status,
            reason=reason,
            metrics={**measure.figures(outcomes, ks), "weights": weights.read(folder).digest, "seed": context.seed},
            artifacts={
                "model": folder,
                "outcomes": saved,
                "guard_outcomes": found["guard"][1] if "guard" in found else saved,
            },
        )

    def work(self, config: Any, expect: Mapping[str, float], recipe: Recipe) -> Work | None:
        attempts = int(expect.get("problems", 0)) * config.samples
        return Work.of_attempts(
            attempts,
            expect,
            recipe.model.context,
            sampled_tokens_kept=True,
        )


def _make(context: Context, config: Config, folder: Path) -> str:
    """The model artifact, and what it is in words."""
    model = context.recipe.model
    if model.path:
        if not (folder / "model.json").exists():
            weights.link_base(folder, _located(model.path, model.revision))
        return f"{model.path}{'@' + model.revision if model.revision else ''}"
    shape = model.shape
    if shape is None:
        raise UnsorryError(f"{context.recipe.path}: [model] names no `path` and no [model.shape]: give one of them")
    if "documents" not in context.inputs:
        raise UnsorryError(f"stage {context.name} makes a tokenizer and needs `documents`: name the corpus stage")
    if not (folder / "model.json").exists():
        from unsorry.training.model import ModelShape, new_model
        from unsorry.training.tokenizer import train_tokenizer

        context.resources.prepare_torch()
        tokenizer = train_tokenizer(_texts(context.inputs["documents"].path), config.vocab)
        dimensions = ModelShape(
            shape.layers, shape.hidden, shape.heads, shape.kv_heads, shape.intermediate, model.context, shape.tied
        )
        weights.write_base(folder, new_model(dimensions, tokenizer, context.seed), tokenizer)
    return (
        f"new Qwen3 model, {shape.layers} layers x {shape.hidden}, {_parameters(folder):.2f}M parameters, "
        f"vocabulary {config.vocab}, random weights"
    )


def _texts(path: Path) -> list[str]:
    from unsorry.pipeline.stages import corpus

    return [document.text for document in corpus.read(path)]


def _parameters(folder: Path) -> float:
    """Millions."""
    from safetensors import safe_open

    total = 0
    for file in weights.read(folder).base.glob("*.safetensors"):
        with safe_open(file, "pt") as opened:
            for name in opened.keys():  # noqa: SIM118
                size = 1
                for length in opened.get_slice(name).get_shape():
                    size *= length
                total += size
    return total / 1e6


def _located(path: str, revision: str) -> Path:
    """A folder, or a model in the local cache of the hub; nothing is downloaded."""
    folder = Path(path).expanduser()
    if folder.is_dir():
        return folder.resolve()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(path, revision=revision or None, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError):
        raise UnsorryError(
            f"the model {path} is neither a folder nor in the hub's local cache: fetch it first, "
            f"`hf download {path}{' --revision ' + revision if revision else ''}`"
        ) from None
