"""Type inference: every node gets its type, every call its type arguments.

Signatures are declared, so this is first-order unification without generalisation.  A comparison at a `par` variable
(`<=` on `t`) only makes sense on Int; the variable is then specialised to Int throughout that function.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from unsorry.problems.tip.sexp import TipError
from unsorry.problems.tip.syntax import (
    BOOL,
    INT,
    Apply,
    Binder,
    Call,
    Constructor,
    Formula,
    Function,
    Lambda,
    Let,
    Literal,
    Local,
    Match,
    Op,
    Quantifier,
    TCon,
    Term,
    TFun,
    Theory,
    TMeta,
    TVar,
    Type,
    substitute_type,
    subterms,
)

_ARITHMETIC = frozenset(("+", "-", "*", "div", "mod", "abs"))
_COMPARISONS = frozenset(("<", "<=", ">", ">="))
_CONNECTIVES = frozenset(("and", "or", "xor", "not", "=>"))


def infer(theory: Theory) -> None:
    """Annotate all terms of the theory in place; ill-typed terms are a `TipError`."""
    for group in theory.functions:
        for function in group:
            if function.body is not None:
                _infer_function(function, function.body)
    for formula in (*theory.asserts, *theory.goals):
        _infer_formula(formula)


def _infer_function(function: Function, body: Term) -> None:
    run = _Inference(function.params)
    run.check(body, function.result)
    run.finish(body)
    function.specialised = {name: run.resolve(type_) for name, type_ in run.specialised.items()}
    for binder in function.args:
        binder.type = run.resolve(binder.type)
    function.result = run.resolve(function.result)


def _infer_formula(formula: Formula) -> None:
    run = _Inference(())
    run.check(formula.body, BOOL)
    run.finish(formula.body)


class _Inference:
    def __init__(self, specialisable: Sequence[str]) -> None:
        self.solution: dict[int, Type] = {}
        self.specialisable = frozenset(specialisable)
        self.specialised: dict[str, Type] = {}
        self.count = 0

    def meta(self) -> TMeta:
        self.count += 1
        return TMeta(self.count)

    def resolve(self, type_: Type) -> Type:
        match type_:
            case TMeta(index=index) if index in self.solution:
                return self.resolve(self.solution[index])
            case TVar(name=name) if name in self.specialised:
                return self.resolve(self.specialised[name])
            case TCon(name=name, args=args) if args:
                return TCon(name, tuple(self.resolve(arg) for arg in args))
            case TFun(args=args, result=result):
                return function_type(tuple(self.resolve(arg) for arg in args), self.resolve(result))
        return type_

    def unify(self, left: Type, right: Type, where: str) -> None:
        a, b = self.resolve(left), self.resolve(right)
        if a == b:
            return
        match a, b:
            case (TMeta(index=index), other) | (other, TMeta(index=index)):
                if any(part == TMeta(index) for part in _parts(other)):
                    raise TipError(where, "infinite type")
                self.solution[index] = other
            case TCon(name=n, args=xs), TCon(name=m, args=ys) if n == m and len(xs) == len(ys):
                for x, y in zip(xs, ys, strict=True):
                    self.unify(x, y, where)
            case TFun(args=xs, result=r), TFun(args=ys, result=s):
                common = min(len(xs), len(ys))  # functions are curried
                for x, y in zip(xs[:common], ys[:common], strict=True):
                    self.unify(x, y, where)
                self.unify(function_type(xs[common:], r), function_type(ys[common:], s), where)
            case _:
                raise TipError(where, f"`{show(a)}` and `{show(b)}` are different types")

    def number(self, type_: Type, where: str) -> None:
        """Arithmetic forces Int, also on a type variable of the function."""
        here = self.resolve(type_)
        if isinstance(here, TVar) and here.name in self.specialisable:
            self.specialised[here.name] = INT
        else:
            self.unify(here, INT, where)

    def check(self, term: Term, expected: Type) -> None:
        self.unify(self.infer(term), expected, term.where)

    def infer(self, term: Term) -> Type:
        result = self.node(term)
        if term.type is not None:  # an ascription `(as c T)`
            self.unify(result, term.type, term.where)
        term.type = result
        return result

    def node(self, term: Term) -> Type:
        match term:
            case Local(binder=binder):
                return binder.type
            case Literal(value=value):
                return BOOL if isinstance(value, bool) else INT
            case Call():
                return self.call(term)
            case Apply(function=function, args=args):
                types = tuple(self.infer(arg) for arg in args)
                return self.apply(self.infer(function), types, term.where)
            case Lambda(binders=binders, body=body):
                return TFun(tuple(b.type for b in binders), self.infer(body))
            case Op(op=op, args=args):
                return self.operator(op, args, term.where)
            case Let(binder=binder, value=value, body=body):
                binder.type = self.infer(value)
                return self.infer(body)
            case Quantifier(body=body):
                self.check(body, BOOL)
                return BOOL
            case Match():
                return self.match(term)

    def call(self, term: Call) -> Type:
        target = term.target
        if isinstance(target, Constructor):
            params = target.data.params
            args = tuple(t for _, t in target.fields)
            result: Type = TCon(target.data.name, tuple(TVar(p) for p in params))
        else:
            params, args, result = target.params, tuple(b.type for b in target.args), target.result
        term.targs = term.annotated if term.annotated is not None else tuple(self.meta() for _ in params)
        mapping = dict(zip(params, term.targs, strict=True))
        if isinstance(target, Function):
            for name, type_ in target.specialised.items():
                self.unify(mapping[name], type_, term.where)
        for arg, type_ in zip(term.args, args, strict=True):
            self.check(arg, substitute_type(type_, mapping))
        return substitute_type(result, mapping)

    def apply(self, function: Type, args: tuple[Type, ...], where: str) -> Type:
        function = self.resolve(function)
        if isinstance(function, TMeta):
            result: Type = self.meta()
            self.unify(function, TFun(args, result), where)
            return result
        if not isinstance(function, TFun) or len(function.args) < len(args):
            raise TipError(where, f"`@` on a term of type `{show(function)}` with {len(args)} arguments")
        for left, right in zip(function.args, args, strict=False):
            self.unify(left, right, where)
        return function_type(function.args[len(args) :], function.result)

    def operator(self, op: str, args: tuple[Term, ...], where: str) -> Type:
        arity = {"not": 1, "abs": 1, "ite": 3, "div": 2, "mod": 2}.get(op)
        two = op in ("=", "distinct", "=>", "xor", *_COMPARISONS)
        if len(args) < 1 + two or (arity is not None and len(args) != arity):
            raise TipError(where, f"`{op}` with {len(args)} arguments")
        if op in _CONNECTIVES:
            for arg in args:
                self.check(arg, BOOL)
            return BOOL
        if op in _ARITHMETIC or op in _COMPARISONS:
            for arg in args:
                self.number(self.infer(arg), arg.where)
            return INT if op in _ARITHMETIC else BOOL
        if op == "ite":
            self.check(args[0], BOOL)
        rest = args[1:] if op == "ite" else args
        types = [self.infer(arg) for arg in rest]
        for left, right in pairwise(types):
            self.unify(left, right, where)
        return types[0] if op == "ite" else BOOL

    def match(self, term: Match) -> Type:
        scrutinee = self.infer(term.scrutinee)
        result: Type = self.meta()
        for case in term.cases:
            if case.constructor is None:
                for binder in case.binders:
                    binder.type = scrutinee
            else:
                data = case.constructor.data
                args = tuple(self.meta() for _ in data.params)
                self.unify(scrutinee, TCon(data.name, args), term.where)
                mapping: dict[str, Type] = dict(zip(data.params, args, strict=True))
                for binder, (_, type_) in zip(case.binders, case.constructor.fields, strict=True):
                    binder.type = substitute_type(type_, mapping)
            self.check(case.body, result)
        return result

    def finish(self, root: Term) -> None:
        """Replace solved unknowns; an unknown that is left is an error."""
        for term in subterms(root):
            assert term.type is not None
            term.type = self.closed(term.type, term.where)
            for binder in binders(term):
                binder.type = self.closed(binder.type, term.where)
            if isinstance(term, Call):
                term.targs = tuple(self.closed(t, term.where) for t in term.targs)

    def closed(self, type_: Type, where: str) -> Type:
        result = self.resolve(type_)
        if any(isinstance(part, TMeta) for part in _parts(result)):
            raise TipError(where, "the type of this term is not determined")
        return result


def function_type(args: tuple[Type, ...], result: Type) -> Type:
    """The type of a curried function; without arguments, that of its result."""
    if not args:
        return result
    return TFun((*args, *result.args), result.result) if isinstance(result, TFun) else TFun(args, result)


def binders(term: Term) -> tuple[Binder, ...]:
    """Variables that this node binds."""
    match term:
        case Lambda(binders=here) | Quantifier(binders=here):
            return here
        case Let(binder=binder):
            return (binder,)
        case Match(cases=cases):
            return tuple(b for case in cases for b in case.binders)
    return ()


def show(type_: Type) -> str:
    """A type as TIP writes it."""
    match type_:
        case TVar(name=name):
            return name
        case TMeta(index=index):
            return f"?{index}"
        case TCon(name=name, args=args):
            return f"({name} {' '.join(map(show, args))})" if args else name
        case TFun(args=args, result=result):
            return f"(=> {' '.join(map(show, (*args, result)))})"


def _parts(type_: Type) -> list[Type]:
    stack, result = [type_], []
    while stack:
        here = stack.pop()
        result.append(here)
        if isinstance(here, TCon):
            stack.extend(here.args)
        elif isinstance(here, TFun):
            stack.extend((*here.args, here.result))
    return result
