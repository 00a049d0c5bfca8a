"""`let r = &mut place;` written out: the place itself stands wherever `*r` does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import ir
from ..ir.walk import rewrite, walk


def inline(body: ir.Block) -> ir.Block:
    """The body without locals that hold a `&mut` to a place; those that cannot be written out stay.

    While the reference lives nothing else may change the place, so its indices, run once into locals, still name it.
    """
    names = {n.name for n in walk(body) if isinstance(n, ir.Bind)} | {n.name for n in walk(body) if _named(n)}
    done: ir.Block = rewrite(body, lambda node: _block(node, names))
    return done


def _named(node: Any) -> bool:
    return isinstance(node, ir.Local)


def _block(node: Any, names: set[str]) -> Any:
    if not isinstance(node, ir.Block):
        return node
    statements, tail = list(node.statements), node.tail
    at = 0
    while at < len(statements):
        found = _alias(statements[at])
        if found is not None:
            name, place, span = found
            before: list[ir.Stmt] = []
            fixed = _fix(place, before, names, span)
            rest = tuple(statements[at + 1 :])
            new, end = _substitute(rest, name, fixed), _substitute(tail, name, fixed)
            if not any(_named(n) and n.name == name for part in (*new, *([end] if end else [])) for n in walk(part)):
                if _may_fail(fixed):
                    before.append(ir.ExprStmt(ir.Borrow(ty=ir.Ref(False, fixed.ty), mutable=False, place=fixed)))
                statements = [*statements[:at], *before, *new]
                tail = end
                at += len(before)
                continue
        at += 1
    return replace(node, statements=tuple(statements), tail=tail)


def _alias(statement: ir.Stmt) -> tuple[str, ir.Expr, ir.Span] | None:
    """Name and place of `let r = &mut place;`."""
    if not isinstance(statement, ir.Let) or statement.otherwise is not None:
        return None
    pattern, init = statement.pattern, statement.init
    if not (isinstance(pattern, ir.Bind) and pattern.by == "value" and not pattern.mutable and pattern.sub is None):
        return None
    if isinstance(init, ir.Borrow) and init.mutable and isinstance(pattern.ty, ir.Ref) and _plain(init.place):
        return pattern.name, init.place, statement.span
    return None


def _plain(place: ir.Expr) -> bool:
    match place:
        case ir.Local():
            return True
        case ir.FieldOf(base=base) | ir.Index(base=base) | ir.SliceOf(base=base):
            return _plain(base)
        case ir.Deref(operand=inner):
            return isinstance(inner, ir.Local)
    return False


def _fix(place: ir.Expr, before: list[ir.Stmt], names: set[str], span: ir.Span) -> ir.Expr:
    """The place with its indices as locals, which `before` defines, in the order of running."""

    def local(index: ir.Expr) -> ir.Expr:
        if isinstance(index, ir.IntLit):
            return index
        n = 0
        while (name := f"at_{n}") in names:
            n += 1
        names.add(name)
        before.append(ir.Let(ir.Bind(index.ty, name), index, None, span))
        return ir.Local(ty=index.ty, span=index.span, name=name)

    match place:
        case ir.FieldOf(base=base):
            return replace(place, base=_fix(base, before, names, span))
        case ir.Index(base=base, index=index):
            fixed = _fix(base, before, names, span)
            return replace(place, base=fixed, index=local(index))
        case ir.SliceOf(base=base, low=low, high=high):
            fixed = _fix(base, before, names, span)
            bounds = [local(x) if x is not None else None for x in (low, high)]
            return replace(place, base=fixed, low=bounds[0], high=bounds[1])
    return place


def _may_fail(place: ir.Expr) -> bool:
    return any(isinstance(n, ir.Index | ir.SliceOf) for n in walk(place))


def _substitute(tree: Any, name: str, place: ir.Expr) -> Any:
    def change(node: Any) -> Any:
        if isinstance(node, ir.Deref) and isinstance(node.operand, ir.Local) and node.operand.name == name:
            return place
        return node

    return rewrite(tree, change)
