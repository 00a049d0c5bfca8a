"""Training rows out of an agent's own runs: those whose result the judge accepts now, token by token.

The counterpart of selfdata.py for trajectories (docs/trajectories.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unsorry import Judge, Problem, Turn, UnsorryError
from unsorry.scaffolds.agent.sft_rows import attempt
from unsorry.scaffolds.agent.trajectory import Trajectory
from unsorry.training.masks import Row, rows_from_attempt


@dataclass(frozen=True, slots=True)
class Run:
    """A run at a problem, and the complete Lean source that it ended with."""

    trajectory: Trajectory
    problem: Problem
    submission: str


@dataclass(frozen=True, slots=True)
class AgentData:
    """Rows, and how many runs or rows were left out for which reason."""

    rows: tuple[Row, ...]
    runs: int
    dropped: Mapping[str, int]


def select(runs: Sequence[Run], *, judge: Judge, tokenizer: Any, model: str = "", context: int = 0) -> AgentData:
    """Rows of the runs whose submission `judge` accepts; all answers are learned but those that were cut off or whose
    calls were malformed.

    `model`: the weights that must have sampled.  A row of more than `context` tokens (0: no limit) is left out: what it
    was shown cannot be shown again.  Raises UnsorryError for a run whose tokens do not say its texts.
    """
    rows: list[Row] = []
    dropped: Counter[str] = Counter()
    taught = 0
    verdicts = judge.judge_many((run.problem, run.submission) for run in runs)
    for number, (run, verdict) in enumerate(zip(runs, verdicts, strict=True)):
        if not verdict.accepted:
            dropped[f"judged {verdict.status.value}"] += 1
            continue
        made = attempt(run.trajectory, problem=run.problem.id, submission=run.submission, verdict=verdict, faulty=False)
        if not made.turns:
            dropped["without tokens"] += 1
            continue
        key = f"{run.problem.id}#{run.trajectory.header.get('id') or number}"
        _said(made.turns, tokenizer, key)
        found = rows_from_attempt(made, key=key, truncated="mask", model=model, logprobs=False)
        kept = [row for row in found if row.loss_tokens and not (context and len(row.input_ids) > context)]
        dropped["rows without loss or too long"] += len(found) - len(kept)
        rows += kept
        taught += bool(kept)
    return AgentData(tuple(rows), taught, +dropped)


def _said(turns: Sequence[Turn], tokenizer: Any, key: str) -> None:
    """Raises UnsorryError unless the tokens of each turn are its text: a file can be edited."""
    for number, turn in enumerate(turns, 1):
        ids = list(turn.completion_ids)
        texts = {
            tokenizer.decode(part, skip_special_tokens=False, clean_up_tokenization_spaces=False)
            for part in (ids, ids[:-1])  # with what ended it, or without
        }
        if turn.text not in texts:
            raise UnsorryError(
                f"the run {key} does not say what its tokens say, at turn {number}: its file was edited, or another "
                "tokenizer made it; leave it out"
            )
