"""The endpoint prover against a real HTTP server that does what servers do: answer, refuse, hang, break."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from unsorry import Problem, Prompt, Sampling, UnsorryError
from unsorry.provers.endpoint import EndpointProver, Price
from unsorry.provers.formats import make
from unsorry.provers.journal import Journal
from unsorry.provers.openai_api import Retries

PROBLEMS = [Problem(f"p{n}", f"theorem t{n} : {n} = {n} := by sorry", (f"t{n}",)) for n in range(4)]
PROMPTS = [Prompt(problem) for problem in PROBLEMS]
FAST = Retries(attempts=4, first=0.01, most=0.02)
SAMPLING = Sampling(timeout=20.0, seed=3)
Reply = Callable[["Handler", dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    """Answers with what the server's `replies` say, then with a proof."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        server: Any = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.seen.append((self.path, dict(self.headers), body))
            reply = server.replies.pop(0) if server.replies else server.default
        reply(self, body)

    def send(self, status: int, data: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def json(self, value: Any, status: int = 200, **headers: str) -> None:
        self.send(status, json.dumps(value).encode(), **headers)

    def log_message(self, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *args: Any) -> None:
        """Clients that went away are part of the tests."""


def answer(text: str | None = None, *, finish: str = "stop", **more: Any) -> Reply:
    def reply(handler: Handler, body: dict[str, Any]) -> None:
        asked = body["messages"][-1]["content"] if "messages" in body else body["prompt"]
        name = asked.split("theorem ")[1].split()[0]
        said = f"Plan.\n```lean4\ntheorem {name} : 1 = 1 := by rfl\n```" if text is None else text
        choice = {"message": {"role": "assistant", "content": said}, "text": said, "finish_reason": finish}
        usage = {"prompt_tokens": 1000, "completion_tokens": 200, "prompt_tokens_details": {"cached_tokens": 400}}
        whole = {"model": "served-1", "choices": [choice], "usage": usage}
        for key, value in more.items():
            (choice if key in ("logprobs", "token_ids") else whole)[key] = value
        handler.json(whole)

    return reply


def status(code: int, message: str = "no", **headers: str) -> Reply:
    return lambda handler, _: handler.json({"error": {"message": message}}, code, **headers)


def raw(data: bytes) -> Reply:
    return lambda handler, _: handler.send(200, data)


def cut(handler: Handler, _: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)


def reset(handler: Handler, _: dict[str, Any]) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def hang(handler: Handler, _: dict[str, Any]) -> None:
    handler.server.released.wait(30)  # type: ignore[attr-defined]


def drip(handler: Handler, _: dict[str, Any]) -> None:
    """A byte now and then, for ever: no single read takes long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    try:
        while not handler.server.released.wait(0.05):  # type: ignore[attr-defined]
            handler.wfile.write(b" ")
            handler.wfile.flush()
    except OSError:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    made: Any = Server(("127.0.0.1", 0), Handler)
    made.lock, made.released = threading.Lock(), threading.Event()
    made.seen, made.replies, made.default = [], [], answer()
    made.url = f"http://127.0.0.1:{made.server_address[1]}/v1"
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield made
    made.released.set()
    made.shutdown()
    made.server_close()


def prover(server: Any, **options: Any) -> EndpointProver:
    return EndpointProver(server.url, "m", make("goedel"), **{"retries": FAST, "concurrency": 4, **options})


def test_a_chat(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", " secret-1 \n")
    asker = prover(server, api_key_env="MY_KEY", max_tokens=77, price=Price(1.0, 0.25, 4.0))
    rows = asker.propose(PROMPTS, n=3, sampling=Sampling(temperature=0.7, top_p=0.9, timeout=20.0))
    for problem, row in zip(PROBLEMS, rows, strict=True):
        assert [one.text for one in row] == [problem.source.replace("by sorry", "by rfl")] * 3
        for one in row:
            assert one.turn is not None and one.turn.model == "served-1" and one.turn.finish == "stop"
            assert one.turn.messages == make("goedel").messages(problem)
            assert (one.cost.tokens_in, one.cost.tokens_cached, one.cost.tokens_out) == (1000, 400, 200)
            assert one.cost.money == pytest.approx((600 * 1.0 + 400 * 0.25 + 200 * 4.0) / 1e6)
    assert len(server.seen) == 12
    for path, headers, body in server.seen:
        assert path == "/v1/chat/completions" and headers["Authorization"] == "Bearer secret-1"
        assert (body["model"], body["temperature"], body["top_p"], body["max_tokens"]) == ("m", 0.7, 0.9, 77)
        assert [set(message) for message in body["messages"]] == [{"role", "content"}]
    assert len({body["seed"] for _, _, body in server.seen}) == 12


def test_seeds_are_the_same_in_every_run(server: Any) -> None:
    def seeds(prompts: list[Prompt], seed: int = 3) -> set[int]:
        server.seen.clear()
        prover(server).propose(prompts, n=2, sampling=Sampling(timeout=20.0, seed=seed))
        return {body["seed"] for _, _, body in server.seen}

    assert seeds(PROMPTS[:1]) == seeds(PROMPTS[:1]) < seeds(PROMPTS)
    assert not seeds(PROMPTS[:1]) & seeds(PROMPTS[:1], seed=4)
    assert len(seeds([PROMPTS[0], PROMPTS[0]])) == 4


def test_completions_in_the_plain_format(server: Any) -> None:
    server.default = answer(" by rfl<|end|>")
    asker = EndpointProver(server.url, "m", make("plain"), kind="completions", retries=FAST)
    (row,) = asker.propose(PROMPTS[:1], n=1, sampling=SAMPLING)
    assert row[0].text == "theorem t0 : 0 = 0 := by rfl\n"
    ((path, headers, body),) = server.seen
    assert path == "/v1/completions" and "Authorization" not in headers
    assert body["prompt"] == "<|statement|>theorem t0 : 0 = 0 :=<|proof|>" and body["skip_special_tokens"] is False
    hostile = Problem("h", 'theorem t0 : "<|end|>" = "" := by sorry', ("t0",))
    (row,) = asker.propose([Prompt(hostile)], n=2, sampling=SAMPLING)
    assert [one.notes["defect"] for one in row] == ["unsupported"] * 2 and len(server.seen) == 1


@pytest.mark.parametrize(
    ("price", "money"),
    [
        (Price(), None),
        (Price(1.0, None, 4.0), None),  # some tokens were cached, and what those cost is unknown
        (Price(0.0, 0.0, 0.0), 0.0),
        (Price(2.0, 0.0, 1.0), (600 * 2.0 + 200) / 1e6),
    ],
)
def test_prices(server: Any, price: Price, money: float | None) -> None:
    (row,) = prover(server, price=price).propose(PROMPTS[:1], n=1, sampling=SAMPLING)
    assert row[0].cost.money == (pytest.approx(money) if money is not None else None)
    naive = (1000 * 2.0 + 200) / 1e6  # cached tokens in full
    assert money is None or money < naive


@pytest.mark.parametrize("usage", [None, "x", {}, {"prompt_tokens": -1, "completion_tokens": "many"}])
def test_usage_that_says_nothing(server: Any, usage: Any) -> None:
    server.default = answer(usage=usage)
    (row,) = prover(server, price=Price(1.0, 1.0, 1.0)).propose(PROMPTS[:1], n=1, sampling=SAMPLING)
    assert row[0].text and (row[0].cost.tokens_in, row[0].cost.tokens_out) == (0, 0) and row[0].cost.money is None


@pytest.mark.parametrize(
    "fault",
    [
        status(500), status(503, Retry_After="0"), status(429, Retry_After=formatdate(0, usegmt=True)), status(408),
        raw(b"{not json"), raw(b""), raw(b"[" * 100_000), raw(b'{"choices": []}'), raw(b"[1]"),
        raw(b'{"choices": [null]}'),
        raw(b'{"error": {"message": "overloaded"}}'), raw(b'{"choices": [{"message": {"content": 5}}]}'), cut, reset,
    ],
    ids=lambda fault: getattr(fault, "__name__", ""),
)  # fmt: skip
def test_faults_that_pass(server: Any, fault: Reply) -> None:
    server.replies = [fault, fault]
    (row,) = prover(server).propose(PROMPTS[:1], n=1, sampling=SAMPLING)
    assert row[0].text and row[0].notes["tries"] == 3 and len(server.seen) == 3


def test_retry_after_is_waited_for(server: Any) -> None:
    server.replies = [status(429, Retry_After="0.4")]
    start = time.monotonic()
    (row,) = prover(server).propose(PROMPTS[:1], n=1, sampling=SAMPLING)
    assert row[0].text and time.monotonic() - start >= 0.4  # a lower bound: it did wait
    server.default = status(429, "slow down", Retry_After="3600")
    with pytest.raises(UnsorryError, match="gave no answer in 1 tries and at most 20 s: HTTP 429: slow down"):
        prover(server).propose(PROMPTS[:1], n=1, sampling=SAMPLING)


@pytest.mark.parametrize("fault", [hang, drip])
def test_a_server_that_does_not_finish(server: Any, fault: Reply) -> None:
    server.default = fault
    with pytest.raises(UnsorryError, match=r"gave no answer in \d tries and at most 0.5 s: no answer in time"):
        prover(server).propose(PROMPTS[:1], n=1, sampling=Sampling(timeout=0.5))


def test_one_bad_request_among_good_ones(server: Any) -> None:
    def fault(handler: Handler, body: dict[str, Any]) -> None:
        (status(500, "a poisoned prompt") if "t2" in str(body["messages"]) else answer())(handler, body)

    server.default = fault
    rows = prover(server).propose(PROMPTS, n=2, sampling=SAMPLING)
    assert [bool(one.text) for row in rows for one in row] == [True] * 4 + [False] * 2 + [True] * 2
    for one in rows[2]:
        assert one.notes["defect"] == "error" and one.turn is None and one.cost.money is None
        assert "HTTP 500: a poisoned prompt" in one.notes["error"]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (status(401, "bad sekret-9\nno"), r"the key in MY_KEY is not accepted by .*\(HTTP 401: bad \(the key\) no"),
        (status(404, "model `m` is not there"), r"no model 'm', or no such path, at .*: model `m` is not there"),
        (status(400, "unknown parameter seed"), r"the request is refused by .*\(HTTP 400: unknown parameter seed\)"),
        (status(302, Location="http://127.0.0.1:1/"), r"the request is refused by .*HTTP 302"),
        (status(500), r"gave no answer in 4 tries and at most 20 s: HTTP 500: no"),
        (raw(b"<html>"), r"in 4 tries .* an answer that is not JSON"),
    ],
)  # fmt: skip
def test_what_no_request_survives(server: Any, monkeypatch: pytest.MonkeyPatch, fault: Reply, message: str) -> None:
    monkeypatch.setenv("MY_KEY", "sekret-9")
    server.default = fault
    with pytest.raises(UnsorryError, match=message) as error:
        prover(server, api_key_env="MY_KEY").propose(PROMPTS, n=4, sampling=SAMPLING)
    assert "\n" not in str(error.value) and "sekret" not in str(error.value)
    assert len(server.seen) < 4 * len(PROMPTS) * FAST.attempts  # it does not go through all of them first


def test_a_prompt_that_is_too_long_is_no_fault_of_the_endpoint(server: Any) -> None:
    server.replies = [status(400, "This model's maximum context length is 8 tokens")]
    rows = prover(server, concurrency=1).propose(PROMPTS, n=1, sampling=SAMPLING)
    assert rows[0][0].notes["defect"] == "prompt_too_long" and all(row[0].text for row in rows[1:])


def test_a_dead_endpoint() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    asker = EndpointProver(url, "m", make("goedel"), retries=FAST)
    with pytest.raises(UnsorryError, match=f"^{url} gave no answer in 4 tries .*nothing answers there") as error:
        asker.propose(PROMPTS, n=2, sampling=SAMPLING)
    assert "\n" not in str(error.value)


def test_nothing_is_paid_twice(server: Any, tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        asker = prover(server, journal=journal, concurrency=1, price=Price(1, 1, 1))
        server.replies = [answer()] * 5
        server.default = status(401)
        with pytest.raises(UnsorryError, match="HTTP 401"):
            asker.propose(PROMPTS, n=2, sampling=SAMPLING)
        assert len(journal) == 5 and len(server.seen) == 6
    server.default = answer()
    server.seen.clear()
    with Journal(tmp_path / "j") as journal:
        asker = prover(server, journal=journal, price=Price(1, 1, 1))
        rows = asker.propose(PROMPTS, n=2, sampling=SAMPLING)
        assert len(server.seen) == 3 and all(one.text and one.cost.money for row in rows for one in row)
        assert asker.propose(PROMPTS, n=2, sampling=SAMPLING) == rows and len(server.seen) == 3
        asker.propose(PROMPTS, n=2, sampling=Sampling(timeout=20.0, seed=4))
        assert len(server.seen) == 11
        server.default = status(500)
        with pytest.raises(UnsorryError):
            asker.propose(PROMPTS[:1], n=1, sampling=Sampling(timeout=20.0, seed=5))
        server.default = answer()
        assert asker.propose(PROMPTS[:1], n=1, sampling=Sampling(timeout=20.0, seed=5))[0][0].text


def test_killed_in_the_middle_no_answer_is_lost(server: Any, tmp_path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from unsorry import Problem, Prompt, Sampling
from unsorry.provers.endpoint import EndpointProver
from unsorry.provers.formats import make
from unsorry.provers.journal import Journal
prompts = [Prompt(Problem(f"p{{n}}", f"theorem t{{n}} : {{n}} = {{n}} := by sorry", (f"t{{n}}",))) for n in range(4)]
prover = EndpointProver({server.url!r}, "m", make("goedel"), concurrency=1, journal=Journal(Path(sys.argv[1])))
prover.propose(prompts, n=2, sampling=Sampling(timeout=60.0, seed=3))
"""
    reached = threading.Event()

    def last(handler: Handler, body: dict[str, Any]) -> None:
        reached.set()
        hang(handler, body)

    server.replies, server.default = [answer()] * 3, last
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "j")])
    assert reached.wait(60)
    process.kill()
    process.wait()
    server.released.set()
    server.default = answer()
    server.seen.clear()
    with Journal(tmp_path / "j") as journal:
        assert len(journal) == 3
        rows = prover(server, journal=journal).propose(PROMPTS, n=2, sampling=SAMPLING)
    assert all(one.text for row in rows for one in row) and len(server.seen) == 5


def test_reasoning_finish_and_parts(server: Any) -> None:
    def message(**fields: Any) -> Reply:
        return lambda handler, _: handler.json({"choices": [{"message": fields, "finish_reason": "length"}]})

    code = "```lean4\ntheorem t0 : 1 = 1 := by rfl\n```"
    server.replies = [
        message(content=code, reasoning_content="first"), message(content=code, reasoning="second"),
        message(content=None, reasoning="only"),
        message(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "third"}]},
                         {"type": "text", "text": code}, 5]),
    ]  # fmt: skip
    (row,) = prover(server, concurrency=1).propose(PROMPTS[:1], n=4, sampling=SAMPLING)
    assert [one.turn.reasoning for one in row if one.turn] == ["first", "second", "only", "third"]
    assert [bool(one.text) for one in row] == [True, True, False, True]
    assert {one.notes["finish"] for one in row} == {"length"} and row[2].notes["defect"] == "no_proof"
    server.replies = [answer(finish="content_filter")]
    (row,) = prover(server).propose(PROMPTS[:1], n=1, sampling=SAMPLING)
    assert row[0].text == "" and row[0].notes["defect"] == "error"


def test_log_probabilities_are_kept_when_they_come_with_tokens(server: Any) -> None:
    content = {"content": [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -1}]}
    server.replies = [
        answer(logprobs=content, token_ids=[4, 5], prompt_token_ids=[1, 2]),
        answer(logprobs=content, prompt_token_ids=[1, 2]),
        answer(logprobs=content, token_ids=[4, 5, 6], prompt_token_ids=[1, 2]),
        answer(logprobs={"content": [{"logprob": None}, {"logprob": 3.0}]}, token_ids=[4, 5], prompt_token_ids=[1]),
        answer(logprobs=content, token_ids=["x", True], prompt_token_ids=[1]),
    ]
    (row,) = prover(server, want_logprobs=True, concurrency=1).propose(PROMPTS[:1], n=5, sampling=SAMPLING)
    turns = [one.turn for one in row if one.turn]
    assert (turns[0].prompt_ids, turns[0].completion_ids, turns[0].logprobs) == ((1, 2), (4, 5), (-0.5, -1.0))
    assert all(turn.completion_ids == turn.logprobs == turn.prompt_ids == () for turn in turns[1:])
    assert all(body["logprobs"] is True and body["return_token_ids"] is True for _, _, body in server.seen)


def test_faults_of_the_user_are_one_line(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    goedel, plain = make("goedel"), make("plain")
    monkeypatch.setenv("EMPTY", " ")
    monkeypatch.setenv("ODD", "schlüssel")
    for make_one, message in (
        (lambda: prover(server, api_key_env="UNSET_KEY"), "put it in the variable UNSET_KEY"),
        (lambda: prover(server, api_key_env="EMPTY"), "put it in the variable EMPTY"),
        (lambda: prover(server, api_key_env="ODD"), "the variable ODD holds no key"),
        (lambda: EndpointProver("host/v1", "m", goedel), "is no URL: give one like"),
        (lambda: EndpointProver(server.url, "", goedel), "no model named for the endpoint"),
        (lambda: EndpointProver(server.url, "m", goedel, kind="x"), "unknown kind of endpoint 'x'"),
        (lambda: EndpointProver(server.url, "m", plain), "format 'plain' needs an endpoint of the kind 'completions'"),
        (lambda: EndpointProver(server.url, "m", goedel, kind="completions"), "of the kind 'chat'"),
        (lambda: prover(server, concurrency=0), "concurrency and max_tokens of at least 1"),
        (lambda: prover(server).propose(PROMPTS, n=1, sampling=Sampling(top_p=2.0)), "top_p 2.0 is outside"),
    ):  # fmt: skip
        with pytest.raises(UnsorryError, match=message) as error:
            make_one()
        assert "\n" not in str(error.value)
