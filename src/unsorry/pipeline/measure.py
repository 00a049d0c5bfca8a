"""pass@k of a model on a set of problems, as every stage measures it: sampled whole proofs, the strict judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from unsorry import Attempt, Problem, Sampling, UnsorryError
from unsorry.evaluation import outcomes as counting
from unsorry.evaluation.costs import Spend, spent
from unsorry.evaluation.outcomes import Outcomes
from unsorry.evaluation.paired import pass_interval
from unsorry.pipeline import shards
from unsorry.pipeline.rollouts import BatchScaffold, Rollouts, rollouts
from unsorry.pipeline.samplers import sampler
from unsorry.pipeline.stage import Artifact, Context, StageConfig
from unsorry.pipeline.storage import read_json, write_json
from unsorry.problems import jsonl

if TYPE_CHECKING:
    from unsorry import Prover

FORMAT = 1


class SamplingTable(StageConfig):
    """How a model is sampled: the keys of every stage that does, or its [stage.evaluation]."""

    samples: int = Field(default=32, ge=1)  # of a problem
    temperature: float = Field(default=1.0, gt=0)
    top_p: float = Field(default=1.0, gt=0, le=1)
    max_tokens: int = Field(default=128, ge=1)
    chunk: int = Field(default=32, ge=1)  # problems that are sampled together and written as one shard

    @property
    def sampling(self) -> Sampling:
        return Sampling(self.temperature, self.top_p, self.max_tokens)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was counted, what it cost, and the attempts themselves."""

    outcomes: Outcomes
    spend: Spend
    attempts: Rollouts


def measure(
    context: Context,
    prover: Prover,
    problems: Sequence[Problem],
    *,
    n: int,
    seed: int,
    folder: Path,
    sampling: Sampling | None = None,
    scaffold: BatchScaffold | None = None,
    chunk: int = 64,
) -> Measured:
    """`n` samples of each problem, each judged strictly; UnsorryError where there is no problem."""
    if not problems:
        raise UnsorryError("there is no problem to measure on: one of the stage's problem sets is empty")
    if scaffold is None:
        scaffold = whole_proofs(context, sampling or Sampling())
    judge = context.resources.judge()
    attempts = rollouts(
        problems, scaffold, prover, judge, n=n, seed=seed, folder=folder, chunk=chunk, progress=context.progress
    )
    return Measured(counting.from_attempts(problems, attempts), spent(attempts), attempts)


def of_model(
    context: Context,
    model: Path,
    problems: Sequence[Problem],
    table: SamplingTable,
    *,
    folder: Path,
    n: int = 0,
    seed: int | None = None,
    training: bool = False,
) -> Measured:
    """The model in an artifact's folder, sampled as the table says; `n` and `seed` where they are not the stage's."""
    with sampler(context, model, max_tokens=table.max_tokens, training=training) as prover:
        return measure(
            context,
            prover,
            problems,
            n=n or table.samples,
            seed=context.seed if seed is None else seed,
            folder=folder,
            sampling=table.sampling,
            chunk=table.chunk,
        )


def own_model(context: Context, name: str, problems: Artifact, table: SamplingTable) -> tuple[Outcomes, Path]:
    """The stage's own `model` on a problem set, and the artifact `name`.json that keeps the outcomes."""
    folder = context.folder / "measured" / name
    found = of_model(context, context.folder / "model", jsonl.read(problems.path), table, folder=folder)
    return found.outcomes, save(context.folder / f"{name}.json", found.outcomes)


def whole_proofs(context: Context, sampling: Sampling) -> BatchScaffold:
    """The scaffold of single answers in the recipe's format."""
    from unsorry.provers.formats import make
    from unsorry.scaffolds.sampled import SampledProof

    return SampledProof(make(context.recipe.model.format), sampling)


def percent(outcomes: Outcomes, k: int, *, seed: int = 0) -> str:
    """`pass@8 41.2 % [36.1, 46.0]`: the mean and its 95 % interval over families."""
    found = pass_interval(outcomes, k, seed=seed)
    return f"pass@{k} {100 * found.value:.1f} % [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def change(before: Outcomes, after: Outcomes, k: int = 8, *, seed: int = 0) -> str:
    """Both sides at pass@k, or at the largest k that both have the samples for."""
    k = min(k, int(before.samples.min()), int(after.samples.min()))
    return f"{percent(before, k, seed=seed)} to {percent(after, k, seed=seed)}"


def figures(outcomes: Outcomes, ks: Sequence[int]) -> dict[str, Any]:
    """pass@k for the ledger, as far as the samples allow."""
    least = int(outcomes.samples.min())
    return {f"pass@{k}": round(outcomes.mean(k), 6) for k in ks if k <= least}


def save(path: Path, outcomes: Outcomes, **facts: Any) -> Path:
    """Outcomes as an artifact, with facts about them."""
    write_json(path, {"format": FORMAT, "outcomes": counting.to_json(outcomes), **facts})
    return path


def load(artifact: Artifact) -> Outcomes:
    """Outcomes that an earlier stage saved."""
    return counting.from_json((read_json(artifact.path) or {}).get("outcomes", {}))


def attempts_in(folder: Path) -> Iterator[Attempt]:
    """The attempts that an earlier stage stored."""
    for path in sorted(folder.glob("*.jsonl")):
        yield from shards.read(path)
