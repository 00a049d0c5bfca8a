"""`rl`: on-policy CISPO on a LoRA, with the strict judge as the reward and tripwires that stop and roll back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from unsorry import Problem, Sampling, UnsorryError
from unsorry.evaluation.gates import GainGate
from unsorry.pipeline import launch, measure, weights
from unsorry.pipeline.recipe import Recipe
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageConfig, StageStatus, Work, register
from unsorry.pipeline.stages.sft import LoraTable
from unsorry.pipeline.storage import write_json
from unsorry.problems import jsonl

if TYPE_CHECKING:
    from unsorry import Prover
    from unsorry.pipeline.canaries import Canaries
    from unsorry.pipeline.onpolicy import Batch, Task
    from unsorry.pipeline.policy import Policy
    from unsorry.training.tripwires import StepMetrics, Tripped


class MixTable(StageConfig):
    """[stage.mix]: shares of the exercises.  A share whose exercises are not there is given to the others, in
    proportion, and the ledger says so."""

    pull_request: float = Field(default=0.0, ge=0)  # whole changes to a repository: no such exercise exists yet
    proof: float = Field(default=0.6, ge=0)  # one answer
    correction: float = Field(default=0.2, ge=0)  # answers with Lean's errors between them
    prove_or_disprove: float = Field(default=0.2, ge=0)

    @model_validator(mode="after")
    def _sum(self) -> MixTable:
        if self.proof + self.correction + self.prove_or_disprove <= 0:
            raise ValueError("the mix is empty: give proof, correction or prove_or_disprove a share")
        return self


class TripwireTable(StageConfig):
    """[stage.tripwires]: see training/tripwires.py; any of them stops the stage and rolls the model back."""

    window: int = Field(default=4, ge=1)
    kl: float = Field(default=0.1, gt=0)
    ratio_drift: float = Field(default=0.05, gt=0)
    entropy_fraction: float = Field(default=0.2, gt=0)
    length_factor: float = Field(default=2.0, gt=0)
    truncated_fraction: float = Field(default=0.75, gt=0)
    format_share: float = Field(default=0.9, gt=0)
    held_out_drop: float = Field(default=0.05, gt=0)


class Config(StageConfig):
    """The update, the rollouts, what stops them and what they must bring."""

    steps: int = Field(default=20, ge=1)  # sets of rollouts
    problems_per_step: int = Field(default=16, ge=1)
    samples: int = Field(default=8, ge=2)  # rollouts a problem: its group
    canaries: int = Field(default=1, ge=0)  # false statements in each step
    mix: MixTable = MixTable()
    rounds: int = Field(default=2, ge=2)  # answers of a correction chain, the first included
    temperature: float = Field(default=1.0, gt=0)
    top_p: float = 1.0
    max_tokens: int = Field(default=128, ge=1)
    lora: LoraTable = LoraTable()
    lr: float = Field(default=5e-5, gt=0)
    c_abs: float = Field(default=5.0, ge=1)  # cap of pi / pi_sampler
    sequence_mask_delta: float | None = 0.5
    updates: Literal[1, 2] = 1  # optimiser steps on one set of rollouts
    advantage_scale: Literal["none", "group", "batch"] = "none"
    format_part: float = Field(default=0.05, ge=0, lt=1)  # of the reward
    micro_tokens: int = Field(default=8_192, ge=1)
    offload: bool = False
    checkpoint_every: int = Field(default=1, ge=1)  # steps
    held_out_every: int = Field(default=5, ge=1)  # steps
    held_out_problems: int = Field(default=24, ge=1)
    held_out_samples: int = Field(default=8, ge=1)
    tripwires: TripwireTable = TripwireTable()
    evaluation: measure.SamplingTable = measure.SamplingTable()
    gate: GainGate | None = GainGate(k=8, n=32, level=None)

    @model_validator(mode="after")
    def _full_distribution(self) -> Config:
        if self.top_p != 1.0:
            raise ValueError(
                "`top_p` must be 1 in training rollouts: the sampler would draw from a renormalised nucleus while the "
                "loss scores the whole vocabulary, so every ratio would be off by the mass that was cut"
            )
        return self


@register
class Rl(Stage):
    """Writes `model`, `outcomes` on valid, and `metrics` of every step."""

    kind = "rl"
    row = "RL"
    inputs = {
        "model": Input("model"),
        "problems": Input("band"),
        "valid": Input("valid"),
        "before": Input("outcomes"),
        "false": Input("false", required=False),
    }
    outputs = ("model", "outcomes", "metrics")
    instead = {"outcomes": "before"}
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        run = _Run.open(context, config)
        tripped = run.train()
        history = run.history
        valid, outcomes = measure.own_model(context, "valid", context.inputs["valid"], config.evaluation)
        before = measure.load(context.inputs["before"])
        gate, passed = "-", True
        if config.gate is not None:
            decided = config.gate.decide(before, valid)
            gate, passed = decided.text, decided.passed
        gate += f"; tripwires: {tripped.message if tripped else 'none'}"
        failed = tripped is not None or not passed
        write_json(context.folder / "metrics.json", {"format": 1, "steps": run.log})
        zero = sum(int(entry["zero_variance"]) for entry in run.log)
        groups = sum(int(entry["groups"]) for entry in run.log)
        first, last = _ends([step.reward_verified for step in history])
        return Outcome(
            ours=f"CISPO on LoRA r={config.lora.rank}, c_abs {config.c_abs:g}, {len(run.log)} steps of "
            f"{config.problems_per_step} x {config.samples} rollouts, {config.updates} update each; accepted rollouts "
            f"{100 * first:.1f} % to {100 * last:.1f} %; {zero} of {groups} groups without variance skipped; max ratio "
            f"{max((s.max_ratio for s in history), default=1.0):.3f}; {run.mix}; valid "
            f"{measure.change(before, valid)}",
            data=f"{len(run.tasks[0].problems)} band problems",
            gate=gate,
            status=StageStatus.FAILED_GATE if failed else StageStatus.DONE,
            reason=(tripped.message + "; rolled back") if tripped else (gate if failed else ""),
            metrics={
                "steps": len(run.log),
                "accepted": [first, last],
                "groups": groups,
                "zero_variance": zero,
                "tripped": tripped.wire.value if tripped else "",
                "weights": weights.read(context.folder / "model").digest,
                **measure.figures(valid, (1, 8, 32)),
            },
            artifacts={
                "model": context.folder / "model",
                "outcomes": outcomes,
                "metrics": context.folder / "metrics.json",
            },
        )

    def work(self, config: Any, expect: Mapping[str, float], recipe: Recipe) -> Work | None:
        rollouts = config.steps * config.problems_per_step * config.samples
        held_out = (config.steps // config.held_out_every) * config.held_out_problems * config.held_out_samples
        final = int(expect.get("problems", 0)) * config.evaluation.samples
        answer, prompt = expect.get("completion_tokens", 0), expect.get("prompt_tokens", 0)
        attempts = rollouts + held_out + final
        return Work.of_attempts(
            attempts,
            expect,
            recipe.model.context,
            trained=int(rollouts * (answer + prompt)),
            length=int(expect.get("length", recipe.model.context)),
            rank=config.lora.rank,
            sampled_tokens_kept=True,
            models=2,
        )


@dataclass
class _Run:
    """The training part of the stage, between its first and its last step."""

    context: Context
    config: Config
    start: weights.Weights
    policy: Policy
    tasks: list[Task]
    mix: str  # what became of the shares
    canaries: Canaries
    held_out: list[Problem]
    history: list[StepMetrics]
    log: list[dict[str, Any]]

    @classmethod
    def open(cls, context: Context, config: Config) -> _Run:
        from unsorry.pipeline.canaries import canaries
        from unsorry.pipeline.policy import open_policy
        from unsorry.training.batches import MicroBatches
        from unsorry.training.cispo import CispoConfig
        from unsorry.training.lora import LoraShape
        from unsorry.training.rl import RlConfig

        start = weights.read(context.inputs["model"].path)
        options = RlConfig(
            lr=config.lr,
            cispo=CispoConfig(config.c_abs, config.sequence_mask_delta),
            updates=config.updates,
            micro=MicroBatches(config.micro_tokens),
            temperature=config.temperature,
            seed=context.seed,
        )
        job = launch.job(
            context,
            "rl",
            start,
            options,
            output=context.folder / "adapter",
            lora=LoraShape(config.lora.rank, config.lora.alpha, dropout=config.lora.dropout),
            offload=config.offload,
        )
        policy = open_policy(context, start, job)
        tasks, mix = _tasks(context, config)
        false = jsonl.read(context.inputs["false"].path) if "false" in context.inputs else []
        valid = jsonl.read(context.inputs["valid"].path)
        return cls(
            context,
            config,
            start,
            policy,
            tasks,
            mix,
            canaries((), lambda problem: None, known_false=false),
            valid[:: max(1, len(valid) // config.held_out_problems)][: config.held_out_problems],
            [],
            [],
        )

    def train(self) -> Tripped | None:
        """All steps that are left; returns what tripped.  `model` in the stage's folder is the model to go on with."""
        from unsorry.training.tripwires import StepMetrics, TripwireConfig, Tripwires, check

        saved = self.policy.restore()
        done = 0
        if saved is not None:
            done, self.log = int(saved["done"]), saved["log"]
            self.history = [StepMetrics(**entry) for entry in saved["history"]]
        limits = TripwireConfig(**self.config.tripwires.model_dump())
        wires = Tripwires(limits, self.history)
        tripped = check(self.history, limits)
        while done < self.config.steps and tripped is None:
            batch = self._rollouts(done)
            updates = self.policy.update(batch.rows) if batch.rows else []
            done += 1
            for metrics in updates[:-1]:
                tripped = wires.update(batch.measured(metrics)) or tripped
            for metrics in updates[-1:]:
                held_out = self._held_out(done) if done % self.config.held_out_every == 0 else None
                tripped = wires.update(batch.measured(metrics, held_out)) or tripped
            self.history = wires.history
            self.log.append(_entry(done, batch, self.history[-1] if batch.rows else None))
            self.context.progress.step(done, self.config.steps, f"{100 * batch.accepted:.0f} % of rollouts accepted")
            if batch.rows and (done % self.config.checkpoint_every == 0 or done == self.config.steps):
                self.policy.save({"done": done, "log": self.log, "history": [asdict(step) for step in self.history]})
        self._finish(tripped)
        return tripped

    def _prover(self, done: int, max_tokens: int) -> AbstractContextManager[Prover]:
        """The weights after `done` steps, as a prover of their own name."""
        journal = self.context.folder / f"{done:05d}.journal"
        return self.policy.prover(f"{self.start.name}+{done}", max_tokens=max_tokens, journal=journal)

    def _rollouts(self, done: int) -> Batch:
        from unsorry.pipeline import onpolicy

        config, seed = self.config, self.context.seed + done
        chosen = onpolicy.draw(self.tasks, config.problems_per_step, done, self.context.seed)
        with self._prover(done, config.max_tokens) as prover:
            return onpolicy.collect(
                self.tasks,
                chosen,
                self.canaries,
                prover,
                self.context.resources.judge(),
                n=config.samples,
                canary_count=config.canaries,
                seed=seed,
                folder=self.context.folder / "rollouts" / f"{done:05d}",
                scale=config.advantage_scale,
                format_part=config.format_part,
            )

    def _held_out(self, done: int) -> float:
        """pass@n on a part of valid, n the samples; the adapter is kept, to go back to."""
        config = self.config
        with self._prover(done, config.evaluation.max_tokens) as prover:
            found = measure.measure(
                self.context,
                prover,
                self.held_out,
                n=config.held_out_samples,
                seed=self.context.seed,
                folder=self.context.folder / "held-out" / f"{done:05d}",
                sampling=Sampling(config.temperature, 1.0, config.evaluation.max_tokens),
            )
        folder = self.context.folder / "kept" / f"{done:05d}"
        if not (folder / "model.json").exists():
            self.policy.write(folder)
        return found.outcomes.mean(config.held_out_samples)

    def _finish(self, tripped: Tripped | None) -> None:
        """The model of the last step, or the newest one that was measured before a tripwire was touched."""
        folder = self.context.folder / "model"
        if (folder / "model.json").exists():
            return
        if tripped is None:
            self.policy.write(folder)
            return
        last = len(self.log)
        kept = sorted((self.context.folder / "kept").glob("*"))
        good = [path for path in kept if int(path.name) < last]
        weights.copy(folder, weights.read(good[-1]) if good else self.start)


def _tasks(context: Context, config: Config) -> tuple[list[Task], str]:
    """The exercises with the shares that they really have, and a line about them."""
    from unsorry.pipeline.onpolicy import PROOF, Task
    from unsorry.provers.formats import make
    from unsorry.scaffolds.correction import CorrectionTurns
    from unsorry.scaffolds.prove_or_disprove import ProveOrDisprove
    from unsorry.scaffolds.sampled import SampledProof

    format = make(context.recipe.model.format)
    sampling = Sampling(config.temperature, 1.0, config.max_tokens)
    problems = tuple(jsonl.read(context.inputs["problems"].path))
    if not problems:
        raise UnsorryError(f"stage {context.name} has no problems to train on: {context.inputs['problems'].path}")
    false: tuple[Problem, ...] = ()
    if "false" in context.inputs:
        false = tuple(p for p in jsonl.read(context.inputs["false"].path) if p.split in ("", "train"))
    asked = config.mix.model_dump()
    there = {name: share for name, share in asked.items() if name != "pull_request" and share > 0}
    total = sum(there.values())
    made = {
        PROOF: Task(PROOF, SampledProof(format, sampling), problems, 0.0),
        "correction": Task("correction", CorrectionTurns(format, sampling, rounds=config.rounds), problems, 0.0),
        "prove_or_disprove": Task("prove_or_disprove", ProveOrDisprove(format, sampling), problems + false, 0.0),
    }
    tasks = [Task(t.name, t.scaffold, t.problems, there[t.name] / total) for t in made.values() if t.name in there]
    text = "mix " + ", ".join(f"{100 * task.share:.0f} % {task.name.replace('_', ' ')}" for task in tasks)
    if asked["pull_request"]:
        text += f" (the {100 * asked['pull_request'] / sum(asked.values()):.0f} % of pull requests shared out)"
    return tasks, text


def _entry(done: int, batch: Batch, metrics: StepMetrics | None) -> dict[str, Any]:
    """One step for metrics.json."""
    return {
        "step": done,
        "reward": batch.reward,
        "accepted": batch.accepted,
        "by_task": dict(batch.by_task),
        "groups": batch.groups,
        "zero_variance": batch.zero_variance,
        "attempts": batch.attempts,
        "length": batch.length,
        "update": _finite(asdict(metrics)) if metrics is not None else None,
    }


def _finite(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in values.items()}


def _ends(values: list[float]) -> tuple[float, float]:
    """Means of the first and the last fifth."""
    if not values:
        return 0.0, 0.0
    part = max(1, len(values) // 5)
    return sum(values[:part]) / part, sum(values[-part:]) / part
