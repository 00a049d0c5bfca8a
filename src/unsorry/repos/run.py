"""Attempts at all tasks of a source, k of each: in parallel, resumable at any moment, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import Attempt, UnsorryError
from unsorry.evaluation import engine
from unsorry.judge.sandbox import choose
from unsorry.repos import attempts, packages, scoring
from unsorry.repos.runs import Plan, Run, current, latest, read, unfinished
from unsorry.repos.scores import outcome
from unsorry.repos.sources import Item, Source


@dataclass(frozen=True, slots=True)
class State:
    """How far a run is; `money` in US dollars, None where some call's is unknown; `stopped` says why nothing more is
    begun, "" if something is."""

    asked: int
    done: int
    infra: int
    money: float | None
    tokens: int
    stopped: str = ""


def run(
    plan: Plan, source: Source, folder: Path, *, workers: int = 1, only: Callable[[Item], bool] = lambda item: True,
) -> Iterator[tuple[Attempt, State]]:  # fmt: skip
    """The attempts that the run's journal does not hold yet, as they end.

    Sample after sample over all tasks, so that a run that is stopped early has the same number of samples of most.
    Tasks whose packages are not compiled are left out: `scoring.absent` names them.  Raises UnsorryError where it
    cannot begin.
    """
    made, items = Run(folder), [item for item in source.items if only(item)]
    if not items:
        raise UnsorryError(f"{plan.source} holds no task that was asked for")
    missing = scoring.absent(source, [i.id for i in items], Path(plan.environments) if plan.environments else None)
    items = [item for item in items if item.id not in missing]
    if not items:
        raise next(iter(missing.values()))
    choose(plan.sandbox)  # where there is none, nothing is begun
    made.save(plan, items)
    done = read(made.attempts)
    jobs = _jobs(plan, source, made, items, done)
    asked = plan.samples * len(items)
    keep = engine.drain(
        [engine.Job(f"{job.task}, sample {job.sample}", job) for job in jobs], attempts.attempt, made.attempts,
        lost=attempts.lost, workers=workers, more=lambda: not _over(plan, done),
    )  # fmt: skip
    for attempt in keep:
        done.append(attempt)
        yield attempt, state(plan, done, asked)


def _jobs(plan: Plan, source: Source, made: Run, items: Sequence[Item], done: Sequence[Attempt]) -> list[attempts.Job]:
    jobs = []
    where = Path(plan.environments) if plan.environments else None
    by_key: dict[str, list[Attempt]] = {}
    for a in done:
        by_key.setdefault(str(a.notes.get("key", "")), []).append(a)
    for sample in range(1, plan.samples + 1):
        for item in items:
            case = source.case(item.id, answer=False)
            key = plan.key(item.id, case.stub, sample)
            if not unfinished(by_key.get(key, ()), key):
                continue
            toolchain, why = scoring.toolchain_of(source, case, where)
            if toolchain is None:
                raise UnsorryError(f"{item.id} cannot be worked on here: {why}; choose others with --only")
            stub = made.path / "stubs" / item.id / case.stub[:12]
            attempts.make_stub(source.trees, case.task, case.stub, stub)
            project = stub / case.task.base.project if case.task.base.project else stub
            if where is not None and project.is_dir():
                packages.link(where, scoring.files_of(source, case), project.absolute())
            folder = made.folder(item.id, sample)
            jobs.append(
                attempts.Job(
                    plan, item.id, sample, key, case.stub, attempts.prompt(case.task), project.absolute(),
                    folder.absolute(), tuple(attempts.holed(case.task)), toolchain,
                )
            )  # fmt: skip
    return jobs


def state(plan: Plan, done: Sequence[Attempt], asked: int) -> State:
    """From the journal."""
    counted = latest(current(plan, done))
    infra = sum(outcome(a) == "infra" for a in counted.values())
    unknown, money, tokens = _spent(counted.values())
    return State(asked, len(counted) - infra, infra, None if unknown else money, tokens, _over(plan, done))


def _spent(counted: Iterable[Attempt]) -> tuple[int, float, int]:
    """(attempts of unknown price, dollars of the others, tokens); an attempt that went on counts what it had spent."""
    costs = [a.cost for a in counted]
    unknown = sum(c.money is None for c in costs)
    return unknown, sum(c.money or 0.0 for c in costs), sum(c.tokens_in + c.tokens_out for c in costs)


def _over(plan: Plan, done: Sequence[Attempt]) -> str:
    """Why nothing more is begun; what runs is finished, so that the last attempts may pass the budget by their own."""
    unknown, money, tokens = _spent(latest(current(plan, done)).values())
    again = "raise it and run again, nothing was lost"
    if plan.budget is not None and unknown:
        return f"what {unknown} attempts cost is unknown: a budget of ${plan.budget:g} cannot be kept without prices"
    if plan.budget is not None and money >= plan.budget:
        return f"${money:g} of the budget of ${plan.budget:g} are spent; {again}"
    if plan.budget_tokens is not None and tokens >= plan.budget_tokens:
        return f"{tokens} of the budget of {plan.budget_tokens} tokens are used; {again}"
    return ""
