"""A file and the project files that it imports, as one text without those imports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.source import Source, parse, read_file

MAX_FILES = 2000


def inline(root: Path, path: Path) -> str:
    """The text of `path` with every module that lies below `root` put before it, imports first.

    Imports of anything else stay, at the beginning.  Raises UnsorryError for a circle and for files that are no Lean.
    """
    source = _read(path)
    below, outside = imported(root, [i.module for i in source.header.imports], path)
    outside = [*outside, *(i.module for i in source.header.imports if not file_of(root, i.module).is_file())]
    header = "".join(f"import {module}\n" for module in dict.fromkeys(outside))
    return header + "\n".join(closed(one, one.text) for one in [*below, source])


def imported(root: Path, modules: Sequence[str], path: Path) -> tuple[list[Source], list[str]]:
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
        sources[file] = _read(file)
        todo.append((file, True))
        for wanted in reversed(sources[file].header.imports):
            inside = file_of(root, wanted.module)
            if inside.is_file():
                todo.append((inside, False))
            else:
                outside[wanted.module] = None
    return [sources[file] for file in order], list(outside)


def file_of(root: Path, module: str) -> Path:
    """Where a module of the project would be."""
    return root.joinpath(*module.replace("«", "").replace("»", "").split(".")).with_suffix(".lean")


def _read(file: Path) -> Source:
    try:
        return parse(read_file(file).replace("\r\n", "\n"))
    except UnsorryError as error:
        raise UnsorryError(f"{file}: {error}" if str(file) not in str(error) else str(error)) from None


def closed(source: Source, text: str) -> str:
    """A module's commands, as they stand in `text`, in a section of their own, with what it leaves open closed."""
    body = text[source.header.end :].strip("\n")
    probe = parse(body + "\n#exit\n")  # the scopes open before the last command
    ends = "".join(f"end {scope.name}".rstrip() + "\n" for scope in reversed(probe.commands[-1].scopes))
    return f"section\n{body}\n{ends}end\n"
