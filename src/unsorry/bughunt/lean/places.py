"""Places: reading ranges, assignment, calls that lend places mutably.

A `&mut` is state passing: the callee gives the new value back, which is then written to the place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean import arithmetic
from unsorry.bughunt.lean.writing import K, Lines

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body


def resolve(body: Body, place: ir.Expr, k: Callable[[ir.Expr], Lines]) -> Lines:
    """Run the indices of a place once; the place that is handed on has only locals and literals in them."""
    match place:
        case ir.Local():
            return k(place)
        case ir.Borrow(place=inner) | ir.Deref(operand=inner) | ir.Unsize(operand=inner):
            return resolve(body, inner, k)
        case ir.FieldOf(base=base):
            return resolve(body, base, lambda b: k(ir.FieldOf(ty=place.ty, span=place.span, base=b, name=place.name)))
        case ir.Index(base=base, index=index):
            return resolve(
                body,
                base,
                lambda b: _stable(body, index, lambda i: k(ir.Index(ty=place.ty, span=place.span, base=b, index=i))),
            )
        case ir.SliceOf(base=base, low=low, high=high):
            zero = ir.IntLit(ty=ir.USIZE, value=0)

            def with_base(b: ir.Expr) -> Lines:
                length = ir.Intrinsic(ty=ir.USIZE, name="slice::len", args=(b,))

                def make(lo: ir.Expr, hi: ir.Expr) -> Lines:
                    inclusive = place.inclusive and high is not None
                    return k(ir.SliceOf(ty=place.ty, span=place.span, base=b, low=lo, high=hi, inclusive=inclusive))

                return _stable(body, low or zero, lambda lo: _stable(body, high or length, lambda hi: make(lo, hi)))

            return resolve(body, base, with_base)
        case _:
            raise body.refuse("place", "a mutable place that is neither a local nor a part of one", place)


def _stable(body: Body, index: ir.Expr, k: Callable[[ir.Expr], Lines]) -> Lines:
    """An index under a name that no later assignment changes."""
    if isinstance(index, ir.IntLit):
        return k(index)

    def keep(term: str) -> Lines:
        name = body.fresh()
        body.locals[f"%{name}"] = name
        body.types[f"%{name}"] = index.ty
        return [body.named(name, term, index.ty), *k(ir.Local(ty=index.ty, name=f"%{name}"))]

    return body.expr(index, keep)


def write(body: Body, place: ir.Expr, term: str, then: Callable[[], Lines]) -> Lines:
    """Store a term in a resolved place."""
    match place:
        case ir.Local(name=name):
            alias = body.aliases.get(name)
            lines = body.define(name, term)
            return [*lines, *(alias(then) if alias is not None else then())]
        case ir.FieldOf(base=base, name=name):
            return body.expr(base, lambda b: write(body, base, body.unit.update(base.ty, name, b, term), then))
        case ir.Index(base=base, index=index):
            return body.many(
                [base, index],
                lambda ts: body.bind(f"Slice.update {ts[0]} {ts[1]} {term}", lambda new: write(body, base, new, then)),
            )
        case ir.SliceOf(base=base, low=low):
            assert low is not None
            return body.many([base, low], lambda ts: write(body, base, f"(Slice.splice {ts[0]} {ts[1]} {term})", then))
    raise body.refuse("place", "a mutable place that is neither a local nor a part of one", place)


def slice_of(body: Body, e: ir.SliceOf, k: K) -> Lines:
    low = e.low or ir.IntLit(ty=ir.USIZE, value=0)
    if e.high is None:
        return body.many([e.base, low], lambda ts: body.bind(f"Slice.from {ts[0]} {ts[1]}", k))
    name = "Slice.rangeInclusive" if e.inclusive else "Slice.range"
    return body.many([e.base, low, e.high], lambda ts: body.bind(f"{name} {' '.join(ts)}", k))


def assign(body: Body, e: ir.Assign | ir.AssignOp, k: K) -> Lines:
    """The value first, then the place."""
    done: Callable[[], Lines] = lambda: k("()")  # noqa: E731
    if isinstance(e, ir.Assign):
        value, target = e.value, e.place

        def keep(term: str) -> Lines:
            simple = isinstance(target, ir.Local | ir.Deref)
            if simple or not (body.effects.changed(value) | body.effects.changed(target)):
                return resolve(body, target, lambda p: write(body, p, term, done))
            return body.let(term, value.ty, lambda t: resolve(body, target, lambda p: write(body, p, t, done)))

        return body.expr(value, keep)
    op, place = e.op, e.place

    def with_value(right: str) -> Lines:
        def with_place(p: ir.Expr) -> Lines:
            return body.expr(
                p,
                lambda left: arithmetic.operate(
                    body, place, op, left, right, arithmetic.literal(e.value), lambda t: write(body, p, t, done)
                ),
            )

        return resolve(body, place, with_place)

    if body.effects.changed(place):  # an index that changes what the value is made of runs after the value
        return body.expr(e.value, lambda right: body.let(right, e.value.ty, with_value))
    return body.expr(e.value, with_value)


def lend(body: Body, args: tuple[ir.Expr, ...], k: Callable[[list[str], list[ir.Expr]], Lines]) -> Lines:
    """Run arguments; `&mut` ones become the value of their place, and the places are handed on too."""
    places: list[ir.Expr] = []

    def step(at: int, values: list[ir.Expr]) -> Lines:
        if at == len(args):
            return body.many(values, lambda ts: k(ts, places))
        arg = args[at]
        if isinstance(arg.ty, ir.Ref) and arg.ty.mutable:

            def with_place(place: ir.Expr) -> Lines:
                places.append(place)
                return step(at + 1, [*values, place])

            return resolve(body, arg, with_place)
        if places or any(isinstance(a.ty, ir.Ref) and a.ty.mutable for a in args[at + 1 :]):
            if isinstance(arg, ir.IntLit | ir.BoolLit):
                return step(at + 1, [*values, arg])
            return _stable(body, arg, lambda v: step(at + 1, [*values, v]))
        return step(at + 1, [*values, arg])

    return step(0, [])


def give_back(body: Body, places: list[ir.Expr], terms: list[str], then: Callable[[], Lines]) -> Lines:
    """Store the values that come back from `&mut` arguments."""
    if not places:
        return then()
    return write(body, places[0], terms[0], lambda: give_back(body, places[1:], terms[1:], then))


def call(body: Body, e: ir.Call, k: K) -> Lines:
    """A call of a function of the crate."""
    callee = body.unit.callee(e, body)
    fuel = ["fuel"] if callee.path in body.unit.fuelled else []
    head = " ".join([body.unit.names.of(callee.path), *fuel])

    def run(terms: list[str], places: list[ir.Expr]) -> Lines:
        action = " ".join([head, *terms])
        if not places:
            return body.bind(action, k)
        unit = callee.ret in (ir.UNIT, ir.NEVER)
        names = [body.fresh() for _ in range(len(places) + (not unit))]
        value, back = ("()", names) if unit else (names[0], names[1:])
        pattern = names[0] if len(names) == 1 else f"({', '.join(names)})"
        return [f"let {pattern} ← {action}", *give_back(body, places, back, lambda: k(value))]

    return lend(body, e.args, run)
