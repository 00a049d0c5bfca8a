"""The file to fill: its bytes, its text, the holes that are asked for, and the patched bytes.

Line ends, a byte order mark, tabs and trailing space stay as they are outside the proofs: the text that Lean sees has
`\\n` for `\\r\\n`, as Lean itself reads it, and edits are carried back to the bytes.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.source import Hole, Source, decode, parse, read_bytes

_SELECTOR = re.compile(r"(?P<path>.*?\.lean)(?::(?P<name>.+)|#L?(?P<line>[0-9]+))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in the place of `start:end`."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Iterable[Edit], start: int = 0, end: int | None = None) -> str:
    """`text[start:end]` with the edits that lie inside; edits must not overlap."""
    end = len(text) if end is None else end
    parts, position = [], start
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if start <= edit.start and edit.end <= end:
            parts += [text[position : edit.start], edit.text]
            position = edit.end
    return "".join([*parts, text[position:end]])


@dataclass(frozen=True, slots=True)
class Unit:
    """What is judged together: a command, or a whole `mutual` block; `first` and `last` index the commands."""

    first: int
    last: int
    start: int
    end: int


class Document:
    """A Lean file that is to be filled."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data = path, data
        raw = decode(data, str(path))
        self.mark = raw[:1] if raw[:1] == "\ufeff" else ""
        raw = raw[len(self.mark) :]
        ends = [match.start() for match in re.finditer("\r\n", raw)]
        self._returns = [at - index for index, at in enumerate(ends)]  # offsets in `text` of newlines that had a \r
        self.raw, self.text = raw, raw.replace("\r\n", "\n")
        self.newline = "\r\n" if 2 * len(ends) > self.text.count("\n") else "\n"
        try:
            self.source: Source = parse(self.text)
        except UnsorryError as error:
            raise UnsorryError(f"{path}: {error}") from None

    def unit(self, index: int) -> Unit:
        """The unit of the command at `index`."""
        commands = self.source.commands
        first = last = index
        if commands[index].in_mutual:
            while commands[first].kind != "mutual":
                first -= 1
            depth = len(commands[first].scopes)
            while last + 1 < len(commands):
                if commands[last].kind == "end" and len(commands[last].scopes) <= depth + 1:
                    break
                last += 1
        return Unit(first, last, commands[first].start, commands[last].end)

    def patched(self, edits: Iterable[Edit]) -> bytes:
        """The file's bytes with the edits made, and not a byte changed elsewhere."""
        at = self._raw_offset
        carried = [Edit(at(e.start), at(e.end), e.text.replace("\n", self.newline)) for e in edits]
        return (self.mark + apply(self.raw, carried)).encode("utf-8")

    def _raw_offset(self, offset: int) -> int:
        return offset + bisect_left(self._returns, offset)

    def diff(self, edits: Iterable[Edit]) -> str:
        """What the edits change, as a unified diff."""
        before = self.text.splitlines(keepends=True)
        after = apply(self.text, edits).splitlines(keepends=True)
        for lines in (before, after):
            if lines and not lines[-1].endswith("\n"):
                lines[-1] += "\n\\ No newline at end of file\n"
        name = self.path.as_posix()
        return "".join(difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"))


def parse_target(target: str) -> tuple[Path, str, int]:
    """(path, name or "", line or 0) of `FILE.lean`, `FILE.lean:name` or `FILE.lean#L42`."""
    match = _SELECTOR.fullmatch(target)
    if match is None or Path(target).exists():
        return Path(target), "", 0
    return Path(match["path"]), match["name"] or "", int(match["line"] or 0)


def open_document(path: Path, data: bytes | None = None) -> Document:
    """Reads and parses the file, or what was read of it; raises UnsorryError for anything that is no Lean source."""
    data = read_bytes(path) if data is None else data
    if path.suffix != ".lean":
        raise UnsorryError(f"{path} is not a .lean file")
    if b"\0" in data[:4096]:
        raise UnsorryError(f"{path} is not Lean source: it holds zero bytes")
    return Document(path, data)


def select(document: Document, name: str = "", line: int = 0) -> tuple[Hole, ...]:
    """The holes that are asked for; raises UnsorryError if there is none."""
    source, path = document.source, document.path
    if not source.holes:
        raise UnsorryError(f"{path} holds no sorry: there is nothing to prove")
    if line:
        found = tuple(hole for hole in source.holes if hole.line == line)
        if not found:
            raise UnsorryError(f"{path} has no sorry on line {line}; there are some on {_lines(source.holes)}")
        return found
    if name:
        return _named(source, name, path)
    return source.holes


def _named(source: Source, name: str, path: Path) -> tuple[Hole, ...]:
    names = {command.name for command in source.declarations if command.name}
    plain = {full.replace("«", "").replace("»", ""): full for full in names}
    wanted = name.replace("«", "").replace("»", "")
    matches = [full for text, full in plain.items() if text == wanted]
    matches = matches or [full for text, full in plain.items() if text.endswith("." + wanted)]
    if not matches:
        known = dict.fromkeys([*plain, *(full.rpartition(".")[2] for full in plain)])
        close = difflib.get_close_matches(wanted, known, 3, 0.6)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        raise UnsorryError(f"{path} declares no {name}{hint}")
    if len(matches) > 1:
        raise UnsorryError(f"{path} declares several {name}: say which of {', '.join(sorted(matches))}")
    holes = tuple(hole for hole in source.holes if source.commands[hole.command].name == matches[0])
    if not holes:
        raise UnsorryError(f"{matches[0]} in {path} has no sorry")
    return holes


def _lines(holes: Sequence[Hole]) -> str:
    numbers = sorted({hole.line for hole in holes})
    shown = ", ".join(map(str, numbers[:8])) + (", ..." if len(numbers) > 8 else "")
    return f"line{'s' if len(numbers) > 1 else ''} {shown}"
