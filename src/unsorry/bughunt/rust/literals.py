"""Literals."""

from __future__ import annotations

import re

from tree_sitter import Node

from .. import ir
from .body import Body, handles
from .infer import integral
from .syntax import child, named, text

_INT = re.compile(r"(0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+|[0-9][0-9_]*)((?:u|i)(?:8|16|32|64|128|size))?")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "0": "\0", "'": "'", '"': '"'}


@handles("integer_literal")
def integer(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`12`, `0xff_u8`."""
    match = _INT.fullmatch(text(node))
    if match is None:
        raise body.refuse("float", f"literal `{text(node)[:40]}`", node)
    digits, suffix = match[1].replace("_", ""), match[2]
    if len(digits) > 140:
        raise body.refuse("literal", "literal longer than any integer", node)
    value = int(digits, 0) if digits[:2].lower() in ("0x", "0o", "0b") else int(digits)
    if suffix is not None:
        ty: ir.Type = ir.Scalar(suffix)
    else:
        hint = body.inference.resolve(want) if want is not None else None
        ty = hint if hint is not None and integral(hint) else body.inference.fresh(integer=True)
    return ir.IntLit(ty=ty, span=body.span(node), value=value)


@handles("float_literal")
def floating(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """Refused."""
    raise body.refuse("float", f"literal `{text(node)[:40]}`", node)


@handles("boolean_literal")
def boolean(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`true`."""
    return ir.BoolLit(ty=ir.BOOL, span=body.span(node), value=text(node) == "true")


def unescape(written: str) -> str | None:
    """The characters of a literal's inside; None if an escape is not known."""
    out, i = [], 0
    while i < len(written):
        if written[i] != "\\":
            out.append(written[i])
            i += 1
        elif written[i + 1] in _ESCAPES:
            out.append(_ESCAPES[written[i + 1]])
            i += 2
        elif match := re.compile(r"\\x([0-9a-fA-F]{2})|\\u\{([0-9a-fA-F_]+)\}").match(written, i):
            code = int((match[1] or match[2]).replace("_", ""), 16)
            if code > 0x10FFFF:
                return None
            out.append(chr(code))
            i = match.end()
        else:
            return None
    return "".join(out)


def character_value(body: Body, node: Node) -> tuple[str, bool]:
    """The character of a literal, and whether it is a byte."""
    written = text(node)
    byte = written.startswith("b")
    inside = unescape(written[written.index("'") + 1 : -1])
    if inside is None or len(inside) != 1 or (byte and ord(inside) > 255):
        raise body.refuse("literal", f"literal `{written[:40]}`", node)
    return inside, byte


@handles("char_literal")
def character(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`'a'`, `b'a'`."""
    value, byte = character_value(body, node)
    if byte:
        return ir.IntLit(ty=ir.U8, span=body.span(node), value=ord(value))
    return ir.CharLit(ty=ir.CHAR, span=body.span(node), value=value)


@handles("string_literal", "raw_string_literal")
def string(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`"text"`, and `b"text"`, which is a reference to an array."""
    written, span = text(node), body.span(node)
    quote = written.index('"')
    inside = written[quote + 1 : written.rindex('"')]
    prefix = written[:quote]
    value = inside if "r" in prefix else unescape(inside)
    if value is None or prefix.startswith("c"):
        raise body.refuse("literal", f"literal `{written[:40]}`", node)
    if not prefix.startswith("b"):
        return ir.StrLit(ty=ir.Ref(False, ir.Str()), span=span, value=value)
    if any(ord(c) > 255 for c in value):
        raise body.refuse("literal", f"literal `{written[:40]}`", node)
    ty = ir.Array(ir.U8, len(value))
    items = tuple(ir.IntLit(ty=ir.U8, span=span, value=ord(c)) for c in value)
    return body.borrow(ir.ListLit(ty=ty, span=span, items=items), False)


@handles("unit_expression")
def unit(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`()`."""
    return ir.TupleLit(ty=ir.UNIT, span=body.span(node), items=())


@handles("tuple_expression")
def tuples(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`(a, b)`."""
    wanted = body.inference.resolve(want) if want is not None else None
    parts = named(node)
    hints = wanted.items if isinstance(wanted, ir.Tuple) and len(wanted.items) == len(parts) else None
    items = tuple(body.check(part, hints[n]) if hints is not None else body.lower(part) for n, part in enumerate(parts))
    return ir.TupleLit(ty=ir.Tuple(tuple(i.ty for i in items)), span=body.span(node), items=items)


@handles("parenthesized_expression")
def parenthesized(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`(a)`."""
    return body.lower(named(node)[0], want)


@handles("array_expression")
def array(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`[a, b]` and `[x; n]`."""
    if child(node, "attribute_item") is not None:
        raise body.refuse("attribute", "attribute in an expression", node)
    wanted = body.inference.resolve(want) if want is not None else None
    item = wanted.item if isinstance(wanted, ir.Array | ir.Slice) else body.inference.fresh()
    return listing(body, node, item, vector=False)


def listing(body: Body, node: Node, item: ir.Type, vector: bool) -> ir.Expr:
    """The items of an array or `vec!`."""
    span, length = body.span(node), node.child_by_field_name("length")
    if length is None:
        items = tuple(body.check(part, item) for part in named(node))
        ty: ir.Type = ir.Vec(item) if vector else ir.Array(item, len(items))
        return ir.ListLit(ty=ty, span=span, items=items)
    value = body.check(named(node)[0], item)
    if vector:
        return ir.Repeat(ty=ir.Vec(item), span=span, item=value, count=body.check(length, ir.USIZE))
    count = body.world.length(body.types, length)
    size = ir.IntLit(ty=ir.USIZE, span=span, value=count)
    return ir.Repeat(ty=ir.Array(item, count), span=span, item=value, count=size)
