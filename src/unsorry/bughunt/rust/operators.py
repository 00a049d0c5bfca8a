"""Operators: built in on scalars, structural comparison, and those of the crate's own impls as calls."""

from __future__ import annotations

from typing import Literal, cast

from tree_sitter import Node

from .. import ir
from ..ir.walk import walk
from .body import Body, handles, is_place
from .infer import integral, is_int, is_int_unknown, show, substitute, unknown
from .places import instantiate, literal_like
from .syntax import text
from .world import FnDecl, head

ARITHMETIC = {
    "+": ("Add", "add"),
    "-": ("Sub", "sub"),
    "*": ("Mul", "mul"),
    "/": ("Div", "div"),
    "%": ("Rem", "rem"),
    "&": ("BitAnd", "bitand"),
    "|": ("BitOr", "bitor"),
    "^": ("BitXor", "bitxor"),
    "<<": ("Shl", "shl"),
    ">>": ("Shr", "shr"),
}
Op = Literal["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]
COMPARISON = ("==", "!=", "<", "<=", ">", ">=")


@handles("unary_expression")
def unary(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`-x`, `!x`, `*x`."""
    operator, inner = node.children[0].type, node.children[-1]
    span = body.span(node)
    if operator == "*":
        operand = body.lower(inner)
        ty = body.known(operand.ty, inner, "this value")
        if not isinstance(ty, ir.Ref):
            raise body.refuse("deref", f"dereference of {show(body.inference.zonk(ty))}", node)
        return body.step(operand, ty)
    operand = body.lower(inner, want if literal_like(inner) else None)
    ty = body.known_or_integer(operand, inner)
    if isinstance(ty, ir.Ref) and isinstance(body.inference.resolve(ty.target), ir.Scalar):
        operand = body.deref(operand)
        ty = body.type_of(operand)
    if integral(ty) or (operator == "!" and ty == ir.BOOL):
        return ir.Unary(ty=ty, span=span, op=cast(Literal["-", "!"], operator), operand=operand)
    return own_operator(body, node, ("Neg", "neg") if operator == "-" else ("Not", "not"), [operand])


@handles("binary_expression")
def binary(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`a op b`."""
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = text(node.child_by_field_name("operator"))
    assert left_node is not None and right_node is not None
    span = body.span(node)
    if operator in ("&&", "||"):
        logic = cast(Literal["&&", "||"], operator)
        left = body.check(left_node, ir.BOOL)
        return ir.Logic(ty=ir.BOOL, span=span, op=logic, left=left, right=body.check(right_node, ir.BOOL))
    left = body.lower(left_node)
    right = body.lower(right_node)
    if operator in COMPARISON:
        return compare(body, node, operator, left, right)
    return arithmetic(body, node, operator, left, right)


def scalar_value(body: Body, expr: ir.Expr) -> ir.Expr:
    """References to scalars are read; anything else stays."""
    ty = body.type_of(expr)
    if isinstance(ty, ir.Ref):
        target = body.inference.resolve(ty.target)
        if isinstance(target, ir.Scalar) or is_int_unknown(target):
            return body.deref(expr)
    return expr


def arithmetic(body: Body, node: Node, operator: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Arithmetic and bits of two lowered values."""
    left, right = scalar_value(body, left), scalar_value(body, right)
    a, b = body.type_of(left), body.type_of(right)
    span, op = body.span(node), cast(Op, operator)
    if isinstance(a, ir.Never) or isinstance(b, ir.Never):
        raise body.refuse("never", "an operand that does not return", node)
    if unknown(a) and not is_int_unknown(a) and is_int(b) and operator not in ("<<", ">>"):
        raise body.refuse("inference", "the type of the left operand is not known here", node)
    if integral(a):
        if unknown(b) and not is_int_unknown(b):
            raise body.refuse("inference", "the type of the right operand is not known here", node)
        if not integral(b):
            return own_operator(body, node, ARITHMETIC[operator], [left, right])
        if operator not in ("<<", ">>"):
            body.unify(a, b, node)
        return ir.Binary(ty=a, span=span, op=op, left=left, right=right)
    if a == ir.BOOL and b == ir.BOOL and operator in ("&", "|", "^"):
        return ir.Binary(ty=a, span=span, op=op, left=left, right=right)
    body.known(a, node, "the left operand")
    return own_operator(body, node, ARITHMETIC[operator], [left, right])


def own_operator(body: Body, node: Node, names: tuple[str, str], args: list[ir.Expr]) -> ir.Expr:
    """A call of the crate's impl of an operator's trait."""
    trait, method = names
    first = body.type_of(args[0])
    owner = body.inference.resolve(first.target) if isinstance(first, ir.Ref) else first
    types = [body.inference.zonk(a.ty) for a in args]
    if trait.endswith("Assign"):
        types[0] = body.inference.zonk(owner)
    fits: list[FnDecl] = []
    for fn in body.world.methods.get(head(owner), {}).get(method, []):
        if fn.impl is None or fn.impl.trait != trait:
            continue
        _, values = instantiate(body, fn.impl.generics)
        wanted = [fn.impl.owner, *(fn.impl.trait_args or ([fn.impl.owner] if len(args) > 1 else []))]
        mine = [substitute(t, values) for t in wanted]
        if len(mine) == len(types) and body.inference.could_unify(ir.Tuple(tuple(mine)), ir.Tuple(tuple(types))):
            fits.append(fn)
    if len(fits) != 1:
        shown = ", ".join(show(t) for t in types)
        code = "type-parameter" if isinstance(owner, ir.TypeParam) else "operator"
        raise body.refuse(code, f"operator of {trait} on ({shown})", node)
    return call_function(body, node, fits[0], args)


def call_function(body: Body, node: Node, fn: FnDecl, args: list[ir.Expr], own: list[ir.Type] | None = None) -> ir.Expr:
    """A call with arguments that are lowered already; they are coerced."""
    signature = body.world.signature(fn)
    type_args, values = instantiate(body, signature.generics, own)
    if len(args) != len(signature.params):
        raise body.refuse("inference", f"`{fn.path}` called with {len(args)} arguments", node)
    wants = [substitute(p.ty, values) for _, p in signature.params]
    done = tuple(body.coerce(a, want, node) for a, want in zip(args, wants, strict=True))
    body.calls.add(fn.path)
    ty = substitute(signature.ret, values)
    return ir.Call(ty=ty, span=body.span(node), function=fn.path, type_args=type_args, args=done)


# ----------------------------------------------------------------------------------------------------- comparison


def compare(body: Body, node: Node, operator: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """A comparison of two lowered values, through equal numbers of references."""
    span = body.span(node)
    while isinstance(a := body.type_of(left), ir.Ref) and isinstance(b := body.type_of(right), ir.Ref):
        left = left.place if isinstance(left, ir.Borrow) else ir.Deref(ty=a.target, span=left.span, operand=left)
        right = right.place if isinstance(right, ir.Borrow) else ir.Deref(ty=b.target, span=right.span, operand=right)
    a, b = body.type_of(left), body.type_of(right)
    if isinstance(a, ir.Never) or isinstance(b, ir.Never):
        raise body.refuse("never", "an operand that does not return", node)
    lists = (ir.Array, ir.Slice, ir.Vec)
    if isinstance(a, ir.Ref) and isinstance(a_in := body.inference.resolve(a.target), lists) and isinstance(b, ir.Vec):
        left, a = body.deref(left), a_in
    if isinstance(b, ir.Ref) and isinstance(b_in := body.inference.resolve(b.target), lists) and isinstance(a, ir.Vec):
        right, b = body.deref(right), b_in
    if isinstance(a, lists) and isinstance(b, lists) and type(a) is not type(b):
        body.unify(a.item, b.item, node)
        left, right = body.slice_ref(left, False, node), body.slice_ref(right, False, node)
        a = body.type_of(left)
    else:
        if unknown(a) and unknown(b) and not (is_int_unknown(a) or is_int_unknown(b)):
            raise body.refuse("inference", "a comparison of values whose type is not known here", node)
        body.unify(a, b, node)
        a = body.type_of(left)
    trait = "PartialEq" if operator in ("==", "!=") else "PartialOrd"
    if structural(body, a, trait):
        op = cast(Literal["==", "!=", "<", "<=", ">", ">="], operator)
        return ir.Binary(ty=ir.BOOL, span=span, op=op, left=left, right=right)
    args = [body.borrow(left, False), body.borrow(right, False)]
    if trait == "PartialEq":
        if operator == "!=" and own_method(body, a, "PartialEq", "ne"):
            return comparison_call(body, node, a, "PartialEq", "ne", args)
        call = comparison_call(body, node, a, "PartialEq", "eq", args)
        return call if operator == "==" else ir.Unary(ty=ir.BOOL, span=span, op="!", operand=call)
    name = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[operator]
    if own_method(body, a, "PartialOrd", name):
        return comparison_call(body, node, a, "PartialOrd", name, args)
    call = comparison_call(body, node, a, "PartialOrd", "partial_cmp", args)
    orders = {"<": ("Less",), "<=": ("Less", "Equal"), ">": ("Greater",), ">=": ("Greater", "Equal")}[operator]
    choices = tuple(ir.StructPat(ir.ORDERING, o, ()) for o in orders)
    inner: ir.Pattern = choices[0] if len(choices) == 1 else ir.OrPat(ir.ORDERING, choices)
    ty = ir.option(ir.ORDERING)
    arms = (
        ir.Arm(ir.StructPat(ty, "Some", (("0", inner),)), None, ir.BoolLit(ty=ir.BOOL, span=span, value=True)),
        ir.Arm(ir.Wild(ty), None, ir.BoolLit(ty=ir.BOOL, span=span, value=False)),
    )
    return ir.Match(ty=ir.BOOL, span=span, scrutinee=call, arms=arms)


def own_method(body: Body, ty: ir.Type, trait: str, name: str) -> bool:
    """Whether the crate writes that method of that trait for the type."""
    found = body.world.methods.get(head(ty), {}).get(name, [])
    return any(f.impl is not None and f.impl.trait == trait for f in found)


def comparison_call(body: Body, node: Node, ty: ir.Type, trait: str, name: str, args: list[ir.Expr]) -> ir.Expr:
    """A call of a hand-written comparison of two values of one type."""
    found = []
    for fn in body.world.methods.get(head(ty), {}).get(name, []):
        if fn.impl is not None and fn.impl.trait == trait:
            same = not fn.impl.trait_args or fn.impl.trait_args == (fn.impl.owner,)
            if same and not isinstance(fn.impl.owner, ir.Ref):
                found.append(fn)
    if len(found) != 1:
        code = "type-parameter" if isinstance(ty, ir.TypeParam) else "comparison"
        raise body.refuse(code, f"comparison of {show(body.inference.zonk(ty))}, which does not derive it", node)
    return call_function(body, node, found[0], args)


def structural(body: Body, ty: ir.Type, trait: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether values of the type are compared field by field all the way down."""
    ty = body.inference.resolve(ty)
    match ty:
        case ir.Scalar() | ir.Str() | ir.Never():
            return True
        case ir.TypeParam():
            return is_int_unknown(ty)
        case ir.Tuple(items):
            return all(structural(body, t, trait, seen) for t in items)
        case ir.Array(item, _) | ir.Slice(item) | ir.Vec(item):
            return structural(body, item, trait, seen)
        case ir.Ref(_, target):
            return structural(body, target, trait, seen)
        case ir.Adt(path, args):
            if path in seen:
                return True
            if trait not in body.world.derives(path) or own_method(body, ty, trait, "partial_cmp"):
                return False
            if not all(structural(body, a, trait, seen) for a in args):
                return False
            return all(structural(body, t, trait, seen | {path}) for t in field_types(body, ty))
    return False


def field_types(body: Body, ty: ir.Adt) -> list[ir.Type]:
    """The types of all fields of a struct or enum."""
    enum = body.world.enums.get(ty.path)
    if enum is None:
        return [f.ty for f in body.world.fields(ty)]
    return [f.ty for v in enum.variants for f in body.world.fields(ty, v.name)]


# ----------------------------------------------------------------------------------------------------- assignment


@handles("compound_assignment_expr")
def compound(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`place op= value`."""
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = text(node.child_by_field_name("operator")).removesuffix("=")
    assert left_node is not None and right_node is not None and operator in ARITHMETIC
    place, value = body.lower(left_node), body.lower(right_node)
    if not is_place(place):
        raise body.refuse("assignment", "assignment to what is no place", node)
    a = body.type_of(place)
    by_ref = isinstance(body.type_of(value), ir.Ref)
    value = scalar_value(body, value)
    b = body.type_of(value)
    span, op = body.span(node), cast(Op, operator)
    if by_ref and any(isinstance(n, ir.Call | ir.Block | ir.Intrinsic) for n in walk(place)):
        raise body.refuse("assignment", f"`{operator}=` of a reference, whose place runs first", node)
    if integral(a) and integral(b):
        if operator not in ("<<", ">>"):
            body.unify(a, b, node)
        return ir.AssignOp(ty=ir.UNIT, span=span, op=op, place=place, value=value)
    if a == ir.BOOL and b == ir.BOOL and operator in ("&", "|", "^"):
        return ir.AssignOp(ty=ir.UNIT, span=span, op=op, place=place, value=value)
    body.known(a, left_node, "this place")
    trait, method = ARITHMETIC[operator]
    return own_operator(body, node, (trait + "Assign", method + "_assign"), [body.borrow(place, True), value])
