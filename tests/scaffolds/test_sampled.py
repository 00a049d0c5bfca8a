"""Samples of a model: all of them judged, by the real judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from scripted_model import FALSE, PROOFS, SUCC, ZERO, ScriptedModel
from unsorry import Completion, Problem, Prompt, Sampling, Status, UnsorryError, Verdict
from unsorry.judge.tiered import TieredJudge
from unsorry.provers.formats import Unsupported, make
from unsorry.provers.scripted import ScriptedProver
from unsorry.scaffolds import NO_PROOF
from unsorry.scaffolds.sampled import SampledProof

PLAIN = make("plain")


def test_all_samples_are_judged_after_an_accepted_one_too(tiered: TieredJudge) -> None:
    model = ScriptedModel({"zero_add": [[PROOFS["zero_add"]], ["by rfl"], [PROOFS["zero_add"]], ["by omega"]]})
    attempts = SampledProof(PLAIN).attempt(ZERO, model, tiered, n=4)
    assert [a.verdict.status for a in attempts] == ["accepted", "rejected", "accepted", "rejected"]
    assert [a.notes["sample"] for a in attempts] == [0, 1, 2, 3]
    assert attempts[0].turns[0].completion_ids[-1] == 256
    assert attempts[0].submission == ZERO.source.replace("by sorry", PROOFS["zero_add"])


def test_one_request_serves_all_problems(tiered: TieredJudge) -> None:
    model = ScriptedModel({name: [[proof], ["by rfl"]] for name, proof in PROOFS.items()})
    groups = SampledProof(PLAIN).attempt_many([ZERO, SUCC], model, tiered, n=2, sampling=Sampling(seed=9))
    assert [(len(prompts), n, seed) for prompts, n, seed in model.asked] == [(2, 2, 9)]
    assert [[a.problem for a in group] for group in groups] == [["zero_add"] * 2, ["succ_add"] * 2]
    assert [[a.verdict.accepted for a in group] for group in groups] == [[True, False], [True, False]]
    assert all(a.seed == 9 for group in groups for a in group)


class NeverAsked:
    """A judge that must not be reached."""

    def judge(self, problem: Problem, submission: str) -> Verdict:
        raise AssertionError("asked")

    def judge_many(self, items: Iterable[tuple[Problem, str]]) -> Iterator[Verdict]:
        for _ in items:
            raise AssertionError("asked")
        yield from ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "answer.no_proof"),
        ("by sorry", "answer.copied_statement"),
        ("by\n  induction a\n  · rfl\n  · sorry", "answer.sorry"),
        ("by /- ", "answer.unparsable"),
        ("<|disproof|>by\n  intro h\n  exact h", "answer.no_proof"),
    ],
)
def test_an_answer_without_a_proof_is_rejected_unjudged(text: str, reason: str) -> None:
    model = ScriptedModel({"zero_add": [[text]]})
    (attempt,) = SampledProof(PLAIN).attempt(ZERO, model, NeverAsked(), n=1)
    assert attempt.verdict.status is Status.REJECTED
    assert attempt.verdict.reason == reason
    assert attempt.turns[0].text == text  # kept: it has a reward, and it is none of the proofs


def test_a_prover_without_turns_is_taken_at_its_word(tiered: TieredJudge) -> None:
    proved = PLAIN.extract(ZERO, PROOFS["zero_add"]).source
    prover = ScriptedProver({"zero_add": [{"text": proved}, {"text": ""}, "rfl"]})
    attempts = SampledProof(PLAIN).attempt(ZERO, prover, tiered, n=3)
    assert [a.verdict.reason for a in attempts] == ["accepted", "answer.no_proof", "fast.error"]
    assert not any(a.turns for a in attempts)


def test_a_prover_that_says_nothing_leaves_one_undecided_attempt(tiered: TieredJudge) -> None:
    (attempt,) = SampledProof().attempt(FALSE, ScriptedProver({}), tiered, n=4)
    assert attempt.verdict.reason == NO_PROOF and attempt.verdict.status is Status.UNDECIDED


def test_a_problem_that_the_format_cannot_put_costs_nothing_and_rejects_nothing() -> None:
    two = Problem("two", "theorem a : True := by sorry\ntheorem b : True := by sorry", ("a", "b"))
    with pytest.raises(Unsupported):
        PLAIN.messages(two)
    model = ScriptedModel({})
    attempts = SampledProof(PLAIN).attempt(two, model, NeverAsked(), n=3)
    assert [a.verdict.reason for a in attempts] == ["answer.unsupported"] * 3
    assert all(a.verdict.status is Status.UNDECIDED for a in attempts)
    assert model.asked == []


class Dead:
    """A prover whose model gives no answer."""

    id = "dead"

    def propose(self, prompts: list[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        return [[Completion("", notes={"defect": "prompt_too_long"})] * n for _ in prompts]


def test_an_answer_that_was_never_given_is_undecided() -> None:
    attempts = SampledProof(PLAIN).attempt(ZERO, Dead(), NeverAsked(), n=2)
    assert [a.verdict.reason for a in attempts] == ["answer.prompt_too_long"] * 2
    assert all(a.verdict.status is Status.UNDECIDED for a in attempts)


def test_prover_and_scaffold_speak_one_format(tiered: TieredJudge) -> None:
    model = ScriptedModel({"zero_add": [["by rfl"]]}, make("goedel"))
    with pytest.raises(UnsorryError, match=r'reads answers in format "goedel".*asks in "plain"'):
        SampledProof(PLAIN).attempt(ZERO, model, tiered, n=1)
    assert model.asked == []
