"""One server: started once and kept, called by many, lost in one clear line, started again within limits.

All methods run in the event loop of background.py.  A connection is entered and left by one task, its keeper, as the
SDK wants it; calls come from other tasks.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters, stdio_client, types
from mcp.shared.dispatcher import ProgressFnT
from pydantic import ValidationError

from unsorry import UnsorryError, __version__
from unsorry.judge.reasons import one_line
from unsorry.scaffolds.agent.mcp.config import ServerConfig
from unsorry.scaffolds.agent.mcp.logs import ErrorLog
from unsorry.scaffolds.agent.mcp.transport import first_fault, http, watched

MAX_TOOLS, MAX_PAGES = 2000, 100
WINDOW = 600.0  # seconds in which `max_restarts` are counted
STUCK = 2  # calls without an answer in a row, after which a server is started anew
CLOSING = 10.0  # seconds for a server to end before its connection is cut


class NotCalled(UnsorryError):
    """The call did not reach the server: it cannot be started, or was lost before."""


class NoAnswer(UnsorryError):
    """The server has got the call and given no answer: whether it did anything is not known."""


class _Undelivered(Exception):
    """The call provably did not reach the server: worth one more try."""


class Connection:
    """A server, from its first start to `close`.  `notify` is given one line when it is lost."""

    def __init__(self, config: ServerConfig, logs: Path, notify: Callable[[str], None]) -> None:
        self.config, self._logs, self._notify = config, logs, notify
        self.tools: tuple[types.Tool, ...] = ()
        self.starts = 0
        self._client: Client | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._scope: anyio.CancelScope | None = None
        self._stop = asyncio.Event()
        self._opening = asyncio.Lock()
        self._recent: deque[float] = deque()  # starts in the window
        self._unanswered = 0
        self._said = "was lost"  # how it ended last
        self._undelivered = False  # it ended because nothing could be sent
        self._ours = False  # we end it, not it itself
        self._closed = False
        self._noise = ""  # the last thing on its output that was no MCP
        self._refusal = 0  # the last HTTP status that was an error
        self._errors: ErrorLog | None = None

    @property
    def alive(self) -> bool:
        return self._client is not None

    async def open(self) -> None:
        """Starts the server if it does not run, and lists its tools; raises NotCalled in one line."""
        async with self._opening:
            if self._closed:
                raise NotCalled(f"MCP server {self.config.name} is closed")
            if self.alive:
                return
            await self._end()  # one that was lost may still be on its way out
            self._count_start()
            ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._scope, self._stop, self._ours = anyio.CancelScope(), asyncio.Event(), False
            self._noise, self._refusal, self._undelivered = "", 0, False
            self._keeper = asyncio.create_task(self._keep(ready, self._scope, self._stop))
            try:
                await asyncio.wait_for(asyncio.shield(ready), self.config.startup_timeout_sec)
            except TimeoutError:
                await self._end(ours=True)
                said = await self._blame(
                    f"gives no answer in {self.config.startup_timeout_sec:g} s (startup_timeout_sec)"
                )
                raise NotCalled(f"MCP server {self.config.name} {said}") from None
            except BaseException:
                await self._end(ours=True)
                raise

    async def call(
        self, tool: str, arguments: Mapping[str, Any], seconds: float, progress: ProgressFnT | None = None
    ) -> types.CallToolResult:
        """Raises NotCalled, NoAnswer, or MCPError where the server itself refuses."""
        try:
            return await self._call(tool, arguments, seconds, progress)
        except _Undelivered:  # an HTTP server that was started anew since: so is the connection, once
            try:
                return await self._call(tool, arguments, seconds, progress)
            except _Undelivered:
                raise NotCalled(f"MCP server {self.config.name} {self._said}") from None

    async def _call(
        self, tool: str, arguments: Mapping[str, Any], seconds: float, progress: ProgressFnT | None
    ) -> types.CallToolResult:
        await self.open()
        who, client = f"MCP server {self.config.name}", self._client
        if client is None:
            raise NotCalled(f"{who} {self._said}")
        try:
            with anyio.fail_after(seconds):
                result = await client.call_tool(
                    tool, dict(arguments), read_timeout_seconds=seconds + CLOSING, progress_callback=progress
                )
        except TimeoutError:
            await self._count_unanswered()
            raise NoAnswer(f"{who} gave no answer to {tool} in {seconds:g} s") from None
        except MCPError as error:
            if error.code == types.INVALID_REQUEST and self._refusal == 404:  # the session is gone with the old server
                await self._end(ours=True)
                raise _Undelivered from None
            if error.code != types.CONNECTION_CLOSED:
                raise
            await self._end()
            if self._undelivered:
                raise _Undelivered from None
            raise NoAnswer(f"{who} {self._said}; it was lost during {tool}") from None
        except (ValueError, RuntimeError) as error:  # against the protocol, or against the tool's own schema
            what = one_line(str(error).partition("\n")[0])[:300]
            raise NoAnswer(f"{who} answered {tool} with what is no result: {what}") from None
        self._unanswered = 0
        return result

    async def close(self) -> None:
        self._closed = True
        async with self._opening:
            await self._end(ours=True)

    async def _keep(self, ready: asyncio.Future[None], scope: anyio.CancelScope, stop: asyncio.Event) -> None:
        """Holds the connection; what ends it becomes one line."""
        why = "ended"
        try:
            with scope:
                async with Client(
                    self._transport(stop), message_handler=self._heard, cache=None,
                    client_info=types.Implementation(name="unsorry", version=__version__),
                ) as client:  # fmt: skip
                    self.tools = await _list_tools(client)
                    self._client = client
                    ready.set_result(None)
                    await stop.wait()
        except BaseException as error:
            why = self._reason(first_fault(error))
        lost, self._client = self._client is not None and not self._ours, None
        if self._errors:
            self._errors.close()
        self._said = await self._blame(why)
        line = f"MCP server {self.config.name} {self._said}"
        if not ready.done():
            ready.set_exception(NotCalled(line))
            ready.exception()  # nobody may be waiting any more
        elif lost:
            self._notify(line)

    def _transport(self, stop: asyncio.Event) -> AbstractAsyncContextManager[Any]:
        if self.config.transport != "stdio":
            return watched(http(self.config.url, self.config.http_headers(), self._answered), stop)
        self._errors = ErrorLog(self._logs / f"{self.config.label}.log")
        parameters = StdioServerParameters(
            command=self.config.argv[0], args=self.config.argv[1:], env=self.config.env, cwd=self.config.cwd or None,
            encoding_error_handler="replace",
        )  # fmt: skip
        return watched(stdio_client(parameters, errlog=self._errors.stream), stop)

    def _answered(self, status: int) -> None:
        self._refusal = status if status >= 400 else 0

    async def _heard(self, message: Any) -> None:
        if isinstance(message, ValidationError):
            self._noise = one_line(str(message.errors()[0].get("input", "")))[:200]

    def _count_start(self) -> None:
        now = time.monotonic()
        while self._recent and now - self._recent[0] > WINDOW:
            self._recent.popleft()
        if len(self._recent) > self.config.max_restarts:
            often = f"was started {len(self._recent)} times in {WINDOW / 60:g} minutes, and is not again (max_restarts)"
            raise NotCalled(f"MCP server {self.config.name} {often}; at last it {self._said}")
        self._recent.append(now)
        self.starts += 1

    async def _count_unanswered(self) -> None:
        """A server that answers nothing any more is ended, and started anew by the next call."""
        self._unanswered += 1
        if self._unanswered >= STUCK:
            self._unanswered = 0
            await self._end(ours=True)

    async def _end(self, *, ours: bool = False) -> None:
        """Waits until the connection is over and its process gone; makes it so if it is not on its way."""
        keeper, scope = self._keeper, self._scope
        if keeper is None or scope is None or keeper.done():
            return
        self._ours = self._ours or ours
        gently = self.alive
        self._stop.set()
        if gently:
            await asyncio.wait({keeper}, timeout=CLOSING)
        if not keeper.done():
            scope.cancel()
            await asyncio.wait({keeper}, timeout=CLOSING)

    async def _blame(self, what: str) -> str:
        """With the server's own last words, if it had any."""
        last = await asyncio.to_thread(self._errors.last) if self._errors else ""
        noise = f"; on its output stood {self._noise!r}, which is no MCP" if self._noise else ""
        return f"{what}{noise}" + (
            f"; it said: {last} (all of it: {self._errors.path})" if last and self._errors else ""
        )

    def _reason(self, error: BaseException) -> str:
        """Why it could not be started or was lost."""
        config = self.config
        program = config.argv[0] if config.transport == "stdio" else ""
        match error:
            case FileNotFoundError() if program:
                missing = config.cwd if config.cwd and not Path(config.cwd).is_dir() else program
                return f"cannot be started: there is no {missing}"
            case OSError() if program:
                return f"cannot be started: {program}: {error.strerror or error}"
            case UnsorryError():
                return f"cannot be started: {str(error).removeprefix(f'MCP server {config.name}: ')}"
            case httpx2.ConnectError():
                self._undelivered = True
                return f"cannot be reached: nothing answers at {config.url}"
            case httpx2.HTTPError():
                return f"cannot be reached at {config.url}: {one_line(str(error)) or type(error).__name__}"
            case MCPError() if self._refusal:
                hint = "; check the key (api_key_env)" if self._refusal in (401, 403) else "; check the url"
                return f"is refused by {config.url}: HTTP {self._refusal}{hint}"
            case MCPError(code=types.CONNECTION_CLOSED):
                return "ended before it answered"
            case asyncio.CancelledError():
                return "was stopped"
        return f"failed: {type(error).__name__}: {one_line(str(error).partition(chr(10))[0])[:300]}"


async def _list_tools(client: Client) -> tuple[types.Tool, ...]:
    found: list[types.Tool] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if not cursor or len(found) >= MAX_TOOLS:
            break
    return tuple(found[:MAX_TOOLS])
