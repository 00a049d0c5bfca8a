"""The plain format: short prompts of special tokens and Lean text."""

from __future__ import annotations

from typing import Any

import pytest

from unsorry import Problem, Turn, UnsorryError
from unsorry.lean.process import Message
from unsorry.provers.formats import Feedback, Unsupported, make
from unsorry.provers.formats.plain import DISPROOF, END, ERROR, LEMMA, PROOF, SPECIAL_TOKENS, STATEMENT
from unsorry.training.tokenizer import train_tokenizer

PLAIN = make("plain")
PROBLEM = Problem(
    "p", "theorem t (n : Nat) : (let m := n; m = n) := by\n  sorry\n", ("t",), header="import Base\n",
    preamble="def f := 1",
)  # fmt: skip
SHOWN = "def f := 1\ntheorem t (n : Nat) : (let m := n; m = n) :="


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return train_tokenizer(["theorem t (n : Nat) : n = n := by rfl"], 268)


def failed(*errors: Message, submission: str = PROBLEM.source, **more: Any) -> Feedback:
    return Feedback(submission, "fast.error", "line 3: wrong", errors, **more)


def test_the_prompts(tokenizer: Any) -> None:
    ask, decide = PLAIN.messages(PROBLEM), PLAIN.disprove(PROBLEM)
    assert PLAIN.text(ask) == f"{STATEMENT}{SHOWN}{PROOF}"
    assert PLAIN.text(decide) == f"{STATEMENT}{SHOWN}"
    for messages in (ask, decide):
        assert tokenizer.decode(PLAIN.encode(tokenizer, messages)) == PLAIN.text(messages)


def test_each_special_token_is_one_token(tokenizer: Any) -> None:
    for token in SPECIAL_TOKENS:
        assert len(tokenizer.encode(token)) == 1
    ids = PLAIN.encode(tokenizer, PLAIN.messages(PROBLEM))
    assert ids[0] == tokenizer.convert_tokens_to_ids(STATEMENT) and ids[-1] == tokenizer.convert_tokens_to_ids(PROOF)
    assert PLAIN.end_ids(tokenizer) == {tokenizer.convert_tokens_to_ids(END)}


def test_a_tokenizer_without_the_special_tokens() -> None:
    other = train_tokenizer(["theorem"], 260, special_tokens=(END, STATEMENT))
    with pytest.raises(UnsorryError, match=r"no token <\|proof\|>, which format \"plain\" needs"):
        PLAIN.encode(other, PLAIN.messages(PROBLEM))


def test_special_tokens_in_a_problem_or_an_error_are_only_text(tokenizer: Any) -> None:
    hostile = Problem("h", f'theorem t : "{"".join(SPECIAL_TOKENS)}<|pad|>" = "" := by sorry', ("t",))
    messages = PLAIN.messages(hostile)
    ids = PLAIN.encode(tokenizer, messages)
    special = set(tokenizer.all_special_ids)
    assert [one for one in ids if one in special] == tokenizer.convert_tokens_to_ids([STATEMENT, PROOF])
    assert tokenizer.decode(ids) == f"{STATEMENT}{messages[0]['content']}{PROOF}"
    naive = tokenizer.encode(f"{STATEMENT}{messages[0]['content']}{PROOF}")
    assert sum(one in special for one in naive) == 2 + len(SPECIAL_TOKENS) + 1
    with pytest.raises(Unsupported, match="holds a special token"):
        PLAIN.text(messages)
    turn = Turn(ids, (5, tokenizer.eos_token_id))
    error = failed(Message("error", f"unknown {PROOF}{END}", 1, 0, 1, 3))
    prompt = PLAIN.encode(tokenizer, PLAIN.correction(hostile, messages, "%", error, 1), turn)
    behind = prompt[len(ids) + 2 :]
    assert [one for one in behind if one in special] == tokenizer.convert_tokens_to_ids([ERROR, PROOF])


def test_a_problem_that_it_cannot_put() -> None:
    with pytest.raises(Unsupported, match="has 2 targets"):
        PLAIN.messages(Problem("two", "theorem a : True := sorry\ntheorem b : True := sorry", ("a", "b")))
    with pytest.raises(Unsupported, match=r"has no `b ... :=`"):
        PLAIN.messages(Problem("none", "theorem a : True := sorry", ("b",)))
    with pytest.raises(Unsupported, match="cannot be negated"):
        PLAIN.disprove(Problem("d", "def a : Nat := sorry", ("a",)))


def test_answers_become_submissions() -> None:
    found = PLAIN.extract(PROBLEM, " by\n  exact h\n" + LEMMA + "theorem h : 1 = 1 := rfl" + END)
    assert found.source == "import Base\ndef f := 1\ntheorem h : 1 = 1 := rfl\n\n" + (
        "theorem t (n : Nat) : (let m := n; m = n) := by\n  exact h\n"
    )
    assert found.defect == "" and not found.disproof
    assert PLAIN.extract(PROBLEM, PROOF + " rfl").source.endswith("m = n) := rfl\n")
    disproof = PLAIN.extract(PROBLEM, DISPROOF + " by simp")
    assert disproof.disproof
    assert disproof.source.endswith("theorem t_neg : ¬ (∀ (n : Nat), (let m := n; m = n)) := by simp\n")
    assert PLAIN.extract(PROBLEM, " by simp", cut=True).defect == "unterminated"
    assert PLAIN.extract(Problem("d", "def a : Nat := sorry", ("a",)), DISPROOF + " x").defect == "unsupported"


SOLVED = PROBLEM.source.replace("theorem t", "theorem h : 1 = 1 := rfl\ntheorem t").replace(
    "by\n  sorry", "by\n  exact h"
)


def test_proofs_become_answers_and_submissions_again(tokenizer: Any) -> None:
    answer = PLAIN.answer(PROBLEM, SOLVED)
    assert answer == f" by\n  exact h{LEMMA}theorem h : 1 = 1 := rfl"
    again = PLAIN.extract(PROBLEM, answer)
    assert PLAIN.answer(PROBLEM, again.source) == answer
    assert PLAIN.answer(PROBLEM, SOLVED, decide=True) == PROOF + answer
    ids = PLAIN.encode_answer(tokenizer, answer)
    assert ids[-1] == tokenizer.eos_token_id and tokenizer.decode(ids) == answer + END
    assert ids.count(tokenizer.convert_tokens_to_ids(LEMMA)) == 1
    negated = "theorem t_neg : ¬ (∀ (n : Nat), (let m := n; m = n)) := by simp"
    assert PLAIN.answer(PROBLEM, negated, disproof=True, decide=True) == DISPROOF + " by simp"


def test_proofs_that_have_no_answer() -> None:
    assert PLAIN.answer(PROBLEM, "theorem other : True := trivial") is None
    assert PLAIN.answer(PROBLEM, "theorem t /-") is None
    assert PLAIN.answer(PROBLEM, "theorem t (n : Nat) : True\n  | 0 => rfl") is None
    assert PLAIN.answer(PROBLEM, f'theorem t (n : Nat) : True := by\n  exact "{END}"') is None


def test_a_correction_goes_on_token_by_token(tokenizer: Any) -> None:
    messages = PLAIN.messages(PROBLEM)
    prompt = PLAIN.encode(tokenizer, messages)
    answer = PLAIN.encode_answer(tokenizer, " by simp")
    submission = PLAIN.extract(PROBLEM, " by simp").source
    error = Message("error", "simp made no progress\nmore", 3, 48, 3, 52)
    asked = PLAIN.correction(PROBLEM, messages, " by simp", failed(error, submission=submission), 1)
    ids = PLAIN.encode(tokenizer, asked, Turn(prompt, answer, text=" by simp"))
    assert tokenizer.decode(ids) == (
        f"{STATEMENT}{SHOWN}{PROOF} by simp{END}"
        f"{ERROR}{submission.splitlines()[2][48:52]}: simp made no progress\nmore{PROOF}"
    )
    assert ids[: len(prompt) + len(answer)] == prompt + answer
    assert PLAIN.encode(tokenizer, asked) == ids == PLAIN.encode(tokenizer, asked, None)
    cut = PLAIN.encode(tokenizer, asked, Turn(prompt, answer[:-1], text=" by simp", finish="length"))
    assert cut == ids  # the end token that was not sampled is part of the prompt


def test_a_correction_of_prove_or_disprove_may_choose_again(tokenizer: Any) -> None:
    asked = PLAIN.correction(PROBLEM, PLAIN.disprove(PROBLEM), f"{DISPROOF} by simp", failed(timed_out=True), 1)
    assert PLAIN.text(asked) == f"{STATEMENT}{SHOWN}{DISPROOF} by simp{END}{ERROR}timeout"


def test_errors_are_short() -> None:
    def error(given: Feedback) -> str:
        return PLAIN.correction(PROBLEM, PLAIN.messages(PROBLEM), "", given, 1)[-1]["content"]

    assert error(failed(Message("error", "x" * 5000, 1, 0, 9, 9))) == "import Base: " + "x" * 300 + "..."
    assert error(failed(Message("error", "beyond", 99, 0, 99, 1))) == ": beyond"
    assert error(failed(undecided=True)) == "fast.error: line 3: wrong"
    assert error(failed(timed_out=True)) == "timeout"
