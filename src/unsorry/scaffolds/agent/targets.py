"""What a task names: files, folders and declarations of the project; without a name, every file with a sorry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.source import MAX_BYTES, Source, decode, parse
from unsorry.scaffolds.agent.beneath import Beneath
from unsorry.scaffolds.fill import parse_target

_WORD = re.compile(r"[^\s\"'`,;()]+")
SKIPPED = {".git", ".lake", ".unsorry", "build"}


@dataclass(frozen=True, slots=True)
class Target:
    """A file relative to the project; `declaration` and `line` narrow it down."""

    file: str
    declaration: str = ""
    line: int = 0


def find_targets(task: str, project: Path) -> tuple[Target, ...]:
    """The files that a task names, else all that hold a sorry; imports before what imports them."""
    beneath = Beneath(project.resolve())
    named = list(dict.fromkeys(_named(task, beneath)))
    if not named:
        named = [Target(file) for file, source in _sources(beneath).items() if source.holes]
    order = {file: index for index, file in enumerate(_in_order(beneath, {t.file for t in named}))}
    return tuple(sorted(named, key=lambda t: (order.get(t.file, len(order)), t.line)))


def importers(project: Path, files: Sequence[str]) -> list[str]:
    """The other files of the project that import one of these, directly or not."""
    sources = _sources(Beneath(project.resolve()))
    imports = {
        file: {i.module.replace("«", "").replace("»", "").replace(".", "/") + ".lean" for i in source.header.imports}
        for file, source in sources.items()
    }
    found, more = set(files), True
    while more:
        next_ones = {file for file, wanted in imports.items() if file not in found and wanted & found}
        found |= next_ones
        more = bool(next_ones)
    return sorted(found - set(files))


def _named(task: str, beneath: Beneath) -> Iterator[Target]:
    for word in _WORD.findall(task):
        path, name, line = parse_target(word.rstrip(".:!?"))
        if path.is_absolute() or ".." in path.parts:
            continue
        file = path.as_posix()
        if path.suffix == ".lean" and _is_file(beneath, file):
            yield Target(file, name, line)
        elif "/" in word:
            for inside in _files(beneath, file):
                if _source(beneath, inside).holes:
                    yield Target(inside)


def _files(beneath: Beneath, folder: str = ".") -> Iterator[str]:
    """The project's Lean files, which a model or a stranger may have written: no link is followed out of it."""
    try:
        yield from (file for file in beneath.walk(folder, ".lean", SKIPPED.__contains__) if _is_file(beneath, file))
    except UnsorryError:
        return  # the folder leads outside


def _is_file(beneath: Beneath, file: str) -> bool:
    try:
        with beneath.find(file) as place:
            return place.is_file
    except UnsorryError:
        return False


def _source(beneath: Beneath, file: str) -> Source:
    try:
        return parse(decode(beneath.read(file, MAX_BYTES), file).replace("\r\n", "\n"))
    except UnsorryError:
        return parse("")  # a file that is broken names itself when it is checked


def _sources(beneath: Beneath) -> dict[str, Source]:
    return {file: _source(beneath, file) for file in _files(beneath)}


def _in_order(beneath: Beneath, files: set[str]) -> Sequence[str]:
    """The files, each behind those of the project that it imports."""
    order: dict[str, None] = {}
    todo = [(file, False) for file in sorted(files, reverse=True)]
    entered: set[str] = set()
    while todo:
        file, ready = todo.pop()
        if ready:
            order[file] = None
            continue
        if file in entered:
            continue
        entered.add(file)
        todo.append((file, True))
        for wanted in _source(beneath, file).header.imports:
            inside = wanted.module.replace(".", "/") + ".lean"
            if inside not in entered and _is_file(beneath, inside):
                todo.append((inside, False))
    return [file for file in order if file in files]
