"""`unsorry hunt`: bugs in Rust crates, each claim with the test that fails."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unsorry import UnsorryError
from unsorry.cli.app import Exit, app, print_json

if TYPE_CHECKING:
    from unsorry.bughunt.findings import CrateReport
    from unsorry.bughunt.options import Options


@app.command()
def hunt(
    crates: Annotated[list[Path], typer.Argument(help="Folders of crates, each with a Cargo.toml.", metavar="CRATE")],
    function: Annotated[str, typer.Option(help="Only this function: its path in the crate, or the end of it.")] = "",
    kind: Annotated[
        list[str] | None, typer.Option(help="Only such properties, as `panic freedom`; may be repeated.")
    ] = None,
    budget: Annotated[float, typer.Option(help="Seconds for a crate; 0 for no limit.", min=0)] = 600.0,
    inputs: Annotated[int, typer.Option(help="Random inputs, a property.", min=1)] = 20_000,
    prover: Annotated[
        list[str] | None, typer.Option(help="search, endpoint:URL#MODEL, local:FOLDER (docs/provers.md); repeatable.")
    ] = None,
    attempts: Annotated[int, typer.Option(help="Tries at a proof, and again at its negation.", min=1)] = 4,
    turns: Annotated[int, typer.Option(help="Answers of a model, a try.", min=1)] = 30,
    prove: Annotated[bool, typer.Option(help="Without: Rust testing and Lean evaluation only.")] = True,
    timeout: Annotated[float, typer.Option(help="Seconds of a prover, a property.", min=1)] = 20.0,
    propose: Annotated[
        str, typer.Option(help="A model that proposes properties (docs/models.md).", metavar="MODEL")
    ] = "",
    proposals: Annotated[int, typer.Option(help="Properties of a function that it may propose.", min=1)] = 4,
    prices: Annotated[Path | None, typer.Option(help="A file with the prices of models.")] = None,
    seed: Annotated[int, typer.Option(help="Chooses the random inputs.")] = 0,
    front: Annotated[str, typer.Option(help="embedded, or aeneas for Charon and Aeneas (docs/hunt.md).")] = "embedded",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done; run nothing.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for Markdown, HTML, SARIF, JSON and the tests.")
    ] = None,
    sandbox: Annotated[str, typer.Option(help="strict, limits or none (docs/sandbox.md).")] = "strict",
    json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Hunt for bugs in Rust crates: properties from code and docs, refuted or proved; a bug counts when Rust shows it.

    Nothing of yours is written, and nothing is reported to anybody: the report is for you to read.
    """
    from unsorry.bughunt.options import Options

    if front not in ("embedded", "aeneas"):
        raise UnsorryError(f"there is no front end {front}: use embedded or aeneas")
    options = Options(
        function=function,
        budget=budget or None,
        provers=tuple(prover or ["search"]),
        attempts=attempts,
        turns=turns,
        prove=prove,
        prove_seconds=timeout,
        inputs=inputs,
        seed=seed,
        sandbox=sandbox,
        kinds=_kinds(kind or []),
        propose=propose,
        proposals=proposals,
        prices=prices,
        answers=output / "answers.jsonl" if output is not None else None,
    )
    if dry_run:
        _plan(crates, options, front, output)
        return
    if front == "aeneas":
        _ready_for_aeneas(options)
    reports, errors = _hunt_all(crates, options, front, output, quiet=json)
    if json:
        print_json({"crates": [report.as_dict() for report in reports], "errors": errors})
    elif len(crates) > 1 and reports:
        from unsorry.bughunt.report.funnel import funnel, table

        sys.stdout.write("\n" + table([funnel("these crates", reports)]))
    if errors:
        raise typer.Exit(Exit.COULD_NOT_RUN)
    if any(report.confirmed for report in reports):
        raise typer.Exit(Exit.NOT_PROVED)


def _kinds(words: list[str]) -> frozenset[str]:
    from unsorry.bughunt.findings import Kind

    names = {kind.value: kind.value for kind in Kind} | {
        kind.name.lower().replace("_", "-"): kind.value for kind in Kind
    }
    for word in words:
        if word not in names:
            raise UnsorryError(f"there is no kind of property {word}: use {', '.join(kind.value for kind in Kind)}")
    return frozenset(names[word] for word in words)


def _hunt_all(
    crates: list[Path], options: Options, front: str, output: Path | None, *, quiet: bool
) -> tuple[list[CrateReport], dict[str, str]]:
    """The reports, and why there is none, by folder: of several crates, one that fails does not lose the others."""
    from unsorry.bughunt.engine import hunt as run
    from unsorry.bughunt.report import write
    from unsorry.judge.reasons import one_line

    reports: list[CrateReport] = []
    errors: dict[str, str] = {}
    told = _progress if sys.stderr.isatty() and not quiet else None
    for crate in crates:
        try:
            report = run(crate, options, told)
            if front == "aeneas":
                report = _with_aeneas(report, crate, options, output)
        except UnsorryError as error:
            if len(crates) == 1:
                raise
            errors[str(crate)] = str(error)
            sys.stderr.write(f"unsorry: {one_line(f'{crate}: {error}')}\n")
            continue
        reports.append(report)
        if output is not None:
            write(report, output / crate.resolve().name if len(crates) > 1 else output)
        if not quiet:
            _show(report)
    return reports, errors


def _progress(line: str) -> None:
    from unsorry.judge.reasons import one_line

    sys.stderr.write(f"\r\x1b[K{one_line(line)[:100]}\r")
    sys.stderr.flush()


def _show(report: CrateReport) -> None:
    """A line for each claim, then what the crate came to."""
    from unsorry.bughunt.report.figures import (
        claims_line,
        figures,
        functions_line,
        place,
        properties_line,
        witness,
    )
    from unsorry.judge.reasons import one_line

    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")  # what was told of the progress
        sys.stderr.flush()
    lines = []
    for finding in (*report.confirmed, *report.suspected):
        at = finding.at if finding.at.first else finding.rust
        builds = " and ".join(build.value for build in finding.builds)
        sure = f"fails in {builds}" if finding.confirmed else finding.reason.value
        parts = (place(at.file, at.first), finding.function, finding.fault.value, sure, witness(finding.witness))
        lines.append(f"{finding.claim.value:9}  " + "  ".join(part for part in parts if part))
        lines.append(f"           {finding.explanation}")
    found = figures(report)
    unread = [f"{item} was not read: {why}" for item, why in report.refused if item.startswith(("crate ", "module "))]
    for line in (claims_line(found), properties_line(found), functions_line(found), *unread, *report.notes):
        lines.append(f"{report.crate}: {line}")
    sys.stdout.write("".join(f"{one_line(line) if line.strip() else ''}\n" for line in lines))
    sys.stdout.flush()


def _plan(crates: list[Path], options: Options, front: str, output: Path | None) -> None:
    """What would be hunted, or the commands of Charon and Aeneas."""
    from unsorry.bughunt.report.figures import place
    from unsorry.bughunt.rust import read_crate
    from unsorry.judge.reasons import one_line

    for folder in crates:
        crate = read_crate(folder)
        if front == "aeneas":
            from unsorry.bughunt.aeneas.extract import plan

            lines = [f"cd {folder}", *plan(crate, (output or Path("proofs")).resolve())]
        else:
            lines = [f"{crate.name}: {len(crate.functions)} functions"]
            for f in crate.functions:
                state = f"refused     {f.refusal.code}: {f.refusal.message}" if f.refusal else "translated"
                lines.append(f"  {place(f.span.file, f.span.first_line)}  {f.path}  {state}")
            lines += [f"  {r.refusal.span}  {r.kind} {r.path}  refused     {r.refusal.message}" for r in crate.refused]
        sys.stdout.write("".join(f"{'  ' if line.startswith('  ') else ''}{one_line(line)}\n" for line in lines))


def _ready_for_aeneas(options: Options) -> None:
    """Raises UnsorryError, before anything is hunted, for a sandbox it cannot have and programs that are not here."""
    from unsorry.bughunt.aeneas.pins import find

    if options.sandbox != "none":
        raise UnsorryError(
            "Charon runs cargo with the crate's build scripts, in no sandbox: use --sandbox none if you trust the crate"
        )
    for check in find().missing:
        raise UnsorryError(f"{check.about}: {check.says}" + (f"; {check.fix}" if check.fix else ""))


def _with_aeneas(report: CrateReport, folder: Path, options: Options, output: Path | None) -> CrateReport:
    """The report with what Charon and Aeneas say of the functions."""
    from dataclasses import replace

    from unsorry.bughunt.aeneas.extract import extract
    from unsorry.bughunt.aeneas.facts import function_facts
    from unsorry.bughunt.rust import read_crate

    crate = read_crate(folder)
    try:
        found = extract(folder, crate, output or Path("proofs"), progress=_progress if sys.stderr.isatty() else None)
    except UnsorryError as error:  # what was hunted is kept
        return replace(report, notes=(*report.notes, str(error)))
    facts = {f.path: f for f in function_facts(found.joined, found.failed) if f.state != "refused"}
    merged = tuple(
        replace(f, state=facts[f.path].state, reason=facts[f.path].reason, lean_name=facts[f.path].lean_name)
        if f.path in facts and f.state != "translated"
        else f
        for f in report.functions
    )
    failed = tuple(f"Aeneas has no {path}: {why}" for path, why in found.failed.items())
    notes = (*report.notes, *found.notes, *failed, f"Aeneas wrote to {found.folder}")
    return replace(report, functions=merged, notes=notes)
