"""`evaluate`: models side by side on one problem set, the same samples of each problem for each model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unsorry import UnsorryError
from unsorry.evaluation import paired
from unsorry.evaluation.compare import Measurement, before_after
from unsorry.evaluation.gates import GainGate
from unsorry.pipeline import measure
from unsorry.pipeline.recipe import Recipe
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageStatus, Work, register
from unsorry.problems import jsonl


class Config(measure.SamplingTable):
    """How much is sampled, and what must be shown of the last model against the first."""

    ks: tuple[int, ...] = (1, 8, 32)
    gate: GainGate | None = None


@register
class Evaluate(Stage):
    """Writes `table` (Markdown) and `outcomes` (of the last model)."""

    kind = "evaluate"
    inputs = {"models": Input("model", many=True), "problems": Input("test")}
    outputs = ("table", "outcomes")
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        problems = jsonl.read(context.inputs["problems"].path)
        models = context.inputs.many("models")
        if not models:
            raise UnsorryError(f"stage {context.name} has no models: name at least one in `models`")
        rows: list[Measurement] = []
        for model in models:
            context.progress.say(f"{model.stage}: {config.samples} samples of {len(problems)} problems")
            folder = context.folder / "attempts" / model.stage
            found = measure.of_model(context, model.path, problems, config, folder=folder)
            rows.append(Measurement(model.stage, found.outcomes, found.spend))
        ks = [k for k in config.ks if k <= config.samples]
        table = before_after(rows, ks=ks)
        path = context.folder / "table.md"
        path.write_text(table.markdown(), encoding="utf-8")
        first, last = rows[0], rows[-1]
        k = 8 if 8 in ks else ks[-1]
        ours = f"{last.name}: {', '.join(measure.percent(last.outcomes, each) for each in ks)}"
        metrics: dict[str, Any] = {row.name: measure.figures(row.outcomes, ks) for row in rows}
        if last is not first:
            change = paired.compare(first.outcomes, last.outcomes, k).difference
            ours += (
                f"; {first.name} to {last.name}: pass@{k} {100 * change.value:+.1f} pp "
                f"[{100 * change.low:+.1f}, {100 * change.high:+.1f}]"
            )
            metrics["change"] = {"k": k, "value": change.value, "low": change.low, "high": change.high}
        status, gate, reason = StageStatus.DONE, "-", ""
        if config.gate is not None and last is not first:
            decided = config.gate.decide(first.outcomes, last.outcomes)
            gate = decided.text
            if not decided.passed:
                status, reason = StageStatus.FAILED_GATE, decided.text
        outcomes = measure.save(context.folder / "outcomes.json", last.outcomes)
        return Outcome(
            ours=ours,
            data=table.note,
            gate=gate,
            status=status,
            reason=reason,
            metrics=metrics,
            artifacts={"table": path, "outcomes": outcomes},
        )

    def work(self, config: Any, expect: Mapping[str, float], recipe: Recipe) -> Work | None:
        attempts = int(expect.get("problems", 0) * expect.get("models", 1)) * config.samples
        return Work.of_attempts(
            attempts,
            expect,
            recipe.model.context,
            sampled_tokens_kept=True,
        )
