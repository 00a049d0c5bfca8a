"""Attempts on disk: one JSON object a line, appended as they end, so that a killed run loses nothing it finished."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Iterator, Mapping
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
    _typed(raw, _ATTEMPT)
    _typed(raw["verdict"], _VERDICT)
    _typed(raw["cost"], _COST)
    verdict = dict(raw["verdict"])
    verdict["status"] = Status(verdict["status"])
    verdict["axioms"] = tuple(verdict["axioms"])
    fields = {f.name: raw[f.name] for f in dataclasses.fields(Attempt) if f.name != "turns"}
    turns = tuple(_turn(turn) for turn in raw.get("turns", ()))  # files from before models have none
    return Attempt(**{**fields, "verdict": Verdict(**verdict), "cost": Cost(**raw["cost"]), "turns": turns})


def _turn(raw: dict[str, Any]) -> Turn:
    _typed(raw, _TURN)
    sequences = {name: tuple(raw[name]) for name in ("prompt_ids", "completion_ids", "logprobs", "messages")}
    return Turn(**{**raw, **sequences})


def _text(value: Any) -> bool:
    return type(value) is str


def _number(value: Any) -> bool:
    return type(value) in (int, float)


def _integer(value: Any) -> bool:
    return type(value) is int


def _object(value: Any) -> bool:
    return type(value) is dict


def _all(good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: type(value) in (list, tuple) and all(map(good, value))


def _values(good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: type(value) is dict and all(map(good, value.values()))


def _maybe(good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or good(value)


Fields = Mapping[str, Callable[[Any], bool]]
_ATTEMPT: Fields = {
    **dict.fromkeys(("problem", "prover", "scaffold", "submission"), _text),
    "verdict": _object,
    "cost": _object,
    "seed": _integer,
    "notes": _object,
    "turns": _all(_object),
}
_VERDICT: Fields = {  # a certificate may be anything: it is believed nowhere (backing.py)
    **dict.fromkeys(("status", "reason", "message", "target", "tier"), _text),
    "axioms": _all(_text),
    "timings": _values(_number),
}
_COST: Fields = {
    **dict.fromkeys(("tokens_in", "tokens_cached", "tokens_out"), _integer),
    "seconds": _number,
    "money": _maybe(_number),
}
_TURN: Fields = {
    **dict.fromkeys(("text", "finish", "model", "reasoning"), _text),
    "prompt_ids": _all(_integer),
    "completion_ids": _all(_integer),
    "logprobs": _all(_number),
    "messages": _all(_values(_text)),
}


def _typed(raw: Mapping[str, Any], fields: Fields) -> None:
    for name, good in fields.items():
        if name in raw and not good(raw[name]):
            raise TypeError(f"{name} is {str(raw[name])[:40]!r}")


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
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
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
