"""Loops and the ways out of them."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .body import Body, LoopHere, handles
from .iterators import iterator
from .patterns import lower_pattern
from .syntax import child, named, text

# ---------------------------------------------------------------------------------------------------------- loops


def _enter(body: Body, node: Node, ty: ir.Type | None) -> LoopHere:
    label = child(node, "label")
    written = text(label).removesuffix(":").strip() if label is not None else ""
    loop = LoopHere(written, body.fresh_name(written.removeprefix("'") or "loop"), ty)
    body.loops.append(loop)
    return loop


@handles("loop_expression")
def endless(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`loop`."""
    inside = node.child_by_field_name("body")
    assert inside is not None
    ty = want if want is not None else body.inference.fresh()
    loop = _enter(body, node, ty)
    done = body.check(inside, ir.UNIT)
    body.loops.pop()
    assert isinstance(done, ir.Block)
    return ir.Loop(ty=ty if loop.broken else ir.NEVER, span=body.span(node), label=loop.label, body=done)


@handles("while_expression")
def loop_while(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`while`, `while let`."""
    condition, inside = node.child_by_field_name("condition"), node.child_by_field_name("body")
    assert condition is not None and inside is not None
    span = body.span(node)
    if condition.type == "let_chain":
        raise body.refuse("let-chain", "`let` chained with `&&`", condition)
    loop = _enter(body, node, None)
    if condition.type != "let_condition":
        test = body.check(condition, ir.BOOL)
        done = body.check(inside, ir.UNIT)
        body.loops.pop()
        assert isinstance(done, ir.Block)
        return ir.While(ty=ir.UNIT, span=span, label=loop.label, condition=test, body=done)
    pattern, value = condition.child_by_field_name("pattern"), condition.child_by_field_name("value")
    assert pattern is not None and value is not None
    scrutinee = body.lower(value)
    with body.scope():
        lowered = lower_pattern(body, pattern, scrutinee.ty)
        done = body.check(inside, ir.UNIT)
    body.loops.pop()
    stop = ir.Break(ty=ir.NEVER, span=span, label=loop.label)
    arms = (ir.Arm(lowered, None, done), ir.Arm(ir.Wild(scrutinee.ty), None, stop))
    turn = ir.Match(ty=ir.UNIT, span=span, scrutinee=scrutinee, arms=arms)
    inner = ir.Block(ty=ir.UNIT, span=span, statements=(), tail=turn)
    return ir.Loop(ty=ir.UNIT, span=span, label=loop.label, body=inner)


@handles("for_expression")
def loop_for(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`for`."""
    pattern, value, inside = (node.child_by_field_name(n) for n in ("pattern", "value", "body"))
    assert pattern is not None and value is not None and inside is not None
    source = iterator(body, value)
    loop = _enter(body, node, None)
    with body.scope():
        lowered = lower_pattern(body, pattern, source.item)
        done = body.check(inside, ir.UNIT)
    body.loops.pop()
    assert isinstance(done, ir.Block)
    return ir.For(ty=ir.UNIT, span=body.span(node), label=loop.label, pattern=lowered, source=source, body=done)


def _target(body: Body, node: Node) -> LoopHere:
    label = child(node, "label")
    written = text(label).strip() if label is not None else ""
    for loop in reversed(body.loops):
        if not written or loop.written == written:
            return loop
    raise body.refuse("labeled-block", f"no loop `{written}` around this", node)


@handles("break_expression")
def leave(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`break`, `break value`."""
    parts = [p for p in named(node) if p.type != "label"]
    return leave_with(body, node, parts[0] if parts else None)


def leave_with(body: Body, node: Node, given: Node | None) -> ir.Expr:
    """The `break` at a node, with the value that is given."""
    loop = _target(body, node)
    loop.broken = True
    value = None
    if given is not None:
        if loop.ty is None:
            raise body.refuse("syntax", "`break` with a value out of such a loop", node)
        value = body.check(given, loop.ty)
    elif loop.ty is not None:
        body.unify(loop.ty, ir.UNIT, node)
    return ir.Break(ty=ir.NEVER, span=body.span(node), label=loop.label, value=value)


@handles("continue_expression")
def again(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`continue`."""
    return ir.Continue(ty=ir.NEVER, span=body.span(node), label=_target(body, node).label)
