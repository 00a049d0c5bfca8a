"""`unsorry import`: problem sets of other formats to problem files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from unsorry.cli.app import Exit, app, print_json

commands = typer.Typer(no_args_is_help=True, help="Translate problem sets of other formats.")
app.add_typer(commands, name="import")


@commands.callback()
def formats() -> None:
    """Translate problem sets of other formats."""


@commands.command()
def tip(
    directory: Annotated[Path, typer.Argument(help="A folder of .smt2 files (or one file).")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Problem file to write.")] = None,
    check: Annotated[bool, typer.Option(help="Elaborate each problem; without it nothing is certain.")] = True,
    timeout: Annotated[float, typer.Option(help="Seconds for each trial of a rendering.", min=1.0)] = 60.0,
    json: Annotated[bool, typer.Option("--json", help="Only one object with the counts, on the last line.")] = False,
) -> Exit:
    """Translate TIP's SMT-LIB to Lean problems; files that are not covered are named with the reason."""
    from unsorry.lean import toolchain
    from unsorry.problems import jsonl
    from unsorry.problems.tip.importer import Import, find_files, import_files

    files = find_files(directory)
    out = out or Path(f"{directory.resolve().stem}.jsonl")
    console = Console(stderr=True)
    start = time.monotonic()
    done: list[Import] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=json or not console.is_terminal) as progress:
        bar = progress.add_task("importing", total=len(files))
        for result in import_files(files, toolchain.find() if check else None, timeout=timeout):
            done.append(result)
            progress.update(bar, advance=1)
            if result.refusal and not json:
                progress.console.print(f"refused  {result.refusal}", highlight=False, markup=False, soft_wrap=True)
    problems = [p for result in done for p in result.problems]
    jsonl.write(out, problems)
    refused = [r for r in done if r.refusal]
    seconds = round(time.monotonic() - start, 1)
    if not json:
        checked = "elaborated" if check else "not checked"
        console.print(
            f"{out}: {len(problems)} problems ({checked}) from {len(files) - len(refused)} of {len(files)} "
            f"files, {len(refused)} refused, {seconds} s",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    print_json(
        {
            "files": len(files),
            "problems": len(problems),
            "elaborated": sum(r.elaborated for r in done),
            "refused": {str(r.path): r.refusal for r in refused},
            "out": str(out),
            "seconds": seconds,
            "by_equations": {str(r.path): r.given for r in done if r.given},
        }
    )
    return Exit.DONE if problems else Exit.NOT_PROVED
