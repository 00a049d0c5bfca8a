"""`translation.json` of Aeneas (`-emit-json`), read strictly and joined into the functions of the crate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unsorry import UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.aeneas.commands import our_path
from unsorry.bughunt.findings import FunctionFacts, Lines

LARGEST = 64 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """What Aeneas says of one function."""

    lean_name: str
    rust_name: str
    file: str
    lines: tuple[int, int]  # (0, 0) where it says nothing
    can_fail: bool
    can_diverge: bool
    is_opaque: bool


@dataclass(frozen=True, slots=True)
class Joined:
    """The crate with Aeneas' facts in its functions; `entries` by our path; those that fit no function."""

    crate: ir.Crate
    entries: dict[str, Entry]
    strangers: tuple[Entry, ...]


def read(path: Path) -> tuple[Entry, ...]:
    """The functions of a `translation.json`.  Raises UnsorryError that names the file and the field."""
    try:
        if path.stat().st_size > LARGEST:
            raise UnsorryError(f"{path} is larger than {LARGEST >> 20} MB")
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UnsorryError(f"{path} is not JSON: {error}") from None
    functions = data.get("functions") if isinstance(data, dict) else data
    if not isinstance(functions, list):
        raise UnsorryError(f"{path} has no list of functions: was it written by `aeneas -emit-json`?")
    return tuple(_entry(path, number, item) for number, item in enumerate(functions))


def _entry(path: Path, number: int, item: object) -> Entry:
    where = f"{path}: function {number}"
    if not isinstance(item, dict):
        raise UnsorryError(f"{where} is no object")
    texts = {}
    for key in ("lean_name", "rust_name"):
        if not isinstance(item.get(key), str) or not item[key]:
            raise UnsorryError(f"{where} has no {key}: this Aeneas writes another format than the one known here")
        texts[key] = item[key]
    flags = {}
    for key in ("can_fail", "can_diverge", "is_opaque"):
        if not isinstance(item.get(key), bool):
            raise UnsorryError(f"{where} ({texts['rust_name']}) does not say {key}")
        flags[key] = item[key]
    file, lines = item.get("file", ""), item.get("lines", [0, 0])
    if not isinstance(file, str) or not _is_range(lines):
        raise UnsorryError(f"{where} ({texts['rust_name']}): file and lines must be a path and [first, last]")
    return Entry(**texts, file=file, lines=(lines[0], lines[1]), **flags)


def _is_range(lines: object) -> bool:
    return isinstance(lines, list) and len(lines) == 2 and all(type(n) is int and n >= 0 for n in lines)


def join(crate: ir.Crate, entries: Sequence[Entry]) -> Joined:
    """Facts by name, else by the place in the source if only one function is there."""
    functions = {f.path: f for f in crate.functions}
    found: dict[str, Entry] = {}
    strangers = []
    for entry in entries:
        path = our_path(crate.name, entry.rust_name)
        if path not in functions:
            path = _at(crate, entry)
        if not path or path in found:
            strangers.append(entry)
            continue
        found[path] = entry
        functions[path] = replace(
            functions[path],
            can_fail=entry.can_fail,
            can_diverge=entry.can_diverge,
            opaque=entry.is_opaque or functions[path].opaque,
        )
    joined = replace(crate, functions=tuple(functions[f.path] for f in crate.functions))
    return Joined(joined, found, tuple(strangers))


def _at(crate: ir.Crate, entry: Entry) -> str:
    """The path of the only function that begins inside the entry's lines."""
    first, last = entry.lines
    places = [
        f.path
        for f in crate.functions
        if first and f.span.first_line and first <= f.span.first_line <= last and _same_file(f.span.file, entry.file)
    ]
    return places[0] if len(places) == 1 else ""


def _same_file(ours: str, theirs: str) -> bool:
    return ours == theirs or theirs.endswith("/" + ours)


def function_facts(joined: Joined, failed: dict[str, str]) -> tuple[FunctionFacts, ...]:
    """A line of the report for each function; `failed`: why Aeneas has no translation, by our path."""
    out = []
    for f in joined.crate.functions:
        where = Lines(f.span.file, f.span.first_line, f.span.last_line)
        entry = joined.entries.get(f.path)
        if entry is None:
            reason = failed.get(f.path, "Aeneas says nothing of it")
            out.append(FunctionFacts(f.path, where, "refused", f"by Aeneas: {reason}"))
        elif entry.is_opaque:
            reason = "Aeneas has an axiom for it, which taints every proof that uses it"
            out.append(FunctionFacts(f.path, where, "opaque", reason, entry.lean_name))
        else:
            out.append(FunctionFacts(f.path, where, "translated by Aeneas", "", entry.lean_name))
    return tuple(out)
