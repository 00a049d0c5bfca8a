"""The tools as MCP has them.  Over stdio nothing but the protocol is on standard output; HTTP is on loopback only."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import socket
import sys
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import anyio
from mcp import types
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from unsorry import UnsorryError, __version__
from unsorry.judge.reasons import one_line
from unsorry.scaffolds.agent import schema
from unsorry.scaffolds.agent.mcp.serving.answers import GoalAnswer, JudgeAnswer, ProveAnswer, SearchAnswer
from unsorry.scaffolds.agent.mcp.serving.slots import Call, OutOfTime, Slots
from unsorry.scaffolds.agent.mcp.serving.work import Work

T = TypeVar("T")
MAX_TEXT = 1 << 20  # characters of a Lean text
READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, destructive_hint=False, open_world_hint=False)
INSTRUCTIONS = (
    "unsorry proves and judges Lean 4. Nothing is written. A verdict is accepted, rejected or undecided, and a status "
    "ok or unknown: undecided and unknown are never success. Only `judge` and `prove` decide what is proved; "
    "lines and columns count from 1."
)

File = Annotated[str, Field(max_length=4096, description="Path of a .lean file, relative to the server's project.")]
Source = Annotated[str, Field(max_length=MAX_TEXT, description="A whole Lean file as text, instead of `file`.")]
Name = Annotated[str, Field(max_length=1000, description="Only this declaration: its full name, or its last part.")]
Line = Annotated[int, Field(ge=0, le=10_000_000, description="Only this line, from 1; 0 is all.")]
Text = Annotated[str, Field(max_length=4 << 20)]
Words = Annotated[str, Field(max_length=1000)]


class _Server(MCPServer[Any]):
    """Faults of the caller are one line; an argument that no tool has is one of them."""

    async def list_tools(self) -> list[types.Tool]:
        return [
            tool.model_copy(update={"input_schema": _closed(tool.input_schema)}) for tool in await super().list_tools()
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> types.CallToolResult | types.InputRequiredResult:
        schemas = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in schemas:
            raise ToolError(f"there is no tool {one_line(name)[:100]}; there are {', '.join(schemas)}")
        if fault := schema.fault(arguments, schemas[name]):
            raise ToolError(one_line(fault))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ToolError):
                raise error.__cause__ from None  # without the SDK's words around it
            raise


def _closed(given: dict[str, Any]) -> dict[str, Any]:
    return {**given, "additionalProperties": False}


def build(work: Work, *, workers: int, call_seconds: float) -> MCPServer[Any]:
    """The server; `workers` calls at a time, each of at most `call_seconds`."""
    server = _Server("unsorry", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    slots = Slots(workers)

    async def run(task: Callable[[Call], T], wanted: float, context: Context[Any, Any]) -> T:
        seconds = min(wanted, call_seconds) if wanted else call_seconds
        try:
            return await slots.run(task, Call(seconds, _reporter(context)))
        except OutOfTime:
            raise ToolError(f"unknown: no answer in {seconds:g} s, so nothing was decided; give it more time") from None
        except UnsorryError as error:
            raise ToolError(one_line(str(error))) from None
        except Exception as error:  # a fault of ours ends the call, not the server, and is no verdict
            said = f"internal error: {type(error).__name__}: {one_line(str(error))[:300]}; nothing was decided"
            sys.stderr.write(f"unsorry: {said}\n")
            raise ToolError(said) from None

    @server.tool(annotations=READS)
    async def prove(
        context: Context[Any, Any],
        file: File = "",
        source: Source = "",
        declaration: Name = "",
        line: Line = 0,
        seconds: Annotated[float, Field(gt=0, le=3600, description="For each sorry.")] = 60.0,
        disprove: Annotated[bool, Field(description="Look for a counterexample where no proof is found.")] = True,
    ) -> ProveAnswer:
        """Fill the sorries of a Lean file or text with proofs that the strict judge accepts; tells each one's proof,
        axioms or counterexample, and a diff. Cheap: try it before you work on a goal yourself."""
        return await run(
            lambda call: work.prove(
                call, file=file, source=source, declaration=declaration, line=line, seconds=seconds, disprove=disprove
            ),
            0.0,
            context,
        )

    @server.tool(annotations=READS)
    async def judge(
        context: Context[Any, Any],
        statement: Text = "",
        submission: Text = "",
        statement_file: File = "",
        submission_file: File = "",
        targets: Annotated[list[Words], Field(max_length=1000)] = [],  # noqa: B006
        open_holes: Annotated[bool, Field(description="Sorries of the statement may remain.")] = False,
        seconds: Annotated[float, Field(gt=0, le=3600)] = 120.0,
    ) -> JudgeAnswer:
        """Decide whether a submission proves a statement. `statement`: a Lean file whose declarations end in sorry;
        `submission`: the complete file that proves them (texts, or files of the project). `targets`: what must be
        proved, by default all that have a sorry. Decided from kernel terms, never from what Lean prints."""
        return await run(
            lambda call: work.judge(
                call, statement=statement, statement_file=statement_file, submission=submission,
                submission_file=submission_file, targets=list(targets), open_holes=open_holes,
            ),
            seconds,
            context,
        )  # fmt: skip

    @server.tool(annotations=READS)
    async def goal(
        context: Context[Any, Any],
        file: File = "",
        source: Source = "",
        line: Line = 0,
        column: Annotated[int, Field(ge=0, le=1_000_000, description="From 1; 0 is the first code of the line.")] = 0,
        declaration: Name = "",
        seconds: Annotated[float, Field(gt=0, le=3600)] = 180.0,
    ) -> GoalAnswer:
        """The proof state at a line and column; without a line, the goal of every sorry (of `declaration`)."""
        return await run(
            lambda call: work.goal(
                call, file=file, source=source, declaration=declaration, line=line, column=column
            ),
            seconds,
            context,
        )  # fmt: skip

    @server.tool(annotations=READS)
    async def search(
        context: Context[Any, Any],
        name: Annotated[str, Field(max_length=1000, description="Parts of the name, or a pattern with `*`.")] = "",
        uses: Annotated[list[Words], Field(max_length=50, description='Constants, operators: ["List.map"].')] = [],  # noqa: B006
        conclusion: Annotated[str, Field(max_length=1000, description="Shape, such as `_ ++ [] = _`.")] = "",
        file: File = "",
        limit: Annotated[int, Field(ge=1, le=200)] = 20,
        seconds: Annotated[float, Field(gt=0, le=3600)] = 180.0,
    ) -> SearchAnswer:
        """Search the declarations that really are in reach: the project's own and its library's (with `file`, what
        that file reaches). All criteria that are given must hold."""
        return await run(
            lambda call: work.search(
                call, name=name, uses=list(uses), conclusion=conclusion, file=file, limit=limit
            ),
            seconds,
            context,
        )  # fmt: skip

    return server


def serve_stdio(server: MCPServer[Any]) -> None:
    """Until standard input ends.  The SDK sends what anything here prints to standard error."""
    server.run("stdio")


def serve_http(server: MCPServer[Any], port: int, token_env: str = "") -> None:
    """Streamable HTTP on 127.0.0.1; `port` 0 is any.  Who has no token is refused, if a variable for one is named."""
    import uvicorn

    token = _token(token_env)
    app: Any = server.streamable_http_app(host="127.0.0.1")
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(("127.0.0.1", port))
        except OSError as error:
            raise UnsorryError(f"cannot listen on 127.0.0.1:{port}: {error.strerror}; choose another --http") from None
        config = uvicorn.Config(
            _guarded(app, token) if token else app, log_level="warning", timeout_graceful_shutdown=5
        )
        sys.stderr.write(f"unsorry: listening on http://127.0.0.1:{bound.getsockname()[1]}/mcp\n")
        sys.stderr.flush()
        anyio.run(lambda: uvicorn.Server(config).serve(sockets=[bound]))


def _token(variable: str) -> str:
    if not variable:
        return ""
    token = os.environ.get(variable, "").strip()
    if not token:
        raise UnsorryError(f"the variable {variable} is not set: put the token there that clients must send")
    return token


def _guarded(app: Any, token: str) -> Any:
    """The app for those who send `Authorization: Bearer TOKEN`."""
    expected = f"Bearer {token}".encode()

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] != "http" or hmac.compare_digest(given, expected):
            await app(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"send the token as Authorization: Bearer TOKEN\n"})

    return guard


def _reporter(context: Context[Any, Any]) -> Callable[[int, int, str], None]:
    """Tells the client how far a call is, from the call's thread; a client that is gone is no reason to stop."""
    loop = asyncio.get_running_loop()

    def report(done: int, total: int, what: str) -> None:
        with contextlib.suppress(Exception):
            sent = asyncio.run_coroutine_threadsafe(context.report_progress(done, total, one_line(what)), loop)
            sent.result(timeout=5.0)  # before the answer: what comes after it, a client does not read

    return report
