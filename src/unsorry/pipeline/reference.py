"""The reference table: the ten rows, what is reported of each, what was planned, where it is from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the reference; `ours` is the planned analogue, `box_hours` and `status` as they were planned."""

    stage: str
    reported: str
    ours: str
    data: str
    gate: str
    box_hours: str
    source: str
    confidence: str
    status: str


_TABLE = json.loads((Path(__file__).parent / "reference.json").read_text(encoding="utf-8"))
COLUMNS: tuple[str, ...] = tuple(_TABLE["columns"])
WIDTHS: tuple[int, ...] = tuple(_TABLE["widths"])
TABLE: Mapping[str, Row] = {row[0]: Row(*row) for row in _TABLE["rows"]}
ROWS: tuple[str, ...] = tuple(TABLE)
