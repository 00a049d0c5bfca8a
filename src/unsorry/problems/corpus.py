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
    held = ""
    begun = parsed.header.end
    for command in parsed.commands:
        part = text[begun : command.end]
        begun = command.end
        if held and _bytes(held + part) > limit:
            yield f"{held}\n"
            held = ""
        part = held + part if held else part.lstrip()
        held = part if _bytes(part) <= limit else ""
    if held:
        yield f"{held}\n"


def _bytes(text: str) -> int:
    """Length of a piece, with the line end behind it."""
    return len(text.encode("utf-8", "surrogatepass")) + 1
