"""Modules, the names in them, and what a path means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tree_sitter import Node

from .. import ir
from .syntax import Item, Refused, Source, named, text

Space = Literal["type", "value"]
KINDS: dict[str, tuple[str, Space]] = {
    "struct_item": ("struct", "type"),
    "enum_item": ("enum", "type"),
    "type_item": ("alias", "type"),
    "trait_item": ("trait", "type"),
    "mod_item": ("module", "type"),
    "function_item": ("fn", "value"),
    "const_item": ("const", "value"),
    "static_item": ("static", "value"),
}
PRELUDE: dict[str, str] = {
    **{n: f"std::option::{n}" for n in ("Option",)},
    **{n: f"std::option::Option::{n}" for n in ("Some", "None")},
    "Result": "std::result::Result",
    **{n: f"std::result::Result::{n}" for n in ("Ok", "Err")},
    "Vec": "std::vec::Vec",
    **{n: f"std::{n}" for n in ("String", "Box", "ToString", "Iterator", "Drop", "Fn", "FnMut", "FnOnce", "drop")},
    **{n: f"std::cmp::{n}" for n in ("PartialEq", "Eq", "PartialOrd", "Ord")},
    **{n: f"std::marker::{n}" for n in ("Copy", "Send", "Sized", "Sync", "Unpin")},
    "Clone": "std::clone::Clone",
    "Default": "std::default::Default",
    **{n: f"std::convert::{n}" for n in ("From", "Into", "TryFrom", "TryInto", "AsRef", "AsMut")},
}


STD_VARIANTS = frozenset(
    f"std::{path}"
    for path in (
        *(f"cmp::Ordering::{n}" for n in ("Less", "Equal", "Greater")),
        *(f"option::Option::{n}" for n in ("None", "Some")),
        *(f"result::Result::{n}" for n in ("Ok", "Err")),
    )
)


@dataclass(frozen=True)
class Std:
    """Something of the standard library, by a path that begins with `std::`."""

    path: str


@dataclass(eq=False)
class Decl:
    """An item of the crate."""

    kind: str
    name: str
    path: str
    item: Item
    source: Source
    module: Module
    public: bool
    child: Module | None = None  # of a module

    @property
    def span(self) -> ir.Span:
        return self.source.span(self.item.node)


@dataclass(frozen=True)
class VariantOf:
    """A variant of an enum of the crate."""

    enum: Decl
    name: str


Target = Decl | VariantOf | Std


@dataclass
class Use:
    """`use path as name;`; a name of `*` takes everything."""

    path: tuple[str, ...]
    name: str
    public: bool


@dataclass(eq=False)
class Module:
    """A module, or the names of one function's body: then `lexical` is where the search goes on."""

    path: tuple[str, ...]
    parent: Module | None
    lexical: Module | None = None
    types: dict[str, Decl] = field(default_factory=dict)
    values: dict[str, Decl] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)

    def join(self, name: str) -> str:
        """The path of something in the module."""
        return "::".join((*self.path, name))

    @property
    def root(self) -> Module:
        module = self
        while (above := module.lexical or module.parent) is not None:
            module = above
        return module

    @property
    def nearest(self) -> Module:
        """The real module around the names of a body."""
        return self.lexical.nearest if self.lexical is not None else self

    def names(self, space: Space) -> dict[str, Decl]:
        return self.types if space == "type" else self.values


def uses(node: Node, prefix: tuple[str, ...], public: bool) -> Iterator[Use]:
    """What one `use` brings in."""
    match node.type:
        case "use_declaration":
            argument = node.child_by_field_name("argument")
            if argument is not None:
                yield from uses(argument, prefix, public)
        case "use_list":
            for part in named(node):
                yield from uses(part, prefix, public)
        case "scoped_use_list":
            path, listed = node.child_by_field_name("path"), node.child_by_field_name("list")
            inner = prefix + (segments(path) if path is not None else ())
            if listed is not None:
                yield from uses(listed, inner, public)
        case "use_as_clause":
            path, alias = node.child_by_field_name("path"), text(node.child_by_field_name("alias"))
            whole = prefix + segments(path) if path is not None else prefix
            yield Use(whole[:-1] if whole[-1] == "self" else whole, alias, public)
        case "use_wildcard":
            inside = named(node)
            yield Use(prefix + (segments(inside[0]) if inside else ()), "*", public)
        case "self":
            yield Use(prefix, prefix[-1] if prefix else "self", public)
        case _:
            whole = prefix + segments(node)
            yield Use(whole, whole[-1], public)


def segments(node: Node) -> tuple[str, ...]:
    """The names of a path without generic arguments."""
    if node.type in ("scoped_identifier", "scoped_type_identifier"):
        path = node.child_by_field_name("path")
        before = segments(path) if path is not None else ()
        return (*before, text(node.child_by_field_name("name")))
    if node.type in ("generic_type", "generic_type_with_turbofish"):
        inner = node.child_by_field_name("type")
        return segments(inner) if inner is not None else ()
    return (text(node),)


def lookup(module: Module, path: tuple[str, ...], space: Space) -> Target | None:
    """What a path names in a module; None if nothing is found.  `Self` and type parameters are not known here."""
    return _path(module, path, space, frozenset())


Seen = frozenset[tuple[int, tuple[str, ...], str]]


def _path(module: Module, path: tuple[str, ...], space: Space, seen: Seen) -> Target | None:
    key = (id(module), path, space)
    if key in seen or not path or len(seen) > 60:
        return None
    seen |= {key}
    head, rest = path[0], path[1:]
    if head in ("crate", "self", "super"):
        inside: Module | None = module.root if head == "crate" else module.nearest
        if head == "super":
            inside = module.nearest.parent
        if inside is None or not rest:
            return None
        if rest[0] in ("super", "self"):
            return _path(inside, rest, space, seen)
        return _member(inside, rest, space, seen)
    if not rest:
        return _name(module, head, space, seen)
    first = _name(module, head, "type", seen)
    if first is None and head in ("std", "core", "alloc"):
        return Std("::".join(("std", *rest)))
    return _below(first, rest, space, seen)


def _below(first: Target | None, rest: tuple[str, ...], space: Space, seen: Seen) -> Target | None:
    if isinstance(first, Std):
        return Std("::".join((first.path, *rest)))
    if isinstance(first, Decl) and first.child is not None:
        return _member(first.child, rest, space, seen)
    if isinstance(first, Decl) and first.kind == "enum" and len(rest) == 1 and rest[0] in variants(first):
        return VariantOf(first, rest[0])
    return None


def _member(module: Module, path: tuple[str, ...], space: Space, seen: Seen) -> Target | None:
    if len(path) == 1:
        return _inside(module, path[0], space, seen)
    return _below(_inside(module, path[0], "type", seen), path[1:], space, seen)


def _inside(module: Module, name: str, space: Space, seen: Seen) -> Target | None:
    if name in module.names(space):
        return module.names(space)[name]
    key = (id(module), (name,), "in " + space)
    if key in seen:
        return None
    seen |= {key}
    for use in module.uses:
        if use.name == name and (found := _path(module, use.path, space, seen)) is not None:
            return found
    for use in module.uses:
        if use.name == "*" and (found := _path(module, (*use.path, name), space, seen)) is not None:
            if isinstance(found, Std) and found.path not in STD_VARIANTS:
                continue  # whether it is there cannot be told
            return found
    return None


def unknown_globs(module: Module | None) -> list[str]:
    """The `use path::*` around a place of which it cannot be told what they bring."""
    found: list[str] = []
    while module is not None:
        for use in module.uses:
            if use.name == "*" and use.path and not (len(use.path) == 1 and use.path[0] in ("super", "self", "crate")):
                target = lookup(module, use.path, "type")
                if target is None and not _is_module(module, use.path):
                    found.append("::".join(use.path))
        module = module.lexical
    return found


def _is_module(module: Module, path: tuple[str, ...]) -> bool:
    """Whether a path made of `super`, `self` and `crate` alone names a module."""
    return all(p in ("super", "self", "crate") for p in path)


def _name(module: Module, name: str, space: Space, seen: Seen) -> Target | None:
    where: Module | None = module
    while where is not None:
        if (found := _inside(where, name, space, seen)) is not None:
            return found
        where = where.lexical
    return Std(PRELUDE[name]) if name in PRELUDE else None


def variants(enum: Decl) -> set[str]:
    """The names of the variants of an enum."""
    body = enum.item.node.child_by_field_name("body")
    return {text(v.child_by_field_name("name")) for v in named(body)} if body is not None else set()


def require(module: Module, path: tuple[str, ...], space: Space, span: ir.Span) -> Target:
    """As `lookup`, but refuses what is not found."""
    found = lookup(module, path, space)
    if found is None:
        raise Refused("unresolved", f"`{'::'.join(path)}` is not an item of the crate", span)
    return found
