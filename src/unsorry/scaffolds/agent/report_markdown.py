"""The report as text for people: differences that show what is there, and Markdown for a pull request.

Names and texts are a model's: nothing in them may end a code block, make a link, hide a line or command a terminal.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from unsorry.markup import code
from unsorry.markup import plain as _plain
from unsorry.markup import visible as _visible
from unsorry.scaffolds.agent.patch import Change, Patch
from unsorry.scaffolds.agent.report import Declared, Report
from unsorry.scaffolds.agent.review import Reading

SHOWN = 40  # lines of one text; the patch has the rest
MARKS = {"proved": "✔", "failed": "✘", "unknown": "?", "open": "○"}


def shown(reading: Reading) -> list[str]:
    """What changed of one thing, a line each with `-`, `+` or a blank before it, in characters that can be seen."""
    before, after = ([_visible(line) for line in text.splitlines()] for text in (reading.before, reading.after))
    lines = [line for line in difflib.ndiff(before, after) if not line.startswith("?")]
    return lines if len(lines) <= SHOWN else [*lines[:SHOWN], f"  ... {len(lines) - SHOWN} lines more"]


def markdown(report: Report, patch: Patch, *, cost: str = "unknown", title: str = "") -> str:
    """The report as a pull request's text."""
    proved, total = len(report.of("proved")), len(report.declarations)
    parts = [f"## {_plain(title)}\n" if title else ""]
    parts.append(
        f"{proved} of {total} declarations proved, each judged against its original statement by the strict judge "
        "(docs/judge.md). "
        f"Axioms: {', '.join(map(code, report.axioms)) or 'none'}. Cost: {_plain(cost)}.\n"
    )
    if report.declarations:
        parts.append(_table(report.declarations))
    if report.faults:
        parts.append("**Files with errors**\n\n" + "\n".join(f"- {_plain(fault)}" for fault in report.faults) + "\n")
    if report.unchecked:
        files = ", ".join(map(code, report.unchecked[:SHOWN])) + (" ..." if len(report.unchecked) > SHOWN else "")
        parts.append(f"**Not judged again**, though they import what changed: {files}. Build them.\n")
    if report.reading:
        parts.append("### To be read\n\nNo machine has decided on these.\n")
        parts += map(_reading, report.reading)
    if patch.changes:
        parts.append("### Files\n\n" + "\n".join(map(_change, patch.changes)) + "\n")
    return "\n".join(part for part in parts if part)


def _table(declarations: Iterable[Declared]) -> str:
    rows = ["| | declaration | place | |", "|---|---|---|---|"]
    for d in declarations:
        said = f"axioms: {', '.join(d.axioms) or 'none'}" if d.word == "proved" else f"{d.reason}: {d.message}"
        cells = (f"{MARKS[d.word]} {d.word}", code(d.name), code(f"{d.file}:{d.line}"), _plain(said))
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def _reading(reading: Reading) -> str:
    place = f"{reading.file}:{reading.line}" if reading.line else reading.file
    head = f"- **{reading.what}** {code(reading.name) + ' ' if reading.name else ''}in {code(place)}"
    lines = shown(reading)
    if not lines:
        return head
    if len(lines) == 1 and not reading.before and not reading.name:
        return f"{head}: {code(lines[0][2:])}"
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", "\n".join(lines))), default=0))
    return f"{head}\n  {fence}diff\n" + "\n".join(f"  {line}" for line in lines) + f"\n  {fence}"


def _change(change: Change) -> str:
    was = f" from {code(change.before)}" if change.before else ""
    mode = f" (mode {change.old_mode} to {change.new_mode})" if change.mode_changed else ""
    return f"- {change.kind} {code(change.path)}{was}{mode}"
