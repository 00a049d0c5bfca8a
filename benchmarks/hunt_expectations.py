"""What is to be found in the crates under tests/bughunt, and how a hunt's report compares with it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from unsorry.bughunt.findings import CrateReport, Fault, Finding

CRATES = Path(__file__).resolve().parents[1] / "tests/bughunt/crates"
STRANGERS = CRATES.with_name("strangers")  # written without a look at the hunter's rules


@dataclass(frozen=True, slots=True)
class Bug:
    """A planted bug.  `should_hold` is a Rust expression that would be true if it were not there.

    The fault may show in the function itself, or in others (`shows_in`) that a property compares it with.
    """

    function: str
    shows_in: tuple[str, ...]
    faults: frozenset[Fault]
    why: str
    should_hold: str

    def names(self, finding: Finding) -> bool:
        """Whether the claim is about this bug's functions."""
        return finding.function in (self.function, *self.shows_in)


@dataclass(frozen=True, slots=True)
class Expectation:
    """A crate: clean if it has no bugs.  `refused`: functions outside of the subset with the code of the reason.

    `arguable`: functions with a fault that a maintainer may shrug at; a claim of it is neither planted nor an alarm.
    """

    crate: str
    folder: Path
    summary: str
    bugs: tuple[Bug, ...]
    refused: tuple[tuple[str, str], ...]
    arguable: tuple[tuple[str, Fault], ...] = ()

    @property
    def clean(self) -> bool:
        return not self.bugs


@dataclass(frozen=True, slots=True)
class Comparison:
    """`missed`: planted, not confirmed.  `alarms`: confirmed, neither planted nor arguable.  `hunted`: not refused."""

    expectation: Expectation
    report: CrateReport
    found: tuple[Bug, ...]
    missed: tuple[Bug, ...]
    alarms: tuple[Finding, ...]
    hunted: tuple[str, ...]
    arguable: tuple[Finding, ...]


def load(folder: Path) -> Expectation:
    """The expectation.toml of a crate."""
    data = tomllib.loads((folder / "expectation.toml").read_text(encoding="utf-8"))
    bugs = tuple(
        Bug(
            bug["function"],
            tuple(bug.get("shows_in", ())),
            frozenset(Fault[name] for name in ([bug["fault"]] if isinstance(bug["fault"], str) else bug["fault"])),
            bug["why"],
            bug["should_hold"],
        )
        for bug in data.get("bug", ())
    )
    refused = tuple((item["function"], item["reason"]) for item in data.get("refused", ()))
    arguable = tuple((item["function"], Fault[item["fault"]]) for item in data.get("arguable", ()))
    return Expectation(folder.name, folder, data["summary"], bugs, refused, arguable)


def corpus(names: tuple[str, ...] = (), crates: Path = CRATES) -> tuple[Expectation, ...]:
    """All crates of a folder in the order of their names, or those named."""
    found = tuple(load(path.parent) for path in sorted(crates.glob("*/expectation.toml")))
    return tuple(e for e in found if not names or e.crate in names)


def planted(expectation: Expectation, finding: Finding) -> bool:
    """Whether a claim is about one of the crate's planted bugs."""
    return any(bug.names(finding) for bug in expectation.bugs)


def compare(expectation: Expectation, report: CrateReport) -> Comparison:
    found = tuple(
        bug for bug in expectation.bugs if any(bug.names(f) and f.fault in bug.faults for f in report.confirmed)
    )
    others = [f for f in report.confirmed if not planted(expectation, f)]
    arguable = tuple(f for f in others if (f.function, f.fault) in expectation.arguable)
    hunted = tuple(line for path, code in expectation.refused if (line := _not_refused(report, path, code)))
    return Comparison(
        expectation,
        report,
        found,
        tuple(bug for bug in expectation.bugs if bug not in found),
        tuple(f for f in others if f not in arguable),
        hunted,
        arguable,
    )


def _not_refused(report: CrateReport, path: str, code: str) -> str:
    """What became of a function that should be refused with that code; "" if it was."""
    facts = next((f for f in report.functions if f.path == path), None)
    if facts is None:
        return f"{path}: not in the report"
    refused = facts.state != "translated" and facts.reason.startswith(f"{code}:")
    return "" if refused else f"{path}: {facts.state} {facts.reason}"
