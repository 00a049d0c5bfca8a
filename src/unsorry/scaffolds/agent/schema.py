"""Arguments against the JSON schema of a tool: what is wrong, in words that a model can act on.

The part of JSON schema that tools use: types, properties, items, enums, bounds, unions, references within the schema.
What is not understood is not checked: the tool itself has the last word.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_DEPTH = 32
_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, Mapping),
    "array": lambda v: isinstance(v, list | tuple),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: type(v) is int or (type(v) is float and v.is_integer()),
    "number": lambda v: type(v) in (int, float),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


def fault(value: Any, schema: Any, *, name: str = "arguments") -> str:
    """The first thing that is wrong with `value`, "" if nothing is; never raises, whatever the schema is."""
    try:
        return _fault(value, schema, name, schema, 0)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        return ""  # a schema that is none


def _fault(value: Any, schema: Any, name: str, root: Any, depth: int) -> str:
    if schema is False:
        return f"{name} is not allowed"
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return ""
    if isinstance(schema.get("$ref"), str):
        return _fault(value, _resolve(schema["$ref"], root), name, root, depth + 1)
    kinds = schema.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(kinds, Sequence) and kinds and not any(_TYPES.get(k, lambda _: True)(value) for k in kinds):
        return f"{name} must be of type {' or '.join(kinds)}, not {_kind(value)}: {_short(value)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{name} must be one of {', '.join(map(_short, schema['enum']))}, not {_short(value)}"
    if "const" in schema and value != schema["const"]:
        return f"{name} must be {_short(schema['const'])}, not {_short(value)}"
    return (
        _number(value, schema, name)
        or _text(value, schema, name)
        or _object(value, schema, name, root, depth)
        or _array(value, schema, name, root, depth)
        or _union(value, schema, name, root, depth)
    )


def _number(value: Any, schema: Mapping[str, Any], name: str) -> str:
    if type(value) not in (int, float):
        return ""
    if "minimum" in schema and value < schema["minimum"]:
        return f"{name} must be at least {schema['minimum']}, not {value}"
    if "maximum" in schema and value > schema["maximum"]:
        return f"{name} must be at most {schema['maximum']}, not {value}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        return f"{name} must be more than {schema['exclusiveMinimum']}, not {value}"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        return f"{name} must be less than {schema['exclusiveMaximum']}, not {value}"
    return ""


def _text(value: Any, schema: Mapping[str, Any], name: str) -> str:
    if not isinstance(value, str):
        return ""
    if len(value) < schema.get("minLength", 0):
        return f"{name} has {len(value)} characters, at least {schema['minLength']} are needed"
    if "maxLength" in schema and len(value) > schema["maxLength"]:
        return f"{name} has {len(value)} characters, at most {schema['maxLength']} are allowed"
    return ""


def _object(value: Any, schema: Mapping[str, Any], name: str, root: Any, depth: int) -> str:
    if not isinstance(value, Mapping):
        return ""
    known = schema.get("properties", {})
    missing = [key for key in schema.get("required", ()) if key not in value]
    unknown = [key for key in value if key not in known]
    if missing:
        hint = f" (there is {_short(unknown[0])}, which is not known)" if unknown else ""
        return f"{_join(name, missing[0])} is missing{hint}"
    extra = schema.get("additionalProperties", True)
    if unknown and extra is False:
        near = difflib.get_close_matches(str(unknown[0]), list(known), n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; known are: {', '.join(known) or 'none'}"
        return f"{_join(name, unknown[0])} is not known{hint}"
    for key, part in value.items():
        wanted = known.get(key, extra)
        if wrong := _fault(part, wanted, _join(name, key), root, depth + 1):
            return wrong
    return ""


def _array(value: Any, schema: Mapping[str, Any], name: str, root: Any, depth: int) -> str:
    if not isinstance(value, list | tuple):
        return ""
    if len(value) < schema.get("minItems", 0):
        return f"{name} needs at least {schema['minItems']} items, has {len(value)}"
    if "maxItems" in schema and len(value) > schema["maxItems"]:
        return f"{name} may have at most {schema['maxItems']} items, has {len(value)}"
    wanted = schema.get("items", True)
    for index, part in enumerate(value):
        if wrong := _fault(part, wanted, f"{name}[{index}]", root, depth + 1):
            return wrong
    return ""


def _union(value: Any, schema: Mapping[str, Any], name: str, root: Any, depth: int) -> str:
    for part in schema.get("allOf", ()):
        if wrong := _fault(value, part, name, root, depth + 1):
            return wrong
    for key in ("anyOf", "oneOf"):
        wrongs = [_fault(value, part, name, root, depth + 1) for part in schema.get(key, ())]
        if wrongs and all(wrongs):
            return " or ".join(dict.fromkeys(wrongs))
    return ""


def _resolve(reference: str, root: Any) -> Any:
    found = root
    for step in reference.removeprefix("#").strip("/").split("/"):
        found = found[step.replace("~1", "/").replace("~0", "~")] if step else found
    return found


def _join(name: str, key: Any) -> str:
    return str(key) if name == "arguments" else f"{name}.{key}"


def _kind(value: Any) -> str:
    return next((kind for kind, fits in _TYPES.items() if fits(value)), type(value).__name__)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
