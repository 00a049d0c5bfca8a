"""One batch of on-policy reinforcement learning: which tasks, their rollouts, rewards, advantages, training rows."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from unsorry import Attempt, Judge, Problem, Prover
from unsorry.pipeline.canaries import Canaries
from unsorry.pipeline.confirm import confirm, said
from unsorry.pipeline.reward import FORMAT_PART, RewardParts, reward
from unsorry.pipeline.rollouts import BatchScaffold, rollouts
from unsorry.provers.formats.negation import negation
from unsorry.training.advantages import Scale, group_advantages, group_index
from unsorry.training.masks import Row, rows_from_attempt
from unsorry.training.tripwires import StepMetrics

PROOF = "proof"  # the exercise that canaries ride in


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of exercise: its scaffold, its problems, its share of the batch."""

    name: str
    scaffold: BatchScaffold
    problems: tuple[Problem, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows to train on, and what the rollouts were worth."""

    rows: tuple[Row, ...]
    attempts: int
    groups: int
    zero_variance: int  # groups whose rewards were all equal: skipped
    reward: float
    reward_format: float
    accepted: float
    length: float  # completion tokens of an attempt
    truncated: float
    by_task: Mapping[str, float]  # share of accepted attempts
    seen: tuple[tuple[str, str, int, int], ...]  # task, problem, samples, accepted

    def measured(self, metrics: StepMetrics, held_out: float | None = None) -> StepMetrics:
        """The metrics of an update with those of its rollouts."""
        return replace(
            metrics,
            reward=self.reward,
            reward_format=self.reward_format,
            reward_verified=self.accepted,
            length=self.length,
            truncated_fraction=self.truncated,
            held_out=held_out,
        )


def draw(tasks: Sequence[Task], count: int, step: int, seed: int) -> dict[str, list[Problem]]:
    """`count` problems for a step, by the tasks' shares; each task goes through its problems in shuffled epochs."""
    shares = allocate([task.share for task in tasks], count)
    return {
        task.name: [task.problems[i] for i in _epochs(len(task.problems), step * n, n, f"{seed}/{task.name}")]
        for task, n in zip(tasks, shares, strict=True)
        if n
    }


def allocate(shares: Sequence[float], count: int) -> list[int]:
    """`count` split by shares that sum to 1, by largest remainder."""
    exact = [share * count for share in shares]
    parts = [math.floor(value) for value in exact]
    for index in sorted(range(len(parts)), key=lambda i: (parts[i] - exact[i], i))[: count - sum(parts)]:
        parts[index] += 1
    return parts


def _epochs(size: int, start: int, count: int, seed: str) -> Iterator[int]:
    """Places `start` to `start + count` of an endless walk through range(size), shuffled anew each time round."""
    for place in range(start, start + min(count, size)):
        epoch, offset = divmod(place, size)
        order = list(range(size))
        random.Random(f"{seed}/{epoch}").shuffle(order)  # noqa: S311
        yield order[offset]


def collect(
    tasks: Sequence[Task],
    chosen: Mapping[str, Sequence[Problem]],
    canaries: Canaries,
    prover: Prover,
    judge: Judge,
    *,
    n: int,
    canary_count: int,
    seed: int,
    folder: Path,
    scale: Scale,
    format_part: float = FORMAT_PART,
    chunk: int = 64,
) -> Batch:
    """Rollouts of a step and what they teach.

    Raises CanaryAccepted if the judge accepted something false, UnsorryError if stored rollouts were edited: whatever
    they say was accepted is judged again before it earns anything.
    """
    rewarded: list[tuple[str, Attempt, RewardParts]] = []
    for task in tasks:
        problems = list(dict.fromkeys(chosen.get(task.name, ())))
        if not problems:
            continue
        if task.name == PROOF:
            problems = canaries.mix(problems, count=canary_count, seed=seed)
        found = rollouts(problems, task.scaffold, prover, judge, n=n, seed=seed, folder=folder / task.name, chunk=chunk)
        drawn = list(found)
        canaries.inspect(drawn, folder / "incidents")
        known = {problem.id: problem for problem in problems}
        drawn = confirm(drawn, known, judge, scaffold=task.scaffold)
        format, tokenizer = (getattr(prover, name, None) for name in ("format", "tokenizer"))
        if format is not None and tokenizer is not None:
            said(drawn, known, format, tokenizer)
        asked = {problem.id for problem in chosen[task.name]}  # a false statement may be there to be disproved
        negate = getattr(task.scaffold, "negation", negation)
        rewarded += [
            (task.name, attempt, reward(attempt, known[attempt.problem], format_part=format_part, negate=negate))
            for attempt in drawn
            if attempt.problem in asked
        ]
    return _batch(rewarded, prover, scale)


def _batch(rewarded: Sequence[tuple[str, Attempt, RewardParts]], prover: Prover, scale: Scale) -> Batch:
    rewarded = [entry for entry in rewarded if entry[1].turns]  # what was never asked has no tokens
    attempts = [(task, attempt) for task, attempt, _ in rewarded]
    parts = [part for _, _, part in rewarded]
    keys = [f"{task}/{attempt.problem}" for task, attempt in attempts]
    rewards = torch.tensor([part.total for part in parts], dtype=torch.float64)
    found = group_advantages(rewards, group_index(keys), scale=scale)
    rows: list[Row] = []
    for number, ((_, attempt), key) in enumerate(zip(attempts, keys, strict=True)):
        if bool(found.informative[number]):  # the outcome is every completion token's, of every turn
            rows += rows_from_attempt(
                attempt, float(found.advantages[number]), key=f"{key}#{number}", group=key, model=prover.id
            )
    count = max(1, len(attempts))
    tasks = sorted({task for task, _ in attempts})
    accepted = [part.verified > 0 for part in parts]
    return Batch(
        rows=tuple(rows),
        attempts=len(attempts),
        groups=found.groups,
        zero_variance=found.zero_variance_groups,
        reward=sum(part.total for part in parts) / count,
        reward_format=sum(part.format for part in parts) / count,
        accepted=sum(accepted) / count,
        length=sum(len(turn.completion_ids) for _, a in attempts for turn in a.turns) / count,
        truncated=sum(any(turn.finish == "length" for turn in a.turns) for _, a in attempts) / count,
        by_task={
            task: sum(ok for (name, _), ok in zip(attempts, accepted, strict=True) if name == task)
            / sum(name == task for name, _ in attempts)
            for task in tasks
        },
        seen=_seen(attempts, accepted),
    )


def _seen(attempts: Sequence[tuple[str, Attempt]], accepted: Sequence[bool]) -> tuple[tuple[str, str, int, int], ...]:
    counts: dict[tuple[str, str], list[int]] = {}
    for (task, attempt), ok in zip(attempts, accepted, strict=True):
        entry = counts.setdefault((task, attempt.problem), [0, 0])
        entry[0] += 1
        entry[1] += ok
    return tuple((task, problem, n, c) for (task, problem), (n, c) in counts.items())
