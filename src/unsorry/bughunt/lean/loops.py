"""Loops become recursive functions that precede the function.

`loop` and `while` recurse on fuel, `for` on the number of turns or on the list of its items, so that it always ends.
What the loop assigns to is its state; other locals are parameters.  A loop with a `return` inside gives an `Exit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean import iterators, patterns
from unsorry.bughunt.lean.analysis import walk
from unsorry.bughunt.lean.lending import lending
from unsorry.bughunt.lean.loop_shapes import (
    Inside,
    after,
    define,
    done_lines,
    head,
    make_shape,
    state_of,
    without_source,
)
from unsorry.bughunt.lean.writing import K, Lines, Tail, factor, indent

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body


def expr(body: Body, e: ir.Loop | ir.While | ir.For, k: K) -> Lines:
    calls = {n.function for n in walk(e) if isinstance(n, ir.Call)}
    if calls & body.unit.cycle(body.function.path):
        raise body.refuse("recursion", "a recursive call inside a loop", e)
    match e:
        case ir.For():
            return _for(body, e, k)
        case ir.While(condition=condition):
            return _fuelled(body, e, condition, k)
        case ir.Loop():
            return _fuelled(body, e, None, k)
    raise AssertionError(e)


def _fuelled(body: Body, e: ir.Loop | ir.While, condition: ir.Expr | None, k: K) -> Lines:
    shape = make_shape(body, e)
    state = state_of(body, shape)
    valued = isinstance(e, ir.Loop) and e.ty not in (ir.UNIT, ir.NEVER)

    def again() -> Lines:
        return [" ".join([head(body, shape), "fuel", *state])]

    leave: K = Tail(lambda value: done_lines(shape, [value] * valued + state))
    with Inside(body, shape, e.label, leave, again) as result:
        turn = Tail(lambda _: again())
        if condition is None:
            code = body.expr(e.body, turn)
        else:
            code = body.condition(
                condition,
                lambda c: [f"if {c} then", *indent(body.expr(e.body, turn)), "else", *indent(done_lines(shape, state))],
            )
    blanks = ", ".join(["0", *["_"] * len(state)])
    lines = [f"| {blanks} => div", f"| {', '.join(['fuel+1', *state])} => do", *indent(code)]
    define(body, shape, result, ["Nat"], lines)
    return after(body, e, shape, " ".join([head(body, shape), "fuel", *state]), valued, k)


def _for(body: Body, e: ir.For, k: K) -> Lines:
    source = e.source
    if isinstance(source, ir.IterRange) and source.high is not None and isinstance(e.pattern, ir.Bind | ir.Wild):
        return _range(body, e, source, source.high, k)
    if iterators.lends(source):
        return lending(body, e, k)
    return iterators.items(body, source, lambda items: _list(body, e, items, k))


def _range(body: Body, e: ir.For, source: ir.IterRange, high: ir.Expr, k: K) -> Lines:
    if source.item == ir.CHAR:
        raise body.refuse("char range", "a loop over a range of chars", e)

    def run(low: str, top: str) -> Lines:
        shape = make_shape(body, without_source(e))
        shape.extra = ["fuel"] if body.needs_fuel(e.body) else []
        state = state_of(body, shape)
        name = e.pattern.name if isinstance(e.pattern, ir.Bind) else ""
        index = body.locals[name] if name and name not in body.changed_inside(e.body, name) else body.fresh()

        def again() -> Lines:
            return [" ".join([head(body, shape), "rest", f"({index} + 1)", *state])]

        with Inside(body, shape, e.label, Tail(lambda _: done_lines(shape, state)), again) as result:
            code = body.define(name, index) if name else []
            code = [*code, *body.expr(e.body, Tail(lambda _: again()))]
            done = done_lines(shape, state)
        lines = [f"| {', '.join(['0', '_', *state])} => {done[0]}"]
        lines += [f"| {', '.join(['rest+1', index, *state])} => do", *indent(code)]
        define(body, shape, result, ["Nat", "Int"], lines)
        count = f"({top} - {low} : Int).toNat" if not source.inclusive else f"({top} + 1 - {low} : Int).toNat"
        if low == "0":
            count = f"({top} : Int).toNat" if not source.inclusive else f"({top} + 1 : Int).toNat"
        guard = [f"let _ ← loopBound {body.unit.bound} {count}"] if body.unit.bound is not None else []
        action = " ".join([head(body, shape), count, low, *state])
        return [*guard, *after(body, e, shape, action, False, k)]

    return body.many([source.low, high], lambda ts: body.let(ts[0], source.low.ty, lambda low: run(low, ts[1])))


def _list(body: Body, e: ir.For, items: str, k: K) -> Lines:
    shape = make_shape(body, without_source(e))
    shape.extra = ["fuel"] if body.needs_fuel(e.body) else []
    state = state_of(body, shape)

    def again() -> Lines:
        return [" ".join([head(body, shape), "rest", *state])]

    pattern = patterns.translate(body, e.pattern)
    if pattern.conditions or not pattern.total:
        raise body.refuse("pattern", "a refutable pattern in a `for`", e)
    with Inside(body, shape, e.label, Tail(lambda _: done_lines(shape, state)), again) as result:
        code = body.expr(e.body, Tail(lambda _: again()))
        done = done_lines(shape, state)
    lines = [f"| {', '.join(['[]', *state])} => {done[0]}"]
    lines += [f"| {', '.join([f'{pattern.text} :: rest', *state])} => do", *indent(code)]
    item = body.type(e.source.item)
    define(body, shape, result, [f"List {factor(item)}"], lines)
    return after(body, e, shape, " ".join([head(body, shape), items, *state]), False, k)
