"""`unsorry eval`: a prover over a problem set, judged strictly."""

from __future__ import annotations

import fnmatch
import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from unsorry import Problem, UnsorryError
from unsorry.cli.app import app, print_json
from unsorry.provers.registry import NAMES


@app.command(name="eval")
def evaluate(
    problems: Annotated[Path, typer.Argument(help="A .jsonl file, a Lean file with sorries, or a folder of them.")],
    prover: Annotated[str, typer.Option(help=f"One of {', '.join(NAMES)}.")] = "search",
    timeout: Annotated[float, typer.Option(help="Seconds a problem.", min=0.1)] = 60.0,
    samples: Annotated[int, typer.Option("--samples", "-n", help="Attempts a problem.", min=1)] = 1,
    workers: Annotated[
        int, typer.Option("--workers", "-w", help="Problems at a time (default: the cores).", min=1)
    ] = os.cpu_count() or 1,
    seed: Annotated[int, typer.Option(help="Makes the run repeatable.")] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="JSONL of attempts; resumed when it is there.")
    ] = None,
    only: Annotated[str, typer.Option(help="Only problems whose id matches this pattern, e.g. 'prop_0*'.")] = "*",
    disprove: Annotated[bool, typer.Option(help="Look for a counterexample where no proof is found.")] = True,
    sandbox: Annotated[str, typer.Option(help="strict, limits or none (docs/sandbox.md).")] = "strict",
    json: Annotated[bool, typer.Option("--json", help="Only one object with the counts, on the last line.")] = False,
) -> None:
    """Try every problem, judge strictly, keep each attempt; a run that was interrupted goes on where it stopped."""
    from unsorry.evaluation.run import Settings, finished
    from unsorry.evaluation.run import evaluate as run
    from unsorry.evaluation.summary import summarise
    from unsorry.lean import toolchain
    from unsorry.problems import load
    from unsorry.scaffolds.prove_or_disprove import proves

    chosen = _unique([p for p in load(problems) if fnmatch.fnmatch(p.id, only)], problems, only)
    toolchain.find()  # a first use compiles the core library here, with its progress shown, not in every worker
    settings = Settings(prover, samples, timeout, seed, disprove, sandbox)
    out = out or Path("runs") / f"eval-{problems.stem}-{prover.partition(':')[0]}.jsonl"
    console = Console(stderr=True)
    start = time.monotonic()
    done = finished(chosen, settings, out)
    if done and not json:
        console.print(f"resuming {out}: {len({a.problem for a in done})} of {len(chosen)} problems are done")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=json or not console.is_terminal) as progress:
        bar = progress.add_task("problems", total=len(chosen), completed=len({a.problem for a in done}))
        for attempt in run(chosen, settings, out, workers=workers):
            done.append(attempt)
            accepted = sum(map(proves, done))
            progress.update(bar, completed=len({a.problem for a in done}), description=f"{accepted} accepted")
            if not json:
                verdict = attempt.verdict
                progress.console.print(
                    f"{verdict.status:<9} {attempt.problem}  {attempt.cost.seconds:.1f} s  "
                    f"{'' if verdict.accepted else verdict.message}",
                    highlight=False,
                    markup=False,
                )
    rows = summarise(chosen, done)
    total = rows[-1]
    if not json:
        table = Table()
        table.add_column("family", overflow="fold", min_width=24)
        for heading in ("problems", "accepted", "refuted", "rejected", "undecided", "seconds"):
            table.add_column(heading, justify="right", no_wrap=True)
        for row in rows if len(rows) > 2 else rows[-1:]:
            if row is total and len(rows) > 2:
                table.add_section()
            numbers = (
                row.problems,
                row.accepted,
                row.refuted,
                row.rejected - row.refuted,
                row.undecided,
                f"{row.seconds:.0f}",
            )
            table.add_row(row.family or "all", *map(str, numbers))
        Console().print(table, f"attempts: {out}", sep="\n")
    print_json(
        {
            "problems": total.problems,
            "accepted": total.accepted,
            "rejected": total.rejected,
            "undecided": total.undecided,
            "refuted": total.refuted,
            "seconds": round(time.monotonic() - start, 1),
            "attempts": str(out),
            "solved": sorted({a.problem for a in done if proves(a)}),
        }
    )


def _unique(problems: list[Problem], path: Path, only: str) -> list[Problem]:
    if not problems:
        raise UnsorryError(f"{path} holds no problem{f' whose id matches {only!r}' if only != '*' else ''}")
    seen: set[str] = set()
    for problem in problems:
        if problem.id in seen:
            raise UnsorryError(
                f"{path} holds two problems with the id {problem.id!r}: attempts could not be told apart"
            )
        seen.add(problem.id)
    return problems
