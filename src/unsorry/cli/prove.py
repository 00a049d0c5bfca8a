"""`unsorry prove`: fill the sorries of a Lean file."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from unsorry import Status, UnsorryError
from unsorry.cli.app import Exit, app, print_json
from unsorry.provers.registry import NAMES

if TYPE_CHECKING:
    from unsorry.lean.process import Confinement
    from unsorry.lean.source import Hole
    from unsorry.scaffolds.fill import Document, Filler, Outcome

MARKS = {Status.ACCEPTED: "proved", Status.REJECTED: "failed", Status.UNDECIDED: "open"}
INTERRUPTED = 130


@app.command()
def prove(
    target: Annotated[str, typer.Argument(help="Such as Tour.lean:name, Tour.lean#L42.", metavar="FILE[:name|#Lline]")],
    timeout: Annotated[float, typer.Option(help="Seconds for the prover, a sorry.", min=0.1)] = 60.0,
    prover: Annotated[str, typer.Option(help=f"One of {', '.join(NAMES)}.")] = "search",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the filled file here.")] = None,
    in_place: Annotated[bool, typer.Option("--in-place", "-i", help="Write the file itself.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Only the diff on standard output.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Only one JSON object on standard output.")] = False,
    sandbox: Annotated[str | None, typer.Option(help="strict (default), limits or none.")] = None,
    workers: Annotated[int, typer.Option("--workers", "-w", help="Sorries at a time.", min=1)] = os.cpu_count() or 1,
    samples: Annotated[int, typer.Option("--samples", "-n", help="Answers from the prover, a sorry.", min=1)] = 4,
    seed: Annotated[int, typer.Option(help="Makes the run repeatable.")] = 0,
    disprove: Annotated[bool, typer.Option(help="Look for a counterexample where no proof is found.")] = True,
    file_timeout: Annotated[float, typer.Option(help="Seconds for Lean on the whole file.", min=1)] = 120.0,
) -> None:
    """Fill the sorries of a Lean file with proofs that the strict judge accepts.

    Without -o, --in-place or --diff nothing is written: the report and the diff are printed.
    """
    from unsorry.judge import StrictJudge
    from unsorry.lean import toolchain
    from unsorry.provers import registry
    from unsorry.scaffolds.fill import Filler, Output, Settings, open_document, parse_target, select

    if sum((output is not None, in_place, diff)) > 1:
        raise UnsorryError("use one of --output, --in-place and --diff")
    path, name, line = parse_target(target)
    document = open_document(path)
    holes = select(document, name, line)
    place = Output(path, document.data) if in_place else Output(output) if output else None
    mode, confinement = choose_sandbox(sandbox, prover)
    found = toolchain.find(path.resolve().parent)
    report = Report(document, holes, json=json, out=sys.stderr if diff or json else sys.stdout)
    with contextlib.ExitStack() as stack:
        judge = stack.enter_context(StrictJudge(found, confinement, workers=workers))
        settings = Settings(timeout, file_timeout, samples, workers, seed, disprove)
        asked = registry.make(prover, workers=workers, sandbox=mode)
        filler = Filler(document, asked, judge, found, confinement, settings)
        show = stack.enter_context(report.progress())
        fault: UnsorryError | None = None
        try:
            for outcome in filler.fill(holes):
                show(outcome)
                if place and outcome.kept:
                    place.write(document.patched(filler.edits))
        except KeyboardInterrupt:
            report.interrupted = True
        except UnsorryError as error:  # told after the report, so that nothing found until then is lost
            fault = error
    if place and not report.kept and fault is None:
        place.write(document.patched(filler.edits))
    code = report.finish(filler, str(place.path) if place else "", diff=diff or (place is None and not json))
    if fault is not None:
        raise fault
    raise typer.Exit(code)


def choose_sandbox(mode: str | None, prover: str) -> tuple[str, Confinement]:
    """The confinement that was asked for.  Without a wish: strict; where a host has none, what there is, for the search
    prover on one's own file only, and said so."""
    from unsorry.judge.sandbox import choose

    if mode is not None:
        return mode, choose(mode)
    try:
        return "strict", choose("strict")
    except UnsorryError as error:
        if prover != "search":
            raise
        sys.stderr.write(f"unsorry: {error}; going on with `limits`: fine for your own file, not for a stranger's\n")
        return "limits", choose("limits")


class Report:
    """What is told: a line for each sorry as it is decided, then the totals."""

    def __init__(self, document: Document, holes: Sequence[Hole], *, json: bool, out: Any) -> None:
        self.document, self.holes, self.json, self.out = document, holes, json, out
        self.outcomes: list[Outcome] = []
        self.interrupted = False
        self.start = time.monotonic()

    @property
    def kept(self) -> bool:
        return any(outcome.kept for outcome in self.outcomes)

    @contextlib.contextmanager
    def progress(self) -> Iterator[Any]:
        """A bar on a terminal; yields the function that takes an outcome."""
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        hidden = not console.is_terminal or self.json
        with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
            task = bar.add_task(f"{self.document.path.name}", total=len(self.holes))

            def show(outcome: Outcome) -> None:
                self.outcomes.append(outcome)
                bar.advance(task)
                if not self.json:
                    self.out.write(self.line(outcome) + "\n")
                    self.out.flush()

            yield show

    def line(self, outcome: Outcome) -> str:
        place = f"{self.document.path}:{outcome.hole.line}:{outcome.hole.column + 1}"
        detail = outcome.message
        if outcome.filled:
            detail = f"axioms: {', '.join(outcome.axioms)}" if outcome.axioms else "no axioms"
        return f"{MARKS[outcome.status]:<6} {place}  {outcome.name}  {outcome.seconds:.1f} s  {detail}"

    def finish(self, filler: Filler, written: str, *, diff: bool) -> int:
        """Prints the end of the report; returns the exit code."""
        survey, changes = filler.survey, self.document.diff(filler.edits)
        filled = sum(outcome.filled for outcome in self.outcomes)
        source, path = self.document.source, self.document.path
        faults = [f"{path}: {source.label(source.commands[index])}: {text}" for index, text in survey.faults.items()]
        if not self.interrupted and (error := filler.new_error()):
            faults.append(f"{path}: the filled file has a new error: {error}")
        for fault in faults:
            sys.stderr.write(f"unsorry: {fault}\n")
        if self.json:
            print_json({
                "file": str(path), "sorries": list(map(as_json, sorted(self.outcomes, key=lambda o: o.hole.start))),
                "total": len(self.holes), "filled": filled, "seconds": round(time.monotonic() - self.start, 2),
                "errors": faults, "interrupted": self.interrupted, "written": written, "diff": changes,
            })  # fmt: skip
        else:
            untried = len(self.holes) - len(self.outcomes)
            left = f", {untried} not tried" if untried else ""
            where = f"; wrote {written}" if written else ""
            self.out.write(f"{filled} of {len(self.holes)} sorries filled{left}{where}\n")
            if diff:
                sys.stdout.write(changes)
        sys.stdout.flush()
        return self.exit_code(bool(faults))

    def exit_code(self, faults: bool) -> int:
        """0 all filled; 1 some not proved; 3 only undecided ones left; 2 the file has errors of its own."""
        from unsorry.scaffolds import NO_PROOF

        if self.interrupted:
            return INTERRUPTED
        left = [outcome for outcome in self.outcomes if not outcome.filled]
        if faults:
            return Exit.COULD_NOT_RUN
        if not left:
            return Exit.DONE
        undecided = all(o.status is Status.UNDECIDED and o.reason != NO_PROOF for o in left)
        return Exit.UNDECIDED if undecided else Exit.NOT_PROVED


def as_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "name": outcome.name, "line": outcome.hole.line, "column": outcome.hole.column + 1,
        "verdict": str(outcome.status), "reason": str(outcome.reason), "message": outcome.message,
        "proof": outcome.proof or None, "axioms": list(outcome.axioms), "seconds": round(outcome.seconds, 3),
        "written": outcome.kept, "certificate": outcome.certificate,
    }  # fmt: skip
