"""`unsorry bench preflight|run|score|report`: from tasks to figures."""

from __future__ import annotations

import fnmatch
import json as json_module
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unsorry import UnsorryError
from unsorry.cli.app import Exit, print_json
from unsorry.cli.bench import bench
from unsorry.cli.termination import terminable

if TYPE_CHECKING:
    from unsorry.repos.sources import Source

Workers = Annotated[int, typer.Option("--workers", "-w", help="At a time (default: the cores).", min=1)]
Sandbox = Annotated[str, typer.Option(help="strict or limits (docs/sandbox.md).")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on the last line.")]
Repository = Annotated[
    Path | None, typer.Option(help="Where the repository is, if not where the benchmark was built from.")
]
Environments = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Compiled packages, a folder for each environment (docs/bench.md).")
]
CORES = os.cpu_count() or 1


@bench.command()
def preflight(
    tasks: Annotated[Path, typer.Argument(metavar="BENCH", help="A benchmark's folder.")],
    only: Annotated[str, typer.Option(help="Only tasks whose id matches this pattern.")] = "*",
    again: Annotated[bool, typer.Option("--again", help="Also what was checked before.")] = False,
    workers: Workers = CORES,
    repository: Repository = None,
    environments: Environments = None,
    sandbox: Sandbox = "strict",
    json: Json = False,
) -> None:
    """Check every task: the stub has the sorries it names, the answer is accepted, cheats score 0, nothing leaks.

    What was checked is kept in BENCH/preflight.jsonl; `unsorry bench run` leaves out the tasks that failed.
    """
    from unsorry.repos import preflight as flights
    from unsorry.repos.sources import open_source
    from unsorry.repos.tasks import Folder

    ids = [id for id in Folder(tasks).ids() if fnmatch.fnmatchcase(id, only)]
    if not ids:
        raise UnsorryError(f"{tasks} has no task whose id matches {only!r}")
    given = _full(environments)
    missing = _absent(open_source(tasks, tasks / "objects", repository), ids, given)
    for flight in flights.preflight(
        tasks, tasks / "objects", ids=ids, repository=str(repository or ""), sandbox=sandbox, workers=workers,
        again=again, environments=given,
    ):  # fmt: skip
        if not json:
            bad = "; ".join(f"{c.name}: {c.said}" for c in flight.checks if not c.ok)
            _say(f"{'fit' if flight.ok else 'unfit':<6} {flight.id}  {flight.seconds:.1f} s  {bad}")
    found = {flight.id: flight for flight in flights.read(tasks) if flight.id in ids and flight.id not in missing}
    fit = sum(flight.ok for flight in found.values())
    if json:
        unfit = {id: [c.name for c in f.checks if not c.ok] for id, f in found.items() if not f.ok}
        print_json({"tasks": len(found), "fit": fit, "unfit": unfit, "file": str(tasks / flights.FILE),
                    "environment_missing": missing})  # fmt: skip
    else:
        sys.stdout.write(f"{fit} of {len(found)} tasks are fit to be used\n")
    raise typer.Exit(Exit.DONE if fit == len(found) and not missing else Exit.NOT_PROVED)


@bench.command(name="run")
def run_(
    tasks: Annotated[Path, typer.Argument(help="A benchmark's folder, or problems: .jsonl, .lean, TIP's .smt2.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run's folder; gone on with where it is one.")],
    model: Annotated[
        str, typer.Option(help="search, endpoint:URL#MODEL, local:FOLDER or scripted:FILE.json (docs/models.md).")
    ] = "search",
    agent: Annotated[str, typer.Option("--agent", help="Profile: prove, define, ..., or a .toml file.")] = "prove",
    name: Annotated[str, typer.Option(help="What tables call it (the model).")] = "",
    samples: Annotated[int, typer.Option("--samples", "-k", help="Attempts a task.", min=1)] = 1,
    workers: Workers = CORES,
    only: Annotated[str, typer.Option(help="Only tasks whose id matches this pattern.")] = "*",
    unfit: Annotated[bool, typer.Option("--unfit", help="Also tasks that failed the preflight.")] = False,
    max_turns: Annotated[int | None, typer.Option(help="Of an attempt.", min=0)] = None,
    max_price: Annotated[float | None, typer.Option(help="US dollars of an attempt.", min=0)] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Tokens of an attempt.", min=0)] = None,
    max_time: Annotated[float | None, typer.Option(help="Seconds of an attempt.", min=0)] = None,
    budget: Annotated[float | None, typer.Option(help="US dollars of the whole run.", min=0)] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="Tokens of the whole run.", min=0)] = None,
    prices: Annotated[Path | None, typer.Option(help="A file with the prices of models.")] = None,
    allow: Annotated[bool, typer.Option("--allow", help="What the agent would ask for is allowed.")] = False,
    repository: Repository = None,
    environments: Environments = None,
    sandbox: Sandbox = "strict",
    json: Json = False,
) -> None:
    """Try every task k times; each attempt is on disk as it ends, and the same command goes on where it stopped."""
    from unsorry.repos import run as runs
    from unsorry.repos.runs import Plan, Run, read
    from unsorry.repos.scores import outcome
    from unsorry.repos.sources import open_source
    from unsorry.scaffolds.agent.limits import Limits

    plan = Plan(
        str(tasks.absolute()), _absolute(model), agent, name, samples,
        Limits(max_turns, max_price, max_tokens, max_time), sandbox, allow, str(prices.absolute()) if prices else "",
        budget, budget_tokens, str(repository.absolute()) if repository else "",
        _full(environments),
    )  # fmt: skip
    source = open_source(tasks, out / "objects", repository)
    left = set() if unfit else _unfit(tasks)
    chosen = [i for i in source.items if i.id not in left and fnmatch.fnmatchcase(i.id, only)]
    missing = _absent(source, [i.id for i in chosen], plan.environments)
    if chosen and len(missing) == len(chosen):
        raise UnsorryError("nothing is begun: the packages of no task that was asked for are compiled")
    chosen = [i for i in chosen if i.id not in missing]
    with terminable():
        for attempt, state in runs.run(plan, source, out, workers=workers, only=lambda item: item in chosen):
            if not json:
                why = attempt.verdict.message if outcome(attempt) == "infra" else ""
                _say(f"{state.done} of {state.asked}  {attempt.problem} #{attempt.seed}  "
                     f"{attempt.notes.get('end', '')}  {attempt.cost.seconds:.1f} s  {why}")  # fmt: skip
    state = runs.state(plan, read(Run(out).attempts), samples * len(chosen))
    if json:
        print_json({"run": str(out), "asked": state.asked, "done": state.done, "infra": state.infra,
                    "left_out": len(left), "environment_missing": missing, "money": state.money, "tokens": state.tokens,
                    "stopped": state.stopped})  # fmt: skip
    else:
        money = "unknown" if state.money is None else f"${state.money:.4g}"
        sys.stdout.write(f"{state.done} of {state.asked} attempts, {state.infra} failed for reasons of ours, {money}\n")
        if left:
            sys.stdout.write(f"{len(left)} tasks failed the preflight and were left out (--unfit takes them)\n")
        if state.stopped:
            sys.stdout.write(f"stopped: {state.stopped}\n")
        sys.stdout.write(f"next: unsorry bench score {out}\n")
    raise typer.Exit(Exit.DONE if state.done >= state.asked and not missing else Exit.NOT_PROVED)


@bench.command()
def score(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    workers: Workers = CORES,
    source: Annotated[Path | None, typer.Option(help="Where the tasks are, if they have moved.")] = None,
    repository: Repository = None,
    environments: Environments = None,
    search: Annotated[bool, typer.Option(help="Search for proofs that definitions are equal.")] = True,
    sandbox: Sandbox = "",
    json: Json = False,
) -> None:
    """Judge every patch: each obligation as the kernel sees it, all else as it was, and the library builds."""
    from unsorry.repos import scoring
    from unsorry.repos.runs import Run
    from unsorry.repos.scores import outcome
    from unsorry.repos.sources import open_source
    from unsorry.repos.systems import load

    moved = str(source.absolute()) if source else ""
    plan, items = Run(run).load()
    compiled = _full(environments) or plan.environments
    opened = open_source(Path(moved or plan.source), run / "objects", repository or _path(plan.repository))
    missing = _absent(opened, [item.id for item in items], compiled)
    with terminable():
        for attempt in scoring.score(
            run, workers=workers, sandbox=sandbox, search=search, source=moved, repository=str(repository or ""),
            environments=compiled,
        ):  # fmt: skip
            if not json:
                said = "" if attempt.verdict.accepted else f"{attempt.verdict.reason}: {attempt.verdict.message}"
                _say(f"{outcome(attempt):<9} {attempt.problem} #{attempt.seed}  "
                     f"{100 * float(attempt.notes.get('fraction', 0)):.0f} %  {said}")  # fmt: skip
    if missing and len(missing) == len(items):
        raise UnsorryError("nothing is scored: the packages of no task of the run are compiled")
    found = load(run)
    ends = dict(found.ends)
    if json:
        print_json({"run": str(run), "scored": len(found.samples), "ends": ends, "environment_missing": missing})
    else:
        sys.stdout.write(f"{len(found.samples)} attempts scored: {', '.join(f'{n} {e}' for e, n in ends.items())}\n")


@bench.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs, or attempts of `unsorry eval`.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the report's files.")] = Path("report"),
    published: Annotated[
        Path | None, typer.Option(help="Rows that others published (default: the Leanstral announcement's).")
    ] = None,
    no_published: Annotated[bool, typer.Option("--no-published", help="Draw no rows of others.")] = False,
    measure: Annotated[str, typer.Option(help="money, seconds or tokens_out (default: money where known).")] = "",
    budget: Annotated[float | None, typer.Option(help="What to buy for so much, in the measure's unit.")] = None,
    target: Annotated[float | None, typer.Option(help="What to buy to reach so many percent.")] = None,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.")] = 0,
    inspect: Annotated[bool, typer.Option("--inspect", help="Also a log that Inspect's viewer reads, a run.")] = False,
    json: Json = False,
) -> None:
    """Tables, a drawing of score against cost, and what k to buy, as Markdown, HTML, SVG and JSON."""
    try:
        from unsorry.repos import report as reports
        from unsorry.repos import report_text
    except ModuleNotFoundError as error:
        raise UnsorryError(f"the report needs {error.name}: pip install 'unsorry[train]'") from None
    from unsorry.repos import published as others
    from unsorry.repos.systems import load
    from unsorry.repos.tasks import write_file

    if measure and measure not in reports.UNITS:
        raise UnsorryError(f"there is no measure {measure!r}: choose among {', '.join(reports.UNITS)}")
    systems = [load(path) for path in runs]
    rows = None if no_published else others.read(published) if published else others.read()
    made = reports.report(systems, published=rows, measure=measure or None, seed=seed)  # type: ignore[arg-type]
    text = report_text.markdown(made)
    write_file(out / "report.md", text.encode())
    write_file(out / "report.html", report_text.page(made).encode("utf-8", "backslashreplace"))
    write_file(out / "frontier.svg", made.svg().encode())
    write_file(out / "report.json", (json_module.dumps(made.as_json(), indent=1) + "\n").encode())
    if inspect:
        from unsorry.repos.inspect_log import log

        for number, system in enumerate(systems, 1):
            data = json_module.dumps(log(system), indent=1) + "\n"
            write_file(out / f"inspect-{number}.json", data.encode())
    bought = reports.buy(made, budget=budget, target=target) if budget is not None or target is not None else None
    if json:
        value = made.as_json()
        value["buy"] = None if bought is None else {"system": bought.system, "k": bought.k, "cost": bought.cost,
                                                    "score": bought.score}  # fmt: skip
        print_json(value)
        return
    sys.stdout.write(report_text.terminal(made))
    if bought is not None:
        sys.stdout.write(f"buy {bought.system}, k = {bought.k}: {100 * bought.score:.1f} % for {bought.cost:.3g} "
                         f"{made.unit}\n")  # fmt: skip
    sys.stdout.write(f"report: {out / 'report.md'}, {out / 'report.html'}\n")


def _unfit(tasks: Path) -> set[str]:
    from unsorry.repos import preflight as flights

    return {flight.id for flight in flights.read(tasks) if not flight.ok} if tasks.is_dir() else set()


def _absent(source: Source, ids: Sequence[str], environments: str) -> list[str]:
    """The tasks whose packages are not compiled; what to do is told once for each reason."""
    from unsorry.repos import scoring

    missing = scoring.absent(source, ids, _path(environments))
    for line in dict.fromkeys(map(str, missing.values())):
        some = [id for id, one in missing.items() if str(one) == line]
        which = f"{len(some)} tasks ({some[0]}, ...)" if len(some) > 1 else f"1 task ({some[0]})"
        _say(f"skipped {which}: {line}")
    return list(missing)


def _full(path: Path | None) -> str:
    return str(path.absolute()) if path else ""


def _path(name: str) -> Path | None:
    return Path(name) if name else None


def _absolute(model: str) -> str:
    """A scripted model's file, wherever the attempt runs."""
    kind, colon, rest = model.partition(":")
    return f"{kind}{colon}{Path(rest).absolute()}" if kind in ("scripted", "local") and rest else model


def _say(line: str) -> None:
    from unsorry.judge.reasons import one_line

    sys.stderr.write(one_line(line) + "\n")
