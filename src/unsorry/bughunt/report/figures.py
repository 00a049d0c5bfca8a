"""The numbers of a hunt, as every form of the report tells them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from unsorry.bughunt.findings import CrateReport, Effort, Finding, PropertyOutcome, Status


@dataclass(frozen=True, slots=True)
class Figures:
    """What a crate came to.  `flagged` claims are the confirmed and the suspected ones."""

    states: Mapping[str, int]  # functions by FunctionFacts.state
    proved: int
    refuted: int
    open: int
    flagged: int
    confirmed: int

    @property
    def functions(self) -> int:
        return sum(self.states.values())

    @property
    def precision(self) -> float | None:
        """The part of the claims that Rust itself has shown; None where nothing is claimed."""
        return self.confirmed / self.flagged if self.flagged else None


def figures(report: CrateReport) -> Figures:
    return Figures(
        Counter(f.state for f in report.functions),
        report.count(Status.PROVED),
        report.count(Status.REFUTED),
        report.count(Status.OPEN),
        len(report.findings),
        len(report.confirmed),
    )


def functions_line(found: Figures) -> str:
    """`27 functions: 25 translated, 2 refused`."""
    parts = ", ".join(f"{n} {state}" for state, n in sorted(found.states.items(), key=lambda s: (-s[1], s[0])))
    return f"{_many(found.functions, 'function')}" + (f": {parts}" if parts else "")


def properties_line(found: Figures) -> str:
    """`40 properties: 30 proved, 3 refuted, 7 open`."""
    total = found.proved + found.refuted + found.open
    word = "property" if total == 1 else "properties"
    return f"{total} {word}: {found.proved} proved, {found.refuted} refuted, {found.open} open"


def claims_line(found: Figures) -> str:
    """`5 claims: 4 confirmed by a failing Rust test, 1 suspected; precision 80 %`."""
    if not found.flagged:
        return "no claims"
    suspected = found.flagged - found.confirmed
    return (
        f"{_many(found.flagged, 'claim')}: {found.confirmed} confirmed by a failing Rust test, {suspected} suspected; "
        f"precision {percent(found.precision)}"
    )


def percent(share: float | None) -> str:
    """`80 %`, or a dash for nothing of nothing."""
    return "-" if share is None else f"{100 * share:.0f} %"


def cost(effort: Effort) -> str:
    """What was spent, in words; a price that is unknown is told so."""
    parts = [f"{effort.inputs} inputs"] if effort.inputs else []
    for seconds, what in ((effort.rust_seconds, "Rust"), (effort.lean_seconds, "Lean")):
        if seconds:
            parts.append(f"{seconds:.1f} s of {what}")
    if told := tries(effort):
        parts.append(told)
    if effort.tokens:
        parts.append(f"{effort.tokens} tokens")
    if effort.money is None:
        parts.append("price unknown")
    elif effort.money:
        parts.append(f"${effort.money:.2f}")
    return ", ".join(parts) or "nothing"


def versions(report: CrateReport) -> str:
    """`rustc 1.95.0, lean 4.35.0`; some programs name themselves in their version."""
    return ", ".join(v if v.startswith(name) else f"{name} {v}" for name, v in report.versions.items())


def tries(effort: Effort) -> str:
    """`1 try at a proof, 2 at its negation`, or nothing."""
    if not (effort.proof_tries or effort.negation_tries):
        return ""
    word = "try" if effort.proof_tries == 1 else "tries"
    return f"{effort.proof_tries} {word} at a proof, {effort.negation_tries} at its negation"


def outcome_of(report: CrateReport, finding: Finding) -> PropertyOutcome | None:
    """What became of the property that a claim rests on."""
    return next((o for o in report.outcomes if o.property.id == finding.property), None)


def witness(values: tuple[tuple[str, str], ...]) -> str:
    """`low = 3, high = 4`."""
    return ", ".join(f"{name} = {value}" for name, value in values)


def place(file: str, first: int, last: int = 0) -> str:
    """`src/lib.rs:7-12`."""
    if not first:
        return file
    return f"{file}:{first}" + (f"-{last}" if last > first else "")


def _many(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
