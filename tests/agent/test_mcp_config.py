"""`[[mcp_servers]]` and `.mcp.json`: what is read, and what each mistake is told as."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from unsorry import UnsorryError
from unsorry.scaffolds.agent.mcp.config import ServerConfig, parse_servers
from unsorry.scaffolds.agent.mcp.json_file import read_json

VIBES = """
[[mcp_servers]]
name = "lean lsp"
transport = "stdio"
command = "uvx"
args = ["lean-lsp-mcp"]
env = { LEAN_PROJECT_PATH = "/p" }
startup_timeout_sec = 60
tool_timeout_sec = 300
disabled_tools = ["lean_build", "lean_loogle*"]

[[mcp_servers]]
name = "remote"
transport = "http"
url = "https://mcp.example.com/mcp"

[mcp_servers.auth]
type = "static"
api_key_env = "KEY"
api_key_header = "X-Api-Key"
api_key_format = "{token}"

[[mcp_servers]]
name = "old"
transport = "streamable-http"
url = "http://127.0.0.1:9/mcp"
headers = { Authorization = "Basic eA==" }
sampling_enabled = true

[[mcp_servers]]
name = "files"
transport = "stdio"
command = ["npx", "-y"]
args = ["server"]
permission = "never"
permissions = { read_file = "always", "list_*" = "ask" }
"""


def servers(toml: str) -> tuple[ServerConfig, ...]:
    return parse_servers(tomllib.loads(toml)["mcp_servers"], "config.toml")


def test_vibes_tables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    lean, remote, old, files = servers(VIBES)
    assert (lean.argv, lean.label, lean.tool_timeout_sec) == (["uvx", "lean-lsp-mcp"], "lean_lsp", 300)
    assert lean.hides("lean_build") and lean.hides("lean_loogle_local") and not lean.hides("lean_goal")
    monkeypatch.setenv("KEY", "k1")
    assert remote.http_headers() == {"X-Api-Key": "k1"}
    assert old.http_headers() == {"Authorization": "Basic eA=="}
    assert files.argv == ["npx", "-y", "server"]
    assert [files.permission_of(name) for name in ("read_file", "list_all", "write")] == ["always", "ask", "never"]
    assert files.hides("write") and not files.hides("list_all")


STDIO = {"name": "s", "transport": "stdio", "command": "c"}
HTTP = {"name": "s", "transport": "http", "url": "http://h/mcp"}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({**STDIO, "comand": "x"}, "unknown key `comand`; did you mean `command`?"),
        ({**STDIO, "timeout": 3}, "unknown key `timeout`; did you mean `tool_timeout_sec`?"),
        ({**STDIO, "transport": "sse"}, "`transport` should be 'stdio', 'streamable-http' or 'http', not 'sse'"),
        ({"name": "s", "transport": "stdio"}, "`command` is missing"),
        ({**STDIO, "url": "http://h"}, '`url` means nothing with transport = "stdio"'),
        ({**HTTP, "env": {"A": "b"}}, '`env` means nothing with transport = "http"'),
        ({**HTTP, "url": "h:80/mcp"}, "`url` is 'h:80/mcp': give one like https://host/mcp"),
        ({"transport": "stdio", "command": "c"}, "the key `name` is missing"),
        ({**STDIO, "name": "--"}, "it needs a letter or digit"),
        ({**STDIO, "command": "a 'b"}, "No closing quotation"),
        ({**STDIO, "permission": "deny"}, 'not \'deny\'; did you mean "never"?'),
        ({**STDIO, "permissions": {"read": "allow"}}, '`permissions.read` should be'),
        ({**STDIO, "tool_timeout_sec": 0}, "`tool_timeout_sec` should be greater than 0, not '0'"),
        ({**STDIO, "env": {"A": 1}}, "`env.A` should be a valid string, not '1'"),
        ({**HTTP, "auth": {"type": "oauth", "scopes": []}}, "auth.type is 'oauth', which needs a browser"),
        ({**HTTP, "auth": {"api_key": "k"}}, "unknown key `auth.api_key`; did you mean `api_key_env`?"),
        ({**HTTP, "auth": {}, "headers": {"A": "b"}}, "headers stands beside [mcp_servers.auth]"),
        ({**HTTP, "headers": {"A b": "c"}}, "'A b' is no name of a header"),
        ({**HTTP, "api_key_format": "Bearer"}, "`api_key_format` has no {token} in it"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_one_line_with_their_place(table: dict[str, Any], said: str) -> None:
    with pytest.raises(UnsorryError) as caught:
        parse_servers([table], "config.toml")
    line = str(caught.value)
    which = "s" if table.get("name") == "s" else table.get("name", "number 1")
    assert line.startswith(f"config.toml: [[mcp_servers]] {which}: ") and said in line and "\n" not in line


def test_a_value_that_is_no_list_of_tables_and_a_name_twice() -> None:
    with pytest.raises(UnsorryError, match="mcp_servers is no list of tables"):
        parse_servers({"name": "s"}, "config.toml")
    with pytest.raises(UnsorryError, match="two MCP servers are called a_b"):
        parse_servers([{**STDIO, "name": "a b"}, {**STDIO, "name": "a_b"}], "config.toml")


def test_a_variable_for_the_key_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEY", raising=False)
    (server,) = parse_servers([{**HTTP, "api_key_env": "KEY"}], "config.toml")
    with pytest.raises(UnsorryError, match="the variable KEY is not set"):
        server.http_headers()
    monkeypatch.setenv("KEY", "a\nb")
    with pytest.raises(UnsorryError, match="holds no key"):
        server.http_headers()


def project(folder: Path, content: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".mcp.json").write_text(content if isinstance(content, str) else json.dumps({"mcpServers": content}))
    return folder


def test_a_projects_file_is_read_in_trusted_folders_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERE", "/p")
    folder = project(
        tmp_path / "home" / "project",
        {
            "lean": {"command": "uvx", "args": ["lean-lsp-mcp"], "env": {"ROOT": "${HERE}/x", "B": "${NONE:-d}"}},
            "web": {"type": "http", "url": "https://h/mcp", "headers": {"A": "b"}, "timeout": 5000},
        },
    )
    found, note = read_json(folder, [])
    assert found == () and ".mcp.json is not read, as it starts programs" in note and str(folder) in note
    assert read_json(folder, [tmp_path / "home" / "proj"])[0] == ()
    (lean, web), note = read_json(folder, [tmp_path / "home"])
    assert note == ""
    assert (lean.transport, lean.env) == ("stdio", {"ROOT": "/p/x", "B": "d"})
    assert (web.transport, web.headers, web.tool_timeout_sec) == ("http", {"A": "b"}, 5)
    assert lean.permission == "ask"
    assert read_json(tmp_path, [tmp_path]) == ((), "")


def test_a_link_into_a_trusted_folder_trusts_where_it_leads(tmp_path: Path) -> None:
    real = project(tmp_path / "elsewhere", {"a": {"command": "a"}})
    (tmp_path / "trusted").mkdir()
    (tmp_path / "trusted" / "link").symlink_to(real)
    assert read_json(tmp_path / "trusted" / "link", [tmp_path / "trusted"])[0] == ()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "cannot be read as JSON"),
        ("[" * 100_000, "cannot be read as JSON"),
        ("[]", 'has no object "mcpServers"'),
        ({"a": []}, "a: is no object"),
        ({"a": {"command": "c", "agrs": []}}, "a: unknown key `agrs`; did you mean `args`?"),
        ({"a": {"command": "${NO_SUCH_VARIABLE}"}}, "the variable NO_SUCH_VARIABLE is not set"),
        ({"a": {"type": "sse", "url": "http://h"}}, "the old transport sse is not supported"),
        ({"a": {"command": "c", "permission": "always"}}, "a project cannot permit its own tools"),
    ],
)
def test_what_is_wrong_with_a_projects_file(tmp_path: Path, content: Any, said: str) -> None:
    with pytest.raises(UnsorryError) as caught:
        read_json(project(tmp_path, content), [tmp_path])
    assert said in str(caught.value) and "\n" not in str(caught.value)
