"""More tools than an endpoint takes: servers that fit are shown as they are, the rest is found and called by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from unsorry.scaffolds.agent import Observation, Tool, ToolSpec, schema
from unsorry.scaffolds.agent.mcp.names import CALL, FIND, RESERVED
from unsorry.scaffolds.agent.mcp.pool import McpTool

MOST = 128  # tools that OpenAI-compatible endpoints take in one request
FOUND = 10  # tools that a search shows


def fitted(tools: Sequence[McpTool], room: int) -> list[Tool]:
    """At most `room` tools for a model: all of them, or the servers that fit whole and two tools to reach the rest."""
    if len(tools) <= room:
        return list(tools)
    shown: list[Tool] = []
    hidden: list[McpTool] = []
    for _, group in groupby(tools, key=lambda tool: tool.server):
        of_server = list(group)
        fits = len(shown) + len(of_server) + len(RESERVED) <= room
        if fits:
            shown += of_server
        else:
            hidden += of_server
    return [*shown, Find(hidden), Call(hidden)]


class Find:
    """Searches the tools that are not shown."""

    repeatable = True

    def __init__(self, tools: Sequence[McpTool]) -> None:
        self._tools = tuple(tools)
        servers = ", ".join(f"{server} ({len(list(group))})" for server, group in groupby(tools, lambda t: t.server))
        self.spec = ToolSpec(
            FIND,
            f"Find tools that are not listed here, by words of their name and description; {CALL} calls them. "
            f"Servers and how many tools they have: {servers}.",
            {
                "type": "object",
                "properties": {"words": {"type": "string", "description": "such as: read file"}},
                "required": ["words"],
                "additionalProperties": False,
            },
        )

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        words = set(_words(str(arguments["words"])))
        scored = [(self._score(words, tool), tool) for tool in self._tools]
        best = sorted((s for s in scored if s[0]), key=lambda s: (-s[0], s[1].spec.name))
        if not best:
            names = ", ".join(tool.spec.name for tool in self._tools[:50])
            return Observation(f"No tool fits. There are: {names}{', ...' if len(self._tools) > 50 else ''}", "ok")
        shown = "\n\n".join(_described(tool) for _, tool in best[:FOUND])
        rest = f"\n\n({len(best) - FOUND} more fit less well)" if len(best) > FOUND else ""
        return Observation(shown + rest, "ok")

    @staticmethod
    def _score(words: set[str], tool: McpTool) -> int:
        name, described = set(_words(tool.spec.name)), set(_words(tool.spec.description))
        return 3 * len(words & name) + len(words & described)


class Call:
    """Calls a tool that is not shown."""

    def __init__(self, tools: Sequence[McpTool]) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self.spec = ToolSpec(
            CALL,
            f"Call a tool that {FIND} has found.",
            {
                "type": "object",
                "properties": {"tool": {"type": "string"}, "arguments": {"type": "object"}},
                "required": ["tool"],
                "additionalProperties": False,
            },
        )

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        name, given = str(arguments["tool"]), arguments.get("arguments") or {}
        tool = self._tools.get(name)
        if tool is None:
            near = difflib.get_close_matches(name, list(self._tools), n=1)
            hint = f"did you mean {near[0]}?" if near else f"{FIND} finds those that there are."
            return Observation(f"There is no tool called {name!r}; {hint}", "error", {"fault": "unknown_tool"})
        if fault := schema.fault(given, tool.spec.parameters):
            return Observation(f"{fault}. Nothing was done.\n{_described(tool)}", "error", {"fault": "schema"})
        return tool.run(given)


def _described(tool: McpTool) -> str:
    properties = tool.spec.parameters.get("properties", {})
    required = set(tool.spec.parameters.get("required", ()))
    lines = [f"{tool.spec.name}: {tool.spec.description[:600]}"]
    for name, given in properties.items():
        about = given if isinstance(given, Mapping) else {}
        need = "" if name in required else ", may be left out"
        lines.append(f"  {name} ({about.get('type', 'any')}{need}) {str(about.get('description', ''))[:200]}".rstrip())
    return "\n".join(lines)


def _words(text: str) -> list[str]:
    apart = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    return re.findall(r"[a-z0-9]+", apart.lower())
