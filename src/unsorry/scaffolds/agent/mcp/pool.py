"""All MCP servers of a run: started together, their tools as Tool objects, one clear line for each that fails.

One pool may serve many agents at once (its calls come from any thread): a server per project, not one per agent.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Container, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from mcp import MCPError, types

from unsorry.judge.reasons import one_line
from unsorry.scaffolds.agent import Observation, ToolSpec
from unsorry.scaffolds.agent.limits import seconds_left
from unsorry.scaffolds.agent.mcp.background import Background
from unsorry.scaffolds.agent.mcp.config import Permission, ServerConfig, distinct
from unsorry.scaffolds.agent.mcp.connection import Connection, NoAnswer, NotCalled
from unsorry.scaffolds.agent.mcp.logs import SdkLog
from unsorry.scaffolds.agent.mcp.names import tool_name
from unsorry.scaffolds.agent.mcp.results import clean, observation

Approve = Callable[["McpTool", Mapping[str, Any]], str]  # "" to go on, or why not
MAX_DESCRIPTION = 4000  # characters
MAX_SCHEMA = 60_000


def refuse(tool: McpTool, arguments: Mapping[str, Any]) -> str:
    """What `ask` means where nobody can be asked."""
    return (
        f"{tool.spec.name} needs a permission that nobody can give here: with "
        f'permissions = {{ "{tool.name}" = "always" }} in [[mcp_servers]] {tool.server} it may be used'
    )


class McpServers:
    """The servers of a run, as a context manager; `faults` are the lines to tell of those that did not start.

    `logs` is the folder for what servers write to standard error.  `notify` is given a line when a server is lost,
    `progress` what a call reports on its way; both in another thread.  `approve` decides on tools with permission ask.
    """

    def __init__(
        self,
        configs: Sequence[ServerConfig],
        logs: Path | None = None,
        *,
        notify: Callable[[str], None] = lambda line: None,
        progress: Callable[[str], None] = lambda line: None,
        approve: Approve = refuse,
    ) -> None:
        self.configs = tuple(config for config in distinct(configs) if not config.disabled)
        self.logs = logs or Path(tempfile.mkdtemp(prefix="unsorry-mcp-"))
        self.notify, self.progress, self.approve = notify, progress, approve
        self.faults: list[str] = []
        self.connections: list[Connection] = []
        self.background = Background("MCP servers")
        self._sdk_log = SdkLog(self.logs / "sdk.log")

    def __enter__(self) -> McpServers:
        self.logs.mkdir(parents=True, exist_ok=True)
        self._sdk_log.open()
        try:
            self.background.run(self._open())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all servers and waits for them."""
        if self.connections:
            self.background.run(self._close())
        self.background.close()
        self._sdk_log.close()

    def tools(self, taken: Container[str] = ()) -> list[McpTool]:
        """The tools that a model may be shown, in the order of the servers; none has a name that is `taken`."""
        found: list[McpTool] = []
        names: set[str] = set()
        for connection in self.connections:
            for tool in connection.tools:
                if connection.config.hides(tool.name):
                    continue
                name = tool_name(connection.config.label, tool.name, names)
                if name in taken:
                    name = tool_name(connection.config.label, tool.name, _Both(names, taken))
                names.add(name)
                found.append(McpTool(name, tool, connection, self))
        return found

    async def _open(self) -> None:
        self.connections = [Connection(config, self.logs, self.notify) for config in self.configs]
        for fault in await asyncio.gather(*(c.open() for c in self.connections), return_exceptions=True):
            if isinstance(fault, NotCalled):
                self.faults.append(str(fault))
            elif isinstance(fault, BaseException):
                raise fault

    async def _close(self) -> None:
        await asyncio.gather(*(connection.close() for connection in self.connections), return_exceptions=True)


class McpTool:
    """One tool of one server."""

    def __init__(self, name: str, tool: types.Tool, connection: Connection, pool: McpServers) -> None:
        self.server, self.name = connection.config.label, tool.name
        self.permission: Permission = connection.config.permission_of(tool.name)
        self.repeatable = bool(tool.annotations and tool.annotations.read_only_hint)
        self._connection, self._pool = connection, pool
        described = " ".join(filter(None, (clean(tool.description or ""), connection.config.prompt)))
        self.spec = ToolSpec(name, described[:MAX_DESCRIPTION] or tool.name, _parameters(tool.input_schema))

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        if self.permission == "ask" and (why := self._pool.approve(self, arguments)):
            return self._failed(why, "permission")
        if why := _unsendable(arguments):
            return self._failed(f"{why}; nothing was done", "malformed")
        seconds = seconds_left(self._connection.config.tool_timeout_sec)
        if seconds <= 0:
            return self._failed("the run has no time left; nothing was done", "time")
        reported = ""

        async def report(progress: float, total: float | None, message: str | None) -> None:
            nonlocal reported
            of = f" of {total:g}" if total else ""
            reported = f"{progress:g}{of}" + (f", {one_line(message)[:200]}" if message else "")
            self._pool.progress(f"{self.spec.name}: {reported}")

        try:
            result = self._pool.background.run(self._connection.call(self.name, arguments, seconds, report))
        except NotCalled as error:
            return self._failed(f"{error}; nothing was done", "server")
        except NoAnswer as error:
            last = f" (it had reported {reported})" if reported else ""
            text = f"{error}{last}. Whether it did anything is not known."
            return Observation(text, "unknown", {"server": self.server, "tool": self.name})
        except MCPError as error:
            return self._failed(f"{self.spec.name} is refused: {one_line(clean(str(error)))[:2000]}", "refused")
        return observation(result, self.server, self.name)

    def _failed(self, text: str, fault: str) -> Observation:
        return Observation(text, "error", {"server": self.server, "tool": self.name, "fault": fault})


class _Both(Container[str]):
    def __init__(self, *parts: Container[str]) -> None:
        self._parts = parts

    def __contains__(self, name: object) -> bool:
        return any(name in part for part in self._parts)


def _parameters(schema: Any) -> dict[str, Any]:
    """The schema of an object, whatever the server sent; a model pays for it at every turn, so none that is endless."""
    given = dict(schema) if isinstance(schema, Mapping) else {}
    if len(json.dumps(given, default=str)) > MAX_SCHEMA:
        given = {"description": "The server's description of the arguments is too long to be shown."}
    given.setdefault("properties", {})
    return {**given, "type": "object"}


def _unsendable(arguments: Mapping[str, Any]) -> str:
    try:
        json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except (UnicodeEncodeError, ValueError, TypeError, RecursionError) as error:
        return f"the arguments cannot be sent as JSON: {one_line(str(error))[:200]}"
    return ""
