"""A real HTTP server that speaks the chat protocol, tools and streams included, and does to it what servers do.

    with serving([Said("Let me look.", [("read", {"path": "A.lean"})]), status(503), Said("Done.")]) as server:
        ... server.url, server.bodies

Answers are taken from the script in order, then from `default`; each is a `Said`, a fault, or a function of the request
that gives one of them.  As servers do, it refuses a conversation that breaks the rules: fields that are not known,
calls without results, arguments that are not JSON, roles out of order.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {
    "prompt_tokens": 1000,
    "completion_tokens": 200,
    "total_tokens": 1200,
    "prompt_tokens_details": {"cached_tokens": 400},
}
_FIELDS = {
    "system": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "tool_calls", "reasoning_content", "reasoning"},
    "tool": {"role", "content", "tool_call_id"},
}


@dataclass(frozen=True)
class Said:
    """An answer.  Arguments that are a text are sent as they are.  `usage` None is left out."""

    text: str | list[dict[str, Any]] | None = ""
    calls: Sequence[tuple[str, Any]] = ()
    reasoning: str = ""
    finish: str = ""
    usage: Mapping[str, Any] | None = field(default_factory=lambda: dict(USAGE))
    reasoning_field: str = "reasoning_content"
    ids: Sequence[str | None] = ()

    def message(self, number: int) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.reasoning:
            message[self.reasoning_field] = self.reasoning
        if self.calls:
            message["tool_calls"] = [
                {
                    "id": self.ids[at] if self.ids else f"call{number:04}{at}",
                    "type": "function",
                    "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
                }
                for at, (name, given) in enumerate(self.calls)
            ]
        return message

    @property
    def finished(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


Reply = Said | Callable[["Handler", dict[str, Any]], Any]


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: Sequence[Reply], default: Reply | None, *, strict: bool) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        self.script, self.default, self.strict = list(script), default or Said("ok"), strict
        self.lock, self.released = threading.Lock(), threading.Event()
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []  # headers and bodies
        self.piece = 7  # characters of a streamed piece

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [body for _, body in self.requests]

    def handle_error(self, *args: Any) -> None:
        """Clients that go away are part of the tests."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self.json({"object": "list", "data": [{"id": "m", "object": "model", "max_model_len": 32_768}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        with server.lock:
            server.requests.append((dict(self.headers), body))
            number = len(server.requests)
            if server.strict and self.path != "/v1/chat/completions":
                return self.json({"error": {"message": "no such path"}}, 404)
            if server.strict and (fault := refusal(body)):
                return self.json({"error": {"message": fault, "type": "BadRequestError", "code": 400}}, 400)
            reply = server.script.pop(0) if server.script else server.default
        while callable(reply):
            reply = reply(self, body)
        if isinstance(reply, Said):
            (self.stream if body.get("stream") else self.whole)(reply, body, number)

    def whole(self, said: Said, body: Mapping[str, Any], number: int) -> None:
        choice = {"index": 0, "message": said.message(number), "finish_reason": said.finished}
        usage = {"usage": said.usage} if said.usage is not None else {}
        self.json({"id": f"c{number}", "object": "chat.completion", "created": 1, "model": body["model"],
                   "choices": [choice], **usage})  # fmt: skip

    def stream(self, said: Said, body: Mapping[str, Any], number: int) -> None:
        self.open_stream()
        for chunk in self.chunks(said, body, number):
            self.event(chunk)
        self.data(b"data: [DONE]\n\n")
        self.data(b"")

    def chunks(self, said: Said, body: Mapping[str, Any], number: int) -> Iterator[dict[str, Any]]:
        """As OpenAI sends them: pieces of text, calls by index with their arguments in pieces, then usage alone."""
        frame = {"id": f"c{number}", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
        wanted = (body.get("stream_options") or {}).get("include_usage")

        def chunk(delta: Any, finish: str | None = None) -> dict[str, Any]:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return {**frame, "choices": [choice], **({"usage": None} if wanted else {})}

        message = said.message(number)
        yield chunk({"role": "assistant", "content": ""})
        for key in (said.reasoning_field, "content"):
            value = message.get(key)
            pieces = value if isinstance(value, list) else self.cut(value or "")
            for piece in pieces:
                yield chunk({key: [piece] if isinstance(value, list) else piece})
        for index, call in enumerate(message.get("tool_calls", ())):
            function = call["function"]
            start = {**call, "function": {"name": function["name"], "arguments": ""}}
            yield chunk({"tool_calls": [{"index": index, **start}]})
            for piece in self.cut(function["arguments"]):
                yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
        yield chunk({}, said.finished)
        if wanted and said.usage is not None:
            yield {**frame, "choices": [], "usage": said.usage}

    def cut(self, text: str) -> list[str]:
        size = self.server.piece
        return [text[at : at + size] for at in range(0, len(text), size)]

    def open_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def event(self, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False)
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            text = json.dumps(value)
        self.data(b"data: " + text.encode() + b"\n\n")

    def data(self, data: bytes) -> None:
        """One chunk of a stream; an empty one ends it."""
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def json(self, value: Any, status: int = 200, **headers: str) -> None:
        self.send(status, json.dumps(value).encode(), **headers)

    def send(self, status: int, data: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content_Type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        pass


def refusal(body: Mapping[str, Any]) -> str:
    """What a server finds wrong with a request, "" if nothing."""
    waiting: list[str] = []
    for at, message in enumerate(body["messages"]):
        role = message["role"]
        if extra := set(message) - _FIELDS[role]:
            return f"messages[{at}]: extra fields not permitted: {', '.join(sorted(extra))}"
        if role == "tool":
            if message["tool_call_id"] not in waiting:
                return f"messages[{at}]: no call {message['tool_call_id']!r} waits for a result"
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            return f"messages[{at}]: calls without results: {', '.join(waiting)}"
        if role == "system" and at:
            return f"messages[{at}]: a system message can only come first"
        for call in message.get("tool_calls", ()):
            try:
                good = isinstance(json.loads(call["function"]["arguments"]), dict)
            except ValueError:
                good = False
            if not good:
                return f"messages[{at}]: the arguments of {call['id']} are not JSON of an object"
            waiting.append(call["id"])
        if role == "assistant" and not message.get("content") and not message.get("tool_calls"):
            return f"messages[{at}]: an answer must have either content or tool_calls"
    if waiting or body["messages"][-1]["role"] not in ("user", "tool"):
        return "the last message is not the user's or the result of a tool"
    return ""


def status(code: int, message: str = "no", **headers: str) -> Reply:
    """An HTTP error in OpenAI's shape."""
    return lambda handler, _: handler.json({"error": {"message": message}}, code, **headers)


def raw(data: bytes, code: int = 200) -> Reply:
    return lambda handler, _: handler.send(code, data)


def half_stream(said: Said, after: int) -> Reply:
    """A stream whose connection is lost after so many chunks; a whole answer is cut in its middle."""

    def reply(handler: Handler, body: dict[str, Any]) -> None:
        if body.get("stream"):
            handler.open_stream()
            for at, chunk in enumerate(handler.chunks(said, body, 0)):
                if at == after:
                    break
                handler.event(chunk)
        else:
            handler.send_response(200)
            handler.send_header("Content-Length", "1000")
            handler.end_headers()
            handler.wfile.write(b'{"choices": [')
            handler.wfile.flush()
        handler.connection.shutdown(socket.SHUT_RDWR)

    return reply


def lines(*events: bytes) -> Reply:
    """A stream of exactly these bytes, properly ended."""

    def reply(handler: Handler, body: dict[str, Any]) -> None:
        handler.open_stream()
        for event in events:
            handler.data(event)
        handler.data(b"")

    return reply


def hang(handler: Handler, _: dict[str, Any]) -> None:
    """No answer until the server ends."""
    handler.server.released.wait(60)


def reset(handler: Handler, _: dict[str, Any]) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def serving(script: Sequence[Reply] = (), default: Reply | None = None, *, strict: bool = True) -> Iterator[Server]:
    """A server on a free port of this machine, until the block ends."""
    server = Server(script, default, strict=strict)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
