"""The few methods that use an iterator up, written out as loops and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from tree_sitter import Node

from .. import ir
from .body import Body
from .infer import integral, show, unknown
from .iterators import CLOSURES, is_iterator, iterator
from .places import is_range, range_parts
from .syntax import named, words

CONSUMERS = words("sum product count min max collect last")


def range_contains(body: Body, node: Node, receiver: Node, argument: Node) -> ir.Expr | None:
    """`(low..high).contains(&x)` of integers or chars as two comparisons; None if the receiver is no range."""
    while receiver.type == "parenthesized_expression":
        receiver = named(receiver)[0]
    if not is_range(receiver):
        return None
    low_node, high_node, inclusive = range_parts(receiver)
    bounds = [body.lower(n) if n is not None else None for n in (low_node, high_node)]
    item = body.inference.fresh()
    for bound in bounds:
        if bound is not None:
            body.unify(item, bound.ty, node)
    value = body.deref(body.check(argument, ir.Ref(False, item)))
    ty, span = body.inference.resolve(item), body.span(node)
    if not (integral(ty) or ty == ir.CHAR) or not any(bounds):
        raise body.refuse("range", f"`contains` of a range of {show(body.inference.zonk(ty))}", node)
    statements: list[ir.Stmt] = []
    tests: list[ir.Expr] = []
    low, high = (_once(body, x, statements) if x is not None else None for x in bounds)
    value = _once(body, value, statements)
    if low is not None:
        tests.append(ir.Binary(ty=ir.BOOL, span=span, op="<=", left=low, right=value))
    if high is not None:
        op: Literal["<=", "<"] = "<=" if inclusive else "<"
        tests.append(ir.Binary(ty=ir.BOOL, span=span, op=op, left=value, right=high))
    test = tests[0]
    if len(tests) == 2:
        test = ir.Logic(ty=ir.BOOL, span=span, op="&&", left=tests[0], right=tests[1])
    return ir.Block(ty=ir.BOOL, span=span, statements=tuple(statements), tail=test) if statements else test


def _once(body: Body, expr: ir.Expr, statements: list[ir.Stmt]) -> ir.Expr:
    """An expression that may be used twice: a local, unless it is plain."""
    if isinstance(expr, ir.IntLit | ir.CharLit | ir.Local | ir.ConstRef):
        return expr
    if isinstance(expr, ir.FieldOf | ir.Deref):
        inner: ir.Expr = expr
        while isinstance(inner, ir.FieldOf | ir.Deref):
            inner = inner.base if isinstance(inner, ir.FieldOf) else inner.operand
        if isinstance(inner, ir.Local):
            return expr
    name = body.fresh_name("bound")
    statements.append(ir.Let(ir.Bind(expr.ty, name), expr, None, expr.span))
    return ir.Local(ty=expr.ty, span=expr.span, name=name)


# ------------------------------------------------------------------------------------------------------ consumers


def consumer(
    body: Body,
    node: Node,
    receiver: Node,
    name: str,
    args: list[Node],
    turbofish: list[ir.Type] | None,
    want: ir.Type | None,
) -> ir.Expr | None:
    """`iterator.sum()` and the like as a loop; None if it is no such call."""
    if name not in CONSUMERS | CLOSURES or not is_iterator(receiver):
        return None
    if name in CLOSURES:
        raise body.refuse("closure", f"iterator method `{name}` with a closure", node)
    if args:
        return None
    source = iterator(body, receiver)
    return _Consumer(body, node, source).make(name, turbofish, want)


class _Consumer:
    def __init__(self, body: Body, node: Node, source: ir.Iter) -> None:
        self.body, self.node, self.source, self.span = body, node, source, body.span(node)
        self.acc, self.item = body.fresh_name("acc"), body.fresh_name("item")

    def make(self, name: str, turbofish: list[ir.Type] | None, want: ir.Type | None) -> ir.Expr:
        """The block that stands for the call."""
        if name == "count":
            return self.loop(ir.USIZE, self.number(ir.USIZE, 0), self.add(ir.USIZE, "+", self.number(ir.USIZE, 1)))
        if name in ("sum", "product"):
            ty = self.result(turbofish, want)
            value = self.read()
            self.body.unify(ty, value.ty, self.node)
            start = self.number(ty, 0 if name == "sum" else 1)
            return self.loop(ty, start, self.add(ty, "+" if name == "sum" else "*", value))
        item = self.source.item
        if name == "last":
            ty = ir.option(item)
            return self.loop(ty, self.none(ty), lambda acc: self.assign(acc, self.some(ty)))
        if name == "collect":
            return self.collect(turbofish, want)
        return self.extreme(name)

    def collect(self, turbofish: list[ir.Type] | None, want: ir.Type | None) -> ir.Expr:
        """`collect` into a vector."""
        target = turbofish[0] if turbofish else want
        known = self.body.inference.resolve(target) if target is not None else None
        if not isinstance(known, ir.Vec):
            raise self.body.refuse("iterator", "`collect` into what is not known to be a vector", self.node)
        self.body.unify(known.item, self.source.item, self.node)
        start = ir.Intrinsic(ty=known, span=self.span, name="Vec::new", args=())

        def push(acc: ir.Local) -> ir.Expr:
            value = ir.Local(ty=self.source.item, span=self.span, name=self.item)
            place = self.body.borrow(acc, True)
            return ir.Intrinsic(ty=ir.UNIT, span=self.span, name="Vec::push", args=(place, value))

        return self.loop(known, start, push)

    def extreme(self, name: str) -> ir.Expr:
        """`min` and `max`: the first of equal ones for `min`, the last for `max`."""
        ty = ir.option(self.source.item)
        if not integral(self.body.inference.resolve(self.read().ty)):
            raise self.body.refuse("iterator", f"`{name}` of what is not known to be integers", self.node)
        best = self.body.fresh_name("best")

        def turn(acc: ir.Local) -> ir.Expr:
            old: ir.Expr = ir.Local(ty=self.source.item, span=self.span, name=best)
            test = ir.Binary(
                ty=ir.BOOL,
                span=self.span,
                op="<" if name == "min" else ">=",
                left=self.body.deref(ir.Local(ty=self.source.item, span=self.span, name=self.item)),
                right=self.body.deref(old),
            )
            better = ir.StructPat(ty, "Some", (("0", ir.Bind(self.source.item, best)),))
            taken = ir.Block(ty=ir.UNIT, span=self.span, statements=(), tail=self.assign(acc, self.some(ty)))
            choice = ir.If(ty=ir.UNIT, span=self.span, condition=test, then=taken, otherwise=None)
            arms = (ir.Arm(better, None, choice), ir.Arm(ir.Wild(ty), None, self.assign(acc, self.some(ty))))
            return ir.Match(ty=ir.UNIT, span=self.span, scrutinee=acc, arms=arms)

        return self.loop(ty, self.none(ty), turn)

    def result(self, turbofish: list[ir.Type] | None, want: ir.Type | None) -> ir.Type:
        """The type of a sum: written, or wanted; rustc asks for one of them too."""
        ty = turbofish[0] if turbofish else want
        if ty is None or (unknown(self.body.inference.resolve(ty)) and not turbofish):
            return self.read().ty
        return ty

    def read(self) -> ir.Expr:
        """The item as a value."""
        local = ir.Local(ty=self.source.item, span=self.span, name=self.item)
        value = self.body.deref(local)
        if not integral(self.body.type_of(value)):
            raise self.body.refuse("iterator", "sum of what is not known to be integers", self.node)
        return value

    def number(self, ty: ir.Type, value: int) -> ir.Expr:
        return ir.IntLit(ty=ty, span=self.span, value=value)

    def none(self, ty: ir.Type) -> ir.Expr:
        return ir.VariantLit(ty=ty, span=self.span, variant="None", fields=())

    def some(self, ty: ir.Type) -> ir.Expr:
        value = ir.Local(ty=self.source.item, span=self.span, name=self.item)
        return ir.VariantLit(ty=ty, span=self.span, variant="Some", fields=(("0", value),))

    def assign(self, acc: ir.Local, value: ir.Expr) -> ir.Expr:
        return ir.Assign(ty=ir.UNIT, span=self.span, place=acc, value=value)

    def add(self, ty: ir.Type, op: Literal["+", "*"], value: ir.Expr) -> Callable[[ir.Local], ir.Expr]:
        def turn(acc: ir.Local) -> ir.Expr:
            return self.assign(acc, ir.Binary(ty=ty, span=self.span, op=op, left=acc, right=value))

        return turn

    def loop(self, ty: ir.Type, start: ir.Expr, turn: Callable[[ir.Local], ir.Expr]) -> ir.Expr:
        """`{ let mut acc = start; for item in source { turn } acc }`."""
        acc = ir.Local(ty=ty, span=self.span, name=self.acc)
        inside = ir.Block(ty=ir.UNIT, span=self.span, statements=(ir.ExprStmt(turn(acc)),), tail=None)
        label = self.body.fresh_name("loop")
        pattern = ir.Bind(self.source.item, self.item)
        loop = ir.For(ty=ir.UNIT, span=self.span, label=label, pattern=pattern, source=self.source, body=inside)
        first = ir.Let(ir.Bind(ty, self.acc, True), start, None, self.span)
        return ir.Block(ty=ty, span=self.span, statements=(first, ir.ExprStmt(loop)), tail=acc)
