"""The vocabulary of exploration: functions as symbols with types, and terms over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from unsorry.provers.search.goals import Goal, is_type
from unsorry.provers.search.syntax import (
    App,
    Bind,
    Const,
    Lit,
    Sort,
    Term,
    Var,
    apply,
    free,
    show,
    strip_pis,
    substitute,
    subterms,
)
from unsorry.provers.search.theory import Theory

ATOM = Var("A")  # the type that type variables stand for while values are computed


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function as exploration sees it: `template` is applied to the data arguments."""

    name: str
    template: Term  # with type variables `?...` as Var
    arguments: tuple[Term, ...]
    result: Term
    constructor: bool = False
    sorts: tuple[tuple[str, str], ...] = ()  # universe of each type variable


@dataclass(frozen=True)
class Tree:
    """A term of exploration: a variable (`symbol` None) or a symbol applied."""

    symbol: Symbol | None
    children: tuple[Tree, ...]
    type: Term  # instantiated
    index: int = 0  # number of the variable among those of its type
    size: int = 1

    def __hash__(self) -> int:
        return hash((self.symbol.name if self.symbol else self.index, self.type, self.children))

    def variables(self) -> Iterator[Tree]:
        if self.symbol is None:
            yield self
        for child in self.children:
            yield from child.variables()

    def built(self) -> int:
        """How many constructors are applied."""
        own = self.symbol is not None and self.symbol.constructor and bool(self.children)
        return own + sum(child.built() for child in self.children)

    def names(self) -> frozenset[str]:
        own = frozenset((self.symbol.name,)) if self.symbol else frozenset()
        return own.union(*(child.names() for child in self.children))


@dataclass(frozen=True, slots=True)
class Conjecture:
    left: Tree  # the larger side
    right: Tree
    premise: tuple[Tree, bool] | None = None  # a Bool term and the value it is assumed to have
    both: bool = False  # premise and equation are equivalent
    directed: bool = False  # to be used from left to right, whatever the sizes

    @property
    def size(self) -> int:
        return self.left.size + self.right.size + (self.premise[0].size if self.premise else 0)


def symbols_of(theory: Theory, names: Iterable[str]) -> list[Symbol]:
    """Functions and constructors usable in exploration."""
    found: list[Symbol] = []
    for name in sorted(set(names)):
        type_ = theory.types.get(name)
        if type_ is None or is_type(type_) or ".match_" in name:
            continue
        if name in theory.constructors:
            constructor = True
        elif name in theory.functions:
            constructor = False
        else:
            continue
        binders, result = strip_pis(type_)
        values: dict[str, Term] = {}
        types: list[Term] = []
        data: list[Term] = []
        sorts: list[tuple[str, str]] = []
        usable = True
        for binder, binder_type, info in binders:
            if info == "[":
                usable = False
            elif is_type(binder_type):
                variable = Var(f"?{binder}")
                values[binder] = variable
                sorts.append((variable.name, show(binder_type)))
                types.append(variable)
                if data:
                    usable = False
            else:
                data.append(substitute(binder_type, values))
        result = substitute(result, values)
        if usable and not _dependent(binders, result) and not isinstance(result, Sort):
            found.append(Symbol(name, apply(Const(name), types), tuple(data), result, constructor, tuple(sorts)))
    return found


def _dependent(binders: Sequence[tuple[str, Term, str]], result: Term) -> bool:
    names = {name for name, type_, _ in binders if not is_type(type_)}
    return bool(names & (free(result).union(*(free(type_) for _, type_, _ in binders))))


def applied_symbols(theory: Theory, goal: Goal, functions: Iterable[str] = ()) -> list[Symbol]:
    """Overloaded operations with types and instances fixed (`@HAdd.hAdd Nat Nat Nat _`), as they occur in the goal and
    in the equations of `functions`."""
    found: dict[Term, Symbol] = {}

    def collect(term: Term, types: Sequence[tuple[str, Term]]) -> None:
        open_types: dict[str, Term] = {name: Var(f"?{name}") for name, _ in types}
        sorts = tuple((f"?{name}", show(type_)) for name, type_ in types)
        for part in subterms(term):
            symbol = _applied(part, theory, open_types, sorts)
            if symbol is not None:
                found.setdefault(ground(symbol.template), symbol)

    for term in (goal.conclusion, *(h.type for h in goal.propositions)):
        collect(term, [(h.name, h.type) for h in goal.types])
    for function in filter(None, map(theory.functions.get, functions)):
        binders, _ = strip_pis(function.type)
        for equation in function.equations:
            arguments = zip(binders, equation.arguments, strict=False)
            collect(equation.rhs, [(a.name, t) for (_, t, _), a in arguments if is_type(t) and isinstance(a, Var)])
    if any(Const("Nat") in (*s.arguments, s.result) for s in found.values()):
        for digit in ("0", "1"):
            literal = App(
                Const("OfNat.ofNat"), (Const("Nat"), Lit(digit, True), App(Const("instOfNatNat"), (Lit(digit, True),)))
            )
            found[literal] = Symbol(digit, literal, (), Const("Nat"), True)
    return list(found.values())


_LOGICAL = frozenset(("Eq", "Ne", "ite", "dite", "OfNat.ofNat", "Decidable.decide", "Nat.succ"))


def _applied(
    part: Term, theory: Theory, open_types: dict[str, Term], sorts: tuple[tuple[str, str], ...]
) -> Symbol | None:
    if not (isinstance(part, App) and isinstance(part.fn, Const)):
        return None
    name = part.fn.name
    if name in theory.functions or name in theory.constructors or name in _LOGICAL:
        return None
    type_, erased = theory.types.get(name), theory.erased(name)
    if type_ is None or len(part.args) != len(erased) or not erased or erased[-1]:
        return None
    fixed = [arg for arg, gone in zip(part.args, erased, strict=True) if gone]
    if any(not gone for gone in erased[: len(fixed)]) or any(not free(arg) <= open_types.keys() for arg in fixed):
        return None
    fixed = [substitute(arg, open_types) for arg in fixed]
    binders, result = strip_pis(type_)
    values = {binder: arg for (binder, _, _), arg in zip(binders, fixed, strict=False) if binder != "_"}
    data = tuple(substitute(t, values) for _, t, _ in binders[len(fixed) :])
    result = substitute(result, values)
    return None if isinstance(result, Sort) else Symbol(name, apply(part.fn, fixed), data, result, False, sorts)


@dataclass(frozen=True, slots=True)
class Instance:
    """A symbol at fixed types."""

    symbol: Symbol
    arguments: tuple[Term, ...]
    result: Term


def instances_of(symbols: Sequence[Symbol]) -> list[Instance]:
    """Each symbol at the atom type, and at the types that other functions ask for."""
    universe: dict[Term, None] = {Const("Bool"): None}
    for symbol in symbols:
        for type_ in (*symbol.arguments, symbol.result):
            universe[ground(type_)] = None
    basic = [type_ for type_ in universe if not isinstance(type_, Bind)]
    found: list[Instance] = []
    for symbol in symbols:
        variables = sorted({n for t in (*symbol.arguments, symbol.result) for n in free(t) if n.startswith("?")})
        choices: list[dict[str, Term]] = [{}]
        for name in variables:
            choices = [
                {**choice, name: type_} for choice in choices for type_ in (ATOM, *(t for t in basic if t != ATOM))
            ]
        for choice in choices[:60]:
            arguments = tuple(substitute(t, choice) for t in symbol.arguments)
            result = substitute(symbol.result, choice)
            if all(t in universe for t in (*arguments, result)):
                found.append(Instance(symbol, arguments, result))
    return found


def ground(type_: Term) -> Term:
    """Type variables replaced by the atom type."""
    return substitute(type_, dict.fromkeys(free(type_), ATOM))
