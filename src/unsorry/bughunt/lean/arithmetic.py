"""Operators and casts on scalars, comparisons, conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean.library import SCALARS
from unsorry.bughunt.lean.writing import K, Lines, anchored, bare

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body

COMPARISONS = {"==": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
_FALLIBLE = {"+": "add", "-": "sub", "*": "mul", "<<": "shl", ">>": "shr"}  # in debug; in release they wrap
_DIVISION = {"/": "div", "%": "rem"}
_BITS = {"&": "and", "|": "or", "^": "xor"}
_ORDERINGS = {"<": "= Ordering.lt", "<=": "≠ Ordering.gt", ">": "= Ordering.gt", ">=": "≠ Ordering.lt"}


def strip(ty: ir.Type) -> ir.Type:
    """The type without references."""
    while isinstance(ty, ir.Ref):
        ty = ty.target
    return ty


def literal(e: ir.Expr) -> int | None:
    """The value of an integer literal."""
    return e.value if isinstance(e, ir.IntLit) else None


def expr(body: Body, e: ir.Unary | ir.Binary | ir.Cast, k: K) -> Lines:
    match e:
        case ir.Unary(op="-", operand=operand):
            assert isinstance(e.ty, ir.Scalar)
            if body.debug:
                action = body.unit.op(e.ty, "neg")
                return body.expr(operand, lambda t: body.bind(f"{action} {t}", k))
            action = body.unit.op(e.ty, "wrapping_neg")
            return body.expr(operand, lambda t: k(f"({action} {t})"))
        case ir.Unary(operand=operand):
            if e.ty == ir.BOOL:
                return body.expr(operand, lambda t: k(f"(!{t})"))
            assert isinstance(e.ty, ir.Scalar)
            action = body.unit.op(e.ty, "not")
            return body.expr(operand, lambda t: k(f"({action} {t})"))
        case ir.Cast(operand=operand):
            return body.expr(operand, lambda t: k(cast(body, operand.ty, e.ty, t)))
        case ir.Binary(op=op, left=left, right=right):
            if op in COMPARISONS:
                return body.many([left, right], lambda ts: k(f"(decide {compare(body, op, left.ty, ts[0], ts[1])})"))
            return body.many([left, right], lambda ts: operate(body, e, op, ts[0], ts[1], literal(right), k))
    raise AssertionError(e)


def operate(body: Body, e: ir.Expr, op: str, a: str, b: str, value: int | None, k: K) -> Lines:
    """One arithmetic or bit operation of type `e.ty`; `value` is the right side, if it is a literal."""
    ty = strip(e.ty)
    if ty == ir.BOOL:
        return k({"&": f"({a} && {b})", "|": f"({a} || {b})", "^": f"({a} != {b})"}[op])
    if not isinstance(ty, ir.Scalar) or not ty.is_int:
        raise body.refuse("operator", f"`{op}` on a type that is no integer", e)
    simple = _simple(body, ty, op, a, value)
    if simple is not None:
        return k(simple)
    if op in _BITS:
        return k(f"({body.unit.op(ty, _BITS[op])} {a} {b})")
    if op in _DIVISION:
        return body.bind(f"{body.unit.op(ty, _DIVISION[op])} {a} {b}", k)
    name = _FALLIBLE[op]
    if body.debug:
        return body.bind(f"{body.unit.op(ty, name)} {a} {b}", k)
    return k(f"({body.unit.op(ty, 'wrapping_' + name)} {a} {b})")


def _simple(body: Body, ty: ir.Scalar, op: str, a: str, value: int | None) -> str | None:
    """Operations with a literal that cannot fail, in a form that `omega` reads."""
    if value is None:
        return None
    if op in "/%" and value > 0:
        if not ty.signed:
            return f"({a} {op} {value})"
        return f"({'tquot' if op == '/' else 'trem'} {a} {value})"
    if op == "&" and value >= 0 and value & (value + 1) == 0:
        return f"({a} % {value + 1})"
    if op == ">>" and 0 <= value < ty.bits:
        return f"({a} / {1 << value})"
    if op == "<<" and 0 <= value < ty.bits:
        return f"({body.unit.op(ty, 'wrap')} ({a} * {1 << value}))"
    return None


def compare(body: Body, op: str, ty: ir.Type, a: str, b: str) -> str:
    """A comparison as a proposition."""
    plain = strip(ty)
    if not anchored(a) and not anchored(b):
        a = f"({bare(a)} : {body.type(plain)})"
    if op in ("==", "!="):
        return f"({a} {COMPARISONS[op]} {b})"
    if isinstance(plain, ir.Scalar) and plain != ir.BOOL:
        return f"({a} {COMPARISONS[op]} {b})"
    body.unit.need_order(plain)
    return f"(rcmp {a} {b} {_ORDERINGS[op]})"


def proposition(body: Body, e: ir.Expr) -> str | None:
    """The condition as a proposition, if it runs nothing that can fail and is no mere Boolean."""
    if not total(body, e):
        return None
    match e:
        case ir.Binary(op=op, left=left, right=right) if op in COMPARISONS:
            return compare(body, op, left.ty, term(body, left), term(body, right))
        case ir.Unary(op="!", operand=operand):
            inner = proposition(body, operand)
            return None if inner is None else f"(¬ {inner})"
        case ir.Logic(op=op, left=left, right=right):
            sides = [proposition(body, side) or f"({term(body, side)} = true)" for side in (left, right)]
            return f"({sides[0]} {'∧' if op == '&&' else '∨'} {sides[1]})"
        case ir.Intrinsic(name="slice::is_empty", args=(xs,)):
            return f"(Slice.len {term(body, xs)} = 0)"
        case ir.Block(statements=(), tail=tail) if tail is not None:
            return proposition(body, tail)
        case _:
            return None


def term(body: Body, e: ir.Expr) -> str:
    """The term of an expression that is `total`."""
    found: list[str] = []

    def keep(text: str) -> Lines:
        found.append(text)
        return []

    lines = body.expr(e, keep)
    assert not lines and len(found) == 1, e
    return found[0]


def total(body: Body, e: ir.Expr) -> bool:
    """Whether the expression becomes a plain term: it cannot fail and changes nothing."""
    from unsorry.bughunt.lean import intrinsics

    match e:
        case ir.IntLit() | ir.BoolLit() | ir.CharLit() | ir.StrLit() | ir.Local():
            return True
        case ir.ConstRef(path=path):
            return body.unit.plain_constant(path)
        case ir.Unary(op=op, operand=operand):
            return (op == "!" or not body.debug) and total(body, operand)
        case ir.Binary(op=op, left=left, right=right):
            if not (total(body, left) and total(body, right)):
                return False
            ty = strip(e.ty)
            if op in COMPARISONS or op in _BITS or not isinstance(ty, ir.Scalar):
                return True
            simple = _simple(body, ty, op, "x", literal(right)) is not None
            return simple or (not body.debug and op not in _DIVISION)
        case ir.Logic(left=left, right=right):
            return total(body, left) and total(body, right)
        case ir.Cast(operand=inner) | ir.Deref(operand=inner) | ir.Unsize(operand=inner):
            return total(body, inner)
        case ir.FieldOf(base=inner) | ir.Borrow(mutable=False, place=inner):
            return total(body, inner)
        case ir.TupleLit(items=items) | ir.ListLit(items=items):
            return all(total(body, item) for item in items)
        case ir.StructLit(fields=fields, base=None) | ir.VariantLit(fields=fields):
            return all(total(body, x) for _, x in fields)
        case ir.Block(statements=(), tail=tail):
            return tail is not None and total(body, tail)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return otherwise is not None and all(total(body, x) for x in (condition, then, otherwise))
        case ir.Intrinsic(args=args):
            return intrinsics.is_total(body, e) and all(total(body, a) for a in args)
        case _:
            return False


def cast(body: Body, source: ir.Type, target: ir.Type, a: str) -> str:
    """`a as target`."""
    source, target = strip(source), strip(target)
    if source == target:
        return a
    if source == ir.BOOL:
        return f"(b2i {a})"
    if isinstance(source, ir.Adt):
        a, low, high = body.unit.discriminant(source, a)
    elif source == ir.CHAR:
        low, high = 0, 0x10FFFF
    else:
        assert isinstance(source, ir.Scalar), source
        low, high = source.min, source.max
    if target == ir.CHAR:
        return a
    assert isinstance(target, ir.Scalar), target
    if target.min <= low and high <= target.max:
        return a
    return f"({body.unit.op(target, 'wrap')} {a})"


__all__ = [
    "COMPARISONS",
    "SCALARS",
    "cast",
    "compare",
    "expr",
    "literal",
    "operate",
    "proposition",
    "strip",
    "term",
    "total",
]
