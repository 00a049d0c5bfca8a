"""Run a prover over a problem set: parallel, resumable, one attempt on disk as soon as it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from unsorry import Attempt, Cost, Judge, Problem, Prover, Sampling, Status, Verdict
from unsorry.canonical import json_digest
from unsorry.evaluation import attempts as store
from unsorry.evaluation.backing import backed
from unsorry.evaluation.engine import Job, drain
from unsorry.judge.reasons import one_line
from unsorry.scaffolds import NO_PROOF, REFUTED
from unsorry.scaffolds.whole import WholeProof

LOST = "prover.died"  # reason of an attempt whose process was killed twice, by the kernel for memory as a rule


@dataclass(frozen=True, slots=True)
class Settings:
    """What makes an attempt comparable with another; all of it is part of the key under which it is resumed."""

    prover: str = "search"
    samples: int = 1
    timeout: float = 60.0  # seconds a problem
    seed: int = 0
    disprove: bool = True  # look for a counterexample where no proof is found
    sandbox: str = "strict"


def key(problem: Problem, settings: Settings) -> str:
    """Names an attempt: the problem's id and text, and the settings."""
    return json_digest([problem.id, problem.source, problem.targets, asdict(settings)])[:20]


def finished(problems: Sequence[Problem], settings: Settings, out: Path) -> list[Attempt]:
    """The attempts in `out` that belong to these problems under these settings.

    One whose certificate does not back what it claims, a proof or a counterexample, is left out, and so tried again.
    """
    wanted = {key(p, settings): p for p in problems}
    mine = ((wanted.get(str(a.notes.get("key"))), a) for a in store.read(out))
    return [attempt for problem, attempt in mine if problem is not None and backed(attempt, problem)]


def evaluate(problems: Sequence[Problem], settings: Settings, out: Path, *, workers: int = 1) -> Iterator[Attempt]:
    """Attempts at the problems that `out` does not hold yet, as they end; each is on disk before it is yielded.

    A worker process that is killed costs nothing but its own attempt, which is tried once more.
    """
    have = {a.notes.get("key") for a in finished(problems, settings, out)}
    jobs = [Job(f"problem {p.id}", (p, settings)) for p in problems if key(p, settings) not in have]
    yield from drain(jobs, _work, out, lost=_lost, workers=workers)


def _work(given: tuple[Problem, Settings]) -> list[Attempt]:
    return attempts_at(*given)


def attempts_at(problem: Problem, settings: Settings) -> list[Attempt]:
    """Everything tried at one problem, with the strict judge; runs in a worker process."""
    start = time.monotonic()
    prover, judge = _equipment(settings.prover, settings.sandbox)
    scaffold = WholeProof(Sampling(timeout=settings.timeout, seed=settings.seed))
    attempts = scaffold.attempt(problem, prover, judge, n=settings.samples)
    last = attempts[-1]
    if settings.disprove and last.verdict.reason == NO_PROOF:
        left = max(10.0, settings.timeout - (time.monotonic() - start))
        attempts[-1] = _refuted(problem, last, judge, left, settings.seed)
    return [replace(a, notes={**a.notes, "key": key(problem, settings)}) for a in attempts]


def _refuted(problem: Problem, attempt: Attempt, judge: Judge, timeout: float, seed: int) -> Attempt:
    """The attempt, turned into a refutation when there is a counterexample that the judge accepts."""
    from unsorry.scaffolds.disprove import disprove

    start = time.monotonic()
    found = disprove(problem, judge, timeout=timeout, seed=seed)
    if found is None:
        return attempt
    verdict = Verdict(
        Status.REJECTED,
        REFUTED,
        one_line(f"false: {found.witness}"),
        axioms=found.verdict.axioms,
        certificate=found.verdict.certificate,
    )
    cost = replace(attempt.cost, seconds=attempt.cost.seconds + time.monotonic() - start)
    return replace(attempt, scaffold="disprove", submission=found.source, verdict=verdict, cost=cost)


_EQUIPMENT: dict[tuple[str, str], tuple[Prover, Judge]] = {}


def _equipment(prover: str, sandbox: str) -> tuple[Prover, Judge]:
    """This process's prover and judge, made once."""
    if (prover, sandbox) not in _EQUIPMENT:
        from unsorry.judge import StrictJudge
        from unsorry.judge.sandbox import choose
        from unsorry.provers import registry

        _EQUIPMENT[prover, sandbox] = registry.make(prover, sandbox=sandbox), StrictJudge(confinement=choose(sandbox))
    return _EQUIPMENT[prover, sandbox]


def _lost(given: tuple[Problem, Settings]) -> Attempt:
    problem, settings = given
    verdict = Verdict(Status.UNDECIDED, LOST, "the worker process was killed twice; the machine may be short of memory")
    return Attempt(
        problem.id, settings.prover, "whole", "", verdict, Cost(), settings.seed, {"key": key(problem, settings)}
    )
