"""Rows hold what was sampled, token by token; everything else stays out of the loss."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import Attempt, Status, Turn, UnsorryError, Verdict
from unsorry.training.masks import Row, count, is_truncated, rows_from_attempt, supervised_row, without_truncated

VERDICT = Verdict(Status.REJECTED, "compile.error", "no")
END = 2


def attempt(*turns: Turn, seed: int = 0) -> Attempt:
    return Attempt("p", "prover", "scaffold", "", VERDICT, seed=seed, turns=turns)


def turn(prompt: Sequence[int], completion: Sequence[int], finish: str = "stop", model: str = "m1") -> Turn:
    logprobs = tuple(-0.25 * (i + 1) for i in range(len(completion)))
    text = "t" if completion else ""
    return Turn(tuple(prompt), tuple(completion), logprobs, text=text, finish=finish, model=model)


def test_one_turn() -> None:
    (row,) = rows_from_attempt(attempt(turn([5, 6], [7, 8, END]), seed=3), 0.5)
    assert row == Row(
        input_ids=(5, 6, 7, 8, END),
        loss_mask=(False, False, True, True, True),
        sampler_logprobs=(0.0, 0.0, -0.25, -0.5, -0.75),
        advantage=0.5,
        group="p",
        attempt="p#3",
    )
    assert row.loss_tokens == 3


def test_a_turn_that_extends_the_last_goes_on_in_its_row() -> None:
    """Feedback (9, 9) between the turns is shown, not learned; both completions are learned."""
    (row,) = rows_from_attempt(attempt(turn([5], [7, END]), turn([5, 7, END, 9, 9], [8, END])))
    assert row.input_ids == (5, 7, END, 9, 9, 8, END)
    assert row.loss_mask == (False, True, True, False, False, True, True)
    assert row.sampler_logprobs == (0.0, -0.25, -0.5, 0.0, 0.0, -0.25, -0.5)


def test_a_turn_that_does_not_extend_the_last_is_a_row_of_its_own() -> None:
    """The template dropped token 7 (earlier reasoning): nothing is re-tokenised or masked, the fork is counted."""
    rows = rows_from_attempt(attempt(turn([5], [7, 8, END]), turn([5, 8, END, 9], [6, END])), -1.0)
    assert [row.input_ids for row in rows] == [(5, 7, 8, END), (5, 8, END, 9, 6, END)]
    assert [row.loss_tokens for row in rows] == [3, 2]
    assert [(row.fork, row.advantage, row.attempt) for row in rows] == [(0, -1.0, "p#0"), (1, -1.0, "p#0")]
    counts = count(rows)
    assert (counts.attempts, counts.rows, counts.forks) == (1, 2, 1)
    assert (counts.tokens, counts.loss_tokens) == (10, 5)


def test_a_shorter_prompt_is_no_extension() -> None:
    rows = rows_from_attempt(attempt(turn([5], [7, END]), turn([5, 7], [8, END])))
    assert [row.input_ids for row in rows] == [(5, 7, END), (5, 7, 8, END)]


TURNS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 3), min_size=1, max_size=4),  # what is shown before the answer
        st.lists(st.integers(0, 3), min_size=0, max_size=4),  # the answer
        st.booleans(),  # whether the template rewrites the conversation before this turn
    ),
    min_size=1,
    max_size=5,
)


@given(TURNS)
def test_every_sampled_token_is_learned_once_in_the_context_it_was_sampled_in(parts) -> None:  # type: ignore[no-untyped-def]
    """Against a plain list of (context, token, log-probability), whatever the conversation looks like."""
    turns: list[Turn] = []
    context: tuple[int, ...] = ()
    for added, answer, rewritten in parts:
        context = ((7, *context[2:]) if rewritten else context) + tuple(added)
        turns.append(turn(context, answer))
        context += tuple(answer)
    expected = []
    for one in turns:
        for i, token in enumerate(one.completion_ids):
            expected.append((one.prompt_ids + one.completion_ids[:i], token, one.logprobs[i]))

    rows = rows_from_attempt(attempt(*turns))
    found = []
    for row in rows:
        for i, learned in enumerate(row.loss_mask):
            if learned:
                found.append((row.input_ids[:i], row.input_ids[i], row.sampler_logprobs[i]))
            else:
                assert row.sampler_logprobs[i] == 0.0
    assert found == expected
    assert count(rows).loss_tokens == len(expected)


def test_learning_from_the_last_turn_alone() -> None:
    """The mistake stays in view and out of the loss."""
    (row,) = rows_from_attempt(attempt(turn([5], [7, END]), turn([5, 7, END, 9], [8, END])), train_on="last")
    assert row.loss_mask == (False, False, False, False, True, True)
    assert row.sampler_logprobs[1:3] == (0.0, 0.0)
    forked = rows_from_attempt(attempt(turn([5], [7, END]), turn([5, 9], [8, END])), train_on="last")
    assert [row.input_ids for row in forked] == [(5, 9, 8, END)]


def test_cut_off_turns() -> None:
    cut = attempt(turn([5], [7, 8], "length"), turn([5, 7, 8, 9], [8, END]))
    (kept,) = rows_from_attempt(cut)
    assert kept.truncated and kept.loss_tokens == 4
    (masked,) = rows_from_attempt(cut, truncated="mask")
    assert masked.truncated and masked.loss_mask == (False, False, False, False, True, True)
    (last,) = rows_from_attempt(cut, train_on="last")
    assert not last.truncated  # the cut-off turn is only shown


def test_the_end_tokens_decide_when_they_are_known() -> None:
    """A model with two end tokens, of which the sampler's label knew one."""
    mislabelled = turn([5], [7, 3], "length")
    assert is_truncated(mislabelled)
    assert not is_truncated(mislabelled, end_ids=(END, 3))
    assert is_truncated(turn([5], [7, 8], "stop"), end_ids=(END, 3))
    (row,) = rows_from_attempt(attempt(mislabelled), truncated="mask", end_ids={END, 3})
    assert not row.truncated and row.loss_tokens == 2


def test_rows_without_truncated_keep_their_place() -> None:
    rows = rows_from_attempt(attempt(turn([5], [7], "length"))) + rows_from_attempt(attempt(turn([5], [8, END])), 2.0)
    emptied = without_truncated(rows)
    assert [row.loss_tokens for row in emptied] == [0, 2]
    assert [row.input_ids for row in emptied] == [row.input_ids for row in rows]
    assert count(emptied).without_loss == 1 and count(emptied).truncated == 1


def test_a_turn_that_sampled_nothing_gives_no_row() -> None:
    assert rows_from_attempt(attempt()) == []
    assert rows_from_attempt(attempt(Turn(prompt_ids=(1,), finish="error"))) == []


def test_other_weights_are_refused() -> None:
    with pytest.raises(UnsorryError, match=r"attempt p#0, turn 1: sampled by weights m1, not by m2"):
        rows_from_attempt(attempt(turn([5], [END])), model="m2")
    assert rows_from_attempt(attempt(turn([5], [END])), model="m1")


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Turn(text="theorem"), "without token ids"),
        (Turn((), (1,), (-1.0,)), "without the ids of its prompt"),
        (Turn((1,), (1, 2), (-1.0,)), "2 sampled tokens but 1 log-probabilities"),
        (Turn((1,), (1,), (math.nan,)), "log-probability nan"),
        (Turn((1,), (1,), (-math.inf,)), "log-probability -inf"),
        (Turn((1,), (1,), (0.5,)), r"log-probability 0\.5"),
    ],
)
def test_what_cannot_be_trained_on_is_one_line(bad: Turn, said: str) -> None:
    with pytest.raises(UnsorryError, match=said) as caught:
        rows_from_attempt(attempt(bad))
    assert "\n" not in str(caught.value)


def test_supervised_rows_need_no_sampler() -> None:
    (row,) = rows_from_attempt(attempt(Turn((5,), (7, END))), logprobs=False)
    assert row.loss_tokens == 2
    assert supervised_row([5], [7, END], group="g", key="k") == Row(
        (5, 7, END), (False, True, True), (0.0, 0.0, 0.0), group="g", attempt="k"
    )


def test_the_first_token_cannot_be_predicted() -> None:
    with pytest.raises(UnsorryError, match="nothing stands before its first token"):
        supervised_row([], [1, 2], key="k")
    with pytest.raises(ValueError, match="2 ids, 1 mask"):
        Row((1, 2), (False,), (0.0, 0.0))
