"""pass@k of a model on a set of problems, as every stage measures it: sampled whole proofs, the strict judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unsorry import Attempt, Problem, Sampling, UnsorryError
from unsorry.evaluation import outcomes as counting
from unsorry.evaluation.costs import Spend, spent
from unsorry.evaluation.outcomes import Outcomes
from unsorry.evaluation.paired import pass_interval
from unsorry.pipeline import shards
from unsorry.pipeline.rollouts import BatchScaffold, Rollouts, rollouts
from unsorry.pipeline.stage import Artifact, Context
from unsorry.pipeline.storage import read_json, write_json

if TYPE_CHECKING:
    from unsorry import Prover

FORMAT = 1


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
