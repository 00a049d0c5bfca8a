"""What a task names: files, folders and declarations of the project; without a name, every file with a sorry."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.source import MAX_BYTES, Source, decode, parse
from unsorry.scaffolds.agent.beneath import Beneath
from unsorry.scaffolds.fill import parse_target

_WORD = re.compile(r"[^\s\"'`,;()]+")
_QUOTED = re.compile(r"\"[^\"\n]*\"|`[^`\n]*`")
_END = re.compile(r"\.lean(?![\w\-/])(?!\.\w)|/(?=[\s\"'`,;:!?()\[\]]|\.(?:\s|$)|$)")
_TAIL = re.compile(r":[^\s\"`,;()\[\]#]+|#L?\d+")
_WITHIN = "_-./\\~"  # before a path, these say that it goes on to the left
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
    text = unicodedata.normalize("NFC", _QUOTED.sub(_without_outside, task))
    found, left = _existing(text, beneath)
    yield from found
    for word in _WORD.findall(left):
        path, name, line = parse_target(word.rstrip(".:!?"))
        if path.is_absolute() or ".." in path.parts:
            continue
        file = path.as_posix()
        if path.suffix == ".lean" and _is_file(beneath, file):
            yield Target(file, name, line)
        elif "/" in word:
            yield from _holed(beneath, file)


def _without_outside(quoted: re.Match[str]) -> str:
    """A quoted path that leads out of the project is no word of the task, nor is a part of it."""
    inside = quoted[0][1:-1].strip()
    leaves = inside.startswith(("/", "~")) or ".." in inside.split()[-1:] or "../" in inside
    return " " if leaves else quoted[0]


def _existing(text: str, beneath: Beneath) -> tuple[list[Target], str]:
    """(what names a file or folder of the project, whatever characters are in its path; the text without these).

    Where several end at the same place the longest is meant: `My File.lean` is not `File.lean`.
    """
    if ".lean" not in text and "/" not in text:
        return [], text
    names = {unicodedata.normalize("NFC", file): file for file in _files(beneath)}
    for file in list(names.values()):
        for folder in Path(file).parents[:-1]:
            names.setdefault(unicodedata.normalize("NFC", f"{folder.as_posix()}/"), f"{folder.as_posix()}/")
    sizes = sorted({len(name) for name in names}, reverse=True)
    found: list[Target] = []
    left, done = "", 0
    for match in _END.finditer(text):
        end = match.end()
        start = next((end - n for n in sizes if end - n >= done and text[end - n : end] in names
                      and _begins(text, end - n)), -1)  # fmt: skip
        if start < 0:
            continue
        path = names[text[start:end]]
        tail = _TAIL.match(text, end) if match[0] == ".lean" else None
        selector = tail[0].rstrip(".:!?") if tail else ""
        if selector.endswith("'") and text[start - 1 : start] == "'":
            selector = selector[:-1]
        if path.endswith("/"):
            found += _holed(beneath, path[:-1])
        else:
            _, name, line = parse_target(f"file.lean{selector}")
            found.append(Target(path, name, line))
        left += text[done:start].removesuffix("./") + " "
        done = end + len(selector)
    return found, left + text[done:]


def _begins(text: str, at: int) -> bool:
    """Whether a path may begin here; `./` before it is part of it."""
    if text[max(at - 2, 0) : at] == "./":
        at -= 2
    before = text[at - 1] if at else " "
    return not (before.isalnum() or before in _WITHIN)


def _holed(beneath: Beneath, folder: str) -> Iterator[Target]:
    yield from (Target(file) for file in _files(beneath, folder) if _source(beneath, file).holes)


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
