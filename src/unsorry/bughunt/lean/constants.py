"""`const` items as definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean import arithmetic
from unsorry.bughunt.lean.refusals import Untranslatable
from unsorry.bughunt.lean.writing import bare

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body
    from unsorry.bughunt.lean.unit import Unit


def plain(unit: Unit, path: str) -> bool:
    """Whether the constant is a term, not an action."""
    const = _const(unit, path)
    return unit.folded(const.value) is not None or arithmetic.total(_body(unit, const), _folded(unit, const.value))


def need(unit: Unit, path: str) -> None:
    """Have the constant defined, after those that it refers to."""
    if path in unit.constants_used:
        if not unit.constants_used[path]:
            raise Untranslatable("constant", f"the constant {path} refers to itself")
        return
    unit.constants_used[path] = ""
    const = _const(unit, path)
    name, ty = unit.names.of(path), unit.type(const.ty)
    value = unit.folded(const.value)
    if value is not None:
        text = f"@[simp] def {name} : {ty} := {value}"
    else:
        body, expression = _body(unit, const), _folded(unit, const.value)
        if arithmetic.total(body, expression):
            text = f"def {name} : {ty} := {bare(arithmetic.term(body, expression))}"
        else:
            lines = body.expr(expression, body.ret)
            if body.helpers:
                raise Untranslatable("constant", f"the constant {path} has a loop in it")
            text = "\n".join([f"def {name} : Result {unit.factor(const.ty)} := do", *("  " + x for x in lines)])
    del unit.constants_used[path]  # after what it needs
    unit.constants_used[path] = text


def _folded(unit: Unit, e: ir.Expr) -> ir.Expr:
    """The expression with its integer parts computed, one level of tuples and lists down."""
    value = unit.folded(e)
    if value is not None:
        return ir.IntLit(ty=e.ty, span=e.span, value=value)
    if isinstance(e, ir.ListLit):
        return ir.ListLit(ty=e.ty, span=e.span, items=tuple(_folded(unit, x) for x in e.items))
    if isinstance(e, ir.TupleLit):
        return ir.TupleLit(ty=e.ty, span=e.span, items=tuple(_folded(unit, x) for x in e.items))
    return e


def _const(unit: Unit, path: str) -> ir.Const:
    if path not in unit.consts:
        raise Untranslatable("constant", f"the constant {path} is not translated")
    return unit.consts[path]


def _body(unit: Unit, const: ir.Const) -> Body:
    from unsorry.bughunt.lean.body import Body

    block = ir.Block(ty=const.ty, statements=(), tail=const.value)
    function = ir.Function(path=const.path, generics=(), params=(), ret=const.ty, body=block)
    return Body(unit, function, unit.names.of(const.path))
