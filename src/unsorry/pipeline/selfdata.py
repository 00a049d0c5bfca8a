"""Training rows out of a model's own judged attempts: proofs that were accepted, and failures with their mended proofs.

Nothing is written by a person or another model and nothing is tokenised again: completions are the sampled tokens.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from unsorry import Attempt, Judge, Problem, Turn
from unsorry.pipeline.confirm import confirm, said
from unsorry.pipeline.failures import Failure, FailureConfig, failures
from unsorry.provers.formats import Format
from unsorry.scaffolds.feedback import feedback
from unsorry.scaffolds.prove_or_disprove import proves
from unsorry.training.masks import Row, rows_from_attempt, supervised_row


@dataclass(frozen=True, slots=True)
class SelfData:
    """Rows, and how many there are of each kind; `dropped` counts attempts by what was wrong with them."""

    proofs: tuple[Row, ...]
    corrections: tuple[Row, ...]
    problems: int
    dropped: Mapping[Failure, int]

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.proofs + self.corrections


def select(
    attempts: Iterable[Attempt],
    problems: Sequence[Problem],
    *,
    judge: Judge,
    format: Format,
    tokenizer: Any,
    per_problem: int,
    correction_share: float,
    limits: FailureConfig,
    seed: int,
    context: int = 0,
) -> SelfData:
    """At most `per_problem` different accepted proofs of each problem, and correction pairs beside them.

    A pair is a failed answer, Lean's error on it and an accepted proof of the same problem; there are as many as makes
    `correction_share` of all rows, if so many failures have an error to show.  A pair that is longer than the model's
    `context` in tokens (0: no limit) is left out and counted.  Raises UnsorryError for an attempt that says it was
    accepted and was not (confirm.py).
    """
    wanted = {problem.id: problem for problem in problems}
    by_problem: dict[str, list[Attempt]] = {}
    dropped: Counter[Failure] = Counter()
    for attempt in attempts:
        if attempt.problem not in wanted or not attempt.turns:
            continue
        kinds = failures(attempt, limits)
        dropped.update(kinds)
        if not kinds:
            by_problem.setdefault(attempt.problem, []).append(attempt)
    choose = random.Random(seed)  # noqa: S311
    drawn: list[Attempt] = []
    for name in sorted(by_problem):
        accepted = _distinct([a for a in by_problem[name] if proves(a)])
        drawn += choose.sample(accepted, min(per_problem, len(accepted)))
    confirmed = [a for a in confirm(drawn, wanted, judge) if proves(a)]
    said(confirmed, wanted, format, tokenizer)
    proofs: list[Row] = []
    pairs: list[tuple[Problem, Attempt, Attempt]] = []
    taught = 0
    for name, found in groupby(confirmed, key=lambda a: a.problem):
        tried, kept = by_problem[name], list(found)
        taught += 1
        for number, attempt in enumerate(kept):
            proofs += rows_from_attempt(attempt, key=f"{name}#{number}", train_on="last", logprobs=False)
        failed = _distinct([a for a in tried if not a.verdict.accepted and len(a.turns) == 1])
        choose.shuffle(failed)
        pairs += [(wanted[name], a, choose.choice(kept)) for a in failed[:per_problem]]
    choose.shuffle(pairs)
    count = round(len(proofs) * correction_share / (1 - correction_share)) if correction_share < 1 else len(pairs)
    corrections: list[Row] = []
    for problem, failure, fix in pairs:
        if len(corrections) >= count:
            break
        row = _pair(problem, failure, fix, judge, format, tokenizer)
        if row is None:
            continue
        if context and len(row.input_ids) > context:
            dropped[Failure.OVERLONG] += 1
            continue
        corrections.append(row)
    return SelfData(tuple(proofs), tuple(corrections), taught, dropped)


def _distinct(attempts: Iterable[Attempt]) -> list[Attempt]:
    """One attempt for each last answer, the first that was drawn."""
    seen: dict[tuple[int, ...], Attempt] = {}
    for attempt in attempts:
        seen.setdefault(attempt.turns[-1].completion_ids, attempt)
    return list(seen.values())


def _pair(problem: Problem, failure: Attempt, fix: Attempt, judge: Judge, format: Format, tokenizer: Any) -> Row | None:
    """The failed answer and its error as prompt, the accepted proof as completion; None where Lean named no error."""
    told = feedback(judge, problem, failure.submission, failure.verdict)
    if not told.errors:
        return None
    turn: Turn = failure.turns[-1]
    messages = format.correction(problem, turn.messages or format.messages(problem), turn.text, told, 1)
    prompt = format.encode(tokenizer, messages, turn)
    key = f"{problem.id}#{failure.seed}.{failure.notes.get('sample', 0)}"
    return supervised_row(prompt, fix.turns[-1].completion_ids, group=problem.id, key=key)
