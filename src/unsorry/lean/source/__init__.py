"""The text of a Lean file: tokens, header, commands, declarations, holes.

    source = parse(text)
    source.header.imports, source.commands, source.declarations, source.holes

`parse` accepts any text; it raises UnsorryError for a comment or string that does not end, and says where it began.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.source.commands import Command, Scope, Splitter, full_name, namespace, split_name
from unsorry.lean.source.header import Header, Import, read_header
from unsorry.lean.source.holes import Hole, find_holes
from unsorry.lean.source.patch import replace_hole
from unsorry.lean.source.tokens import TRIVIA, Kind, Text, Token

__all__ = [
    "TRIVIA", "Command", "Header", "Hole", "Import", "Kind", "Scope", "Source", "Text", "Token", "decode", "full_name",
    "namespace", "parse", "read_bytes", "read_file", "replace_hole", "split_name",
]  # fmt: skip

MAX_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed file.  All offsets are in codepoints of `text`."""

    lines: Text
    header: Header
    commands: tuple[Command, ...]
    holes: tuple[Hole, ...]

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def declarations(self) -> tuple[Command, ...]:
        return tuple(command for command in self.commands if command.is_declaration)

    def declaration(self, name: str) -> Command | None:
        """The declaration of that full name, without regard to `«»`."""
        plain = name.replace("«", "").replace("»", "")
        return next((c for c in self.declarations if c.name.replace("«", "").replace("»", "") == plain), None)

    def label(self, command: Command) -> str:
        """The name of a command for people: anonymous ones are told by their line."""
        return command.name or f"{command.kind} at line {self.lines.line(command.keyword)}"


def parse(text: str) -> Source:
    lines = Text(text)
    splitter = Splitter(lines)
    header, begin = read_header(lines, splitter.tokens)
    commands = splitter.split(begin)
    last = next((index for index, command in enumerate(commands) if command.kind == "#exit"), len(commands))
    commands = commands[: last + 1]  # Lean reads nothing behind it
    return Source(lines, header, tuple(commands), tuple(find_holes(lines, commands, splitter)))


def decode(data: bytes, name: str) -> str:
    """The text of a file; raises UnsorryError that names the first byte which is no UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnsorryError(
            f"{name} is not UTF-8: byte 0x{data[error.start]:02x} at line {line}; convert it to UTF-8"
        ) from None


def read_file(path: Path, limit: int = MAX_BYTES) -> str:
    """The text of a file as it is, line ends included; raises UnsorryError if it cannot be read."""
    return decode(read_bytes(path, limit), str(path))


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; raises UnsorryError if it cannot be read."""
    try:
        if path.is_dir():
            raise UnsorryError(f"{path} is a folder; give a .lean file")
        if not path.is_file():
            raise UnsorryError(f"{path} does not exist" if not path.exists() else f"{path} is not a regular file")
        size = path.stat().st_size
        if size > limit:
            raise UnsorryError(f"{path} has {size >> 20} MiB, more than the {limit >> 20} MiB read as Lean source")
        return path.read_bytes()
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
