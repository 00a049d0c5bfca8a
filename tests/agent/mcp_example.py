"""A small real MCP server, written with the SDK, that the tests start: `python mcp_example.py [stdio | http PORT]`."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, ImageContent, TextContent, ToolAnnotations

server = MCPServer("example", log_level="CRITICAL")
TOOLS = int(os.environ.get("EXAMPLE_TOOLS", "0"))  # so many more tools that do nothing of interest


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def process() -> dict[str, Any]:
    """The server's process and what it sees of the environment."""
    return {"pid": os.getpid(), "environment": sorted(os.environ)}


@server.tool()
def fail(why: str) -> str:
    """Fails."""
    from mcp.server.mcpserver.exceptions import ToolError

    raise ToolError(why)


@server.tool()
def long(characters: int) -> str:
    """A long text."""
    return "begin" + "x" * (characters - 8) + "end"


@server.tool()
def picture() -> CallToolResult:
    """A text with control characters, and an image."""
    image = ImageContent(type="image", data="QUJD" * 1000, mime_type="image/png")
    return CallToolResult(content=[TextContent(type="text", text="a\x1b[31mred\x1b[0m\x07 one"), image])


@server.tool()
def check(state: str) -> dict[str, Any] | list[Any]:
    """Diagnostics as lean-lsp-mcp gives them: complete, with errors, or partial because Lean is still at it."""
    unfinished = {"partial": True, "still_elaborating_lines": [3, 9]} if state == "partial" else {}
    return {"success": state == "complete", "items": [], **unfinished}


@server.tool()
async def work(context: Context[Any, Any]) -> str:
    """Reports twice and never ends."""
    await context.report_progress(1, 3, "one of three")
    await context.report_progress(2, 3, "two of three")
    await anyio.sleep_forever()
    return ""


@server.tool()
def die(words: str) -> str:
    """Writes to standard error and is killed in the midst of the call."""
    sys.stderr.write(words + "\n")
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def _nothing() -> str:
    return "nothing"


for number in range(TOOLS):
    server.add_tool(_nothing, name=f"extra_{number}", description=f"Tool number {number} of many.")

if __name__ == "__main__":
    sys.stderr.write("example server: this line belongs into a log\n")
    if sys.argv[1:2] == ["http"]:
        server.run("streamable-http", port=int(sys.argv[2]))
    else:
        server.run("stdio")
