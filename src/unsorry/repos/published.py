"""Rows that others have published: reference points with their source, never mixed with what was measured here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError

COLUMNS = ("model", "pass_at", "cost_usd", "score")
OURS = Path(__file__).parent / "published.json"


@dataclass(frozen=True, slots=True)
class Row:
    """A published point: dollars for the whole run at that k, the score in percent."""

    model: str
    k: int
    cost: float
    score: float


@dataclass(frozen=True, slots=True)
class Published:
    """Rows of one source, on its own benchmark; `without_cost` are scores in percent by model."""

    source: str
    benchmark: str
    rows: tuple[Row, ...]
    without_cost: Mapping[str, float]


def read(path: Path = OURS) -> Published:
    """Raises UnsorryError, one line, for a file that is not such a table."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        if tuple(raw["columns"]) != COLUMNS:
            raise ValueError(f"the columns must be {', '.join(COLUMNS)}")
        rows = tuple(Row(str(model), int(k), float(cost), float(score)) for model, k, cost, score in raw["rows"])
        if not all(row.k >= 1 and row.cost >= 0 and 0 <= row.score <= 100 for row in rows):
            raise ValueError("k is 1 or more, a cost 0 or more, a score from 0 to 100")
        without = {str(name): float(score) for name, score in raw.get("open_models_without_cost", {}).items()}
        return Published(str(raw["source"]), str(raw.get("benchmark", "another benchmark")), rows, without)
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnsorryError(f"{path} is no table of published figures: {error}") from None
