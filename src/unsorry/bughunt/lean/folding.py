"""Integer constants, computed: rustc has accepted them, so nothing overflows in them."""

from __future__ import annotations

from collections.abc import Mapping

from unsorry.bughunt import ir


def fold(e: ir.Expr, consts: Mapping[str, ir.Const]) -> int | None:
    """The value of an integer expression over literals, constants, operators and casts; None for anything else."""
    value = _value(e, consts)
    if value is None or not isinstance(e.ty, ir.Scalar) or not e.ty.is_int:
        return None
    return value if e.ty.min <= value <= e.ty.max else None


def _value(e: ir.Expr, consts: Mapping[str, ir.Const]) -> int | None:
    match e:
        case ir.IntLit(value=value):
            return value
        case ir.ConstRef(path=path) if path in consts:
            return fold(consts[path].value, consts)
        case ir.Block(statements=(), tail=tail) if tail is not None:
            return fold(tail, consts)
        case ir.Unary(op="-", operand=operand):
            value_ = fold(operand, consts)
            return None if value_ is None else -value_
        case ir.Cast(operand=operand):
            value_ = fold(operand, consts)
            if value_ is None or not isinstance(e.ty, ir.Scalar) or not e.ty.is_int:
                return None
            return (value_ - e.ty.min) % (1 << e.ty.bits) + e.ty.min
        case ir.Binary(op=op, left=left, right=right):
            a, b = fold(left, consts), fold(right, consts)
            return None if a is None or b is None else _operate(op, a, b, e.ty)
    return None


def _operate(op: str, a: int, b: int, ty: ir.Type) -> int | None:
    if not isinstance(ty, ir.Scalar) or not ty.is_int:
        return None
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" if b != 0:
            return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        case "%" if b != 0:
            return abs(a) % abs(b) * (-1 if a < 0 else 1)
        case "<<" if 0 <= b < ty.bits:
            return ((a << b) - ty.min) % (1 << ty.bits) + ty.min
        case ">>" if 0 <= b < ty.bits:
            return a >> b
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
    return None
