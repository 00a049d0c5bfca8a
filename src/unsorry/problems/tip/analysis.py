"""What each function depends on: decidable equality of type variables, uninterpreted symbols and sorts.

Lean has no file-wide uninterpreted symbols that a proof may not exploit, so they become parameters: of the functions
that use them and of the theorem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from unsorry.problems.tip.sexp import TipError
from unsorry.problems.tip.syntax import (
    BOOL,
    Call,
    Constructor,
    Datatype,
    Function,
    Lambda,
    Match,
    Op,
    Quantifier,
    TCon,
    Term,
    TFun,
    Theory,
    Type,
    children,
    substitute_type,
    subterms,
    type_variables,
)

Symbol = tuple[Function, tuple[Type, ...]]
MAX_SYMBOLS = 32


def analyse(theory: Theory) -> None:
    """Fill `equality`, `symbols` and the sort parameters of every function."""
    datatypes = {d.name: d for group in theory.datatypes for d in group}
    sorts = set(theory.sorts)
    for data in datatypes.values():
        for constructor in data.constructors:
            for _, type_ in constructor.fields:
                if sorts & set(type_variables(type_)):
                    raise TipError(data.where, "a datatype over an uninterpreted sort is not covered")
    for group in theory.functions:
        for function in group:
            function.equality, function.symbols = (), ()
        changed = True
        while changed:
            changed = False
            for function in group:
                if function.body is None:
                    continue
                equality = tuple(sorted(set(equality_needs(function.body, datatypes, proposition=False))))
                symbols = symbols_of([function.body, *equations_behind(function, group)])
                if (equality, symbols) != (function.equality, function.symbols):
                    function.equality, function.symbols = equality, symbols
                    changed = True
                if len(symbols) > MAX_SYMBOLS:
                    raise TipError(function.where, f"`{function.name}` needs more than {MAX_SYMBOLS} parameters")


def equations_behind(function: Function, group: Sequence[Function]) -> list[Term]:
    """Bodies of the functions stated by equations in the same group; they stand or fall together."""
    return [f.body for f in group if function.given and f.body is not None and f is not function]


def own_type_variables(function: Function) -> tuple[str, ...]:
    """Type parameters of the Lean function: its `par` variables that were not specialised, and sorts it mentions."""
    names = [p for p in function.params if p not in function.specialised]
    for type_ in (*(b.type for b in function.args), function.result, *(t for _, ts in function.symbols for t in ts)):
        names.extend(n for n in type_variables(type_) if n not in names)
    return tuple(names)


def symbols_of(terms: Iterable[Term]) -> tuple[Symbol, ...]:
    """Uninterpreted symbols the terms depend on, each at the types it is used at, in order of first use."""
    result: dict[Symbol, None] = {}
    for root in terms:
        for term in subterms(root):
            if isinstance(term, Call) and isinstance(term.target, Function):
                for symbol in symbols_at(term.target, term.targs):
                    result[symbol] = None
    return tuple(result)


def symbols_at(function: Function, targs: Sequence[Type]) -> Iterator[Symbol]:
    """What a call of the function at these types depends on."""
    mapping = dict(zip(function.params, targs, strict=True))
    for symbol, types in function.symbols:
        yield symbol, tuple(substitute_type(t, mapping) for t in types)
    if function.declared or function.given:
        yield function, tuple(targs)


def equality_needs(term: Term, datatypes: dict[str, Datatype], *, proposition: bool) -> Iterator[str]:
    """Type variables whose equality the term computes; in a proposition `=` itself computes nothing."""
    match term:
        case Op(op="=" | "distinct" as op, args=args):
            type_ = args[0].type
            assert type_ is not None
            bool_chain = type_ == BOOL and any(isinstance(t, Quantifier) for a in args for t in subterms(a))
            if not proposition:
                if not decidable(type_, datatypes):
                    raise TipError(term.where, f"`{op}` on functions inside a computed term is not covered")
                yield from type_variables(type_)
            for arg in args:
                yield from equality_needs(arg, datatypes, proposition=proposition and bool_chain)
            return
        case Op(op="ite", args=(condition, *rest)):
            yield from equality_needs(condition, datatypes, proposition=False)
            for arg in rest:
                yield from equality_needs(arg, datatypes, proposition=False)
            return
        case Op(op="and" | "or" | "not" | "=>" | "xor", args=args):
            for arg in args:
                yield from equality_needs(arg, datatypes, proposition=proposition)
            return
        case Quantifier(body=body):
            yield from equality_needs(body, datatypes, proposition=proposition)
            return
        case Match() | Lambda():
            proposition = False
        case Call(target=Function() as function, targs=targs):
            mapping = dict(zip(function.params, targs, strict=True))
            if function.given or function.declared:
                proposition = False
            else:
                for name in function.equality:
                    type_ = substitute_type(mapping.get(name, BOOL), mapping)
                    if not decidable(type_, datatypes):
                        raise TipError(term.where, f"`{function.name}` at a type of functions is not covered")
                    yield from type_variables(type_)
        case _:
            pass
    for child in children(term):
        yield from equality_needs(child, datatypes, proposition=False)


def decidable(type_: Type, datatypes: dict[str, Datatype], seen: frozenset[str] = frozenset()) -> bool:
    """No function type inside."""
    if isinstance(type_, TFun):
        return False
    if not isinstance(type_, TCon):
        return True
    if not all(decidable(arg, datatypes, seen) for arg in type_.args):
        return False
    data = datatypes.get(type_.name)
    if data is None or type_.name in seen:
        return True
    fields = (t for c in data.constructors for _, t in c.fields)
    return all(decidable(t, datatypes, seen | {type_.name}) for t in fields)


def has_quantifier(term: Term) -> bool:
    """Whether the term cannot be computed."""
    return any(isinstance(t, Quantifier) for t in subterms(term))


def existential(term: Term, *, positive: bool = True) -> bool:
    """Whether an existential claim is made, so that the non-emptiness of sorts matters."""
    match term:
        case Quantifier(kind=kind, body=body):
            return (kind == "exists") == positive or existential(body, positive=positive)
        case Op(op="not", args=(arg,)):
            return existential(arg, positive=not positive)
        case Op(op="=>", args=(*left, right)):
            return existential(right, positive=positive) or any(existential(t, positive=not positive) for t in left)
        case Op(op="and" | "or", args=args):
            return any(existential(t, positive=positive) for t in args)
    return has_quantifier(term)


def constructors(theory: Theory) -> Iterator[Constructor]:
    """All constructors in order of declaration."""
    for group in theory.datatypes:
        for data in group:
            yield from data.constructors
