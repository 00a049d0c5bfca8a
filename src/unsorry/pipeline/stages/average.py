"""`average`: a model between two rounds, (1 - alpha) of the earlier and alpha of the later one.

What is averaged are the products B A of the two adapters, in float32; the base alone counts as a product of zero.
Alpha is chosen on samples of its own and reported on others.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from unsorry import UnsorryError
from unsorry.evaluation.gates import NonInferiorityGate
from unsorry.evaluation.outcomes import Outcomes
from unsorry.evaluation.selection import choose
from unsorry.pipeline import measure, weights
from unsorry.pipeline.recipe import Recipe
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageStatus, Work, register
from unsorry.pipeline.storage import read_json, write_json
from unsorry.pipeline.weights import Weights
from unsorry.problems import jsonl


class Config(measure.SamplingTable):
    """Which alphas are tried, on how many samples, and by which pass@k one is chosen."""

    alphas: tuple[float, ...] = (0.6, 0.7, 0.8, 0.9)
    choose_samples: int = Field(default=32, ge=1)  # a problem, for choosing
    choose_k: int = Field(default=32, ge=1)
    samples: int = Field(default=64, ge=1)  # a problem, for the report and the gate
    rank: int = Field(default=0, ge=0)  # of the result; 0: the later adapter's (best approximation by SVD)
    gate: NonInferiorityGate = NonInferiorityGate(k=32, n=64, word="restored")

    @field_validator("alphas")
    @classmethod
    def _between(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        if not value or not all(0 < alpha < 1 for alpha in value):
            raise ValueError("must be numbers between 0 and 1, at least one")
        return value


@register
class Average(Stage):
    """Writes `model` and `outcomes` (on the reported samples).  `reference` is what pass@k is restored to."""

    kind = "average"
    row = "Averaging"
    inputs = {
        "earlier": Input("model"),
        "model": Input("model"),
        "problems": Input("valid"),
        "reference": Input("outcomes", required=False),
    }
    outputs = ("model", "outcomes")
    instead = {"outcomes": "reference"}
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        problems = jsonl.read(context.inputs["problems"].path)
        earlier, later = weights.read(context.inputs["earlier"].path), weights.read(context.inputs["model"].path)
        if earlier.digest == later.digest:
            return _nothing(context, later)
        measured: dict[float, Outcomes] = {}
        lost: dict[float, float] = {}
        for alpha in config.alphas:
            folder = context.folder / f"alpha-{alpha:g}"
            lost[alpha] = _average(context, earlier, later, alpha, folder, config.rank)
            context.progress.say(f"alpha {alpha:g}: {config.choose_samples} samples of {len(problems)} problems")
            found = measure.of_model(
                context,
                folder,
                problems,
                config,
                folder=context.folder / "chosen-on" / f"{alpha:g}",
                n=config.choose_samples,
            )
            measured[alpha] = found.outcomes
        choice = choose(measured, config.choose_k)
        best, scores = choice.chosen, choice.scores
        weights.copy(context.folder / "model", weights.read(context.folder / f"alpha-{best:g}"))
        reported = measure.of_model(
            context,
            context.folder / "model",
            problems,
            config,
            folder=context.folder / "reported-on",
            seed=context.seed + 1,  # other samples than those that alpha was chosen on
        )
        choice.report(reported.outcomes)
        status, gate, reason = StageStatus.DONE, "-", ""
        if "reference" in context.inputs:
            decided = config.gate.decide(measure.load(context.inputs["reference"]), reported.outcomes)
            gate = decided.text
            if not decided.passed:
                status, reason = StageStatus.FAILED_GATE, decided.text
        tried = ", ".join(f"{alpha:g}: {100 * score:.1f}" for alpha, score in scores.items())
        k = config.gate.k if config.gate.k <= config.samples else config.samples
        return Outcome(
            ours=f"alpha {best:g} by pass@{config.choose_k} ({tried} %) on {config.choose_samples} samples; "
            f"on others: {measure.percent(reported.outcomes, k)}; rank error {lost[best]:.1e}",
            data=f"{len(problems)} valid problems",
            gate=gate,
            status=status,
            reason=reason,
            metrics={
                "alpha": best,
                "scores": {f"{alpha:g}": score for alpha, score in scores.items()},
                "lost": lost[best],
                **measure.figures(reported.outcomes, (1, 8, k)),
            },
            artifacts={
                "model": context.folder / "model",
                "outcomes": measure.save(context.folder / "outcomes.json", reported.outcomes),
            },
        )

    def work(self, config: Any, expect: Mapping[str, float], recipe: Recipe) -> Work | None:
        each = len(config.alphas) * config.choose_samples + config.samples
        attempts = int(expect.get("problems", 0)) * each
        return Work.of_attempts(
            attempts,
            expect,
            recipe.model.context,
            sampled_tokens_kept=True,
            models=len(config.alphas),
        )


def _nothing(context: Context, model: Weights) -> Outcome:
    """The round between the two was rolled back, so there is one model."""
    if "reference" not in context.inputs:
        raise UnsorryError(
            f"stage {context.name}: `earlier` and `model` are the same model, there is nothing to average"
        )
    weights.copy(context.folder / "model", model)
    outcomes = measure.load(context.inputs["reference"])
    return Outcome(
        ours="nothing to average: the round was rolled back, the model is handed on",
        metrics=measure.figures(outcomes, (1, 8)),
        artifacts={
            "model": context.folder / "model",
            "outcomes": measure.save(context.folder / "outcomes.json", outcomes),
        },
    )


def _average(context: Context, earlier: Weights, later: Weights, alpha: float, folder: Path, rank: int) -> float:
    """Write the average; returns the relative error of the rank that is kept."""
    from unsorry.training import lora
    from unsorry.training.averaging import LoraFactors, concatenate, truncate

    if later.adapter is None or earlier.base != later.base:
        raise UnsorryError(
            "only two adapters on one base, or an adapter and its base, can be averaged: "
            f"{context.inputs['earlier'].stage} and {context.inputs['model'].stage} are something else"
        )
    context.resources.prepare_torch()  # another number of threads, other last bits of the decomposition
    if (folder / "model.json").exists():
        return float((read_json(folder / "error.json") or {})["relative"])
    new = lora.factors(later.adapter)
    old = lora.factors(earlier.adapter) if earlier.adapter is not None else {}
    model, _ = weights.load_base(later, context.recipe.model, "cpu")
    peft = lora.load_adapter(model, later.adapter, trainable=False)
    error = whole = 0.0
    averaged: dict[str, LoraFactors] = {}
    for name, factor in new.items():
        before = old.get(name)
        joined = concatenate(before, factor, alpha)
        kept, relative = truncate(joined, rank or factor.a.shape[0])
        size = float((joined.b @ joined.a).square().sum())
        error += relative**2 * size
        whole += size
        averaged[name] = kept
    lora.set_factors(peft, averaged)
    relative = (error / whole) ** 0.5 if whole else 0.0
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "error.json", {"relative": relative})
    weights.write_adapter(folder, later, peft)
    return relative
