"""Servers that are none: `python mcp_hostile.py MODE`."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

TOOL = {"name": "thing", "description": "Does a thing.", "inputSchema": {"type": "object"}}
MANY, PAGE = 300, 100  # tools of mode `many`, and how many a page lists


def main(mode: str) -> None:
    if mode == "crash":
        sys.exit("Traceback (most recent call last):\nImportError: no module named lsp")
    if mode == "silent":
        time.sleep(3600)
    if mode == "garbage":
        for _ in sys.stdin:
            sys.stdout.write("Welcome to the thing server!\n")
            sys.stdout.flush()
    serve(mode)


def serve(mode: str) -> None:
    """A handshake by hand, and then the fault that `mode` names."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        match message["method"]:
            case "initialize":
                version = message["params"]["protocolVersion"]
                info = {"name": "hostile", "version": "1"}
                reply["result"] = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
            case "tools/list":
                reply["result"] = {"tools": [TOOL]}
                if mode == "many":
                    start = int((message.get("params") or {}).get("cursor") or 0)
                    tools = [
                        {**TOOL, "name": f"colour_{n}", "description": f"Paints with colour {n}."}
                        for n in range(start, start + PAGE)
                    ]
                    more = {"nextCursor": str(start + PAGE)} if start + PAGE < MANY else {}
                    reply["result"] = {"tools": tools, **more}
            case "tools/call":
                if mode == "mute":
                    continue
                if mode == "dying":
                    sys.exit("dying: as always")
                if mode == "many":
                    reply["result"] = {"content": [{"type": "text", "text": message["params"]["name"]}]}
                if mode == "chatty":
                    sys.stdout.write("debug: calling\n")
                    sys.stdout.buffer.write(b"\xff\xfe broken bytes\n")
                    sys.stderr.write("x" * 100_000 + "\n")
                    reply["result"] = {"content": [{"type": "text", "text": "done"}]}
                if mode == "nonsense":
                    reply["result"] = {"content": "not a list"}
            case _:
                reply["error"] = {"code": -32601, "message": "no such method"}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


main(sys.argv[1])
