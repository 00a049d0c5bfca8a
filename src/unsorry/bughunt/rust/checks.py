"""What a finished body must satisfy: literals that fit, `&mut` only where the form allows it, bounded depth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import ir
from ..ir.walk import children, depth, rewrite, walk
from .aliases import inline
from .infer import parts, show
from .syntax import Refused


def check_body(body: ir.Block, span: ir.Span) -> ir.Block:
    """The body with negative literals folded, if it keeps the promises of the form."""
    folded: ir.Block = rewrite(_read_only(rewrite(inline(body), _strip)), _fold)
    if depth(folded) > ir.MAX_DEPTH:
        raise Refused("nesting", f"nested deeper than {ir.MAX_DEPTH} levels", span)
    for node in walk(folded):
        _check(node, getattr(node, "span", span))
    return folded


def _strip(node: Any) -> Any:
    """`match &mut place { &p => … }` as `match place { p => … }`."""
    if not (isinstance(node, ir.Match) and isinstance(node.scrutinee, ir.Borrow) and node.scrutinee.mutable):
        return node
    inner = [_behind(arm.pattern) for arm in node.arms]
    if None in inner:
        return node
    arms = tuple(replace(arm, pattern=p) for arm, p in zip(node.arms, inner, strict=True) if p is not None)
    return replace(node, scrutinee=node.scrutinee.place, arms=arms)


def _behind(pattern: ir.Pattern) -> ir.Pattern | None:
    """The pattern for what a reference points to; None if it needs the reference."""
    match pattern:
        case ir.RefPat(sub=sub):
            return sub
        case ir.Bind(ty=ir.Ref(mutable=True), by="value", mutable=False, sub=None):
            return replace(pattern, by="mut")
        case ir.Wild(ty=ir.Ref(target=target)):
            return ir.Wild(target)
        case ir.OrPat(ty=ir.Ref(target=target), choices=choices):
            inner = [_behind(c) for c in choices]
            return None if None in inner else ir.OrPat(target, tuple(p for p in inner if p is not None))
    return None


def _read_only(body: ir.Block) -> ir.Block:
    """The body with `ref mut` bindings that only read turned into `ref`."""
    bound = {n.name for n in walk(body) if isinstance(n, ir.Bind) and n.by == "mut"}
    if not bound:
        return body
    for node in walk(body):
        place = None
        if (isinstance(node, ir.Borrow) and node.mutable) or isinstance(node, ir.Assign | ir.AssignOp):
            place = node.place
        while isinstance(place, ir.FieldOf | ir.Index | ir.SliceOf | ir.Deref):
            place = place.operand if isinstance(place, ir.Deref) else place.base
        if isinstance(place, ir.Local):
            bound.discard(place.name)
    for node in walk(body):  # a reference that is passed on whole stays as it is
        for child in children(node):
            if isinstance(child, ir.Local) and not isinstance(node, ir.Deref):
                bound.discard(child.name)
        if isinstance(node, ir.IterList) and node.mode == "mut":
            bound -= {n.name for n in walk(node.base) if isinstance(n, ir.Local)}

    def change(node: Any) -> Any:
        if isinstance(node, ir.Bind) and node.name in bound and isinstance(node.ty, ir.Ref):
            return replace(node, by="ref", ty=ir.Ref(False, node.ty.target))
        if isinstance(node, ir.Local) and node.name in bound and isinstance(node.ty, ir.Ref):
            return replace(node, ty=ir.Ref(False, node.ty.target))
        return node

    changed: ir.Block = rewrite(body, change)
    return changed


def _fold(node: Any) -> Any:
    if isinstance(node, ir.Unary) and node.op == "-" and isinstance(node.operand, ir.IntLit) and node.operand.value > 0:
        return replace(node.operand, value=-node.operand.value, span=node.span)
    return node


def _check(node: Any, span: ir.Span) -> None:
    if isinstance(node, ir.IntLit):
        _fits(node.ty, node.value, span)
    if isinstance(node, ir.LitPat) and isinstance(node.value, int) and not isinstance(node.value, bool):
        _fits(node.ty, node.value, span)
    if isinstance(node, ir.RangePat) and node.ty != ir.CHAR:
        for bound in (node.low, node.high):
            if bound is not None:
                _fits(node.ty, bound, span)
    if isinstance(node, ir.Unary) and node.op == "-" and not (isinstance(node.ty, ir.Scalar) and node.ty.signed):
        raise Refused("inference", f"negation of {show(node.ty)}", span)
    ty = getattr(node, "ty", None)
    if ty is None:
        return
    inner = ty.target if isinstance(ty, ir.Ref) else ty
    if not _iterated(node) and holds_mut(inner):
        raise Refused("mut-borrow", f"`&mut` inside of a value: {show(ty)}", span)
    if isinstance(ty, ir.Ref) and ty.mutable:
        _mutable(node, span)


def _iterated(node: Any) -> bool:
    """Whether the type is that of the pattern of a loop, which may be a tuple with a `&mut`."""
    return isinstance(node, ir.TuplePat)


def _mutable(node: Any, span: ir.Span) -> None:
    """Where a `&mut` may be."""
    allowed = (ir.Local, ir.Borrow, ir.Unsize, ir.Bind, ir.Wild, ir.RefPat, ir.FieldOf)
    if not isinstance(node, allowed):
        raise Refused("mut-borrow", f"`&mut` as the value of {type(node).__name__}", span)
    if isinstance(node, ir.Unsize) and not isinstance(node.operand, ir.Borrow):
        raise Refused("mut-borrow", "`&mut` that is not borrowed here", span)
    if isinstance(node, ir.FieldOf):
        raise Refused("mut-borrow", "`&mut` inside of a value", span)


def _fits(ty: ir.Type, value: int, span: ir.Span) -> None:
    if not (isinstance(ty, ir.Scalar) and ty.is_int and ty.min <= value <= ty.max):
        raise Refused("literal", f"{value} is no {show(ty)}", span)


def holds_mut(ty: ir.Type) -> bool:
    """Whether a type has a `&mut` somewhere."""
    return (isinstance(ty, ir.Ref) and ty.mutable) or any(holds_mut(t) for t in parts(ty))


def check_statements(body: ir.Block, params: tuple[ir.Param, ...], ret: ir.Type, span: ir.Span) -> None:
    """`&mut` is neither kept in a local, nor put elsewhere, nor given back."""
    if holds_mut(ret):
        raise Refused("mut-borrow", f"result with `&mut`: {show(ret)}", span)
    for param in params:
        inner = param.ty.target if isinstance(param.ty, ir.Ref) else param.ty
        if holds_mut(inner):
            raise Refused("mut-borrow", f"`&mut` inside of the parameter `{param.name}`", span)
    for node in walk(body):
        if isinstance(node, ir.Let):
            for part in walk(node.pattern):
                if isinstance(part, ir.Bind) and holds_mut(part.ty) and part.by == "value":
                    raise Refused("mut-borrow", f"`&mut` kept in the local `{part.name}`", node.span)
        elif isinstance(node, ir.Arm):
            for part in walk(node.pattern):
                if isinstance(part, ir.Bind) and holds_mut(part.ty) and part.by == "value":
                    raise Refused("mut-borrow", f"`&mut` kept in the local `{part.name}`", span)
        elif isinstance(node, ir.Assign) and holds_mut(node.place.ty):
            raise Refused("mut-borrow", "`&mut` put into another place", node.span)
        elif isinstance(node, ir.StructLit | ir.VariantLit):
            if any(holds_mut(value.ty) for _, value in node.fields):
                raise Refused("mut-borrow", "`&mut` put into a value", node.span)
        elif isinstance(node, ir.TupleLit | ir.ListLit) and any(holds_mut(value.ty) for value in node.items):
            raise Refused("mut-borrow", "`&mut` put into a value", node.span)
        elif isinstance(node, ir.Match) and holds_mut(node.scrutinee.ty) and not isinstance(node.scrutinee, ir.Local):
            raise Refused("mut-borrow", "`&mut` that is matched", node.span)
