"""`sft`: a round of self-distillation: LoRA on the model's own proofs that the judge accepted, and on corrections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from unsorry.evaluation.gates import GainGate, GateResult, NonInferiorityGate, all_of
from unsorry.pipeline import launch, measure, weights
from unsorry.pipeline.failures import FailureConfig
from unsorry.pipeline.recipe import Recipe
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageConfig, StageStatus, Work, register
from unsorry.problems import jsonl

if TYPE_CHECKING:
    from unsorry.pipeline.selfdata import SelfData
    from unsorry.training.loop import LoopMetrics


class LoraTable(StageConfig):
    """[stage.lora]: all linear layers but the head."""

    rank: int = Field(default=32, ge=1)
    alpha: float = Field(default=32.0, gt=0)
    dropout: float = Field(default=0.0, ge=0, lt=1)


class Config(StageConfig):
    """What is learned from, how, and what it must bring."""

    per_problem: int = Field(default=4, ge=1)  # different accepted proofs of one problem
    corrections: float = Field(default=0.25, ge=0, lt=1)  # share of rows that are correction pairs
    max_answer: int = Field(default=0, ge=0)  # tokens; longer answers are not learned; 0: no limit
    lora: LoraTable = LoraTable()
    lr: float = Field(default=2e-4, gt=0)
    epochs: int = Field(default=2, ge=1)
    step_tokens: int = Field(default=16_384, ge=1)
    micro_tokens: int = Field(default=8_192, ge=1)
    warmup: int = Field(default=5, ge=0)
    checkpoint_every: int = Field(default=10, ge=0)  # steps
    offload: bool = False  # gradient checkpointing, the hidden states kept in host memory
    evaluation: measure.SamplingTable = measure.SamplingTable()
    gate: GainGate | None = GainGate(k=8, n=32, level=None)
    guard: NonInferiorityGate | None = None


@register
class Sft(Stage):
    """Writes `model`, and what it solves of `valid` (`outcomes`) and of the guard set (`guard`)."""

    kind = "sft"
    row = "SFT"
    inputs = {
        "model": Input("model"),
        "attempts": Input("attempts", many=True),
        "problems": Input("band"),
        "valid": Input("valid"),
        "before": Input("outcomes"),
        "guard_problems": Input("guard", required=False),
        "guard_before": Input("guard_outcomes", required=False),
    }
    outputs = ("model", "outcomes", "guard_outcomes")
    instead = {"outcomes": "before", "guard_outcomes": "guard_before"}
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        folder = context.folder / "model"
        data, trained = _train(context, config)
        outcomes, after = measure.own_model(context, "valid", context.inputs["valid"], config.evaluation)
        gates: list[GateResult] = []
        before = measure.load(context.inputs["before"])
        if config.gate is not None:
            gates.append(config.gate.decide(before, outcomes))
        guard = outcomes, after
        if "guard_problems" in context.inputs:
            guard = measure.own_model(context, "guard", context.inputs["guard_problems"], config.evaluation)
            if config.guard is not None and "guard_before" in context.inputs:
                gates.append(config.guard.decide(measure.load(context.inputs["guard_before"]), guard[0]))
        decided = all_of(gates) if gates else None
        failed = decided is not None and not decided.passed
        dropped = ", ".join(f"{count} {kind.value}" for kind, count in sorted(data.dropped.items())) or "none"
        return Outcome(
            ours=f"{len(data.proofs)} own proofs of {data.problems} problems + {len(data.corrections)} correction "
            f"pairs, LoRA r={config.lora.rank}, {config.epochs} epochs, {len(trained.steps)} steps, loss "
            f"{trained.first_loss:.3f} to {trained.last_loss:.3f}; valid "
            f"{measure.change(before, outcomes)}",
            data=f"{', '.join(a.stage for a in context.inputs.many('attempts'))}; left out: {dropped}",
            gate=decided.text if decided else "-",
            status=StageStatus.FAILED_GATE if failed else StageStatus.DONE,
            reason=decided.text if failed and decided else "",
            metrics={
                "proofs": len(data.proofs),
                "corrections": len(data.corrections),
                "problems": data.problems,
                "dropped": {kind.value: count for kind, count in data.dropped.items()},
                "loss": [trained.first_loss, trained.last_loss],
                "tokens": trained.tokens,
                "weights": weights.read(folder).digest,
                **measure.figures(outcomes, (1, 8, 32)),
            },
            artifacts={"model": folder, "outcomes": after, "guard_outcomes": guard[1]},
        )

    def work(self, config: Any, expect: Mapping[str, float], recipe: Recipe) -> Work | None:
        attempts = int(expect.get("problems", 0)) * config.evaluation.samples
        rows = expect.get("rows", 0)
        return Work.of_attempts(
            attempts,
            expect,
            recipe.model.context,
            trained=int(rows * expect.get("row_tokens", 0) * config.epochs),
            length=int(expect.get("length", recipe.model.context)),
            rank=config.lora.rank,
            models=1,
        )


def _train(context: Context, config: Config) -> tuple[SelfData, LoopMetrics]:
    from unsorry.pipeline.selfdata import select
    from unsorry.provers.formats import make
    from unsorry.training.batches import MicroBatches
    from unsorry.training.lora import LoraShape
    from unsorry.training.optimiser import Schedule
    from unsorry.training.sft import SftConfig
    from unsorry.training.worker import loop_metrics

    start = weights.read(context.inputs["model"].path)
    data = select(
        (a for artifact in context.inputs.many("attempts") for a in measure.attempts_in(artifact.path)),
        jsonl.read(context.inputs["problems"].path),
        judge=context.resources.judge(),
        format=make(context.recipe.model.format),
        tokenizer=weights.load_tokenizer(start),
        per_problem=config.per_problem,
        correction_share=config.corrections,
        limits=FailureConfig(max_tokens=config.max_answer),
        seed=context.seed,
        context=context.recipe.model.context,
    )
    context.progress.say(f"{len(data.proofs)} proofs, {len(data.corrections)} correction pairs")
    options = SftConfig(
        lr=config.lr,
        epochs=config.epochs,
        step_tokens=config.step_tokens,
        micro=MicroBatches(config.micro_tokens),
        schedule=Schedule("cosine", config.warmup, 0.1),
        seed=context.seed,
    )
    folder = context.folder / "model"
    job = launch.job(
        context,
        "sft",
        start,
        options,
        output=folder / "adapter",
        lora=LoraShape(config.lora.rank, config.lora.alpha, dropout=config.lora.dropout),
        every=config.checkpoint_every,
        offload=config.offload,
    )
    trained = loop_metrics(launch.train(context, job, data.rows, context.folder / "training"))
    if not (folder / "model.json").exists():
        weights.link_adapter(folder, start)
    return data, trained
