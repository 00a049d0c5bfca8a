"""`unsorry agent` on a terminal: questions, answers that are streamed, and leaving."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from agent_world import SUBMIT, User, user
from openai_server import Said, serving

from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.config import VARIABLE


class Terminal:
    """A process on a terminal of its own."""

    def __init__(self, user: User, *arguments: str) -> None:
        self.main, other = pty.openpty()
        self.shown = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "unsorry", "agent", *arguments],
            cwd=user.folder, stdin=other, stdout=other, stderr=other, start_new_session=True,
        )  # fmt: skip
        os.close(other)

    def until(self, text: str, seconds: float = 300) -> None:
        """Reads until a text is shown behind what was read before."""
        end, start = time.monotonic() + seconds, len(self.shown)
        while text not in self.shown[start:]:
            left = end - time.monotonic()
            assert left > 0 and select.select([self.main], [], [], left)[0], self.shown
            try:
                data = os.read(self.main, 4096)
            except OSError:  # the other end is closed
                data = b""
            assert data, self.shown
            self.shown += data.decode("utf-8", "replace")

    def type(self, text: str) -> None:
        os.write(self.main, text.encode() + b"\n")

    def end(self) -> int:
        while True:
            try:
                data = os.read(self.main, 4096)
            except OSError:
                break
            if not data:
                break
            self.shown += data.decode("utf-8", "replace")
        os.close(self.main)
        return self.process.wait(300)


def test_questions_answers_and_leaving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: Toolchain) -> None:
    mine = user(tmp_path, ("Shelf/Numbers.lean",))
    monkeypatch.setenv(VARIABLE, str(mine.settings))
    touch, remove = ("bash", {"command": "echo one > made.txt"}), ("bash", {"command": "rm made.txt"})
    said = [
        Said("I make a file now.", [touch]),
        Said("", [remove]),
        Said("What else is there to do?"),
        Said("As you say."),
    ]
    with serving(said, Said("", [SUBMIT])) as server:
        model = f"endpoint:{server.url}#m?free=1"
        terminal = Terminal(mine, "look around in Shelf/Numbers.lean", "--model", model, "-o", "one")
        terminal.until("run it?")
        assert "I make a file now." in terminal.shown and "echo one > made.txt" in terminal.shown
        terminal.type("y")
        terminal.until("run it?")
        terminal.type("n")
        terminal.until("you (empty: leave)")
        terminal.type("Nothing, thank you.")
        terminal.until("you (empty: leave)")
        terminal.type("")
        code = terminal.end()
        assert code == 130, terminal.shown
        assert "--resume" in terminal.shown and "Traceback" not in terminal.shown
        assert all(body.get("stream") for body in server.bodies)
        words = [message.get("content") for message in server.bodies[-1]["messages"] if message["role"] == "user"]
        results = [message["content"] for message in server.bodies[-1]["messages"] if message["role"] == "tool"]
    assert words == ["look around in Shelf/Numbers.lean", "Nothing, thank you."]
    assert "exit status 0" in results[0] and "declined" in results[1]
    assert "made.txt" in (mine.run("one") / "patch.diff").read_text()
    assert not (mine.folder / "made.txt").exists()
