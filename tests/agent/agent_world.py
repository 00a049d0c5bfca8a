"""A user's repository with uncommitted work, answers of a model that does the work, and `unsorry agent` run on it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repositories import ENVIRONMENT, contents, git, repository

from unsorry import cli
from unsorry.lean.source import parse

HERE = Path(__file__).parent
SHELF = HERE / "repository"
PROOFS: dict[str, str] = json.loads((HERE / "proofs.json").read_text())
SMALL = ("Shelf/Numbers.lean", "Shelf/Binary.lean")  # the second imports the first
NO_PROVERS = "[provers]\nnames = []\n"
Call = tuple[str, dict[str, Any]]


@dataclass
class User:
    """A repository of the user's, and the settings file that the agent reads."""

    folder: Path
    settings: Path

    def set(self, text: str) -> None:
        self.settings.write_text(text)

    def state(self) -> dict[str, str]:
        """All of the repository, without the agent's runs."""
        return {path: what for path, what in contents(self.folder).items() if not path.startswith("runs")}

    def agent(self, *arguments: str) -> int:
        """`unsorry agent` in this process, in the repository; the exit code."""
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            return cli.run(["agent", *arguments])
        finally:
            os.chdir(before)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """The same as a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "unsorry", "agent", *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, name: str) -> Path:
        return self.folder / name / "task" / "1"

    def applied(self, patch: Path, target: Path) -> Path:
        """A copy of the repository as it is, with the patch applied by git."""
        shutil.copytree(self.folder, target, ignore=shutil.ignore_patterns("runs", "one", "two"))
        subprocess.run(["git", "apply", str(patch)], cwd=target, env=ENVIRONMENT, check=True)
        return target


def user(tmp_path: Path, files: Sequence[str] = SMALL) -> User:
    """Files of the made repository, committed; one changed since, one staged, one new, one ignored."""
    texts = {file: (SHELF / file).read_text() for file in files}
    folder = repository(tmp_path / "project", {**texts, "README.md": "Shelf\n", ".gitignore": "*.log\n"})
    (folder / "README.md").write_text("Shelf, and more of it\n")
    (folder / "staged.txt").write_text("staged\n")
    git(folder, "add", "staged.txt")
    (folder / "new.txt").write_text("not committed\n")
    (folder / "noise.log").write_text("ignored\n")
    settings = tmp_path / "agent.toml"
    settings.write_text(NO_PROVERS)
    return User(folder, settings)


def edits(files: Sequence[str] = SMALL, names: Sequence[str] | None = None) -> list[Call]:
    """A call of edit_file for each sorry of the files that has a proof."""
    calls: list[Call] = []
    for file in files:
        source = parse((SHELF / file).read_text())
        for hole in source.holes:
            command = source.commands[hole.command]
            if command.name not in PROOFS or (names is not None and command.name not in names):
                continue
            text, at = source.text[command.start : command.end], hole.start - command.start
            proof = PROOFS[command.name].replace("\n", "\n" + " " * hole.indent)
            calls.append(("edit_file", {"path": file, "old": text, "new": text[:at] + proof + text[at + 5 :]}))
    return calls


def script(path: Path, calls: Sequence[Call]) -> str:
    """The calls, one a turn, as a scripted model."""
    answers = [{"calls": [{"name": name, "arguments": arguments}]} for name, arguments in calls]
    path.write_text(json.dumps(answers))
    return f"scripted:{path}"


SUBMIT: Call = ("submit", {"summary": "That is all."})
