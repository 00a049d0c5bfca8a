"""`prove`: the trained model at work: it fills the sorries of a Lean file, and search fills what it leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from unsorry import Problem, Prover, UnsorryError
from unsorry.pipeline import samplers
from unsorry.pipeline.stage import Context, Data, Input, Outcome, Stage, StageConfig, register
from unsorry.pipeline.storage import write_json
from unsorry.problems import jsonl

if TYPE_CHECKING:
    from unsorry.scaffolds.fill import Outcome as Filled


class Config(StageConfig):
    """Which file, and how hard each prover tries."""

    file: Data | None = None  # by default one theory of the held-out problems, made into a file
    theorems: int = Field(default=5, ge=1)  # of that theory, at most
    samples: int = Field(default=16, ge=1)  # answers of the model, a sorry
    max_tokens: int = Field(default=128, ge=1)
    seconds: float = Field(default=30.0, gt=0)  # of search, a sorry


@register
class Prove(Stage):
    """Writes `file`, with the proofs in their places, and `report`: which prover filled which sorry."""

    kind = "prove"
    inputs = {"model": Input("model"), "problems": Input("test", required=False)}
    outputs = ("file", "report")
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        path = context.folder / "Theory.lean"
        path.write_text(_text(context, config), encoding="utf-8")
        report: dict[str, dict[str, str]] = {}
        with samplers.sampler(context, context.inputs["model"].path, max_tokens=config.max_tokens) as model:
            for outcome in _fill(context, config, path, model, config.samples):
                if outcome.filled:
                    _proved(context, report, outcome, "model")
        for outcome in _fill(context, config, path, _search(context), 1):
            if outcome.filled:
                _proved(context, report, outcome, "search")
            else:
                report[outcome.name] = {"by": "", "message": outcome.message}
                context.progress.say(f"{outcome.name}: open: {outcome.message}")
        by = [entry["by"] for entry in report.values()]
        counts = {
            "sorries": len(by),
            "model": by.count("model"),
            "search": by.count("search"),
            "open": by.count(""),
        }
        write_json(context.folder / "report.json", {"format": 1, **counts, "proofs": report})
        return Outcome(
            ours=f"{counts['sorries']} sorries: {counts['model']} by the model, {counts['search']} by search, "
            f"{counts['open']} open",
            data=path.name,
            metrics=counts,
            artifacts={"file": path, "report": context.folder / "report.json"},
        )


def _proved(context: Context, report: dict[str, dict[str, str]], outcome: Filled, by: str) -> None:
    report[outcome.name] = {"by": by, "proof": outcome.proof}
    context.progress.say(f"{outcome.name}: proved by the {by}: {_line(outcome.proof)}")


def _search(context: Context) -> Prover:
    from unsorry.provers.search import SearchProver

    judge = context.resources.judge()
    return SearchProver(judge.toolchain, judge.confinement)


def _fill(context: Context, config: Config, path: Path, prover: Prover, samples: int) -> Sequence[Filled]:
    """Fill what is open in the file; what is proved is written to it."""
    from unsorry.scaffolds.fill import Filler, Output, Settings, open_document, select

    judge = context.resources.judge()
    document = open_document(path)
    holes = select(document, "", 0) if document.source.holes else []
    settings = Settings(config.seconds, samples=samples, seed=context.seed, disprove=False)
    filler = Filler(document, prover, judge.strict, judge.toolchain, judge.confinement, settings)
    outcomes = list(filler.fill(holes))
    Output(path, document.data).write(document.patched(filler.edits))
    return outcomes


def _text(context: Context, config: Config) -> str:
    """The file with its sorries: the one that the recipe names, or held-out statements about the same definitions."""
    if config.file is not None:
        return config.file.read_text(encoding="utf-8")
    if "problems" not in context.inputs:
        raise UnsorryError(f"stage {context.name} needs `problems` or `file`: there is nothing to prove")
    theories: dict[tuple[str, str], list[Problem]] = {}
    for problem in jsonl.read(context.inputs["problems"].path):
        theories.setdefault((problem.header, problem.preamble), []).append(problem)
    largest = max(theories.values(), key=lambda theory: (min(len(theory), config.theorems), theory[0].id))
    first, *_ = largest
    lines = [
        problem.statement.replace(f"theorem {problem.targets[0]} ", f"theorem t{number} ", 1)
        for number, problem in enumerate(largest[: config.theorems], 1)
    ]
    return replace(first, statement="\n".join(lines)).source


def _line(proof: str) -> str:
    return " ".join(proof.split())
