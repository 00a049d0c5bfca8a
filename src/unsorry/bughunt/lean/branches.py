"""Branches: `if`, `match`, `?`, `let … else`, and how they come together again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean import arithmetic, patterns, places
from unsorry.bughunt.lean.analysis import root, walk
from unsorry.bughunt.lean.arithmetic import strip
from unsorry.bughunt.lean.writing import K, Lines, Tail, bare, factor, indent, pair, product

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body


def expr(body: Body, e: ir.If | ir.Match | ir.Try, k: K) -> Lines:
    match e:
        case ir.If():
            return _if(body, e, k)
        case ir.Match():
            return _match(body, e, k)
        case ir.Try():
            return _try(body, e, k)
    raise AssertionError(e)


def join(body: Body, ty: ir.Type, nodes: Sequence[object], falls: int, build: Callable[[K], Lines], k: K) -> Lines:
    """Lines that branch, and go on with `k` after it.

    `nodes` are the branches' code, `falls` how many of them reach their end.  `build` writes the branches, each
    of which ends with the continuation that it is given.
    """
    if falls <= 1 or isinstance(k, Tail):
        return build(k)
    changed = body.order(frozenset().union(*(body.changed(n) for n in nodes)))
    names = [body.locals[n] for n in changed]
    types = [body.type(body.types[n]) for n in changed]
    valued = ty not in (ir.UNIT, ir.NEVER)
    outs = [body.type(ty), *types] if valued else types
    if not any(body.effects.exits(n) for n in nodes):
        inner = Tail(lambda t: [f"ok {pair([t, *names] if valued else names)}"], plain=valued and not names)
        value = body.fresh() if valued else "()"
        pattern = pair([value, *names] if valued else names) if outs else "_"
        outer, body.result = body.result, product(outs)
        branches = build(inner)
        body.result = outer
        arrow = "← do" if branches[0].startswith("let ") else "←"  # else only the `let` would be the value
        return [f"let {pattern} {arrow}", *indent(branches), *k(value)]
    name = body.fresh("k")
    value = body.fresh() if valued else "()"
    params = ([value] if valued else []) + names
    head = f"let {name} : {' → '.join([factor(t) for t in outs or ['Unit']])} → Result {factor(body.result)} := "
    head += f"fun {' '.join(params) or '_'} => do"
    after = k(value)
    go = Tail(lambda t: [" ".join([name, *([t] if valued else []), *names] if outs else [name, "()"])])
    return [head, *indent(after), *build(go)]


def falls(node: ir.Expr | None) -> bool:
    """Whether the end of the node can be reached."""
    return node is None or node.ty != ir.NEVER


def _if(body: Body, e: ir.If, k: K) -> Lines:
    if arithmetic.total(body, e):
        assert e.otherwise is not None
        condition = bare(arithmetic.proposition(body, e.condition) or arithmetic.term(body, e.condition))
        sides = [bare(arithmetic.term(body, side)) for side in (e.then, e.otherwise)]
        return k(f"(if {condition} then {sides[0]} else {sides[1]})")
    nodes = [x for x in (e.then, e.otherwise) if x is not None]

    def build(condition: str) -> Callable[[K], Lines]:
        return lambda go: [
            f"if {condition} then",
            *indent(body.expr(e.then, go)),
            "else",
            *indent(body.optional(e.otherwise, go)),
        ]

    count = falls(e.then) + falls(e.otherwise)
    return body.condition(e.condition, lambda c: join(body, e.ty, nodes, count, build(c), k))


@dataclass(frozen=True, slots=True)
class _Case:
    pattern: ir.Pattern
    guard: ir.Expr | None
    body: Callable[[K], Lines]


def _match(body: Body, e: ir.Match, k: K) -> Lines:
    cases = [
        _Case(p, arm.guard, lambda go, b=arm.body: body.expr(b, go))  # type: ignore[misc]
        for arm in e.arms
        for p in patterns.alternatives(arm.pattern)
    ]
    count = sum(falls(arm.body) * len(patterns.alternatives(arm.pattern)) for arm in e.arms)
    lent = any(n.by == "mut" for c in cases for n in _binds(c.pattern))
    arms = [x for arm in e.arms for x in (arm.guard, arm.body) if x is not None]
    nodes: list[ir.Expr] = [e] if lent else arms  # what is lent changes the scrutinee

    def with_subject(subject: str, place: ir.Expr | None) -> Lines:
        return join(body, e.ty, nodes, count, lambda go: _cases(body, subject, cases, go, place), k)

    if lent:
        return places.resolve(
            body,
            e.scrutinee,
            lambda p: body.expr(p, lambda t: body.let(t, e.scrutinee.ty, lambda s: with_subject(s, p))),
        )
    return body.expr(e.scrutinee, lambda t: body.let(t, e.scrutinee.ty, lambda s: with_subject(s, None)))


def _binds(pattern: ir.Pattern) -> list[ir.Bind]:
    return [n for n in walk(pattern) if isinstance(n, ir.Bind)]


def _cases(body: Body, subject: str, cases: Sequence[_Case], go: K, place: ir.Expr | None) -> Lines:
    """The arms, as one `match` if they have no conditions, else one after the other."""
    done = [patterns.translate(body, c.pattern, subject, named=place is not None) for c in cases]
    for pattern in done:
        if pattern.lent:
            assert place is not None
            for name in pattern.lent:
                body.aliases[name] = _write_back(body, place, pattern.text)
                local = root(place)
                assert local is not None
                body.alias_roots[name] = local.name
    if any(p.conditions for p in done) or any(c.guard is not None for c in cases):
        return _chain(body, subject, list(zip(cases, done, strict=True)), go)
    if len(cases) == 1 and done[0].total:
        return [*_destructure(done[0].text, subject), *cases[0].body(go)]
    lines = [f"match {subject} with"]
    for case, pattern in zip(cases, done, strict=True):
        lines += [f"| {pattern.text} =>", *indent(case.body(go))]
        if pattern.total:
            return lines
    if _partial(cases):
        lines += ["| _ => fail .panic"]
    return lines


def _write_back(body: Body, place: ir.Expr, text: str) -> Callable[[Callable[[], Lines]], Lines]:
    return lambda then: places.write(body, place, f"({text})", then)


def _destructure(text: str, subject: str) -> Lines:
    if text in ("_", subject, "()"):
        return []
    return [f"let {text if text[0] in '([' else f'({text})'} := {subject}"]


def _partial(cases: Sequence[_Case]) -> bool:
    """Patterns of arrays: Lean does not know that no other length occurs."""
    found = [n for c in cases for n in walk(c.pattern) if isinstance(n, ir.SlicePat)]
    return any(isinstance(strip(p.ty), ir.Array) for p in found)


def _chain(body: Body, subject: str, cases: list[tuple[_Case, patterns.LeanPattern]], go: K) -> Lines:
    if not cases:
        return ["fail .panic"]
    (case, pattern), others = cases[0], cases[1:]
    tests = len(pattern.conditions) > 0, case.guard is not None, not pattern.total
    if not any(tests):
        return [*_destructure(pattern.text, subject), *case.body(go)]
    following = _chain(body, subject, others, go)
    lines: Lines = []
    if sum(tests) > 1 and len(following) > 1:
        name = body.fresh("k")
        lines = [
            f"let {name} : Unit → Result {factor(body.result)} := fun _ => do",
            *indent(following),
        ]
        following = [f"{name} ()"]
    code = case.body(go)
    if case.guard is not None:
        inner = code
        code = body.condition(case.guard, lambda c: [f"if {c} then", *indent(inner), "else", *indent(following)])
    if pattern.conditions:
        test = " ∧ ".join(f"({c})" if "∨" in c else c for c in pattern.conditions)
        code = [f"if {test} then", *indent(code), "else", *indent(following)]
    if pattern.total:
        return [*lines, *_destructure(pattern.text, subject), *code]
    return [*lines, f"match {subject} with", f"| {pattern.text} =>", *indent(code), "| _ =>", *indent(following)]


def _try(body: Body, e: ir.Try, k: K) -> Lines:
    ty = strip(e.operand.ty)
    assert isinstance(ty, ir.Adt)
    good = body.fresh()

    def option(subject: str) -> Lines:
        return [
            f"match {subject} with", "| none =>", *indent(body.ret("none")), f"| some {good} =>", *indent(k(good)),
        ]  # fmt: skip

    def result(subject: str) -> Lines:
        bad = body.fresh()
        err = body.unit.constructor(ir.Adt("Result"), "Err")
        if e.convert is None:
            leave = body.ret(f"({err} {bad})")
        else:
            name = body.fresh()
            head = body.unit.names.of(body.unit.known(e.convert, e).path)
            fuel = " fuel" if e.convert in body.unit.fuelled else ""
            leave = [f"let {name} ← {head}{fuel} {bad}", *body.ret(f"({err} {name})")]
        return [
            f"match {subject} with", f"| {err} {bad} =>", *indent(leave),
            f"| {body.unit.constructor(ir.Adt('Result'), 'Ok')} {good} =>", *indent(k(good)),
        ]  # fmt: skip

    return body.expr(e.operand, lambda t: body.let(t, ty, option if ty.path == "Option" else result))


def let(body: Body, statement: ir.Let, then: Callable[[], Lines]) -> Lines:
    """`let pattern = init`, with or without `else`."""
    pattern, init = statement.pattern, statement.init
    assert init is not None
    if isinstance(pattern, ir.Bind) and pattern.sub is None:
        if pattern.by == "mut" or (isinstance(pattern.ty, ir.Ref) and pattern.ty.mutable):
            raise body.refuse("mutable reference", "a `&mut` that is kept in a local", init)
        return body.expr(init, lambda t: [*body.define(pattern.name, t), *then()])
    if any(b.by == "mut" for b in _binds(pattern)):
        raise body.refuse("mutable reference", "a `&mut` that is kept in a local", init)
    cases = [_Case(p, None, lambda go: then()) for p in patterns.alternatives(pattern)]
    if len(cases) > 1:
        raise body.refuse("pattern", "a `let` with alternatives", init)
    if statement.otherwise is not None:
        otherwise = statement.otherwise
        cases.append(_Case(ir.Wild(pattern.ty), None, lambda go: body.expr(otherwise, go)))
    return body.expr(init, lambda t: body.let(t, init.ty, lambda s: _cases(body, s, cases, lambda _: [], None)))
