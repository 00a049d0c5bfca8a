"""Read S-expressions with positions; iterative, so that nesting cannot exhaust the stack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError

MAX_DEPTH = 200  # later passes recurse over the tree
MAX_BYTES = 4_000_000

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+|;[^\n]*)
      | (?P<open>\() | (?P<close>\))
      | (?P<quoted>\|[^|\\]*\|)
      | (?P<string>"(?:[^"]|"")*")
      | (?P<symbol>[^\s()|";]+)""",
    re.VERBOSE,
)


class TipError(UnsorryError):
    """A file that cannot be translated: `where` is file:line, `reason` says what is not covered."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Atom:
    """A symbol, numeral, keyword or string; `quoted` symbols (`|x|`) are stored without their bars."""

    text: str
    where: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """A parenthesised list."""

    items: tuple[Sexp, ...]
    where: str

    def head(self) -> str | None:
        """The text of a leading symbol, else None."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Atom) else None


Sexp = Atom | Node


def symbol(sexp: Sexp) -> str:
    """The text of an atom."""
    if isinstance(sexp, Atom):
        return sexp.text
    raise TipError(sexp.where, "expected a name")


def items(sexp: Sexp) -> tuple[Sexp, ...]:
    """What is in a list."""
    if isinstance(sexp, Node):
        return sexp.items
    raise TipError(sexp.where, f"expected a list, not `{sexp.text[:40]}`")


def exactly(sexp: Sexp, count: int, usage: str) -> tuple[Sexp, ...]:
    """The parts of a list of `count`; `usage` shows what it should be."""
    if isinstance(sexp, Node) and len(sexp.items) == count:
        return sexp.items
    raise TipError(sexp.where, f"expected {usage}")


def fields(form: Node, count: int, usage: str) -> tuple[Sexp, ...]:
    """The arguments of a form, `count` of them."""
    if len(form.items) != count + 1:
        raise TipError(form.where, f"expected {usage}")
    return form.items[1:]


def par(sexp: Sexp) -> tuple[tuple[str, ...], Sexp]:
    """Type variables and body of `(par (VARIABLES) BODY)`; no variables for anything else."""
    if isinstance(sexp, Node) and sexp.head() == "par":
        names, body = fields(sexp, 2, "(par (VARIABLES) ...)")
        return tuple(symbol(n) for n in items(names)), body
    return (), sexp


def read(text: str, name: str) -> list[Sexp]:
    """All top-level S-expressions of `text`; `name` is used in error positions."""
    top: list[Sexp] = []
    stack: list[tuple[list[Sexp], str]] = []
    for kind, token, line in _tokens(text, name):
        where = f"{name}:{line}"
        if kind == "open":
            if len(stack) >= MAX_DEPTH:
                raise TipError(where, f"nested deeper than {MAX_DEPTH} levels")
            stack.append(([], where))
        elif kind == "close":
            if not stack:
                raise TipError(where, "closing parenthesis without an opening one")
            items, start = stack.pop()
            (stack[-1][0] if stack else top).append(Node(tuple(items), start))
        else:
            quoted = kind == "quoted"
            atom = Atom(token[1:-1] if quoted else token, where, quoted)
            (stack[-1][0] if stack else top).append(atom)
    if stack:
        raise TipError(stack[-1][1], "parenthesis is never closed")
    return top


def read_file(path: Path) -> list[Sexp]:
    """Read one file; errors (missing, too large, not UTF-8) are `TipError`."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise TipError(str(path), f"{size} bytes; files over {MAX_BYTES} bytes are not read")
        data = path.read_bytes()
    except OSError as error:
        raise TipError(str(path), f"cannot be read: {error.strerror}") from None
    try:
        return read(data.decode("utf-8"), str(path))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TipError(f"{path}:{line}", "is not UTF-8") from None


def _tokens(text: str, name: str) -> Iterator[tuple[str, str, int]]:
    position, line = 0, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            what = "unterminated quoted symbol" if text[position] == "|" else "unterminated string"
            raise TipError(f"{name}:{line}", what)
        token, kind = match.group(), match.lastgroup
        assert kind is not None
        if kind != "space":
            yield kind, token, line
        line += token.count("\n")
        position = match.end()
