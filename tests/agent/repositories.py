"""Git repositories for the tests of the agent, made by the real git, and a look at everything that is in one."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org", "LC_ALL": "C",
}  # fmt: skip
LEAN = "theorem one (n : Nat) : n + 0 = n := by\n  sorry\n"


def git(folder: Path, *arguments: str, stdin: bytes = b"", check: bool = True) -> subprocess.CompletedProcess[bytes]:
    """The plain git of a user."""
    return subprocess.run(
        ["git", *arguments], cwd=folder, env=ENVIRONMENT, input=stdin, capture_output=True, check=check
    )


def repository(folder: Path, files: Mapping[str, str | bytes] | None = None) -> Path:
    """A repository with one commit that holds the files."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main", ".")
    write(folder, files if files is not None else {"A.lean": LEAN, ".gitignore": "*.log\n.lake\n"})
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def contents(folder: Path) -> dict[str, str]:
    """Everything in a folder, `.git` included: what each path is, its mode, and a digest of what it holds."""
    found = {}
    for where, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = Path(where, name)
            facts = path.lstat()
            inside = os.readlink(path) if path.is_symlink() else ""
            if path.is_file() and not path.is_symlink():
                inside = hashlib.sha256(path.read_bytes()).hexdigest()
            found[str(path.relative_to(folder))] = f"{facts.st_mode:o} {facts.st_uid} {facts.st_mtime_ns} {inside}"
    return found
