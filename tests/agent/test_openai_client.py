"""OpenAI's own client on the same server: the server of the tests speaks the protocol, and ours reads it as theirs."""

from __future__ import annotations

from typing import Any

import pytest
from models_world import ASKED, TOOLS, model
from openai import OpenAI
from openai_server import Said, serving

from unsorry.scaffolds.agent.models import wire

SAID = Said("I look. ∀", [("read", {"path": "A"}), ("list", {})], reasoning="Which?")


def test_their_client_reads_what_ours_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(default=SAID) as server:
        theirs = OpenAI(base_url=server.url, api_key="k")
        asked: Any = {"model": "m", "messages": wire.outgoing(ASKED), "tools": wire.tool_list(TOOLS)}
        whole = theirs.chat.completions.create(**asked)
        with theirs.chat.completions.stream(**asked, stream_options={"include_usage": True}) as stream:
            streamed = stream.get_final_completion()
        ours = [model(server, stream=streaming).reply(ASKED, TOOLS) for streaming in (False, True)]
    for completion, reply in zip((whole, streamed), ours, strict=True):
        choice = completion.choices[0]
        assert choice.message.content == reply.message["content"] == SAID.text
        calls = choice.message.tool_calls or []
        assert [(c.function.name, c.function.arguments) for c in calls] == [(c.name, c.raw) for c in reply.calls]
        assert choice.finish_reason == "tool_calls"
        assert completion.usage is not None and completion.usage.prompt_tokens == reply.usage.prompt
        assert completion.usage.prompt_tokens_details is not None
        assert completion.usage.prompt_tokens_details.cached_tokens == reply.usage.cached
