"""`unsorry mcp`: unsorry as an MCP server, for Vibe, Claude Code and other clients."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from unsorry import UnsorryError
from unsorry.cli.app import app
from unsorry.provers.registry import NAMES


@app.command()
def mcp(
    root: Annotated[Path, typer.Option(help="The project: files outside it are not read.")] = Path("."),
    http: Annotated[
        int | None,
        typer.Option(help="Streamable HTTP on 127.0.0.1 and this port (0: any), not stdio.", min=0, max=65535),
    ] = None,
    token_env: Annotated[str, typer.Option(help="With --http: the variable with the token that clients send.")] = "",
    prover: Annotated[str, typer.Option(help=f"One of {', '.join(NAMES)}.")] = "search",
    sandbox: Annotated[str, typer.Option(help="strict, limits or none (docs/sandbox.md).")] = "strict",
    workers: Annotated[int, typer.Option("--workers", "-w", help="Calls at a time.", min=1)] = 2,
    call_timeout: Annotated[float, typer.Option(help="Seconds that a call may take, all in all.", min=1)] = 600.0,
) -> None:
    """Serve the tools prove, judge, goal and search to an MCP client, over stdio or HTTP on the loopback interface."""
    if find_spec("mcp") is None:
        raise UnsorryError("`unsorry mcp` needs the MCP SDK: pip install 'unsorry[agent]'")
    from unsorry.judge.memory import return_large_blocks
    from unsorry.scaffolds.agent.mcp.serving.server import build, serve_http, serve_stdio
    from unsorry.scaffolds.agent.mcp.serving.work import Work

    if token_env and http is None:
        raise UnsorryError("--token-env is for --http: over stdio only the client that started the server talks to it")
    return_large_blocks()
    work = Work(root, prover=prover, sandbox=sandbox)
    try:
        server = build(work, workers=workers, call_seconds=call_timeout)
        if http is None:
            serve_stdio(server)
        else:
            serve_http(server, http, token_env)
    finally:
        work.close()
