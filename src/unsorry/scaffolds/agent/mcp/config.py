"""`[[mcp_servers]]`: which MCP servers there are, in the shape that Vibe's config has."""

from __future__ import annotations

import difflib
import fnmatch
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from unsorry import UnsorryError
from unsorry.judge.reasons import one_line

Permission = Literal["always", "ask", "never"]

_OTHER_WORDS = {"allow": "always", "deny": "never", "yes": "always", "no": "never"}
_AUTH_KEYS = ("headers", "api_key_env", "api_key_header", "api_key_format")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class ServerConfig(BaseModel):
    """One server.  `command` with `args` for stdio, `url` for the others; times in seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str  # before the names of its tools
    transport: Literal["stdio", "streamable-http", "http"]  # the last two are the same
    command: str | list[str] = ""
    args: list[str] = []
    env: dict[str, str] = {}  # besides HOME, LOGNAME, PATH, SHELL, TERM, USER: a server inherits nothing else
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = {}
    api_key_env: str = ""  # the variable that holds the key
    api_key_header: str = "Authorization"
    api_key_format: str = "Bearer {token}"
    prompt: str = ""  # put behind the description of each tool
    startup_timeout_sec: float = Field(default=30.0, gt=0)
    tool_timeout_sec: float = Field(default=180.0, gt=0)  # a first load of Mathlib takes more than 60
    max_restarts: int = Field(default=3, ge=0)  # in any ten minutes
    sampling_enabled: bool = False  # Vibe's; a server's requests for completions are always declined here
    disabled: bool = False
    disabled_tools: list[str] = []  # names without the prefix, or globs
    permission: Permission = "ask"  # of its tools
    permissions: dict[str, Permission] = {}  # of single tools: name without the prefix, or glob; the first that fits

    @model_validator(mode="before")
    @classmethod
    def _flatten_auth(cls, data: Any) -> Any:
        """Vibe's `[mcp_servers.auth]` table says the same as the keys beside it."""
        if not isinstance(data, Mapping) or not isinstance(data.get("auth"), Mapping):
            return data
        auth = dict(data["auth"])
        kind = auth.pop("type", "static")
        if kind != "static":
            raise ValueError(f'auth.type is {kind!r}, which needs a browser; use "static" with api_key_env')
        if mixed := [key for key in _AUTH_KEYS if key in data]:
            raise ValueError(f"{', '.join(mixed)} stands beside [mcp_servers.auth]: move it there")
        if unknown := [key for key in auth if key not in _AUTH_KEYS]:
            raise ValueError(f"unknown key `auth.{unknown[0]}`{_similar(unknown[0], _AUTH_KEYS)}")
        return {**{key: value for key, value in data.items() if key != "auth"}, **auth}

    @model_validator(mode="after")
    def _consistent(self) -> ServerConfig:
        if not slug(self.name):
            raise ValueError(f"`name` is {self.name!r}: it needs a letter or digit")
        wrong = ("url", "headers", "api_key_env") if self.transport == "stdio" else ("command", "args", "env", "cwd")
        if given := [key for key in wrong if getattr(self, key)]:
            raise ValueError(f'`{given[0]}` means nothing with transport = "{self.transport}"')
        if self.transport == "stdio" and not self.argv:
            raise ValueError('`command` is missing: the program that transport = "stdio" starts')
        if self.transport != "stdio" and not re.match(r"https?://[^/\s]", self.url):
            raise ValueError(f"`url` is {self.url!r}: give one like https://host/mcp")
        if "{token}" not in self.api_key_format:
            raise ValueError("`api_key_format` has no {token} in it")
        for header in (*self.headers, self.api_key_header):
            if not _HEADER.fullmatch(header):
                raise ValueError(f"{header!r} is no name of a header")
        return self

    @property
    def argv(self) -> list[str]:
        """The program with its arguments; raises ValueError for a quote that is not closed."""
        command = shlex.split(self.command) if isinstance(self.command, str) else list(self.command)
        return [*command, *self.args]

    @property
    def label(self) -> str:
        """The name as a prefix of tool names."""
        return slug(self.name)

    def permission_of(self, tool: str) -> Permission:
        """What may be done with a tool, by its name without the prefix."""
        fits = (given for pattern, given in self.permissions.items() if fnmatch.fnmatchcase(tool, pattern))
        return next(fits, self.permission)

    def hides(self, tool: str) -> bool:
        """Whether the model is not shown the tool: it is disabled, or never to be used."""
        off = any(fnmatch.fnmatchcase(tool, pattern) for pattern in self.disabled_tools)
        return self.disabled or off or self.permission_of(tool) == "never"

    def http_headers(self) -> dict[str, str]:
        """Headers of each request, the key included; raises UnsorryError if its variable is not set."""
        headers = dict(self.headers)
        if self.api_key_env:
            token = os.environ.get(self.api_key_env, "").strip()
            if not token:
                raise UnsorryError(
                    f"MCP server {self.name}: the variable {self.api_key_env} is not set: put the key there"
                )
            if not token.isascii() or not token.isprintable():
                raise UnsorryError(f"MCP server {self.name}: the variable {self.api_key_env} holds no key")
            headers[self.api_key_header] = self.api_key_format.replace("{token}", token)
        return headers


def parse_servers(tables: Any, where: str) -> tuple[ServerConfig, ...]:
    """The value of `mcp_servers` in a TOML file; raises UnsorryError: which file, which server, what is wrong."""
    if not isinstance(tables, Sequence) or isinstance(tables, str) or not all(isinstance(t, Mapping) for t in tables):
        raise UnsorryError(f"{where}: mcp_servers is no list of tables: begin each server with [[mcp_servers]]")
    return distinct(
        [parse_server(table, f"{where}: [[mcp_servers]] {_which(table, i)}") for i, table in enumerate(tables)]
    )


def parse_server(table: Mapping[str, Any], where: str) -> ServerConfig:
    """One table; raises UnsorryError."""
    try:
        return ServerConfig.model_validate(dict(table))
    except ValidationError as error:
        raise UnsorryError(f"{where}: {one_line(_explain(error))}") from None


def distinct(servers: Iterable[ServerConfig]) -> tuple[ServerConfig, ...]:
    """The servers; raises UnsorryError where two have the same name."""
    found: dict[str, ServerConfig] = {}
    for server in servers:
        if server.label in found:
            raise UnsorryError(f"two MCP servers are called {server.label}: rename or remove one of them")
        found[server.label] = server
    return tuple(found.values())


def slug(name: str) -> str:
    """The name with what no tool name may have replaced."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_-")


def _which(table: Mapping[str, Any], index: int) -> str:
    name = table.get("name")
    return name if isinstance(name, str) and name else f"number {index + 1}"


def _explain(error: ValidationError) -> str:
    """The first fault that pydantic found; an unknown key before others, as it may explain what is missing."""
    faults = error.errors(include_url=False)
    first = next((f for f in faults if f["type"] == "extra_forbidden"), faults[0])
    key = ".".join(str(part) for part in first["loc"] if part not in ("str", "list[str]"))
    given = first.get("input")
    if first["type"] == "extra_forbidden":
        return f"unknown key `{key}`{_similar(key, (*ServerConfig.model_fields, 'auth'))}"
    if first["type"] == "missing":
        return f"the key `{key}` is missing"
    said = str(first["msg"]).removeprefix("Value error, ").replace("Input should", "should", 1)
    if not key:
        return said
    hint = _OTHER_WORDS.get(str(given).lower(), "") if key.startswith("permission") else ""
    return f"`{key}` {said}, not {str(given)[:80]!r}" + (f'; did you mean "{hint}"?' if hint else "")


def _similar(word: str, right: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(right), n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else f"; known are {', '.join(right)}"
