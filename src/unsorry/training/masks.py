"""From attempts to training rows: the sampled tokens as they were sampled, and which of them the loss is about.

A row is one token sequence.  `loss_mask[t]` is about `input_ids[t]` as a predicted token: true for tokens the model
sampled, false for prompts, tool output and feedback.  Nothing is tokenised again: ids and sampler log-probabilities
are those of the `Turn`s.  Where a later turn does not extend the earlier one token by token (chat templates that drop
earlier reasoning, as Qwen3's does), the attempt becomes several rows, each exactly what the model was shown.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from unsorry import Attempt, Turn, UnsorryError

_ROUNDING = 1e-3  # samplers report log-probabilities that are above 0 by a rounding error


@dataclass(frozen=True, slots=True)
class Row:
    """One sequence of tokens to train on; token fields of equal length, log-probabilities 0.0 outside the mask."""

    input_ids: tuple[int, ...]
    loss_mask: tuple[bool, ...]
    sampler_logprobs: tuple[float, ...]
    advantage: float = 1.0
    group: str = ""  # whose attempts are compared: the problem, or the problem at one turn
    attempt: str = ""  # key of the attempt it came from
    fork: int = 0  # number of the row within its attempt
    truncated: bool = False  # a sampled part of it was cut off before an end token

    def __post_init__(self) -> None:
        if not len(self.input_ids) == len(self.loss_mask) == len(self.sampler_logprobs):
            lengths = f"{len(self.input_ids)} ids, {len(self.loss_mask)} mask, {len(self.sampler_logprobs)} logprobs"
            raise ValueError(f"row {self.attempt!r}: {lengths}")
        if self.loss_mask and self.loss_mask[0]:
            raise UnsorryError(
                f"row {self.attempt!r}: nothing stands before its first token to predict it from; start with a"
                " prompt or an opening token"
            )

    @property
    def loss_tokens(self) -> int:
        return sum(self.loss_mask)


@dataclass(frozen=True, slots=True)
class RowCounts:
    """What a set of rows holds, for the ledger."""

    attempts: int
    rows: int
    forks: int  # rows beyond one per attempt: turns that did not extend the turn before
    truncated: int  # rows
    without_loss: int  # rows
    tokens: int
    loss_tokens: int


def rows_from_attempt(
    attempt: Attempt,
    advantage: float = 1.0,
    *,
    key: str = "",
    group: str = "",
    train_on: Literal["all", "last"] = "all",
    truncated: Literal["keep", "mask"] = "keep",
    end_ids: Collection[int] = (),
    model: str = "",
    logprobs: bool = True,
) -> list[Row]:
    """The rows of one attempt, oldest turn first; [] if nothing was sampled.

    `train_on`: completions of all turns, or of the last one alone (supervised training on a correction must not teach
    the mistake).  `truncated="mask"` takes the tokens of cut-off turns out of the loss.  `end_ids`: all end tokens of
    the model; given, a turn is cut off exactly if its last token is none of them, whatever its label says.  `model`:
    the weights that must have sampled (`Turn.model`).  `logprobs=False` accepts turns without log-probabilities, for
    supervised training.

    Raises UnsorryError for turns without tokens (an endpoint's), for log-probabilities that are missing or impossible,
    and for turns that other weights sampled.
    """
    key = key or f"{attempt.problem}#{attempt.seed}"
    sampled = [number for number, turn in enumerate(attempt.turns) if _sampled(turn, key, number, model, logprobs)]
    chains: list[list[int]] = []
    for number in sampled:
        if chains and _extends(attempt.turns[chains[-1][-1]], attempt.turns[number]):
            chains[-1].append(number)
        else:
            chains.append([number])
    learned = set(sampled if train_on == "all" else sampled[-1:])
    rows: list[Row] = []
    for chain in chains:
        if not learned.intersection(chain):
            continue
        turns = [attempt.turns[number] for number in chain]
        cut = [is_truncated(turn, end_ids) for turn in turns]
        in_loss = [n in learned and not (c and truncated == "mask") for n, c in zip(chain, cut, strict=True)]
        row = _row(turns, in_loss, logprobs)
        cut_off = any(c and n in learned for n, c in zip(chain, cut, strict=True))
        group_key = group or attempt.problem
        rows.append(replace(row, advantage=advantage, group=group_key, attempt=key, fork=len(rows), truncated=cut_off))
    return rows


def supervised_row(
    prompt_ids: Sequence[int], completion_ids: Sequence[int], *, weight: float = 1.0, group: str = "", key: str = ""
) -> Row:
    """A row whose completion nobody sampled: a demonstration, or text to model when the prompt is its opening token."""
    length = len(prompt_ids) + len(completion_ids)
    mask = (False,) * len(prompt_ids) + (True,) * len(completion_ids)
    ids = (*prompt_ids, *completion_ids)
    return Row(ids, mask, (0.0,) * length, advantage=weight, group=group, attempt=key)


def is_truncated(turn: Turn, end_ids: Collection[int] = ()) -> bool:
    """Whether the completion was cut off: by its last token if all end tokens are given, otherwise by its label."""
    if end_ids:
        return not turn.completion_ids or turn.completion_ids[-1] not in end_ids
    return turn.finish != "stop"


def without_truncated(rows: Iterable[Row]) -> list[Row]:
    """The rows with the cut-off ones emptied of loss tokens.

    They keep their place, their group and their advantage: rows are never dropped before groups are formed, so a group
    is compared by its key and not by its position.
    """
    return [replace(row, loss_mask=(False,) * len(row.loss_mask)) if row.truncated else row for row in rows]


def count(rows: Sequence[Row]) -> RowCounts:
    attempts = len({row.attempt for row in rows})
    return RowCounts(
        attempts=attempts,
        rows=len(rows),
        forks=len(rows) - attempts,
        truncated=sum(row.truncated for row in rows),
        without_loss=sum(not any(row.loss_mask) for row in rows),
        tokens=sum(len(row.input_ids) for row in rows),
        loss_tokens=sum(row.loss_tokens for row in rows),
    )


def _sampled(turn: Turn, key: str, number: int, model: str, logprobs: bool) -> bool:
    """Whether the turn holds sampled tokens; raises if it cannot be trained on as it is."""
    where = f"attempt {key}, turn {number + 1}"
    if not turn.completion_ids:
        if turn.text:
            raise UnsorryError(
                f"{where}: text without token ids (an endpoint gave none); it can be judged, not trained on"
            )
        return False
    if not turn.prompt_ids:
        raise UnsorryError(
            f"{where}: completion without the ids of its prompt; sample it again with a prover that keeps them"
        )
    if model and turn.model != model:
        raise UnsorryError(
            f"{where}: sampled by weights {turn.model or 'unknown'}, not by {model}; load the current weights into"
            " the sampler and sample again"
        )
    if not logprobs:
        return True
    if len(turn.logprobs) != len(turn.completion_ids):
        raise UnsorryError(
            f"{where}: {len(turn.completion_ids)} sampled tokens but {len(turn.logprobs)} log-probabilities;"
            " sample it again"
        )
    impossible = next((p for p in turn.logprobs if not math.isfinite(p) or p > _ROUNDING), None)
    if impossible is not None:
        raise UnsorryError(f"{where}: a sampled token has log-probability {impossible}; the sampler is at fault")
    return True


def _extends(earlier: Turn, later: Turn) -> bool:
    """Whether `later` was shown exactly what `earlier` was shown and sampled, then more."""
    context = earlier.prompt_ids + earlier.completion_ids
    return later.prompt_ids[: len(context)] == context


def _row(turns: Sequence[Turn], in_loss: Sequence[bool], logprobs: bool) -> Row:
    ids: list[int] = []
    mask: list[bool] = []
    values: list[float] = []
    for turn, learn in zip(turns, in_loss, strict=True):
        shown = len(turn.prompt_ids) - len(ids)  # what was added since the turn before
        ids += [*turn.prompt_ids[len(ids) :], *turn.completion_ids]
        mask += [False] * shown + [learn] * len(turn.completion_ids)
        values += [0.0] * shown
        values += turn.logprobs if learn and logprobs else [0.0] * len(turn.completion_ids)
    return Row(tuple(ids), tuple(mask), tuple(values))
