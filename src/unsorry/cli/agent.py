"""`unsorry agent`: proof engineering in a repository."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unsorry import UnsorryError
from unsorry.cli.app import Exit, app, print_json
from unsorry.cli.termination import terminable

if TYPE_CHECKING:
    from unsorry.scaffolds.agent.config import Config
    from unsorry.scaffolds.agent.finish import Result
    from unsorry.scaffolds.agent.runs import Order

INTERRUPTED = 130


@app.command()
def agent(
    task: Annotated[str, typer.Argument(help="What to do, such as `fill the sorries in Foo/Bar.lean`.")] = "",
    task_file: Annotated[Path | None, typer.Option("--task", help="A file that says what to do.")] = None,
    profile: Annotated[str, typer.Option(help="prove, define, migrate, translate, or a .toml file.")] = "",
    model: Annotated[
        str, typer.Option(help="search, endpoint:URL#MODEL, local:FOLDER or scripted:FILE.json (docs/models.md).")
    ] = "",
    max_turns: Annotated[int | None, typer.Option(help="Answers of the model.", min=0)] = None,
    max_price: Annotated[float | None, typer.Option(help="US dollars.", min=0)] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Tokens, prompts and answers.", min=0)] = None,
    max_time: Annotated[float | None, typer.Option(help="Seconds of work.", min=0)] = None,
    prices: Annotated[Path | None, typer.Option(help="A file with the prices of models.")] = None,
    project: Annotated[Path, typer.Option(help="The repository, or a folder in it.")] = Path("."),
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder of the run (runs/agent-TIME).")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the run in this folder.")] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Ask nothing, even on a terminal.")] = False,
    allow: Annotated[bool, typer.Option("--allow", help="Headless: what would be asked is allowed.")] = False,
    sandbox: Annotated[str, typer.Option(help="strict, or limits: then without bash (docs/sandbox.md).")] = "strict",
    json: Annotated[bool, typer.Option("--json", help="Only one JSON object on standard output; headless.")] = False,
) -> None:
    """Work on a copy of a Lean repository with tools and a model; ends with a patch, judged declaration by declaration.

    Your files are never written: the patch is for you to read and to `git apply`.
    """
    from unsorry.scaffolds.agent.engine import Engine, Talk
    from unsorry.scaffolds.agent.finish import finish
    from unsorry.scaffolds.agent.runs import load_order, save_order
    from unsorry.scaffolds.agent.screen import Screen

    interactive = not (headless or json) and sys.stdin.isatty() and sys.stdout.isatty()
    screen = Screen(interactive=interactive, quiet=json)
    flags: dict[str, Any] = {"turns": max_turns, "price": max_price, "tokens": max_tokens, "seconds": max_time}
    if resume is not None:
        if task or task_file is not None or output is not None:
            raise UnsorryError("--resume goes on with its own task: leave TASK, --task and --output out")
        order = load_order(resume, _config(_folder(resume), screen.tell))
        order = replace(order, config=_flags(order.config, profile, model, prices, allow, flags))
    else:
        config = _flags(_config(project, screen.tell), profile, model, prices, allow, flags)
        order = _order(task, task_file, project, output, config, sandbox)
    if order.sandbox == "none":
        raise UnsorryError("the agent runs what a model writes: use --sandbox strict, or limits without bash")
    if resume is None:
        save_order(order)
    talk = Talk(record=screen.record, tell=screen.tell)
    if interactive:
        talk = replace(talk, permission=screen.permission, answer=screen.answer, stream=screen.stream)
    elif json:
        talk = replace(talk, tell=_say)
    with terminable(), Engine(order, talk) as engine:
        end = engine.work()
        screen.tell(f"{end.kind}: {end.message}")
        result = finish(engine, end)
    if json:
        print_json(result.as_json())
    else:
        typer.echo(result.text())
    raise typer.Exit(exit_code(result))


def _order(
    task: str, task_file: Path | None, project: Path, output: Path | None, config: Config, sandbox: str
) -> Order:
    from unsorry.lean.source import read_file
    from unsorry.scaffolds.agent.runs import Order

    if bool(task.strip()) == (task_file is not None):
        raise UnsorryError("say what to do: a TASK in quotes, or --task FILE, one of them")
    text = task if task_file is None else read_file(task_file, 1 << 20)
    if not project.is_dir():
        raise UnsorryError(f"{project} is not a folder: name the repository with --project")
    run = output or Path("runs") / f"agent-{datetime.now():%Y%m%d-%H%M%S}"
    if (run / "config.toml").exists():
        raise UnsorryError(f"{run} holds a run already: go on with --resume {run}, or name another folder with -o")
    return Order(text.strip(), project, run, config, sandbox)


def _config(project: Path, tell: Any) -> Config:
    from unsorry.scaffolds.agent.config import read_config

    config, told = read_config(project)
    for line in told:
        tell(line)
    return config


def _folder(run: Path) -> Path:
    """The project of a run."""
    from unsorry.scaffolds.agent.config import Config
    from unsorry.scaffolds.agent.runs import load_order

    return load_order(run, Config()).folder


def _flags(
    config: Config, profile: str, model: str, prices: Path | None, allow: bool, limits: dict[str, Any]
) -> Config:
    """The settings with what the command line says over them."""
    given = {key: value for key, value in limits.items() if value is not None}
    return replace(
        config,
        profile=profile or config.profile,
        model=model or config.model,
        prices=str(prices) if prices is not None else config.prices,
        unattended="allow" if allow else config.unattended,
        limits=replace(config.limits, **given),
    )


def _say(line: str) -> None:
    from unsorry.judge.reasons import one_line

    sys.stderr.write(f"unsorry: {one_line(line)}\n")  # servers and repositories have a part in it


def exit_code(result: Result) -> int:
    """0 all that was asked for is accepted and nothing is broken; 1 not; 3 the judge left something undecided; 2 the
    model or the workspace failed; 130 interrupted."""
    if result.end.kind == "interrupted":
        return INTERRUPTED
    if result.end.kind in ("model_failed", "environment_lost"):
        return Exit.COULD_NOT_RUN
    report = result.report
    if report.of("open") or report.of("failed") or report.faults or not result.patch:
        return Exit.NOT_PROVED
    return Exit.UNDECIDED if report.of("unknown") or report.unchecked else Exit.DONE
