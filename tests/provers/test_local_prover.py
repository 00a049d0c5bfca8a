"""The local prover: a draw depends on weights, prompt, seed and number alone; log-probabilities are the model's."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry import Completion, Problem, Prompt, Sampling, Turn, UnsorryError
from unsorry.lean.process import Message
from unsorry.provers.answers import Ask
from unsorry.provers.attention import sampling_mode
from unsorry.provers.decoding import Sampler, choose
from unsorry.provers.formats import Feedback, make
from unsorry.provers.journal import Journal
from unsorry.provers.local import LocalProver
from unsorry.training.model import ModelShape, hidden_and_head, new_model, set_fp32_head
from unsorry.training.tokenizer import train_tokenizer

PLAIN = make("plain")
SAMPLING = Sampling(seed=7)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return train_tokenizer(["theorem t (n : Nat) : n + 0 = n := by simp [Nat.add]; omega"] * 3, 275)


@pytest.fixture
def model(tokenizer: Any) -> Any:
    made = new_model(ModelShape(2, 32, 4, 2, 64, 256), tokenizer, seed=0)
    with torch.no_grad():  # sharper than a fresh model, so that draws differ in probability
        made.model.embed_tokens.weight *= 5.0
    return made


def problem(number: int) -> Problem:
    statement = f"theorem t{number} (n : Nat) : n + {'0 + ' * (number % 7)}0 = n := by sorry"
    return Problem(f"p{number}", statement, (f"t{number}",))


PROMPTS = [Prompt(problem(number)) for number in range(9)]


def prover(model: Any, tokenizer: Any, **options: Any) -> LocalProver:
    return LocalProver(model, tokenizer, PLAIN, **{"max_tokens": 24, **options})


def turns(rows: list[list[Completion]]) -> list[list[Turn]]:
    return [[completion.turn for completion in row if completion.turn is not None] for row in rows]


def recomputed(model: Any, turn: Turn, temperature: float = 1.0) -> list[float]:
    """One forward pass over prompt and completion, alone in its batch, unpadded."""
    ids = torch.tensor([turn.prompt_ids + turn.completion_ids])
    model.eval()
    with torch.no_grad():
        logits = model(ids).logits[0].float() / temperature
    at = torch.log_softmax(logits, dim=-1)[len(turn.prompt_ids) - 1 : -1]
    return at.gather(1, ids[0, len(turn.prompt_ids) :, None])[:, 0].tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("temperature", [1.0, 0.6])
def test_log_probabilities_are_those_of_one_forward_pass(model: Any, tokenizer: Any, temperature: float) -> None:
    sampling = replace(SAMPLING, temperature=temperature)
    for row in turns(prover(model, tokenizer, batch=5).propose(PROMPTS, n=3, sampling=sampling)):
        for turn in row:
            assert len(turn.logprobs) == len(turn.completion_ids) > 0
            assert turn.logprobs == pytest.approx(recomputed(model, turn, temperature), abs=2e-5)


def test_a_completion_does_not_depend_on_what_else_is_asked(model: Any, tokenizer: Any) -> None:
    together = turns(prover(model, tokenizer).propose(PROMPTS, n=4, sampling=SAMPLING))
    for batch in (1, 5):
        assert [[t.completion_ids for t in row] for row in together] == [
            [t.completion_ids for t in row]
            for row in turns(prover(model, tokenizer, batch=batch).propose(PROMPTS, n=4, sampling=SAMPLING))
        ]
    for prompt, row in zip(PROMPTS, together, strict=True):
        (alone,) = turns(prover(model, tokenizer).propose([prompt], n=2, sampling=SAMPLING))
        assert [turn.completion_ids for turn in alone] == [turn.completion_ids for turn in row[:2]]
    backwards = turns(prover(model, tokenizer).propose(PROMPTS[::-1], n=4, sampling=SAMPLING))[::-1]
    assert [[t.completion_ids for t in row] for row in together] == [[t.completion_ids for t in r] for r in backwards]


def test_one_generator_for_a_batch_makes_draws_depend_on_each_other() -> None:
    """The naive way, for comparison: `torch.multinomial` on the batch, from a seed for all."""

    def naive(rows: int) -> int:
        generator = torch.Generator().manual_seed(7)
        drawn = torch.multinomial(torch.full((rows, 1000), 0.001), 5, replacement=True, generator=generator)
        return int(drawn[-1, 0])

    assert len({naive(rows) for rows in (1, 2, 3, 4)}) > 1


def test_seeds_samples_and_repeated_prompts_give_other_draws(model: Any, tokenizer: Any) -> None:
    drawer = prover(model, tokenizer)
    (row,) = turns(drawer.propose(PROMPTS[:1], n=6, sampling=SAMPLING))
    assert len({turn.completion_ids for turn in row}) == 6
    (again,) = turns(drawer.propose(PROMPTS[:1], n=6, sampling=SAMPLING))
    assert again == row
    (other,) = turns(drawer.propose(PROMPTS[:1], n=6, sampling=replace(SAMPLING, seed=8)))
    assert not {turn.completion_ids for turn in other} & {turn.completion_ids for turn in row}
    twice = turns(drawer.propose([PROMPTS[0], PROMPTS[1], PROMPTS[0]], n=3, sampling=SAMPLING))
    assert [turn.completion_ids for turn in (*twice[0], *twice[2])] == [turn.completion_ids for turn in row]


def test_every_end_token_ends_an_answer(model: Any, tokenizer: Any) -> None:
    """Report 17: a sampler that knows one end token of several takes what is finished for cut off."""
    others = list(range(20, 80))
    model.generation_config.eos_token_id = [tokenizer.eos_token_id, *others[:30]]
    model.config.eos_token_id = others[30:]
    drawer = prover(model, tokenizer, max_tokens=100)
    assert drawer.ends == {tokenizer.eos_token_id, *others}
    drawn = [turn for row in turns(drawer.propose(PROMPTS, n=4, sampling=SAMPLING)) for turn in row]
    stopped = [turn for turn in drawn if turn.finish == "stop"]
    assert len(stopped) > len(drawn) / 2
    for turn in drawn:
        assert not drawer.ends & set(turn.completion_ids[:-1])
        assert (turn.completion_ids[-1] in drawer.ends) == (turn.finish == "stop")
        assert turn.text == tokenizer.decode(turn.completion_ids[: len(turn.completion_ids) - (turn.finish == "stop")])
    naive_cut = [turn for turn in stopped if turn.completion_ids[-1] != tokenizer.eos_token_id]
    assert len(naive_cut) > len(stopped) / 2  # these would have run on to the limit


def test_training_refuses_a_nucleus(model: Any, tokenizer: Any) -> None:
    trainer = prover(model, tokenizer, training=True)
    with pytest.raises(UnsorryError, match="every ratio would be off by the kept mass; set top_p = 1"):
        trainer.propose(PROMPTS[:1], n=1, sampling=replace(SAMPLING, top_p=0.95))
    with pytest.raises(UnsorryError, match="temperature 0 in a training rollout"):
        trainer.propose(PROMPTS[:1], n=1, sampling=replace(SAMPLING, temperature=0.0))
    assert trainer.propose(PROMPTS[:1], n=1, sampling=SAMPLING)


def test_with_a_nucleus_the_ratio_to_the_full_vocabulary_is_the_kept_mass(model: Any, tokenizer: Any) -> None:
    """Report 5: this is why training refuses it."""
    sampling = replace(SAMPLING, top_p=0.8)
    ratios = []
    for row in turns(prover(model, tokenizer).propose(PROMPTS, n=4, sampling=sampling)):
        for turn in row:
            ratios += (torch.tensor(recomputed(model, turn)) - torch.tensor(turn.logprobs)).exp().tolist()
    assert all(0.8 - 1e-4 <= ratio <= 1.0 + 1e-4 for ratio in ratios)
    mean = sum(ratios) / len(ratios)
    assert mean < 0.97
    full = [
        ratio
        for row in turns(prover(model, tokenizer).propose(PROMPTS, n=4, sampling=SAMPLING))
        for turn in row
        for ratio in (torch.tensor(recomputed(model, turn)) - torch.tensor(turn.logprobs)).exp().tolist()
    ]
    assert full == pytest.approx([1.0] * len(full), abs=1e-4)


LOGITS = st.lists(st.floats(-8, 8, width=32), min_size=2, max_size=12)


@settings(deadline=None, max_examples=50)
@given(LOGITS, st.sampled_from([0.5, 1.0, 1.7]), st.sampled_from([0.3, 0.8, 1.0]))
def test_draws_have_the_distribution_that_is_recorded(logits: list[float], temperature: float, top_p: float) -> None:
    """Against a plain computation, on a grid of random numbers: each token as often as its probability says."""
    weights = torch.softmax(torch.tensor(logits, dtype=torch.float64) / temperature, 0)
    order = sorted(range(len(logits)), key=lambda at: -float(weights[at]))
    mass, kept = 0.0, []
    for at in order:
        if mass >= top_p + 1e-6:
            break
        if kept and abs(mass - top_p) < 1e-6:
            return  # on the edge, rounding decides
        kept.append(at)
        mass += float(weights[at])
    if any(
        abs(float(weights[a]) - float(weights[b])) < 1e-6 for a in kept for b in range(len(logits)) if b not in kept
    ):
        return  # a tie, which the order decides
    count = 2000
    uniform = (torch.arange(count, dtype=torch.float64) + 0.5) / count
    tokens, logprobs = choose(torch.tensor(logits).repeat(count, 1), uniform, temperature, top_p)
    for at in range(len(logits)):
        expected = float(weights[at]) / mass if at in kept else 0.0
        drawn = tokens == at
        assert abs(int(drawn.sum()) - expected * count) <= 2
        if drawn.any():
            assert logprobs[drawn].exp().tolist() == pytest.approx([expected] * int(drawn.sum()), rel=1e-4)


def test_a_token_without_probability_is_never_drawn() -> None:
    logits = torch.full((4, 50), -torch.inf)
    logits[:, [3, 7]] = 0.0
    uniform = torch.tensor([0.0, 0.499999, 0.500001, 1.0 - 2**-53], dtype=torch.float64)
    tokens, logprobs = choose(logits, uniform, 1.0, 1.0)
    assert tokens.tolist() == [3, 3, 7, 7] and logprobs.exp().tolist() == pytest.approx([0.5] * 4)


def test_temperature_zero_takes_the_likeliest(model: Any, tokenizer: Any) -> None:
    greedy = replace(SAMPLING, temperature=0.0)
    rows = turns(prover(model, tokenizer).propose(PROMPTS[:3], n=2, sampling=greedy))
    for row in rows:
        assert row[0].completion_ids == row[1].completion_ids
        turn = row[0]
        with torch.no_grad():
            logits = model(torch.tensor([turn.prompt_ids + turn.completion_ids])).logits[0]
        assert tuple(logits[len(turn.prompt_ids) - 1 : -1].argmax(-1).tolist()) == turn.completion_ids


def test_a_conversation_extends_its_tokens(model: Any, tokenizer: Any) -> None:
    drawer = prover(model, tokenizer)
    first = drawer.propose(PROMPTS[:4], n=2, sampling=SAMPLING)
    error = Feedback("theorem", "fast.error", "wrong", (Message("error", "no", 1, 0, 1, 3),))
    again = [
        Prompt(prompt.problem, PLAIN.correction(prompt.problem, one.turn.messages, one.turn.text, error, 1), one.turn)
        for prompt, row in zip(PROMPTS, first, strict=False)
        for one in row
        if one.turn is not None
    ]
    for prompt, (turn,) in zip(again, turns(drawer.propose(again, n=1, sampling=SAMPLING)), strict=True):
        assert prompt.turn is not None
        before = prompt.turn.prompt_ids + prompt.turn.completion_ids
        assert turn.prompt_ids[: len(before)] == before and len(turn.prompt_ids) > len(before)
        assert turn.messages == prompt.messages
        assert turn.logprobs == pytest.approx(recomputed(model, turn), abs=2e-5)


def test_the_context_bounds_answers(model: Any, tokenizer: Any) -> None:
    long = Prompt(Problem("long", f"theorem t : {'True ∧ ' * 100}True := by sorry", ("t",)))
    two = Prompt(Problem("two", "theorem a : True := sorry\ntheorem b : True := sorry", ("a", "b")))
    drawer = prover(model, tokenizer, max_tokens=10_000)
    rows = drawer.propose([long, PROMPTS[0], two], n=2, sampling=SAMPLING)
    assert [one.notes["defect"] for one in rows[0]] == ["prompt_too_long"] * 2
    assert [one.notes["defect"] for one in rows[2]] == ["unsupported"] * 2
    assert all(one.text == "" and one.turn is None for one in (*rows[0], *rows[2]))
    for turn in turns(rows)[1]:
        assert len(turn.prompt_ids + turn.completion_ids) <= 256
    assert drawer.propose([], n=2, sampling=SAMPLING) == []
    capped = drawer.propose(PROMPTS, n=1, sampling=replace(SAMPLING, max_tokens=3))
    assert all(len(turn.completion_ids) <= 3 for (turn,) in turns(capped))


def test_what_a_completion_says(model: Any, tokenizer: Any) -> None:
    drawer = prover(model, tokenizer, id="small", version="w1")
    for row in drawer.propose(PROMPTS, n=3, sampling=SAMPLING):
        for number, one in enumerate(row):
            assert one.turn is not None and one.turn.model == "w1" and one.notes["sample"] == number
            assert one.cost.money == 0.0 and one.cost.seconds > 0.0
            assert one.cost.tokens_in == len(one.turn.prompt_ids)
            assert one.cost.tokens_out == len(one.turn.completion_ids)
            if one.turn.finish == "length":
                assert one.text == "" and one.notes["defect"] == "unterminated"


def test_a_float32_head_is_used_as_it_is(tokenizer: Any) -> None:
    model = new_model(ModelShape(2, 32, 4, 2, 64, 256), tokenizer, seed=0).bfloat16()

    def gap() -> float:
        worst = 0.0
        for row in turns(prover(model, tokenizer).propose(PROMPTS[:3], n=2, sampling=SAMPLING)):
            for turn in row:
                ids = torch.tensor([turn.prompt_ids + turn.completion_ids])
                with torch.no_grad():
                    hidden, head, _ = hidden_and_head(model, {"input_ids": ids})
                    exact = torch.log_softmax(hidden[0].float() @ head.float().T, dim=-1)
                at = exact[len(turn.prompt_ids) - 1 : -1].gather(1, ids[0, len(turn.prompt_ids) :, None])[:, 0]
                worst = max(worst, float((at - torch.tensor(turn.logprobs)).abs().max()))
        return worst

    rounded = gap()
    set_fp32_head(model)
    assert gap() < rounded  # what is left comes from hidden states in bfloat16


def test_the_model_is_left_as_it_was(model: Any, tokenizer: Any) -> None:
    model.train()
    state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    before = torch.get_rng_state()
    prover(model, tokenizer).propose(PROMPTS, n=2, sampling=SAMPLING)
    assert model.training and model.config._attn_implementation == "sdpa"
    assert torch.equal(before, torch.get_rng_state())
    assert all(torch.equal(state[name], tensor) for name, tensor in model.state_dict().items())
    loss = model(torch.tensor([[1, 2, 3]])).logits.sum()
    loss.backward()  # nothing is left in inference mode
    assert model.model.embed_tokens.weight.grad is not None


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_attention_of_one_token_is_attention(model: Any, attention: str) -> None:
    model.set_attn_implementation(attention)
    asks = [Ask(0, n, (), tuple(range(5, 9 + 3 * n)), 8, str(n)) for n in range(6)]
    with sampling_mode(model):
        fast = dict(Sampler(model, ends=frozenset({0}), batch=4).draw(asks))
    model.eval()
    plain = dict(Sampler(model, ends=frozenset({0}), batch=6).draw(asks))
    assert {at: one.ids for at, one in fast.items()} == {at: one.ids for at, one in plain.items()}
    for at, one in fast.items():
        assert one.logprobs == pytest.approx(plain[at].logprobs, abs=2e-5)


def test_a_journal_draws_nothing_twice(model: Any, tokenizer: Any, tmp_path: Path) -> None:
    calls: list[int] = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    with Journal(tmp_path / "journal") as journal:
        drawer = prover(model, tokenizer, journal=journal, version="w1")
        first = drawer.propose(PROMPTS, n=2, sampling=SAMPLING)
    assert calls
    calls.clear()
    with Journal(tmp_path / "journal") as journal:
        drawer = prover(model, tokenizer, journal=journal, version="w1")
        assert turns(drawer.propose(PROMPTS, n=2, sampling=SAMPLING)) == turns(first)
        assert not calls
        prover(model, tokenizer, journal=journal, version="w2").propose(PROMPTS, n=2, sampling=SAMPLING)
        assert calls
        with pytest.raises(UnsorryError, match="needs the version of its weights"):
            prover(model, tokenizer, journal=journal)
    handle.remove()


def test_faults_of_the_user_are_one_line(model: Any, tokenizer: Any) -> None:
    with pytest.raises(UnsorryError, match='no chat template, which format "goedel" needs: use format "plain"'):
        LocalProver(model, tokenizer, make("goedel"))
    with pytest.raises(UnsorryError, match="batch and max_tokens of at least 1"):
        prover(model, tokenizer, batch=0)
    for bad, message in (
        ({"temperature": -1.0}, "temperature -1.0 is below 0"), ({"temperature": float("nan")}, "temperature nan"),
        ({"top_p": 0.0}, "top_p 0.0 is outside"), ({"max_tokens": -1}, "max_tokens -1 is below 0"),
    ):  # fmt: skip
        with pytest.raises(UnsorryError, match=message):
            prover(model, tokenizer).propose(PROMPTS, n=1, sampling=replace(SAMPLING, **bad))
    model.config.layer_types = ["linear_attention", "full_attention"]
    with pytest.raises(UnsorryError, match="cannot cache layers of the kind linear_attention"):
        prover(model, tokenizer).propose(PROMPTS, n=1, sampling=SAMPLING)


def test_a_model_whose_weights_overflowed_is_named(model: Any, tokenizer: Any) -> None:
    """It draws something from NaN logits as well, which nobody may train on or count."""
    damaged = copy.deepcopy(model)
    with torch.no_grad():
        damaged.get_output_embeddings().weight.fill_(float("nan"))
    with pytest.raises(UnsorryError, match="not finite"):
        prover(damaged, tokenizer).propose([Prompt(problem(0))], n=2, sampling=Sampling(max_tokens=4))
