"""Prove or disprove: a disproof is a proof of what Lean reads as the negation, judged as one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scripted_model import FALSE, PREAMBLE, PROOFS, REFUTATION, ZERO, ScriptedModel, problem
from unsorry import Problem, Status, UnsorryError
from unsorry.judge.certificate import verify
from unsorry.judge.tiered import TieredJudge
from unsorry.provers.formats import make
from unsorry.provers.formats.negation import negation
from unsorry.scaffolds.prove_or_disprove import ProveOrDisprove, certified_negations, disproves, proves

PLAIN = make("plain")
SAID = "<|disproof|>" + REFUTATION


def test_what_is_claimed_is_judged(tiered: TieredJudge) -> None:
    model = ScriptedModel(
        {
            "zero_add": [["<|proof|>" + PROOFS["zero_add"]], [SAID]],
            "add_self": [[SAID], ["<|proof|>by\n  induction a with\n  | z => rfl\n  | s n h => simp [add, h]"]],
        }
    )
    groups = ProveOrDisprove(PLAIN).attempt_many([ZERO, FALSE], model, tiered, n=2)
    claims = [[(a.notes["claim"], a.verdict.accepted) for a in group] for group in groups]
    assert claims == [[("proved", True), ("disproved", False)], [("disproved", True), ("proved", False)]]
    assert [proves(a) for a in groups[0]] == [True, False] and not any(disproves(a) for a in groups[0])
    assert disproves(groups[1][0]) and not proves(groups[1][0])
    assert len(model.asked) == 1


def test_a_disproof_is_certified_for_the_negation_and_not_for_the_statement(tiered: TieredJudge) -> None:
    model = ScriptedModel({"add_self": [[SAID]]})
    (attempt,) = ProveOrDisprove(PLAIN).attempt(FALSE, model, tiered)
    negated = negation(FALSE)
    assert negated is not None and attempt.verdict.certificate is not None
    assert attempt.problem == FALSE.id
    verify(attempt.verdict.certificate, negated, attempt.submission)
    with pytest.raises(UnsorryError):
        verify(attempt.verdict.certificate, FALSE, attempt.submission)
    assert not tiered.judge(FALSE, attempt.submission).accepted


def test_a_disproof_can_be_corrected(tiered: TieredJudge) -> None:
    model = ScriptedModel({"add_self": [["<|proof|>by rfl", "<|disproof|>by\n  intro h\n  exact h", SAID]]})
    (attempt,) = ProveOrDisprove(PLAIN, rounds=3).attempt(FALSE, model, tiered)
    assert [(r["claim"], r["status"]) for r in attempt.notes["rounds"]] == [
        ("proved", "rejected"),
        ("disproved", "rejected"),
        ("disproved", "accepted"),
    ]
    assert attempt.notes["forks"] == 0
    assert "h\nhas type\n  ∀ (a : N), add a a = a" in attempt.turns[2].messages[-1]["content"]  # the disproof's error


VARIABLE = replace(ZERO, id="variable", statement="variable (a : N)\ntheorem zero_add : add .z a = a := by sorry")
SHADOWED = replace(
    FALSE,
    id="shadowed",
    preamble=PREAMBLE + 'local macro (priority := high) "¬" t:term:max : term => `(True ∨ $t)\n',
)


@pytest.mark.parametrize("asked", [VARIABLE, SHADOWED], ids=lambda p: p.id)
def test_a_text_that_is_not_the_negation_is_not_used(tiered: TieredJudge, asked: Problem) -> None:
    text = negation(asked)
    assert text is not None  # the naive negation, by text alone
    assert certified_negations([asked], tiered) == [None]
    (attempt,) = ProveOrDisprove(PLAIN).attempt(asked, ScriptedModel({}), tiered)
    assert attempt.verdict.reason == "answer.unsupported" and attempt.verdict.status is Status.UNDECIDED


def test_the_naive_negation_would_have_been_proved(tiered: TieredJudge) -> None:
    text = negation(SHADOWED)
    assert text is not None
    assert tiered.judge(text, text.source.replace("by sorry", "Or.inl trivial")).accepted


def test_a_negation_may_be_given(tiered: TieredJudge) -> None:
    model = ScriptedModel({"add_self": [[SAID]]})
    asked: list[str] = []

    def known(asking: Problem) -> Problem | None:
        asked.append(asking.id)
        return negation(asking)

    scaffold = ProveOrDisprove(PLAIN, negation=known)
    assert disproves(scaffold.attempt(FALSE, model, tiered)[0])
    scaffold.attempt(FALSE, model, tiered)
    assert asked == ["add_self"]  # once
    other = ProveOrDisprove(PLAIN, negation=lambda p: problem("elsewhere", "(a : N) : add a a = a"))
    with pytest.raises(UnsorryError, match="must declare add_self_neg"):
        other.attempt(FALSE, model, tiered)
