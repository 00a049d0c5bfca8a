"""Rust expressions that our test programs print, read back as values; what is made by calls is not read."""

from __future__ import annotations

import re

from unsorry.bughunt import ir
from unsorry.bughunt.values import Data, Shapes, Value

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>-?\d+)|(?P<char>'(?:\\u\{[0-9a-f]+\}|\\.|[^\\'])')|(?P<path>vec!|[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)"""
    r"""|(?P<op>[\[\](){},:]))"""
)


class NotRead(Exception):
    """The text is no literal of this shape."""


class _Reader:
    def __init__(self, text: str, shapes: Shapes) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            match = _TOKEN.match(text, at)
            if match is None:
                raise NotRead
            self.tokens.append((match.lastgroup or "", match.group().strip()))
            at = match.end()
        self.at = 0
        self.shapes = shapes

    def next(self, wanted: str = "") -> tuple[str, str]:
        if self.at >= len(self.tokens):
            raise NotRead
        token = self.tokens[self.at]
        if wanted and token[1] != wanted:
            raise NotRead
        self.at += 1
        return token

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def items(self, types: list[ir.Type] | ir.Type, end: str) -> list[Value]:
        found: list[Value] = []
        while self.peek() != end:
            if isinstance(types, list):
                if len(found) >= len(types):
                    raise NotRead
                found.append(self.value(types[len(found)]))
            else:
                found.append(self.value(types))
            if self.peek() != end:
                self.next(",")
        self.next(end)
        if isinstance(types, list) and len(found) != len(types):
            raise NotRead
        return found

    def value(self, ty: ir.Type) -> Value:
        match ty:
            case ir.Scalar("bool"):
                return {"true": True, "false": False}[self.next()[1]]
            case ir.Scalar("char"):
                return _char(self.next()[1])
            case ir.Scalar(name):
                kind, word = self.next()
                if kind == "number":
                    return int(word)
                bounds = {f"{name}::MAX": ty.max, f"{name}::MIN": ty.min}
                return bounds[word]
            case ir.Vec(item):
                self.next("vec!")
                self.next("[")
                return self.items(item, "]")
            case ir.Array(item):
                self.next("[")
                return self.items(item, "]")
            case ir.Tuple(items):
                self.next("(")
                return tuple(self.items(list(items), ")"))
            case ir.Adt():
                return self.data(ty)
            case _:
                raise NotRead

    def data(self, ty: ir.Adt) -> Value:
        path = self.next()[1].removeprefix("crate::").removeprefix("core::cmp::")
        variant = ""
        if ty.path not in self.shapes.structs:
            variant = path.rpartition("::")[2]
        elif path != ty.path:
            raise NotRead
        fields = self.shapes.fields(ty, variant)
        types = [t for _, t in fields]
        shape = self.shapes.shape(ty, variant)
        if shape == "unit":
            return Data(ty.path, variant)
        if shape == "tuple":
            self.next("(")
            return Data(ty.path, variant, tuple(self.items(types, ")")))
        self.next("{")
        values: list[Value] = []
        for i, (name, field) in enumerate(fields):
            if i:
                self.next(",")
            self.next(name)
            self.next(":")
            values.append(self.value(field))
        self.next("}")
        return Data(ty.path, variant, tuple(values))


def _char(word: str) -> str:
    inner = word[1:-1]
    if match := re.fullmatch(r"\\u\{([0-9a-f]+)\}", inner):
        return chr(int(match[1], 16))
    if inner.startswith("\\"):
        return {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(inner[1], inner[1])
    return inner


def read_value(text: str, ty: ir.Type, shapes: Shapes) -> Value | None:
    """The value, None for text that is made by calls or that is not understood."""
    try:
        reader = _Reader(text, shapes)
        value = reader.value(ty)
        return value if reader.at == len(reader.tokens) else None
    except (NotRead, KeyError, IndexError, StopIteration):
        return None


_LEAN = re.compile(r"\s*([()]|-?\d+|[A-Za-z_][\w.]*)")


def read_lean(text: str, ty: ir.Type) -> Value | None:
    """A Lean term of numbers, truth values and lists as a value; None for any other term."""
    words = _LEAN.findall(text)
    if "".join(words) != "".join(text.split()):
        return None
    try:
        value, rest = _lean(words, ty)
    except (NotRead, IndexError, KeyError, ValueError):
        return None
    return value if not rest else None


def _lean(words: list[str], ty: ir.Type) -> tuple[Value, list[str]]:
    if words[0] == "(":
        value, rest = _lean(words[1:], ty)
        if rest[0] != ")":
            raise NotRead
        return value, rest[1:]
    head, rest = words[0], words[1:]
    if isinstance(ty, ir.Vec | ir.Array):
        if head == "List.nil":
            return [], rest
        if head != "List.cons":
            raise NotRead
        first, rest = _lean(rest, ty.item)
        more, rest = _lean(rest, ir.Vec(ty.item))
        return [first, *(more if isinstance(more, list) else [])], rest
    if ty == ir.BOOL:
        return {"true": True, "false": False, "Bool.true": True, "Bool.false": False}[head], rest
    if isinstance(ty, ir.Scalar) and ty.is_int:
        if head in ("Int.ofNat", "Int.negSucc"):
            number, rest = _lean(rest, ir.Scalar("i128"))
            assert isinstance(number, int)
            return (number if head == "Int.ofNat" else -number - 1), rest
        return int(head), rest
    raise NotRead
