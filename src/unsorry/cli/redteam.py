"""`unsorry redteam`: hostile and honest submissions against a judge, and the score."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from unsorry import UnsorryError
from unsorry.cli.app import Exit, app, print_json

SHOWN = 20  # faults of one judge that are told on the screen
LENIENT = ("fast", "lean-exit-code", "lean-messages", "lean-print-axioms")  # their faults are many and no news


@app.command()
def redteam(
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            "-j",
            help="strict (default), fast, lean-exit-code, lean-messages, lean-print-axioms, comparator, safeverify, "
            "leanchecker, all of them with all, or FILE.py:CALLABLE for an adapter of your own; may be repeated.",
        ),
    ] = None,
    corpus: Annotated[Path | None, typer.Option(help="A folder of cases (default: the checkout's redteam/).")] = None,
    sample: Annotated[int | None, typer.Option(help="About this many cases, every vector among them.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="Chooses the sample.")] = 0,
    workers: Annotated[
        int, typer.Option("--workers", "-w", help="Cases at a time (default: the cores).", min=1)
    ] = os.cpu_count() or 1,
    timeout: Annotated[float, typer.Option(help="Seconds for a case that does not name its own.", min=1)] = 30.0,
    json: Annotated[bool, typer.Option("--json", help="Only one JSON object on standard output.")] = False,
) -> None:
    """Run the red team's corpus against judges; always in the strict sandbox, for hostile files run programs."""
    from unsorry import redteam as team
    from unsorry.judge.sandbox import choose
    from unsorry.lean import toolchain as toolchains
    from unsorry.redteam import judges

    names = list(dict.fromkeys(judge or ["strict"]))
    if "all" in names:
        names = list(judges.JUDGES)
    toolchain = toolchains.find()
    cases = team.runnable(found := team.load(corpus or team.home()), toolchain)
    skipped = len(found) - len(cases)
    if not cases:
        raise UnsorryError(f"no case of {corpus} can be run with this Lean: all need a library that it does not have")
    if sample is not None:
        cases = team.sample(cases, sample, seed)
    bench = judges.Bench(toolchain, choose("strict"), timeout)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    if skipped:
        console.print(f"skipped for a library that this Lean does not have: {skipped}", highlight=False)
    boards: dict[str, team.Scoreboard | str] = {}
    with ExitStack() as stack:
        # all of them before the first case runs: a wrong name is told at once
        adapters = {name: judges.absent(name, toolchain) or judges.make(name, bench, stack) for name in names}
        for name, adapter in adapters.items():
            if isinstance(adapter, str):
                boards[name] = adapter
                continue
            with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
                bar = progress.add_task(name, total=len(cases))
                told = partial(_advance, progress, bar)
                boards[name] = team.run_corpus(adapter, cases, workers, name=name, progress=told)
    if json:
        print_json(as_json(boards))
    else:
        show(boards)
    ran = [board for board in boards.values() if isinstance(board, team.Scoreboard)]
    if not ran:
        raise typer.Exit(Exit.COULD_NOT_RUN)
    raise typer.Exit(Exit.DONE if all(board.ok for board in ran) else Exit.NOT_PROVED)


def _advance(progress: Progress, bar: TaskID, _: object) -> None:
    progress.advance(bar)


def as_json(boards: dict[str, Any]) -> dict[str, Any]:
    """One judge: its scoreboard.  Several: an object of them by name."""
    made = {
        name: {"present": False, "hint": board} if isinstance(board, str) else board.as_json()
        for name, board in boards.items()
    }
    return next(iter(made.values())) if len(made) == 1 else made


def show(boards: dict[str, Any]) -> None:
    """The table, and under it what each judge got wrong."""
    console = Console()
    table = Table()
    table.add_column("judge", no_wrap=True)
    for heading in ("hostile", "honest", "false accepts", "false rejects", "undecided", "seconds"):
        table.add_column(heading, justify="right")
    for name, board in boards.items():
        if isinstance(board, str):
            table.add_row(name, *["-"] * 6)
            continue
        numbers = (board.hostile, board.honest, board.false_accepts, board.false_rejects, board.undecided)
        table.add_row(name, *map(str, numbers), f"{board.seconds:.0f}")
    console.print(table)
    for name, board in boards.items():
        if isinstance(board, str):
            console.print(f"{name}: not present: {board}", highlight=False, markup=False)
            continue
        lines = [f"outside of the sandbox: {escape}" for escape in board.escapes]
        lines += [result.complaint for result in board.faults()]
        if lines and name not in LENIENT:
            more = [f"and {len(lines) - SHOWN} more: see --json"] if len(lines) > SHOWN else []
            console.print(f"{name}:", *lines[:SHOWN], *more, sep="\n  ", highlight=False, markup=False, soft_wrap=True)
