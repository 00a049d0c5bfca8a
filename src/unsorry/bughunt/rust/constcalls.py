"""Calls in constants: the function's body stands where it is called, so that constants need no functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import ir
from ..ir.walk import depth, rewrite, walk
from .syntax import Refused

ROUNDS = 12  # calls within calls


def without_calls(const: ir.Const, functions: dict[str, ir.Function]) -> ir.Const:
    """The constant with every call replaced by what it runs; refuses what leaves early, is generic or recursive."""
    count = 0

    def change(node: Any) -> Any:
        nonlocal count
        if not isinstance(node, ir.Call):
            return node
        count += 1
        return _body(node, functions, count, const)

    value = const.value
    for _ in range(ROUNDS):
        if not any(isinstance(n, ir.Call) for n in walk(value)):
            return replace(const, value=value)
        value = rewrite(value, change)
        if depth(value) > ir.MAX_DEPTH:
            break
    raise Refused("const-call", f"constant `{const.path}` calls functions too deep", const.span)


def lacking(consts: dict[str, ir.Const]) -> str | None:
    """A constant that is made from one that is not there."""
    for path, const in consts.items():
        if any(isinstance(n, ir.ConstRef) and n.path not in consts for n in walk(const.value)):
            return path
    return None


def _body(call: ir.Call, functions: dict[str, ir.Function], count: int, const: ir.Const) -> ir.Expr:
    function = functions[call.function]
    if function.body is None:
        raise Refused("calls-refused", f"calls `{function.path}`, which is refused", const.span)
    leaves = any(isinstance(n, ir.Return | ir.Try) for n in walk(function.body))
    if leaves or function.generics or any(isinstance(p.ty, ir.Ref) and p.ty.mutable for p in function.params):
        raise Refused("const-call", f"constant `{const.path}` calls `{function.path}`", const.span)

    def renamed(node: Any) -> Any:
        if isinstance(node, ir.Local | ir.Bind):
            return replace(node, name=f"{node.name}_c{count}")
        if isinstance(node, ir.Loop | ir.While | ir.For | ir.Break | ir.Continue):
            return replace(node, label=f"{node.label}_c{count}")
        return node

    body: ir.Block = rewrite(function.body, renamed)
    if not body.statements and body.tail is not None and all(_plain(a) for a in call.args):
        values = {f"{p.name}_c{count}": a for p, a in zip(function.params, call.args, strict=True)}
        put: ir.Expr = rewrite(body.tail, lambda n: values.get(n.name, n) if isinstance(n, ir.Local) else n)
        return put
    lets = tuple(
        ir.Let(ir.Bind(p.ty, f"{p.name}_c{count}", p.mutable), a, None, call.span)
        for p, a in zip(function.params, call.args, strict=True)
    )
    return replace(body, statements=(*lets, *body.statements))


def _plain(arg: ir.Expr) -> bool:
    return isinstance(arg, ir.IntLit | ir.BoolLit | ir.CharLit | ir.ConstRef)
