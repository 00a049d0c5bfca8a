"""Lean sources as training text: cut at declarations into pieces of a length that a model can read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean import source

LIMIT = 2000  # bytes


def lean_documents(folder: Path, *, limit: int = LIMIT) -> Iterator[str]:
    """The .lean files below a folder in the order of their names, in pieces of at most `limit` bytes.

    A piece holds whole declarations with the comments before them; one that is longer by itself is left out, as half a
    declaration teaches nothing.  Headers (imports) are left out too.
    """
    files = sorted(path for path in Path(folder).rglob("*.lean") if path.is_file())
    if not files:
        raise UnsorryError(f"{folder} holds no .lean file; name a folder of Lean sources")
    for path in files:
        yield from pieces(source.read_file(path), limit)


def pieces(text: str, limit: int = LIMIT) -> Iterator[str]:
    """Runs of whole commands of at most `limit` bytes."""
    parsed = source.parse(text)
    held, size = "", 0
    begun = parsed.header.end
    for command in parsed.commands:
        part = text[begun : command.end].strip("\n")
        begun = command.end
        length = len(part.encode("utf-8", "surrogatepass")) + 1
        if size + length > limit and held:
            yield held
            held, size = "", 0
        if length <= limit:
            held, size = f"{held}{part}\n", size + length
    if held:
        yield held
