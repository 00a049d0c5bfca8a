"""Values of the Rust subset, as Python data, and what they look like in Rust and in Lean.

|Rust|Python|Lean|
|---|---|---|
|integers|int|Int|
|bool|bool|Bool|
|char|str of one character|Int (its code point)|
|tuple, ()|tuple|Prod, Unit|
|array, slice, Vec|list|List|
|struct, enum, Option, Result, Ordering|Data|structure, inductive|
|&str|str|String|
|references|what they refer to|the same|
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from unsorry import UnsorryError
from unsorry.bughunt import ir


@dataclass(frozen=True, slots=True)
class Data:
    """A struct (variant "") or a variant of an enum; fields in the order of their declaration."""

    path: str
    variant: str = ""
    fields: tuple[Value, ...] = ()


Value = int | bool | str | tuple["Value", ...] | list["Value"] | Data

NONE = Data("Option", "None")


def some(value: Value) -> Data:
    """`Some(value)`."""
    return Data("Option", "Some", (value,))


def ok(value: Value) -> Data:
    """Rust's `Ok(value)`."""
    return Data("Result", "Ok", (value,))


def err(value: Value) -> Data:
    """Rust's `Err(value)`."""
    return Data("Result", "Err", (value,))


# What a call does, in Lean and in Rust.


@dataclass(frozen=True, slots=True)
class Returned:
    """The result; `changed` are the final values of the `&mut` parameters, in order."""

    value: Value
    changed: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Panicked:
    """`kind` is a name of the library's `Error` (Lean) or the panic's message (Rust); comparisons pass over it."""

    kind: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Panicked)

    def __hash__(self) -> int:
        return hash(Panicked)


@dataclass(frozen=True, slots=True)
class Endless:
    """Lean ran out of fuel, or Rust out of time: nothing is known."""


Outcome = Returned | Panicked | Endless


class Shapes:
    """The structs and enums of a crate, for reading and writing values."""

    def __init__(self, crate: ir.Crate) -> None:
        self.structs = {s.path: s for s in crate.structs}
        self.enums = {**ir.BUILTIN_ENUMS, **{e.path: e for e in crate.enums}}

    def fields(self, ty: ir.Adt, variant: str) -> tuple[tuple[str, ir.Type], ...]:
        """Names and types of the fields of a struct (variant "") or a variant.  Raises KeyError for unknown ones."""
        if ty.path in self.structs:
            struct = self.structs[ty.path]
            generics, fields = struct.generics, struct.fields
        else:
            enum = self.enums[ty.path]
            generics = enum.generics
            found = [v.fields for v in enum.variants if v.name == variant]
            if not found:
                raise KeyError(variant)
            fields = found[0]
        known = {g.name: a for g, a in zip(generics, ty.args, strict=False)}
        return tuple((f.name, substitute(f.ty, known)) for f in fields)

    def shape(self, ty: ir.Adt, variant: str) -> str:
        """`named`, `tuple` or `unit`."""
        if ty.path in self.structs:
            return self.structs[ty.path].shape
        return next(v.shape for v in self.enums[ty.path].variants if v.name == variant)


def substitute(ty: ir.Type, known: Mapping[str, ir.Type]) -> ir.Type:
    """The type with type parameters replaced."""
    match ty:
        case ir.TypeParam(name):
            return known.get(name, ty)
        case ir.Tuple(items):
            return ir.Tuple(tuple(substitute(t, known) for t in items))
        case ir.Array(item, length):
            return ir.Array(substitute(item, known), length)
        case ir.Slice(item):
            return ir.Slice(substitute(item, known))
        case ir.Vec(item):
            return ir.Vec(substitute(item, known))
        case ir.Ref(mutable, target):
            return ir.Ref(mutable, substitute(target, known))
        case ir.Adt(path, args):
            return ir.Adt(path, tuple(substitute(t, known) for t in args))
        case _:
            return ty


def rust_type(ty: ir.Type, prefix: str = "crate") -> str:
    """The type as Rust text; types of the crate are written `prefix::path`."""
    match ty:
        case ir.Scalar(name) | ir.TypeParam(name):
            return name
        case ir.Never():
            return "!"
        case ir.Str():
            return "str"
        case ir.Tuple(items):
            return "(" + "".join(rust_type(t, prefix) + ", " for t in items).rstrip() + ")"
        case ir.Array(item, length):
            return f"[{rust_type(item, prefix)}; {length}]"
        case ir.Slice(item):
            return f"[{rust_type(item, prefix)}]"
        case ir.Vec(item):
            return f"Vec<{rust_type(item, prefix)}>"
        case ir.Ref(mutable, target):
            return f"&{'mut ' if mutable else ''}{rust_type(target, prefix)}"
        case ir.Adt(path, args):
            inner = ", ".join(rust_type(t, prefix) for t in args)
            return rust_path(path, prefix) + (f"<{inner}>" if args else "")


_STANDARD = {
    "Option": "Option",
    "Result": "Result",
    "Ordering": "core::cmp::Ordering",
    "TryFromIntError": "core::num::TryFromIntError",
}


def rust_path(path: str, prefix: str = "crate") -> str:
    """The path of a struct or enum as Rust text."""
    return _STANDARD.get(path) or f"{prefix}::{path}"


def rust_literal(value: Value, ty: ir.Type, shapes: Shapes, prefix: str = "crate") -> str:
    """The value as a Rust expression of type `ty`; a reference borrows a temporary.  Raises UnsorryError."""
    match value, ty:
        case bool(), ir.Scalar("bool"):
            return "true" if value else "false"
        case int(), ir.Scalar(name) if ty.is_int and not isinstance(value, bool):
            return f"({value}{name})" if value < 0 else f"{value}{name}"
        case str(), ir.Scalar("char") if len(value) == 1:
            return f"'\\u{{{ord(value):x}}}'"
        case str(), ir.Ref(False, ir.Str()):
            return '"' + "".join(c if c.isalnum() or c == " " else f"\\u{{{ord(c):x}}}" for c in value) + '"'
        case _, ir.Ref(mutable, ir.Slice(item)):
            inner = rust_literal(value, ir.Vec(item), shapes, prefix)
            return f"&{'mut ' if mutable else ''}{inner}[..]"
        case _, ir.Ref(mutable, target):
            return f"&{'mut ' if mutable else ''}{rust_literal(value, target, shapes, prefix)}"
        case tuple(), ir.Tuple(items) if len(items) == len(value):
            return (
                "("
                + "".join(f"{rust_literal(v, t, shapes, prefix)}, " for v, t in zip(value, items, strict=True)).strip()
                + ")"
            )
        case list(), ir.Vec(item):
            if not value:
                return f"Vec::<{rust_type(item, prefix)}>::new()"
            return "vec![" + ", ".join(rust_literal(v, item, shapes, prefix) for v in value) + "]"
        case list(), ir.Array(item, length) if len(value) == length:
            return "[" + ", ".join(rust_literal(v, item, shapes, prefix) for v in value) + "]"
        case Data(), ir.Adt(path) if path == value.path:
            return _rust_data(value, ty, shapes, prefix)
    raise UnsorryError(f"{value!r} is no value of the Rust type {rust_type(ty, prefix)}")


def _rust_data(value: Data, ty: ir.Adt, shapes: Shapes, prefix: str) -> str:
    inner = ", ".join(rust_type(t, prefix) for t in ty.args)
    head = rust_path(ty.path, prefix) + (f"::<{inner}>" if ty.args else "")
    if value.variant:
        head += f"::{value.variant}"
    fields = shapes.fields(ty, value.variant)
    texts = [rust_literal(v, t, shapes, prefix) for v, (_, t) in zip(value.fields, fields, strict=True)]
    match shapes.shape(ty, value.variant):
        case "unit":
            return head
        case "tuple":
            return f"{head}({', '.join(texts)})"
        case _:
            return head + " { " + ", ".join(f"{n}: {t}" for (n, _), t in zip(fields, texts, strict=True)) + " }"


def lean_string(text: str) -> str:
    """A Lean string literal."""
    return (
        '"'
        + "".join(json.dumps(c)[1:-1] if c in '"\\' else c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
        + '"'
    )


__all__ = [
    "NONE", "Data", "Endless", "Outcome", "Panicked", "Returned", "Shapes", "Value", "err", "lean_string", "ok",
    "rust_literal", "rust_path", "rust_type", "some", "substitute",
]  # fmt: skip
