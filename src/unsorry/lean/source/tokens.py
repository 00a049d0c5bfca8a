"""Tokens of Lean 4 source text: lossless, in linear time, without recursion.

Lean's own tokenizer depends on the notations in scope; what decides where comments, strings and names begin and end
does not, save for the operators listed in `OPERATORS`, which hold `--` or `/-` or a quote when read to the end.
The concatenation of all tokens is the text.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from unsorry import UnsorryError


class Kind(IntEnum):
    SPACE = 0
    COMMENT = 1  # `-- ...` and `/- ... -/`
    DOC = 2  # `/-- ... -/` and `/-! ... -/`
    STRING = 3  # also raw strings
    INTERPOLATED = 4  # a piece of `s!"a {x} b"`: `"a {` or `} b"`
    CHAR = 5
    NUMBER = 6
    NAME = 7  # `` `a.b `` and ``` ``a.b ```
    IDENT = 8  # identifiers, dotted ones whole, and keywords
    SYMBOL = 9


TRIVIA = frozenset({Kind.SPACE, Kind.COMMENT})

# Lean.isIdFirst, isLetterLike, isIdRest, isSubScriptAlnum: the character classes of identifiers.
_LETTER_LIKE = (
    "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f"  # Latin-1 and Extended-A, but × and ÷
    "\u03b1-\u03ba\u03bc-\u03c9"  # lower Greek, but λ
    "\u0391-\u039f\u03a1-\u03a2\u03a4-\u03a9"  # upper Greek, but Π and Σ
    "\u03ca-\u03fb\u1f00-\u1ffe\u2100-\u214f\U0001d49c-\U0001d59f"
)
_SUBSCRIPT = "\u2080-\u2089\u2090-\u209c\u1d62-\u1d6a\u2c7c"
_FIRST = f"[A-Za-z_{_LETTER_LIKE}]"
_REST = f"[A-Za-z0-9_'!?{_LETTER_LIKE}{_SUBSCRIPT}]"
_PART = f"(?:{_FIRST}{_REST}*+|«[^»]*+»)"
_IDENT = f"{_PART}(?:\\.{_PART})*+"

OPERATORS = (
    ":=", "=>", "<|>", "<;>", "<|", "|>.", "|>", "//", "<->", "<-", "->", "!=", "==", "&&&", "&&", "|||", "||",
    "...", "..", "::", "<=", ">=", "<$>", "<*>", "<*", "*>", ">>=", "<=<", ">=>", ">>>", "<<<", "<&>", "^^^", "++",
    "|-", "⁻¹'", "''", "#[", "@[", "`(", "`[", "$(", "$[", ".{",
)  # fmt: skip
_OPERATOR = "|".join(re.escape(text) for text in sorted(OPERATORS, key=len, reverse=True))

# What begins a token.  The names of the first five are kinds; `_scan` finishes the others, and looks at what follows an
# identifier: `r"`, `r#"` open raw strings, `s!"` an interpolated one.
_TOKEN = re.compile(
    rf"""(?P<SPACE>[ \t\r\n\f]++|\ufeff)
    |(?P<IDENT>{_IDENT})
    |(?P<COMMENT>--[^\n]*+)
    |(?P<NUMBER>0[xX][0-9a-fA-F_]++|0[bB][01_]++|0[oO][0-7_]++|[0-9][0-9_]*+(?:\.[0-9][0-9_]*+)?(?:[eE][+-]?[0-9]++)?)
    |(?P<NAME>``?{_IDENT})
    |(?P<CHAR>'(?:[^'\\]|\\(?:x[0-9a-fA-F]{{2}}|u[0-9a-fA-F]{{4}}|[^xu]))')
    |(?P<block>/-)
    |(?P<string>")
    |(?P<SYMBOL>{_OPERATOR}|.)""",
    re.VERBOSE | re.DOTALL,
)
_KINDS = {index: int(Kind[name]) for name, index in _TOKEN.groupindex.items() if name.isupper()}
_RAW = re.compile(r'(#*+)"')
_STRING_REST = re.compile(r'(?:[^"\\]|\\.)*+"', re.DOTALL)
_PIECE = re.compile(r'(?:[^"\\{]|\\.)*+["{]', re.DOTALL)
_COMMENT_EDGE = re.compile(r"/-|-/")
# Heads after which a plain string is interpolated although nothing is glued to it.
_INTERPOLATING = frozenset({"throwError", "println!", "dbg_trace"})


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    start: int  # codepoints
    end: int
    text: str


class Text:
    """A Lean file: its text, tokens, and positions.  Lines count from 1, columns from 0, both in codepoints.

    Raises UnsorryError for a comment or string that does not end.
    """

    __slots__ = ("_bytes", "ends", "kinds", "lines", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = array("q", [0])
        self.lines.extend(match.end() for match in re.finditer("\n", text))
        self._bytes: array[int] | None = None
        self.kinds = bytearray()
        self.ends = array("q")
        _scan(self)

    def __len__(self) -> int:
        return len(self.kinds)

    def start(self, index: int) -> int:
        return self.ends[index - 1] if index else 0

    def token_text(self, index: int) -> str:
        return self.text[self.start(index) : self.ends[index]]

    def token(self, index: int) -> Token:
        start = self.start(index)
        return Token(Kind(self.kinds[index]), start, self.ends[index], self.text[start : self.ends[index]])

    def __iter__(self) -> Iterator[Token]:
        return (self.token(index) for index in range(len(self)))

    def line(self, offset: int) -> int:
        return bisect_right(self.lines, offset)

    def column(self, offset: int) -> int:
        return offset - self.lines[self.line(offset) - 1]

    def where(self, offset: int) -> str:
        return f"line {self.line(offset)}, column {self.column(offset) + 1}"

    def byte_offset(self, offset: int) -> int:
        """Bytes of UTF-8 before the codepoint at `offset`."""
        if self._bytes is None:
            self._bytes = array("q", [0])
            total = 0
            for index, start in enumerate(self.lines):
                end = self.lines[index + 1] if index + 1 < len(self.lines) else len(self.text)
                total += len(self.text[start:end].encode("utf-8", "surrogatepass"))
                self._bytes.append(total)
        line = self.line(offset) - 1
        return self._bytes[line] + len(self.text[self.lines[line] : offset].encode("utf-8", "surrogatepass"))


def _block_comment_end(source: Text, start: int) -> int:
    """The end of the block comment that opens at `start`; they nest."""
    depth = 0
    # `/--/` opens a doc comment and does not end it: the second dash belongs to the opening.
    skip = start + 3 if source.text.startswith(("/--", "/-!"), start) else start + 2
    depth = 1
    for edge in _COMMENT_EDGE.finditer(source.text, skip):
        depth += 1 if edge.group() == "/-" else -1
        if depth == 0:
            return edge.end()
    raise UnsorryError(f"the comment that opens at {source.where(start)} does not end: add `-/`")


def _unterminated(source: Text, what: str, start: int) -> UnsorryError:
    return UnsorryError(f"the {what} that opens at {source.where(start)} does not end: add its closing quote")


def _scan(source: Text) -> None:
    text, kinds, ends = source.text, source.kinds, source.ends
    braces: list[int] = []  # depth of `{` inside each interpolated string that is open
    position, head = 0, ""
    block, ident, space = _TOKEN.groupindex["block"], int(Kind.IDENT), int(Kind.SPACE)

    def piece(start: int, *, opening: bool) -> int:
        """Reads a piece of an interpolated string, from its `"` or `}`."""
        rest = _PIECE.match(text, start + 1)
        if rest is None:
            raise _unterminated(source, "string", start)
        closed = text[rest.end() - 1] == '"'
        if opening and not closed:
            braces.append(0)
        elif not opening and closed:
            braces.pop()
        return rest.end()

    def string(start: int, previous: str) -> tuple[Kind, int]:
        # One letter: `panic!"..."` and its kind take an ordinary string.
        glued = len(previous) == 2 and previous[1] == "!" and source.ends[-1] == start and kinds[-1] == ident
        if glued or previous in _INTERPOLATING:
            return Kind.INTERPOLATED, piece(start, opening=True)
        rest = _STRING_REST.match(text, start + 1)
        if rest is None:
            raise _unterminated(source, "string", start)
        return Kind.STRING, rest.end()

    scan = _TOKEN.scanner(text, 0).match  # type: ignore[attr-defined]  # Pattern.scanner is not in typeshed
    while match := scan():
        index, end = match.lastindex, match.end()
        kind = _KINDS.get(index)
        if kind == space:
            kinds.append(kind)
            ends.append(end)
            position = end
            continue
        resume = False
        if kind is None:
            resume = True
            if index == block:
                kind = int(Kind.DOC if text.startswith(("/--", "/-!"), position) else Kind.COMMENT)
                end = _block_comment_end(source, position)
            else:
                kind, end = string(position, head)
                head = ""
        elif kind == ident:
            head = text[position:end] if end - position < 12 else ""
            if head == "r" and (raw := _RAW.match(text, end)):
                resume, kind, closing = True, int(Kind.STRING), '"' + raw[1]
                end = text.find(closing, raw.end()) + len(closing)
                if end < raw.end() + len(closing):
                    raise _unterminated(source, "raw string", position)
        elif kind == Kind.SYMBOL:
            head = ""
            if braces:
                symbol = text[position:end]
                if symbol == "}" and braces[-1] == 0:
                    resume, kind, end = True, int(Kind.INTERPOLATED), piece(position, opening=False)
                else:
                    braces[-1] += symbol.endswith("{") - (symbol == "}")
        elif kind != Kind.COMMENT:
            head = ""
        kinds.append(kind)
        ends.append(end)
        position = end
        if resume:
            scan = _TOKEN.scanner(text, position).match  # type: ignore[attr-defined]
    if braces:
        raise UnsorryError(f"an interpolated string before {source.where(position)} does not end")
