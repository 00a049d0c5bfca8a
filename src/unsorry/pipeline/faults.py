"""What is wrong with a recipe, in one line: the table, the key, the most similar right one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")  # of a model, of a dataclass


def explain(error: ValidationError, model: type[BaseModel], place: str) -> tuple[str, str]:
    """(table, what is wrong there) for the first fault that pydantic found."""
    faults = error.errors(include_url=False)
    first = next((f for f in faults if f["type"] in UNKNOWN), faults[0])  # may explain what is missing
    location = [str(part) for part in first["loc"]]
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    if not location:
        return place, first["msg"].removeprefix("Value error, ") + more
    inner = "".join(f".{part}" for part in location[:-1])
    table = f"{place[:-1]}{inner}]" if place.endswith("]") else place + inner
    key = location[-1]
    if first["type"] in UNKNOWN:
        return table, f"unknown key `{key}`{similar(key, _keys(model, location[:-1]))}{more}"
    if first["type"] == "missing":
        return table, f"the key `{key}` is missing{more}"
    said = first["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    said = said.replace("Input should", "should", 1)
    given = "" if first["type"] in ("value_error", "assertion_error") else f", not {first['input']!r}"
    return table, f"`{key}` {said}{given}{more}"


def _keys(model: Any, location: Sequence[str]) -> list[str]:
    """The right keys of a nested table."""
    for part in location:
        info = model.model_fields.get(part) if hasattr(model, "model_fields") else None
        if info is None:
            return []
        kinds = [info.annotation, *getattr(info.annotation, "__args__", ())]
        nested = (k for k in kinds if hasattr(k, "model_fields") or hasattr(k, "__dataclass_fields__"))
        model = next(nested, None)
    return [*getattr(model, "model_fields", ()), *getattr(model, "__dataclass_fields__", ())]


def similar(word: object, right: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(word), list(right), n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else ""
