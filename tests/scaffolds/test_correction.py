"""Correction turns: bounded, token-exact, for every kind of failure; Lean's real errors in the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pytest

from scripted_model import PROOFS, SUCC, ZERO, ScriptedModel
from unsorry import Completion, Problem, Prompt, Sampling, Status, Turn, UnsorryError, Verdict
from unsorry.judge.fast import FastJudge
from unsorry.judge.judge import StrictJudge
from unsorry.judge.tiered import TieredJudge
from unsorry.lean.process import Limits, Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.formats import Feedback, make
from unsorry.scaffolds.correction import CorrectionTurns
from unsorry.scaffolds.feedback import feedback

PLAIN = make("plain")
GOOD = PROOFS["zero_add"]


def test_a_failed_attempt_gets_lean_s_errors_and_another_turn(tiered: TieredJudge) -> None:
    model = ScriptedModel({"zero_add": [["by rfl", "by exact h", GOOD]]})
    (attempt,) = CorrectionTurns(PLAIN, rounds=4).attempt(ZERO, model, tiered)
    assert attempt.verdict.accepted and len(attempt.turns) == 3
    assert [r["reason"] for r in attempt.notes["rounds"]] == ["fast.error", "fast.error", "accepted"]
    asked = attempt.turns[1].messages[-1]["content"]
    assert asked.startswith("rfl: ") and "add N.z a" in asked  # what Lean said of this proof, where it stands
    assert "Unknown identifier `h`" in attempt.turns[2].messages[-1]["content"]
    assert model.asked[1][0][0].turn == attempt.turns[0]
    assert attempt.cost.tokens_out == sum(len(t.completion_ids) for t in attempt.turns)


def test_turns_are_token_exact(tiered: TieredJudge) -> None:
    model = ScriptedModel({"zero_add": [["by rfl", "by simp", GOOD]]})
    (attempt,) = CorrectionTurns(PLAIN, rounds=3).attempt(ZERO, model, tiered)
    for before, after in zip(attempt.turns, attempt.turns[1:], strict=False):
        shown = before.prompt_ids + before.completion_ids
        assert after.prompt_ids[: len(shown)] == shown
        assert len(after.prompt_ids) > len(shown)
    assert attempt.notes["forks"] == 0


def test_a_template_that_drops_earlier_turns_is_counted_as_forks(tiered: TieredJudge) -> None:
    """Qwen3's template drops earlier reasoning; stacks that take turn n+1 for an extension mask the wrong tokens."""
    model = ScriptedModel({"zero_add": [["by rfl", "by simp", GOOD]]}, broken=True)
    (attempt,) = CorrectionTurns(PLAIN, rounds=3).attempt(ZERO, model, tiered)
    assert attempt.notes["forks"] == 2

    def naive_mask(turns: Sequence[Turn]) -> tuple[int, ...]:
        """What a stack trains on that takes the last turn for the whole conversation and masks by positions."""
        row = turns[-1].prompt_ids + turns[-1].completion_ids
        start = len(turns[0].prompt_ids)
        return row[start : start + len(turns[0].completion_ids)]

    exact = ScriptedModel({"zero_add": [["by rfl", "by simp", GOOD]]})
    (sound,) = CorrectionTurns(PLAIN, rounds=3).attempt(ZERO, exact, tiered)
    assert naive_mask(sound.turns) == sound.turns[0].completion_ids
    assert naive_mask(attempt.turns) != attempt.turns[0].completion_ids


def test_rounds_bound_the_chain_and_batch_over_problems(tiered: TieredJudge) -> None:
    wrong = ["by rfl", "by simp", "by decide", "by omega"]
    model = ScriptedModel(
        {"zero_add": [wrong, ["by trivial", GOOD], [GOOD]], "succ_add": [["by trivial", "by rfl", PROOFS["succ_add"]]]}
    )
    groups = CorrectionTurns(PLAIN, rounds=3).attempt_many([ZERO, SUCC], model, tiered, n=3)
    assert [[len(a.turns) for a in group] for group in groups] == [[3, 2, 1], [3]]
    assert [[a.verdict.accepted for a in group] for group in groups] == [[False, True, True], [True]]
    assert [(len(prompts), n) for prompts, n, _ in model.asked] == [(2, 3), (3, 1), (2, 1)]  # a request a round
    assert len({seed for _, _, seed in model.asked}) == 3


def test_chains_that_wrote_the_same_are_asked_in_one_request_too(tiered: TieredJudge) -> None:
    model = ScriptedModel({"zero_add": [["by rfl", "by simp"], ["by rfl", "by simp"]]})
    CorrectionTurns(PLAIN, rounds=2).attempt(ZERO, model, tiered, n=2)
    assert [(len(prompts), n) for prompts, n, _ in model.asked] == [(1, 2), (2, 1)]


HANG = """by
  have h : f 70 = 0 := by decide +kernel
  exact absurd h (by omega)<|lemma|>set_option maxHeartbeats 0
set_option maxRecDepth 100000000
def f : Nat → Nat
  | 0 => 1
  | 1 => 1
  | n + 2 => f n + f (n + 1)
#eval f 70"""


def test_a_timed_out_attempt_is_corrected_too(embedded: Toolchain) -> None:
    """The release code of Goedel-Prover-V2 corrects only results with errors in them, which a time-out lacks."""
    limits = Limits(wall=2.0)
    strict = StrictJudge(embedded, Unconfined(), limits=limits)
    with TieredJudge(strict, FastJudge(embedded, Unconfined(), limits=limits)) as judge:
        model = ScriptedModel({"zero_add": [[HANG, GOOD], ["by rfl", GOOD]]})
        late, wrong = CorrectionTurns(PLAIN, rounds=2).attempt(ZERO, model, judge, n=2)
        naive = [text for text in (HANG, "by rfl") if judge.diagnostics(ZERO, PLAIN.extract(ZERO, text).source).errors]
    assert [(r["status"], r["reason"]) for r in late.notes["rounds"]] == [
        ("undecided", "compile.timeout"),
        ("accepted", "accepted"),
    ]
    assert late.turns[1].messages[-1]["content"] == "timeout"
    assert wrong.verdict.accepted
    assert naive == ["by rfl"]


class Undecided:
    """A judge that cannot decide the first submission it sees and asks another for the rest."""

    def __init__(self, judge: TieredJudge) -> None:
        self.judge_, self.first = judge, True

    def judge(self, problem: Problem, submission: str) -> Verdict:
        if self.first:
            self.first = False
            return Verdict(Status.UNDECIDED, "replay.resources", "the kernel gave up")
        return self.judge_.judge(problem, submission)

    def judge_many(self, items: Iterable[tuple[Problem, str]]) -> Iterator[Verdict]:
        return (self.judge(*item) for item in items)


def test_an_undecided_attempt_is_corrected_too(tiered: TieredJudge) -> None:
    model = ScriptedModel({"zero_add": [[GOOD, GOOD]]})
    (attempt,) = CorrectionTurns(PLAIN, rounds=2).attempt(ZERO, model, Undecided(tiered))
    assert [r["status"] for r in attempt.notes["rounds"]] == ["undecided", "accepted"]
    assert "the kernel gave up" in attempt.turns[1].messages[-1]["content"]


def test_an_answer_without_a_proof_gets_another_turn(tiered: TieredJudge) -> None:
    model = ScriptedModel({"zero_add": [["by sorry", GOOD]]})
    (attempt,) = CorrectionTurns(PLAIN, rounds=2).attempt(ZERO, model, tiered)
    assert [r["reason"] for r in attempt.notes["rounds"]] == ["answer.copied_statement", "accepted"]
    assert "defect" not in attempt.notes  # the last answer had none


class Stops(ScriptedModel):
    """Has no room for a second turn."""

    def _answers(self, prompt: Prompt, n: int) -> list[Completion]:
        found = super()._answers(prompt, n)
        if prompt.turn is None:
            return found
        return [replace(c, text="", turn=None, notes={"defect": "prompt_too_long"}) for c in found]


def test_a_chain_that_cannot_go_on_keeps_what_it_had(tiered: TieredJudge) -> None:
    model = Stops({"zero_add": [["by rfl", GOOD, GOOD]]})
    (attempt,) = CorrectionTurns(PLAIN, rounds=3).attempt(ZERO, model, tiered)
    assert attempt.verdict.reason == "fast.error" and len(attempt.turns) == 1
    assert attempt.notes["ended"] == "prompt_too_long"
    assert len(model.asked) == 2


def test_what_lean_said_before_it_was_stopped_is_not_told(tiered: TieredJudge) -> None:
    """It depends on the machine's load; a prompt must not."""
    submission = PLAIN.extract(ZERO, "by rfl").source
    stopped = Verdict(Status.UNDECIDED, "compile.timeout", "Lean did not finish within 2 s")
    said = feedback(tiered, ZERO, submission, stopped)
    assert said == Feedback(submission, "compile.timeout", stopped.message, (), timed_out=True, undecided=True)
    told = feedback(tiered, ZERO, submission, tiered.judge(ZERO, submission))
    assert told.errors[0].line == submission[: submission.index("by rfl")].count("\n") + 1
    assert not told.undecided


def test_rounds_below_one_are_refused() -> None:
    with pytest.raises(UnsorryError, match="at least one round"):
        CorrectionTurns(PLAIN, Sampling(), rounds=0)
