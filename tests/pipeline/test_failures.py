"""Failure modes of training data, by kind: each is found, and honest proofs that look like them are not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripted_model import PROOFS, ZERO, ScriptedModel
from unsorry import Attempt, UnsorryError
from unsorry.judge.tiered import TieredJudge
from unsorry.pipeline.failures import Failure, FailureConfig, failures, loops, sift, unused_error
from unsorry.provers.formats import make
from unsorry.scaffolds.correction import CorrectionTurns
from unsorry.scaffolds.sampled import SampledProof

PLAIN = make("plain")
GOOD = PROOFS["zero_add"]
LOOP = GOOD + "\n  " + "-- so we see that the claim holds\n  " * 8
REPETITIVE = "by\n  cases a with\n" + "\n".join(f"  | c{i} => simp [add, h{i}, succ_add]" for i in range(12))


@pytest.fixture(scope="module")
def attempts(tiered: TieredJudge) -> dict[str, Attempt]:
    texts = {"proof": GOOD, "nothing": "", "copied": "by sorry", "loop": LOOP, "wrong": "by rfl"}
    model = ScriptedModel({"zero_add": [[text] for text in texts.values()]})
    return dict(zip(texts, SampledProof(PLAIN).attempt(ZERO, model, tiered, n=len(texts)), strict=True))


@pytest.mark.parametrize(
    ("case", "kinds"),
    [
        ("proof", ()),
        ("wrong", ()),  # wrong, but not of a kind that a filter is for
        ("nothing", (Failure.NO_PROOF,)),
        ("copied", (Failure.COPIED_STATEMENT,)),
        ("loop", (Failure.REPETITION,)),
    ],
)
def test_each_kind_is_found(attempts: dict[str, Attempt], case: str, kinds: tuple[Failure, ...]) -> None:
    assert failures(attempts[case]) == kinds


def test_an_accepted_proof_can_be_bad_data(attempts: dict[str, Attempt]) -> None:
    """A filter that keeps what the judge accepts keeps the loop."""
    naive = [name for name, attempt in attempts.items() if attempt.verdict.accepted]
    kept, counts = sift(attempts.values())
    assert naive == ["proof", "loop"]
    assert [a.submission for a in kept if a.verdict.accepted] == [attempts["proof"].submission]
    assert counts == Counter({Failure.NO_PROOF: 1, Failure.COPIED_STATEMENT: 1, Failure.REPETITION: 1})


def test_overlong_is_cut_off_or_beyond_the_limit(attempts: dict[str, Attempt]) -> None:
    good = attempts["proof"]
    size = len(good.turns[0].completion_ids)
    assert failures(good, FailureConfig(max_tokens=size)) == ()
    assert failures(good, FailureConfig(max_tokens=size - 1)) == (Failure.OVERLONG,)
    cut = replace(good, turns=(replace(good.turns[0], finish="length"),))
    assert failures(cut) == (Failure.OVERLONG,)


def test_a_correction_that_hands_in_the_same_proof_does_not_use_the_error(tiered: TieredJudge) -> None:
    model = ScriptedModel({"zero_add": [["by rfl", "by rfl -- now right", GOOD], ["by omega", "by\n  omega", GOOD]]})
    same, new = CorrectionTurns(PLAIN, rounds=3).attempt(ZERO, model, tiered, n=2)
    assert same.verdict.accepted and new.verdict.accepted
    assert same.turns[0].text != same.turns[1].text  # the answers differ, the proofs do not
    assert unused_error(same) and failures(same) == (Failure.UNUSED_ERROR,)
    assert failures(new) == ()


def test_two_answers_without_a_proof_are_not_the_same_proof(tiered: TieredJudge) -> None:
    model = ScriptedModel({"zero_add": [["", "", GOOD]]})
    (attempt,) = CorrectionTurns(PLAIN, rounds=3).attempt(ZERO, model, tiered)
    assert not unused_error(attempt)


def test_proofs_that_repeat_themselves_honestly_are_no_loops() -> None:
    assert not loops(REPETITIVE.encode())
    assert not loops(("by\n" + "  simp\n" * 6).encode())  # short
    assert loops(("by\n" + "  simp\n" * 60).encode())
    assert not loops(())


def test_a_paragraph_again_and_again_is_a_loop_too() -> None:
    paragraph = [(i * i) % 997 for i in range(450)]
    assert loops([*range(2000, 4000), *paragraph * 5, 7])
    assert not loops([*range(2000, 4000), *paragraph * 3, 7])
    inner = [*range(30), *range(30), *range(100, 200)]  # a block that repeats itself within
    assert loops(inner * 6)


@given(st.lists(st.integers(0, 50), min_size=3, max_size=12), st.integers(20, 30), st.integers(0, 40))
def test_a_block_again_and_again_is_a_loop(block: list[int], times: int, lead: int) -> None:
    assert loops([*range(100, 100 + lead), *block * times])


@given(st.permutations(range(200)))
def test_what_never_repeats_is_none(tokens: list[int]) -> None:
    assert not loops(tokens)


def test_a_setting_that_finds_nothing_or_everything_is_refused(attempts: dict[str, Attempt]) -> None:
    with pytest.raises(UnsorryError, match="repeated at least twice"):
        failures(attempts["proof"], FailureConfig(repeats=1))
