"""What a strict verdict on an accepted proof costs, as a ratio to a bare `lean` on the same file, stage by stage.

    python -m benchmarks.overhead [ROUNDS] [--cases 12]

The files: small proofs of the usual kinds, and honest cases of the red team's corpus.  Everything that is compared runs
once in each round, one after the other; a ratio is taken within a round, and the median over the rounds is printed.
The statement's own elaboration is not part of it: it happens once for all submissions to a problem.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from unsorry import Problem
from unsorry.judge import StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean import toolchain
from unsorry.lean.process import Unconfined, run_lean
from unsorry.redteam import corpus

TARGET = 2.0  # the ratio that small proofs should stay below
FILES = {  # name: (statement up to the proof, proof)
    "one line": ("theorem t (p q : Prop) : p ∧ q → q ∧ p := ", "fun ⟨hp, hq⟩ => ⟨hq, hp⟩"),
    "rewriting": ("theorem t (a b c : Nat) : a + b + c = b + a + c := ", "by rw [Nat.add_comm a b]"),
    "simp": ("theorem t (n : Nat) (h : n = 3) : n + 0 = 3 := ", "by simp [h]"),
    "omega": ("theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b := ", "by omega"),
    "decide": ("theorem t : ∀ a b : Bool, (a && b) = (b && a) := ", "by decide"),
    "induction over a new type": (
        "inductive T where\n  | leaf\n  | node (l r : T)\ndef T.mirror : T → T\n  | leaf => leaf\n"
        "  | node l r => node r.mirror l.mirror\ntheorem t (t : T) : t.mirror.mirror = t := ",
        "by\n  induction t <;> simp_all [T.mirror]",
    ),
}


@dataclass(slots=True)
class Measured:
    """Seconds of the bare run, and the ratios to it by stage, one for each round."""

    bare: list[float] = field(default_factory=list)
    ratios: dict[str, list[float]] = field(default_factory=dict)

    def add(self, stage: str, seconds: float) -> None:
        self.ratios.setdefault(stage, []).append(seconds / self.bare[-1])

    def ratio(self, stage: str) -> float:
        return statistics.median(self.ratios.get(stage, [0.0]))


def main() -> None:
    parser = argparse.ArgumentParser(description="the cost of a strict verdict by stage")
    parser.add_argument("rounds", nargs="?", type=int, default=11)
    parser.add_argument("--cases", type=int, default=12, help="honest cases of the red team's corpus")
    options = parser.parse_args()
    work = {name: (Problem(name, asked + "by sorry", ("t",)), asked + proof) for name, (asked, proof) in FILES.items()}
    honest = [c for c in corpus.load(corpus.home() / "honest") if c.needs == "core"]
    for case in random.Random(1).sample(honest, options.cases):
        work[case.id] = case.problem, case.submission
    lean, confined = toolchain.embedded(), choose("strict")
    console = Console(width=150)
    found: dict[str, Measured] = {}
    with StrictJudge(lean, confined) as judge:
        for name, (problem, text) in work.items():
            found[name] = measure(judge, problem, text, options.rounds)
    console.print(table(found, options.rounds))
    over = [name for name, m in found.items() if m.ratio("verdict") > TARGET]
    console.print(f"above {TARGET:g}: {', '.join(over) or 'none'}", markup=False)


def measure(judge: StrictJudge, problem: Problem, text: str, rounds: int) -> Measured:
    """Rounds of: bare Lean, Lean that writes the compiled file, strict verdict."""
    lean = judge.toolchain
    measured = Measured()
    for number in range(rounds + 1):
        bare = _seconds(lambda: run_lean(lean, text, confinement=Unconfined()))
        written = _seconds(lambda: run_lean(lean, text, confinement=Unconfined(), olean=True))
        verdict = judge.judge(problem, text)
        assert verdict.accepted, (problem.id, verdict.message)
        if not number:
            continue  # the statement is elaborated, caches are filled
        measured.bare.append(bare)
        stages = dict(verdict.timings)
        total = stages.pop("total")
        stages.pop("statement", None)
        compiled = stages.pop("compile")
        measured.add("verdict", total)
        measured.add("Lean", bare)
        measured.add("write .olean", written - bare)
        measured.add("sandbox", compiled - written)
        for stage, seconds in stages.items():
            measured.add(stage, seconds)
        measured.add("rest", total - compiled - sum(stages.values()))
    return measured


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def table(found: dict[str, Measured], rounds: int) -> Table:
    stages = list(next(iter(found.values())).ratios)
    made = Table("file", "bare `lean`, ms", *stages, title=f"ratio to a bare `lean`, median of {rounds} rounds")
    for name, measured in found.items():
        ratios = (f"{measured.ratio(stage):.2f}" for stage in stages)
        made.add_row(name, f"{1000 * statistics.median(measured.bare):.0f}", *ratios)
    made.add_section()
    medians = (f"{statistics.median(m.ratio(stage) for m in found.values()):.2f}" for stage in stages)
    made.add_row("median of the files", "", *medians)
    return made


if __name__ == "__main__":
    main()
