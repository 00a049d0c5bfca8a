"""All that a crate declares, and what its declarations mean, worked out on demand and once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tree_sitter import Node

from .. import ir
from .infer import Inference, substitute
from .scope import Decl, Module
from .syntax import Item, Refused, Source, child, named, text

if TYPE_CHECKING:
    from .types import TypeScope


@dataclass(eq=False)
class Impl:
    """An `impl` block whose head was understood."""

    owner: ir.Type
    generics: tuple[ir.Generic, ...]
    trait: str  # last part of the trait's path, "" for inherent
    trait_text: str  # as written, with arguments
    trait_args: tuple[ir.Type, ...]
    module: Module
    source: Source
    assoc: dict[str, Node] = field(default_factory=dict)
    trait_export: str = ""


@dataclass(frozen=True)
class Signature:
    generics: tuple[ir.Generic, ...]
    params: tuple[tuple[Node | None, ir.Param], ...]  # a pattern that is no name is taken apart in the body
    ret: ir.Type
    receiver: str  # "", "value", "ref", "mut"


@dataclass(eq=False)
class FnDecl:
    """A function, free or in an impl."""

    path: str
    name: str
    item: Item
    source: Source
    module: Module
    impl: Impl | None = None
    public: bool = False
    export: str = ""
    refusal: ir.Refusal | None = None  # known from the surroundings
    default_of: str = ""  # the trait whose default method this is

    @property
    def span(self) -> ir.Span:
        return self.source.span(self.item.node)


class World:
    """The declarations of a crate."""

    def __init__(self, name: str, root: Module, edition: str = "2021") -> None:
        self.name, self.root, self.edition = name, root, edition
        self.decls: dict[str, Decl] = {}  # structs, enums, consts, statics, traits
        self.functions: dict[str, FnDecl] = {}
        self.impls: list[Impl] = []
        self.methods: dict[str, dict[str, list[FnDecl]]] = {}  # by head of the owner, by name
        self.assoc_consts: dict[str, tuple[FnDecl, Node]] = {}
        self.structs: dict[str, ir.Struct] = {}
        self.enums: dict[str, ir.Enum] = dict(ir.BUILTIN_ENUMS)
        self.bad_types: dict[str, ir.Refusal] = {}
        self.consts: dict[str, ir.Const] = {}
        self.const_calls: dict[str, frozenset[str]] = {}  # the functions that run when a constant is worked out
        self.refused: list[ir.RefusedItem] = []
        self.macros: set[str] = set()
        self._signatures: dict[str, Signature | ir.Refusal] = {}
        self._const_faults: dict[str, ir.Refusal] = {}
        self._open: set[str] = set()

    @contextmanager
    def entering(self, decl: Decl | FnDecl, span: ir.Span) -> Iterator[None]:
        """Guards against declarations that need themselves."""
        if decl.path in self._open or len(self._open) > 40:
            raise Refused("cycle", f"`{decl.path}` needs itself", span)
        self._open.add(decl.path)
        try:
            yield
        finally:
            self._open.discard(decl.path)

    def generics(self, decl: Decl | FnDecl) -> tuple[ir.Generic, ...]:
        """The type parameters written on an item."""
        return generics(decl.item.node, decl.source)

    adt_generics = generics

    def length(self, scope: TypeScope, node: Node) -> int:
        """The value of an array's length."""
        from .consts import constant_of_node

        value = constant_of_node(self, scope, node, ir.USIZE)
        if not isinstance(value, int) or value > 1 << 20:
            raise Refused("array-length", f"array of length {value}", scope.source.span(node))
        return value

    def signature(self, fn: FnDecl) -> Signature:
        """The types of a function; refuses if they are not of the subset."""
        known = self._signatures.get(fn.path)
        if known is None:
            try:
                known = self._signature(fn)
            except Refused as fault:
                known = fault.refusal
            self._signatures[fn.path] = known
        if isinstance(known, ir.Refusal):
            raise Refused(known.code, known.message, known.span)
        return known

    def type_scope(self, fn: FnDecl, inference: Inference | None = None) -> TypeScope:
        """Where the types of a function stand."""
        from .types import TypeScope

        own = [g.name for g in generics(fn.item.node, fn.source)]
        outer = [g.name for g in fn.impl.generics] if fn.impl else []
        owner, assoc = (fn.impl.owner, fn.impl.assoc) if fn.impl else (None, {})
        return TypeScope(self, fn.module, fn.source, frozenset(own + outer), owner, assoc, inference)

    def _signature(self, fn: FnDecl) -> Signature:
        node, span = fn.item.node, fn.span
        for kind, code in (("unsafe", "unsafe"), ("async", "async"), ("extern_modifier", "ffi")):
            modifiers = child(node, "function_modifiers")
            if modifiers is not None and any(c.type == kind for c in modifiers.children):
                raise Refused(code, f"{text(modifiers)} function", span)
        scope = self.type_scope(fn)
        listed, ret = node.child_by_field_name("parameters"), node.child_by_field_name("return_type")
        params: list[tuple[Node | None, ir.Param]] = []
        receiver = ""
        for n, param in enumerate(named(listed) if listed is not None else []):
            if param.type == "attribute_item":
                raise Refused("attribute", "attribute on a parameter", span)
            if param.type == "self_parameter":
                if fn.impl is None:
                    raise Refused("syntax", "`self` outside of an impl", span)
                ty, mutable, receiver = self_type(param, fn.impl.owner)
                params.append((None, ir.Param("self", ty, mutable)))
                continue
            pattern, kind_node = param.child_by_field_name("pattern"), param.child_by_field_name("type")
            if param.type != "parameter" or pattern is None or kind_node is None:
                raise Refused("syntax", f"parameter `{text(param)[:40]}`", fn.source.span(param))
            if pattern.type == "self":
                raise Refused("self-type", f"receiver `{text(param)[:40]}`", fn.source.span(param))
            ty = self.usable(scope.lower(kind_node), fn.source.span(kind_node))
            mutable = any(c.type == "mutable_specifier" for c in param.children)
            if pattern.type == "identifier":
                params.append((None, ir.Param(text(pattern), ty, mutable)))
            else:
                params.append((pattern, ir.Param(f"arg{n}", ty, False)))
        result = self.usable(scope.lower(ret), fn.source.span(ret)) if ret is not None else ir.UNIT
        own = generics(node, fn.source)
        return Signature((*(fn.impl.generics if fn.impl else ()), *own), tuple(params), result, receiver)

    def usable(self, ty: ir.Type, span: ir.Span) -> ir.Type:
        """The type, unless it is made of types that were refused."""
        if (bad := self.bad_part(ty)) is not None:
            why = self.bad_types[bad].message
            raise Refused("refused-type", f"type `{bad}` is refused: {why}", span)
        return ty

    def bad_part(self, ty: ir.Type) -> str | None:
        """The path of a refused type in a type."""
        from .infer import parts

        if isinstance(ty, ir.Adt) and ty.path in self.bad_types:
            return ty.path
        return next((bad for t in parts(ty) if (bad := self.bad_part(t)) is not None), None)

    def const(self, path: str, span: ir.Span) -> ir.Const:
        """A constant, lowered."""
        from .consts import lower_const

        if path in self._const_faults:
            why = self._const_faults[path]
            raise Refused("refused-const", f"constant `{path}` is refused: {why.message}", span)
        if path not in self.consts:
            try:
                self.consts[path] = lower_const(self, path, span)
            except Refused as fault:
                self._const_faults[path] = fault.refusal
                raise
        return self.consts[path]

    def const_fault(self, path: str) -> ir.Refusal | None:
        return self._const_faults.get(path)

    def fields(self, ty: ir.Adt, variant: str = "") -> tuple[ir.Field, ...]:
        """The fields of a struct or variant with the type's arguments put in; () for none of that name."""
        if variant:
            enum = self.enums.get(ty.path)
            found = next((v.fields for v in enum.variants if v.name == variant), ()) if enum is not None else ()
            params = enum.generics if enum is not None else ()
        else:
            struct = self.structs.get(ty.path)
            found, params = (struct.fields, struct.generics) if struct is not None else ((), ())
        values = {g.name: arg for g, arg in zip(params, ty.args, strict=False)}
        return tuple(ir.Field(f.name, substitute(f.ty, values), f.public) for f in found)

    def derives(self, path: str) -> frozenset[str]:
        """The derived traits of a struct or enum."""
        adt = self.structs.get(path) or self.enums.get(path)
        return adt.derives if adt is not None else frozenset()


def head(ty: ir.Type) -> str:
    """What impls are looked up by."""
    match ty:
        case ir.Adt(path, _):
            return "adt " + path
        case ir.Scalar(name):
            return "scalar " + name
        case _:
            return ""


def self_type(param: Node, owner: ir.Type) -> tuple[ir.Type, bool, str]:
    """The type of `self`, `mut self`, `&self`, `&mut self`; whether the name is mutable; how it is received."""
    kinds = [c.type for c in param.children]
    mutable = "mutable_specifier" in kinds
    if "&" in kinds:
        return ir.Ref(mutable, owner), False, "mut" if mutable else "ref"
    return owner, mutable, "value"


def generics(node: Node, source: Source) -> tuple[ir.Generic, ...]:
    """The type parameters of an item, with bounds from both places; refuses const parameters."""
    found: dict[str, list[str]] = {}
    listed = node.child_by_field_name("type_parameters")
    for param in named(listed) if listed is not None else []:
        if param.type in ("lifetime_parameter", "lifetime"):
            continue
        if param.type != "type_parameter":
            raise Refused("const-generic", f"const parameter `{text(param)[:40]}`", source.span(param))
        if param.child_by_field_name("default_type") is not None:
            raise Refused("generic-default", f"default of a type parameter `{text(param)[:40]}`", source.span(param))
        name = text(param.child_by_field_name("name"))
        found[name] = bounds(param.child_by_field_name("bounds"))
    where = child(node, "where_clause")
    for predicate in named(where) if where is not None else []:
        name = text(predicate.child_by_field_name("left"))
        if name in found:
            found[name] += bounds(predicate.child_by_field_name("bounds"))
    return tuple(ir.Generic(name, tuple(names)) for name, names in found.items())


def bounds(node: Node | None) -> list[str]:
    """The traits of a bound, without lifetimes."""
    return [text(b) for b in named(node) if b.type != "lifetime"] if node is not None else []
