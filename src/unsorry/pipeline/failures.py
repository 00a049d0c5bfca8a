"""What is wrong with an attempt as training data, by kind; a filter counts what it drops, and why."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from unsorry import Attempt, Turn, UnsorryError
from unsorry.scaffolds import DEFECT, NO_PROOF

GRAM, PERIODS = 8, 8  # tokens of an n-gram; periods that are tried


class Failure(StrEnum):
    NO_PROOF = "no_proof"  # the answer holds no submission
    COPIED_STATEMENT = "copied_statement"  # it repeats the statement with its sorry
    REPETITION = "repetition"  # it goes round in a loop
    OVERLONG = "overlong"  # it was cut off, or is longer than the limit
    UNUSED_ERROR = "unused_error"  # a correction hands in the very proof that the error was about


@dataclass(frozen=True, slots=True)
class FailureConfig:
    """Lengths are in tokens, in words where a turn has no token ids.

    A loop is a block of at most `period` that stands at least `repeats` times in a row and makes up at least `share`
    of the answer and `loop` of its tokens.  Proofs repeat themselves honestly (`simp` in every case of an induction):
    all of the conditions must hold.
    """

    max_tokens: int = 0  # of one turn's completion; 0: no limit but the sampler's
    period: int = 4096
    repeats: int = 4
    share: float = 0.3
    loop: int = 48


DEFAULT = FailureConfig()


def failures(attempt: Attempt, config: FailureConfig = DEFAULT) -> tuple[Failure, ...]:
    """The kinds of failure of an attempt, in the order of `Failure`; () for data to train on.

    Says nothing about whether the proof is right: that is the verdict's.
    """
    if config.period < 1 or config.repeats < 2:
        raise UnsorryError("a loop has a period of at least 1 and is repeated at least twice")
    found: set[Failure] = set()
    reason = attempt.verdict.reason
    if reason == DEFECT + Failure.COPIED_STATEMENT:
        found.add(Failure.COPIED_STATEMENT)
    elif not attempt.submission or reason in (DEFECT + "no_proof", NO_PROOF):
        found.add(Failure.NO_PROOF)
    for turn in attempt.turns:
        tokens = _tokens(turn)
        if turn.finish == "length" or (config.max_tokens and len(tokens) > config.max_tokens):
            found.add(Failure.OVERLONG)
        if loops(tokens, config):
            found.add(Failure.REPETITION)
    if unused_error(attempt):
        found.add(Failure.UNUSED_ERROR)
    return tuple(kind for kind in Failure if kind in found)


def sift(attempts: Iterable[Attempt], config: FailureConfig = DEFAULT) -> tuple[list[Attempt], Counter[Failure]]:
    """(the attempts without failure, how many have each kind); an attempt with two kinds counts in both."""
    kept: list[Attempt] = []
    counts: Counter[Failure] = Counter()
    for attempt in attempts:
        kinds = failures(attempt, config)
        counts.update(kinds)
        if not kinds:
            kept.append(attempt)
    return kept, counts


def loops(tokens: Sequence[object], config: FailureConfig = DEFAULT) -> bool:
    """Whether a block is repeated again and again; linear in the number of tokens.

    Where a block repeats, equal n-grams stand a period apart: the most frequent distances are tried as periods.
    """
    size = len(tokens)
    least = max(config.loop, config.share * size)
    for period in _distances(tokens, min(config.period, size // config.repeats)):
        run = 0  # tokens in a row that equal the one a period before
        for same in map(operator.eq, tokens[period:], tokens):
            run = run + 1 if same else 0
            if run and run + period >= max(least, config.repeats * period):
                return True
    return False


def _distances(tokens: Sequence[object], most: int) -> list[int]:
    """The most frequent distances, up to `most`, between an n-gram and the one before it that is equal."""
    last: dict[tuple[object, ...], int] = {}
    counts: Counter[int] = Counter()
    for at in range(len(tokens) - GRAM + 1):
        gram = tuple(tokens[at : at + GRAM])
        distance = at - last.get(gram, at)
        last[gram] = at
        if 0 < distance <= most:
            counts[distance] += 1
    return [distance for distance, _ in counts.most_common(PERIODS)]


def unused_error(attempt: Attempt) -> bool:
    """Whether a correction turn handed in a proof that had failed before, comments aside."""
    seen: set[str] = set()
    for turn in attempt.notes.get("rounds", ()):
        digest = str(turn.get("proof", ""))
        if digest and digest in seen:
            return True
        seen.add(digest)
    return False


def _tokens(turn: Turn) -> Sequence[object]:
    return turn.completion_ids or turn.text.split()
