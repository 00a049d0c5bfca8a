"""The header of a Lean file: `module`, `prelude`, imports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unsorry.lean.source.tokens import Kind, Text


@dataclass(frozen=True, slots=True)
class Import:
    module: str
    public: bool = False
    meta: bool = False
    all: bool = False


@dataclass(frozen=True, slots=True)
class Header:
    """`end` is the offset just behind the last token of the header (0 if there is none)."""

    imports: tuple[Import, ...] = ()
    module: bool = False
    prelude: bool = False
    end: int = 0


def read_header(source: Text, significant: Sequence[int]) -> tuple[Header, int]:
    """The header, and how many of the `significant` tokens it takes."""
    count = len(significant)

    def word(at: int) -> str:
        return source.token_text(significant[at]) if at < count else ""

    at = int(word(0) == "module")
    module = at == 1
    prelude = word(at) == "prelude"
    at += prelude
    imports: list[Import] = []
    while at < count:
        ahead, flags = at, {"public": False, "meta": False}
        while word(ahead) in flags:
            flags[word(ahead)] = True
            ahead += 1
        if word(ahead) != "import":
            break
        ahead += 1
        everything = word(ahead) == "all" and ahead + 1 < count and source.kinds[significant[ahead + 1]] == Kind.IDENT
        everything = everything and word(ahead + 1) not in ("import", "public", "meta")
        ahead += everything
        if ahead >= count or source.kinds[significant[ahead]] != Kind.IDENT:
            break
        imports.append(Import(word(ahead), flags["public"], flags["meta"], everything))
        at = ahead + 1
    end = source.ends[significant[at - 1]] if at else 0
    return Header(tuple(imports), module, prelude, end), at
