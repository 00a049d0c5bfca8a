"""Types, terms and declarations of TIP problems.

Terms are nodes with identity (`eq=False`): inference records a type on each, and binders are compared as objects,
so that no pass has to think about capture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TVar:
    """A type variable bound by `par`, or an uninterpreted sort."""

    name: str


@dataclass(frozen=True, slots=True)
class TMeta:
    """An unknown of type inference."""

    index: int


@dataclass(frozen=True, slots=True)
class TCon:
    """`Int`, `Bool` or a datatype applied to arguments."""

    name: str
    args: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class TFun:
    """`(=> a b c)`: arguments and result."""

    args: tuple[Type, ...]
    result: Type


Type = TVar | TMeta | TCon | TFun
INT = TCon("Int")
BOOL = TCon("Bool")


@dataclass(eq=False, slots=True)
class Constructor:
    name: str
    fields: tuple[tuple[str, Type], ...]
    data: Datatype
    lean: str = ""


@dataclass(eq=False, slots=True)
class Datatype:
    name: str
    params: tuple[str, ...]
    where: str
    constructors: list[Constructor] = field(default_factory=list)
    lean: str = ""


@dataclass(eq=False, slots=True)
class Binder:
    name: str
    type: Type


@dataclass(eq=False, slots=True)
class Function:
    """A defined function, or an uninterpreted one (`body` is None)."""

    name: str
    params: tuple[str, ...]
    args: tuple[Binder, ...]
    result: Type
    where: str
    body: Term | None = None
    lean: str = ""
    # Filled by analysis:
    equality: tuple[str, ...] = ()  # type variables that need decidable equality
    symbols: tuple[tuple[Function, tuple[Type, ...]], ...] = ()  # uninterpreted symbols it depends on, instantiated
    given: bool = False  # stated as a parameter with its defining equation, since no termination argument was found
    specialised: dict[str, Type] = field(default_factory=dict)  # `par` variables that can only be one type

    @property
    def declared(self) -> bool:
        return self.body is None


@dataclass(eq=False, slots=True)
class Local:
    binder: Binder
    where: str
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Literal:
    value: int | bool
    where: str
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Call:
    """A function or constructor applied to all its arguments; `targs` instantiate its type parameters."""

    target: Function | Constructor
    args: tuple[Term, ...]
    where: str
    annotated: tuple[Type, ...] | None = None
    targs: tuple[Type, ...] = ()
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Apply:
    """`(@ f x ...)`."""

    function: Term
    args: tuple[Term, ...]
    where: str
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Lambda:
    binders: tuple[Binder, ...]
    body: Term
    where: str
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Op:
    """A builtin: and or xor not => = distinct ite + - * div mod abs < <= > >=."""

    op: str
    args: tuple[Term, ...]
    where: str
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Case:
    """`constructor` None is a default; its single binder, if any, names the scrutinee."""

    constructor: Constructor | None
    binders: tuple[Binder, ...]
    body: Term


@dataclass(eq=False, slots=True)
class Match:
    scrutinee: Term
    cases: tuple[Case, ...]
    where: str
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Let:
    binder: Binder
    value: Term
    body: Term
    where: str
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Quantifier:
    kind: str  # "forall" | "exists"
    binders: tuple[Binder, ...]
    body: Term
    where: str
    type: Type | None = None


Term = Local | Literal | Call | Apply | Lambda | Op | Match | Let | Quantifier


@dataclass(eq=False, slots=True)
class Formula:
    """An `assert` or a `prove`; `params` are its `par` variables."""

    params: tuple[str, ...]
    body: Term
    where: str


@dataclass(slots=True)
class Theory:
    """One file: declarations in order, groups of mutually recursive ones together."""

    name: str
    comment: str = ""
    sorts: list[str] = field(default_factory=list)
    datatypes: list[list[Datatype]] = field(default_factory=list)
    functions: list[list[Function]] = field(default_factory=list)
    asserts: list[Formula] = field(default_factory=list)
    goals: list[Formula] = field(default_factory=list)


def children(term: Term) -> tuple[Term, ...]:
    """The direct subterms."""
    match term:
        case Local() | Literal():
            return ()
        case Call(args=args) | Op(args=args):
            return args
        case Apply(function=function, args=args):
            return (function, *args)
        case Lambda(body=body) | Quantifier(body=body):
            return (body,)
        case Match(scrutinee=scrutinee, cases=cases):
            return (scrutinee, *(case.body for case in cases))
        case Let(value=value, body=body):
            return (value, body)


def subterms(term: Term) -> Iterator[Term]:
    """The term and all below it."""
    stack = [term]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(children(here))


def type_variables(type_: Type) -> Iterator[str]:
    """Names of the type variables that occur, with repetitions."""
    match type_:
        case TVar(name=name):
            yield name
        case TCon(args=args):
            for arg in args:
                yield from type_variables(arg)
        case TFun(args=args, result=result):
            for arg in (*args, result):
                yield from type_variables(arg)
        case TMeta():
            return


def substitute_type(type_: Type, mapping: dict[str, Type]) -> Type:
    """Replace type variables by name."""
    match type_:
        case TVar(name=name):
            return mapping.get(name, type_)
        case TCon(name=name, args=args):
            return TCon(name, tuple(substitute_type(arg, mapping) for arg in args))
        case TFun(args=args, result=result):
            return TFun(tuple(substitute_type(arg, mapping) for arg in args), substitute_type(result, mapping))
        case TMeta():
            return type_
