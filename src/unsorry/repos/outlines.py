"""Outlines of the many versions of a history's files: what two versions share is read once.

A file is cut where, behind an empty line, a word that begins a command stands in the first column.  A piece that can be
read alone leaves no comment or string open, so each piece is read as in its place; scopes are followed from piece to
piece.  A file that bends this rule, by a quotation or a piece that ends in the middle of a command, is read whole.  Of
text that Lean would refuse, declarations may end elsewhere than when it is read whole.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from unsorry import UnsorryError
from unsorry.lean.source import Command, Scope, Source, full_name, namespace, parse, split_name
from unsorry.lean.source.commands import AT_LINE_START, MAX_SCOPES, MODIFIERS, RESERVED
from unsorry.repos.cache import Cache
from unsorry.repos.declarations import LARGEST, Declared, Outline, declared, outline, text_of
from unsorry.repos.objects import Repository

FILES, PIECES = 20_000, 100_000  # declarations that are kept, in whole files and in pieces
_CUT = re.compile(
    r"(?<=\n)[ \t]*\r?\n(?=(?:theorem|lemma|def|abbrev|instance|structure|class|inductive|namespace|section|end|open"
    r"|variable|universe|private|protected|noncomputable|example|set_option|attribute|mutual)\b|@\[|/--|/-!)"
)
_BENDS = re.compile(r"#exit|`\(|`\[")  # nothing is read behind the one; a quotation goes on over any line
_SCOPE = re.compile(r"(?:[ \t]+((?:«[^»\n]*»|[^\s«])+))?\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a file, read alone.  `steps`: declarations with their names as written, and what opens and closes scopes,
    in order; None for a piece that has to be read with the others."""

    steps: tuple[Declared | tuple[Scope, ...] | int, ...] | None
    count: int = 0  # of its declarations
    commands: int = 0
    holes: int = 0


@dataclass(slots=True)
class Outlines:
    """Outlines of a repository's files by their blobs, so many of them that memory stays bounded."""

    repository: Repository
    whole: int = 0  # files that were read whole
    _files: Cache[Outline] = field(default_factory=lambda: Cache(FILES, lambda o: len(o.declarations)))
    _pieces: Cache[Piece] = field(default_factory=lambda: Cache(PIECES, lambda p: p.count))

    def of(self, blob: str) -> Outline:
        """Raises Unreadable where the blob is not there."""
        return self._files.get(blob, lambda: self.outline(self.repository.blob(blob, LARGEST)))

    def outline(self, data: bytes) -> Outline:
        """As `declarations.outline`."""
        found = self._joined(data)
        if found is None:
            self.whole += 1
            return outline(data)
        return found

    def _joined(self, data: bytes) -> Outline | None:
        """From the pieces, None where the file has to be read whole."""
        try:
            text = text_of(data)
        except UnsorryError:
            return None
        if _BENDS.search(text):
            return None
        cuts = [0, *(match.end() for match in _CUT.finditer(text)), len(text)]
        scopes: list[Scope] = []
        found: list[Declared] = []
        commands = holes = 0
        for start, end in pairwise(cuts):
            part = text[start:end]
            piece = self._pieces.get(hashlib.sha256(part.encode()).hexdigest(), partial(_piece, part))
            if piece.steps is None:
                return None
            for step in piece.steps:
                if isinstance(step, Declared):
                    found.append(_placed(step, scopes, start, commands))
                elif isinstance(step, int):
                    del scopes[max(0, len(scopes) - step) :]
                else:
                    scopes.extend(step)
                    if len(scopes) > MAX_SCOPES:
                        return None
            commands += piece.commands
            holes += piece.holes
        return Outline(tuple(found), holes)


def _placed(d: Declared, scopes: list[Scope], start: int, commands: int) -> Declared:
    """A declaration of a piece in its file."""
    return Declared(
        full_name(d.name, scopes) if d.name else "", d.kind, d.private, d.statement, d.stated, d.body, d.holes,
        d.index + commands, d.body_at + start if d.body_at >= 0 else -1, d.end + start, d.fillable,
    )  # fmt: skip


def _piece(text: str) -> Piece:
    try:
        source = parse(text)
    except (UnsorryError, RecursionError):
        return Piece(None)
    if not _alone(source):
        return Piece(None)
    by_index = {d.index: d for d in declared(source)}
    steps: list[Declared | tuple[Scope, ...] | int] = []
    for index, command in enumerate(source.commands):
        if index in by_index:
            steps.append(_as_written(by_index[index], command, source))
        elif command.kind in ("namespace", "section", "mutual", "end"):
            rest = _SCOPE.match(source.text[command.keyword + len(command.kind) : command.end])
            if rest is None:
                return Piece(None)
            parts = split_name(rest[1] or "")
            if command.kind == "end":
                steps.append(max(1, len(parts)))
            elif parts and command.kind != "mutual":
                steps.append(tuple(Scope(command.kind, part) for part in parts))
            else:
                steps.append((Scope(command.kind, ""),))
    return Piece(tuple(steps), len(by_index), len(source.commands), len(source.holes))


def _alone(source: Source) -> bool:
    """Whether a piece begins with a command of its own, and the last does not go on behind it."""
    if not source.commands:
        return True
    first, last = source.commands[0], source.commands[-1]
    words = source.text[last.start : last.end].split()
    unfinished = words[-1] in ("in", "deriving", *MODIFIERS) or source.text.rfind("@[") > source.text.rfind("]")
    return _is_command(first) and _is_command(last) and not unfinished


def _is_command(command: Command) -> bool:
    return command.kind in RESERVED or command.kind in AT_LINE_START or command.kind.startswith(("/-!", "#"))


def _as_written(d: Declared, command: Command, source: Source) -> Declared:
    """With its name as it is written, for the scopes of the file."""
    if not d.name:
        return d
    if source.text.startswith("_root_.", command.name_at):
        return replace(d, name=f"_root_.{d.name}")
    inside = namespace(command.scopes)
    return replace(d, name=d.name.removeprefix(f"{inside}.") if inside else d.name)
