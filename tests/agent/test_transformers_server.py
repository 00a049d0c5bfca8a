"""The server of the `transformers` library with a tiny Qwen3 that has learned a few answers by heart.

Everything on the way is real: a chat template with tools, tokens, a parser of calls, server-sent events.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
import torch
from models_world import FAST, continued

from unsorry.scaffolds.agent import Message, ModelFailed, ToolSpec
from unsorry.scaffolds.agent.models import wire
from unsorry.scaffolds.agent.models.endpoint import EndpointModel
from unsorry.scaffolds.agent.models.text import TextModel, as_text
from unsorry.training.model import ModelShape, new_model, save_model
from unsorry.training.tokenizer import train_tokenizer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(map(find_spec, ("fastapi", "uvicorn", "openai"))),
        reason="`transformers serve` needs fastapi, uvicorn and openai",
    ),
]

# Qwen3's in what matters: tools in the system message, calls between tags, results as a user's message.
TEMPLATE = """{%- if tools %}{{- "<|im_start|>system\\n" + messages[0].content + "\\n<tools>" }}
{%- for tool in tools %}{{- "\\n" + (tool | tojson) }}{% endfor %}{{- "\\n</tools><|im_end|>\\n" }}{% endif %}
{%- for message in messages %}
{%- if message.role == "tool" %}{{- "<|im_start|>user\\n<tool_response>" + message.content + "</tool_response><|im_end|>\\n" }}
{%- elif message.role != "system" or not tools %}{{- "<|im_start|>" + message.role + "\\n" + (message.content or "") }}
{%- for call in message.tool_calls or [] %}
{{- "\\n<tool_call>\\n" }}{"name": {{ call.function.name | tojson }}, "arguments": {{ call.function.arguments if call.function.arguments is string else call.function.arguments | tojson }}}{{- "\\n</tool_call>" }}
{%- endfor %}{{- "<|im_end|>\\n" }}{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- "<|im_start|>assistant\\n" }}{%- endif %}"""  # noqa: E501
READ = ToolSpec("read", "Read.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})
TOOLS = (READ,)


def asked(text: str) -> list[Message]:
    return [{"role": "system", "content": "Prove."}, {"role": "user", "content": text}]


def called(*paths: str, content: str = "") -> Message:
    return {"role": "assistant", "content": content, "tool_calls": [
        {"id": f"x{at}", "type": "function", "function": {"name": "read", "arguments": f'{{"path": "{path}"}}'}}
        for at, path in enumerate(paths)
    ]}  # fmt: skip


def tag(path: str) -> str:
    return f'<tool_call>\n{{"name": "read", "arguments": {{"path": "{path}"}}}}\n</tool_call>'


def result(at: int) -> Message:
    return {"role": "tool", "tool_call_id": f"x{at}", "content": f"text {at}"}


BLOCK = "I look.\n```call read\npath: A.lean\n```"
# (messages, tools, what the model is to answer)
LEARNED: list[tuple[list[Message], Any, str]] = [
    (asked("One."), wire.tool_list(TOOLS), f"<think>\nWhich?\n</think>\n\nI look.\n{tag('A.lean')}"),
    ([*asked("One."), called("A.lean"), result(0)], wire.tool_list(TOOLS), "Done ∀."),
    (asked("Two."), wire.tool_list(TOOLS), f"{tag('A.lean')}\n{tag('B.lean')}"),
    ([*asked("Two."), called("A.lean", "B.lean"), result(0), result(1)], wire.tool_list(TOOLS), "Both."),
    (asked("Bad."), wire.tool_list(TOOLS), "<tool_call>\nread A.lean\n</tool_call>"),
    (as_text(asked("One."), TOOLS), None, BLOCK),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that answers each of LEARNED by heart."""
    torch.set_num_threads(1)
    texts = [str(messages) + str(tools) + answer for messages, tools, answer in LEARNED]
    specials = ("<|im_start|>", "<|im_end|>")
    tokenizer = train_tokenizer([*texts, *texts], 500, special_tokens=specials)
    tokenizer.chat_template, tokenizer.eos_token = TEMPLATE, "<|im_end|>"
    model = new_model(ModelShape(2, 64, 4, 2, 128, 2048), tokenizer, 0)
    rows = []
    for messages, tools, answer in LEARNED:
        prompt = tokenizer.apply_chat_template(
            [{k: v for k, v in m.items() if k != "extra"} for m in messages], tools=tools, tokenize=False,
            add_generation_prompt=True,
        )  # fmt: skip
        ids = tokenizer.encode(prompt, add_special_tokens=False)
        rows.append((ids, [*tokenizer.encode(answer, add_special_tokens=False), tokenizer.eos_token_id]))
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(400):
        loss = torch.zeros(())
        for prompt_ids, answer_ids in rows:
            ids = torch.tensor([prompt_ids + answer_ids])
            logits = model(ids).logits[0, len(prompt_ids) - 1 : -1]
            loss = loss + torch.nn.functional.cross_entropy(logits, ids[0, len(prompt_ids) :])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if loss.item() < 0.02:
            break
    assert loss.item() < 0.2, "the model did not learn its answers"
    return save_model(model, tokenizer, tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [sys.executable, "-c", "from transformers.cli.transformers import main; main()", "serve", str(folder)]
    options = ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu", "--log-level", "info"]
    running = subprocess.Popen([*program, *options], stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    said = []
    try:
        for line in running.stderr:  # until it listens, or ends
            said.append(line)
            if "Uvicorn running" in line:
                break
        assert running.poll() is None, "".join(said)
        # What it goes on to say has to be read, or it blocks.
        with subprocess.Popen(["cat"], stdin=running.stderr, stdout=subprocess.DEVNULL):
            yield f"http://127.0.0.1:{port}/v1"
            running.terminate()
    finally:
        running.kill()
        running.wait()


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def model(request: pytest.FixtureRequest, url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> EndpointModel:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return EndpointModel(url, str(folder), stream=bool(request.param), max_tokens=120, retries=FAST)


def test_a_call_its_result_and_the_answer(model: EndpointModel) -> None:
    first = model.reply(asked("One."), TOOLS)
    assert [(call.name, call.arguments) for call in first.calls] == [("read", {"path": "A.lean"})]
    assert first.message["content"].strip() == "I look." and first.message["reasoning_content"].strip() == "Which?"
    assert first.usage.prompt > 50 and first.usage.completion > 20
    # This server leaves out what stands beside calls when it puts a history into the template.
    second = model.reply(continued(asked("One."), first, "text 0"), TOOLS)
    assert second.message["content"] == "Done ∀." and not second.calls


def test_calls_at_once(model: EndpointModel) -> None:
    first = model.reply(asked("Two."), TOOLS)
    assert [call.arguments for call in first.calls] == [{"path": "A.lean"}, {"path": "B.lean"}]
    history = continued(asked("Two."), first, "text 0", "text 1")
    assert model.reply(history, TOOLS).message["content"] == "Both."


def test_a_call_that_its_parser_does_not_understand(model: EndpointModel) -> None:
    """It fails on one: with words in a stream, without any elsewhere."""
    if model.stream:
        reply = model.reply(asked("Bad."), TOOLS)
        assert reply.message["extra"]["unread"] and "read A.lean" in reply.message["content"] and not reply.calls
    else:
        with pytest.raises(ModelFailed, match=r"HTTP 500: .*a call that it could not read: .*use the text protocol"):
            model.reply(asked("Bad."), TOOLS)


def test_the_text_protocol(model: EndpointModel) -> None:
    reply = TextModel(model).reply(asked("One."), TOOLS)
    assert [(call.name, call.arguments) for call in reply.calls] == [("read", {"path": "A.lean"})]
