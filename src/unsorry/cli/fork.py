"""`unsorry fork` and `unsorry replay`: a run of the agent once more, in a folder of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unsorry.cli.app import Exit, app, print_json

if TYPE_CHECKING:
    from unsorry.scaffolds.agent.config import Config

Run = Annotated[Path, typer.Argument(help="The folder of a run of `unsorry agent`.")]
Target = Annotated[Path, typer.Option("--output", "-o", help="Folder of the new run.")]


@app.command()
def fork(
    run: Run,
    output: Target,
    step: Annotated[int, typer.Option("--step", help="The last step that is kept; 0 begins anew.", min=0)],
) -> None:
    """Copy a run up to one of its steps; the copy goes on with `unsorry agent --resume`."""
    from unsorry.scaffolds.agent.again import fork_run
    from unsorry.scaffolds.agent.runs import load_order

    fork_run(load_order(run, _config(run)), step, output)
    typer.echo(f"{output} stands where {run} stood after step {step}; go on with unsorry agent --resume {output}")


@app.command()
def replay(
    run: Run,
    output: Target,
    json: Annotated[bool, typer.Option("--json", help="Only one JSON object on standard output.")] = False,
) -> None:
    """Make every call of a run again and judge the result again; no model is asked, nothing is paid.

    Exit code 0: nothing but the wording differs; 1: an answer or a verdict does.
    """
    from unsorry.scaffolds.agent.again import replay_run
    from unsorry.scaffolds.agent.engine import Talk
    from unsorry.scaffolds.agent.runs import load_order
    from unsorry.scaffolds.agent.story import visible

    def tell(line: str) -> None:
        sys.stderr.write(f"unsorry: {line}\n")

    found = replay_run(load_order(run, _config(run)), output, Talk(tell=tell))
    differences = found.replayed.differences
    told = [d for d in differences if d.verdict]
    if json:
        print_json({
            "calls": found.replayed.calls, "reworded": len(differences) - len(told),
            "differences": [
                {"step": d.step, "call": d.call.name, "before": d.before[0], "after": d.after[0], "text": d.after[1]}
                for d in told
            ],
            "verdicts": [{"name": n, "before": b, "after": a} for n, b, a in found.verdicts],
            "result": found.result.as_json(),
        })  # fmt: skip
    else:
        for d in told:
            first = d.after[1].split("\n")[0]
            typer.echo(visible(f"step {d.step}  {d.call.name}  {d.before[0] or 'no answer'} -> {d.after[0]}  {first}"))
        for name, before, after in found.verdicts:
            typer.echo(visible(f"{name}  {before or 'not judged'} -> {after or 'not judged'}"))
        typer.echo(
            f"{found.replayed.calls} calls made again: {len(told)} with another outcome, "
            f"{len(differences) - len(told)} with other words; {len(found.verdicts)} verdicts differ"
        )
        typer.echo(found.result.text())
    raise typer.Exit(Exit.DONE if found.same else Exit.NOT_PROVED)


def _config(run: Path) -> Config:
    """The settings of the run's project."""
    from unsorry.scaffolds.agent import config as settings
    from unsorry.scaffolds.agent.runs import load_order

    config, told = settings.read_config(load_order(run, settings.Config()).folder)
    for line in told:
        sys.stderr.write(f"unsorry: {line}\n")
    return config
