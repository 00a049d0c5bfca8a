"""`unsorry bench build` on a large history that cannot be built here: time and memory, against `git log -p` over it.

    python -m benchmarks.bench_history [--commits 5000] [--files 600] [--keep FOLDER] [--modes prove,define,open]

The history is generated, the same for the same numbers: files import Mathlib, and each pull request adds theorems and
definitions, proves a sorry, golfs, renames, moves, bumps the toolchain, edits the text beside it, or is a merge; some
commits are odd.  What is measured runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null", "LC_ALL": "C"}
PROOF = """theorem {name} {{α : Type*}} [CommRing α] (a b c : α) (h : a ≤ b ∧ {n} ≠ 0) :
    a * (b + c) = a * b + a * c := by
  -- step {n}
  have key : a * b = b * a := by ring
  rcases h with ⟨h₁, h₂⟩
  calc a * (b + c) = a * b + a * c := by rw [mul_add]
    _ = a * b + a * c := by simp only [add_comm, mul_comm]; try (first | rfl | exact? | omega)
"""
DEFINITION = """/-- The value number {n}, as in the paper. -/
noncomputable def {name} {{α : Type*}} [TopologicalSpace α] (s : Set α) (n : ℕ) : ℕ → Set α
  | 0 => closure s
  | n + 1 => interior (s ∪ {{x | x ∈ s ∧ n = {n}}})
"""
INSTANCE = "instance : Inhabited (Fin ({n} + 1)) := ⟨⟨0, Nat.succ_pos _⟩⟩\n"
SORRY = "theorem {name} (x : ℝ) (hx : 0 < x) : x / {n} + 1 > 0 := by\n  sorry\n"


class Library:
    """The files of the generated project, each a list of declarations."""

    def __init__(self, files: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.files: dict[str, list[str]] = {}
        for number in range(files):
            path = f"Big/Part{number % 23}/File{number}.lean"
            self.files[path] = [self.declaration() for _ in range(self.random.randint(5, 60))]

    def declaration(self) -> str:
        self.count += 1
        form = self.random.choices((PROOF, DEFINITION, INSTANCE, SORRY), (70, 20, 3, 7))[0]
        return form.format(name=f"decl_{self.count}", n=self.count)

    def text(self, path: str) -> str:
        space = path.split("/")[1]
        head = "import Mathlib.Algebra.Ring.Basic\nimport Mathlib.Topology.Basic\n\n/-! # A file -/\n\n"
        return f"{head}namespace {space}\n\nopen Set Filter\n\n" + "\n".join(self.files[path]) + f"\nend {space}\n"

    def change(self) -> tuple[str, set[str]]:
        """(subject, paths that changed)."""
        kind = self.random.choices(
            ("add", "fill", "golf", "rename", "move", "remove", "docs", "bump"), (45, 12, 15, 6, 5, 3, 8, 6)
        )[0]
        paths = self.random.sample(sorted(self.files), self.random.choice((1, 1, 1, 2, 3, 8)))
        if kind in ("docs", "bump"):
            return kind, set()
        for path in paths:
            self._edit(kind, self.files[path])
        return kind, set(paths)

    def _edit(self, kind: str, declarations: list[str]) -> None:
        at = self.random.randrange(len(declarations))
        if kind == "add" or len(declarations) < 3:
            declarations[at:at] = [self.declaration() for _ in range(self.random.randint(1, 6))]
        elif kind == "fill":
            declarations[:] = [d.replace("  sorry\n", "  positivity\n") for d in declarations]
        elif kind == "golf":
            declarations[at] = declarations[at].replace("by ring", "mul_comm a b")
        elif kind == "rename":
            declarations[at] = declarations[at].replace("decl_", "renamed_")
        elif kind == "move":
            declarations.insert(0, declarations.pop(at))
        elif len(declarations) > 5:
            del declarations[at]


def stream(commits: int, files: int, seed: int) -> Iterator[bytes]:
    """What `git fast-import` reads."""
    library = Library(files, seed)
    first = {path: library.text(path) for path in library.files}
    first |= {
        "lean-toolchain": "leanprover/lean4:v4.9.0\n",
        "lakefile.lean": "package big\n",
        "lake-manifest.json": "{}",
    }
    yield commit(0, "Begin", first, "")
    for number in range(1, commits):
        kind, paths = library.change()
        changed = {path: library.text(path) for path in paths}
        if kind == "docs":
            changed = {"README.md": f"{number}\n"}
        elif kind == "bump":
            changed = {"lean-toolchain": f"leanprover/lean4:v4.9.{number}\n", "lake-manifest.json": f"[{number}]\n"}
            path = library.random.choice(sorted(library.files))
            library._edit("golf", library.files[path])
            changed[path] = library.text(path)
        if number % 97 == 0:
            changed["Big/Odd.lean"] = "/- never ends" * (number % 5)
        style = number % 10
        subject = f"feat: {kind} (#{number})" if style < 7 else f"Merge pull request #{number} from a/{kind}\n\n{kind}"
        yield commit(number, subject if style != 9 else f"Merge #{number}\n\n{number}: {kind} r=a a=b", changed, "")


def commit(number: int, message: str, files: dict[str, str], parent: str) -> bytes:
    text = message.encode()
    who = b"A <a@example.org> %d +0000" % (1_500_000_000 + number * 40_000)
    parts = [b"commit refs/heads/main\nauthor %s\ncommitter %s\ndata %d\n%s\n" % (who, who, len(text), text)]
    for path, content in files.items():
        raw = content.encode()
        parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(raw), raw))
    return b"".join(parts)


def generate(folder: Path, commits: int, files: int, seed: int) -> None:
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=folder, env=ENVIRONMENT, check=True)
    with subprocess.Popen(
        ["git", "fast-import", "--quiet"], cwd=folder, env=ENVIRONMENT, stdin=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        for part in stream(commits, files, seed):
            process.stdin.write(part)
        process.stdin.close()
        if process.wait() != 0:
            raise SystemExit("git fast-import failed")


def measured(argv: list[str], cwd: Path) -> tuple[float, float, float, str]:
    """(seconds, those of the processor, MiB at the peak of the process, what it printed)."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(argv, cwd=cwd, stdout=out, env={**os.environ, **ENVIRONMENT})
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise SystemExit(f"{argv[0]} ended with {status}")
        seconds = time.monotonic() - start
        out.seek(0)
        busy = usage.ru_utime + usage.ru_stime
        return seconds, busy, usage.ru_maxrss / 1024, out.read(1 << 20).decode("utf-8", "replace")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=5000)
    parser.add_argument("--files", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--modes", default="prove")
    parser.add_argument("--keep", type=Path, help="leave repository and benchmark in this new folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-history-") as name:
        home = options.keep or Path(name)
        start = time.monotonic()
        generate(home / "repository", options.commits, options.files, options.seed)
        print(f"generated {options.commits} commits over {options.files} files in {time.monotonic() - start:.1f} s")
        peer, busy, memory, _ = measured(["git", "log", "-p", "--first-parent"], home / "repository")
        print(f"git log -p: {peer:.1f} s ({busy:.1f} s of processor), {memory:.0f} MiB")
        modes = [word for mode in options.modes.split(",") for word in ("-m", mode)]
        argv = [sys.executable, "-m", "unsorry", "bench", "build", str(home / "repository"), "--source-only", *modes]
        seconds, used, memory, said = measured([*argv, "-o", str(home / "bench"), "--json"], Path.cwd())
        found = json.loads(said.splitlines()[-1])
        print(f"bench build: {seconds:.1f} s ({used:.1f} s of processor), {memory:.0f} MiB at the peak")
        print(f"processor time against git log -p: {used / busy:.0f} x")
        print(f"{found['tasks']} tasks of {found['commits']} commits, left out {found['left_out']}")


if __name__ == "__main__":
    main()
