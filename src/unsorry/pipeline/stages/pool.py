"""`pool`: n rollouts of the model on the training problems, all of them kept with their tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from unsorry.pipeline import measure
from unsorry.pipeline.recipe import Recipe
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, Work, register
from unsorry.problems import jsonl


class Config(measure.SamplingTable):
    """How many rollouts a problem, and how they are drawn."""

    samples: int = Field(default=8, ge=1)


@register
class Pool(Stage):
    """Writes `attempts`: shards with token ids and sampler log-probs."""

    kind = "pool"
    row = "Prompt filter"
    inputs = {"model": Input("model"), "problems": Input("train")}
    outputs = ("attempts", "outcomes")
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        problems = jsonl.read(context.inputs["problems"].path)
        found = measure.of_model(
            context,
            context.inputs["model"].path,
            problems,
            config,
            folder=context.folder / "attempts",
            training=True,
        )
        solved = sum(c.correct > 0 for c in found.outcomes.counts.values())
        accepted = int(found.outcomes.correct.sum())
        total = int(found.outcomes.samples.sum())
        return Outcome(
            ours=f"n={config.samples}: {accepted} of {total} rollouts accepted, "
            f"{solved} of {len(problems)} problems solved",
            data=f"{len(problems)} training problems",
            metrics={
                "accepted": accepted,
                "attempts": total,
                "solved": solved,
                "problems": len(problems),
                "undecided": round(found.outcomes.undecided_share, 6),
                "tokens": found.spend.tokens_out,
                "fingerprint": found.attempts.fingerprint,
                **measure.figures(found.outcomes, (1, config.samples)),
            },
            artifacts={
                "attempts": context.folder / "attempts",
                "outcomes": measure.save(context.folder / "outcomes.json", found.outcomes),
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
