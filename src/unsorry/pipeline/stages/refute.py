"""`refute`: properties of unknown truth: some tries at a proof, then a counterexample, as a bug hunter does.

The properties are statements that are true and neighbours of them that are not.  The stage does not look at which is
which until it counts: a flag on a true one would be a false alarm.
"""

from __future__ import annotations

import random

from pydantic import Field

from unsorry import Sampling
from unsorry.pipeline import measure
from unsorry.pipeline.refutations import refutations
from unsorry.pipeline.samplers import sampler
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageConfig, register
from unsorry.pipeline.storage import write_json
from unsorry.problems import jsonl


class Config(StageConfig):
    """How many of each, how many tries at a proof, seconds for a counterexample."""

    properties: int = Field(default=20, ge=1)  # of each kind, at most
    tries: int = Field(default=4, ge=1)
    temperature: float = Field(default=1.0, gt=0)
    max_tokens: int = Field(default=128, ge=1)
    seconds: float = Field(default=20.0, gt=0)


@register
class Refute(Stage):
    """Writes `findings`: what was proved, what was refuted with which values, what stayed open."""

    kind = "refute"
    row = "Bug finding"
    inputs = {"model": Input("model"), "true": Input("test"), "false": Input("false")}
    outputs = ("findings",)
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        chosen = random.Random(context.seed)  # noqa: S311
        true = jsonl.read(context.inputs["true"].path)
        false = [p for p in jsonl.read(context.inputs["false"].path) if p.split != "train"]
        planted = {p.id for p in false}
        picked = [chosen.sample(kind, min(config.properties, len(kind))) for kind in (true, false)]
        properties = sorted((p for kind in picked for p in kind), key=lambda p: p.id)
        sampling = Sampling(config.temperature, 1.0, config.max_tokens)
        with sampler(context, context.inputs["model"].path, max_tokens=config.max_tokens) as prover:
            found = measure.measure(
                context, prover, properties, n=config.tries, seed=context.seed, folder=context.folder / "attempts",
                sampling=sampling,
            )  # fmt: skip
        proved = {name for name, count in found.outcomes.counts.items() if count.correct}
        flags = refutations(
            [p for p in properties if p.id not in proved], context.resources.judge(), context.folder / "flags.json",
            seconds=config.seconds, seed=context.seed,
            progress=lambda done, of: context.progress.step(done, of, "counterexamples looked for"),
        )  # fmt: skip
        refuted = {name for name, found in flags.items() if found}
        alarms = refuted - planted
        counts = {
            "properties": len(properties),
            "planted": sum(p.id in planted for p in properties),
            "proved": len(proved),
            "refuted": len(refuted),
            "found": len(refuted & planted),
            "false_alarms": len(alarms),
            "false_proved": len(proved & planted),
            "open": len(properties) - len(proved) - len(refuted),
        }
        findings = [
            {
                "property": p.id,
                "statement": p.statement,
                "outcome": "proved" if p.id in proved else "refuted" if p.id in refuted else "open",
                "witness": flags[p.id].witness if p.id in refuted else "",
            }
            for p in properties
        ]
        write_json(context.folder / "findings.json", {"format": 1, **counts, "findings": findings})
        return Outcome(
            ours=f"{counts['properties']} generated properties, pass@{config.tries} proof then counterexample: "
            f"{counts['proved']} proved, {counts['refuted']} refuted by judged negations, {counts['open']} open; "
            f"{counts['found']} of {counts['planted']} planted falsehoods found, {counts['false_alarms']} false alarms",
            data="generated world, held out",
            gate=f"{counts['false_alarms']} false alarms, {counts['false_proved']} falsehoods proved; asked 0",
            metrics=counts,
            artifacts={"findings": context.folder / "findings.json"},
        )
