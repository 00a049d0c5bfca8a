"""Default values."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .body import Body
from .infer import integral, show
from .world import head


def default_value(body: Body, node: Node, ty: ir.Type) -> ir.Expr:
    """`Default::default()` of a type that has the built-in or derived one."""
    ty, span = body.inference.resolve(ty), body.span(node)
    if integral(ty):
        return ir.IntLit(ty=ty, span=span, value=0)
    if ty == ir.BOOL:
        return ir.BoolLit(ty=ty, span=span, value=False)
    if ty == ir.CHAR:
        return ir.CharLit(ty=ty, span=span, value="\0")
    match ty:
        case ir.Tuple(items):
            return ir.TupleLit(ty=ty, span=span, items=tuple(default_value(body, node, t) for t in items))
        case ir.Array(item, n) if n <= 32:
            size = ir.IntLit(ty=ir.USIZE, span=span, value=n)
            return ir.Repeat(ty=ty, span=span, item=default_value(body, node, item), count=size)
        case ir.Vec():
            return ir.Intrinsic(ty=ty, span=span, name="Vec::new", args=())
        case ir.Adt("Option", _):
            return ir.VariantLit(ty=ty, span=span, variant="None", fields=())
        case ir.Adt(path, _) if path in body.world.structs:
            own = body.world.methods.get(head(ty), {}).get("default", [])
            if own:
                from .calls import impl_functions
                from .operators import call_function

                found = impl_functions(body, ty, "default")
                if len(found) == 1:
                    return call_function(body, node, found[0], [])
            elif "Default" in body.world.derives(path):
                fields = tuple((f.name, default_value(body, node, f.ty)) for f in body.world.fields(ty))
                return ir.StructLit(ty=ty, span=span, fields=fields)
    raise body.refuse("default", f"the default of {show(body.inference.zonk(ty))}", node)
