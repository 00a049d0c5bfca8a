"""Stages for the soak with kill -9, sound and unsound ones; run as a script it runs a recipe."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from rich.console import Console
from safetensors.numpy import save_file

from unsorry import Attempt, Cost, Status, Verdict
from unsorry.pipeline import runner, shards
from unsorry.pipeline.recipe import load
from unsorry.pipeline.runner import Options, run
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageConfig, register
from unsorry.provers.journal import Journal


class AnswersConfig(StageConfig):
    """How many answers, how long each takes, and what is wrong with the stage."""

    count: int = 6
    pause: float = 0.1  # seconds
    fault: Literal["", "pays-again", "changes"] = ""


@register
class Answers(Stage):
    """Pays for answers and keeps them in a journal, then in a shard."""

    kind = "k-answers"
    row = "Base"
    outputs = ("answers",)
    Config = AnswersConfig

    def run(self, context: Context) -> Outcome:
        config: AnswersConfig = context.config
        folder = context.folder / "answers"
        starts = context.folder / "starts"
        with starts.open("a") as stream:
            stream.write(".")
        values = []
        with Journal(context.folder / "journal.jsonl") as journal:
            for i in range(config.count):
                value = journal.get(str(i))
                if value is None or config.fault == "pays-again":
                    time.sleep(config.pause)
                    value = 10 * i + context.seed % 7
                    if config.fault == "changes":
                        value += starts.stat().st_size
                    journal.put(str(i), value)
                values.append(value)
        attempts = [
            Attempt(f"p{v}", "k", "whole", "", Verdict(Status.REJECTED, "x", ""), Cost(seconds=time.time()))
            for v in values
        ]
        shards.write(folder / "00000.jsonl", {"key": f"answers of {context.seed}"}, attempts)
        metrics = {"sum": sum(values), "seconds": time.time(), "rate_per_second": time.time()}
        text = f"{len(values)} answers in {time.time() % 100:.2f} s"
        return Outcome(text, metrics=metrics, artifacts={"answers": folder})


class WeightsConfig(StageConfig):
    """How many steps, how long each takes, and whether it loses its place."""

    steps: int = 6
    pause: float = 0.1
    resumes: bool = True


@register
class Weights(Stage):
    """Adds numbers to a tensor, one step at a time, with a checkpoint after each."""

    kind = "k-weights"
    row = "SFT"
    inputs: ClassVar = {"answers": Input("answers")}
    outputs = ("model",)
    Config = WeightsConfig

    def run(self, context: Context) -> Outcome:
        config: WeightsConfig = context.config
        place = context.folder / "place"
        done = int(place.read_text()) if place.exists() else 0
        total = float(sum(range(done))) if config.resumes else 0.0
        for step in range(done, config.steps):
            time.sleep(config.pause)
            total += step
            draft = place.with_name("place.new")
            draft.write_text(str(step + 1))
            draft.replace(place)
        folder = context.folder / "model"
        folder.mkdir(exist_ok=True)
        save_file({"w": np.full(3, total, dtype=np.float32)}, folder / "model.safetensors")
        return Outcome("trained", artifacts={"model": folder})


if __name__ == "__main__":
    runner.code_digest = lambda: "code of the tests"
    run(load(Path(sys.argv[1])), Options(out=Path(sys.argv[2])), console=Console(stderr=True))
