"""Paths as values: constants, unit structs and variants, what stands in an impl."""

from __future__ import annotations

import re

from tree_sitter import Node

from .. import ir
from .body import Body, handles
from .infer import show
from .scope import Decl, Std, VariantOf, segments
from .syntax import named
from .world import head


@handles("scoped_identifier")
def path_value(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """A path as a value."""
    span, names = body.span(node), segments(node)
    if (found := owner_of(body, node, names)) is not None:
        return assoc_value(body, node, found, names[-1])
    target = body.lookup(names)
    if isinstance(target, Decl) and target.kind in ("const", "static"):
        const = body.world.const(target.path, span)
        return ir.ConstRef(ty=const.ty, span=span, path=const.path)
    if isinstance(target, Std) and (old := re.fullmatch(r"std::(\w+)::(MAX|MIN)", target.path)) and old[1] in ir.BITS:
        return assoc_value(body, node, ir.Scalar(old[1]), old[2])
    if isinstance(target, VariantOf | Std) and (value := unit_variant(body, node, target)) is not None:
        return value
    if target is None and (unit := body.lookup(names, value=False)) is not None:
        target = unit
    if isinstance(target, Decl) and target.kind == "struct":
        ty = body.types.named(target, names, None, span)
        struct = body.world.structs.get(target.path)
        body.world.usable(ty, span)
        if struct is not None and struct.shape == "unit":
            return ir.StructLit(ty=ty, span=span, fields=())
    if isinstance(target, Decl) and target.kind == "fn":
        raise body.refuse("function-value", f"`{'::'.join(names)}` as a value", node)
    raise body.refuse("unresolved", f"`{'::'.join(names)[:60]}` is not known", node)


def owner_of(body: Body, node: Node, names: tuple[str, ...]) -> ir.Type | None:
    """The type before the last `::`, if the path is of that form (`u8::MAX`, `Self::N`, `Point::ORIGIN`)."""
    before = node.child_by_field_name("path")
    if node.type != "scoped_identifier" or before is None:
        return None
    if before.type == "bracketed_type":
        inside = named(before)
        if len(inside) == 1 and inside[0].type == "qualified_type":
            return body.types.lower(named(inside[0])[0])
        return body.types.lower(before)
    if before.type in ("generic_type", "generic_type_with_turbofish"):
        return body.types.lower(before)
    if len(names) == 2 and (names[0] == "Self" or names[0] in body.types.generics):
        return body.types.lower(before)
    if len(names) == 2 and body.lookup(names[:1], value=False) is None:
        if names[0] in ir.BITS or names[0] in ("char", "bool"):
            return ir.Scalar(names[0])
        if names[0] in ("f32", "f64", "str", "String", "Box", "Rc", "Arc", "HashMap"):
            return body.types.lower(before)
    target = body.lookup(names[:-1], value=False)
    if isinstance(target, Decl) and target.kind in ("struct", "enum", "alias"):
        return body.types.named(target, names[:-1], None, body.span(node))
    if isinstance(target, Std) and target.path.count("::") == 2 and not target.path.endswith(("::mem", "::cmp")):
        last = target.path.rsplit("::", 1)[-1]
        if last in ("Option", "Result", "Vec", "Ordering"):
            return body.types.named(target, names[:-1], None, body.span(node))
    return None


def assoc_value(body: Body, node: Node, owner: ir.Type, name: str) -> ir.Expr:
    """`Type::NAME`: a bound of an integer, a constant of an impl, a unit variant."""
    span = body.span(node)
    if isinstance(owner, ir.Scalar):
        value = {"MAX": owner.max, "MIN": owner.min, "BITS": owner.bits}.get(name) if owner.is_int else None
        if value is not None:
            return ir.IntLit(ty=ir.U32 if name == "BITS" else owner, span=span, value=value)
        if owner == ir.CHAR and name == "MAX":
            return ir.CharLit(ty=ir.CHAR, span=span, value="\U0010ffff")
    if isinstance(owner, ir.Adt):
        body.world.usable(owner, span)
        enum = body.world.enums.get(owner.path)
        variant = next((v for v in enum.variants if v.name == name), None) if enum is not None else None
        if variant is not None and variant.shape == "unit":
            return ir.VariantLit(ty=owner, span=span, variant=name, fields=())
        if variant is not None:
            raise body.refuse("function-value", f"variant `{name}` as a function", node)
    found = body.world.methods.get(head(owner), {}).get("const " + name, [])
    if len(found) == 1:
        const = body.world.const(found[0].path, span)
        return ir.ConstRef(ty=const.ty, span=span, path=const.path)
    raise body.refuse("unresolved", f"`{show(body.inference.zonk(owner))}::{name}` is not known", node)


def unit_variant(body: Body, node: Node, target: VariantOf | Std) -> ir.Expr | None:
    """A variant without fields."""
    found = variant_type(body, target, body.span(node))
    if found is None:
        return None
    ty, name = found
    variant = next(v for v in body.world.enums[ty.path].variants if v.name == name)
    if variant.shape != "unit":
        raise body.refuse("function-value", f"variant `{name}` as a function", node)
    return ir.VariantLit(ty=ty, span=body.span(node), variant=name, fields=())


def variant_type(body: Body, target: VariantOf | Std, span: ir.Span) -> tuple[ir.Adt, str] | None:
    """The enum type, with unknown arguments, and the name of the variant."""
    if isinstance(target, VariantOf):
        ty = body.types.named(target.enum, (target.enum.name,), None, span)
        body.world.usable(ty, span)
        assert isinstance(ty, ir.Adt)
        return ty, target.name
    before, _, name = target.path.rpartition("::")
    for full, enum in (("std::option::", "Option"), ("std::result::", "Result"), ("std::cmp::", "Ordering")):
        if before == full + enum and any(v.name == name for v in ir.BUILTIN_ENUMS[enum].variants):
            args = tuple(body.inference.fresh() for _ in ir.BUILTIN_ENUMS[enum].generics)
            return ir.Adt(enum, args), name
    return None
