"""Rollouts of a real, small model: correction turns token by token, and nothing sampled twice after a kill."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from scripted_model import PREAMBLE, PROOFS, SUCC, ZERO
from unsorry import Attempt, Problem, Sampling, Verdict
from unsorry.judge.tiered import TieredJudge
from unsorry.pipeline.rollouts import Rollouts, rollouts
from unsorry.provers.formats import make
from unsorry.provers.journal import Journal
from unsorry.provers.local import LocalProver
from unsorry.scaffolds.correction import CorrectionTurns

os.environ["HF_HUB_OFFLINE"] = "1"
torch.set_num_threads(1)
PLAIN = make("plain")


@pytest.fixture(scope="module")
def model() -> tuple[Any, Any]:
    from unsorry.training.model import ModelShape, new_model
    from unsorry.training.tokenizer import train_tokenizer

    tokenizer = train_tokenizer([PREAMBLE, *PROOFS.values()], 300, 0)
    shape = ModelShape(layers=2, hidden=32, heads=2, kv_heads=1, intermediate=64, context=1024)
    return new_model(shape, tokenizer, 0), tokenizer


class Forwards:
    """Counts the forward passes of a model."""

    def __init__(self, model: Any) -> None:
        self.count = 0
        self.handle = model.register_forward_pre_hook(self._seen)

    def _seen(self, *_: object) -> None:
        self.count += 1


def roll(folder: Path, model: tuple[Any, Any], judge: Any) -> Rollouts:
    with Journal(folder / "answers.journal") as journal:
        prover = LocalProver(*model, PLAIN, id="tiny", version="tiny", max_tokens=24, journal=journal, training=True)
        scaffold = CorrectionTurns(PLAIN, Sampling(), rounds=3)
        return rollouts([ZERO, SUCC], scaffold, prover, judge, n=3, seed=1, folder=folder / "rollouts", chunk=1)


def test_turns_of_a_real_tokenizer_are_exact(tiered: TieredJudge, model: tuple[Any, Any], tmp_path: Path) -> None:
    attempts = list(roll(tmp_path, model, tiered))
    assert len(attempts) == 6 and any(len(a.turns) == 3 for a in attempts)
    for attempt in attempts:
        assert attempt.notes["forks"] == 0
        assert len(attempt.turns) == len(attempt.notes["rounds"]) or "ended" in attempt.notes
        for turn in attempt.turns:
            assert len(turn.logprobs) == len(turn.completion_ids) > 0
        for before, after in zip(attempt.turns, attempt.turns[1:], strict=False):
            seen = before.prompt_ids + before.completion_ids
            assert after.prompt_ids[: len(seen)] == seen
    assert len({a.turns[0].completion_ids for a in attempts}) > 1


def test_reencoding_the_text_would_not_be_exact(tiered: TieredJudge, model: tuple[Any, Any], tmp_path: Path) -> None:
    """What a stack trains on that keeps text and tokenises it again: other tokens than were sampled."""
    attempts = list(roll(tmp_path, model, tiered))
    naive = [
        PLAIN.encode(model[1], attempt.turns[1].messages) == attempt.turns[1].prompt_ids
        for attempt in attempts
        if len(attempt.turns) > 1
    ]
    assert naive and not all(naive)


class Killed(BaseException):
    """What ends the process, as far as the code under test can tell."""


class Until:
    """The judge, until it has been asked so many times for many."""

    def __init__(self, judge: TieredJudge, calls: int) -> None:
        self.tiered, self.calls = judge, calls

    def judge(self, problem: Problem, submission: str) -> Verdict:
        return self.tiered.judge(problem, submission)

    def diagnostics(self, problem: Problem, submission: str) -> Any:
        return self.tiered.diagnostics(problem, submission)

    def judge_many(self, items: Iterable[tuple[Problem, str]]) -> Iterator[Verdict]:
        if self.calls == 0:
            raise Killed
        self.calls -= 1
        return self.tiered.judge_many(items)


def test_answers_within_a_broken_chunk_are_not_sampled_again(
    tiered: TieredJudge, model: tuple[Any, Any], tmp_path: Path
) -> None:
    whole = Forwards(model[0])
    unbroken = roll(tmp_path / "whole", model, tiered)
    whole.handle.remove()
    broken = Forwards(model[0])
    for calls in (0, 1, 3, 1):  # killed judging first answers, a correction, the second chunk, a correction there
        with pytest.raises(Killed):
            roll(tmp_path / "broken", model, Until(tiered, calls))
    resumed = roll(tmp_path / "broken", model, tiered)
    broken.handle.remove()
    assert resumed.fingerprint == unbroken.fingerprint
    assert broken.count == whole.count > 0
    assert [strip(a) for a in resumed] == [strip(a) for a in unbroken]


def strip(attempt: Attempt) -> object:
    return attempt.problem, attempt.submission, attempt.turns, attempt.verdict.reason, attempt.notes
