"""The ledger: for each stage what the reference table holds, on disk after every change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.pipeline import reference
from unsorry.pipeline.storage import in_use, read_json, write_json

FORMAT = 1
FILE = "ledger.json"
ELAPSED = "elapsed.json"  # in a stage's folder: its seconds so far
INTERRUPTED = "interrupted; `unsorry run` with the same recipe goes on"


@dataclass(frozen=True, slots=True)
class Entry:
    """One stage of a run; `row` is the reference table's row that it feeds, "" for none."""

    name: str
    kind: str
    row: str
    status: str = "Queued"  # Planned | Queued | Running | Done | Failed gate | Out of scope
    reason: str = ""
    ours: str = ""
    data: str = ""
    gate: str = ""
    seconds: float = 0.0  # of the box, measured, interruptions left out
    folder: str = ""  # relative to the run
    key: str = ""
    rolled_back: bool = False  # the gate failed and later stages go on from this stage's input
    metrics: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """What a recipe says of a row that no stage feeds."""

    status: str = "Planned"
    reason: str = ""
    ours: str = ""


class Ledger:
    """The entries of a run, in the recipe's order."""

    def __init__(
        self, run: Path, name: str, seed: int, entries: Sequence[Entry], notes: Mapping[str, Note], recipe: str = ""
    ) -> None:
        self.run = run
        self.name = name
        self.seed = seed
        self.recipe = recipe
        self.notes = dict(notes)
        self._entries = {entry.name: entry for entry in entries}

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries.values())

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def update(self, name: str, **changes: Any) -> Entry:
        """Change an entry; it is on disk when this returns."""
        self._entries[name] = replace(self._entries[name], **changes)
        self.write()
        return self._entries[name]

    def write(self) -> None:
        write_json(self.run / FILE, self.as_json())

    def as_json(self) -> dict[str, Any]:
        """The ledger as it is stored; each stage with all the columns of the reference table."""
        return {
            "format": FORMAT,
            "name": self.name,
            "seed": self.seed,
            "recipe": self.recipe,
            "stages": [_with_reference(entry) for entry in self.entries],
            "rows": {row: asdict(note) for row, note in self.notes.items()},
        }


def read(run: Path) -> Ledger:
    """The ledger of a run's folder, of one that is still going too; a dead run's running stage is `Queued`."""
    stored = read_json(run / FILE)
    if stored is None:
        raise UnsorryError(f"no {FILE} in {run}: name the folder of a run, such as runs/tiny-0")
    if stored.get("format") != FORMAT:
        raise UnsorryError(f"{run / FILE} has format {stored.get('format')!r}; this unsorry reads {FORMAT}")
    alive = in_use(run)
    try:
        entries = [_entry(stage, run, alive) for stage in stored["stages"]]
        notes = {row: Note(**note) for row, note in stored["rows"].items()}
        return Ledger(run, stored["name"], stored["seed"], entries, notes, stored.get("recipe", ""))
    except (KeyError, TypeError, AttributeError) as error:
        raise UnsorryError(
            f"{run / FILE} is damaged ({error}); run the recipe again: finished stages are kept"
        ) from None


def _entry(stage: Mapping[str, Any], run: Path, alive: bool) -> Entry:
    entry = Entry(**{key: stage[key] for key in Entry.__dataclass_fields__})
    if entry.status != "Running":
        return entry
    noted = read_json(run / entry.folder / ELAPSED) or {}
    entry = replace(entry, seconds=float(noted.get("seconds", 0.0)))
    return entry if alive else replace(entry, status="Queued", reason=INTERRUPTED)


def _with_reference(entry: Entry) -> dict[str, Any]:
    row = reference.TABLE.get(entry.row)
    columns = {
        "stage": entry.row,
        "reported": row.reported if row else "",
        "planned": row.ours if row else "",
        "source": row.source if row else "",
        "confidence": row.confidence if row else "",
        "box_hours": round(entry.seconds / 3600, 4),
    }
    return {**asdict(entry), **columns}
