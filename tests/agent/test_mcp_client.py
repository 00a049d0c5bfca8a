"""A real MCP server, written with the SDK: tools, results, persistence, loss in the midst of a call, HTTP."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mcp_world import HERE, PATIENT, example

from unsorry.scaffolds.agent import Observation, ToolCall
from unsorry.scaffolds.agent.mcp.config import ServerConfig
from unsorry.scaffolds.agent.mcp.pool import McpServers, McpTool
from unsorry.scaffolds.agent.toolbox import Toolbox


class Bench:
    """A pool with what it told."""

    def __init__(self, configs: list[ServerConfig], logs: Path) -> None:
        self.told: list[str] = []
        self.reported: list[str] = []
        self.twice = threading.Event()
        self.pool = McpServers(configs, logs, notify=self.told.append, progress=self._progress)

    def _progress(self, line: str) -> None:
        self.reported.append(line)
        if len(self.reported) % 2 == 0:
            self.twice.set()

    def tool(self, name: str) -> McpTool:
        return next(tool for tool in self.pool.tools() if tool.spec.name == name)

    def call(self, name: str, **arguments: Any) -> Observation:
        return self.tool(name).run(arguments)

    def pid(self) -> int:
        return int(self.call("example_process").data["structured"]["pid"])


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    os.environ["SECRET_OF_THE_USER"] = "x"
    bench = Bench([example(env={"GIVEN": "1"}, prompt="Use it well.")], tmp_path_factory.mktemp("logs"))
    with bench.pool:
        yield bench
    del os.environ["SECRET_OF_THE_USER"]


def test_tools_join_a_toolbox_under_the_name_of_their_server(bench: Bench) -> None:
    assert bench.pool.faults == []
    box = Toolbox(bench.pool.tools())
    spec = next(spec for spec in box.specs if spec.name == "example_add")
    assert spec.description == "Adds two numbers. Use it well."
    assert spec.parameters["required"] == ["a", "b"]
    found = box.call(ToolCall("1", "example_add", {"a": 20, "b": 22}, ""))
    assert (found.status, found.text, found.data["structured"]) == ("ok", "42", {"result": 42})
    wrong = box.call(ToolCall("2", "example_add", {"a": 20, "c": 22}, ""))
    assert wrong.status == "error" and "b is missing" in wrong.text
    assert [tool.repeatable for tool in (bench.tool("example_add"), bench.tool("example_die"))] == [True, False]


def test_a_server_is_started_once_and_kept(bench: Bench) -> None:
    assert bench.pid() == bench.pid()
    assert bench.pool.connections[0].starts == 1


def test_many_agents_share_one_server(bench: Bench) -> None:
    """Calls come from several threads at a time, and each gets its own answer."""
    before = bench.pid()
    with ThreadPoolExecutor(8) as threads:
        sums = list(threads.map(lambda n: bench.call("example_add", a=n, b=1).text, range(40)))
    assert sums == [str(n + 1) for n in range(40)]
    assert bench.pid() == before


def test_a_server_inherits_what_it_is_given_and_no_secrets(bench: Bench) -> None:
    seen = bench.call("example_process").data["structured"]["environment"]
    assert "GIVEN" in seen and "PATH" in seen
    assert "SECRET_OF_THE_USER" not in seen


def test_what_a_tool_calls_an_error_is_one(bench: Bench) -> None:
    found = bench.call("example_fail", why="there is no such theorem")
    assert found.status == "error" and "there is no such theorem" in found.text
    assert bench.call("example_add", a="many", b=2).status == "error"


def test_a_partial_answer_is_no_success(bench: Bench) -> None:
    """An empty list of errors of a file that Lean is still at is not "no errors"."""
    done, errors, partial = (bench.call("example_check", state=s) for s in ("complete", "errors", "partial"))
    assert (done.status, errors.status) == ("ok", "error")
    assert set(done.data["structured"]) == {"result"}  # as the SDK wraps what may be of several types
    assert partial.status == "unknown" and "still elaborating lines [3, 9]" in partial.text


def test_images_are_named_and_escapes_removed(bench: Bench) -> None:
    found = bench.call("example_picture")
    assert found.text == "ared one\n[image image/png, 3000 bytes, not shown]"


def test_a_long_result_keeps_its_two_ends(bench: Bench) -> None:
    found = bench.call("example_long", characters=1_000_000)
    assert found.text.startswith("begin") and found.text.endswith("end") and len(found.text) < 21_000
    assert "980000 characters left out" in found.text
    assert found.data["cut_from"] == 1_000_000 and "structured" not in found.data


@pytest.mark.parametrize("arguments", [{"a": "\ud800", "b": 1}, {"a": float("nan"), "b": 1}, {"a": {1, 2}, "b": 1}])
def test_arguments_that_are_no_json_do_not_reach_the_server(bench: Bench, arguments: dict[str, Any]) -> None:
    before = bench.pid()
    found = bench.tool("example_add").run(arguments)
    assert found.status == "error" and "nothing was done" in found.text and "\n" not in found.text
    assert bench.pid() == before


def test_ctrl_c_ends_the_call_and_not_the_server(bench: Bench) -> None:
    before, turn = bench.pid(), threading.Thread(target=_interrupt_after, args=(bench.twice,), daemon=True)
    bench.twice.clear()
    turn.start()
    with pytest.raises(KeyboardInterrupt):
        bench.call("example_work")
    turn.join()
    assert bench.pid() == before


def _interrupt_after(event: threading.Event) -> None:
    assert event.wait(240)
    os.kill(os.getpid(), signal.SIGINT)


def test_a_server_killed_in_the_midst_of_a_call_is_unknown_told_once_and_started_again(bench: Bench) -> None:
    before = bench.pid()
    bench.told.clear()
    bench.twice.clear()
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(bench.call, "example_work")
        assert bench.twice.wait(240)
        os.kill(before, signal.SIGKILL)
        found = answer.result(240)
    assert found.status == "unknown"
    assert "MCP server example ended" in found.text and "it had reported 2 of 3, two of three" in found.text
    assert "\n" not in found.text and "TaskGroup" not in found.text
    assert bench.reported[-2:] == ["example_work: 1 of 3, one of three", "example_work: 2 of 3, two of three"]
    assert len(bench.told) == 1 and bench.told[0].startswith("MCP server example ended")
    assert bench.pid() != before


def test_over_http_a_server_may_go_and_come_back(tmp_path: Path) -> None:
    """Found gone: an error, since nothing was sent.  Back again, with none of the old session: used as before."""
    port = _free_port()
    config = ServerConfig.model_validate(
        {"name": "example", "transport": "streamable-http", "url": f"http://127.0.0.1:{port}/mcp", **PATIENT}
    )
    first = _http_server(port)
    bench = Bench([config], tmp_path)
    with bench.pool:
        assert bench.pool.faults == []
        assert bench.call("example_add", a=1, b=2).text == "3"
        assert bench.pid() == first.pid
        _stop(first)
        gone = bench.call("example_add", a=1, b=2)
        assert gone.status == "error"
        assert f"cannot be reached: nothing answers at http://127.0.0.1:{port}/mcp; nothing was done" in gone.text
        second = _http_server(port)
        assert bench.call("example_add", a=1, b=2).text == "3"
        assert bench.pid() == second.pid
        _stop(second)


def test_the_key_of_an_http_server_comes_from_a_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A server that says 401, whatever it is sent; what it was sent is on its standard output."""
    script = "\n".join(
        [
            "import http.server, sys",
            "class Handler(http.server.BaseHTTPRequestHandler):",
            "    def do_POST(self):",
            "        print(self.headers['X-Key'], flush=True)",
            "        self.rfile.read(int(self.headers['Content-Length']))",
            "        self.send_response(401); self.send_header('Content-Length', '0'); self.end_headers()",
            "    def log_message(self, *args): pass",
            "server = http.server.HTTPServer(('127.0.0.1', 0), Handler)",
            "print(server.server_port, flush=True)",
            "server.serve_forever()",
        ]
    )
    table = {"name": "web", "transport": "http", "api_key_env": "WEB_KEY", "api_key_header": "X-Key", **PATIENT}
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/mcp"
        config = ServerConfig.model_validate({**table, "url": url})
        with McpServers([config], tmp_path) as pool:
            assert pool.faults == [
                "MCP server web cannot be started: the variable WEB_KEY is not set: put the key there"
            ]
        monkeypatch.setenv("WEB_KEY", "hunter2")
        with McpServers([config], tmp_path) as pool:
            assert pool.faults == [f"MCP server web is refused by {url}: HTTP 401; check the key (api_key_env)"]
        assert server.stdout.readline() == "Bearer hunter2\n"
        server.kill()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _http_server(port: int) -> subprocess.Popen[bytes]:
    """The example server, once it listens."""
    server = subprocess.Popen(
        [sys.executable, str(HERE / "mcp_example.py"), "http", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
        time.sleep(0.2)
    raise AssertionError(f"the example server ended with {server.returncode}")


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.kill()
    server.wait()


def test_data_of_results_can_be_saved(bench: Bench) -> None:
    json.dumps(dict(bench.call("example_check", state="partial").data))
