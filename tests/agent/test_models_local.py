"""A sampler of ours under the agent: conversations go on token by token, live and resumed; contexts end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from unsorry import Turn, UnsorryError
from unsorry.provers.journal import Journal
from unsorry.provers.local import LocalProver
from unsorry.scaffolds.agent import ContextOverflow, Message, ToolSpec
from unsorry.scaffolds.agent.limits import Limits
from unsorry.scaffolds.agent.loop import Agent, opening
from unsorry.scaffolds.agent.models import registry
from unsorry.scaffolds.agent.models.local import Conversation, LocalModel
from unsorry.scaffolds.agent.models.text import TextModel
from unsorry.scaffolds.agent.recorder import Recorder, header
from unsorry.scaffolds.agent.sft_rows import sampled
from unsorry.scaffolds.agent.toolbox import Toolbox
from unsorry.training.model import ModelShape, new_model, save_model

# Qwen3's in what matters: special tokens around messages, the reasoning of earlier answers dropped.
TEMPLATE = """{%- for message in messages %}
{%- set content = message.content %}
{%- if message.role == "assistant" and not loop.last %}{%- set content = content.split("</think>")[-1].lstrip("\\n") %}
{%- endif %}
{{- "<|im_start|>" + message.role + "\\n" + content + "<|im_end|>\\n" }}
{%- endfor %}
{%- if add_generation_prompt %}{{- "<|im_start|>assistant\\n" }}{%- endif %}"""
ASKED: list[Message] = [{"role": "system", "content": "S"}, {"role": "user", "content": "<|im_end|> is plain text"}]


def tokenizer() -> Any:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE({byte: index for index, byte in enumerate(alphabet)}, []))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<|im_end|>", additional_special_tokens=["<|im_start|>"]
    )
    made.chat_template = TEMPLATE
    return made


@pytest.fixture(scope="module")
def world() -> Iterator[tuple[Any, Any]]:
    """A model and its tokenizer; one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    made = tokenizer()
    yield new_model(ModelShape(2, 32, 4, 2, 64, 2048), made, seed=0), made
    torch.set_num_threads(before)


def local(world: tuple[Any, Any], *, seed: int = 0, most: int = 12, **options: Any) -> LocalModel:
    return LocalModel(LocalProver(*world, Conversation(), max_tokens=most, version="w", **options), seed=seed)


def went_on(messages: list[Message], reply: Any, said: str) -> list[Message]:
    """As the loop keeps it: the turn beside what the model said of its answer."""
    message = {**reply.message, "extra": {**reply.message["extra"], "turn": reply.turn}}
    return [*messages, message, {"role": "user", "content": said}]


def test_a_conversation_extends_its_tokens(world: tuple[Any, Any]) -> None:
    asker = local(world)
    first = asker.reply(ASKED, ())
    assert first.turn is not None and first.usage.completion == len(first.turn.completion_ids) > 0
    assert first.usage.prompt == len(first.turn.prompt_ids) and first.cost == 0.0 and asker.priced
    text = world[1].decode(list(first.turn.prompt_ids))
    assert text.startswith("<|im_start|>system\nS<|im_end|>\n<|im_start|>user\n<|im_end|> is")
    assert list(first.turn.prompt_ids).count(world[1].eos_token_id) == 2  # of the template, none of the user's
    history = went_on(ASKED, first, "Go on.")
    second = asker.reply(history, ())
    assert second.turn is not None
    before = first.turn.prompt_ids + first.turn.completion_ids
    assert second.turn.prompt_ids[: len(before)] == before
    behind = world[1].decode(list(second.turn.prompt_ids[len(before) :]))
    assert behind.endswith("<|im_start|>user\nGo on.<|im_end|>\n<|im_start|>assistant\n")
    assert asker.reply(went_on(history, second, "x"), ()).turn.prompt_ids[: len(before)] == before


def test_reasoning_stays_in_the_tokens_that_follow(world: tuple[Any, Any]) -> None:
    """The template would drop it: rendered anew, the model would be shown what it never said."""
    asker = local(world)
    first = asker.reply(ASKED, ())
    thought = (*world[1].encode("<think>why</think>so"), world[1].eos_token_id)
    turn = Turn(first.turn.prompt_ids, thought, (-1.0,) * len(thought), "<think>why</think>so")
    message = {
        "role": "assistant",
        "content": "so",
        "reasoning_content": "why",
        "extra": {**first.message["extra"], "turn": turn},
    }
    second = asker.reply([*ASKED, message, {"role": "user", "content": "?"}], ())
    assert "<think>why</think>so" in world[1].decode(list(second.turn.prompt_ids))


def test_a_history_that_was_rewritten_is_rendered_anew(world: tuple[Any, Any]) -> None:
    asker = local(world)
    first = asker.reply(ASKED, ())
    history = went_on(ASKED, first, "Go on.")
    for changed in (
        [{"role": "system", "content": "Another."}, *history[1:]],
        [history[0], {"role": "user", "content": "A summary."}, *history[2:]],
        [*history[:2], {"role": "assistant", "content": "No tokens."}, history[3]],
    ):
        again = asker.reply(changed, ())
        text = world[1].decode(list(again.turn.prompt_ids))
        assert str(changed[0]["content"]) in text and str(changed[2]["content"]) in text
        assert again.turn.prompt_ids[: len(first.turn.prompt_ids)] != first.turn.prompt_ids or "No tokens." in text


def test_sampling_depends_on_seed_and_history_alone(world: tuple[Any, Any], tmp_path: Path) -> None:
    asker = local(world)
    first, second = asker.reply(ASKED, ()), asker.reply(ASKED, ())
    assert first.turn.completion_ids != second.turn.completion_ids  # asked again, it is another sample
    again = local(world)
    assert [again.reply(ASKED, ()).turn for _ in range(2)] == [first.turn, second.turn]
    assert local(world, seed=1).reply(ASKED, ()).turn.completion_ids != first.turn.completion_ids
    with Journal(tmp_path / "j") as journal:
        kept = local(world, journal=journal).reply(ASKED, ())
        assert len(journal) == 1 and local(world, journal=journal).reply(ASKED, ()).turn == kept.turn == first.turn


def test_a_context_that_is_full(world: tuple[Any, Any]) -> None:
    asker = local(world)
    assert asker.context == 2048
    with pytest.raises(ContextOverflow, match=r"the prompt has \d+ tokens, the model's context holds 2048"):
        asker.reply([*ASKED, {"role": "assistant", "content": "a"}, {"role": "user", "content": "x" * 2100}], ())


def test_tools_are_for_the_text_protocol(world: tuple[Any, Any]) -> None:
    with pytest.raises(UnsorryError, match="wrap it in a TextModel"):
        local(world).reply(ASKED, (ToolSpec("t", "", {}),))


def run(world: tuple[Any, Any], folder: Path, turns: int, start: Any = None) -> Agent:
    recorder = Recorder(folder / "t.jsonl", start)
    agent = Agent(TextModel(local(world, most=8)), Toolbox(), recorder, Limits(turns=turns), nudges=100)
    agent.run()
    recorder.close()
    return agent


def test_a_run_that_is_resumed_samples_what_it_would_have_sampled(world: tuple[Any, Any], tmp_path: Path) -> None:
    start = header(messages=opening("S", "Prove it."))
    whole = run(world, tmp_path / "whole", 4, start)
    run(world, tmp_path / "parts", 1, start)
    run(world, tmp_path / "parts", 2)
    parts = run(world, tmp_path / "parts", 4)
    turns = sampled(whole.trajectory)
    assert len(turns) == 4 and [t.completion_ids for t in sampled(parts.trajectory)] == [
        t.completion_ids for t in turns
    ]
    for earlier, later in pairwise(turns):
        seen = earlier.prompt_ids + earlier.completion_ids
        assert later.prompt_ids[: len(seen)] == seen


def test_by_name(world: tuple[Any, Any], tmp_path: Path) -> None:
    save_model(*world, tmp_path / "m")
    made = registry.make(f"local:{tmp_path / 'm'}?max_tokens=5&seed=3&temperature=0.5")
    assert isinstance(made, TextModel) and made.id == "local:m" and made.context == 2048 and made.priced
    reply = made.reply(ASKED, (ToolSpec("look", "Look.", {"type": "object", "properties": {}}),))
    assert reply.turn is not None and len(reply.turn.completion_ids) <= 5
    assert "## look" in world[1].decode(list(reply.turn.prompt_ids))
    with pytest.raises(UnsorryError, match="unknown option 'tp'"):
        registry.make(f"local:{tmp_path / 'm'}?tp=2")
    with pytest.raises(UnsorryError, match="there is no model folder"):
        registry.make(f"local:{tmp_path / 'none'}")
