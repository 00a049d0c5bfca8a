"""`scaffold`: single answers against bounded correction turns, at the same number of answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from unsorry import Attempt
from unsorry.evaluation import paired
from unsorry.pipeline import measure
from unsorry.pipeline.recipe import Recipe
from unsorry.pipeline.samplers import sampler
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, Work, register
from unsorry.problems import jsonl
from unsorry.scaffolds.prove_or_disprove import proves


class Config(measure.SamplingTable):
    """`samples` chains of at most `rounds` answers, against `samples * rounds` single answers."""

    samples: int = Field(default=8, ge=1)
    rounds: int = Field(default=2, ge=2)  # answers of a chain, the first included


@register
class Scaffold(Stage):
    """Writes `attempts` of both scaffolds."""

    kind = "scaffold"
    row = "Scaffold"
    inputs = {"model": Input("model"), "problems": Input("valid")}
    outputs = ("attempts",)
    Config = Config

    def run(self, context: Context) -> Outcome:
        from unsorry.provers.formats import make
        from unsorry.scaffolds.correction import CorrectionTurns

        config: Config = context.config
        problems = jsonl.read(context.inputs["problems"].path)
        whole = measure.whole_proofs(context, config.sampling)
        turns = CorrectionTurns(make(context.recipe.model.format), config.sampling, rounds=config.rounds)
        answers = config.samples * config.rounds
        found = {}
        with sampler(context, context.inputs["model"].path, max_tokens=config.max_tokens) as prover:
            for scaffold, n in ((whole, answers), (turns, config.samples)):
                context.progress.say(f"{scaffold.id}: {n} chains for each of {len(problems)} problems")
                found[scaffold.id] = measure.measure(
                    context,
                    prover,
                    problems,
                    n=n,
                    seed=context.seed,
                    folder=context.folder / "attempts" / scaffold.id,
                    scaffold=scaffold,
                    chunk=config.chunk,
                )
        single, chains = found[whole.id], found[turns.id]
        one = single.outcomes.mean(answers)
        many = chains.outcomes.mean(config.samples)
        counts = _corrections(list(chains.attempts))
        return Outcome(
            ours=f"{answers} answers a problem: single {100 * one:.1f} %, {config.samples} chains of up to "
            f"{config.rounds} turns {100 * many:.1f} %; a second turn mended {counts['mended']} of "
            f"{counts['corrected']} failed answers; {counts['exact']} of {counts['later']} later turns extend the "
            "tokens before them exactly",
            data=f"{len(problems)} valid problems",
            metrics={
                "single": one,
                "chains": many,
                **counts,
                "first_turn": paired.pass_interval(single.outcomes, 1).value,
            },
            artifacts={"attempts": context.folder / "attempts"},
        )

    def work(self, config: Any, expect: Mapping[str, float], recipe: Recipe) -> Work | None:
        attempts = int(expect.get("problems", 0)) * 2 * config.samples * config.rounds
        return Work.of_attempts(
            attempts,
            expect,
            recipe.model.context,
            sampled_tokens_kept=True,
        )


def _corrections(attempts: list[Attempt]) -> dict[str, int]:
    """How many failed first answers got another turn, how many of those chains ended in a proof, prefix exactness."""
    corrected = mended = later = exact = 0
    for attempt in attempts:
        if len(attempt.turns) > 1:
            corrected += 1
            mended += proves(attempt)
        for before, after in zip(attempt.turns, attempt.turns[1:], strict=False):
            later += 1
            shown = before.prompt_ids + before.completion_ids
            exact += after.prompt_ids[: len(shown)] == shown
    return {"corrected": corrected, "mended": mended, "later": later, "exact": exact}
