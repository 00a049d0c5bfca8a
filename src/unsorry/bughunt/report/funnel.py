"""The funnel over many crates: how many claims there were, how many were real, how many of those were news."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unsorry.bughunt.findings import CrateReport, Finding
from unsorry.bughunt.report.figures import percent

Known = Callable[[CrateReport, Finding], bool]  # whether a confirmed bug was known before


@dataclass(frozen=True, slots=True)
class Funnel:
    """`flagged`: claims; `real`: confirmed by a failing Rust test; `new`: not known before (None: nobody said)."""

    name: str
    repos: int
    flagged: int
    real: int
    new: int | None

    @property
    def precision(self) -> float | None:
        return self.real / self.flagged if self.flagged else None


ANNOUNCED = Funnel("Leanstral, as announced", 57, 47, 11, 5)  # of its authors; not measured here


def funnel(name: str, reports: Sequence[CrateReport], known: Known | None = None) -> Funnel:
    """The row of these crates.  Without `known` nobody can say what is new."""
    real = [(report, finding) for report in reports for finding in report.confirmed]
    new = None if known is None else sum(not known(report, finding) for report, finding in real)
    return Funnel(name, len(reports), sum(len(r.findings) for r in reports), len(real), new)


def table(rows: Sequence[Funnel]) -> str:
    """The rows as a Markdown table that also reads well as plain text."""
    heads = ("", "repos", "flagged", "real", "new", "precision")
    cells = [
        (r.name, str(r.repos), str(r.flagged), str(r.real), "-" if r.new is None else str(r.new), percent(r.precision))
        for r in rows
    ]
    widths = [max(len(row[i]) for row in (heads, *cells)) for i in range(len(heads))]
    lines = [
        _line(heads, widths),
        "|" + "|".join("-" * (w + 1) + (":" if i else "-") for i, w in enumerate(widths)) + "|",
    ]
    return "\n".join([*lines, *(_line(row, widths) for row in cells)]) + "\n"


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    first, *rest = (
        text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths, strict=True))
    )
    return "| " + " | ".join((first, *rest)) + " |"
