"""Thousands of judgements in one process, as a service that pays rewards makes them: nothing may grow, nothing be left.

    python -m benchmarks.soak [COUNT] [--every 250] [--seed 1] [--workers 2] [--out build/soak.jsonl]

The judge is that of the pipeline: fast tier, strict tier, both in the strict sandbox.  Between two rounds of `--every`
judgements, when nobody judges, the process is measured; a line of JSON each goes to `--out`.  The exit code is 1 if a
verdict was not among the right ones, if memory grew by more than 5 % after the warm-up, or if anything is left.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.table import Table

from benchmarks.soak_facts import Held, adopt_orphans, measure, settle
from benchmarks.soak_mix import Sent, stream
from unsorry import Verdict
from unsorry.judge import FastJudge, StrictJudge
from unsorry.judge import judge as strict_tier
from unsorry.judge.judge import LIMITS
from unsorry.judge.memory import return_large_blocks
from unsorry.judge.reasons import Reason
from unsorry.judge.sandbox import choose
from unsorry.judge.tiered import TieredJudge
from unsorry.lean import toolchain

SECONDS = 2  # of processor for one run of Lean: what never ends is met often here
# Kept in memory; fewer than elsewhere, so that these memories are full when the warm-up ends.
REMEMBERED, STATEMENTS = 1000, 64
WARM = 0.3  # share of the judgements that is warm-up
GROWTH = 1.05


def main() -> int:
    parser = argparse.ArgumentParser(description="many judgements in one process")
    parser.add_argument("count", nargs="?", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/soak.jsonl"))
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    adopt_orphans()
    return_large_blocks()  # as `unsorry mcp` does
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, options.out.open("w", encoding="utf-8") as out:
        tempfile.tempdir = folder
        held, outcomes, faults = soak(options, Path(folder), out)
        tempfile.tempdir = None
    return report(Console(), held, outcomes, faults)


def make_judge(workers: int) -> TieredJudge:
    """As the pipeline makes it, with less time for each submission."""
    lean, confined = toolchain.embedded(), choose("strict")
    strict_tier.STATEMENTS = STATEMENTS
    limits = replace(LIMITS, cpu=SECONDS, wall=SECONDS * 15, memory=1 << 30)
    strict = StrictJudge(lean, confined, limits=limits, workers=workers)
    fast = FastJudge(lean, confined, limits=replace(limits, wall=SECONDS * 3), workers=workers)
    return TieredJudge(strict, fast, workers=workers, remembered=REMEMBERED)


def soak(
    options: argparse.Namespace, temporary: Path, out: TextIO
) -> tuple[list[tuple[int, Held]], Counter[tuple[str, str, str]], list[str]]:
    """(measurements by the number of judgements, outcomes by kind, verdict and tier, wrong verdicts)."""
    judge = make_judge(options.workers)
    outcomes: Counter[tuple[str, str, str]] = Counter()
    faults: list[str] = []
    before = measure(temporary)
    held = [(0, before)]
    items = stream(options.count, options.seed)
    start, done = time.monotonic(), 0
    with judge:
        while batch := list(itertools.islice(items, options.every)):
            for sent, verdict in zip(batch, judge.judge_many((s.problem, s.text) for s in batch), strict=True):
                outcomes[sent.kind, verdict.status.value, verdict.tier] += 1
                faults += wrong(sent, verdict)
            done += len(batch)
            held.append((done, settle(temporary, lambda now: not now.zombies)))
            line = {"judged": done, "seconds": round(time.monotonic() - start), **asdict(held[-1][1])}
            print(json.dumps(line | {"faults": len(faults)}), file=out, flush=True)
        counts = dict(judge.report())
    after = settle(temporary, lambda now: not (now.processes or now.left))
    held.append((done, after))
    print(json.dumps({"closed": asdict(after), "report": counts, "faults": faults}), file=out, flush=True)
    faults += left_over(before, after)
    return held, outcomes, faults


def wrong(sent: Sent, verdict: Verdict) -> list[str]:
    """A line if the verdict is not right for what was sent, or is a fault of the judge's own."""
    if verdict.status in sent.right and verdict.reason != Reason.INTERNAL:
        return []
    return [f"{sent.kind}, {sent.problem.id}: {verdict.status} ({verdict.reason}): {verdict.message}"]


def left_over(before: Held, after: Held) -> list[str]:
    """A line for each thing that the closed judge still holds."""
    counted = ("files", "processes", "zombies", "mounts", "left")
    return [
        f"{name}: {getattr(before, name)} before, {getattr(after, name)} after the judge was closed"
        for name in counted
        if getattr(after, name) > getattr(before, name)
    ]


def report(
    console: Console, held: list[tuple[int, Held]], outcomes: Counter[tuple[str, str, str]], faults: list[str]
) -> int:
    """Prints the tables; 1 if something is wrong."""
    table = Table("sent", "verdict", "tier", "judgements", title=f"{sum(outcomes.values()):,} judgements")
    for (kind, status, tier), count in sorted(outcomes.items()):
        table.add_row(kind, status, tier, f"{count:,}")
    console.print(table)
    total = held[-1][0]
    steady = [h for n, h in held[1:-1] if n >= WARM * total] or [h for _, h in held[1:-1]]
    quarter = max(1, len(steady) // 4)
    table = Table("held between rounds", "first quarter after warm-up", "last quarter", "ratio", "least", "most")
    for name in Held.__dataclass_fields__:
        values = [getattr(h, name) for h in steady]
        early, late = statistics.median(values[:quarter]), statistics.median(values[-quarter:])
        unit = 1 << 20 if name in ("rss", "below") else 1
        ratio = late / early if early else 1.0
        shown = [f"{v / unit:.0f}" for v in (early, late)] + [f"{ratio:.3f}"]
        table.add_row(
            name + (" MiB" if unit > 1 else ""), *shown, f"{min(values) / unit:.0f}", f"{max(values) / unit:.0f}"
        )
        if ratio > GROWTH:
            faults.append(f"{name} grew by {100 * (ratio - 1):.1f} % after the warm-up")
    console.print(table)
    for fault in faults:
        console.print(f"FAULT {fault}", markup=False)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
