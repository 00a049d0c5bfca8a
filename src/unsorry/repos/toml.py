"""TOML as tasks are written in, and records from it: strings, numbers, booleans, lists of strings, lists of tables."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from unsorry import UnsorryError

T = TypeVar("T")
LARGEST = 16 << 20  # bytes of a file that is read


def dumps(table: Mapping[str, Any]) -> str:
    """The text of a table whose values are plain, tables of plain values, or lists of such tables."""
    lines = [f"{key} = {_value(value)}" for key, value in table.items() if not _nested(value)]
    for key, value in table.items():
        if _nested(value):
            head = f"[{key}]" if isinstance(value, Mapping) else f"[[{key}]]"
            for one in [value] if isinstance(value, Mapping) else value:
                lines += ["", head, *(f"{name} = {_value(inner)}" for name, inner in one.items())]
    return "\n".join(lines) + "\n"


def _nested(value: object) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, Sequence) and not isinstance(value, str) and bool(value) and isinstance(value[0], Mapping)
    )


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):  # a lone surrogate, of a name that is no UTF-8, has no place in TOML
        plain = value.encode("utf-8", "replace").decode()
        return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise TypeError(f"no value for TOML here: {type(value)}")


def load(path: Path) -> dict[str, Any]:
    """The table in a file; raises UnsorryError, one line, where there is none."""
    try:
        if not path.is_file():  # no pipe or device is opened
            raise UnsorryError(f"{path} is missing")
        if path.stat().st_size > LARGEST:
            raise UnsorryError(f"{path} is larger than {LARGEST >> 20} MiB")
        return tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise UnsorryError(f"{path} is not UTF-8: byte {error.start}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnsorryError(f"{path} is not TOML: {' '.join(str(error).split())}") from None


def record(path: Path, kind: type[T], raw: object) -> T:
    """A dataclass of plain fields from a table; raises UnsorryError that names the key."""
    if not isinstance(raw, dict):
        raise UnsorryError(f"{path}: a table is missing")
    known = {field.name: str(field.type) for field in fields(kind)}  # type: ignore[arg-type]
    for key, value in raw.items():
        if key not in known:
            raise UnsorryError(f"{path}: the format has no key {key!r}")
        wanted = known[key]
        fits = (
            (wanted == "str" and isinstance(value, str))
            or (wanted == "int" and type(value) is int)
            or (wanted == "bool" and isinstance(value, bool))
            or (wanted == "tuple[str, ...]" and isinstance(value, list) and all(isinstance(v, str) for v in value))
            or wanted not in ("str", "int", "bool", "tuple[str, ...]")
        )
        if not fits:
            raise UnsorryError(f"{path}: {key} must be {wanted}")
    try:
        return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in raw.items()})
    except TypeError as error:
        raise UnsorryError(f"{path}: {error}") from None


def records(path: Path, kind: type[T], raw: object) -> tuple[T, ...]:
    """Those of a list of tables."""
    if not isinstance(raw, list):
        raise UnsorryError(f"{path}: a list of tables is missing")
    return tuple(record(path, kind, one) for one in raw)
