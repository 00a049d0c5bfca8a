"""The endpoint model against a real server: tools, reasoning, usage and prices."""

from __future__ import annotations

import json
from typing import Any

import pytest
from models_world import ASKED, COST, PRICE, TOOLS, continued, model
from openai_server import Said, raw, refusal, serving, status

from unsorry import UnsorryError
from unsorry.provers.price import Price
from unsorry.scaffolds.agent import Usage
from unsorry.scaffolds.agent.models import answers
from unsorry.scaffolds.agent.models.endpoint import EndpointModel


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def stream(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_a_turn_with_calls_and_the_next(stream: bool) -> None:
    first = Said("Let me look. ∀ ε", [("read", {"path": "α/A.lean"}), ("list", {})], reasoning="Which files? 𝔽")
    with serving([first, Said("Done.")]) as server:
        asker = model(server, stream=stream, price=PRICE)
        reply = asker.reply(ASKED, TOOLS)
        assert [(call.name, call.arguments, call.error) for call in reply.calls] == [
            ("read", {"path": "α/A.lean"}, ""),
            ("list", {}, ""),
        ]
        assert len({call.id for call in reply.calls}) == 2
        assert reply.message["content"] == "Let me look. ∀ ε" and reply.message["role"] == "assistant"
        assert reply.message["reasoning_content"] == "Which files? 𝔽"
        assert reply.message["extra"] == {"finish": "stop", "model": "m"}
        assert reply.usage == Usage(1000, 400, 200) and reply.cost == pytest.approx(COST) and reply.seconds > 0
        second = asker.reply(continued(ASKED, reply, "text of it", "A.lean"), TOOLS)
        assert second.message["content"] == "Done." and second.calls == ()
    one, two = server.bodies
    assert one["tools"] == [
        {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}}
        for t in TOOLS
    ]
    assert one["messages"] == [{"role": "system", "content": "You prove."}, {"role": "user", "content": "Prove it."}]
    assert set(one) == {"model", "messages", "tools"} | ({"stream", "stream_options"} if stream else set())
    assert two["messages"][:2] == one["messages"]
    assert two["messages"][2]["tool_calls"][0]["function"] == {
        "name": "read",
        "arguments": '{"path": "\\u03b1/A.lean"}',
    }
    assert [m["tool_call_id"] for m in two["messages"][3:]] == [call.id for call in reply.calls]
    assert two["messages"][2]["reasoning_content"] == "Which files? 𝔽"


def test_both_ways_give_the_same_reply() -> None:
    said = Said("A.", [("read", {"path": "A"}), ("read", {"path": "B"})], reasoning="r", usage=None)
    replies = []
    for streamed in (False, True):
        with serving([said]) as server:
            replies.append(model(server, stream=streamed).reply(ASKED, TOOLS))
    whole, streamed_reply = replies
    assert whole.message == streamed_reply.message and whole.calls == streamed_reply.calls
    assert whole.usage == streamed_reply.usage


def test_what_is_watched_is_what_is_said() -> None:
    seen: list[tuple[str, str]] = []
    with serving([Said("one two three", reasoning="because")]) as server:
        model(server, stream=True, watch=lambda kind, piece: seen.append((kind, piece))).reply(ASKED, TOOLS)
    assert "".join(piece for kind, piece in seen if kind == "text") == "one two three" and len(seen) > 2
    assert "".join(piece for kind, piece in seen if kind == "reasoning") == "because"


def test_settings_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sekret")
    with serving() as server:
        asker = model(server, api_key_env="MY_KEY", max_tokens=77, temperature=0.2, top_p=0.9, seed=5, attempt=2,
                      extra={"reasoning_effort": "high"})  # fmt: skip
        asker.reply(ASKED, ())
        ((headers, body),) = server.requests
    assert headers["Authorization"] == "Bearer sekret" and "tools" not in body
    assert {k: body[k] for k in ("max_tokens", "temperature", "top_p", "seed", "reasoning_effort")} == {
        "max_tokens": 77, "temperature": 0.2, "top_p": 0.9, "seed": 7, "reasoning_effort": "high",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ('{"path": "A', "not JSON"),
        ("[1]", "no JSON object but list"),
        ("read it", "not JSON"),
        ('{"path": "A"}}', "not JSON"),
    ],
)
def test_a_malformed_call_is_a_call_and_what_follows_is_sendable(stream: bool, given: str, says: str) -> None:
    """The server of the test refuses a history whose arguments are not JSON, as servers do that render them."""
    with serving([Said("", [("read", given)])]) as server:
        asker = model(server, stream=stream)
        reply = asker.reply(ASKED, TOOLS)
        (call,) = reply.calls
        assert call.name == "read" and call.arguments is None and call.raw == given and says in call.error
        assert asker.reply(continued(ASKED, reply, "[error] not JSON"), TOOLS).message["content"] == "ok"
    assert refusal({"messages": [*ASKED[:1], {"role": "user", "content": "x"}, {**reply.message, "extra": {}}]})


def test_a_call_that_was_cut_off_says_so(stream: bool) -> None:
    with serving([Said("", [("read", '{"path": "A')], finish="length")]) as server:
        (call,) = model(server, stream=stream).reply(ASKED, TOOLS).calls
    assert call.arguments is None and "cut off at its length limit" in call.error


@pytest.mark.parametrize("arguments", ["", "null", '"{}"', "{}", {}, None])
def test_a_call_without_arguments(arguments: Any) -> None:
    body = {"choices": [{"message": {"content": None, "tool_calls": [
        {"function": {"name": "list", "arguments": arguments}}]}, "finish_reason": "tool_calls"}]}  # fmt: skip
    with serving([lambda handler, _: handler.json(body)]) as server:
        (call,) = model(server).reply(ASKED, TOOLS).calls
    assert call.arguments == {} and call.name == "list" and len(call.id) == 9 and call.id.isalnum()


def test_line_breaks_in_arguments_are_what_they_are() -> None:
    with serving([Said("", [("read", '{"path": "a\nb"}')])]) as server:
        (call,) = model(server).reply(ASKED, TOOLS).calls
    assert call.arguments == {"path": "a\nb"}


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "read", "arguments": {"path": "A"}}\n</tool_call>',
        '<tool_call>{"name": "read", "arguments": "{\\"path\\": \\"A\\"}"}</tool_call>',
        "<tool_call>\n<function=read>\n<parameter=path>\nA\n</parameter>\n</function>\n</tool_call>",
        '[TOOL_CALLS][{"name": "read", "arguments": {"path": "A"}}]',
        '[TOOL_CALLS]read[ARGS]{"path": "A"}',
    ],
)
def test_calls_that_the_server_left_in_the_text(stream: bool, text: str) -> None:
    """Facts 24: text pseudo-calls end the turn silently."""
    with serving([Said(f"Let me see.\n{text}")]) as server:
        asker = model(server, stream=stream)
        reply = asker.reply(ASKED, TOOLS)
        assert [(call.name, call.arguments) for call in reply.calls] == [("read", {"path": "A"})]
        assert reply.message["content"] == "Let me see." and reply.message["extra"]["rescued"] == 1
        asker.reply(continued(ASKED, reply, "text"), TOOLS)
        assert server.bodies[1]["messages"][2]["tool_calls"][0]["function"]["name"] == "read"


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "rm", "arguments": {}}</tool_call>',
        '<tool_call>{"name": "read", "arguments": {"path": </tool_call>',
        '<tool_call>{"name": "read", "arguments": {}}</tool_call> is how one calls a tool.',
        "[TOOL_CALLS]read[ARGS]",
        "[TOOL_CALLS]" + "[" * 50_000,
        "<function=read>",
    ],
)
def test_what_only_looks_like_a_call_stays_text(text: str) -> None:
    with serving([Said(text)]) as server:
        reply = model(server).reply(ASKED, TOOLS)
    assert reply.calls == () and reply.message["content"] == text


CHUNKS = [{"type": "thinking", "thinking": [{"type": "text", "text": "r"}]}, {"type": "text", "text": "A."}]


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        (Said("A.", [("list", {})], reasoning="r"), {"content": "A.", "reasoning_content": "r"}),
        (
            Said("A.", [("list", {})], reasoning="r", reasoning_field="reasoning"),
            {"content": "A.", "reasoning": "r"},
        ),
        (Said("<think>\nr\n</think>\n\nA.", [("list", {})]), {"content": "<think>\nr\n</think>\n\nA."}),
        (Said("r\n</think>\n\nA.", [("list", {})]), {"content": "<think>\nr\n</think>\n\nA."}),
        (Said(CHUNKS, [("list", {})]), {"content": CHUNKS}),
    ],
)
def test_reasoning_is_kept_and_sent_back_as_it_came(stream: bool, said: Said, sent: dict[str, Any]) -> None:
    def back(at: int = -1) -> dict[str, Any]:
        message = server.bodies[at]["messages"][2]
        return {key: value for key, value in message.items() if key not in ("role", "tool_calls")}

    with serving([said]) as server:
        asker = model(server, stream=stream)
        reply = asker.reply(ASKED, TOOLS)
        assert reply.message["reasoning_content"] == "r" and reply.message["content"] == "A."
        history = continued(ASKED, reply, "x")
        asker.reply(history, TOOLS)
        assert back() == sent
        later = [*history, {"role": "assistant", "content": "B."}, {"role": "user", "content": "?"}]
        for reasoning, expected in (("turn", {"content": "A."}), ("all", sent), ("none", {"content": "A."})):
            model(server, reasoning=reasoning).reply(later, TOOLS)
            assert back() == expected


def test_signed_thoughts_are_sent_back_to_the_letter() -> None:
    details = [{"type": "reasoning.encrypted", "data": "gAAA", "index": 0}]
    signature = {"google": {"thought_signature": "EqQB"}}
    calls = [
        {"id": "a", "type": "function", "function": {"name": "list", "arguments": "{}"}, "extra_content": signature},
        {"id": "b", "type": "function", "function": {"name": "list", "arguments": "{}"}},
    ]
    message = {"content": None, "reasoning": "r", "reasoning_details": details, "tool_calls": calls}
    chunks = [{"choices": [{"delta": message}]}, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}]
    stream = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)
    whole = json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]}).encode()
    for streaming, data in ((False, whole), (True, stream)):
        with serving([raw(data)], strict=False) as server:
            asker = model(server, stream=streaming)
            reply = asker.reply(ASKED, TOOLS)
            history = continued(ASKED, reply, "x", "y")
            asker.reply(history, TOOLS)
            sent = server.bodies[1]["messages"][2]
        assert sent["reasoning_details"] == details and "reasoning" not in sent
        assert [call.get("extra_content") for call in sent["tool_calls"]] == [signature, None]
    with serving([status(400, "Extra inputs are not permitted: extra_content")], strict=False) as server:
        assert model(server, reasoning="none").reply(history, TOOLS).message["content"] == "ok"
        assert "extra_content" not in str(server.bodies[1]) and "reasoning_details" not in str(server.bodies[1])


def test_halves_of_characters_are_put_together_or_replaced(stream: bool) -> None:
    """A server may cut a character in two, each half escaped in a piece of its own."""
    broken = "a \ud83d\ude00 b \ud83d c"
    with serving([Said(broken, [("read", {"path": broken})])]) as server:
        server.piece = 1
        asker = model(server, stream=stream)
        reply = asker.reply([*ASKED[:1], {"role": "user", "content": broken}], TOOLS)
        assert reply.message["content"] == "a 😀 b \ufffd c"
        assert reply.calls[0].arguments == {"path": "a 😀 b \ufffd c"}
        asker.reply(continued(ASKED, reply, broken), TOOLS)
        assert server.bodies[0]["messages"][1]["content"] == "a 😀 b \ufffd c"
        json.dumps(server.bodies, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 5}, Usage(10, 0, 5)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": None}, Usage(10, 0, 5)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 8}, Usage(10, 8, 5)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "cached_tokens": 80}, Usage(10, 10, 5)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 115}, Usage(10, 0, 105)),  # reasoning, apart
    ],
)
def test_usage(stream: bool, usage: dict[str, Any], expected: Usage) -> None:
    with serving([Said("A.", usage=usage)]) as server:
        assert model(server, stream=stream).reply(ASKED, TOOLS).usage == expected


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": -1, "completion_tokens": "many"}])
def test_usage_that_is_not_told_is_estimated_and_its_cost_unknown(stream: bool, usage: Any) -> None:
    with serving([Said("An answer.", usage=usage)]) as server:
        reply = model(server, stream=stream, price=PRICE).reply(ASKED, TOOLS)
    assert reply.cost is None and reply.message["extra"]["usage_estimated"] is True
    assert reply.usage.prompt > 10 and reply.usage.completion >= 3


@pytest.mark.parametrize(
    ("price", "cost", "priced"),
    [
        (Price(), None, False),
        (Price(0.0, 0.0, 0.0), 0.0, True),
        (PRICE, COST, True),
        (Price(1.0, None, 4.0), None, False),
    ],
)
def test_unknown_is_not_free_and_free_is_not_unknown(price: Price, cost: float | None, priced: bool) -> None:
    """Facts 12 and 14: free tasks were billed, unknown prices raised, cached tokens billed in full."""
    with serving() as server:
        asker = model(server, price=price)
        reply = asker.reply(ASKED, TOOLS)
    assert asker.priced is priced and reply.cost == (pytest.approx(cost) if cost is not None else None)
    full = (1000 * 1.0 + 200 * 4.0) / 1e6
    assert reply.cost is None or reply.cost < full


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"base_url": "ftp://x"}, "is no URL"), ({"model": ""}, "no model named"), ({"max_tokens": -1}, "0 or more"),
        ({"reasoning": "some"}, "use none, turn"), ({"timeout": 0.0}, "more than 0"),
        ({"api_key_env": "NO_SUCH_KEY"}, "NO_SUCH_KEY"),
    ],
)  # fmt: skip
def test_settings_that_are_wrong(options: Any, says: str) -> None:
    with pytest.raises(UnsorryError, match=says):
        EndpointModel(**{"base_url": "http://127.0.0.1:1/v1", "model": "m", **options})


def test_the_context_is_asked_for_once() -> None:
    with serving() as server:
        asker = model(server)
        assert asker.context == 32_768 and model(server, context=9).context == 9
        assert EndpointModel(server.url, "another").context == 0
    assert asker.context == 32_768  # the server is gone
    assert EndpointModel(server.url, "m").context == 0


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ({"data": [{"id": "m", "max_model_len": 4096}]}, 4096),
        ({"data": [{"id": "x"}, {"id": "m", "max_context_length": 8192}]}, 8192),
        ({"data": [{"id": "m", "context_length": 100}]}, 100),
        ({"data": [{"id": "m", "meta": {"n_ctx_train": 9000, "n_ctx": 512}}]}, 512),
        ({"data": [{"id": "m", "meta": None, "max_model_len": "many"}]}, 0),
        ({"data": [3, None]}, 0), ({"data": {}}, 0), (None, 0), ([], 0),
    ],
)  # fmt: skip
def test_contexts_as_servers_list_them(listed: Any, expected: int) -> None:
    assert answers.context(listed, "m") == expected
