"""`unsorry run`: a recipe's stages, in order; what is finished is kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from unsorry import UnsorryError
from unsorry.cli.app import Exit, app, print_json


@app.command(name="run")
def run(
    recipe: Annotated[Path, typer.Argument(help="A recipe, such as recipes/tiny.toml.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The run's folder (default: runs/NAME-SEED); resumed when there.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would run, and what it takes.")] = False,
    only: Annotated[str, typer.Option(metavar="STAGE", help="This stage alone, on what the run has.")] = "",
    start: Annotated[str, typer.Option("--from", metavar="STAGE", help="This stage and those after it.")] = "",
    seed: Annotated[int | None, typer.Option(help="Instead of the recipe's.", min=0)] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Override, e.g. stage.sft.epochs=2.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Go on with results that other code made.")] = False,
    redo: Annotated[bool, typer.Option("--redo", help="Set them aside and make them again.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on the last line.")] = False,
) -> None:
    """Run a recipe: baseline, training stages, gates, ledger; the same command goes on after an interruption."""
    from unsorry.pipeline import recipe as recipes
    from unsorry.pipeline.runner import Interrupted, Options
    from unsorry.pipeline.runner import run as run_recipe

    if keep and redo:
        raise UnsorryError("--keep and --redo exclude each other: choose one")
    loaded = recipes.load(recipe, sets=sets or (), seed=seed)
    if plan:
        from unsorry.pipeline.plan import as_json, make
        from unsorry.pipeline.plan_view import show

        made = make(loaded)
        if json:
            print_json(as_json(made))
        else:
            Console().print(show(made))
        return
    # Before torch is loaded.  Threads that spin long while they wait for another one slow a shared machine down many
    # times; threads that do not spin at all lose a third of a quiet one.
    os.environ.setdefault("GOMP_SPINCOUNT", "20000")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    console = Console(stderr=True)
    try:
        result = run_recipe(loaded, Options(out, only, start, keep, redo), console=console)
    except Interrupted as stop:
        sys.stderr.write(f"unsorry: {stop}\n")
        raise typer.Exit(130) from None
    if json:
        print_json({"run": str(result.run), "failed": result.failed, **result.ledger.as_json()})
    else:
        from unsorry.pipeline.table import terminal

        Console().print(terminal(result.ledger))
    if result.failed:
        entry = result.ledger[result.failed]
        sys.stderr.write(
            f"unsorry: the gate of {entry.name} failed: {entry.reason}; the run stopped there "
            f'(on_fail = "rollback" or "continue" would go on)\n'
        )
        raise typer.Exit(Exit.NOT_PROVED)
