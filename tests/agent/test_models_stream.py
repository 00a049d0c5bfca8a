"""Streams of server-sent events: any cut of the bytes, the forms of different servers, and what is not whole."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry.scaffolds.agent.models import answers, sse


def chunk(delta: Any, finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        **more,
    }


def body(*chunks: Any, done: bool = True) -> bytes:
    events = [b"data: " + json.dumps(one, ensure_ascii=False).encode() + b"\n\n" for one in chunks]
    return b"".join(events) + (b"data: [DONE]\n\n" if done else b"")


def read(data: bytes) -> dict[str, Any]:
    return sse.read(iter([data]))


def call(index: int | None, name: str | None = None, arguments: Any = None, id: str | None = None) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    given = {"index": index, "id": id, "function": function}
    return {"tool_calls": [{key: value for key, value in given.items() if value is not None}]}


CHUNKS = [
    chunk({"role": "assistant", "content": ""}),
    chunk({"reasoning_content": "ε "}),
    chunk({"reasoning_content": "𝔽"}),
    chunk({"content": "∀ x,\n"}),
    chunk({"content": "data: y"}),
    chunk(call(0, "read", "", "a")),
    chunk(call(0, None, '{"path": ')),
    chunk(call(1, "list", "{}", "b")),
    chunk(call(0, None, '"Ω"}')),
    chunk({}, "tool_calls"),
    {"object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}},
]
WHOLE = {
    "role": "assistant",
    "content": "∀ x,\ndata: y",
    "reasoning_content": "ε 𝔽",
    "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "read", "arguments": '{"path": "Ω"}'}},
        {"id": "b", "type": "function", "function": {"name": "list", "arguments": "{}"}},
    ],
}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, len(body(*CHUNKS))), max_size=40), st.sampled_from([b"\n", b"\r\n"]))
def test_any_cut_of_the_bytes_gives_the_same_answer(cuts: list[int], ending: bytes) -> None:
    data = body(*CHUNKS).replace(b"\n", ending)
    places = sorted({0, len(data), *(cut % len(data) for cut in cuts)})
    answer = sse.read(iter([data[a:b] for a, b in itertools.pairwise(places)]))
    assert answer["choices"] == [{"index": 0, "message": WHOLE, "finish_reason": "tool_calls"}]
    assert answer["usage"] == {"prompt_tokens": 7, "completion_tokens": 3}


@pytest.mark.parametrize("count", range(len(CHUNKS) - 2))
def test_a_stream_without_its_end_is_no_answer(count: int) -> None:
    with pytest.raises(ValueError, match=r"broke off|without anything"):
        read(body(*CHUNKS[:count], done=False))


def test_an_answer_is_whole_when_only_what_follows_it_is_lost() -> None:
    def broken() -> Iterator[bytes]:
        yield body(*CHUNKS[:-1], done=False)
        raise ConnectionError("gone")

    assert sse.read(broken())["choices"][0]["message"] == WHOLE
    assert "usage" not in sse.read(broken())


def calls(*chunks: Any) -> list[tuple[str, Any]]:
    answer = read(body(*chunks, chunk({}, "tool_calls")))
    assert not answers.wrong(answer)
    return [(one.name, one.arguments) for one in answers.read(answer, (), 1).calls]


def test_calls_in_the_forms_of_different_servers() -> None:
    expected = [("read", {"path": "A"}), ("read", {"path": "B"})]
    a, b = '{"path": "A"}', '{"path": "B"}'
    assert calls(chunk(call(0, "read", a, "x")), chunk(call(1, "read", b, "y"))) == expected
    assert calls(chunk(call(None, "read", a, "x")), chunk(call(None, "read", b, "y"))) == expected  # no index
    assert calls(chunk(call(0, "read", a, "x")), chunk(call(0, "read", b, "y"))) == expected  # every index 0
    assert calls(chunk(call(0, "read", {"path": "A"})), chunk(call(1, "read", {"path": "B"}))) == expected  # objects
    both = {"tool_calls": call(None, "read", a)["tool_calls"] + call(None, "read", b)["tool_calls"]}
    assert calls(chunk(both)) == expected  # neither index nor id
    repeated = [chunk(call(0, "read", piece, "x")) for piece in (a[:5], a[5:])]  # name and id in every piece
    assert calls(*repeated, chunk(call(1, "read", b, "y"))) == expected


def test_parts_of_content() -> None:
    thinking = [{"type": "thinking", "thinking": [{"type": "text", "text": "be"}]}]
    more = [{"type": "thinking", "thinking": [{"type": "text", "text": "cause"}]}]
    text = [{"type": "text", "text": "A"}]
    answer = read(body(*(chunk({"content": one}) for one in (thinking, more, text)), chunk({"content": "."}, "stop")))
    message = answers.read(answer, (), 1).message
    assert (message["content"], message["reasoning_content"]) == ("A.", "because")


@pytest.mark.parametrize(
    "data",
    [
        b": comment\n\nevent: message\nid: 3\n" + body(chunk({"content": "A."}), chunk({}, "stop")),
        body(chunk({"content": "A."}), chunk({}, "stop")).replace(b"\n\n", b"\n"),  # one line break
        body(chunk({"content": "A."}, "stop"), done=False),  # no mark of the end
        body(chunk({"content": "A."}, "stop"), done=False).rstrip(),
        body(chunk({"content": "A."}), {"type": "ping"}, chunk({}, "stop")).replace(b"data: ", b"data:"),
        json.dumps({"choices": [{"message": {"content": "A."}, "finish_reason": "stop"}]}, indent=1).encode(),
    ],
)
def test_streams_that_are_as_good(data: bytes) -> None:
    answer = read(data)
    assert not answers.wrong(answer) and answers.read(answer, (), 1).message["content"] == "A."


@pytest.mark.parametrize(
    "data",
    [
        body(chunk({"content": "A"}), {"error": {"message": "out of memory"}}, done=False),
        body(chunk({"content": "A"}), {"error": "out of memory"}, done=False),
        body(chunk({"content": "A"}), {"object": "error", "message": "out of memory", "code": 500}, done=False),
        body(chunk({"content": "A"}), done=False) + b'error: {"code": 500, "message": "out of memory"}\n\n',
        json.dumps({"error": {"message": "out of memory"}}).encode(),
    ],
)
def test_an_error_in_a_stream_is_no_answer(data: bytes) -> None:
    assert "out of memory" in answers.wrong(read(data))


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n\n", b"data: {\n\n", b"data: 3\n\n", b"data: {}\n\n", b"\xff\xfe", b"data: [DONE]\n\n",
        body(chunk({"tool_calls": [1]})), b"data: " + b"[" * 100_000 + b"\n\n",
    ],
)  # fmt: skip
def test_what_is_no_stream(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"stream|without anything"):
        read(data)


KEYS = [
    "choices", "delta", "message", "content", "tool_calls", "function", "name", "arguments", "index", "id", "type",
    "text", "finish_reason", "usage", "error", "thinking", "reasoning_content",
]  # fmt: skip
ATOMS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=300, deadline=None)
@given(VALUES)
def test_no_chunk_breaks_more_than_itself(value: Any) -> None:
    for data in (body(value), body(chunk(value, "stop")), json.dumps(value).encode()):
        try:
            answer = read(data)
        except ValueError:
            continue
        if not answers.wrong(answer):
            answers.read(answer, (), 1)
