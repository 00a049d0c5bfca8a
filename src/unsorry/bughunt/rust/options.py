"""Methods of Option, Result and Ordering; those that take closures are refused."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .body import Body, is_place
from .infer import unknown
from .values import default_value


def adt_method(body: Body, node: Node, value: ir.Expr, ty: ir.Adt, name: str, args: list[Node]) -> ir.Expr | None:
    """A known method on one of the built-in enums; None for others."""
    if any(a.type == "closure_expression" for a in args):
        raise body.refuse("closure", f"closure given to `{name}`", node)
    if name in ("as_mut", "get_or_insert", "insert", "as_deref_mut"):
        raise body.refuse("mut-borrow", f"method `{name}`, which gives a `&mut`", node)
    if ty.path == "Option":
        return _option(body, node, value, ty, name, args)
    if ty.path == "Result":
        return _result(body, node, value, ty, name, args)
    if ty.path == "Ordering":
        return _ordering(body, node, value, name, args)
    return None


def _message(body: Body, node: Node, name: str, args: list[Node]) -> None:
    """Check the arguments of `unwrap` (none) or `expect` (a text)."""
    from .standard import arity

    arity(body, node, args, 0 if name == "unwrap" else 1)
    if args:
        body.check(args[0], ir.Ref(False, ir.Str()))


def _option(body: Body, node: Node, value: ir.Expr, ty: ir.Adt, name: str, args: list[Node]) -> ir.Expr | None:
    from .standard import arity, intrinsic

    item = ty.args[0]
    inner = body.inference.resolve(item)

    def made(result: ir.Type, *rest: ir.Expr, to: str = "") -> ir.Expr:
        return intrinsic(body, node, "Option::" + (to or name), result, [value, *rest])

    if name in ("take", "replace"):
        if not is_place(value):
            return None
        place = body.borrow(value, True)
        arity(body, node, args, 0 if name == "take" else 1)
        rest = [body.check(a, item) for a in args]
        return intrinsic(body, node, "Option::" + name, ty, [place, *rest])
    if name in ("is_some", "is_none"):
        arity(body, node, args, 0)
        return made(ir.BOOL)
    if name in ("unwrap", "expect"):
        _message(body, node, name, args)
        return made(item)
    if name in ("unwrap_or", "or", "xor"):
        arity(body, node, args, 1)
        return made(item if name == "unwrap_or" else ty, body.check(args[0], item if name == "unwrap_or" else ty))
    if name == "unwrap_or_default":
        arity(body, node, args, 0)
        if unknown(inner):
            raise body.refuse("inference", "the type of this Option is not known here", node)
        return made(item, default_value(body, node, item), to="unwrap_or")
    if name in ("and", "ok_or"):
        arity(body, node, args, 1)
        other = body.lower(args[0])
        return made(other.ty if name == "and" else ir.result(item, other.ty), other)
    if name in ("copied", "cloned") and isinstance(inner, ir.Ref):
        arity(body, node, args, 0)
        from .methods import clones_plainly

        if clones_plainly(body, inner.target):
            return made(ir.option(inner.target), to="copied")
    if name == "flatten" and isinstance(inner, ir.Adt) and inner.path == "Option":
        return made(inner)
    if name == "as_ref":
        arity(body, node, args, 0)
        borrowed = body.borrow(value, False)
        return intrinsic(body, node, "Option::as_ref", ir.option(ir.Ref(False, item)), [borrowed])
    return None


def _result(body: Body, node: Node, value: ir.Expr, ty: ir.Adt, name: str, args: list[Node]) -> ir.Expr | None:
    from .standard import arity, intrinsic

    ok, error = ty.args

    def made(result: ir.Type, *rest: ir.Expr, to: str = "") -> ir.Expr:
        return intrinsic(body, node, "Result::" + (to or name), result, [value, *rest])

    if name in ("is_ok", "is_err"):
        arity(body, node, args, 0)
        return made(ir.BOOL)
    if name in ("unwrap", "expect"):
        _message(body, node, name, args)
        return made(ok)
    if name == "unwrap_err":
        arity(body, node, args, 0)
        return made(error)
    if name == "unwrap_or":
        arity(body, node, args, 1)
        return made(ok, body.check(args[0], ok))
    if name == "unwrap_or_default":
        arity(body, node, args, 0)
        return made(ok, default_value(body, node, ok), to="unwrap_or")
    if name in ("ok", "err"):
        arity(body, node, args, 0)
        return made(ir.option(ok if name == "ok" else error))
    return None


def _ordering(body: Body, node: Node, value: ir.Expr, name: str, args: list[Node]) -> ir.Expr | None:
    from ..intrinsics import INTRINSICS
    from .standard import arity, intrinsic

    if "Ordering::" + name not in INTRINSICS:
        return None
    arity(body, node, args, 1 if name == "then" else 0)
    rest = [body.check(a, ir.ORDERING) for a in args]
    ty = ir.BOOL if name.startswith("is_") else ir.ORDERING
    return intrinsic(body, node, "Ordering::" + name, ty, [value, *rest])
