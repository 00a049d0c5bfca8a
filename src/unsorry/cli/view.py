"""`unsorry view`: what an agent did, in the terminal or as a page."""

from __future__ import annotations

import json as json_
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from unsorry import UnsorryError
from unsorry.cli.app import app, print_json

FILE = "trajectory.jsonl"


@app.command()
def view(
    trajectory: Annotated[Path, typer.Argument(help="A trajectory, or the folder of a run.")],
    html: Annotated[Path | None, typer.Option("--html", help="Write one self-contained page here.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Cut no text.")] = False,
    step: Annotated[int | None, typer.Option("--step", help="Only this step, in full.", min=1)] = None,
    rows: Annotated[bool, typer.Option("--rows", help="Training rows of messages, one JSON object a line.")] = False,
    json: Annotated[bool, typer.Option("--json", help="What it came to, as one JSON object.")] = False,
) -> None:
    """Show what an agent did; it may still be at work."""
    from unsorry.scaffolds.agent.trajectory import read

    if sum((html is not None, rows, json)) > 1:
        raise UnsorryError("use one of --html, --rows and --json")
    path = _inside(trajectory) if trajectory.is_dir() else trajectory
    found = read(path)
    if step is not None and step > found.replies:
        raise UnsorryError(f"there is no step {step}: {path} has {found.replies}")
    if html is not None:
        from unsorry.scaffolds.agent.page import page

        try:
            html.parent.mkdir(parents=True, exist_ok=True)
            html.write_text(page(found), encoding="utf-8")
        except OSError as error:
            raise UnsorryError(f"cannot write {html}: {error.strerror or error}") from None
        sys.stdout.write(f"wrote {html}\n")
    elif rows:
        from unsorry.scaffolds.agent.sft_rows import chat_rows

        for row in chat_rows(found):
            sys.stdout.write(json_.dumps(row) + "\n")
    elif json:
        end = found.end or {}
        print_json(
            {"id": found.header.get("id"), "end": end.get("kind"), "message": end.get("message"), "steps": found.steps,
             "open_calls": len(found.open), "submitted": found.submitted, "spent": found.spent.as_json()}
        )  # fmt: skip
    else:
        from unsorry.scaffolds.agent.view import show

        show(found, Console(), lines=0 if full or step else 12, step=step)


def _inside(folder: Path) -> Path:
    """The trajectory in a folder: its own, or the only one of a run's attempts."""
    if (folder / FILE).exists():
        return folder / FILE
    found = sorted(folder.glob(f"*/*/{FILE}"))
    if len(found) > 1:
        names = ", ".join(str(path.parent) for path in found[:4]) + (", ..." if len(found) > 4 else "")
        raise UnsorryError(f"{folder} holds {len(found)} trajectories: give one of {names}")
    return found[0] if found else folder / FILE
