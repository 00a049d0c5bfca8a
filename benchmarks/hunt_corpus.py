"""The bug hunter over the 30 crates of its tests: a line for each, what it missed, false alarms, and the funnel.

.venv/bin/python -m benchmarks.hunt_corpus [CRATE ...] [--strangers] [--no-prove] [--budget 300] [--workers 2] [-o DIR]

`--strangers`: the 20 crates that were written without a look at the rules.  Some of their bugs are known to be missed;
they are told as missed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.hunt_expectations import CRATES, STRANGERS, Comparison, Expectation, compare, corpus, planted
from unsorry import UnsorryError
from unsorry.bughunt.engine import hunt
from unsorry.bughunt.findings import CrateReport, Effort
from unsorry.bughunt.options import Options
from unsorry.bughunt.report import write
from unsorry.bughunt.report.figures import claims_line, cost, figures, functions_line, properties_line, witness
from unsorry.bughunt.report.funnel import ANNOUNCED, funnel, table


def main(arguments: list[str] | None = None) -> int:
    """0 if every planted bug was confirmed, nothing else was, and what is to be refused was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("crates", nargs="*", help="names of crates (all)")
    parser.add_argument("--strangers", action="store_true", help="the crates written without a look at the rules")
    parser.add_argument("--no-prove", action="store_true", help="Rust testing and Lean evaluation only")
    parser.add_argument("--budget", type=float, default=300.0, help="seconds for a crate")
    parser.add_argument("--inputs", type=int, default=20_000, help="random inputs, a property")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2, help="crates at a time")
    parser.add_argument("-o", "--output", type=Path, help="write the reports here")
    chosen = parser.parse_args(arguments)
    options = Options(budget=chosen.budget, prove=not chosen.no_prove, inputs=chosen.inputs, seed=chosen.seed)
    wanted = corpus(tuple(chosen.crates), STRANGERS if chosen.strangers else CRATES)
    if not wanted:
        parser.error("no such crate")
    start = time.monotonic()
    comparisons, broken = run(wanted, options, chosen.workers)
    if chosen.output:
        for comparison in comparisons:
            write(comparison.report, chosen.output / comparison.expectation.crate)
    name = "strangers' crates" if chosen.strangers else "this corpus"
    print(f"\n{summary(comparisons, name)}\n{time.monotonic() - start:.0f} s in all")
    return int(bool(broken) or any(c.missed or c.alarms or c.hunted for c in comparisons))


def run(wanted: Iterable[Expectation], options: Options, workers: int) -> tuple[list[Comparison], list[str]]:
    """Hunt all; tells each crate when it is done.  Also the crates that could not be hunted."""
    comparisons: list[Comparison] = []
    broken: list[str] = []
    with ProcessPoolExecutor(max_workers=workers) as pool:
        jobs = [(e, pool.submit(_hunt, e.folder, options)) for e in wanted]
        for expectation, job in jobs:
            try:
                comparisons.append(compare(expectation, job.result()))
                _tell(comparisons[-1])
            except UnsorryError as error:
                broken.append(expectation.crate)
                print(f"{expectation.crate:12} could not be hunted: {error}", flush=True)
    return comparisons, broken


def _hunt(folder: Path, options: Options) -> CrateReport:
    return hunt(folder, options)


def _tell(c: Comparison) -> None:
    found = figures(c.report)
    bugs = "clean" if c.expectation.clean else f"{len(c.found)}/{len(c.expectation.bugs)} planted"
    print(f"{c.expectation.crate:12} {bugs:12} {c.report.seconds:6.1f} s  {claims_line(found)}; "
          f"{properties_line(found)}; {functions_line(found)}")  # fmt: skip
    for bug in c.missed:
        print(f"    MISSED {bug.function}: {bug.why}")
    for f in c.alarms:
        print(f"    NOT PLANTED {f.function}: {f.fault.value}: {f.explanation} [{f.property}] {witness(f.witness)}")
    for f in c.arguable:
        print(f"    ARGUABLE {f.function}: {f.fault.value}: {f.explanation} [{f.property}] {witness(f.witness)}")
    for line in c.hunted:
        print(f"    NOT REFUSED AS EXPECTED {line}")
    sys.stdout.flush()


def summary(comparisons: list[Comparison], name: str = "this corpus") -> str:
    """The funnel and the totals."""
    expectations = {c.report.crate: c.expectation for c in comparisons}
    reports = [c.report for c in comparisons]
    row = funnel(name, reports, known=lambda r, f: planted(expectations[r.crate], f))
    effort = Effort()
    for report in reports:
        effort = effort.plus(report.effort)
    bugs = sum(len(c.expectation.bugs) for c in comparisons)
    confirmed = sum(len(r.confirmed) for r in reports)
    alarms = sum(len(c.alarms) for c in comparisons)
    arguable = sum(len(c.arguable) for c in comparisons)
    real = confirmed - alarms - arguable
    share = f"{100 * real / confirmed:.0f} %" if confirmed else "-"
    totals = [figures(r) for r in reports]
    return "\n".join([
        table([ANNOUNCED, row]),
        f"planted bugs confirmed: {sum(len(c.found) for c in comparisons)} of {bugs}",
        f"confirmed and planted: {real} of {confirmed}, precision of what is confirmed {share}; "
        f"{alarms} false, {arguable} arguable",
        f"properties: {sum(t.proved for t in totals)} proved, {sum(t.refuted for t in totals)} refuted, "
        f"{sum(t.open for t in totals)} open",
        f"functions: {sum(t.functions for t in totals)}, "
        f"{sum(t.states.get('translated', 0) for t in totals)} of them translated",
        f"cost: {cost(effort)}",
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
