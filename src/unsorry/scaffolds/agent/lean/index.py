"""What the declarations of an environment are made of: read from compiled files once, kept by module, searched fast.

The first search over a library reads every statement of it (about 0.1 ms each); what was read is in the cache, so that
the next one, in any process, takes a fraction of a second.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import tempfile
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.declarations import Declaration
from unsorry.lean.names import Name
from unsorry.lean.olean import OleanError, Reader
from unsorry.lean.olean_image import PARTS, is_module
from unsorry.lean.source import split_name
from unsorry.lean.source.commands import words
from unsorry.lean.traversal import constants
from unsorry.scaffolds.agent.lean.facts import readable, shown
from unsorry.scaffolds.agent.lean.pattern import Names, Pattern, meant

FORMAT = 1
READERS = 64  # modules kept open for the patterns of the next searches
_MADE = words(
    "rec recOn casesOn brecOn binductionOn below ibelow noConfusion noConfusionType sizeOf_spec injEq inj ctorIdx "
    "ctorElim ctorElimType toCtorIdx ofNat_ctorIdx elim congr_simp hcongr induct induct_unfolding fun_cases "
    "fun_cases_unfolding eq_def"
)
_INSIDE = words("recOn casesOn brecOn binductionOn below noConfusionType")  # names below these are made as well


@dataclass(frozen=True, slots=True)
class Entry:
    """A declaration that was found."""

    name: str
    kind: str
    module: str


@dataclass(frozen=True, slots=True)
class ModuleIndex:
    """A module's declarations; `uses[bounds[i]:bounds[i + 1]]` index the `constants` of the i-th one's type."""

    imports: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    constants: tuple[str, ...]
    uses: array[int]
    bounds: array[int]


class Index:
    """The modules in some folders (first ones first), searched from any thread that owns it.

    `keys` name what some of them hold, by module; of the others, size, time and inode of their files tell.
    """

    def __init__(
        self, folders: Sequence[Path], version: str, cache: Path, keys: Mapping[str, str] | None = None
    ) -> None:
        self.folders, self.version, self.cache, self.keys = tuple(folders), version, cache, keys or {}
        self._readers: dict[Path, Reader] = {}

    def modules(self, tops: Iterable[str], deadline: float, kept: dict[str, ModuleIndex]) -> tuple[str, ...]:
        """Fills `kept` with `tops` and all below them; returns those that could not be read or had no time left."""
        missing: dict[str, None] = {}
        todo = list(tops)
        seen = set(todo)
        found: dict[str, ModuleIndex] = {}
        while todo:
            module = todo.pop()
            index = self._module(module, deadline)
            if index is None:
                missing[module] = None
                continue
            found[module] = index
            fresh = [m for m in index.imports if m not in seen]
            seen.update(fresh)
            todo += fresh
        kept.update(found)
        return tuple(missing)

    def _module(self, module: str, deadline: float) -> ModuleIndex | None:
        files = self._files(module)
        if not files:
            return None
        with suppress(OSError):
            facts = [] if module in self.keys else [os.stat(file) for file in files]
            told = [f"{f.st_ino} {f.st_size} {f.st_mtime_ns}" for f in facts] or [self.keys[module]]
            text = "\0".join([module, self.version, *told])
            key = hashlib.sha256(f"{FORMAT}\0{text}".encode()).hexdigest()
            known = _MEMORY.get(key) or _load(self.cache / f"{key}.json")
            if known is None:
                if time.monotonic() > deadline:
                    return None
                known = _read(self._reader(files))
                _save(self.cache, key, known)
            _MEMORY[key] = known
            return known
        return None

    def _files(self, module: str) -> tuple[Path, ...]:
        parts = split_name(module)
        for folder in self.folders:
            path = folder.joinpath(*parts[:-1], (parts or ["_"])[-1] + ".olean")
            if path.is_file():
                more = (path.with_name(path.name + suffix) for suffix in PARTS[1:])
                return (path, *(part for part in more if part.is_file()))
        return ()

    def _reader(self, files: tuple[Path, ...]) -> Reader:
        if files[0] not in self._readers:
            if len(self._readers) >= READERS:
                self._readers.clear()
            try:
                data = [file.read_bytes() for file in files]
                self._readers[files[0]] = Reader(*(data if is_module(data[0]) else data[:1]), version=self.version)
            except (OSError, OleanError) as error:
                raise UnsorryError(f"{files[0]} cannot be read: {error}; rebuild it with the project's Lean") from None
        return self._readers[files[0]]

    def declaration(self, entry: Entry) -> Declaration:
        """The declaration with its type."""
        return self._reader(self._files(entry.module)).statement(Name.parse(entry.name))

    def search(
        self, modules: dict[str, ModuleIndex], *, name: str, uses: Sequence[Names], pattern: Pattern | None
    ) -> Iterator[Entry]:
        """Every declaration that fits, in no order."""
        wanted = name_filter(name)
        needed = [*uses, *(pattern.constants() if pattern else ())]
        for module, index in modules.items():
            ids = [{i for i, c in enumerate(index.constants) if meant(c, names)} for names in needed]
            if not all(ids):
                continue
            for i, text in enumerate(index.names):
                if not wanted(text):
                    continue
                own = index.uses[index.bounds[i] : index.bounds[i + 1]] if needed else ()
                if not all(any(u in some for u in own) for some in ids):
                    continue
                entry = Entry(text, index.kinds[i], module)
                if pattern is None or pattern.matches(self.declaration(entry).type):
                    yield entry


_MEMORY: dict[str, ModuleIndex] = {}


def name_filter(query: str) -> Callable[[str], bool]:
    """Glob where the query has `*` or `?`, the exact name, else all its words as parts; what Lean made is left out."""
    if not query.strip():
        return _written
    if any(c in query for c in "*[") or query.endswith("?"):
        return lambda name: _written(name) and fnmatch.fnmatchcase(readable(name), query.strip())
    parts = query.casefold().split()
    exact = query.strip()

    def wanted(name: str) -> bool:
        return name == exact or (all(part in name.casefold() for part in parts) and _written(name))

    return wanted


def _written(name: str) -> bool:
    parts = readable(name).split(".")
    return parts[-1] not in _MADE and _INSIDE.isdisjoint(parts) and all(shown(part) for part in parts)


def _read(reader: Reader) -> ModuleIndex:
    names, kinds, uses, bounds = [], [], array("I"), array("I", [0])
    table: dict[str, int] = {}
    for name in reader.names:
        declaration = reader.statement(name)
        names.append(str(name))
        kinds.append(str(declaration.kind))
        uses.extend(table.setdefault(str(c), len(table)) for c in constants(declaration.type))
        bounds.append(len(uses))
    imports = tuple(str(i.module) for i in reader.imports)
    return ModuleIndex(imports, tuple(names), tuple(kinds), tuple(table), uses, bounds)


def _load(path: Path) -> ModuleIndex | None:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        index = ModuleIndex(
            tuple(raw["imports"]), tuple(raw["names"]), tuple(raw["kinds"]), tuple(raw["constants"]),
            array("I", raw["uses"]), array("I", raw["bounds"]),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return None
    return index if len(index.bounds) == len(index.names) + 1 == len(index.kinds) + 1 else None


def _save(folder: Path, key: str, index: ModuleIndex) -> None:
    """A full disk costs time at the next search, nothing else."""
    raw = {
        "imports": index.imports, "names": index.names, "kinds": index.kinds, "constants": index.constants,
        "uses": index.uses.tolist(), "bounds": index.bounds.tolist(),
    }  # fmt: skip
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
            json.dump(raw, file)
        os.replace(file.name, folder / f"{key}.json")
