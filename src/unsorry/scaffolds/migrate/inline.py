"""A file and the project files that it imports, as one text without those imports."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.source import MAX_BYTES, Source, decode, parse, read_file, split_name
from unsorry.scaffolds.agent.beneath import Beneath

MAX_FILES = 2000


Place = tuple[Path, int]  # a file and a line of it, from 1
Change = tuple[int, int, list[str]]  # first line, line behind the last, what stands there then


def inline(root: Path, path: Path) -> str:
    """The text of `path` with every module that lies below `root` put before it, imports first.

    Imports of anything else stay, at the beginning.  Raises UnsorryError for a circle and for files that are no Lean.
    """
    return inline_with_places(root, path)[0]


def inline_with_places(root: Path, path: Path) -> tuple[str, list[Place | None]]:
    """The same, and for each line of it where it comes from (None: it was added)."""
    source = _read(root, path)
    below, outside = imported(root, [i.module for i in source.header.imports], path)
    outside = [*outside, *(i.module for i in source.header.imports if not file_of(root, i.module).is_file())]
    header = [f"import {module}" for module in dict.fromkeys(outside)]
    lines = list(header)
    found: list[Place | None] = [None] * len(header)
    for file, one in [*below.items(), (path, source)]:
        text = closed(one, one.text)
        first = one.lines.line(one.header.end + _blank(one.text, one.header.end))
        body = _body(one, one.text).count("\n") + 1
        count = text.count("\n")
        found += [None, *((file, first + i) for i in range(body)), *([None] * (count - body - 1)), None]
        lines += [*text.split("\n")[:-1], ""]
    return "\n".join(lines), found


def _blank(text: str, start: int) -> int:
    """How many line ends follow a place."""
    return len(text[start:]) - len(text[start:].lstrip("\n"))


def _body(source: Source, text: str) -> str:
    return text[source.header.end :].strip("\n")


def imported(root: Path, modules: Sequence[str], path: Path) -> tuple[dict[Path, Source], list[str]]:
    """(the project's modules below these, each behind what it imports, modules from elsewhere that they import)."""
    order: dict[Path, None] = {}
    outside: dict[str, None] = {}
    sources: dict[Path, Source] = {}
    entered = {path}
    todo = [(file_of(root, m), False) for m in reversed(modules) if file_of(root, m).is_file()]
    while todo:
        file, ready = todo.pop()
        if file in order:
            continue
        if ready:
            order[file] = None
            entered.discard(file)
            continue
        if file in entered:
            raise UnsorryError(f"{file} imports itself, through {', '.join(sorted(p.name for p in entered))}")
        if len(sources) >= MAX_FILES:
            raise UnsorryError(f"{path} imports more than {MAX_FILES} files of its project")
        entered.add(file)
        sources[file] = _read(root, file)
        todo.append((file, True))
        for wanted in reversed(sources[file].header.imports):
            inside = file_of(root, wanted.module)
            if inside.is_file():
                todo.append((inside, False))
            else:
                outside[wanted.module] = None
    return {file: sources[file] for file in order}, list(outside)


def carried_back(
    before: str, after: str, places: Sequence[Place | None]
) -> dict[Path, list[tuple[int, int, list[str]]]]:
    """A change of an inlined text as changes of the files: by file, the last ones first.

    Raises UnsorryError where a change lies in a line that no file has.
    """
    old, new = before.split("\n"), after.split("\n")
    found: dict[Path, list[Change]] = {}
    for tag, i, j, k, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        touched = [places[n] for n in range(i, j)] if j > i else [places[i] if i < len(places) else None]
        files = {place[0] for place in touched if place is not None}
        first = touched[0]
        if None in touched or len(files) != 1 or first is None:
            raise UnsorryError("the fix does not lie in one of the project's files: make it by hand")
        found.setdefault(first[0], []).insert(0, (first[1], first[1] + j - i, new[k:end]))
    return found


def file_of(root: Path, module: str) -> Path:
    """Where a module of the project would be.  A part of a name may hold anything, and leads out of nothing."""
    parts = [part.strip("«»") for part in split_name(module)] or [module]
    plain = ["\ufffd" if part in ("", ".", "..") else re.sub(r"[/\0]", "\ufffd", part) for part in parts]
    return root.joinpath(*plain[:-1], plain[-1] + ".lean")


def _read(root: Path, file: Path) -> Source:
    """A file of the project, which may not be the user's own work, is read only where no link leads out of it."""
    try:
        if file.is_relative_to(root):
            name = file.relative_to(root).as_posix()
            text = decode(Beneath(root.resolve()).read(name, MAX_BYTES), str(file))
        else:
            text = read_file(file)
        return parse(text.replace("\r\n", "\n"))
    except UnsorryError as error:
        raise UnsorryError(f"{file}: {error}" if str(file) not in str(error) else str(error)) from None


def closed(source: Source, text: str) -> str:
    """A module's commands, as they stand in `text`, in a section of their own, with what it leaves open closed."""
    body = _body(source, text)
    probe = parse(body + "\n#exit\n")  # the scopes open before the last command
    ends = "".join(f"end {scope.name}".rstrip() + "\n" for scope in reversed(probe.commands[-1].scopes))
    return f"section\n{body}\n{ends}end\n"
