"""Most general types of conjectured equations (Hindley-Milner), and the equations as goals."""

from __future__ import annotations

from unsorry.provers.search.goals import Goal, Hypothesis
from unsorry.provers.search.symbols import Conjecture, Tree
from unsorry.provers.search.syntax import App, Bind, Const, Sort, Term, Var, apply, free, show, substitute


class _Clash(Exception):
    """Types do not unify."""


class _Typing:
    """Most general types of an equation: each use of a symbol has type variables of its own."""

    def __init__(self) -> None:
        self.bindings: dict[str, Term] = {}
        self.counter = 0
        self.sorts: dict[str, str] = {}
        self.variables: dict[tuple[Term, int], tuple[str, Term]] = {}

    def fresh(self, sort: str = "") -> Term:
        self.counter += 1
        name = f"?t{self.counter}"
        if sort:
            self.sorts[name] = sort
        return Var(name)

    def resolve(self, term: Term) -> Term:
        while isinstance(term, Var) and term.name in self.bindings:
            term = self.bindings[term.name]
        match term:
            case App(fn, args):
                return App(fn, tuple(self.resolve(arg) for arg in args))
            case Bind(kind, name, type_, body, info):
                return Bind(kind, name, self.resolve(type_), self.resolve(body), info)
        return term

    def unify(self, a: Term, b: Term) -> None:
        a, b = self.resolve(a), self.resolve(b)
        if a == b:
            return
        if isinstance(a, Var) and a.name.startswith("?"):
            if a.name in free(b):
                raise _Clash
            self.bindings[a.name] = b
            if isinstance(b, Var) and a.name in self.sorts and self.sorts.get(b.name) != "Type":
                self.sorts[b.name] = self.sorts[a.name]
        elif isinstance(b, Var) and b.name.startswith("?"):
            self.unify(b, a)
        elif isinstance(a, App) and isinstance(b, App) and a.fn == b.fn and len(a.args) == len(b.args):
            for x, y in zip(a.args, b.args, strict=True):
                self.unify(x, y)
        elif isinstance(a, Bind) and isinstance(b, Bind):
            self.unify(a.type, b.type)
            self.unify(a.body, b.body)
        else:
            raise _Clash

    def term(self, tree: Tree) -> tuple[Term, Term]:
        """The Lean term (type variables still open) and its type."""
        if tree.symbol is None:
            key = (tree.type, tree.index)
            if key not in self.variables:
                self.variables[key] = (f"{_letter(tree.type)}{len(self.variables) + 1}", self._open(tree.type))
            name, type_ = self.variables[key]
            return Var(name), type_
        symbol = tree.symbol
        names = free(symbol.template).union(free(symbol.result), *(free(t) for t in symbol.arguments))
        sorts = dict(symbol.sorts)
        renaming = {name: self.fresh(sorts.get(name, "")) for name in sorted(names) if name.startswith("?")}
        args = []
        for child, expected in zip(tree.children, symbol.arguments, strict=True):
            term, type_ = self.term(child)
            self.unify(type_, substitute(expected, renaming))
            args.append(term)
        return apply(substitute(symbol.template, renaming), args), substitute(symbol.result, renaming)

    def _open(self, type_: Term) -> Term:
        """The type with a fresh variable for each occurrence of the atom type."""
        match type_:
            case Var("A"):
                return self.fresh()
            case App(fn, args):
                return App(fn, tuple(self._open(arg) for arg in args))
            case Bind(kind, name, argument, body, info):
                return Bind(kind, name, self._open(argument), self._open(body), info)
        return type_


def _letter(type_: Term) -> str:
    if isinstance(type_, Bind):
        return "f"
    return "xs" if isinstance(type_, App) else "x"


def goal_of(conjecture: Conjecture) -> Goal | None:
    """The conjecture as a goal with its most general types."""
    typing = _Typing()
    try:
        left, left_type = typing.term(conjecture.left)
        right, right_type = typing.term(conjecture.right)
        typing.unify(left_type, right_type)
        premise: Term | None = None
        if conjecture.premise is not None:
            atom, wanted = conjecture.premise
            term, type_ = typing.term(atom)
            typing.unify(type_, Const("Bool"))
            premise = App(Const("Eq"), (Const("Bool"), term, Const("Bool.true" if wanted else "Bool.false")))
    except _Clash:
        return None
    names: dict[str, Term] = {}

    def close(term: Term) -> Term:
        term = _resolve_inside(term, typing)
        return substitute(term, names)

    facts = [left_type, *(t for _, t in typing.variables.values())]
    open_ones: list[str] = []
    for term in (*facts, left, right, *([premise] if premise else [])):
        for name in sorted(free(_resolve_inside(term, typing))):
            if name.startswith("?") and name not in open_ones:
                open_ones.append(name)
    for number, name in enumerate(open_ones):
        names[name] = Var("abcdefgh"[number] if number < 8 else f"a{number}")
    context: list[Hypothesis] = []
    for number, name in enumerate(open_ones):
        sort = typing.sorts.get(name, "Type")
        kind = sort.split()[0]
        context.append(
            Hypothesis(show(names[name]), Sort(sort if sort in ("Type", "Type 1") else f"{kind} u_{number + 1}"))
        )
    used = free(left) | free(right) | (free(premise) if premise else frozenset())
    context += [Hypothesis(name, close(type_)) for name, type_ in typing.variables.values() if name in used]
    if premise is not None and conjecture.both:
        equation = App(Const("Eq"), (close(left_type), close(left), close(right)))
        return Goal(tuple(context), App(Const("Iff"), (close(premise), equation)))
    if premise is not None:
        context.append(Hypothesis("h", close(premise)))
    return Goal(tuple(context), App(Const("Eq"), (close(left_type), close(left), close(right))))


def _resolve_inside(term: Term, typing: _Typing) -> Term:
    match term:
        case Var(_):
            return typing.resolve(term)
        case App(fn, args):
            return apply(_resolve_inside(fn, typing), [_resolve_inside(arg, typing) for arg in args])
        case Bind(kind, name, type_, body, info):
            return Bind(kind, name, _resolve_inside(type_, typing), _resolve_inside(body, typing), info)
    return term
