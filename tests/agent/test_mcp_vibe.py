"""Vibe itself, from PyPI, headless, with `unsorry mcp` as its server and a scripted model behind a real HTTP server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openai_server import Said, serving

pytestmark = pytest.mark.slow

PROGRAM = "UNSORRY_TEST_VIBE"  # a vibe that is installed already
OLDEST = (3, 12)  # the Python that mistral-vibe wants
STATED = "theorem swap (a b : Nat) : a + b = b + a := by\n  sorry\n"
CONFIG = """
active_model = "scripted"
enable_telemetry = false
enable_update_checks = false
enable_auto_update = false
enable_connectors = false

[session_logging]
generate_titles = false

[[providers]]
name = "test"
api_base = "{url}"
api_key_env_var = ""

[[models]]
name = "m"
provider = "test"
alias = "scripted"

[[mcp_servers]]
name = "unsorry"
transport = "stdio"
command = "{python}"
args = ["-m", "unsorry", "mcp", "--root", "{project}"]
startup_timeout_sec = 240
tool_timeout_sec = 600
"""


@pytest.fixture(scope="module")
def vibe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, installed into an environment of its own."""
    if given := os.environ.get(PROGRAM):
        return Path(given)
    python = _python()
    if python is None:
        pytest.skip(f"mistral-vibe needs Python {OLDEST[0]}.{OLDEST[1]} or newer, and none is on PATH")
    folder = tmp_path_factory.mktemp("vibe")
    subprocess.run([python, "-m", "venv", folder], check=True)
    pip = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "mistral-vibe"]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mistral-vibe cannot be installed here: {done.stderr.strip().splitlines()[-1]}")
    return folder / "bin" / "vibe"


def _python() -> str | None:
    """A Python that is new enough, and starts."""
    names = [f"python3.{minor}" for minor in range(20, OLDEST[1] - 1, -1)]
    found = [sys.executable, *(path for name in names if (path := shutil.which(name)))]
    found += sorted(map(str, Path.home().glob(".pyenv/versions/3.*/bin/python3")), reverse=True)
    for path in found:
        asked = subprocess.run([path, "-c", f"import sys; sys.exit(sys.version_info < {OLDEST})"], check=False)
        if asked.returncode == 0:
            return path
    return None


def test_vibe_finds_and_calls_the_tools(vibe: Path, tmp_path: Path) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    for folder in (project, home):
        folder.mkdir()
    (project / "Swap.lean").write_text(STATED)
    # A program of Vibe's has 60 s: one call in each.
    prove = "async function main() { return await tools.mcp_unsorry.prove({file: 'Swap.lean'}); }"
    judge = (
        "async function main() {"
        " const text = 'theorem swap (a b : Nat) : a + b = b + a := by\\n  omega\\n';"
        " return await tools.mcp_unsorry.judge({statement_file: 'Swap.lean', submission: text}); }"
    )
    script = [
        Said("", [("search_tool_functions", {"query": "prove the sorries of a Lean file"})]),
        Said("", [("run_typescript", {"code": prove})]),
        Said("", [("run_typescript", {"code": judge})]),
        Said("Proved and judged."),
    ]
    with serving(script, Said("done"), strict=False) as server:
        config = CONFIG.format(url=server.url, python=sys.executable, project=project)
        (home / "config.toml").write_text(config)
        command = [vibe, "-p", "Prove Swap.lean", "--output", "json", "--auto-approve", "--trust", "--max-turns", "5"]
        environment = {
            "HOME": str(home), "VIBE_HOME": str(home), "PATH": os.environ["PATH"], "NO_PROXY": "127.0.0.1",
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
        }  # fmt: skip
        run = subprocess.run(
            [*command, "--workdir", project], env=environment, capture_output=True, text=True, check=False, input=""
        )
        results = [m["content"] for body in server.bodies for m in body["messages"] if m["role"] == "tool"]
    assert run.returncode == 0, run.stderr
    assert "Proved and judged." in run.stdout
    assert all(f"mcp_unsorry.{name}" in results[0] for name in ("prove", "judge", "goal", "search"))
    proved, judged = (
        [a for a in _objects(text) if a.get("verdict") == "accepted"] for text in list(dict.fromkeys(results))[1:]
    )
    assert proved[0]["filled"] == 1 and "+  omega" in proved[0]["diff"], results[1]
    assert judged[0]["message"] == "swap (theorem) as stated, checked by the kernel", results[2]
    assert (project / "Swap.lean").read_text() == STATED


def _objects(value: Any) -> list[dict[str, Any]]:
    """All objects in a value, outermost first, those in texts that are JSON too."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            return _objects(json.loads(value))
        except ValueError:
            return []
    if isinstance(value, dict):
        return [value, *(found for part in value.values() for found in _objects(part))]
    return [found for part in value for found in _objects(part)] if isinstance(value, list) else []
