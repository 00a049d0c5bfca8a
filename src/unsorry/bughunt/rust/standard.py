"""The methods and functions of the standard library that become `Intrinsic`s."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tree_sitter import Node

from .. import ir
from ..intrinsics import INTRINSICS
from .body import Body, is_place
from .infer import holds_unknown, integral, is_int, is_int_unknown, show, unknown
from .methods import clone, ordered
from .operators import structural
from .syntax import text, words
from .values import default_value

NO_ARGUMENTS = words(
    """
    wrapping_neg wrapping_abs checked_neg checked_abs saturating_neg saturating_abs overflowing_neg abs signum
    unsigned_abs is_negative is_positive is_power_of_two leading_zeros trailing_zeros leading_ones trailing_ones
    count_ones count_zeros swap_bytes reverse_bits to_be to_le ilog2 ilog10 checked_ilog2 checked_ilog10 isqrt
    to_be_bytes to_le_bytes next_power_of_two checked_next_power_of_two
    """
)
SIGNED_ONLY = words(
    """
    wrapping_abs checked_abs saturating_neg saturating_abs abs signum unsigned_abs is_negative is_positive
    checked_add_unsigned checked_sub_unsigned
    """
)
UNSIGNED_ONLY = words(
    """
    is_power_of_two next_power_of_two checked_next_power_of_two div_ceil is_multiple_of checked_add_signed
    wrapping_add_signed saturating_add_signed
    """
)
WITH_U32 = words(
    """
    wrapping_shl wrapping_shr wrapping_pow checked_shl checked_shr checked_pow saturating_pow overflowing_shl
    overflowing_shr overflowing_pow pow rotate_left rotate_right
    """
)
Table = dict[str, tuple[list[Any], Any]]


def std_method(
    body: Body, node: Node, value: ir.Expr, name: str, args: list[Node], turbofish: list[ir.Type] | None,
    want: ir.Type | None,
) -> ir.Expr:  # fmt: skip
    """A method of the standard library on a value (no reference) of known type."""
    ty = body.type_of(value)
    if turbofish:
        raise body.refuse("std", f"method `{name}` with type arguments", node)
    found: ir.Expr | None = None
    if name in ("clone", "to_owned") and not args and not isinstance(ty, ir.Slice | ir.Str):
        return clone(body, node, value)
    if name in ("cmp", "partial_cmp", "eq", "ne", "min", "max", "clamp") and not isinstance(ty, ir.Slice):
        found = _order(body, node, value, ty, name, args)
    elif name in ("into", "try_into"):
        found = _into(body, node, value, ty, name, args, want)
    elif isinstance(ty, ir.Scalar) and is_int(ty):
        found = _integer(body, node, value, ty, name, args)
    elif is_int_unknown(ty):
        raise body.refuse("inference", f"method `{name}` on an integer whose type is not known here", node)
    elif ty == ir.CHAR:
        found = _char(body, node, value, name, args)
    elif isinstance(ty, ir.Adt):
        from .options import adt_method

        found = adt_method(body, node, value, ty, name, args)
    elif isinstance(ty, ir.Array | ir.Slice | ir.Vec):
        from .lists import list_method

        found = list_method(body, node, value, ty, name, args, want)
    if found is None:
        raise body.refuse("std", f"method `{name[:40]}` of {show(body.inference.zonk(ty))}", node)
    return found


def intrinsic(body: Body, node: Node, name: str, ty: ir.Type, args: list[ir.Expr]) -> ir.Intrinsic:
    """A call of a known function."""
    assert name in INTRINSICS, name
    return ir.Intrinsic(ty=ty, span=body.span(node), name=name, args=tuple(args))


def arity(body: Body, node: Node, args: list[Node], count: int) -> None:
    """Refuse a wrong number of arguments."""
    if len(args) != count:
        raise body.refuse("inference", f"{len(args)} arguments instead of {count}", node)


def _integer(body: Body, node: Node, value: ir.Expr, ty: ir.Scalar, name: str, args: list[Node]) -> ir.Expr | None:
    if name.startswith(("is_ascii", "to_ascii", "eq_ignore")) and ty == ir.U8:
        return _ascii(body, node, value, ty, name, args)
    full = "int::" + name
    if full not in INTRINSICS or name in ("try_from", "from_be_bytes", "from_le_bytes"):
        return None
    if (name in SIGNED_ONLY and not ty.signed) or (name in UNSIGNED_ONLY and ty.signed):
        return None
    types: list[ir.Type] = [ty]
    twin = ir.Scalar(("u" if ty.signed else "i") + ty.name[1:])
    if name in NO_ARGUMENTS:
        types = []
    elif name in WITH_U32:
        types = [ir.U32]
    elif name.endswith(("_signed", "_unsigned")):
        types = [twin]
    arity(body, node, args, len(types))
    rest = [body.check(a, t) for a, t in zip(args, types, strict=True)]
    return intrinsic(body, node, full, _int_result(name, ty), [value, *rest])


def _int_result(name: str, ty: ir.Scalar) -> ir.Type:
    if name in ("checked_ilog2", "checked_ilog10"):
        return ir.option(ir.U32)
    if name.startswith("checked_"):
        return ir.option(ty)
    if name.startswith("overflowing_"):
        return ir.Tuple((ty, ir.BOOL))
    if name.startswith("is_"):
        return ir.BOOL
    if name in ("unsigned_abs", "abs_diff"):
        return ir.Scalar("u" + ty.name[1:])
    if name.startswith(("leading_", "trailing_", "count_", "ilog")):
        return ir.U32
    if name in ("to_be_bytes", "to_le_bytes"):
        return ir.Array(ir.U8, ty.bits // 8)
    return ty


def _ascii(body: Body, node: Node, value: ir.Expr, ty: ir.Scalar, name: str, args: list[Node]) -> ir.Expr | None:
    full = "ascii::" + name
    if full not in INTRINSICS:
        return None
    if name == "eq_ignore_ascii_case":
        arity(body, node, args, 1)
        other = body.deref(body.check(args[0], ir.Ref(False, ty)))
        return intrinsic(body, node, full, ir.BOOL, [value, other])
    arity(body, node, args, 0)
    return intrinsic(body, node, full, ty if name.startswith("to_") else ir.BOOL, [value])


def _char(body: Body, node: Node, value: ir.Expr, name: str, args: list[Node]) -> ir.Expr | None:
    if "ascii" in name:
        return _ascii(body, node, value, ir.Scalar("char"), name, args)
    if name in ("to_digit", "is_digit"):
        arity(body, node, args, 1)
        ty = ir.BOOL if name == "is_digit" else ir.option(ir.U32)
        return intrinsic(body, node, "char::" + name, ty, [value, body.check(args[0], ir.U32)])
    if name == "len_utf8":
        arity(body, node, args, 0)
        return intrinsic(body, node, "char::len_utf8", ir.USIZE, [value])
    return None


def _order(body: Body, node: Node, value: ir.Expr, ty: ir.Type, name: str, args: list[Node]) -> ir.Expr | None:
    trait = {"eq": "PartialEq", "ne": "PartialEq", "partial_cmp": "PartialOrd"}.get(name, "Ord")
    if not (integral(ty) or structural(body, ty, trait)):
        return None
    arity(body, node, args, 2 if name == "clamp" else 1)
    if name in ("min", "max", "clamp"):
        if not ordered(body, ty):
            return None
        return intrinsic(body, node, "ord::" + name, ty, [value, *(body.check(a, ty) for a in args)])
    other = body.check(args[0], ir.Ref(False, ty))
    if name in ("eq", "ne"):
        right = body.deref(other)
        return ir.Binary(ty=ir.BOOL, span=body.span(node), op="==" if name == "eq" else "!=", left=value, right=right)
    result = ir.ORDERING if name == "cmp" else ir.option(ir.ORDERING)
    return intrinsic(body, node, "ord::" + name, result, [body.borrow(value, False), other])


def lossless(source: ir.Type, target: ir.Type) -> bool:
    """Whether the standard library has `From<source> for target` that is a plain cast."""
    if not (isinstance(source, ir.Scalar) and isinstance(target, ir.Scalar)):
        return False
    if source == target:
        return True
    if target.is_int and source == ir.BOOL:
        return True
    if source == ir.U8 and target == ir.CHAR:
        return True
    if source == ir.CHAR:
        return target.name in ("u32", "u64", "u128")
    if not (source.is_int and target.is_int) or "size" in source.name:
        return False
    if "size" in target.name:
        return source.name in (("u8", "u16") if target.name == "usize" else ("u8", "i8", "i16"))
    if source.signed and not target.signed:
        return False
    return target.bits > source.bits


def _into(
    body: Body, node: Node, value: ir.Expr, ty: ir.Type, name: str, args: list[Node], want: ir.Type | None
) -> ir.Expr | None:
    """`x.into()` and `x.try_into()` where the target is known."""
    arity(body, node, args, 0)
    target = body.inference.zonk(want) if want is not None else None
    if name == "into" and isinstance(target, ir.Adt) and target.path == "Result":
        target = None if holds_unknown(target) else target
    if target is None or unknown(target):
        raise body.refuse("inference", f"the target of `{name}` is not known here", node)
    if name == "into":
        if lossless(ty, target):
            return ir.Cast(ty=target, span=body.span(node), operand=value)
        from .calls import conversion
        from .operators import call_function

        return call_function(body, node, conversion(body, body.inference.zonk(ty), target, node), [value])
    number = isinstance(target, ir.Adt) and target.path == "Result" and is_int(body.inference.resolve(target.args[0]))
    if number and isinstance(target, ir.Adt) and is_int(ty):
        error = ir.Adt("TryFromIntError")
        body.unify(target.args[1], error, node)
        return intrinsic(body, node, "int::try_from", ir.result(target.args[0], error), [value])
    return None


# --------------------------------------------------------------------------------------------- Type::function(…)

Maker = Callable[[Body, Node, list[Node]], ir.Expr]


def type_function(body: Body, node: Node, owner: ir.Type, name: str, args: list[Node], want: ir.Type | None) -> ir.Expr:
    """`u32::from(x)`, `Vec::new()`, `i32::pow(a, b)` …"""
    if isinstance(owner, ir.Scalar) and name == "from" and len(args) == 1:
        value = body.lower(args[0])
        have = body.known_or_integer(value, args[0])
        if is_int_unknown(have):
            raise body.refuse("inference", "the type that `from` converts is not known here", node)
        if isinstance(have, ir.Ref) or not lossless(have, owner):
            raise body.refuse("std", f"`{owner.name}::from` of {show(body.inference.zonk(have))}", node)
        return ir.Cast(ty=owner, span=body.span(node), operand=value)
    if isinstance(owner, ir.Scalar) and name == "try_from" and len(args) == 1 and owner.is_int:
        value = body.lower(args[0])
        have = body.known_or_integer(value, args[0])
        if is_int(have):
            return intrinsic(body, node, "int::try_from", ir.result(owner, ir.Adt("TryFromIntError")), [value])
    if isinstance(owner, ir.Scalar) and name in ("from_be_bytes", "from_le_bytes") and owner.is_int:
        arity(body, node, args, 1)
        value = body.check(args[0], ir.Array(ir.U8, owner.bits // 8))
        return intrinsic(body, node, "int::" + name, owner, [value])
    if owner == ir.CHAR and name == "from_u32":
        arity(body, node, args, 1)
        return intrinsic(body, node, "char::from_u32", ir.option(ir.CHAR), [body.check(args[0], ir.U32)])
    if owner == ir.CHAR and name == "from_digit":
        arity(body, node, args, 2)
        values = [body.check(a, ir.U32) for a in args]
        return intrinsic(body, node, "char::from_digit", ir.option(ir.CHAR), values)
    if isinstance(owner, ir.Scalar) and owner.is_int and name in ("max_value", "min_value") and not args:
        bound = owner.max if name == "max_value" else owner.min
        return ir.IntLit(ty=owner, span=body.span(node), value=bound)
    if name == "default" and not args:
        return default_value(body, node, owner)
    if isinstance(owner, ir.Vec) and name in ("new", "with_capacity"):
        arity(body, node, args, 0 if name == "new" else 1)
        made = intrinsic(body, node, "Vec::new", owner, [])
        if not args:
            return made
        capacity = ir.ExprStmt(body.check(args[0], ir.USIZE))
        return ir.Block(ty=owner, span=body.span(node), statements=(capacity,), tail=made)
    if isinstance(owner, ir.Vec) and name == "from" and len(args) == 1:
        value = body.lower(args[0])
        have = body.type_of(value)
        if isinstance(have, ir.Array):
            body.unify(have.item, owner.item, node)
            return intrinsic(body, node, "slice::to_vec", owner, [body.slice_ref(value, False, node)])
    if isinstance(owner, ir.Scalar) and args and (owner.is_int or owner == ir.CHAR):
        first = body.lower(args[0])
        if isinstance(body.type_of(first), ir.Ref) and name in ("cmp", "partial_cmp", "eq", "ne"):
            first = body.deref(first)
        body.unify(first.ty, owner, node)
        return std_method(body, node, first, name, args[1:], None, want)
    if isinstance(owner, ir.Adt) and owner.path in ("Option", "Result", "Ordering") and args:
        first = body.check(args[0], owner)
        if is_place(first) or isinstance(first, ir.Call | ir.Intrinsic | ir.VariantLit):
            return std_method(body, node, first, name, args[1:], None, want)
    raise body.refuse("std", f"`{show(body.inference.zonk(owner))}::{name[:40]}`", node)


__all__ = ["Table", "arity", "intrinsic", "lossless", "std_method", "text", "type_function"]
