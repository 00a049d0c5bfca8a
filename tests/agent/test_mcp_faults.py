"""Servers that crash, say nothing, talk nonsense, die at each call or have too many tools: one clear line each."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest
from mcp_world import hostile

from unsorry import UnsorryError
from unsorry.scaffolds.agent import ToolCall
from unsorry.scaffolds.agent.limits import until
from unsorry.scaffolds.agent.mcp.catalogue import MOST, fitted
from unsorry.scaffolds.agent.mcp.config import ServerConfig
from unsorry.scaffolds.agent.mcp.names import tool_name
from unsorry.scaffolds.agent.mcp.pool import McpServers
from unsorry.scaffolds.agent.toolbox import Toolbox


def test_servers_that_do_not_start_are_told_in_a_line_each_and_the_others_work(tmp_path: Path) -> None:
    servers = [
        hostile("crash"),
        hostile("garbage", startup_timeout_sec=2),
        hostile("silent", startup_timeout_sec=1),
        ServerConfig(name="none", transport="stdio", command="no-such-program --flag"),
        ServerConfig(name="folder", transport="stdio", command="true", cwd="/no/such/folder"),
        ServerConfig(name="web", transport="http", url="http://127.0.0.1:1/mcp"),
        hostile("many", "good"),
    ]
    with McpServers(servers, tmp_path) as pool:
        faults = dict(zip(("crash", "garbage", "silent", "none", "folder", "web"), pool.faults, strict=True))
        assert all("\n" not in fault and "TaskGroup" not in fault for fault in pool.faults)
        log = tmp_path / "crash.log"
        assert faults["crash"] == (
            f"MCP server crash ended before it answered; it said: ImportError: no module named lsp (all of it: {log})"
        )
        assert log.read_text().startswith("Traceback")
        assert "silent gives no answer in 1 s (startup_timeout_sec)" in faults["silent"]
        assert faults["garbage"].startswith("MCP server garbage gives no answer in 2 s")
        assert faults["none"] == "MCP server none cannot be started: there is no no-such-program"
        assert faults["folder"] == "MCP server folder cannot be started: there is no /no/such/folder"
        assert faults["web"] == "MCP server web cannot be reached: nothing answers at http://127.0.0.1:1/mcp"
        assert {tool.server for tool in pool.tools()} == {"good"}
        assert pool.tools()[0].run({}).text == "colour_0"


def test_noise_goes_to_files_and_not_to_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A server that writes to standard error, and what is no MCP to standard output, is used all the same."""
    with McpServers([hostile("chatty")], tmp_path) as pool:
        assert pool.tools()[0].run({}).text == "done"
    assert capfd.readouterr() == ("", "")
    assert not [record for record in caplog.records if record.name.startswith("mcp")]
    assert logging.getLogger("mcp").propagate
    assert (tmp_path / "chatty.log").stat().st_size > 100_000
    assert "debug: calling" in (tmp_path / "sdk.log").read_text()


def test_a_server_that_never_answers_is_unknown_and_started_anew(tmp_path: Path) -> None:
    with McpServers([hostile("mute", tool_timeout_sec=0.5)], tmp_path) as pool:
        tool = pool.tools()[0]
        for _ in range(3):
            found = tool.run({})
            assert found.status == "unknown"
            assert found.text.startswith("MCP server mute gave no answer to thing in 0.5 s")
        assert pool.connections[0].starts == 2


def test_a_call_takes_no_longer_than_the_run_has_left(tmp_path: Path) -> None:
    with McpServers([hostile("mute")], tmp_path) as pool:
        with until(time.monotonic() + 0.5):
            assert pool.tools()[0].run({}).status == "unknown"
        with until(time.monotonic()):
            found = pool.tools()[0].run({})
            assert (found.status, found.text) == ("error", "the run has no time left; nothing was done")


def test_a_server_that_dies_at_every_call_is_not_started_for_ever(tmp_path: Path) -> None:
    told: list[str] = []
    with McpServers([hostile("dying", max_restarts=1)], tmp_path, notify=told.append) as pool:
        found = [pool.tools()[0].run({}) for _ in range(4)]
    assert [one.status for one in found] == ["unknown", "unknown", "error", "error"]
    assert "it said: dying: as always" in found[0].text and "it was lost during thing" in found[0].text
    assert "was started 2 times in 10 minutes, and is not again (max_restarts)" in found[2].text
    assert len(told) == 2


def test_an_answer_that_is_none_is_unknown(tmp_path: Path) -> None:
    with McpServers([hostile("nonsense")], tmp_path) as pool:
        found = pool.tools()[0].run({})
    assert found.status == "unknown" and "answered thing with what is no result" in found.text


def test_permissions_hide_refuse_and_ask(tmp_path: Path) -> None:
    """The model is not shown what it may never use; without somebody to ask, the refusal says what to write where."""
    asked: list[str] = []
    rights = {"colour_1": "ask", "colour_2*": "never", "*": "always"}
    server = hostile("many", permissions=rights, disabled_tools=["colour_29*", "colour_3"])
    with McpServers([server], tmp_path) as pool:
        tools = {tool.name: tool for tool in pool.tools()}
        assert "colour_2" not in tools and "colour_299" not in tools and "colour_3" not in tools
        assert tools["colour_0"].run({}).status == "ok"
        refused = tools["colour_1"].run({})
        assert refused.status == "error"
        assert 'permissions = { "colour_1" = "always" } in [[mcp_servers]] many' in refused.text
        pool.approve = lambda tool, arguments: asked.append(tool.spec.name) or ""
        assert tools["colour_1"].run({}).text == "colour_1"
    assert asked == ["many_colour_1"]


def test_more_tools_than_an_endpoint_takes_are_found_and_called(tmp_path: Path) -> None:
    with McpServers([hostile("many", "big"), hostile("chatty", "small")], tmp_path) as pool:
        tools = pool.tools()
        assert len(tools) == 301  # three pages, and one
        box = Toolbox(fitted(tools, MOST))
        assert [spec.name for spec in box.specs] == ["small_thing", "mcp_find", "mcp_call"]
        found = box.call(ToolCall("1", "mcp_find", {"words": "paint with colour 217"}, ""))
        assert found.text.startswith("big_colour_217: Paints with colour 217.")
        called = box.call(ToolCall("2", "mcp_call", {"tool": "big_colour_217", "arguments": {}}, ""))
        assert (called.status, called.text) == ("ok", "colour_217")
        wrong = box.call(ToolCall("3", "mcp_call", {"tool": "big_color_217"}, ""))
        assert wrong.status == "error" and "did you mean big_colour_217?" in wrong.text
        assert len(Toolbox(fitted(tools, 400)).specs) == 301


def test_names_are_those_that_endpoints_take_and_no_two_are_alike() -> None:
    assert tool_name("srv", "read.file/now") == "srv_read_file_now"
    long = tool_name("srv", "x" * 100)
    assert len(long) == 64 and long != tool_name("srv", "x" * 101)
    assert tool_name("srv", "a.b", {"srv_a_b"}) != "srv_a_b"
    assert tool_name("mcp", "find") != "mcp_find"
    assert tool_name("srv", "\u2200") == "srv_tool"


def test_two_servers_of_one_name_are_a_fault() -> None:
    with pytest.raises(UnsorryError, match="two MCP servers are called many"):
        McpServers([hostile("many"), hostile("many")])
