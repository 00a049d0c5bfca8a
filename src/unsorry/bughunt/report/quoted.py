"""The lines of Rust and of Lean that a claim is about, as they were when the crate was hunted."""

from __future__ import annotations

from pathlib import Path

from unsorry.bughunt.findings import CrateReport, Lines

SHOWN = 40  # lines of one quotation
MOST = 8 << 20  # bytes of a file that is quoted from


def rust(report: CrateReport, where: Lines) -> list[tuple[int, str]]:
    """Numbered lines of a file of the crate; none if the file is gone or is not inside the crate."""
    root = Path(report.root)
    path = root / where.file
    try:
        if not where.file or not path.resolve().is_relative_to(root.resolve()) or path.stat().st_size > MOST:
            return []
        text = path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return []
    return _cut(text, where)


def lean(report: CrateReport, where: Lines) -> list[tuple[int, str]]:
    """Numbered lines of the translation."""
    return _cut(report.lean, where)


def _cut(text: str, where: Lines) -> list[tuple[int, str]]:
    if where.first < 1:
        return []
    lines = text.split("\n")
    last = min(max(where.last, where.first), len(lines), where.first + SHOWN - 1)
    return [(n, lines[n - 1].rstrip("\r")) for n in range(where.first, last + 1)]
