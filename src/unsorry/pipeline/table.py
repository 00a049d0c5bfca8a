"""The ledger as the reference table: ten rows of nine columns, the third of them what this run did and measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from unsorry.pipeline import reference
from unsorry.pipeline.ledger import Entry, Ledger, Note
from unsorry.pipeline.reference import Row

WIDE = 200  # characters of a terminal that nine columns fit in
NARROW = (0, 2, 4, 5, 8)  # stage, this run, gate, box-hours, status


def rows(ledger: Ledger) -> list[list[str]]:
    """The rows, as nine strings each, in the reference's order."""
    return [_row(row, [e for e in ledger.entries if e.row == name], ledger) for name, row in reference.TABLE.items()]


def columns(ledger: Ledger) -> list[str]:
    """The titles; the third says which run it is."""
    titles = list(reference.COLUMNS)
    titles[2] = f"This run: {ledger.name}, seed {ledger.seed}"
    return titles


def as_json(ledger: Ledger) -> dict[str, Any]:
    """The shape of the reference: columns, widths, rows."""
    return {"columns": columns(ledger), "widths": list(reference.WIDTHS), "rows": rows(ledger)}


def markdown(ledger: Ledger) -> str:
    """A Markdown table."""

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(columns(ledger)), line(["---"] * 9), *map(line, rows(ledger))]) + "\n"


class terminal:
    """The table for a terminal: nine columns where they fit, else the five that change."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        shown = tuple(range(9)) if options.max_width >= WIDE else NARROW
        table = Table(show_lines=True)
        titles = columns(self.ledger)
        for index in shown:
            table.add_column(Text(titles[index]), ratio=reference.WIDTHS[index], overflow="fold")
        for row in rows(self.ledger):
            table.add_row(*(Text(row[index], style=_style(row[8]) if index == 8 else "") for index in shown))
        yield table
        if len(shown) < 9:
            yield Text(f"all columns: --format markdown, or a terminal of {WIDE} characters", style="dim")


def _row(row: Row, entries: Sequence[Entry], ledger: Ledger) -> list[str]:
    note = ledger.notes.get(row.stage, Note())
    running = [e for e in entries if e.status != "Out of scope"]
    measured = [e for e in running if e.ours]
    if measured:
        ours = _joined(measured, "ours")
    elif note.ours:
        ours = note.ours
    elif entries and not running:
        ours = "; ".join(f"skipped: {e.reason}" for e in entries)
    else:
        ours = f"planned: {row.ours}"
    cells = [
        row.stage,
        row.reported,
        ours,
        _joined(measured, "data") or row.data,
        _joined(measured, "gate") or row.gate,
        _hours(sum(e.seconds for e in entries)),
        row.source,
        row.confidence,
        _status(entries, note),
    ]
    return [_clean(cell) for cell in cells]


def _joined(entries: Sequence[Entry], column: str) -> str:
    """What several stages say, in order, each with its name; once where they say the same, "-" where none has any."""
    said = [(e.name, str(getattr(e, column))) for e in entries]
    if not said or len({text for _, text in said}) == 1:
        return said[0][1] if said else ""
    return "; ".join(f"{name}: {text}" for name, text in said if text not in ("", "-"))


def _hours(seconds: float) -> str:
    """Measured box-hours with two or three figures; "-" where nothing ran."""
    hours = seconds / 3600
    if not seconds:
        return "-"
    if hours < 1e-4:
        return "<0.0001"
    return f"{hours:.2g}" if hours < 1 else f"{hours:.1f}" if hours < 100 else f"{hours:.0f}"


def _status(entries: Sequence[Entry], note: Note) -> str:
    if not entries:
        return _with_reason(note.status, note.reason or "no stage of this recipe feeds the row")
    scope = [e for e in entries if e.status != "Out of scope"]
    if not scope:
        return "Out of scope"
    several = len(scope) > 1

    def reasons(found: Sequence[Entry]) -> str:
        named = (": ".join(filter(None, (e.name if several else "", e.reason))) for e in found)
        return "; ".join(filter(None, named))

    for status in ("Failed gate", "Running"):
        found = [e for e in scope if e.status == status]
        if found:
            return _with_reason(status, reasons(found))
    done = [e for e in scope if e.status == "Done"]
    if len(done) == len(scope):
        return _with_reason("Done", reasons([e for e in done if e.reason]))
    left = [e for e in scope if e.status != "Done"]
    count = f"{len(done)} of {len(scope)} stages done" if done else ""
    return _with_reason(left[0].status, "; ".join(filter(None, (count, reasons([e for e in left if e.reason])))))


def _with_reason(status: str, reason: str) -> str:
    return f"{status} ({reason})" if reason else status


def _style(status: str) -> str:
    return {"Done": "green", "Fail": "red", "Runn": "yellow"}.get(status[:4], "")


def _clean(text: str) -> str:
    """One line of printable text: cells may quote what a model or a file said."""
    return "".join(c if c.isprintable() else "�" for c in " ".join(text.split()))
