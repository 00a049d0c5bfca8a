"""`unsorry bench`: pull-request benchmarks; `build` makes one from a repository's history."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from unsorry import UnsorryError
from unsorry.cli.app import app, print_json

bench = typer.Typer(no_args_is_help=True, help="Benchmarks from the pull requests of a Lean repository.")
app.add_typer(bench, name="bench")


@bench.callback()
def root() -> None:
    """Benchmarks from the pull requests of a Lean repository."""


@bench.command(name="build")
def build(
    repository: Annotated[Path, typer.Argument(metavar="REPO", help="A git repository; it is only read.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The new folder of the benchmark.")],
    head: Annotated[str, typer.Option(help="The branch, tag or commit whose first parents are walked.")] = "HEAD",
    since: Annotated[str, typer.Option(metavar="DATE", help="Merged on this day or later, e.g. 2026-01-31.")] = "",
    until: Annotated[str, typer.Option(metavar="DATE", help="Merged before this day.")] = "",
    max_tasks: Annotated[int, typer.Option(help="Only so many tasks, the newest (0: all).", min=0)] = 0,
    max_lines: Annotated[int, typer.Option(help="Of Lean that a pull request may add (0: any number).", min=0)] = 1000,
    mode: Annotated[
        list[str] | None, typer.Option("--mode", "-m", help="prove, define or open; may be given several times.")
    ] = None,
    project: Annotated[str, typer.Option(help="The Lean project's folder in the repository (default: found).")] = "",
    unnumbered: Annotated[bool, typer.Option(help="Also commits that name no pull request.")] = False,
    source_only: Annotated[bool, typer.Option("--source-only", help="Build nothing; read the text alone.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Use the packages that are built in REPO: Lake runs its lakefile there.")
    ] = False,
    environments: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Compiled packages by environment (docs/bench.md).")
    ] = None,
    sandbox: Annotated[
        str, typer.Option(help="For what is built: strict, limits or none (docs/sandbox.md).")
    ] = "strict",
    json: Annotated[bool, typer.Option("--json", help="One JSON object on the last line.")] = False,
) -> None:
    """Make tasks from a repository's merged pull requests: base tree, stub, obligations, and the answer kept apart."""
    from dataclasses import asdict

    from unsorry.repos import build as builds
    from unsorry.repos.pull import Options
    from unsorry.repos.tasks import MODES

    modes = tuple(dict.fromkeys(mode or ["prove"]))
    if wrong := next((m for m in modes if m not in MODES), None):
        raise UnsorryError(f"there is no mode {wrong!r}: choose among {', '.join(MODES)}")
    for name, day in (("--since", since), ("--until", until)):
        if day and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", day):
            raise UnsorryError(f"{name} {day!r} is no date: write it like 2026-01-31")
    building = builds.Building(why="--source-only was given")
    if not source_only:
        from unsorry.judge.sandbox import choose

        home = repository / project if trust else None
        building = builds.Building(choose(sandbox), home=home, environments=environments)
    options = Options(modes, max_lines, unnumbered, project)
    which = builds.Range(head, since, until, max_tasks)
    console = Console(stderr=True)
    with console.status("reading the history") as status:

        def progress(commits: int, tasks: int) -> None:
            if console.is_terminal:
                status.update(f"{commits} commits, {tasks} tasks")

        summary = builds.build(repository, out, options, which, building, progress)
    if json:
        print_json({"out": str(out), "built": summary.built, "broke_off": summary.broke_off, **asdict(summary.bench)})
        return
    found = summary.bench
    left = ", ".join(f"{count} {reason}" for reason, count in (found.left_out or {}).items())
    sys.stdout.write(f"{found.tasks} tasks from {found.commits} commits in {out}\n")
    sys.stdout.write(f"elaborated: {summary.built} pull requests, the others are read from their source\n")
    sys.stdout.write(f"left out: {left or 'none'}\n")
    if summary.broke_off:
        sys.stderr.write(f"unsorry: {summary.broke_off}\n")
    if found.tasks == 0 and (found.left_out or {}).get("no-number"):
        sys.stderr.write("unsorry: no subject names a pull request, such as `(#12)`: --unnumbered takes every commit\n")
