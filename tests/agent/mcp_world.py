"""Starts the servers of the tests; patient, since the machine may be busy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from unsorry.scaffolds.agent.mcp.config import ServerConfig

HERE = Path(__file__).parent
PATIENT = {"startup_timeout_sec": 240, "tool_timeout_sec": 240, "permission": "always"}


def example(name: str = "example", **settings: Any) -> ServerConfig:
    """The small real server."""
    return started(name, "mcp_example.py", "stdio", **settings)


def hostile(mode: str, name: str = "", **settings: Any) -> ServerConfig:
    return started(name or mode, "mcp_hostile.py", mode, **settings)


def started(name: str, script: str, *arguments: str, **settings: Any) -> ServerConfig:
    command = [sys.executable, str(HERE / script), *arguments]
    return ServerConfig.model_validate({"name": name, "transport": "stdio", "command": command, **PATIENT, **settings})
