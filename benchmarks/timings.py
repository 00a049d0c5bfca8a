"""How long things take, as ratios against a bare `lean` on the same file, measured side by side in one run.

    python -m benchmarks.timings [ROUNDS]

Machines are shared and noisy: the runs are interleaved and the median is printed.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from unsorry import Problem
from unsorry.judge import FastJudge, StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean import olean, toolchain
from unsorry.lean.process import Confinement, Unconfined, run_lean
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain

STATEMENT = "theorem swap (p q : Prop) : p ∧ q → q ∧ p := by sorry\n"
PROOF = STATEMENT.replace("by sorry", "fun ⟨hp, hq⟩ => ⟨hq, hp⟩")
INDUCTION = """inductive T where
  | leaf
  | node (l r : T)
def T.mirror : T → T
  | leaf => leaf
  | node l r => node r.mirror l.mirror
theorem mirror_mirror (t : T) : t.mirror.mirror = t := by
"""


def median(times: list[float]) -> float:
    return statistics.median(times) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description="what each way to check a submission takes")
    parser.add_argument("rounds", nargs="?", type=int, default=15)
    rounds = parser.parse_args().rounds
    lean = toolchain.embedded()
    confined = choose("strict")
    problems = {
        "one-line theorem": (Problem("swap", STATEMENT, ("swap",)), PROOF),
        "induction over a new type": (
            Problem("mirror", INDUCTION + "  sorry\n", ("mirror_mirror",)),
            INDUCTION + "  induction t <;> simp_all [T.mirror]\n",
        ),
    }
    console = Console()
    for title, (problem, submission) in problems.items():
        console.print(compare(lean, confined, title, problem, submission, rounds))
    files(console, lean)


def compare(
    lean: Toolchain, confined: Confinement, title: str, problem: Problem, submission: str, rounds: int
) -> Table:
    """Every way to check one submission, against a bare `lean` on it."""
    strict, fast = StrictJudge(lean, confinement=confined), FastJudge(lean, confinement=confined)
    with Session(lean, confinement=confined) as session:
        subjects: dict[str, Callable[[], object]] = {
            "bare `lean` (the peer)": lambda: run_lean(lean, submission, confinement=Unconfined()),
            "`lean` in the sandbox, with .olean": lambda: run_lean(lean, submission, confinement=confined, olean=True),
            "session check": lambda: session.check(submission),
            "fast tier": lambda: fast.judge(problem, submission),
            "strict verdict": lambda: strict.judge(problem, submission),
        }
        times: dict[str, list[float]] = {name: [] for name in subjects}
        verdict = strict.judge(problem, submission)
        assert verdict.accepted, verdict
        for subject in subjects.values():
            subject()  # warm: the statement is compiled once for many submissions
        for _ in range(rounds):
            for name, subject in subjects.items():
                start = time.monotonic()
                subject()
                times[name].append(time.monotonic() - start)
        stages = [strict.judge(problem, submission).timings for _ in range(rounds)]
    table = Table("what", "median ms", "ratio", title=f"{title}, {rounds} rounds")
    peer = median(times["bare `lean` (the peer)"])
    for name, seconds in times.items():
        table.add_row(name, f"{median(seconds):.0f}", f"{median(seconds) / peer:.2f}")
    for stage in stages[0]:
        table.add_row(f"  of the verdict: {stage}", f"{median([s.get(stage, 0.0) for s in stages]):.0f}", "")
    strict.close()
    return table


def files(console: Console, lean: Toolchain) -> None:
    """Import of the core library, and the reader's throughput over all of its files."""
    empty = [run_lean(lean, "").completed.seconds for _ in range(7)]
    prelude = [run_lean(lean, "prelude\n").completed.seconds for _ in range(7)]
    data = [p.read_bytes() for p in sorted(Path(lean.library[0]).glob("**/*.olean"))]
    start = time.monotonic()
    declarations = sum(len(olean.read(d).declarations) for d in data)
    seconds = time.monotonic() - start
    size = sum(map(len, data))
    table = Table("what", "figure")
    table.add_row(
        "import of the core library", f"{median(empty) - median(prelude):.0f} ms (empty file less `prelude` file)"
    )
    table.add_row(".olean reader", f"{size / 1e6 / seconds:.1f} MB/s: {size / 1e6:.1f} MB, {declarations} declarations")
    console.print(table)


if __name__ == "__main__":
    main()
