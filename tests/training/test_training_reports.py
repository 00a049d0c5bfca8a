"""Faults that were reported of other training stacks: each test runs the faulty way too and shows that it fails.

The docstring names the public report.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
import torch
from tiny_qwen3 import gradient, hidden_states, qwen3, relative
from torch import Tensor, nn

from unsorry import Attempt, Status, Turn, UnsorryError, Verdict
from unsorry.training.advantages import group_advantages, group_index
from unsorry.training.averaging import LoraFactors, lora_delta, merged_weight
from unsorry.training.cispo import CispoConfig, CispoOutput, cispo_loss, kept_tokens, token_denominator
from unsorry.training.logprobs import token_logprobs
from unsorry.training.masks import Row, count, rows_from_attempt, without_truncated
from unsorry.training.packing import pack, pad
from unsorry.training.tripwires import StepMetrics, Tripped, TripwireConfig, Tripwires, Wire

torch.set_num_threads(1)
CONFIG = CispoConfig()
END = 2


def attempt(*turns: Turn, problem: str = "p", seed: int = 0) -> Attempt:
    verdict = Verdict(Status.REJECTED, "compile.error", "no")
    return Attempt(problem, "prover", "scaffold", "", verdict, seed=seed, turns=turns)


def row(length: int, advantage: float = 1.0, **fields: Any) -> Row:
    """A prompt token and `length` sampled tokens of log-probability -1."""
    return Row(
        (1, *range(3, 3 + length)),
        (False,) + (True,) * length,
        (0.0,) + (-1.0,) * length,
        advantage=advantage,
        **fields,
    )


def on_policy(rows: list[Row]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Log-probabilities equal to the sampler's, the sampler's, advantages, mask: [B, T]."""
    batch = pad(rows)
    return batch.sampler_logprobs.clone(), batch.sampler_logprobs, batch.advantages, batch.loss_mask


def step(parts: list[list[Row]], denominator: float | Tensor) -> float:
    """The sum of the gradients at the log-probabilities over micro-batches, with this denominator."""
    total = 0.0
    for part in parts:
        logprobs, sampler, advantages, mask = on_policy(part)
        logprobs.requires_grad_()
        cispo_loss(logprobs, sampler, advantages, mask, config=CONFIG, denominator=denominator).loss.backward()
        assert logprobs.grad is not None
        total += float(logprobs.grad.sum())
    return total


def flat(parts: list[list[Row]]) -> list[Row]:
    return [one for part in parts for one in part]


def denominator_of(parts: list[list[Row]]) -> Tensor:
    return token_denominator([kept_tokens(*on_policy(part), config=CONFIG) for part in parts])


def test_truncated_rows_leave_the_denominator() -> None:
    """trl#6369, #6439: masked completions left the numerator only; with 3 of 4 cut off the loss is a quarter."""
    rows = [row(10), *(row(10, truncated=True) for _ in range(3))]
    masked = without_truncated(rows)
    alone = step([rows[:1]], denominator_of([rows[:1]]))
    assert step([masked], denominator_of([masked])) == pytest.approx(alone)
    naive = sum(len(one.input_ids) - 1 for one in rows)  # counted before the mask
    assert step([masked], naive) == pytest.approx(alone / 4)


@pytest.mark.parametrize(("generation", "halved"), [(4, 2), (8, 4)])
def test_the_denominator_is_of_one_optimiser_step(generation: int, halved: int) -> None:
    """trl#6024: one count for the whole generation batch, spread over several steps: gradients halved, or a quarter."""
    micro_batches = [[row(5), row(7)] for _ in range(generation)]
    one_step = micro_batches[:2]  # two micro-batches accumulate
    expected = step([flat(one_step)], denominator_of([flat(one_step)]))
    assert step(one_step, denominator_of(one_step)) == pytest.approx(expected)
    naive = denominator_of(micro_batches)
    assert step(one_step, naive) == pytest.approx(expected / halved)


def test_accumulation_divides_once() -> None:
    """ms-swift#10117: a loss over all tokens, which the trainer divides by the accumulation steps again."""
    micro_batches = [[row(3 + 2 * i)] for i in range(4)]
    whole = [flat(micro_batches)]
    expected = step(whole, denominator_of(whole))
    denominator = denominator_of(micro_batches)
    assert step(micro_batches, denominator) == pytest.approx(expected)
    assert step(micro_batches, denominator * 4) == pytest.approx(expected / 4)  # what it did


def test_no_weight_is_a_product_over_the_sequence() -> None:
    """trl#5814, #5815, #4772: a sequence weight is a product; 100 tokens at 0.012 pass its cap, the sample is lost."""
    logprobs = torch.full((1, 100), -1.0)
    sampler = logprobs - 0.012
    naive = (logprobs - sampler).sum(1).exp()
    assert naive.item() == pytest.approx(math.exp(1.2), rel=1e-4) and naive.item() > 3.0  # masked above 3
    leaf = logprobs.clone().requires_grad_()
    out = cispo_loss(leaf, sampler, -torch.ones(1), torch.ones(1, 100), config=CONFIG, denominator=100)
    out.loss.backward()
    assert out.kept.all()
    assert leaf.grad is not None
    torch.testing.assert_close(leaf.grad, torch.full((1, 100), math.exp(0.012) / 100))


def test_the_sequence_mask_is_the_mean_of_logs() -> None:
    """unsloth-zoo#870: a sum of exponentials where the exponential of a sum is meant.

    On policy every ratio is 1: a sum of them is the length, which any cap cuts; the mean of logs is 0 at any length.
    """
    for length in (1, 10, 1000):
        logprobs = torch.full((1, length), -1.0)
        naive = (logprobs - logprobs).exp().sum(1).item()
        assert naive == length
        assert (logprobs - logprobs).sum(1).exp().item() == 1.0
        kept = kept_tokens(logprobs, logprobs, -torch.ones(1), torch.ones(1, length), config=CispoConfig(5.0, 0.0))
        assert kept.all()
    # Nor is it the log of a mean: one token that became likely must not hide a hundred that the policy has left.
    sampler = torch.full((1, 101), -3.0)
    moved = sampler - 0.6
    moved[0, 0] = -0.01
    log_of_mean = -((moved - sampler).exp().mean(1)).log()
    assert log_of_mean.item() < 0.5
    assert not kept_tokens(moved, sampler, -torch.ones(1), torch.ones(1, 101), config=CispoConfig(5.0, 0.5)).any()


def nucleus(logits: Tensor, top_p: float) -> Tensor:
    """Log-probabilities renormalised on the smallest set of tokens with at least this mass, -inf outside."""
    ordered, order = logits.softmax(-1).sort(-1, descending=True)
    keep_ordered = ordered.cumsum(-1) - ordered < top_p
    keep = torch.zeros_like(keep_ordered).scatter(-1, order, keep_ordered)
    return logits.masked_fill(~keep, -torch.inf).log_softmax(-1)


@pytest.mark.parametrize("top_p", [0.8, 0.95])
def test_a_nucleus_shows_as_a_mean_ratio_below_one(top_p: float) -> None:
    """trl#6789, #7269, vllm#42259: with top_p < 1 the sampler renormalises on the nucleus, the trainer does not.

    The mean ratio is then the kept mass, for every policy; with full sampling it is 1.  The tripwire sees which.
    """
    torch.manual_seed(0)
    logits = torch.randn(4000, 50) * 1.5
    tripped = {}
    for p in (top_p, 1.0):
        drawn_from = nucleus(logits, p) if p < 1 else logits.log_softmax(-1)
        wires = Tripwires(TripwireConfig(ratio_drift=0.02))
        for number in range(4):
            tokens = torch.multinomial(drawn_from.exp(), 1, generator=torch.Generator().manual_seed(number))
            sampler = drawn_from.gather(-1, tokens)
            policy = logits.log_softmax(-1).gather(-1, tokens)
            out = cispo_loss(policy, sampler, torch.zeros(4000), torch.ones(4000, 1), config=CONFIG, denominator=4000)
            tripped[p] = wires.update(metrics(number, out))
        kept_mass = logits.softmax(-1).masked_fill(drawn_from.isneginf(), 0.0).sum(-1).mean().item()
        assert out.statistics.mean_ratio == pytest.approx(kept_mass, abs=0.01)
    assert tripped[1.0] is None
    seen = tripped[top_p]
    assert isinstance(seen, Tripped) and seen.wire is Wire.RATIO and "top_p" in seen.message


def metrics(number: int, out: CispoOutput, **fields: Any) -> StepMetrics:
    seen = out.statistics
    return StepMetrics(number, out.loss.item(), 1.0, kl=seen.kl, mean_ratio=seen.mean_ratio, **fields)


class OneLayer(nn.Module):
    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.layer = nn.Linear(*reversed(weight.shape), bias=False, dtype=weight.dtype)
        self.layer.weight.data = weight.clone()

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)  # type: ignore[no-any-return]


def with_adapter(weight: Tensor, factors: LoraFactors) -> tuple[Any, Any]:
    import peft

    shape = peft.LoraConfig(r=factors.rank, lora_alpha=int(factors.scale * factors.rank), target_modules=["layer"])
    model = peft.get_peft_model(OneLayer(weight), shape)
    layer = model.base_model.model.layer
    layer.lora_A["default"].weight.data = factors.a.clone().to(layer.lora_A["default"].weight.dtype)
    layer.lora_B["default"].weight.data = factors.b.clone().to(layer.lora_B["default"].weight.dtype)
    return model, layer


def small_adapter(seed: int = 0) -> LoraFactors:
    generator = torch.Generator().manual_seed(seed)
    a = torch.randn(4, 48, generator=generator) / 48**0.5
    return LoraFactors(a, 0.01 * torch.randn(40, 4, generator=generator), 2.0)


@pytest.mark.parametrize(("dtype", "least", "most"), [(torch.bfloat16, 0.02, 10.0), (torch.float32, -1.0, 1e-4)])
def test_weights_reach_the_sampler_without_merge_and_unmerge(dtype: torch.dtype, least: float, most: float) -> None:
    """trl#6688: 1000 times merge_adapter and unmerge_adapter in bf16 drift away; in float32 they do not."""
    base = (torch.randn(40, 48, generator=torch.Generator().manual_seed(1)) * 0.02).to(dtype)
    model, layer = with_adapter(base, small_adapter())
    delta = torch.linalg.vector_norm(lora_delta(small_adapter()))
    for number in range(1000):
        moving = small_adapter(number)  # as in training, the adapter has moved each time
        layer.lora_B["default"].weight.data = moving.b.to(layer.lora_B["default"].weight.dtype)
        model.merge_adapter()
        model.unmerge_adapter()
    drift = torch.linalg.vector_norm(layer.base_layer.weight.float() - base.float()) / delta
    assert least < drift.item() < most

    ours = base.clone()
    for number in range(1000):
        merged = merged_weight(ours, small_adapter(number), out_dtype=torch.float32)
    assert torch.equal(ours, base)
    torch.testing.assert_close(merged, base.float() + lora_delta(small_adapter(999)))


def test_a_second_sync_does_not_add_the_adapter_twice() -> None:
    """ms-swift#8233: after a resume the first sync merges, the next one serves the adapter on top: W + 2BA."""
    base = torch.randn(40, 48, generator=torch.Generator().manual_seed(1)) * 0.02
    factors = small_adapter()
    once = base + lora_delta(factors)

    model, layer = with_adapter(base, factors)
    model.merge_adapter()  # the first sync, after which the sampler is told to serve the adapter
    served = layer.base_layer.weight.data + layer.get_delta_weight("default")
    torch.testing.assert_close(served, once + lora_delta(factors))

    syncs = [merged_weight(base, factors) for _ in range(3)]
    for sync in syncs:
        torch.testing.assert_close(sync, once)


def bandit(synchronised: bool, steps: int = 40) -> tuple[list[float], list[float], list[Tripped | None]]:
    """On-policy CISPO on a bandit of 20 arms with 4 good ones; rewards, |loss gradient| and what the tripwires say."""
    generator = torch.Generator().manual_seed(0)
    policy = torch.zeros(20, requires_grad=True)
    sampler = policy.detach().clone()
    optimiser = torch.optim.SGD([policy], lr=2.0)
    wires = Tripwires()
    rewards, drift, tripped = [], [], []
    for number in range(steps):
        if synchronised:
            sampler = policy.detach().clone()
        arms = torch.multinomial(sampler.softmax(-1), 512, replacement=True, generator=generator)
        reward = (arms < 4).double()
        found = group_advantages(reward[None])
        logprobs = policy.log_softmax(-1)[arms][:, None]
        out = cispo_loss(
            logprobs,
            sampler.log_softmax(-1)[arms][:, None],
            found.advantages[0],
            torch.ones(512, 1),
            config=CONFIG,
            denominator=512,
        )
        optimiser.zero_grad()
        out.loss.backward()
        optimiser.step()
        rewards.append(reward.mean().item())
        drift.append(out.statistics.kl)
        tripped.append(wires.update(metrics(number, out)))
    return rewards, drift, tripped


def test_a_sampler_with_stale_weights_is_noticed() -> None:
    """trl#5312: weights never reach the sampler; the loss moves, the reward does not."""
    rewards, drift, tripped = bandit(synchronised=False)
    assert abs(sum(rewards[-5:]) - sum(rewards[:5])) / 5 < 0.05, "the reward stands still"
    assert drift[-1] > 0.1
    first = next(one for one in tripped if one is not None)
    assert first.wire in (Wire.KL, Wire.RATIO)

    rewards, drift, tripped = bandit(synchronised=True)
    assert sum(rewards[-5:]) / 5 > sum(rewards[:5]) / 5 + 0.3
    assert max(drift) < 1e-6 and not any(tripped)


def test_rollouts_of_the_base_model_are_not_taken_for_the_adapters() -> None:
    """verl#3821, #3516, #3541: the adapter's name was never requested, so all rollouts came from the base."""
    rollout = attempt(Turn((1,), (5, END), (-1.0, -0.5), model="base"))
    assert rows_from_attempt(rollout), "without the check they train"
    with pytest.raises(UnsorryError, match="sampled by weights base, not by adapter-0007"):
        rows_from_attempt(rollout, model="adapter-0007")


TEMPLATE = """{%- set ns = namespace(last=0) -%}
{%- for m in messages -%}{%- if m.role == 'user' -%}{%- set ns.last = loop.index0 -%}{%- endif -%}{%- endfor -%}
{%- for m in messages -%}
{%- set content = m.content -%}
{%- if m.role == 'assistant' and loop.index0 < ns.last and '</think>' in content -%}
{%- set content = content.split('</think>')[-1].lstrip('\\n') -%}
{%- endif -%}
{{- '<' + m.role + '>' + content + '</s>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<assistant>' -}}{%- endif -%}"""


def byte_tokenizer() -> Any:
    """Bytes and one end token, with the rule of Qwen3's template: reasoning before the last user turn is dropped."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    raw = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(alphabet)}, merges=[]))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    raw.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="</s>", chat_template=TEMPLATE)


def test_a_template_that_drops_reasoning_makes_forks() -> None:
    """prime-rl#1334, verl#6854, #6719, slime#2288, ART#726: turn n + 1 does not extend turn n.

    The faulty ways: assert that it does, or tokenise the finished conversation and mask what is not found in it.
    """
    tokenizer = byte_tokenizer()
    end = tokenizer.eos_token_id
    answers = ["<think>\nby simp?\n</think>\nby simp", "<think>\nby omega\n</think>\nby omega"]
    messages = [{"role": "user", "content": "prove"}]
    turns = []
    for answer in answers:
        prompt = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        prompt_ids = tuple(tokenizer(prompt)["input_ids"])
        completion = (*tokenizer(answer)["input_ids"], end)
        turns.append(Turn(prompt_ids, completion, (-0.5,) * len(completion), text=answer))
        messages = [*messages, {"role": "assistant", "content": answer}, {"role": "user", "content": "error"}]

    context = turns[0].prompt_ids + turns[0].completion_ids
    assert turns[1].prompt_ids[: len(context)] != context  # the assertion would fail
    conversation = tokenizer(tokenizer.apply_chat_template(messages[:-1], tokenize=False))["input_ids"]
    found = sum(
        one.completion_ids == tuple(conversation[i : i + len(one.completion_ids)])
        for one in turns
        for i in range(len(conversation))
    )
    assert found == 1  # the other turn is not in there and would be masked

    rows = rows_from_attempt(attempt(*turns))
    assert count(rows).forks == 1
    for one, turn in zip(rows, turns, strict=True):
        assert one.input_ids == turn.prompt_ids + turn.completion_ids
        assert one.loss_tokens == len(turn.completion_ids)
    # With reasoning kept, the same conversation is one row.
    kept = replace(turns[1], prompt_ids=(*context, *tokenizer("<user>error</s><assistant>")["input_ids"]))
    assert count(rows_from_attempt(attempt(turns[0], kept))).forks == 0


def test_prompts_and_tool_output_stay_out_of_a_packed_loss() -> None:
    """trl#3781, #3484, #3728, #4975: assistant and tool masks were lost with packing."""
    rows = [
        Row((1, 5, 6, 7, 8, 9), (False, False, True, False, False, True), (0, 0, -1.0, 0, 0, -2.0), 1.0, attempt="a"),
        Row((1, 3, 4), (False, False, True), (0, 0, -1.0), -0.5, attempt="b"),
    ]
    model = qwen3()
    (packed,) = pack(rows, 100)
    assert packed.loss_tokens().targets.tolist() == [6, 9, 4]
    expected = gradient(model, [pad([one]) for one in rows])
    assert relative(gradient(model, [packed]), expected) < 2e-5
    lost = replace(packed, loss_mask=packed.position_ids > 0)  # every token that can be predicted
    assert relative(gradient(model, [lost]), expected) > 0.5


def test_truncated_rows_do_not_shift_the_groups() -> None:
    """open-instruct#1794: cut-off rows dropped, the rest reshaped by group: a crash, or another prompt's advantage."""
    problems = ["p", "p", "p", "p", "q", "q", "q", "q"]
    rewards = [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    for cut in ({1}, {1, 2, 3, 5}):
        left = [i for i in range(8) if i not in cut]
        values = torch.tensor([rewards[i] for i in left])
        if len(left) % 4:
            with pytest.raises(RuntimeError, match="shape"):
                values.reshape(-1, 4)
        else:
            naive = values.reshape(-1, 4) - values.reshape(-1, 4).mean(1, keepdim=True)
            assert naive[0, 0].item() == pytest.approx(0.25)  # p's only survivor, compared with q's answers
        found = group_advantages(values, group_index([problems[i] for i in left]))
        whole = group_advantages(torch.tensor(rewards), group_index(problems))
        for i, advantage in zip(left, found.advantages.tolist(), strict=True):
            peers = [rewards[j] for j in left if problems[j] == problems[i]]
            assert advantage == pytest.approx(rewards[i] - sum(peers) / len(peers))
        # As our rows do it: advantages from all attempts, then the cut-off ones lose their tokens and keep their place.
        rows = [row(3, whole.advantages[i].item(), group=problems[i], truncated=i in cut) for i in range(8)]
        emptied = without_truncated(rows)
        assert [one.advantage for one in emptied] == whole.advantages.tolist()
        assert [bool(one.loss_tokens) for one in emptied] == [i not in cut for i in range(8)]


def test_every_end_token_ends_a_completion() -> None:
    """trl#7039: one end token known of several: finished completions count as cut off (97 % on Phi-3.5), are masked."""
    ends = (END, 3, 4)
    rollouts = [attempt(Turn((1,), (9, ends[i % 3]), (-1.0, -1.0), finish="stop"), seed=i) for i in range(30)]
    naive = [r for one in rollouts for r in rows_from_attempt(one, truncated="mask", end_ids=(END,))]
    assert count(naive).truncated == 20 and count(naive).loss_tokens == 20
    rows = [r for one in rollouts for r in rows_from_attempt(one, truncated="mask", end_ids=ends)]
    assert count(rows).truncated == 0 and count(rows).loss_tokens == 60
    cut = attempt(Turn((1,), (9, 9), (-1.0, -1.0), finish="stop"))
    assert rows_from_attempt(cut, end_ids=ends)[0].truncated


def test_one_ratio_and_it_is_the_samplers() -> None:
    """Liger#1082, #1088: the sampler's ratio was ignored; tokens drawn by the sampler's error counted in full."""
    model = qwen3()
    batch = pad([row(6)])
    tokens = batch.loss_tokens()
    with torch.no_grad():
        hidden = hidden_states(model, batch)[tokens.positions]
        policy = token_logprobs(hidden, model.lm_head.weight, tokens.targets)
    sampler = replace(batch, sampler_logprobs=batch.sampler_logprobs.masked_scatter(batch.loss_mask, policy + 4.6))
    ignored = replace(batch, sampler_logprobs=batch.sampler_logprobs.masked_scatter(batch.loss_mask, policy))
    config = CispoConfig(sequence_mask_delta=None)
    anchored, unanchored = gradient(model, [sampler], config), gradient(model, [ignored], config)
    ratio = torch.linalg.vector_norm(unanchored) / torch.linalg.vector_norm(anchored)
    assert ratio.item() == pytest.approx(math.exp(4.6), rel=1e-3)  # about 100 times
