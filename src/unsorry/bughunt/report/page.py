"""The report of a hunt as one HTML page: no script, nothing loaded from elsewhere, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from unsorry import __version__
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
from unsorry.bughunt.report.page_style import STYLE
from unsorry.markup import visible, visible_line

# Even if an escape were missing, nothing of a page would run or be sent anywhere.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_TONES = {Status.REFUTED: "error", Status.OPEN: "unknown", Status.PROVED: "ok"}


def page(report: CrateReport) -> str:
    """The page, a complete document."""
    found = figures(report)
    title = f"Bug hunt: {report.crate}"
    return "\n".join([
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_e(title)}</title><style>{STYLE}</style></head><body><main>",
        f"<header><h1>{_e(title)}</h1>",
        *(f"<p>{_e(line)}</p>" for line in (claims_line(found), properties_line(found), functions_line(found))),
        f'<p class="dim">{_e(f"{report.seconds:.1f} s; {cost(report.effort)}")}</p></header>',
        *_claims("Confirmed", "Each of these tests was compiled and run, and failed.", report, report.confirmed),
        *_claims("Suspected", "No failing test speaks for these, or it may be the test that is wrong.", report,
                 report.suspected),
        _properties(report.outcomes),
        _functions(report),
        _notes(report.notes),
        f"<footer>{_e(versions(report))} · sources {_e(report.hash)} · unsorry {_e(__version__)}</footer>",
        "</main></body></html>\n",
    ])  # fmt: skip


def _claims(title: str, told: str, report: CrateReport, claims: tuple[Finding, ...]) -> list[str]:
    if not claims:
        return []
    return [f'<h1>{title}</h1><p class="dim">{told}</p>', *(_finding(report, finding) for finding in claims)]


def _finding(report: CrateReport, finding: Finding) -> str:
    tone = "error" if finding.confirmed else "unknown"
    at = finding.at if finding.at.first else finding.rust
    outcome = outcome_of(report, finding)
    facts = [("place", place(at.file, at.first)), ("input", witness(finding.witness))]
    facts += [(run.build.value, _run(run)) for run in (finding.debug, finding.release) if run is not None]
    if finding.reason.value:
        facts.append(("only suspected", finding.reason.value))
    if outcome is not None:
        facts.append(("property", f"{outcome.property.title} ({outcome.property.basis})"))
        facts.append(("found by", f"{outcome.how}; cost: {cost(outcome.effort)}"))
    facts.append(("same cause", ", ".join(finding.duplicates)))
    return "\n".join([
        f'<section class="step"><h2><span class="badge {tone}">{_e(finding.claim.value)}</span> ',
        f'<span class="name">{_e(finding.function)}</span> {_e(finding.fault.value)}</h2>',
        f"<p>{_e(finding.explanation)}</p>",
        "<dl>" + "".join(f"<dt>{_e(name)}</dt><dd>{_e(text)}</dd>" for name, text in facts if text) + "</dl>",
        f"<pre>{_block(finding.test)}</pre>" if finding.test else "",
        _quote("Rust", quoted.rust(report, finding.rust), finding.at.first),
        _quote("Lean", quoted.lean(report, finding.lean), 0),
        "</section>",
    ])  # fmt: skip


def _quote(title: str, lines: list[tuple[int, str]], marked: int) -> str:
    if not lines:
        return ""
    body = "\n".join(
        f'<span class="{"del" if n == marked else "line"}"><span class="dim">{n:4}</span> {_block(text)}</span>'
        for n, text in lines
    )
    return f"<details><summary>{title}</summary><pre>{body}</pre></details>"


def _run(run: RustRun) -> str:
    return f"{'fails' if run.failed else 'passes'}, {run.message}"


def _properties(outcomes: tuple[PropertyOutcome, ...]) -> str:
    order = list(_TONES)
    rows = []
    for o in sorted(outcomes, key=lambda o: order.index(o.status)):
        badge = f'<span class="badge {_TONES[o.status]}">{_e(o.status.value)}</span>'
        proof = f"<details><summary>proof</summary><pre>{_block(o.proof)}</pre></details>" if o.proof else ""
        tried = tries(o.effort) if o.status is Status.OPEN else ""
        said = "; ".join(filter(None, (o.how, tried, o.doubtful, witness(o.witness))))
        function = f'<span class="name">{_e(o.property.function)}</span>'
        rows.append((badge, _e(o.property.title), function, _e(o.property.kind.value), _e(said) + proof))
    return _table("Properties", ("", "property", "function", "kind", "how"), rows)


def _functions(report: CrateReport) -> str:
    rows = [
        (f'<span class="name">{_e(f.path)}</span>', _e(place(f.rust.file, f.rust.first)), _e(f.state), _e(f.reason))
        for f in sorted(report.functions, key=lambda f: (f.state == "translated", f.rust.file, f.rust.first))
    ]
    rows += [(f'<span class="name">{_e(item)}</span>', "", "refused", _e(why)) for item, why in report.refused]
    return _table("Functions", ("function", "place", "", "reason"), rows)


def _table(title: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Cells are HTML already."""
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    if not body:
        return ""
    return f"<h1>{title}</h1><table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>\n{body}</table>"


def _notes(notes: tuple[str, ...]) -> str:
    return "<h1>Notes</h1><ul>" + "".join(f"<li>{_e(note)}</li>" for note in notes) + "</ul>" if notes else ""


def _e(text: str) -> str:
    return escape(visible(text))


def _block(text: str) -> str:
    return escape("\n".join(visible_line(line) for line in text.rstrip().split("\n")))
