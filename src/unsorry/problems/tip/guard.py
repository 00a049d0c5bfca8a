"""Functions that do not terminate on some inputs: recursion only where a chosen argument decreases.

`f x = cons a (f (x - 1))` until x = 0 has no value below zero, and as an axiom it would be contradictory.  The
recursive call becomes `if 0 ≤ x - 1 ∧ x - 1 < x then f (x - 1) else f_outside (x - 1)` with an uninterpreted
`f_outside`.  Whatever holds for every `f_outside` holds for each function that satisfies the original equation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from unsorry.problems.tip.lower import map_children
from unsorry.problems.tip.syntax import (
    BOOL,
    INT,
    Binder,
    Call,
    Case,
    Constructor,
    Datatype,
    Function,
    Literal,
    Local,
    Match,
    Op,
    TCon,
    Term,
    TVar,
    substitute_type,
    subterms,
)


@dataclass(frozen=True, slots=True)
class Guarded:
    """The changed body, what it uses outside, the natural number that decreases and, for data, its weight function."""

    body: Term
    outside: Function
    measure: Term
    weight: Function | None


@dataclass(frozen=True, slots=True)
class _Path:
    position: int
    field: int | None  # of an argument with a single constructor


class _NoGuard(Exception):
    pass


def guard(function: Function, data: Mapping[str, Datatype]) -> Guarded | None:
    """The guarded function, None if no argument can be chosen.  The original is left as it is."""
    if function.body is None:
        return None
    args = tuple(Binder(b.name, b.type) for b in function.args)
    outside = Function(f"{function.name}_outside", function.params, args, function.result, function.where)
    outside.specialised = dict(function.specialised)
    for path, integer in _paths(function, data):
        weight = None
        if not integer:
            type_ = function.args[path.position].type
            assert isinstance(type_, TCon)
            weight = weight_function(data[type_.name])
            if weight is None:
                continue
        try:
            body = _guarded(function.body, function, outside, path, {function.args[path.position]: ()}, weight)
        except _NoGuard:
            continue
        return Guarded(body, outside, _measure(function, path, data, weight), weight)
    return None


def _measure(function: Function, path: _Path, data: Mapping[str, Datatype], weight: Function | None) -> Term:
    binder = function.args[path.position]
    argument = Local(binder, function.where, binder.type)
    if weight is not None:
        assert isinstance(binder.type, TCon)
        return Call(weight, (argument,), function.where, None, binder.type.args, INT)
    if path.field is None:
        return argument
    assert isinstance(binder.type, TCon)
    constructor = data[binder.type.name].constructors[0]
    mapping = dict(zip(constructor.data.params, binder.type.args, strict=True))
    fields = tuple(Binder(f"x{i}", substitute_type(t, mapping)) for i, (_, t) in enumerate(constructor.fields, 1))
    case = Case(constructor, fields, Local(fields[path.field], function.where, INT))
    return Match(argument, (case,), function.where, INT)


def _paths(function: Function, data: Mapping[str, Datatype]) -> list[tuple[_Path, bool]]:
    """Arguments that conditions look at, integers first."""
    assert function.body is not None
    tested: dict[Binder, None] = {}
    for term in reversed(list(subterms(function.body))):
        if isinstance(term, Op) and term.op == "ite":
            for t in subterms(term.args[0]):
                if isinstance(t, Local):
                    tested[t.binder] = None
    for term in subterms(function.body):  # the outermost condition last, so that it comes first below
        if isinstance(term, Op) and term.op == "ite":
            first = [t.binder for t in subterms(term.args[0]) if isinstance(t, Local)]
            tested = dict.fromkeys([*first, *tested])
            break
    result: list[tuple[_Path, bool]] = []
    for binder in tested:
        if binder in function.args and binder.type == INT:
            result.append((_Path(function.args.index(binder), None), True))
    for i, binder in enumerate(function.args):
        if isinstance(binder.type, TCon) and binder.type not in (INT, BOOL):
            constructors = data[binder.type.name].constructors
            if len(constructors) == 1:
                result.extend(
                    (_Path(i, j), True)
                    for j, (_, t) in enumerate(constructors[0].fields)
                    if t == INT or (isinstance(t, TVar) and _field_type(binder.type, data, t) == INT)
                )
    for i, binder in enumerate(function.args):
        if binder in tested and isinstance(binder.type, TCon) and binder.type not in (INT, BOOL):
            result.append((_Path(i, None), False))
    return result


def _field_type(type_: TCon, data: Mapping[str, Datatype], variable: TVar) -> object:
    return type_.args[data[type_.name].params.index(variable.name)]


def _guarded(
    term: Term,
    function: Function,
    outside: Function,
    path: _Path,
    known: dict[Binder, tuple[Binder, ...]],
    weight: Function | None,
) -> Term:
    """`known` maps the chosen argument to the fields it was matched to."""
    argument = function.args[path.position]
    match term:
        case Match(scrutinee=Local(binder=binder)) if binder is argument and path.field is not None:
            cases = []
            for case in term.cases:
                inner = known | {argument: case.binders} if case.constructor is not None else known
                cases.append(
                    Case(case.constructor, case.binders, _guarded(case.body, function, outside, path, inner, weight))
                )
            return replace(term, cases=tuple(cases))
        case Call(target=target) if target is function:
            call = map_children(term, lambda t: _guarded(t, function, outside, path, known, weight))
            assert isinstance(call, Call)
            new, old = _compared(call, argument, path, known)
            if isinstance(new, Local) and isinstance(old, Local) and new.binder is old.binder:
                raise _NoGuard
            return Op("ite", (_smaller(new, old, weight), call, replace(call, target=outside)), term.where, term.type)
    return map_children(term, lambda t: _guarded(t, function, outside, path, known, weight))


def _compared(call: Call, argument: Binder, path: _Path, known: dict[Binder, tuple[Binder, ...]]) -> tuple[Term, Term]:
    here = call.args[path.position]
    if path.field is None:
        return here, Local(argument, call.where, argument.type)
    if not (isinstance(here, Call) and isinstance(here.target, Constructor)) or not known[argument]:
        raise _NoGuard
    old = known[argument][path.field]
    return here.args[path.field], Local(old, call.where, old.type)


def _smaller(new: Term, old: Term, weight: Function | None) -> Term:
    where = new.where
    if weight is not None:
        assert isinstance(new.type, TCon)
        targs = new.type.args
        new, old = (Call(weight, (t,), where, None, targs, INT) for t in (new, old))
    zero = Literal(0, where, INT)
    return Op("and", (Op("<=", (zero, new), where, BOOL), Op("<", (new, old), where, BOOL)), where, BOOL)


def weight_function(data: Datatype) -> Function | None:
    """Number of constructors along the recursive fields of one datatype."""
    own = TCon(data.name, tuple(TVar(p) for p in data.params))
    argument = Binder("x", own)
    function = Function(f"weight_{data.name}", data.params, (argument,), INT, data.where)
    cases = []
    recursive = False
    for constructor in data.constructors:
        binders = tuple(Binder(name, type_) for name, type_ in constructor.fields)
        total: Term = Literal(0, data.where, INT)
        for binder in binders:
            if binder.type == own:
                recursive = True
                call = Call(function, (Local(binder, data.where, own),), data.where, None, own.args, INT)
                total = Op(
                    "+",
                    (call, total) if not isinstance(total, Literal) else (call, Literal(1, data.where, INT)),
                    data.where,
                    INT,
                )
        cases.append(Case(constructor, binders, total))
    if not recursive:
        return None
    function.body = Match(Local(argument, data.where, own), tuple(cases), data.where, INT)
    return function
