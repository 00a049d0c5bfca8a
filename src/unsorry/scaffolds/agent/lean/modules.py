"""Which file of a project is which module, what it imports, and in which order modules are compiled."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean import source
from unsorry.lean.source import split_name
from unsorry.scaffolds.agent.beneath import Beneath

_IMPORT = re.compile(r"^(?:public\s+)?(?:meta\s+)?import\s+(?:all\s+)?((?:«[^»]*»|[^\s«])+)", re.MULTILINE)
_PLAIN = re.compile(r"[^/\\\0]+")
MAX_MODULES = 20_000  # files below one import; more is a mistake of the module roots


class ImportFault(UnsorryError):
    """Something is wrong with an import: which file, which line, what."""


@dataclass(frozen=True, slots=True)
class Header:
    """The imports of a text, with their lines; `end` is the offset behind the last; `plain`: neither `module` nor
    `prelude`, and complete, so that a snapshot can hold it."""

    imports: tuple[tuple[str, int], ...]
    end: int
    plain: bool
    module: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """A file of the project, as it was read."""

    module: str
    path: Path
    text: str
    digest: str  # sha256 of its bytes
    own: tuple[str, ...]  # modules of the project that it imports
    header: Header


def read_header(text: str) -> Header:
    """The header of any text; of one that cannot be read as Lean (a comment without end), its import lines."""
    try:
        parsed = source.parse(text)
    except UnsorryError:
        found = tuple((m[1], text.count("\n", 0, m.start()) + 1) for m in _IMPORT.finditer(text))
        return Header(found, 0, plain=False)
    header = parsed.header
    places: dict[str, int] = {}
    for match in _IMPORT.finditer(text[: header.end]):
        places.setdefault(match[1], text.count("\n", 0, match.start()) + 1)
    imports = tuple((i.module, places.get(i.module, 1)) for i in header.imports)
    whole_lines = header.end == 0 or "\n" in text[header.end :]
    return Header(imports, header.end, not (header.module or header.prelude) and whole_lines, header.module)


class Modules:
    """The files below `root`, found by module name in `roots` (folders relative to it, in order).

    `library` are the folders with compiled modules that are not the project's.  Files are read anew each time that
    they are asked for, so that an edit, whoever made it, is seen.
    """

    def __init__(self, root: Path, roots: Sequence[str], library: Sequence[Path]) -> None:
        self.root = root.resolve()
        self.roots = tuple(roots)
        self.library = tuple(library)
        self._headers: dict[str, Header] = {}
        self.beneath = Beneath(self.root)

    def data(self, path: Path) -> bytes:
        """The bytes of a regular file of the project, which a model may have written: no link out of it is followed."""
        return self.beneath.read(self.name(path), source.MAX_BYTES)

    def text(self, path: Path) -> str:
        """A file as Lean reads it; raises UnsorryError."""
        return source.decode(self.data(path), self.name(path)).replace("\r\n", "\n")

    def path_of(self, module: str) -> Path | None:
        """The file of a module of the project, None if it has none."""
        parts = split_name(module)
        if not parts or not all(_PLAIN.fullmatch(part) and part not in (".", "..") for part in parts):
            return None
        for folder in self.roots:
            path = (self.root / folder).joinpath(*parts[:-1], parts[-1] + ".lean")
            if path.is_file() and self.inside(path):
                return path
        return None

    def inside(self, path: Path) -> bool:
        """Whether a path stays in the project when links are followed."""
        return path.resolve().is_relative_to(self.root)

    def module_of(self, path: Path) -> str:
        """The module name of a file, "" if no root holds it."""
        for folder in self.roots:
            base = self.root / folder
            if path.is_relative_to(base):
                relative = path.relative_to(base).with_suffix("")
                return ".".join(_escape(part) for part in relative.parts)
        return ""

    def everything(self) -> list[str]:
        """All modules of the project: every .lean file below the roots but those in hidden folders and lakefiles."""
        found: dict[str, None] = {}
        for folder in self.roots:
            for name in self.beneath.walk(folder or ".", ".lean", lambda part: part.startswith(".")):
                path = self.root / name
                hidden = any(part.startswith(".") for part in path.relative_to(self.root).parts)
                if not hidden and path.name != "lakefile.lean" and path.is_file() and self.inside(path):
                    found.setdefault(self.module_of(path))
        return list(found)

    def name(self, path: Path) -> str:
        """A path as it is told: relative to the project where it can be."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)

    def in_library(self, module: str) -> bool:
        parts = split_name(module)
        return bool(parts) and any(
            folder.joinpath(*parts[:-1], parts[-1] + ".olean").is_file() for folder in self.library
        )

    def header(self, text: str, digest: str) -> Header:
        if digest not in self._headers:
            if len(self._headers) >= MAX_MODULES:
                self._headers.clear()
            self._headers[digest] = read_header(text)
        return self._headers[digest]

    def read(self, module: str, path: Path) -> Unit:
        """The file as it is now; raises UnsorryError if it cannot be read."""
        data = self.data(path)
        text = source.decode(data, self.name(path)).replace("\r\n", "\n")
        digest = hashlib.sha256(data).hexdigest()
        header = self.header(text, digest)
        own = tuple(dict.fromkeys(name for name, _ in header.imports if self.path_of(name)))
        return Unit(module, path, text, digest, own, header)

    def order(self, imports: Iterable[tuple[str, int]], who: str, above: str = "") -> list[Unit]:
        """Every file of the project below these imports, imports first.

        `who` is the importing file as it is told, `above` its module.  Raises ImportFault for what is missing and for
        imports that go in a circle.
        """
        done: dict[str, Unit] = {}
        path: list[str] = [above] if above else []
        self._descend(tuple(imports), who, path, done)
        return list(done.values())

    def _descend(self, imports: Sequence[tuple[str, int]], who: str, path: list[str], done: dict[str, Unit]) -> None:
        """Depth first without recursion: a chain of imports may be long."""
        stack = [(iter(imports), who, None)]
        pending: list[Unit] = []
        while stack:
            rest, importer, _ = stack[-1]
            module, line = next(rest, ("", 0))
            if not module:
                stack.pop()
                if pending:
                    unit = pending.pop()
                    done[unit.module] = unit
                    path.pop()
                continue
            if module in path:
                circle = " -> ".join([*path[path.index(module) :], module])
                raise ImportFault(f"{importer}:{line}: the imports go round in a circle: {circle}")
            if module in done:
                continue
            file = self.path_of(module)
            if file is None:
                if not self.in_library(module):
                    raise ImportFault(f"{importer}:{line}: {self._missing(module)}")
                continue
            if len(done) + len(pending) > MAX_MODULES:
                raise ImportFault(
                    f"{importer}: more than {MAX_MODULES} files below its imports; check the module roots"
                )
            unit = self.read(module, file)
            pending.append(unit)
            path.append(module)
            stack.append((iter(unit.header.imports), self.name(file), None))

    def _missing(self, module: str) -> str:
        parts = split_name(module) or [module]
        wanted = "/".join(parts) + ".lean"
        places = ", ".join(sorted({(Path(folder) / wanted).as_posix() for folder in self.roots}))
        return f"imports {module}, which is neither a file of the project (no {places}) nor in Lean's library"


def _escape(part: str) -> str:
    return part if re.fullmatch(r"[^\W\d][\w'!?]*", part) else f"«{part}»"
