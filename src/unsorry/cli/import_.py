"""`unsorry import`: problem sets of other formats to problem files."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from unsorry import UnsorryError
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


@commands.command()
def hub(
    source: Annotated[str, typer.Argument(help="A .jsonl, .json or .parquet file, a folder of them, or a hub id.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Problem file to write.")] = None,
    split: Annotated[str, typer.Option(help="Only the rows of this split.")] = "",
    files: Annotated[str, typer.Option(help="Only files of a folder whose name matches, e.g. 'minif2f*'.")] = "*",
    column: Annotated[
        list[str] | None, typer.Option("--column", metavar="PART=COLUMN", help="e.g. statement=lean4_code.")
    ] = None,
    header: Annotated[
        str, typer.Option(help="For statements without imports: `mathlib`, or a file with the lines.")
    ] = "",
    without: Annotated[
        list[Path] | None, typer.Option("--without", help="Leave out what shares a statement with these problem files.")
    ] = None,
    sample: Annotated[int, typer.Option(help="Only that many, drawn at random; 0 is all.", min=0)] = 0,
    seed: Annotated[int, typer.Option(help="Of the draw.")] = 0,
    check: Annotated[bool, typer.Option(help="Elaborate each statement; what Lean rejects is left out.")] = True,
    project: Annotated[Path | None, typer.Option(help="A Lake project whose Lean and libraries are used.")] = None,
    sandbox: Annotated[str, typer.Option(help="strict, limits or none (docs/sandbox.md).")] = "strict",
    download: Annotated[bool, typer.Option("--download", help="Fetch a hub id that is not in the cache.")] = False,
    revision: Annotated[str, typer.Option(help="A commit or branch of a hub id.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Only one object with the counts, on the last line.")] = False,
) -> Exit:
    """Read a published data set of Lean statements as problems; nothing is downloaded unless --download says so."""
    from unsorry.problems import hub, jsonl, rows, selection

    given = dict(_pair(text) for text in column or ())
    lines = rows.MATHLIB if header == "mathlib" else _text(Path(header)) if header else ""
    held_out = [problem for path in without or () for problem in jsonl.read(path)]
    path = hub.download(source, revision=revision) if download else hub.locate(source, revision=revision)
    name = source.rstrip("/").rpartition("/")[2]
    made = hub.read(path, given=given, split=split, header=lines, origin=name, files=files)
    out = out or Path(f"{Path(name).stem}{'-' + split if split else ''}.jsonl")
    console = Console(stderr=True)
    start = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=json or not console.is_terminal) as progress:
        bar = progress.add_task("elaborating", total=sample or len(made.problems), visible=check)
        with selection.elaborator(project, sandbox) if check else selection.unchecked() as digests:
            chosen = selection.select(
                made.problems, digests, without=held_out, sample=sample, seed=seed,
                progress=lambda done: progress.update(bar, completed=done),
            )  # fmt: skip
    jsonl.write(out, chosen.problems)
    refused = {**made.refused, **chosen.refused}
    if not json:
        for label, reason in refused.items():
            console.print(f"refused  {label}: {reason}", highlight=False, markup=False, soft_wrap=True)
        console.print(
            f"{out}: {len(chosen.problems)} problems ({'elaborated' if check else 'not checked'}) of {made.rows} rows, "
            f"{len(refused)} refused, {time.monotonic() - start:.1f} s",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    print_json(
        {
            "rows": made.rows,
            "problems": len(chosen.problems),
            "refused": refused,
            "columns": {file: asdict(places) for file, places in made.columns.items()},
            "out": str(out),
        }
    )
    return Exit.DONE if chosen.problems else Exit.NOT_PROVED


def _pair(text: str) -> tuple[str, str]:
    part, equals, column = text.partition("=")
    if not equals:
        raise UnsorryError(f"--column {text}: write PART=COLUMN, such as statement=lean4_code")
    return part, column


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnsorryError(f"--header {path} cannot be read: {error}; give a file, or `mathlib`") from None
