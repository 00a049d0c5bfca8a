"""`unsorry doctor`: what Lean is found here, what it can and cannot do, with fixes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from unsorry.cli.app import Exit, app, print_json


@app.command()
def doctor(
    directory: Annotated[Path, typer.Argument(help="The project to look at.")] = Path("."),
    model: Annotated[str, typer.Option(help="Only a model for the agent: asks it, and pays, twice.")] = "",
    prices: Annotated[Path | None, typer.Option(help="A file with the prices of models.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Say which Lean is found, what it can do, what the sandbox gives, and how to mend what is missing."""
    from unsorry.doctor import examine

    if model:
        from unsorry.scaffolds.agent.models import registry
        from unsorry.scaffolds.agent.models.probe import probe
        from unsorry.scaffolds.agent.prices import read_prices

        findings = probe(registry.make(model, prices=read_prices(prices) if prices else None))
    else:
        findings = examine(directory)
    if json:
        print_json(
            {
                "ok": all(f.ok is not False for f in findings),
                "findings": [{"about": f.about, "ok": f.ok, "says": f.says, "fix": f.fix} for f in findings],
            }
        )
    else:
        table = Table(show_header=False, box=None, pad_edge=False)
        for finding in findings:
            mark = {True: "[green]ok", False: "[red]no", None: "[yellow]--"}[finding.ok]
            table.add_row(
                mark, finding.about, finding.says + (f"\n[bold]fix:[/bold] {finding.fix}" if finding.fix else "")
            )
        Console().print(table)
    if any(f.ok is False for f in findings):
        raise typer.Exit(Exit.COULD_NOT_RUN)
