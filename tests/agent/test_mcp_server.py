"""`unsorry mcp` over stdio, used through our own client: real proofs and verdicts, and what is asked in vain."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_world import PATIENT

from unsorry.cli import run
from unsorry.scaffolds.agent import Observation
from unsorry.scaffolds.agent.mcp.config import ServerConfig
from unsorry.scaffolds.agent.mcp.pool import McpServers

COMMAND = [sys.executable, "-m", "unsorry", "mcp"]
STATED = "theorem swap (a b : Nat) : a + b = b + a := by sorry\n"
PROVED = "theorem swap (a b : Nat) : a + b = b + a := by omega\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files, one of which imports the other."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "Base.lean").write_text("def double (n : Nat) : Nat := n + n\n")
    (folder / "Top.lean").write_text(
        "import Base\n\ntheorem double_zero : double 0 = 0 := by\n  sorry\n\n"
        "theorem wrong : double 1 = 1 := by\n  sorry\n"
    )
    (folder / "secret.txt").write_text("theorem secret : True := trivial")
    (folder / "link.lean").symlink_to("/etc/hostname")
    return folder


@pytest.fixture(scope="module")
def served(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpServers]:
    config = ServerConfig.model_validate(
        {"name": "u", "transport": "stdio", "command": COMMAND, "args": ["--root", str(project)], **PATIENT}
    )
    with McpServers([config], tmp_path_factory.mktemp("logs")) as pool:
        assert pool.faults == []
        yield pool


def call(served: McpServers, tool: str, **arguments: Any) -> Observation:
    return next(t for t in served.tools() if t.name == tool).run(arguments)


def test_the_tools_say_what_they_take(served: McpServers) -> None:
    tools = {tool.name: tool for tool in served.tools()}
    assert list(tools) == ["prove", "judge", "goal", "search"]
    assert all(tool.repeatable and tool.spec.description for tool in tools.values())
    assert all(tool.spec.parameters["additionalProperties"] is False for tool in tools.values())


def test_judge_accepts_rejects_and_leaves_open(served: McpServers) -> None:
    accepted = call(served, "judge", statement=STATED, submission=PROVED)
    assert accepted.status == "ok" and accepted.data["structured"]["verdict"] == "accepted"
    cheated = call(served, "judge", statement=STATED, submission=STATED).data["structured"]
    assert (cheated["verdict"], cheated["reason"], cheated["target"]) == ("rejected", "axioms.sorry", "swap")
    other = STATED.replace("b + a", "a + b")
    assert call(served, "judge", statement=STATED, submission=other).data["structured"]["verdict"] == "rejected"
    broken = call(served, "judge", statement="theorem t : NoSuchThing := by sorry", submission=PROVED)
    assert broken.data["structured"]["verdict"] == "undecided"
    assert broken.status == "unknown"  # to our own client, and so never a success


def test_prove_reaches_what_a_file_of_the_project_imports(served: McpServers, project: Path) -> None:
    before = (project / "Top.lean").read_bytes()
    found = call(served, "prove", file="Top.lean", declaration="double_zero").data["structured"]
    assert (found["verdict"], found["filled"], found["total"], found["errors"]) == ("accepted", 1, 1, [])
    (one,) = found["sorries"]
    assert (one["declaration"], one["line"], one["column"], one["verdict"]) == ("double_zero", 4, 3, "accepted")
    assert before == (project / "Top.lean").read_bytes()
    filled = before.decode().replace("sorry", one["proof"], 1)
    subprocess.run(["git", "apply", "-"], input=found["diff"].encode(), check=True, cwd=project)
    assert filled == (project / "Top.lean").read_text()
    (project / "Top.lean").write_bytes(before)
    statement = call(served, "judge", statement_file="Top.lean", submission=filled, targets=["double_zero"])
    assert statement.data["structured"]["verdict"] == "accepted"


def test_prove_says_that_a_statement_is_false(served: McpServers) -> None:
    found = call(served, "prove", file="Top.lean", line=7, seconds=3).data["structured"]
    assert (found["filled"], found["sorries"][0]["proof"], found["diff"]) == (0, "", "")
    assert found["verdict"] in ("rejected", "undecided")  # a busy machine may find no counterexample in time


def test_goal_at_a_place_and_of_every_sorry(served: McpServers) -> None:
    found = call(served, "goal", file="Top.lean").data["structured"]
    assert [place["declaration"] for place in found["places"]] == ["double_zero", "wrong"]
    assert found["places"][0]["before"] == ["⊢ double 0 = 0"]
    text = "theorem t (p : Prop) (h : p) : p := by\n  exact h\n"
    (place,) = call(served, "goal", source=text, line=2).data["structured"]["places"]
    assert place["before"] == ["p : Prop\nh : p\n⊢ p"] and place["after"] == []
    beyond = call(served, "goal", source=text, line=20)
    assert beyond.status == "unknown" and "there is no line 20" in beyond.text


def test_search_finds_what_the_project_declares(served: McpServers) -> None:
    found = call(served, "search", name="double", file="Base.lean").data["structured"]
    assert found["status"] == "ok" and found["total"] == len(found["matches"])
    assert ("double", "Base") in [(match["name"], match["module"]) for match in found["matches"]]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("prove", {}, "give one of `file` and `source`"),
        ("prove", {"file": "Top.lean", "source": STATED}, "give one of `file` and `source`, not both"),
        ("prove", {"file": "Base.lean"}, "Base.lean holds no sorry"),
        ("prove", {"file": "Top.lean", "declaration": "double_zer"}, "did you mean double_zero"),
        ("prove", {"file": "../outside.lean"}, "../outside.lean is outside the project"),
        ("prove", {"file": "/etc/passwd"}, "/etc/passwd is outside the project"),
        ("prove", {"file": "link.lean"}, "is outside the project"),
        ("prove", {"file": "secret.txt"}, "is not a .lean file"),
        ("prove", {"file": "a\0b.lean"}, ""),
        ("prove", {"source": "theorem t : True := by /- sorry"}, "source.lean"),
        ("prove", {"file": "Top.lean", "declaraton": "x"}, "declaraton is not known; did you mean declaration?"),
        ("prove", {"file": "Top.lean", "seconds": 1e9}, "seconds must be at most 3600"),
        ("prove", {"file": ["Top.lean"]}, "file must be of type string, not array"),
        ("judge", {"statement": PROVED, "submission": PROVED}, "no named declaration with a sorry"),
        ("judge", {"statement": STATED, "submission": PROVED, "targets": ["no"]}, "the statement declares no no"),
        ("judge", {"statement": STATED, "submission_file": "../../etc/passwd"}, "is outside the project"),
        ("goal", {"source": STATED, "line": -1}, "line must be at least 0"),
        ("goal", {"source": "x" * (1 << 20 | 1), "line": 1}, "at most 1048576 are allowed"),
        ("search", {}, "say what to search for"),
        ("search", {"uses": ["a"] * 51}, "uses may have at most 50 items"),
        ("search", {"conclusion": "(" * 900}, ""),
    ],
)  # fmt: skip
def test_hostile_and_mistaken_arguments_are_one_line_of_error(
    served: McpServers, tool: str, arguments: dict[str, Any], said: str
) -> None:
    starts = served.connections[0].starts
    found = call(served, tool, **arguments)
    assert found.status == "error" and said in found.text
    assert "\n" not in found.text and "Traceback" not in found.text and "pydantic" not in found.text
    assert served.connections[0].starts == starts


def test_standard_output_holds_the_protocol_alone_and_the_server_ends_with_its_client(project: Path) -> None:
    """Whatever lines it is sent; and it does not wait for a call that is still running."""
    first = {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"},
    }  # fmt: skip
    hard = "theorem t (n : Nat) : n * n * n + n ≠ 7777777777 := by sorry"
    with subprocess.Popen(
        [*COMMAND, "--root", str(project)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin and server.stdout and server.stderr

        def send(line: bytes | dict[str, Any]) -> None:
            server.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
            server.stdin.flush()

        def ask(identifier: int, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
            send({"jsonrpc": "2.0", "id": identifier, "method": method, "params": parameters})
            while True:
                answer: dict[str, Any] = json.loads(server.stdout.readline())
                if answer.get("id") == identifier:
                    return answer

        send(b"this is no JSON")
        send(b"\xff\xfe\x00")
        assert ask(1, "initialize", first)["result"]["serverInfo"]["name"] == "unsorry"
        send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        send(b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "judge", "arguments": ')
        send(b"[" * 100_000)
        assert "error" in ask(2, "no/such/method", {})
        assert ask(3, "tools/call", {"name": "proof", "arguments": {}})["result"]["isError"] is True
        judged = {"name": "judge", "arguments": {"statement": STATED, "submission": PROVED}}
        assert ask(4, "tools/call", judged)["result"]["structuredContent"]["verdict"] == "accepted"
        asked = {"name": "prove", "arguments": {"source": hard, "seconds": 3000}}
        send({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": asked})
        rest, said = server.communicate(timeout=240)
        assert server.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert b"Traceback" not in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--root", "no/such/folder"], "--root no/such/folder is no folder"),
        (["--token-env", "X"], "--token-env is for --http"),
        (["--http", "0", "--token-env", "NO_SUCH_TOKEN"], "the variable NO_SUCH_TOKEN is not set"),
        (["--prover", "magic"], "unknown prover 'magic'"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mcp", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and said in err and err.count("\n") == 1
