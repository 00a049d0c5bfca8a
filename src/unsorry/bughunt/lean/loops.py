"""Loops become recursive functions that precede the function.

`loop` and `while` recurse on fuel, `for` on the number of turns or on the list of its items, so that it always ends.
What the loop assigns to is its state; other locals are parameters.  A loop with a `return` inside gives an `Exit`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean import iterators, patterns, places
from unsorry.bughunt.lean.analysis import root, used, walk

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body, K, Lines


@dataclass(slots=True)
class _Shape:
    """One loop function while it is written."""

    name: str
    captured: list[str]  # Rust locals
    state: list[str]
    out: str
    returns: bool
    extra: list[str] = field(default_factory=list)  # captured Lean variables that are no locals


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


def _shape(body: Body, e: ir.Loop | ir.While | ir.For, without: str = "") -> _Shape:
    changed = body.changed(e) - {without}
    inside = used(e) - changed
    returns = "" in body.effects.exits(e)
    if returns:
        inside |= {p.name for p in body.returned} - changed
        inside |= {without} - {""}
    elif without and without not in used(e.body):
        inside -= {without}
    state = body.order(changed)
    captured = body.order(inside)
    valued = isinstance(e, ir.Loop) and e.ty not in (ir.UNIT, ir.NEVER)
    outs = [body.type(e.ty)] * valued + [body.type(body.types[n]) for n in state]
    body.loops += 1
    name = f"{body.name}_loop{body.loops if body.loops > 1 else ''}"
    return _Shape(name, captured, state, _product(outs), returns)


def _product(types: list[str]) -> str:
    from unsorry.bughunt.lean.branches import _product as product

    return product(types)


class _Inside:
    """The context of a loop's body: its own `break`, `continue` and `return`."""

    def __init__(self, body: Body, shape: _Shape, label: str, on_break: K, on_continue: Callable[[], Lines]) -> None:
        from unsorry.bughunt.lean.body import Frame

        self.body, self.shape = body, shape
        self.frames = {label: Frame(on_break, on_continue)}

    def __enter__(self) -> str:
        """The type inside `Result`."""
        from unsorry.bughunt.lean.body import Tail

        body, shape = self.body, self.shape
        self.saved = body.ret, body.leave, body.frames, body.result
        body.frames = self.frames
        result = shape.out
        if shape.returns:
            result = f"Exit {_factor(shape.out)} {_factor(body.unit.result_type(body.function))}"
        body.result = result
        body.leave = lambda value: [f"ok (Exit.ret {value})"]
        body.ret = Tail(lambda term: body.leave(body.packed(term)))
        return result

    def __exit__(self, *_: object) -> None:
        self.body.ret, self.body.leave, self.body.frames, self.body.result = self.saved


def _factor(text: str) -> str:
    return f"({text})" if " " in text else text


def _done(shape: _Shape, terms: list[str]) -> Lines:
    from unsorry.bughunt.lean.body import pair

    return [f"ok (Exit.next {pair(terms)})" if shape.returns else f"ok {pair(terms)}"]


def _define(body: Body, shape: _Shape, result: str, first: list[str], lines: list[str]) -> None:
    """Write the function; `first` are the types before the state's, `lines` its equations."""
    extra = [f"({n} : Nat)" for n in shape.extra]
    params = " ".join([*extra, *(f"({body.locals[n]} : {body.type(body.types[n])})" for n in shape.captured)])
    arrows = " → ".join(_factor(t) for t in [*first, *(body.type(body.types[n]) for n in shape.state)])
    generics = "".join(f" {{{g} : Type}}" for g in body.unit.generics(body.function))
    head = f"def {shape.name}{generics}{' ' + params if params else ''} : {arrows} → Result {_factor(result)}"
    body.helpers.append("\n".join([head, *("  " + line for line in lines)]))


def _head(body: Body, shape: _Shape) -> str:
    return " ".join([shape.name, *shape.extra, *(body.locals[n] for n in shape.captured)])


def _state(body: Body, shape: _Shape) -> list[str]:
    return [body.locals[n] for n in shape.state]


def _after(body: Body, e: ir.Expr, shape: _Shape, action: str, valued: bool, k: K) -> Lines:
    """Run the loop and go on."""
    from unsorry.bughunt.lean.body import Tail, indent, pair

    value = body.fresh() if valued else "()"
    names = [value] * valued + _state(body, shape)
    ended = ["div"] if e.ty == ir.NEVER else k(value)
    if not shape.returns:
        if isinstance(k, Tail) and k.plain and valued and len(names) == 1:
            return [action]
        return [f"let {pair(names) if names else '_'} ← {action}", *ended]
    got, back = body.fresh(), body.fresh()
    return [
        f"let {got} ← {action}", f"match {got} with",
        f"| Exit.next {pair(names) if names else '_'} =>", *indent(ended),
        f"| Exit.ret {back} =>", *indent(body.leave(back)),
    ]  # fmt: skip


def _fuelled(body: Body, e: ir.Loop | ir.While, condition: ir.Expr | None, k: K) -> Lines:
    from unsorry.bughunt.lean.body import Tail, indent

    shape = _shape(body, e)
    state = _state(body, shape)
    valued = isinstance(e, ir.Loop) and e.ty not in (ir.UNIT, ir.NEVER)

    def again() -> Lines:
        return [" ".join([_head(body, shape), "fuel", *state])]

    leave: K = Tail(lambda value: _done(shape, [value] * valued + state))
    with _Inside(body, shape, e.label, leave, again) as result:
        turn = Tail(lambda _: again())
        if condition is None:
            code = body.expr(e.body, turn)
        else:
            code = body.condition(
                condition,
                lambda c: [f"if {c} then", *indent(body.expr(e.body, turn)), "else", *indent(_done(shape, state))],
            )
    blanks = ", ".join(["0", *["_"] * len(state)])
    lines = [f"| {blanks} => div", f"| {', '.join(['fuel+1', *state])} => do", *indent(code)]
    _define(body, shape, result, ["Nat"], lines)
    return _after(body, e, shape, " ".join([_head(body, shape), "fuel", *state]), valued, k)


def _for(body: Body, e: ir.For, k: K) -> Lines:
    source = e.source
    if isinstance(source, ir.IterRange) and source.high is not None and isinstance(e.pattern, ir.Bind | ir.Wild):
        return _range(body, e, source, source.high, k)
    if iterators.lends(source):
        return _lending(body, e, k)
    return iterators.items(body, source, lambda items: _list(body, e, items, k))


def _range(body: Body, e: ir.For, source: ir.IterRange, high: ir.Expr, k: K) -> Lines:
    from unsorry.bughunt.lean.body import Tail, indent

    if source.item == ir.CHAR:
        raise body.refuse("char range", "a loop over a range of chars", e)

    def run(low: str, top: str) -> Lines:
        shape = _shape(body, _without_source(e))
        shape.extra = ["fuel"] if body.needs_fuel(e.body) else []
        state = _state(body, shape)
        name = e.pattern.name if isinstance(e.pattern, ir.Bind) else ""
        index = body.locals[name] if name and name not in body.changed_inside(e.body, name) else body.fresh()

        def again() -> Lines:
            return [" ".join([_head(body, shape), "rest", f"({index} + 1)", *state])]

        with _Inside(body, shape, e.label, Tail(lambda _: _done(shape, state)), again) as result:
            code = body.define(name, index) if name else []
            code = [*code, *body.expr(e.body, Tail(lambda _: again()))]
            done = _done(shape, state)
        lines = [f"| {', '.join(['0', '_', *state])} => {done[0]}"]
        lines += [f"| {', '.join(['rest+1', index, *state])} => do", *indent(code)]
        _define(body, shape, result, ["Nat", "Int"], lines)
        count = f"({top} - {low} : Int).toNat" if not source.inclusive else f"({top} + 1 - {low} : Int).toNat"
        if low == "0":
            count = f"({top} : Int).toNat" if not source.inclusive else f"({top} + 1 : Int).toNat"
        guard = [f"let _ ← loopBound {body.unit.bound} {count}"] if body.unit.bound is not None else []
        action = " ".join([_head(body, shape), count, low, *state])
        return [*guard, *_after(body, e, shape, action, False, k)]

    return body.many([source.low, high], lambda ts: body.let(ts[0], source.low.ty, lambda low: run(low, ts[1])))


def _without_source(e: ir.For) -> ir.For:
    """The loop as its own function sees it: the source was run before."""
    nothing = ir.ListLit(ty=ir.Vec(ir.UNIT), items=())
    return ir.For(
        ty=e.ty, span=e.span, label=e.label, pattern=e.pattern, source=ir.IterList(ir.UNIT, nothing, "value"),
        body=e.body,
    )  # fmt: skip


def _list(body: Body, e: ir.For, items: str, k: K) -> Lines:
    from unsorry.bughunt.lean.body import Tail, indent

    shape = _shape(body, _without_source(e))
    shape.extra = ["fuel"] if body.needs_fuel(e.body) else []
    state = _state(body, shape)

    def again() -> Lines:
        return [" ".join([_head(body, shape), "rest", *state])]

    pattern = patterns.translate(body, e.pattern)
    if pattern.conditions or not pattern.total:
        raise body.refuse("pattern", "a refutable pattern in a `for`", e)
    with _Inside(body, shape, e.label, Tail(lambda _: _done(shape, state)), again) as result:
        code = body.expr(e.body, Tail(lambda _: again()))
        done = _done(shape, state)
    lines = [f"| {', '.join(['[]', *state])} => {done[0]}"]
    lines += [f"| {', '.join([f'{pattern.text} :: rest', *state])} => do", *indent(code)]
    item = body.type(e.source.item)
    _define(body, shape, result, [f"List {_factor(item)}"], lines)
    return _after(body, e, shape, " ".join([_head(body, shape), items, *state]), False, k)


def _lending(body: Body, e: ir.For, k: K) -> Lines:
    """`for x in list.iter_mut()`, perhaps with `enumerate`: the list is built anew."""
    from unsorry.bughunt.lean.body import Tail, indent

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
        shape = _shape(body, _without_source(e), local.name)
        if isinstance(place, ir.Local):
            shape.captured = [n for n in shape.captured if n != local.name or shape.returns]
        shape.extra = ["fuel"] if body.needs_fuel(e.body) else []
        state = _state(body, shape)
        acc = body.fresh()
        counter = body.fresh()
        number = [f"({counter} + 1)"] if counted else []
        listing = f"List {_factor(body.type(inner.item))}"
        shape.out = _product([listing, *(body.type(body.types[n]) for n in shape.state)])

        def again() -> Lines:
            return [" ".join([_head(body, shape), "rest", f"({acc} ++ [{item}])", *number, *state])]

        whole = f"({acc} ++ {item} :: rest)"
        with _Inside(body, shape, e.label, Tail(lambda _: _done(shape, [whole, *state])), again) as result:
            outer = body.ret
            body.ret = lambda term: body.let(
                term, body.function.ret, lambda t: places.write(body, place, whole, lambda: outer(t))
            )
            lets = []
            if counted and isinstance(index_pattern, ir.Bind):
                lets = body.define(index_pattern.name, counter)
            code = [*lets, *body.expr(e.body, Tail(lambda _: again()))]
            done = _done(shape, [acc, *state])
        more = [counter] if counted else []
        lines = [f"| {', '.join(['[]', acc, *(['_'] * counted), *state])} => {done[0]}"]
        lines += [f"| {', '.join([f'{item} :: rest', acc, *more, *state])} => do", *indent(code)]
        _define(body, shape, result, [listing, listing, *(["Int"] * counted)], lines)
        start = ["0"] * counted

        def call(items: str) -> Lines:
            action = " ".join([_head(body, shape), items, "[]", *start, *state])
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
