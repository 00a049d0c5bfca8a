"""What a hunt found, in the forms that people and programs read: Markdown, HTML, SARIF, JSON, the tests themselves.

Nothing here decides or sends anything: `findings.CrateReport` goes in, files come out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from unsorry import UnsorryError
from unsorry.bughunt.findings import CrateReport
from unsorry.bughunt.report.markdown import markdown
from unsorry.bughunt.report.page import page
from unsorry.bughunt.report.sarif import sarif


def files(report: CrateReport) -> Mapping[str, str]:
    """The files of a report by name; `tests/` holds the test of every confirmed bug."""
    out = {
        "report.md": markdown(report),
        "report.html": page(report),
        "report.sarif": json.dumps(sarif(report), ensure_ascii=False, indent=1) + "\n",
        "report.json": json.dumps(report.as_dict(), ensure_ascii=False, default=str) + "\n",
    }
    if report.lean:
        out[f"{_file_name(report.crate)}.lean"] = report.lean
    for finding in report.confirmed:
        where = finding.module or "the root of the crate"
        head = f"// For a module of tests in {where}: cargo test {finding.test_name}\n" if finding.test else ""
        name = stem = f"tests/{_file_name(finding.test_name or finding.id)}"
        number = 1
        while f"{name}.rs" in out:
            name = f"{stem}_{(number := number + 1)}"
        out[f"{name}.rs"] = head + finding.test.rstrip() + "\n"
    return out


def write(report: CrateReport, folder: Path) -> list[Path]:
    """Write the files of a report below `folder`; returns their paths.  Raises UnsorryError if that cannot be done."""
    written = []
    for name, text in files(report).items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise UnsorryError(f"cannot write {path}: {error.strerror or error}") from None
        written.append(path)
    return written


def _file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "_", text)[:80].strip("_") or "test"
