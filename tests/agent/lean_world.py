"""Small projects of several Lean files, and what is done to the Lean that checks them."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from unsorry.lean.process import Limits, Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean.project import LeanProject

TOWN: Mapping[str, str] = {
    "Town/Base.lean": "def twice (n : Nat) : Nat := n + n\n\ntheorem twice_zero : twice 0 = 0 := rfl\n",
    "Town/Street.lean": "import Town.Base\n\ntheorem twice_one : twice 1 = 2 := rfl\n",
    "Town.lean": "import Town.Street\n\ntheorem all : twice 1 = 2 ∧ twice 0 = 0 := ⟨twice_one, twice_zero⟩\n",
}
ENDLESS = "partial def spin (n : Nat) : Nat := spin (n + 1)\n#eval spin 0\n"


def write(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def project(root: Path, embedded: Toolchain, files: Mapping[str, str] | None = None, **options: object) -> LeanProject:
    """A project of these files, checked without a sandbox; its cache is beside it."""
    write(root, TOWN if files is None else files)
    settings: dict[str, object] = {"toolchain": embedded, "confinement": Unconfined(), "cache": root.parent / "cache"}
    return LeanProject(root, **{**settings, **options})  # type: ignore[arg-type]


class Watched(Unconfined):
    """Keeps the servers that it starts, so that a test can kill one, and calls `on_start` before each."""

    def __init__(self) -> None:
        self.servers: list[subprocess.Popen[bytes]] = []
        self.started = threading.Event()

    def popen(
        self, argv: Sequence[str], *, work: Path, readable: Sequence[Path], env: Mapping[str, str], limits: Limits
    ) -> subprocess.Popen[bytes]:
        process = super().popen(argv, work=work, readable=readable, env=env, limits=limits)
        self.servers.append(process)
        self.started.set()
        return process


def children(pid: int) -> list[int]:
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def wait_for(condition: object, seconds: float = 120.0) -> None:
    """Until the condition holds; a test that waits longer has failed."""
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)
