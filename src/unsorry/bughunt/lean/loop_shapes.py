"""The function that a loop becomes: its state, its context, how it is written and called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean.analysis import used
from unsorry.bughunt.lean.writing import Frame, K, Lines, Tail, factor, indent, pair, product

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body


@dataclass(slots=True)
class Shape:
    """One loop function while it is written."""

    name: str
    captured: list[str]  # Rust locals
    state: list[str]
    out: str
    returns: bool
    extra: list[str] = field(default_factory=list)  # captured Lean variables that are no locals


def make_shape(body: Body, e: ir.Loop | ir.While | ir.For, without: str = "") -> Shape:
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
    return Shape(name, captured, state, product(outs), returns)


class Inside:
    """The context of a loop's body: its own `break`, `continue` and `return`."""

    def __init__(self, body: Body, shape: Shape, label: str, on_break: K, on_continue: Callable[[], Lines]) -> None:
        self.body, self.shape = body, shape
        self.frames = {label: Frame(on_break, on_continue)}

    def __enter__(self) -> str:
        """The type inside `Result`."""
        body, shape = self.body, self.shape
        self.saved = body.ret, body.leave, body.frames, body.result
        body.frames = self.frames
        result = shape.out
        if shape.returns:
            result = f"Exit {factor(shape.out)} {factor(body.unit.result_type(body.function))}"
        body.result = result
        body.leave = lambda value: [f"ok (Exit.ret {value})"]
        body.ret = Tail(lambda term: body.leave(body.packed(term)))
        return result

    def __exit__(self, *_: object) -> None:
        self.body.ret, self.body.leave, self.body.frames, self.body.result = self.saved


def done_lines(shape: Shape, terms: list[str]) -> Lines:
    return [f"ok (Exit.next {pair(terms)})" if shape.returns else f"ok {pair(terms)}"]


def define(body: Body, shape: Shape, result: str, first: list[str], lines: list[str]) -> None:
    """Write the function; `first` are the types before the state's, `lines` its equations."""
    extra = [f"({n} : Nat)" for n in shape.extra]
    params = " ".join([*extra, *(f"({body.locals[n]} : {body.type(body.types[n])})" for n in shape.captured)])
    arrows = " → ".join(factor(t) for t in [*first, *(body.type(body.types[n]) for n in shape.state)])
    generics = "".join(f" {{{g} : Type}}" for g in body.unit.generics(body.function))
    head = f"def {shape.name}{generics}{' ' + params if params else ''} : {arrows} → Result {factor(result)}"
    body.helpers.append("\n".join([head, *("  " + line for line in lines)]))


def head(body: Body, shape: Shape) -> str:
    return " ".join([shape.name, *shape.extra, *(body.locals[n] for n in shape.captured)])


def state_of(body: Body, shape: Shape) -> list[str]:
    return [body.locals[n] for n in shape.state]


def after(body: Body, e: ir.Expr, shape: Shape, action: str, valued: bool, k: K) -> Lines:
    """Run the loop and go on."""
    value = body.fresh() if valued else "()"
    names = [value] * valued + state_of(body, shape)
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


def without_source(e: ir.For) -> ir.For:
    """The loop as its own function sees it: the source was run before."""
    nothing = ir.ListLit(ty=ir.Vec(ir.UNIT), items=())
    return ir.For(
        ty=e.ty, span=e.span, label=e.label, pattern=e.pattern, source=ir.IterList(ir.UNIT, nothing, "value"),
        body=e.body,
    )  # fmt: skip
