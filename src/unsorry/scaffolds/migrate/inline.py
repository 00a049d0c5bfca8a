"""A file and the project files that it imports, as one text without those imports."""

from __future__ import annotations

from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.source import Source, parse, read_file

MAX_FILES = 2000


def inline(root: Path, path: Path) -> str:
    """The text of `path` with every module that lies below `root` put before it, imports first.

    Imports of anything else stay, at the beginning.  Raises UnsorryError for a circle and for files that are no Lean.
    """
    order: dict[Path, Source] = {}
    outside: dict[str, None] = {}
    todo: list[tuple[Path, bool]] = [(path, False)]
    open_files: set[Path] = set()
    sources: dict[Path, Source] = {}
    while todo:
        file, ready = todo.pop()
        if file in order:
            continue
        if ready:
            order[file] = sources[file]
            open_files.discard(file)
            continue
        if file in open_files:
            raise UnsorryError(f"{file} imports itself, through {', '.join(sorted(p.name for p in open_files))}")
        if len(sources) >= MAX_FILES:
            raise UnsorryError(f"{path} imports more than {MAX_FILES} files of its project")
        open_files.add(file)
        try:
            sources[file] = parse(read_file(file))
        except UnsorryError as error:
            raise UnsorryError(f"{file}: {error}" if str(file) not in str(error) else str(error)) from None
        todo.append((file, True))
        for wanted in reversed(sources[file].header.imports):
            inside = root.joinpath(*wanted.module.split(".")).with_suffix(".lean")
            if inside.is_file():
                todo.append((inside, False))
            else:
                outside[wanted.module] = None
    header = "".join(f"import {module}\n" for module in outside)
    return header + "\n".join(_closed(source) for source in order.values())


def _closed(source: Source) -> str:
    """A module's commands in a section of their own, with what it leaves open closed."""
    text = source.text[source.header.end :].strip("\n")
    probe = parse(text + "\n#exit\n")  # the scopes open before the last command
    ends = "".join(f"end {scope.name}".rstrip() + "\n" for scope in reversed(probe.commands[-1].scopes))
    return f"section\n{text}\n{ends}end\n"
