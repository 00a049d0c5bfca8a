"""`.mcp.json`, in which a project names its MCP servers.  It starts programs: only a trusted folder's is read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.scaffolds.agent.mcp.config import ServerConfig, distinct, parse_server

NAME = ".mcp.json"
MAX_BYTES = 1 << 20
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_IGNORED = frozenset({"description", "alwaysAllow", "autoApprove"})  # others' keys; the last two would grant rights


def trusted(folder: Path, folders: Iterable[Path]) -> bool:
    """Whether a folder is one of the trusted ones, or lies in one, links followed."""
    real = folder.resolve()
    return any(real.is_relative_to(given.expanduser().resolve()) for given in folders)


def read_json(folder: Path, trusted_folders: Iterable[Path]) -> tuple[tuple[ServerConfig, ...], str]:
    """The servers that a folder's `.mcp.json` names, and a line to tell if the file was left alone.

    Raises UnsorryError for a trusted file that cannot be read or is wrong.
    """
    path = folder / NAME
    if not path.is_file():
        return (), ""
    if not trusted(folder, trusted_folders):
        return (
            (),
            f"{path} is not read, as it starts programs: add {folder.resolve()} to trusted_folders if you wrote it",
        )
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnsorryError(f"{path} is larger than {MAX_BYTES >> 20} MiB: that is no list of servers")
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise UnsorryError(f"{path} cannot be read as JSON: {said}") from None
    servers = content.get("mcpServers") if isinstance(content, dict) else None
    if not isinstance(servers, dict):
        raise UnsorryError(f'{path} has no object "mcpServers": write {{"mcpServers": {{"name": {{"command": ...}}}}}}')
    return distinct(_server(name, table, f"{path}: {name}") for name, table in servers.items()), ""


def _server(name: str, table: Any, where: str) -> ServerConfig:
    if not isinstance(table, Mapping):
        raise UnsorryError(f"{where}: is no object")
    given = {key: _expanded(value, where) for key, value in table.items() if key not in _IGNORED}
    kind = given.pop("type", given.pop("transport", "stdio" if "command" in given else "http"))
    if kind == "sse":
        raise UnsorryError(f"{where}: the old transport sse is not supported: use the server's streamable HTTP address")
    if isinstance(milliseconds := given.pop("timeout", None), int | float):
        given["tool_timeout_sec"] = milliseconds / 1000
    if "permission" in given or "permissions" in given:
        raise UnsorryError(f"{where}: a project cannot permit its own tools: put `permissions` into your own config")
    return parse_server({"name": name, "transport": kind, **given}, where)


def _expanded(value: Any, where: str) -> Any:
    """`${NAME}` and `${NAME:-default}` in texts, lists and tables."""
    if isinstance(value, str):
        return _VARIABLE.sub(lambda m: _variable(m, where), value)
    if isinstance(value, list):
        return [_expanded(part, where) for part in value]
    if isinstance(value, dict):
        return {key: _expanded(part, where) for key, part in value.items()}
    return value


def _variable(match: re.Match[str], where: str) -> str:
    found = os.environ.get(match[1], match[2])
    if found is None:
        raise UnsorryError(f"{where}: the variable {match[1]} is not set; set it, or write ${{{match[1]}:-default}}")
    return found
