"""The Lean files of a recorded tree: what imports what, and a file with all that it imports as one text.

The judge elaborates one text on each side.  So that a statement is the one of the base, its imports must be those of
the base too: every module of the project is put into the text, in a section of its own; only what is not the project's
stays an import.  Nothing that a model wrote is then believed as compiled.
"""

from __future__ import annotations

import hashlib
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from unsorry import UnsorryError
from unsorry.lean.source import Source, full_name, parse, split_name
from unsorry.scaffolds.agent.git import Git

_IMPORT = re.compile(r"^(?:public\s+)?(?:meta\s+)?import\s+(?:all\s+)?((?:«[^»]*»|[^\s«])+)", re.MULTILINE)
MAX_FILES = 2000  # of one project below one file
PROOFS = frozenset(("theorem", "lemma"))


@dataclass(frozen=True, slots=True)
class Piece:
    """Where a file's text begins in a flat one: lines from 1."""

    line: int
    path: str
    file_line: int


@dataclass(frozen=True, slots=True)
class Flat:
    """One text for the judge, and where its lines come from."""

    text: str
    pieces: tuple[Piece, ...]

    def place(self, line: int) -> tuple[str, int]:
        """(file, line in it) of a line of the text; ("", line) for the header."""
        at = bisect_right([piece.line for piece in self.pieces], line) - 1
        if at < 0:
            return "", line
        piece = self.pieces[at]
        return piece.path, line - piece.line + piece.file_line


class Tree:
    """The `.lean` files of a tree.  `roots`: folders in which module names begin, in order."""

    def __init__(self, git: Git, tree: str, roots: Sequence[str] = ("",)) -> None:
        self.git, self.roots = git, tuple(root.strip("/") for root in roots)
        entries = git.entries(tree)
        self.blobs = {
            os.fsdecode(path): entry.blob
            for path, entry in entries.items()
            if path.endswith(b".lean") and entry.mode != "120000"
        }
        self._texts: dict[str, str] = {}
        self._broken: dict[str, str] = {}
        self._sources: dict[str, Source] = {}

    def __contains__(self, path: str) -> bool:
        return path in self.blobs

    def text(self, path: str) -> str:
        """A file as Lean reads it; raises UnsorryError where it is no UTF-8 or is not there."""
        if path not in self.blobs:
            raise UnsorryError(f"{path} is no Lean file of the project")
        if path not in self._texts and path not in self._broken:
            self.load([path])
        if path in self._broken:
            raise UnsorryError(self._broken[path])
        return self._texts[path]

    def load(self, paths: Sequence[str]) -> None:
        """Reads many files at once; those that are no text are told when they are asked for."""
        wanted = [path for path in paths if path not in self._texts]
        for path, data in zip(wanted, self.git.read_blobs([self.blobs[p] for p in wanted]), strict=True):
            try:
                self._texts[path] = data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
            except UnicodeDecodeError as error:
                self._broken[path] = f"{path} is not UTF-8: byte 0x{data[error.start]:02x}"

    def source(self, path: str) -> Source:
        if path not in self._sources:
            try:
                self._sources[path] = parse(self.text(path))
            except UnsorryError as error:
                raise UnsorryError(f"{path}: {error}") from None
        return self._sources[path]

    def path_of(self, module: str) -> str:
        """The project's file of a module, "" if it has none."""
        parts = [part.strip("«»") for part in split_name(module)]
        for root in self.roots:
            path = "/".join([*([root] if root else []), *parts]) + ".lean"
            if path in self.blobs:
                return path
        return ""

    def imports(self, path: str) -> list[str]:
        """The project's files that a file may import, without parsing it: comments are read too."""
        found = (self.path_of(match[1]) for match in _IMPORT.finditer(self.text(path)))
        return [p for p in dict.fromkeys(found) if p]

    def below(self, path: str) -> list[str]:
        """The file and all of the project that it imports, imports first; raises UnsorryError for a circle."""
        order: dict[str, None] = {}
        entered: set[str] = set()
        todo = [(path, False)]
        while todo:
            current, ready = todo.pop()
            if ready:
                order[current] = None
            elif current in entered and current not in order:
                raise UnsorryError(f"{current} imports itself")
            elif current not in order:
                entered.add(current)
                if len(entered) > MAX_FILES:
                    raise UnsorryError(f"{path} imports more than {MAX_FILES} files of its project")
                todo.append((current, True))
                wanted = [self.path_of(i.module) for i in self.source(current).header.imports]  # none in comments
                todo += [(inner, False) for inner in reversed(wanted) if inner and inner not in order]
        return list(order)

    def flat(self, path: str, *, bare: bool = False, replaced: Mapping[str, str] | None = None) -> Flat:
        """The file with its imports as one text.  `bare`: proofs of theorems are left out; `replaced`: texts to take
        in the place of files."""
        outside: dict[str, None] = {}
        bodies: list[tuple[str, str, int]] = []
        for file in self.below(path):
            source = parse(replaced[file]) if replaced and file in replaced else self.source(file)
            if source.header.module or source.header.prelude:
                raise UnsorryError(f"{file} begins with `module` or `prelude`: such files are not judged")
            for wanted in source.header.imports:
                if not self.path_of(wanted.module):
                    outside[wanted.module] = None
            if bare:
                source = without_proofs(source, range(len(source.commands)))
            bodies.append((file, section(source), source.lines.line(source.header.end)))
        text = "".join(f"import {module}\n" for module in outside)
        pieces = []
        for file, body, line in bodies:
            pieces.append(Piece(text.count("\n") + 2, file, line))
            text += body
        return Flat(text, tuple(pieces))


def section(source: Source) -> str:
    """A file's commands in a section of their own, line for line, with what it leaves open closed."""
    last = next((c for c in source.commands if c.kind == "#exit"), None)
    body = source.text[source.header.end : last.start if last else len(source.text)]
    probe = parse(body + "\n#exit\n")  # the scopes open before the last command
    ends = "".join(f"end {scope.name}".rstrip() + "\n" for scope in reversed(probe.commands[-1].scopes))
    return f"section\n{body}\n{ends}end\n"


def without_proofs(source: Source, indices: Sequence[int]) -> Source:
    """The file with `sorry` for the proofs of these commands, those of theorems among them; its lines stay."""
    text = source.text
    for index in sorted(indices, reverse=True):
        command = source.commands[index]
        if command.kind in PROOFS and command.body >= 0 and not command.in_mutual:
            lines = text.count("\n", command.body, command.end)
            text = text[: command.body] + ":= sorry" + "\n" * lines + text[command.end :]
    return parse(text)


@dataclass(frozen=True, slots=True)
class Nameless:
    """An `example` or a nameless instance: what it states, its command's index, and the name it is judged under."""

    states: str
    index: int
    alias: str
    full: str


def nameless(source: Source) -> dict[str, Nameless]:
    """Those of a file by what they state; equal texts are numbered, since what is around them may differ."""
    found: dict[str, Nameless] = {}
    times: Counter[str] = Counter()
    for index, command in enumerate(source.commands):
        if command.kind in ("example", "instance") and not command.name and command.body >= 0:
            states = " ".join(source.text[command.keyword : command.body].split())
            times[states] += 1
            if times[states] > 1:
                states = f"{states} (number {times[states]})"
            alias = f"unsorry_{command.kind}_{hashlib.sha256(states.encode()).hexdigest()[:12]}"
            found[states] = Nameless(states, index, alias, full_name(alias, command.scopes))
    return found


def with_names(source: Source, wanted: Iterable[Nameless]) -> str:
    """The text with a name for each of these, which no compiled file keeps otherwise; its lines stay."""
    text = source.text
    for one in sorted(wanted, key=lambda n: -n.index):
        command = source.commands[one.index]
        end = command.keyword + len(command.kind)
        if command.kind == "example":
            text = f"{text[: command.keyword]}theorem {one.alias}{text[end:]}"
        else:
            rest = text[end:]
            if rest.lstrip().startswith("(") and rest.lstrip()[1:].lstrip().startswith("priority"):
                end += rest.index(")") + 1
            text = f"{text[:end]} {one.alias}{text[end:]}"
    return text
