"""A small repository with a history of pull requests, the benchmark that is built from it, and patches to its stubs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry.judge.sandbox import choose
from unsorry.lean.toolchain import Toolchain
from unsorry.repos.build import Building, build
from unsorry.repos.cases import Cases
from unsorry.repos.pull import Options
from unsorry.repos.score import Case, Scorer
from unsorry.repos.scores import Score
from unsorry.repos.tasks import Folder

ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org", "LC_ALL": "C",
}  # fmt: skip
NUMBERS = """namespace Shelf

/-- Twice a number. -/
def double : Nat → Nat
  | 0 => 0
  | n + 1 => double n + 2

def even : Nat → Bool
  | 0 => true
  | 1 => false
  | n + 2 => even n

theorem double_zero : double 0 = 0 := rfl

end Shelf
"""
USE = """import Shelf.Numbers

namespace Shelf

theorem double_two : double 2 = 4 := rfl

end Shelf
"""
BASE = {
    "Shelf/Numbers.lean": NUMBERS, "Shelf/Use.lean": USE, "Shelf.lean": "import Shelf.Use\n", "README.md": "Shelf\n",
    "lakefile.toml": 'name = "shelf"\n\n[[lean_lib]]\nname = "Shelf"\n',
}  # fmt: skip
DOUBLE_EQ = """theorem double_eq (n : Nat) : double n = n + n := by
  induction n with
  | zero => rfl
  | succ n ih => simp only [double, ih]; omega
"""
EVEN_DOUBLE = """theorem even_double (n : Nat) : even (double n) = true := by
  induction n with
  | zero => rfl
  | succ n ih => simp [double, even, ih]
"""
TRIPLE = """def triple (n : Nat) : Nat := n + n + n

theorem triple_eq (n : Nat) : triple n = 3 * n := by
  unfold triple; omega
"""
TWICE = """theorem double_double (n : Nat) : double (double n) = 4 * n := by
  rw [double_eq, double_eq]; omega

theorem double_five : double 5 = 10 := rfl
"""
PICK = """def pick (n : Nat) : Nat := n + 1

theorem pick_pos (n : Nat) : 0 < pick n := Nat.succ_pos n
"""


def ended(text: str, more: str) -> str:
    """A file of the namespace with more before its end."""
    return text.replace("\nend Shelf\n", f"\n{more}\nend Shelf\n")


PROVED = ended(ended(NUMBERS, DOUBLE_EQ), EVEN_DOUBLE)
HISTORY: list[tuple[str, Mapping[str, str]]] = [
    ("Double is the sum (#1)", {"Shelf/Numbers.lean": PROVED}),
    ("Triple (#2)", {"Shelf/Numbers.lean": ended(PROVED, TRIPLE)}),
    ("Double twice (#3)", {"Shelf/Use.lean": ended(USE, TWICE)}),
    ("Pick (#4)", {"Shelf/Numbers.lean": ended(ended(PROVED, TRIPLE), PICK)}),
]


def git(folder: Path, *arguments: str, date: str = "2026-03-01T00:00:00Z") -> bytes:
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    return subprocess.run(
        ["git", *arguments], cwd=folder, env=ENVIRONMENT | dates, capture_output=True, check=True
    ).stdout


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def repository(
    folder: Path, base: Mapping[str, str] = BASE, history: Sequence[tuple[str, Mapping[str, str]]] = HISTORY
) -> Path:
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main", ".")
    for day, (subject, files) in enumerate([("Shelf", base), *history], 1):
        write(folder, files)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", subject, date=f"2026-03-{day:02}T12:00:00Z")
    return folder


@dataclass
class World:
    """The repository, its benchmark, and what scores patches to it."""

    repository: Path
    bench: Path
    cases: Cases
    scorer: Scorer

    def case(self, id: str) -> Case:
        return self.cases.case(id)

    def id(self, number: int, mode: str = "prove") -> str:
        """The task of a pull request."""
        return next(id for id in self.cases.bench.ids() if id.startswith(f"pr{number}-") and id.endswith(mode))

    def files(self, id: str) -> dict[str, str]:
        """The stub's files."""
        trees = self.cases.trees
        entries = trees.entries(self.case(id).stub)
        return {os.fsdecode(path): trees.read(e).decode() for path, e in entries.items()}

    def patch(self, id: str, files: Mapping[str, str | bytes | None], tmp: Path) -> bytes:
        """The patch from the stub to the stub with these files, None for one that is deleted."""
        folder = tmp / os.urandom(4).hex()
        self.cases.trees.write(self.case(id).stub, folder)
        git(folder, "init", "-q", "-b", "main", ".")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "stub")
        write(folder, {name: text for name, text in files.items() if text is not None})
        for name, text in files.items():
            if text is None:
                (folder / name).unlink()
        git(folder, "add", "-A", "-f")
        return git(folder, "diff", "--cached", "--binary", "--full-index", "HEAD")

    def score(self, id: str, files: Mapping[str, str | bytes | None], tmp: Path) -> Score:
        return self.scorer.score(self.case(id), self.patch(id, files, tmp))


def world(
    folder: Path, toolchain: Toolchain, base: Mapping[str, str] = BASE,
    history: Sequence[tuple[str, Mapping[str, str]]] = HISTORY,
) -> World:  # fmt: skip
    """Everything above, made in `folder`."""
    made = repository(folder / "repository", base, history)
    bench = folder / "bench"
    build(made, bench, Options(("prove", "define", "open")), building=Building(choose("strict"), toolchain))
    cases = Cases(Folder(bench), folder / "objects")
    return World(made, bench, cases, Scorer(cases.trees, toolchain, choose("strict")))
