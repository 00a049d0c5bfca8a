"""`reward`: the judge that pays the reward, shown on the red team's corpus before anything is trained with it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from unsorry import UnsorryError
from unsorry.pipeline.stage import Context, Data, Outcome, Stage, StageConfig, StageStatus, register
from unsorry.pipeline.storage import write_json

if TYPE_CHECKING:
    from unsorry.redteam.scoreboard import Result


class Config(StageConfig):
    """How many cases; every attack vector that can exist on this Lean is among them at least once."""

    corpus: Data | None = None  # a folder of cases; by default the corpus of the source checkout
    sample: int = Field(default=0, ge=0)  # 0: all


@register
class Reward(Stage):
    """Writes `scoreboard`.  A false accept fails the gate: nothing may be rewarded by such a judge."""

    kind = "reward"
    row = "Reward / verifier"
    outputs = ("scoreboard",)
    Config = Config

    def run(self, context: Context) -> Outcome:
        from unsorry.redteam import corpus, judges, run
        from unsorry.redteam.sample import sample

        config: Config = context.config
        judge = context.resources.judge()
        cases = corpus.runnable(corpus.load(_folder(config)), judge.toolchain)
        if config.sample:
            cases = sample(cases, config.sample, context.seed)
        done = 0

        def progress(result: Result) -> None:
            nonlocal done
            done += 1
            context.progress.step(done, len(cases), "cases")

        with ExitStack() as stack:
            adapter = judges.of_run(judge, stack)
            score = run.run_corpus(adapter, cases, context.resources.workers, progress=progress)
        vectors = {vector for case in cases for vector in case.vectors}
        figures = {
            "hostile": score.hostile,
            "honest": score.honest,
            "vectors": len(vectors),
            "false_accepts": score.false_accepts,
            "false_rejects": score.false_rejects,
            "undecided": score.undecided,
            "escapes": len(score.escapes),
        }
        write_json(context.folder / "scoreboard.json", {"format": 1, **figures, "cases": [str(c) for c in cases]})
        failed = score.false_accepts + len(score.escapes)
        return Outcome(
            ours=f"strict judge, the same for every stage: {score.hostile} hostile cases ({len(vectors)} vectors), "
            f"{score.false_accepts} false accepts; {score.honest} honest, {score.false_rejects} false rejects; "
            f"{score.undecided} undecided; sandbox {judge.confinement.name}",
            data=f"{'sample of the ' if config.sample else ''}red team corpus",
            gate=f"{score.false_accepts} false accepts, {len(score.escapes)} escapes; asked 0",
            status=StageStatus.FAILED_GATE if failed else StageStatus.DONE,
            reason=f"the judge accepted {score.false_accepts} hostile cases" if failed else "",
            metrics=figures,
            artifacts={"scoreboard": context.folder / "scoreboard.json"},
        )


def _folder(config: Config) -> Path:
    from unsorry.redteam import corpus

    if config.corpus is not None:
        return config.corpus
    try:
        return corpus.home()
    except UnsorryError as error:
        raise UnsorryError(f"{error}; in a recipe: corpus = FOLDER in [[stage]] reward") from None
