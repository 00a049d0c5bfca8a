"""Why recursive functions terminate: candidates for Lean to try, best first.

    structural or found by Lean itself (nothing printed)
    a measure over the arguments, with a tactic that shows that it decreases
    a guard: recursive calls at smaller arguments only, an uninterpreted function elsewhere
    equations: the function becomes a parameter of the theorem with its defining equation as hypothesis

The last two are explained in docs/problems.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from unsorry.problems.tip.lower import clauses
from unsorry.problems.tip.syntax import (
    BOOL,
    INT,
    Binder,
    Call,
    Datatype,
    Function,
    Literal,
    Local,
    Match,
    Op,
    TCon,
    Term,
    Type,
    children,
    subterms,
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A termination measure: one or more natural numbers, compared lexicographically.

    Each is a sum of parts: (argument position, None) is the size of that argument, (left, right, offset) the distance
    of two integers.
    """

    components: tuple[tuple[int | tuple[Term, Term, int], ...], ...]


def calls_of(group: Sequence[Function]) -> list[tuple[Function, Call]]:
    """Recursive calls with the function they occur in."""
    return [
        (f, t)
        for f in group
        if f.body is not None
        for t in subterms(f.body)
        if isinstance(t, Call) and t.target in group
    ]


def recursive(group: Sequence[Function]) -> bool:
    return bool(calls_of(group))


def measures(function: Function) -> Iterator[Measure]:
    """Measures for a function that calls itself."""
    sized = [i for i, b in enumerate(function.args) if isinstance(b.type, TCon) and b.type not in (INT, BOOL)]
    changing = [i for i in sized if i not in fixed_arguments(function)]
    if changing:
        yield Measure((tuple(changing),))
        for i in changing:
            if len(changing) > 1:
                yield Measure(((i,),))
        if 1 < len(changing) <= 4:
            for a, b in permutations(changing, 2):
                yield Measure(((a,), (b,)))
    for left, right in _comparisons(function):
        for larger, smaller in ((left, right), (right, left)):
            for offset in (0, 1):
                yield Measure((((larger, smaller, offset),),))
    for i, binder in enumerate(function.args):
        if binder.type == INT and i not in fixed_arguments(function):
            yield Measure((((Local(binder, function.where, INT), Literal(0, function.where, INT), 0),),))


def fixed_arguments(function: Function) -> frozenset[int]:
    """Positions that every recursive call passes on unchanged."""
    result = set(range(len(function.args)))
    assert function.body is not None
    for term in subterms(function.body):
        if isinstance(term, Call) and term.target is function:
            for i, arg in enumerate(term.args):
                if not (isinstance(arg, Local) and arg.binder is function.args[i]):
                    result.discard(i)
    return frozenset(result)


def _comparisons(function: Function) -> list[tuple[Term, Term]]:
    """Pairs of integer terms over the arguments that the body compares."""
    assert function.body is not None
    own = set(function.args)
    result = []
    for term in subterms(function.body):
        if isinstance(term, Op) and term.op in ("<", "<=", ">", ">=") and len(term.args) == 2:
            left, right = term.args
            if all(_over(t, own) for t in term.args):
                result.append((left, right))
    return result[:3]


def _over(term: Term, own: set[Binder]) -> bool:
    return all(isinstance(t, Op | Literal) or (isinstance(t, Local) and t.binder in own) for t in subterms(term))


def called_inside(group: Sequence[Function]) -> list[Function]:
    """Defined functions that occur in the arguments of recursive calls; their equations help to compare sizes."""
    result: dict[Function, None] = {}
    for _, call in calls_of(group):
        for arg in call.args:
            for term in subterms(arg):
                if (
                    isinstance(term, Call)
                    and isinstance(term.target, Function)
                    and term.target not in group
                    and term.target.body is not None
                    and not term.target.given
                ):
                    result[term.target] = None
    return list(result)


def guardable(function: Function, data: dict[str, Datatype]) -> bool:
    """Whether the equation may have no solution at all: recursion under a constructor that some input never leaves.

    `f x = cons a (f x)` has no solution among finite values.  Suspected where the recursion is controlled by
    conditions or by integers rather than by the structure of an argument.
    """
    if not isinstance(function.result, TCon) or function.result in (INT, BOOL) or function.body is None:
        return False
    lifted = clauses(function.args, function.body)
    by_condition = len(lifted) == 1 or any(_mentions_int(b.type, data) for b in function.args)
    return by_condition and any(not _tail(c.body, function) for c in lifted)


def _tail(term: Term, function: Function) -> bool:
    """All recursive calls are in tail position."""
    match term:
        case Call(target=target) if target is function:
            return not any(isinstance(t, Call) and t.target is function for a in term.args for t in subterms(a))
        case Op(op="ite", args=(condition, yes, no)):
            return _tail(yes, function) and _tail(no, function) and not _calls(condition, function)
        case Match(scrutinee=scrutinee, cases=cases):
            return all(_tail(c.body, function) for c in cases) and not _calls(scrutinee, function)
    return not any(_calls(t, function) for t in children(term))


def _calls(term: Term, function: Function) -> bool:
    return any(isinstance(t, Call) and t.target is function for t in subterms(term))


def _mentions_int(type_: Type, data: dict[str, Datatype]) -> bool:
    return type_ == INT or (
        isinstance(type_, TCon)
        and type_ != BOOL
        and len(data[type_.name].constructors) == 1
        and any(_mentions_int(a, data) for a in type_.args)
    )
