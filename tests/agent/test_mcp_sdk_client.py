"""The SDK's own client drives `unsorry mcp`, over stdio and over HTTP; who else is at the HTTP address gets nothing."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

ARGUMENTS = ["-m", "unsorry", "mcp"]
STATED = "theorem zero_add' (n : Nat) : 0 + n = n := by\n  sorry\n"
PROVED = STATED.replace("sorry", "exact Nat.zero_add n")
TOKEN = "a token of the test"


async def session(server: Any, progress: list[str]) -> None:
    """What any client does: looks at the tools, has something proved, judged, looked at and found."""

    async def report(progress_: float, total: float | None, message: str | None) -> None:
        progress.append(f"{progress_:g} of {total:g}: {message}")

    async with Client(server, read_timeout_seconds=240) as client:
        assert client.server_info and client.server_info.name == "unsorry"
        assert client.instructions and "never success" in client.instructions
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["prove", "judge", "goal", "search"]
        assert all(tool.output_schema and tool.annotations and tool.annotations.read_only_hint for tool in tools)
        proved = await client.call_tool("prove", {"source": STATED}, progress_callback=report)
        assert proved.structured_content
        (sorry,) = proved.structured_content["sorries"]
        assert (sorry["verdict"], sorry["line"], sorry["column"]) == ("accepted", 2, 3)
        texts = [PROVED, STATED.replace("sorry", sorry["proof"]), STATED]
        judged = await asyncio.gather(
            *(client.call_tool("judge", {"statement": STATED, "submission": text}) for text in texts)
        )
        verdicts = [result.structured_content["verdict"] for result in judged if result.structured_content]
        assert verdicts == ["accepted", "accepted", "rejected"]
        goal = await client.call_tool("goal", {"source": STATED})
        assert goal.structured_content and goal.structured_content["places"][0]["before"] == ["n : Nat\n⊢ 0 + n = n"]
        wrong = await client.call_tool("judge", {"statement": STATED})
        assert wrong.is_error and "give one of `submission` and `submission_file`" in str(wrong.content)


def test_over_stdio(tmp_path: Path) -> None:
    progress: list[str] = []
    asyncio.run(session(StdioServerParameters(command=sys.executable, args=ARGUMENTS, cwd=tmp_path), progress))
    assert progress == ["1 of 1: zero_add': accepted"]


def test_over_http_with_a_token(tmp_path: Path) -> None:
    with listening(tmp_path) as url:
        progress: list[str] = []

        async def with_token() -> None:
            headers = {"Authorization": f"Bearer {TOKEN}"}
            async with httpx2.AsyncClient(headers=headers, timeout=240) as http:
                await session(streamable_http_client(url, http_client=http), progress)

        asyncio.run(with_token())
        assert progress == ["1 of 1: zero_add': accepted"]
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        accept = {"Accept": "application/json, text/event-stream"}
        allowed = {**accept, "Authorization": f"Bearer {TOKEN}"}
        for headers, status in (
            (accept, 401),
            ({**accept, "Authorization": "Bearer no"}, 401),
            ({**allowed, "Host": "evil.example"}, 421),  # a page whose name was made to lead here
            ({**allowed, "Origin": "https://evil.example"}, 403),
        ):
            assert httpx.post(url, json=body, headers=headers, timeout=240).status_code == status
        with socket.socket() as elsewhere:  # every other address of this machine, another loopback one included
            assert elsewhere.connect_ex(("127.0.0.2", int(url.split(":")[2].split("/")[0]))) != 0


@contextmanager
def listening(root: Path) -> Iterator[str]:
    """The server, once it says where it listens."""
    command = [sys.executable, *ARGUMENTS, "--http", "0", "--token-env", "TEST_TOKEN", "--root", str(root)]
    environment = {**os.environ, "TEST_TOKEN": TOKEN}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stderr
            said = re.fullmatch(r"unsorry: listening on (http://127\.0\.0\.1:\d+/mcp)\n", server.stderr.readline())
            assert said
            yield said[1]
        finally:
            server.terminate()
            assert "Traceback" not in server.communicate(timeout=240)[1]
