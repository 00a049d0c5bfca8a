"""The endpoint model and what servers do: fail, refuse, hang, break off; and context that is too short."""

from __future__ import annotations

from typing import Any

import pytest
from models_world import ASKED, FAST, TOOLS, continued, model
from openai_server import Handler, Said, half_stream, hang, raw, reset, serving, status

from unsorry.scaffolds.agent import ContextOverflow, Message, ModelFailed
from unsorry.scaffolds.agent.models.endpoint import EndpointModel


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def stream(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.mark.parametrize(
    "fault",
    [
        status(500), status(503, Retry_After="0"), status(429, Retry_After="0"), status(408), raw(b"{not json"),
        raw(b""),
        raw(b'{"choices": []}'), raw(b"[1]"), raw(b"[" * 100_000), raw(b'{"choices": [null]}'),
        raw(b'{"error": {"message": "overloaded"}}'), raw(b'{"choices": [{"message": {"content": 5}}]}'),
        raw(b'{"choices": [{"message": {"content": "", "tool_calls": [3]}}]}'), reset,
        half_stream(Said("A long text.", [("list", {})]), 2), half_stream(Said("A long text."), 0),
    ],
    ids=range(16),
)  # fmt: skip
def test_faults_that_pass(stream: bool, fault: Any) -> None:
    with serving([fault, fault, Said("At last.", [("list", {})])]) as server:
        reply = model(server, stream=stream).reply(ASKED, TOOLS)
        assert reply.message["content"] == "At last." and reply.message["extra"]["tries"] == 3
        assert len(reply.calls) == 1 and len(server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (status(401, "bad key"), "not accepted by .*HTTP 401: bad key"),
        (status(404, "no m"), "no model 'm', or no such path"),
        (status(402, "pay"), "refused by .*HTTP 402: pay"),
        (
            raw(b'{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}', 429),
            "no credit left",
        ),
        (status(500, "boom"), "gave no answer in 4 tries and at most .*: HTTP 500: boom; perhaps at a call that it"),
        (raw(b"<html>"), "gave no answer in 4 tries"),
        (status(400, '"auto" tool choice requires --enable-auto-tool-choice'), "use the text protocol"),
        (status(400, "the template has no tools"), "use the text protocol"),
    ],
)
def test_what_no_request_survives(stream: bool, fault: Any, says: str) -> None:
    with serving(default=fault) as server, pytest.raises(ModelFailed, match=says) as failed:
        model(server, stream=stream).reply(ASKED, TOOLS)
    assert "\n" not in failed.value.message and failed.value.resumable
    assert len(server.requests) <= FAST.attempts


UNREAD = "(a tool call that could not be read: <tool_call>read A)"


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (raw(b'{"error": {"code": "tool_use_failed", "message": "Failed to call a function.", "failed_generation": '
             b'"<tool_call>read A"}}', 400), UNREAD),
        (status(500, "Failed to parse input at pos 11: <tool_call>read A"), "pos 11: <tool_call>read A"),
        (raw(b'data: {"error": "json parser could not parse region as JSON. Content: "read A""}\n\n'), "read A"),
    ],
)  # fmt: skip
def test_a_call_that_the_server_could_not_read_costs_a_turn(fault: Any, text: str) -> None:
    with serving([fault, Said("", [("list", {})])]) as server:
        asker = model(server, stream=True)
        reply = asker.reply(ASKED, TOOLS)
        assert text in reply.message["content"] and not reply.calls and reply.cost is None
        assert reply.message["extra"]["unread"] is True and len(server.requests) == 1
        told = {"role": "user", "content": "Your answer called no tool."}
        assert asker.reply([*continued(ASKED, reply), told], TOOLS).calls


def test_a_template_that_fails_on_the_first_result_of_a_tool() -> None:
    """Facts 24: HTTP 500 on the first tool result, for ever."""

    def broken(handler: Handler, body: dict[str, Any]) -> Any:
        failing = any(message["role"] == "tool" for message in body["messages"])
        return status(500, "UndefinedError: 'arguments'") if failing else Said("", [("list", {})])

    with serving(default=broken) as server:
        asker = model(server)
        reply = asker.reply(ASKED, TOOLS)
        with pytest.raises(ModelFailed, match=r"the conversation holds results of tools: .*use the text protocol"):
            asker.reply(continued(ASKED, reply, "A.lean"), TOOLS)
        assert len(server.requests) == 1 + FAST.attempts


def test_retry_after_is_kept_to_and_a_long_one_is_no_wait_for_ever() -> None:
    with serving([status(429, "slow down", Retry_After="3600")]) as server:
        with pytest.raises(ModelFailed, match=r"in 1 tries and at most .*HTTP 429: slow down"):
            model(server).reply(ASKED, TOOLS)
        assert model(server).reply(ASKED, TOOLS).message["content"] == "ok"


def test_a_try_that_hangs_is_given_up_and_the_next_one_answers(stream: bool) -> None:
    with serving([hang]) as server:
        reply = model(server, stream=stream, each=2.0, timeout=600.0).reply(ASKED, TOOLS)
        assert reply.message["content"] == "ok" and reply.message["extra"]["tries"] == 2


def test_a_server_that_is_not_there() -> None:
    with serving() as server:
        url = server.url
    with pytest.raises(ModelFailed, match=r"gave no answer in 4 tries .*nothing answers there"):
        EndpointModel(url, "m", retries=FAST).reply(ASKED, TOOLS)


OVERFLOW = "This model's maximum context length is 4096 tokens. However, your request has {} input tokens."


@pytest.mark.parametrize(
    "fault",
    [
        status(400, OVERFLOW.format(5000)),
        raw(b'{"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}'),  # with HTTP 200
        raw(b'{"error": {"code": 400, "message": "x", "type": "exceed_context_size_error"}}', 400),
    ],
)
def test_a_prompt_that_is_too_long(stream: bool, fault: Any) -> None:
    with serving([fault]) as server:
        asker = model(server, stream=stream)
        with pytest.raises(ContextOverflow):
            asker.reply(ASKED, TOOLS)
        assert len(server.requests) == 1
        assert asker.reply(ASKED, TOOLS).message["content"] == "ok"


def test_a_context_that_a_refusal_names_is_known_from_then_on() -> None:
    with serving([status(400, OVERFLOW.format(5000))]) as server:
        asker = model(server)
        with pytest.raises(ContextOverflow):
            asker.reply(ASKED, TOOLS)
        assert asker.context == 4096


def test_an_answer_that_has_no_room_gets_the_room_that_there_is() -> None:
    def tight(handler: Handler, body: dict[str, Any]) -> Any:
        fits = body["max_tokens"] <= 4096 - 2000
        return Said("short") if fits else status(400, OVERFLOW.format(2000))

    with serving(default=tight) as server:
        assert model(server, max_tokens=8000).reply(ASKED, TOOLS).message["content"] == "short"
        assert [body["max_tokens"] for body in server.bodies] == [8000, 2096]
    with serving(default=status(400, OVERFLOW.format(4000))) as server, pytest.raises(ContextOverflow):
        model(server, max_tokens=8000).reply(ASKED, TOOLS)  # 96 tokens are no answer: the history must be shorter


THOUGHT: list[Message] = [
    *ASKED,
    {"role": "assistant", "content": "", "reasoning_content": "r", "tool_calls": [
        {"id": "call_far_too_long", "type": "function", "function": {"name": "list", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "call_far_too_long", "content": "A.lean"},
]  # fmt: skip
BRIDGED: list[Message] = [*THOUGHT, {"role": "user", "content": "Go on."}]


@pytest.mark.parametrize(
    ("messages", "options", "refused", "says"),
    [
        (ASKED, {"max_tokens": 9}, lambda b: "max_tokens" in b,
         "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        (ASKED, {"temperature": 0.2}, lambda b: "temperature" in b,
         "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) is supported."),
        (ASKED, {"stream": True}, lambda b: "stream_options" in b, "extra fields not permitted: stream_options"),
        (THOUGHT, {}, lambda b: "reasoning_content" in str(b["messages"]), "reasoning_content is not allowed"),
        (THOUGHT, {}, lambda b: len(b["messages"][3]["tool_call_id"]) != 9,
         "Tool call id was call_far_too_long but must be a-z, A-Z, 0-9, with a length of 9."),
        (BRIDGED, {}, lambda b: b["messages"][-2]["role"] == "tool", "Unexpected role 'user' after role 'tool'"),
    ],
)  # fmt: skip
def test_what_one_server_wants_differently_is_learned_once(
    messages: list[Message], options: Any, refused: Any, says: str
) -> None:
    def picky(handler: Handler, body: dict[str, Any]) -> Any:
        return status(400, says) if refused(body) else Said("ok")

    with serving(default=picky) as server:
        asker = model(server, **options)
        assert asker.reply(messages, TOOLS).message["extra"].get("tries") == 2
        asker.reply(messages, TOOLS)
        assert len(server.requests) == 3
    with serving(default=status(400, says)) as server, pytest.raises(ModelFailed):
        model(server, **options).reply(messages, TOOLS)  # it still refuses: no endless round
    assert len(server.requests) <= 3
