"""Attempts on disk: one JSON object a line, appended as they end, so that a killed run loses nothing it finished."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from unsorry import Attempt, Cost, Status, Turn, UnsorryError, Verdict
from unsorry.canonical import json_line

FORMAT = 1


def to_json(attempt: Attempt) -> dict[str, Any]:
    """The stored form; see docs/problems.md for the fields."""
    return {"format": FORMAT, **dataclasses.asdict(attempt)}


def from_json(raw: dict[str, Any]) -> Attempt:
    """The inverse of `to_json`; raises KeyError, TypeError or ValueError on anything else."""
    if raw["format"] != FORMAT:
        raise ValueError(f"format {raw['format']!r}, this version reads {FORMAT}")
    verdict = dict(raw["verdict"])
    verdict["status"] = Status(verdict["status"])
    verdict["axioms"] = tuple(verdict["axioms"])
    fields = {f.name: raw[f.name] for f in dataclasses.fields(Attempt) if f.name != "turns"}
    turns = tuple(_turn(turn) for turn in raw.get("turns", ()))  # files from before models have none
    return Attempt(**{**fields, "verdict": Verdict(**verdict), "cost": Cost(**raw["cost"]), "turns": turns})


def _turn(raw: dict[str, Any]) -> Turn:
    sequences = {name: tuple(raw[name]) for name in ("prompt_ids", "completion_ids", "logprobs", "messages")}
    return Turn(**{**raw, **sequences})


def read(path: Path) -> Iterator[Attempt]:
    """The attempts in a file, in order.

    A last line that a killed run left unfinished is passed over; a damaged line anywhere else raises UnsorryError.
    """
    if not path.exists():
        return
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if number == len(lines) and not line.endswith(b"\n"):
            return
        try:
            yield from_json(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise UnsorryError(
                f"{path}:{number}: not an attempt ({error!r}); move the file away or mend the line"
            ) from None


def append(path: Path, attempt: Attempt) -> None:
    """Add one attempt and have it on disk before returning; repairs a line that a killed run left unfinished."""
    line = json_line(to_json(attempt), default=str)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "r+b" if path.exists() else "xb") as file:
            _drop_torn_line(file)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise UnsorryError(f"cannot write {path}: {error.strerror}; the attempts before this one are kept") from None


def _drop_torn_line(file: Any) -> None:
    """Position at the end of the last complete line, cutting off what follows it."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - (1 << 16))
        file.seek(start)
        block = file.read(end - start)
        cut = block.rfind(b"\n")
        if cut >= 0:
            end = start + cut + 1
            break
        end = start
    file.seek(end)
    file.truncate()
