"""What a task names: files, folders and declarations of the project; without a name, every file with a sorry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.source import Source, parse, read_file
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
    named = list(dict.fromkeys(_named(task, project)))
    if not named:
        named = [Target(file) for file, source in _sources(project).items() if source.holes]
    order = {file: index for index, file in enumerate(_in_order(project, {t.file for t in named}))}
    return tuple(sorted(named, key=lambda t: (order.get(t.file, len(order)), t.line)))


def importers(project: Path, files: Sequence[str]) -> list[str]:
    """The other files of the project that import one of these, directly or not."""
    sources = _sources(project)
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


def _named(task: str, project: Path) -> Iterator[Target]:
    for word in _WORD.findall(task):
        path, name, line = parse_target(word.rstrip(".:!?"))
        file = project / path
        if path.is_absolute() or ".." in path.parts:
            continue
        if path.suffix == ".lean" and file.is_file():
            yield Target(path.as_posix(), name, line)
        elif "/" in word and file.is_dir():
            for inside in _files(file):
                if _source(inside).holes:
                    yield Target(inside.relative_to(project).as_posix())


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.lean")):
        if not SKIPPED & set(path.relative_to(folder).parts) and path.is_file():
            yield path


def _source(path: Path) -> Source:
    try:
        return parse(read_file(path).replace("\r\n", "\n"))
    except UnsorryError:
        return parse("")  # a file that is broken names itself when it is checked


def _sources(project: Path) -> dict[str, Source]:
    return {path.relative_to(project).as_posix(): _source(path) for path in _files(project)}


def _in_order(project: Path, files: set[str]) -> Sequence[str]:
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
        for wanted in _source(project / file).header.imports:
            inside = wanted.module.replace(".", "/") + ".lean"
            if (project / inside).is_file() and inside not in entered:
                todo.append((inside, False))
    return [file for file in order if file in files]
