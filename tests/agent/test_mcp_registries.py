"""Servers that others wrote, from npm and PyPI, installed into folders of the tests."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp_world import PATIENT

from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent import Observation
from unsorry.scaffolds.agent.mcp.config import ServerConfig
from unsorry.scaffolds.agent.mcp.pool import McpServers

pytestmark = pytest.mark.slow

NPM = ("@modelcontextprotocol/server-filesystem", "@modelcontextprotocol/server-everything")
FILE = """theorem fine (p : Prop) (h : p) : p := by
  exact h
theorem open_ : 1 + 1 = 2 := by
  sorry
theorem wrong : Nat := nope
"""


@pytest.fixture(scope="module")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs."""
    program = shutil.which("npm")
    if program is None:
        pytest.skip("npm is not installed: the servers of npm cannot be tried")
    folder = tmp_path_factory.mktemp("npm")
    command = [program, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *NPM]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"npm cannot install {', '.join(NPM)} here: {done.stderr.strip()[-200:]}")
    return folder / "node_modules" / ".bin"


@pytest.fixture(scope="module")
def lean_lsp_mcp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, in an environment of its own: it pins another version of the SDK."""
    folder = tmp_path_factory.mktemp("lean-lsp-mcp")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "lean-lsp-mcp"]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"lean-lsp-mcp cannot be installed here: {done.stderr.strip()[-200:]}")
    return folder / "bin" / "lean-lsp-mcp"


def server(name: str, *command: str | Path, **settings: Any) -> ServerConfig:
    given = {"name": name, "transport": "stdio", "command": [str(part) for part in command], **PATIENT, **settings}
    return ServerConfig.model_validate(given)


def call(pool: McpServers, tool: str, **arguments: Any) -> Observation:
    return next(t for t in pool.tools() if t.spec.name == tool).run(arguments)


def test_the_filesystem_server(npm: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    config = server("fs", npm / "mcp-server-filesystem", work, permissions={"write_*": "ask"})
    with McpServers([config], tmp_path / "logs") as pool:
        assert pool.faults == []
        assert call(pool, "fs_list_allowed_directories").text.endswith(str(work))
        refused = call(pool, "fs_write_file", path=str(work / "a.txt"), content="hello")
        assert refused.status == "error" and not (work / "a.txt").exists()
        pool.approve = lambda tool, arguments: ""
        assert call(pool, "fs_write_file", path=str(work / "a.txt"), content="hello").status == "ok"
        assert call(pool, "fs_read_text_file", path=str(work / "a.txt")).text == "hello"  # told once, not twice
        outside = call(pool, "fs_read_text_file", path="/etc/hostname")
        assert outside.status == "error" and "Access denied" in outside.text


def test_the_server_with_everything(npm: Path, tmp_path: Path) -> None:
    progress: list[str] = []
    config = server("all", npm / "mcp-server-everything", "stdio")
    with McpServers([config], tmp_path, progress=progress.append) as pool:
        assert pool.faults == []
        assert call(pool, "all_echo", message="∀ ε").text == "Echo: ∀ ε"
        image = call(pool, "all_get-tiny-image")
        assert "[image image/png," in image.text and len(image.text) < 300
        structured = call(pool, "all_get-structured-content", location="Chicago")
        assert set(structured.data["structured"]) == {"temperature", "conditions", "humidity"}
        slow = call(pool, "all_trigger-long-running-operation", duration=1, steps=2)
        assert slow.status == "ok"
        assert progress[-1] == "all_trigger-long-running-operation: 2 of 2"
        assert (
            "[resource demo://resource/dynamic/text/1]"
            in call(pool, "all_get-resource-reference", resourceType="Text", resourceId=1).text
        )


def test_lean_lsp_mcp_without_lake(lean_lsp_mcp: Path, tmp_path: Path) -> None:
    """It starts, lists its tools, and says itself what is missing: none of its answers passes for a success."""
    project = lean_project(tmp_path)
    path = os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if not (Path(p) / "lake").exists())
    environment = {"LEAN_PROJECT_PATH": str(project), "PATH": path}
    with McpServers([server("lsp", lean_lsp_mcp, env=environment)], tmp_path / "logs") as pool:
        assert pool.faults == []
        assert {"lean_goal", "lean_diagnostic_messages", "lean_verify"} <= {tool.name for tool in pool.tools()}
        for tool, arguments in (("lean_goal", {"file_path": "A.lean", "line": 2}), ("lean_build", {})):
            found = call(pool, f"lsp_{tool}", **arguments)
            assert found.status == "error" and "lake" in found.text


def test_lean_lsp_mcp_over_the_embedded_lean(lean_lsp_mcp: Path, tmp_path: Path, embedded: Toolchain) -> None:
    """All that it wants of Lake is `lake serve`: a few lines of shell give it Lean's own language server."""
    project, programs = lean_project(tmp_path), tmp_path / "bin"
    programs.mkdir()
    variables = [f"{name}={value}" for name, value in embedded.env.items()]
    lean = shlex.join(["env", f"LEAN_WORKER_PATH={programs / 'lean'}", *variables, *embedded.lean])
    script(programs / "lean", f'exec {lean} "$@"')
    script(programs / "lake", f'if [ "$1" = serve ]; then exec {lean} --server; fi')
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    environment = {"LEAN_PROJECT_PATH": str(project), "PATH": path}
    with McpServers([server("lsp", lean_lsp_mcp, env=environment)], tmp_path / "logs") as pool:
        said = call(pool, "lsp_lean_diagnostic_messages", file_path="A.lean")
        assert said.status == "error" and "Unknown identifier `nope`" in said.text
        goal = call(pool, "lsp_lean_goal", file_path="A.lean", line=2).data["structured"]
        goal = goal.get("result", goal)
        assert goal["goals_before"] == ["p : Prop\nh : p\n⊢ p"] and goal["goals_after"] == []
        tried = call(pool, "lsp_lean_multi_attempt", file_path="A.lean", line=4, snippets=["decide", "exact rfl"])
        assert tried.status == "ok" and "exact rfl" in tried.text
        assert call(pool, "lsp_lean_run_code", code="#check Nat.succ").status == "ok"
        (project / "A.lean").write_text(FILE.replace("nope", "neither"))  # edited, and asked at once
        again = call(pool, "lsp_lean_diagnostic_messages", file_path="A.lean")
        assert again.status != "ok"
        assert again.status == "unknown" or "Unknown identifier `neither`" in again.text


def lean_project(folder: Path) -> Path:
    project = folder / "project"
    project.mkdir()
    (project / "lean-toolchain").write_text("leanprover/lean4:v4.35.0\n")
    (project / "lakefile.toml").write_text('name = "project"\n')
    (project / "A.lean").write_text(FILE)
    return project


def script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
