"""Constants: lowered as bodies, and evaluated where the program itself needs their value (lengths, patterns)."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .syntax import Refused
from .types import TypeScope
from .world import World


def lower_const(world: World, path: str, span: ir.Span) -> ir.Const:
    """A `const`, a `static`, or a constant of an impl."""
    from .body import Body

    if path in world.assoc_consts:
        fn, node = world.assoc_consts[path]
        types, source, module, item, public, export = world.type_scope(fn), fn.source, fn.module, fn.item, fn.public, ""
        owner: object = fn
        if fn.impl is not None and fn.impl.generics:
            raise Refused("generic-const", f"constant `{path}` of a generic impl", span)
    else:
        decl = world.decls.get(path)
        if decl is None or decl.kind not in ("const", "static"):
            raise Refused("unresolved", f"`{path}` is no constant", span)
        source, module, item, public, export = decl.source, decl.module, decl.item, decl.public, ""
        types, node, owner = TypeScope(world, module, source), decl.item.node, decl
    here = source.span(node)
    type_node, value_node = node.child_by_field_name("type"), node.child_by_field_name("value")
    if type_node is None or value_node is None:
        raise Refused("syntax", f"constant `{path}` without type or value", here)
    with world.entering(owner, here):  # type: ignore[arg-type]
        ty = world.usable(types.lower(type_node), here)
        body = Body(world, types, source, module, ty)
        value = body.check(value_node, ty)
        world.const_calls[path] = frozenset(body.calls)
        block = body.finish(ir.Block(ty=ty, span=here, statements=(), tail=value), here)
    from .checks import check_body

    block = check_body(block, here)
    assert block.tail is not None
    return ir.Const(path, ty, block.tail, public, export, item.docs, here)


def constant_of_node(world: World, scope: TypeScope, node: Node, ty: ir.Type) -> int | bool | str:
    """The value of an expression that must be constant."""
    from .body import Body

    body = Body(world, scope, scope.source, scope.module, ty)
    span = scope.source.span(node)
    tree = body.finish(ir.Block(ty=ty, span=span, statements=(), tail=body.check(node, ty)), span)
    assert tree.tail is not None
    return evaluate(world, tree.tail)


def evaluate(world: World, expr: ir.Expr) -> int | bool | str:
    """The value of a scalar constant expression; refuses what overflows or is not simple."""
    match expr:
        case ir.IntLit(value=literal):
            return _fit(literal, expr)
        case ir.BoolLit(value=flag):
            return flag
        case ir.CharLit(value=char):
            return char
        case ir.ConstRef(path=path):
            return evaluate(world, world.const(path, expr.span).value)
        case ir.Unary(op="-", operand=inner):
            return _fit(-_int(world, inner, expr), expr)
        case ir.Cast(operand=inner, ty=ir.Scalar() as ty) if ty.is_int:
            value: int | bool | str = evaluate(world, inner)
            number = ord(value) if isinstance(value, str) else int(value)
            wrapped = number & ((1 << ty.bits) - 1)
            return wrapped - (1 << ty.bits) if wrapped > ty.max else wrapped
        case ir.Binary(op=op, left=left, right=right):
            a, b = _int(world, left, expr), _int(world, right, expr)
            if op in ("/", "%") and b != 0:
                quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
                return _fit(quotient if op == "/" else a - b * quotient, expr)
            if op == "<<" and 0 <= b < 128:
                return _fit(a << b, expr)
            simple = {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}
            if op in simple:
                return _fit(simple[op], expr)
    raise Refused("constant", "a constant too complicated to evaluate here", expr.span)


def _int(world: World, expr: ir.Expr, where: ir.Expr) -> int:
    value = evaluate(world, expr)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused("constant", "a constant too complicated to evaluate here", where.span)
    return value


def _fit(value: int, expr: ir.Expr) -> int:
    ty = expr.ty
    if not (isinstance(ty, ir.Scalar) and ty.is_int and ty.min <= value <= ty.max):
        raise Refused("constant", "a constant that does not fit its type", expr.span)
    return value
