"""Loops over `&mut` items: the list is built anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean import places
from unsorry.bughunt.lean.analysis import root
from unsorry.bughunt.lean.loop_shapes import Inside, define, done_lines, head, make_shape, state_of, without_source
from unsorry.bughunt.lean.writing import K, Lines, Tail, factor, indent, product

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body


def lending(body: Body, e: ir.For, k: K) -> Lines:
    """`for x in list.iter_mut()`, perhaps with `enumerate`: the list is built anew."""
    source = e.source
    counted = isinstance(source, ir.IterAdapter)
    inner = source.inner if isinstance(source, ir.IterAdapter) else source
    assert isinstance(inner, ir.IterList)
    item_pattern = e.pattern
    if counted:
        if not isinstance(e.pattern, ir.TuplePat) or len(e.pattern.items) != 2:
            raise body.refuse("mutable reference", "a loop over mutable items with this pattern", e)
        index_pattern, item_pattern = e.pattern.items
        if not isinstance(index_pattern, ir.Bind | ir.Wild):
            raise body.refuse("mutable reference", "a loop over mutable items with this pattern", e)
    if not isinstance(item_pattern, ir.Bind):
        raise body.refuse("mutable reference", "a loop over mutable items with this pattern", e)
    item = body.locals[item_pattern.name]

    def run(place: ir.Expr) -> Lines:
        local = root(place)
        assert local is not None
        shape = make_shape(body, without_source(e), local.name)
        if isinstance(place, ir.Local):
            shape.captured = [n for n in shape.captured if n != local.name or shape.returns]
        shape.extra = ["fuel"] if body.needs_fuel(e.body) else []
        state = state_of(body, shape)
        acc = body.fresh()
        counter = body.fresh()
        number = [f"({counter} + 1)"] if counted else []
        listing = f"List {factor(body.type(inner.item))}"
        shape.out = product([listing, *(body.type(body.types[n]) for n in shape.state)])

        def again() -> Lines:
            return [" ".join([head(body, shape), "rest", f"({acc} ++ [{item}])", *number, *state])]

        whole = f"({acc} ++ {item} :: rest)"
        with Inside(body, shape, e.label, Tail(lambda _: done_lines(shape, [whole, *state])), again) as result:
            outer = body.ret
            body.ret = lambda term: body.let(
                term, body.function.ret, lambda t: places.write(body, place, whole, lambda: outer(t))
            )
            lets = []
            if counted and isinstance(index_pattern, ir.Bind):
                lets = body.define(index_pattern.name, counter)
            code = [*lets, *body.expr(e.body, Tail(lambda _: again()))]
            done = done_lines(shape, [acc, *state])
        more = [counter] if counted else []
        lines = [f"| {', '.join(['[]', acc, *(['_'] * counted), *state])} => {done[0]}"]
        lines += [f"| {', '.join([f'{item} :: rest', acc, *more, *state])} => do", *indent(code)]
        define(body, shape, result, [listing, listing, *(["Int"] * counted)], lines)
        start = ["0"] * counted

        def call(items: str) -> Lines:
            action = " ".join([head(body, shape), items, "[]", *start, *state])
            final = body.fresh()
            names = ", ".join([final, *state])
            pattern = f"({names})" if state else final

            def then() -> Lines:
                return places.write(body, place, final, lambda: k("()"))

            if not shape.returns:
                return [f"let {pattern} ← {action}", *then()]
            got, back = body.fresh(), body.fresh()
            return [
                f"let {got} ← {action}", f"match {got} with", f"| Exit.next {pattern} =>", *indent(then()),
                f"| Exit.ret {back} =>", *indent(body.leave(back)),
            ]  # fmt: skip

        return body.expr(place, call)

    return places.resolve(body, inner.base, run)
