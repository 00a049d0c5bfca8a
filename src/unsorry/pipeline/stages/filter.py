"""`filter`: which problems teach something: those that the model solves sometimes.

Counts of all rounds are kept and a Beta posterior is made of them, because eight rollouts are a noisy filter: a problem
that is solved in one try of twenty passes (0, 0.75] with probability 0.34.
"""

from __future__ import annotations

from pydantic import Field

from unsorry import UnsorryError
from unsorry.evaluation import posterior
from unsorry.evaluation.posterior import Band, Beta
from unsorry.pipeline import measure
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageConfig, register
from unsorry.pipeline.storage import read_json, write_json
from unsorry.problems import jsonl


class Config(StageConfig):
    """The band of solve rates, open below and closed above."""

    low: float = Field(default=0.0, ge=0, lt=1)
    high: float = Field(default=0.75, gt=0, le=1)
    decay: float = Field(default=1.0, gt=0, le=1)  # weight of a round's counts for each round that came after it
    group: int = Field(default=8, ge=2)  # rollouts of a group in training: what `mixed` is about
    keep_unsolved: float = Field(default=1.0, ge=0, le=1)  # also unsolved problems whose group is this likely mixed


@register
class Filter(Stage):
    """Writes `band` (problems) and `histories` (solve counts by round, posterior)."""

    kind = "filter"
    row = "Prompt filter"
    inputs = {
        "outcomes": Input("outcomes", many=True),
        "problems": Input("train"),
        "histories": Input("histories", required=False),
    }
    outputs = ("band", "histories")
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        problems = jsonl.read(context.inputs["problems"].path)
        histories = {}
        if "histories" in context.inputs:
            histories = posterior.from_json((read_json(context.inputs["histories"].path) or {}).get("rounds", {}))
        for artifact in context.inputs.many("outcomes"):
            histories = posterior.record(histories, artifact.stage, measure.load(artifact))
        band, prior = Band(config.low, config.high), Beta()
        if any(sum(h.totals()) for h in histories.values()):
            prior = posterior.fit(h.totals() for h in histories.values())
        kept = []
        mixed: dict[str, float] = {}  # chance that a group of rollouts holds a success and a failure: it then teaches
        for problem in problems:
            history = histories.get(problem.id)
            if history is None:
                continue
            mixed[problem.id] = history.posterior(prior, decay=config.decay).mixed(config.group)
            samples, correct = history.totals()
            if band.holds(samples, correct) or (correct == 0 and mixed[problem.id] >= config.keep_unsolved):
                kept.append(problem)
        if not kept:
            raise UnsorryError(
                f"no problem is in the band ({config.low:g}, {config.high:g}]: the model solves all of them or none; "
                "change the problems, the samples of the pool or the band"
            )
        path = context.folder / "band.jsonl"
        jsonl.write(path, kept)
        stored = {
            "format": 1,
            "rounds": posterior.to_json(histories),
            "prior": [prior.a, prior.b],
            "mixed": {problem: round(chance, 6) for problem, chance in mixed.items()},
        }
        write_json(context.folder / "histories.json", stored)
        share = len(kept) / len(problems)
        totals = [history.totals() for history in histories.values()]
        never = sum(correct == 0 for _, correct in totals)
        return Outcome(
            ours=f"band ({config.low:g}, {config.high:g}]: {len(kept)} of {len(problems)} problems "
            f"({100 * share:.0f} %), {never} never solved; by posterior {sum(mixed[p.id] for p in kept):.0f} of them "
            f"teach in a group of {config.group}",
            data=", ".join(artifact.stage for artifact in context.inputs.many("outcomes")),
            metrics={"kept": len(kept), "of": len(problems), "never_solved": never, "prior": [prior.a, prior.b]},
            artifacts={"band": path, "histories": context.folder / "histories.json"},
        )
