"""The report of a hunt as Markdown, to be read or to be pasted into an issue.  Nothing is sent anywhere."""

from __future__ import annotations

from unsorry.bughunt.findings import CrateReport, Finding, PropertyOutcome, RustRun, Status
from unsorry.bughunt.report import quoted
from unsorry.bughunt.report.figures import (
    claims_line,
    cost,
    figures,
    functions_line,
    outcome_of,
    place,
    properties_line,
    tries,
    versions,
    witness,
)
from unsorry.markup import block, code, plain


def markdown(report: CrateReport) -> str:
    """Everything about one crate: claims first, then properties, then what was not hunted."""
    found = figures(report)
    parts = [f"# Bug hunt: {plain(report.crate)}\n"]
    parts += [f"- {plain(line)}" for line in (claims_line(found), properties_line(found), functions_line(found))]
    parts.append(f"- {report.seconds:.1f} s; {plain(cost(report.effort))}")
    if report.versions:
        parts.append("- " + plain(versions(report)))
    parts.append(f"- sources: {code(report.hash)}\n")
    if report.confirmed:
        parts.append("## Confirmed\n\nEach of these tests was compiled and run, and failed.\n")
        parts += [_finding(report, finding) for finding in report.confirmed]
    if report.suspected:
        parts.append("## Suspected\n\nNo failing test speaks for these, or it may be the test that is wrong.\n")
        parts += [_finding(report, finding) for finding in report.suspected]
    if report.outcomes:
        parts.append(_properties(report))
    parts.append(_functions(report))
    if report.notes:
        parts.append("## Notes\n\n" + "\n".join(f"- {plain(note)}" for note in report.notes) + "\n")
    return "\n".join(part for part in parts if part)


def _finding(report: CrateReport, finding: Finding) -> str:
    where = finding.at if finding.at.first else finding.rust
    parts = [f"### {code(finding.function)}: {plain(finding.fault.value)}\n", f"{plain(finding.explanation)}\n"]
    facts = [f"place: {code(place(where.file, where.first))}"]
    if finding.reason.value:
        facts.append(f"only suspected: {plain(finding.reason.value)}")
    if finding.witness:
        facts.append(f"input: {code(witness(finding.witness))}")
    facts += [f"{run.build.value}: {_run(run)}" for run in (finding.debug, finding.release) if run is not None]
    outcome = outcome_of(report, finding)
    if outcome is not None:
        facts.append(f"property: {plain(outcome.property.title)} ({plain(outcome.property.basis)})")
        facts.append(f"found by: {plain(outcome.how)}; cost: {plain(cost(outcome.effort))}")
    if finding.duplicates:
        facts.append(f"the same cause fails {len(finding.duplicates)} more: {plain(', '.join(finding.duplicates))}")
    parts.append("\n".join(f"- {fact}" for fact in facts) + "\n")
    if finding.test:
        inside = f" (in the module {code(finding.module)})" if finding.module else ""
        parts.append(f"The test{inside}:\n\n{block(finding.test, 'rust')}\n")
    parts.append(_quote("The Rust", quoted.rust(report, finding.rust), finding.rust.file, "rust"))
    parts.append(_quote("Its translation", quoted.lean(report, finding.lean), finding.lean.file, "lean"))
    return "\n".join(part for part in parts if part)


def _run(run: RustRun) -> str:
    return f"{'fails' if run.failed else 'passes'}, {plain(run.message)}"


def _quote(title: str, lines: list[tuple[int, str]], file: str, language: str) -> str:
    if not lines:
        return ""
    where = place(file, lines[0][0], lines[-1][0])
    return f"{title}, {code(where)}:\n\n{block(chr(10).join(text for _, text in lines), language)}\n"


def _properties(report: CrateReport) -> str:
    rows = ["## Properties\n", "| | property | function | kind | how |", "|---|---|---|---|---|"]
    order = {Status.REFUTED: 0, Status.OPEN: 1, Status.PROVED: 2}
    for o in sorted(report.outcomes, key=lambda o: order[o.status]):
        cells = (o.status.value, plain(o.property.title), code(o.property.function), o.property.kind.value, _how(o))
        rows.append(_row(cells))
    return "\n".join(rows) + "\n"


def _how(outcome: PropertyOutcome) -> str:
    extra = [f"axioms: {', '.join(outcome.axioms) or 'none'}"] if outcome.proof else []
    extra += ["every input was tried"] if outcome.exhaustive else []
    extra += [tries(outcome.effort)] if outcome.status is Status.OPEN and tries(outcome.effort) else []
    extra += [outcome.doubtful] if outcome.doubtful else []
    extra += [witness(outcome.witness)] if outcome.witness else []
    return plain("; ".join([outcome.how, *extra]))


def _functions(report: CrateReport) -> str:
    rows = ["## Functions\n", "| function | place | | reason |", "|---|---|---|---|"]
    for f in sorted(report.functions, key=lambda f: (f.state == "translated", f.rust.file, f.rust.first)):
        rows.append(_row((code(f.path), code(place(f.rust.file, f.rust.first)), plain(f.state), plain(f.reason))))
    text = "\n".join(rows) + "\n" if report.functions else ""
    if report.refused:
        text += "\nNot hunted, and no functions:\n\n"
        text += "\n".join(f"- {code(item)}: {plain(why)}" for item, why in report.refused) + "\n"
    return text


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
