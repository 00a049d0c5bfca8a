"""Types as written, resolved."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from .. import ir
from .infer import Inference, substitute
from .scope import Decl, Module, Std, VariantOf, lookup, segments
from .syntax import Refused, Source, named, text
from .world import World

STD_TYPES = {
    "std::option::Option": ("Option", 1),
    "std::result::Result": ("Result", 2),
    "std::cmp::Ordering": ("Ordering", 0),
    "std::num::TryFromIntError": ("TryFromIntError", 0),
}
NAMES = {"f32": "float", "f64": "float", "String": "string", "Box": "box", "Formatter": "formatting"}


@dataclass
class TypeScope:
    """Where a type stands: its module, the type parameters around it, what `Self` and `Self::Item` are."""

    world: World
    module: Module
    source: Source
    generics: frozenset[str] = frozenset()
    owner: ir.Type | None = None
    assoc: dict[str, Node] = field(default_factory=dict)  # associated types of the impl
    inference: Inference | None = None  # allows `_`

    def lower(self, node: Node) -> ir.Type:
        """The type a node stands for."""
        span = self.source.span(node)
        match node.type:
            case "primitive_type":
                return self._primitive(text(node), span)
            case "unit_type":
                return ir.UNIT
            case "never_type":
                return ir.NEVER
            case "tuple_type":
                return ir.Tuple(tuple(self.lower(t) for t in named(node)))
            case "array_type":
                item = self.lower(_field(node, "element", span))
                length = node.child_by_field_name("length")
                if length is None:
                    return ir.Slice(item)
                return ir.Array(item, self.world.length(self, length))
            case "reference_type":
                mutable = any(c.type == "mutable_specifier" for c in node.children)
                return ir.Ref(mutable, self.lower(_field(node, "type", span)))
            case "type_identifier" | "scoped_type_identifier" | "generic_type" | "generic_type_with_turbofish":
                return self._named(node, span)
            case "identifier" | "scoped_identifier":
                return self._named(node, span)
            case "inferred_type" | "_":
                if self.inference is not None:
                    return self.inference.fresh()
            case "bracketed_type":
                inside = named(node)
                if len(inside) == 1 and inside[0].type != "qualified_type":
                    return self.lower(inside[0])
            case "dynamic_type":
                raise Refused("trait-object", f"trait object `{text(node)[:60]}`", span)
            case "abstract_type":
                raise Refused("impl-trait", f"`{text(node)[:60]}` as a type", span)
            case "function_type":
                raise Refused("function-pointer", f"function type `{text(node)[:60]}`", span)
            case "pointer_type":
                raise Refused("unsafe", f"raw pointer `{text(node)[:60]}`", span)
        if text(node) == "_" and self.inference is not None:
            return self.inference.fresh()
        raise Refused("type", f"type `{text(node)[:60]}` ({node.type})", span)

    def _primitive(self, name: str, span: ir.Span) -> ir.Type:
        if name in ir.BITS or name in ("bool", "char"):
            return ir.Scalar(name)
        if name == "str":
            return ir.Str()
        raise Refused("float" if name[0] == "f" else "type", f"type `{name}`", span)

    def arguments(self, node: Node) -> list[ir.Type] | None:
        """The type arguments written on a path, lifetimes left out."""
        listed = node.child_by_field_name("type_arguments")
        if listed is None:
            return None
        return [self.lower(t) for t in named(listed) if t.type != "lifetime"]

    def _named(self, node: Node, span: ir.Span) -> ir.Type:
        path = segments(node)
        args = self.arguments(node)
        if len(path) == 1 and args is None:
            if path[0] in self.generics:
                return ir.TypeParam(path[0])
            if path[0] == "Self" and self.owner is not None:
                return self.owner
        if len(path) == 2 and path[0] == "Self" and path[1] in self.assoc:
            return self.lower(self.assoc[path[1]])
        if path[0] in self.generics or path[0] == "Self":
            raise Refused("associated-type", f"type `{text(node)[:60]}`", span)
        return self.named(lookup(self.module, path, "type"), path, args, span)

    def named(
        self, target: Decl | VariantOf | Std | None, path: tuple[str, ...], args: list[ir.Type] | None, span: ir.Span
    ) -> ir.Type:
        """The type of a resolved name; missing arguments are unknowns where that is allowed."""
        if target is None:
            if path[-1] in NAMES:
                raise Refused(NAMES[path[-1]], f"type `{'::'.join(path)}`", span)
            if len(path) == 1 and (path[0] in ir.BITS or path[0] in ("bool", "char", "str", "f32", "f64")):
                return self._primitive(path[0], span)
            raise Refused("type", f"type `{'::'.join(path)}`, which is not of the crate", span)
        if isinstance(target, Std):
            if target.path == "std::vec::Vec":
                return ir.Vec(self._fill(args, 1, span)[0])
            if target.path in STD_TYPES:
                name, arity = STD_TYPES[target.path]
                return ir.Adt(name, tuple(self._fill(args, arity, span)))
            last = target.path.rsplit("::", 1)[-1]
            raise Refused(NAMES.get(last, "type"), f"type `{target.path}`", span)
        if isinstance(target, VariantOf):
            raise Refused("type", f"`{'::'.join(path)}` is a variant", span)
        if target.kind in ("struct", "enum"):
            generics = self.world.adt_generics(target)
            return ir.Adt(target.path, tuple(self._fill(args, len(generics), span)))
        if target.kind == "alias":
            return self._alias(target, args, span)
        if target.kind == "trait":
            raise Refused("trait-object", f"trait `{target.path}` as a type", span)
        raise Refused("type", f"`{'::'.join(path)}` is a {target.kind}", span)

    def _alias(self, alias: Decl, args: list[ir.Type] | None, span: ir.Span) -> ir.Type:
        names = [g.name for g in self.world.generics(alias)]
        with self.world.entering(alias, span):
            inner = TypeScope(self.world, alias.module, alias.source, frozenset(names))
            body = inner.lower(_field(alias.item.node, "type", span))
        return substitute(body, dict(zip(names, self._fill(args, len(names), span), strict=True)))

    def _fill(self, args: list[ir.Type] | None, arity: int, span: ir.Span) -> list[ir.Type]:
        if args is None and self.inference is not None:
            return [self.inference.fresh() for _ in range(arity)]
        if len(args or []) != arity:
            raise Refused("type", f"a type with {len(args or [])} arguments instead of {arity}", span)
        return args or []


def _field(node: Node, name: str, span: ir.Span) -> Node:
    found = node.child_by_field_name(name)
    if found is None:
        raise Refused("syntax", f"a {node.type} without {name}", span)
    return found
