"""One argument that was written as text, as the value that its schema asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def kinds(schema: Any) -> tuple[str, ...]:
    """The JSON types that a parameter may have, () where its schema does not say."""
    if not isinstance(schema, Mapping):
        return ()
    found = schema.get("type")
    if isinstance(found, str):
        return (found,)
    if isinstance(found, list):
        return tuple(one for one in found if isinstance(one, str))
    for union in ("anyOf", "oneOf"):
        if isinstance(schema.get(union), list):
            return tuple(kind for part in schema[union] for kind in kinds(part))
    if isinstance(schema.get("enum"), list) and all(isinstance(one, str) for one in schema["enum"]):
        return ("string",)
    return ()


def typed(text: str, schema: Any) -> Any:
    """The value of `text`; ValueError, saying what is wanted, if it has none of the types of `schema`.

    A string is taken as it stands, or as a JSON string if it is one.  Without a type, JSON is what it says and all else
    is a string.
    """
    wanted = kinds(schema)
    bare = text.strip()
    try:
        value: Any = json.loads(bare.lower() if bare in ("True", "False", "None") else bare)
    except (ValueError, RecursionError):
        if not wanted or "string" in wanted:
            return text
        raise ValueError(f"it must be JSON of type {' or '.join(wanted)}") from None
    if isinstance(value, str):
        if wanted and "string" not in wanted:
            return typed(value, schema) if value != text else _refuse(wanted)
        return value
    if not wanted or _kind(value) in wanted or ("number" in wanted and _kind(value) == "integer"):
        return value
    return text if "string" in wanted else _refuse(wanted)


def _kind(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", list: "array", dict: "object", type(None): "null"}
    return names[type(value)]


def _refuse(wanted: tuple[str, ...]) -> Any:
    raise ValueError(f"it must be of type {' or '.join(wanted)}")
