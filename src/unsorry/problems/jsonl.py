"""Problem files: one JSON object a line, each with `format` and the fields of `Problem` (docs/problems.md)."""

from __future__ import annotations

import contextlib
import difflib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from unsorry import Problem, UnsorryError

FORMAT = 1
MAX_LINE = 16_000_000  # bytes
_FIELDS = tuple(f.name for f in fields(Problem))
_REQUIRED = ("id", "statement", "targets")


def read(path: Path) -> list[Problem]:
    """All problems of a file, in order; every fault is an error with file:line."""
    problems: list[Problem] = []
    lines: dict[str, int] = {}
    for number, problem in _read(path):
        if problem.id in lines:
            raise UnsorryError(f"{path}:{number}: id {problem.id!r} is already used in line {lines[problem.id]}")
        lines[problem.id] = number
        problems.append(problem)
    return problems


def write(path: Path, problems: Iterable[Problem]) -> int:
    """Write a problem file; it appears complete or not at all.  Returns the number of problems."""
    count = 0
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("w", encoding="utf-8") as file:
            for problem in problems:
                file.write(encode(problem) + "\n")
                count += 1
        partial.replace(path)
    except OSError as error:
        raise UnsorryError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
    return count


def encode(problem: Problem) -> str:
    """One line; fields that are empty are left out."""
    record: dict[str, Any] = {"format": FORMAT}
    for name in _FIELDS:
        value = getattr(problem, name)
        if value or name in _REQUIRED:
            record[name] = list(value) if isinstance(value, tuple) else value
    return json.dumps(record, ensure_ascii=False)


def decode(line: str, where: str) -> Problem:
    """The problem in one line; `where` starts the error message."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply or not JSON"
        raise UnsorryError(f"{where}: is not JSON: {reason}") from None
    if not isinstance(record, dict):
        raise UnsorryError(f"{where}: expected a JSON object, not {type(record).__name__}")
    version = record.pop("format", None)
    if version != FORMAT or isinstance(version, bool):
        said = "has no `format`" if version is None else f"has format {version!r}"
        raise UnsorryError(f"{where}: {said}; this version reads format {FORMAT}")
    for key in record:
        if key not in _FIELDS:
            close = difflib.get_close_matches(key, _FIELDS, 1)
            hint = f"; did you mean `{close[0]}`?" if close else f"; known are {', '.join(_FIELDS)}"
            raise UnsorryError(f"{where}: unknown key `{key}`{hint}")
    for key in _REQUIRED:
        if not record.get(key):
            raise UnsorryError(f"{where}: `{key}` is missing or empty")
    targets = record["targets"]
    if not isinstance(targets, list) or not all(isinstance(t, str) and t for t in targets):
        raise UnsorryError(f"{where}: `targets` must be a list of names")
    if len(set(targets)) != len(targets):
        raise UnsorryError(f"{where}: `targets` names a declaration twice")
    for key, value in record.items():
        if key != "targets" and not isinstance(value, str):
            raise UnsorryError(f"{where}: `{key}` must be a string, not {type(value).__name__}")
    return Problem(**{**record, "targets": tuple(targets)})


def _read(path: Path) -> Iterator[tuple[int, Problem]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), 1):
                where = f"{path}:{number}"
                if len(line) >= MAX_LINE:
                    raise UnsorryError(f"{where}: line longer than {MAX_LINE} bytes")
                if not line.strip():
                    continue
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise UnsorryError(f"{where}: is not UTF-8") from None
                yield number, decode(text, where)
    except OSError as error:
        raise UnsorryError(f"{path} cannot be read: {error.strerror}") from None
