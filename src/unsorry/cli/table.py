"""`unsorry table`: what a run did, as the reference table."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from unsorry.cli.app import app, print_json


class Format(StrEnum):
    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    JSON = "json"


@app.command()
def table(
    run: Annotated[Path, typer.Argument(help="A run's folder, such as runs/tiny-0; it may still be going.")],
    format: Annotated[Format, typer.Option("--format", "-f", help="How it is printed.")] = Format.TERMINAL,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Print a run's ledger as the reference table: ten rows, the third column is what this run measured."""
    from unsorry.pipeline import ledger as ledgers
    from unsorry.pipeline import table as tables

    ledger = ledgers.read(run.parent if run.name == ledgers.FILE else run)
    if json or format is Format.JSON:
        print_json(tables.as_json(ledger))
    elif format is Format.MARKDOWN:
        sys.stdout.write(tables.markdown(ledger))
    else:
        Console().print(tables.terminal(ledger))
