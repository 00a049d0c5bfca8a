"""The typer application that every command file adds itself to, and what the commands share."""

from __future__ import annotations

import json
import sys
from enum import IntEnum
from typing import Annotated, Any

import typer

from unsorry import Status, __version__

app = typer.Typer(
    name="unsorry",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Fill the sorries of Lean 4 files with proofs that a strict judge accepts.",
)


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    NOT_PROVED = 1  # or rejected
    COULD_NOT_RUN = 2
    UNDECIDED = 3


EXIT_OF = {Status.ACCEPTED: Exit.DONE, Status.REJECTED: Exit.NOT_PROVED, Status.UNDECIDED: Exit.UNDECIDED}


def print_json(value: dict[str, Any]) -> None:
    """One object on one line of standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"unsorry {__version__}")
        raise typer.Exit(Exit.DONE)


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it and leave.")
    ] = False,
) -> None:
    """Fill the sorries of Lean 4 files with proofs that a strict judge accepts."""
