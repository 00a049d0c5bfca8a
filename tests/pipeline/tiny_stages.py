"""Small real stages for the tests of the frame; run as a script it runs a recipe, for tests that kill it."""

from __future__ import annotations

import importlib
import os
import sys
import time
from pathlib import Path
from typing import ClassVar

from rich.console import Console

from unsorry import UnsorryError
from unsorry.pipeline import runner
from unsorry.pipeline.recipe import load
from unsorry.pipeline.runner import Options, run
from unsorry.pipeline.stage import Context, Data, Input, Outcome, Stage, StageConfig, StageStatus, register

CODE = "code of the tests"  # a source that is edited while tests run must not matter to them


class NumbersConfig(StageConfig):
    """Numbers to make."""

    count: int = 3
    source: Data | None = None  # start numbers, one a line
    pause: float = 0.0  # seconds between two


@register
class Numbers(Stage):
    """Writes numbers, one paid journal line each."""

    kind = "t-numbers"
    row = "Base"
    outputs = ("numbers",)
    Config = NumbersConfig

    def run(self, context: Context) -> Outcome:
        config: NumbersConfig = context.config
        journal = context.folder / "numbers.txt"
        done = journal.read_text().splitlines() if journal.exists() else []
        first = int(config.source.read_text()) if config.source else 0
        for i in range(len(done), config.count):
            with (context.folder / "paid.log").open("a") as log:
                log.write(f"{i}\n")
            with journal.open("a") as stream:
                stream.write(f"{first + i}\n")
            context.progress.step(i + 1, config.count)
            time.sleep(config.pause)
        numbers = list(map(int, journal.read_text().splitlines()))
        return Outcome(
            f"{len(numbers)} numbers", data="counting", metrics={"count": len(numbers)}, artifacts={"numbers": journal}
        )


class GrowConfig(StageConfig):
    """How a model grows."""

    by: int = 1
    gate: int = 0  # the smallest sum that passes
    fault: str = ""
    offload: bool = False
    tags: tuple[str, ...] = ()


@register
class Grow(Stage):
    """Adds a constant to every number; its gate wants a sum."""

    kind = "t-grow"
    row = "SFT"
    inputs: ClassVar = {"numbers": Input("numbers"), "more": Input("numbers", required=False, many=True)}
    outputs = ("numbers",)
    Config = GrowConfig

    def run(self, context: Context) -> Outcome:
        config: GrowConfig = context.config
        with (context.folder / "runs.log").open("a") as log:
            log.write("run\n")
        if config.fault == "error":
            raise UnsorryError("the endpoint does not answer: start it")
        if config.fault == "full":
            with Path("/dev/full").open("w") as stream:
                stream.write("x")
        if config.fault == "package":
            importlib.import_module("no_such_package.module")
        if config.fault == "bug":
            raise ZeroDivisionError("a bug")
        numbers = [int(x) + config.by for x in context.inputs["numbers"].path.read_text().split()]
        for other in context.inputs.many("more"):
            numbers += [int(x) for x in other.path.read_text().split()]
        path = context.folder / "numbers.txt"
        path.write_text("\n".join(map(str, numbers)))
        passed = sum(numbers) >= config.gate
        return Outcome(
            f"sum {sum(numbers)}",
            gate=f"sum {sum(numbers)} >= {config.gate}",
            status=StageStatus.DONE if passed else StageStatus.FAILED_GATE,
            reason="" if passed else f"sum {sum(numbers)} < {config.gate}",
            metrics={"sum": sum(numbers), "seed": context.seed},
            artifacts={"numbers": path},
        )


class ScoreConfig(StageConfig):
    """What the gate asks for."""

    at_least: int = 0


@register
class Score(Stage):
    """Doubles numbers, scores their sum, and compares it with the score before."""

    kind = "t-score"
    inputs: ClassVar = {"numbers": Input("numbers"), "before": Input("score", required=False)}
    outputs = ("numbers", "score")
    instead: ClassVar = {"score": "before"}
    Config = ScoreConfig

    def run(self, context: Context) -> Outcome:
        config: ScoreConfig = context.config
        numbers = [2 * int(x) for x in context.inputs["numbers"].path.read_text().split()]
        score, path = context.folder / "score.txt", context.folder / "numbers.txt"
        score.write_text(str(sum(numbers)))
        path.write_text("\n".join(map(str, numbers)))
        before = context.inputs["before"].path.read_text() if "before" in context.inputs else "nothing"
        failed = sum(numbers) < config.at_least
        return Outcome(
            f"{before} to {sum(numbers)}",
            status=StageStatus.FAILED_GATE if failed else StageStatus.DONE,
            artifacts={"numbers": path, "score": score},
        )


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "200")
    runner.code_digest = lambda: CODE
    run(load(Path(sys.argv[1])), Options(out=Path(sys.argv[2])), console=Console(stderr=True))
