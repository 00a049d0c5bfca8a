"""Faults in the midst of a run: each is survived, or is one clear line; what was done until then is kept."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agent_world import HERE, NO_PROVERS, SUBMIT, User, edits, script, user
from openai_server import Said, serving

from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent import trajectory
from unsorry.scaffolds.agent.config import VARIABLE

FILE = "Shelf/Numbers.lean"
EDIT = edits((FILE,), ("Shelf.double_eq",))
CHECK = ("lean_check", {"file": FILE})


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: Toolchain) -> User:
    made = user(tmp_path, (FILE,))
    monkeypatch.setenv(VARIABLE, str(made.settings))
    return made


def answers(user: User, run: str) -> list[tuple[str, str]]:
    """Status and text of each call of a run."""
    found = trajectory.read(user.run(run) / "trajectory.jsonl").messages
    return [(m["extra"]["status"], m["content"]) for m in found if m["role"] == "tool"]


def test_an_mcp_server_that_is_killed_in_a_call_is_one_line_and_works_again(
    mine: User, tmp_path: Path, capsys: Any
) -> None:
    mine.set(
        NO_PROVERS + '[[mcp_servers]]\nname = "example"\ntransport = "stdio"\npermission = "always"\n'
        f"command = {json.dumps([sys.executable, str(HERE / 'mcp_example.py')])}\n"
        "startup_timeout_sec = 240\ntool_timeout_sec = 240\n"
    )
    add = ("example_add", {"a": 2, "b": 3})
    calls = [add, ("example_die", {"words": "so long"}), add, *EDIT, SUBMIT, SUBMIT]
    code = mine.agent("Shelf/Numbers.lean", "--model", script(tmp_path / "s.json", calls), "-o", "one", "--json")
    result = json.loads(capsys.readouterr().out)
    assert (code, result["end"]) == (1, "submitted")  # the other sorries are open
    first, died, again = answers(mine, "one")[:3]
    assert "5" in first[1] and "5" in again[1] and (first[0], again[0]) == ("ok", "ok")
    assert died[0] != "ok" and "so long" in died[1] and "Traceback" not in died[1] and "TaskGroup" not in died[1]
    assert [d["name"] for d in result["declarations"] if d["verdict"] == "accepted"] == ["Shelf.double_eq"]


def lean_processes() -> list[int]:
    """The fork servers below this process."""
    parents, found = {}, []
    for entry in os.listdir("/proc"):
        try:
            words = Path("/proc", entry, "cmdline").read_bytes()
            parents[int(entry)] = int(Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()[1])
        except (ValueError, OSError):
            continue
        if b"forkserver.py" in words:
            found.append(int(entry))

    def ours(pid: int) -> bool:
        while pid > 1 and pid != os.getpid():
            pid = parents.get(pid, 0)
        return pid == os.getpid()

    return [pid for pid in found if ours(pid)]


def test_a_lean_that_is_killed_is_started_again(mine: User, capsys: Any) -> None:
    killed: list[int] = []

    def kill(*_: Any) -> Said:
        for pid in lean_processes():
            with contextlib.suppress(ProcessLookupError):  # the children of a check come and go
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
        return Said("", [CHECK])

    with serving([Said("", [CHECK]), kill, Said("", [CHECK]), *(Said("", [c]) for c in (SUBMIT, SUBMIT))]) as server:
        model = f"endpoint:{server.url}#m?free=1"
        assert mine.agent("Shelf/Numbers.lean", "--model", model, "-o", "one", "--json") == 1
    result = json.loads(capsys.readouterr().out)
    assert killed and result["end"] == "submitted"
    before, meanwhile, after = answers(mine, "one")[:3]
    assert (before[0], after[0]) == ("ok", "ok"), (before, meanwhile, after)
    assert before[1] == after[1]
    assert meanwhile[0] in ("ok", "unknown")  # never taken for errors of the file


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of three megabytes; skipped where one cannot be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("mounting a small disk needs root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=False)


def test_a_full_disk_is_told_before_anything_is_paid_and_the_run_goes_on(
    mine: User, small_disk: Path, capsys: Any
) -> None:
    run = small_disk / "one"
    with serving([Said("", [c]) for c in (*EDIT, SUBMIT, SUBMIT)]) as server:
        given = ("Shelf/Numbers.lean", "--model", f"endpoint:{server.url}#m?free=1", "-o", str(run))
        assert mine.agent(*given) == 2
        err = capsys.readouterr().err
        assert "No space left" in err and "Traceback" not in err
        assert [line for line in err.splitlines() if line.startswith("unsorry:")] == err.splitlines()
        assert not server.requests
        subprocess.run(["mount", "-o", "remount,size=200m", str(small_disk)], check=True)
        assert mine.agent("--resume", str(run), "--json") == 1
    result = json.loads(capsys.readouterr().out)
    assert result["end"] == "submitted"
    assert [d["name"] for d in result["declarations"] if d["verdict"] == "accepted"] == ["Shelf.double_eq"]
