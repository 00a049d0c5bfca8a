"""Trajectories as training rows: tokens as they were sampled, messages as they were shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from loop_world import WORK, Any_, Script, begin, call, says, tools

from unsorry import Status, Turn, Verdict
from unsorry.evaluation import attempts as stored
from unsorry.provers.local import LocalProver
from unsorry.scaffolds.agent import Observation, Stalled, Usage
from unsorry.scaffolds.agent.compaction import Compactor
from unsorry.scaffolds.agent.loop import Agent
from unsorry.scaffolds.agent.models.local import Conversation, LocalModel
from unsorry.scaffolds.agent.models.text import TextModel
from unsorry.scaffolds.agent.recorder import Recorder
from unsorry.scaffolds.agent.sft_rows import attempt, chat_rows
from unsorry.scaffolds.agent.trajectory import Trajectory, read
from unsorry.training.masks import rows_from_attempt
from unsorry.training.rowfile import read_rows, write_rows

VERDICT = Verdict(Status.ACCEPTED, "accepted", "accepted")
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def run(path: Path, model: Any, *more: Any, **options: Any) -> Trajectory:
    with Recorder(path, None if path.exists() else begin()) as recorder:
        Agent(model, tools(path.parent, *more), recorder, **options).run()
    return read(path)


@pytest.fixture(scope="module")
def tiny() -> tuple[Any, Any]:
    """A random Qwen3 of two layers that chats."""
    from unsorry.training.model import ModelShape, new_model
    from unsorry.training.tokenizer import train_tokenizer

    torch.set_num_threads(1)
    specials = ("<|im_start|>", "<|im_end|>")
    tokenizer = train_tokenizer(["theorem t : True := trivial"] * 3, 270, special_tokens=specials)
    tokenizer.chat_template, tokenizer.eos_token = TEMPLATE, "<|im_end|>"
    return new_model(ModelShape(2, 32, 2, 1, 64, 8192), tokenizer, 0), tokenizer


def ours(tiny: tuple[Any, Any]) -> TextModel:
    prover = LocalProver(*tiny, Conversation(), id="tiny", version="weights", max_tokens=12, training=True)
    return TextModel(LocalModel(prover, seed=3))


def test_what_our_model_sampled_is_what_is_learned(tiny: tuple[Any, Any], tmp_path: Path) -> None:
    """A run of a real model, taken up by another process: its turns go on token by token and make one row."""
    path = tmp_path / "t.jsonl"
    found = run(path, ours(tiny))
    assert found.end is not None and found.end["kind"] == Stalled.kind and found.replies == 4
    with Recorder(path) as recorder:
        agent = Agent(ours(tiny), tools(tmp_path), recorder)
        agent.say("Go on: ∀ n, n = n <|im_end|>")
        agent.run()
    found = read(path)
    made = attempt(found, problem="p", submission="theorem t := x", verdict=VERDICT)
    assert len(made.turns) == found.replies == 8 and made.notes["models"] == ["tiny"]
    (row,) = rows_from_attempt(made, model="weights")
    assert row.loss_tokens == sum(len(turn.completion_ids) for turn in made.turns)
    assert row.input_ids == made.turns[-1].prompt_ids + made.turns[-1].completion_ids
    learned = [t for t, learn in zip(row.input_ids, row.loss_mask, strict=True) if learn]
    assert learned == [t for turn in made.turns for t in turn.completion_ids]
    with torch.no_grad():
        scores = tiny[0](torch.tensor([row.input_ids])).logits[0].log_softmax(-1)
    for at, (learn, given) in enumerate(zip(row.loss_mask, row.sampler_logprobs, strict=True)):
        if learn:
            assert scores[at - 1, row.input_ids[at]].item() == pytest.approx(given, abs=2e-3)
    write_rows(tmp_path / "rows.safetensors", [row])
    assert read_rows(tmp_path / "rows.safetensors") == [row]
    stored.append(tmp_path / "attempts.jsonl", made)
    assert list(stored.read(tmp_path / "attempts.jsonl")) == [made]


def test_a_compaction_starts_a_row(tmp_path: Path) -> None:
    def turn(*prompt: int) -> Turn:
        return Turn(prompt, (9,), (-0.5,), "x", model="w")

    answers = [
        says("", call("do"), turn=turn(1, 2), tokens=Usage(100, 0, 1)),
        says("", call("do"), turn=turn(1, 2, 9, 3), tokens=Usage(9_000, 0, 1)),
        says("", call("submit", text="x"), turn=turn(1, 5), tokens=Usage(100, 0, 1)),
    ]
    writer = Script([says("The summary.")], id="small")
    found = run(
        tmp_path / "t.jsonl",
        Script(answers),
        Any_(lambda _: Observation("y")),
        compactor=Compactor(writer, 4_000, recent=0),
    )
    made = attempt(found, problem="p", submission="s", verdict=VERDICT)
    rows = rows_from_attempt(made, model="w")
    assert [r.input_ids for r in rows] == [(1, 2, 9, 3, 9), (1, 5, 9)] and [r.fork for r in rows] == [0, 1]
    assert made.cost.money == pytest.approx(0.04) and made.notes["compactions"] == 1
    first, second = chat_rows(found)
    assert [m["role"] for m in first["messages"]] == ["system", "user", "assistant", "tool", "assistant", "tool"]
    assert first["train"] == [2, 4] and second["part"] == 1
    assert "The summary." in second["messages"][1]["content"]
    assert [second["messages"][n]["tool_calls"][0]["function"]["name"] for n in second["train"]] == ["submit"]


def test_rows_of_messages_for_any_model(tmp_path: Path) -> None:
    found = run(tmp_path / "t.jsonl", Script(WORK))
    (row,) = chat_rows(found)
    assert [t["function"]["name"] for t in row["tools"]] == ["write", "read", "submit"]
    assert all("extra" not in m for m in row["messages"]) and json.loads(json.dumps(row)) == row
    answers = [n for n, m in enumerate(row["messages"]) if m["role"] == "assistant"]
    malformed, unknown = answers[3], answers[4]
    assert row["train"] == [n for n in answers if n not in (malformed, unknown)]
    (everything,) = chat_rows(found, faulty=True)
    assert everything["train"] == answers


def test_rows_render_in_a_chat_template_with_tools(tmp_path: Path, tiny: tuple[Any, Any]) -> None:
    (row,) = chat_rows(run(tmp_path / "t.jsonl", Script(WORK)))
    text = tiny[1].apply_chat_template(row["messages"], tools=row["tools"], tokenize=False)
    assert text.startswith("<|im_start|>system\nYou prove.<|im_end|>\n<|im_start|>user\nFill the sorry.")


def test_changed_tools_start_a_row(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    box = tools(tmp_path)

    def grow(arguments: Any) -> Observation:
        box.register(Any_(lambda _: Observation("x"), "late"))
        return Observation("there is a new tool")

    box.register(Any_(grow))
    answers = [says("", call("do")), says("", call("late")), says("", call("submit", text=""))]
    with Recorder(path, begin()) as recorder:
        Agent(Script(answers), box, recorder).run()
    first, second = chat_rows(read(path))
    assert len(first["tools"]) == 4 and len(second["tools"]) == 5
    assert first["train"] == [2] and second["train"] == [4, 6] and second["messages"][:4] == first["messages"]


def test_a_run_of_an_endpoint_has_no_tokens(tmp_path: Path) -> None:
    made = attempt(run(tmp_path / "t.jsonl", Script(WORK)), problem="p", submission="", verdict=VERDICT)
    assert made.turns == () and rows_from_attempt(made) == [] and made.cost.tokens_out == 70
