"""Theory exploration: enumerate terms over the problem's functions, group them by their values, and conjecture
that terms with equal values are equal (as QuickSpec does)."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from unsorry.provers.search.evaluate import Evaluator, Unsupported, Value
from unsorry.provers.search.goals import Goal, Hypothesis, is_type
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
SAMPLES = 48
VARIABLES = {"data": 3, "function": 1}


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


def applied_symbols(theory: Theory, goal: Goal) -> list[Symbol]:
    """Overloaded operations as they occur in the goal, with types and instances fixed (`@HAdd.hAdd Nat Nat Nat _`)."""
    found: dict[Term, Symbol] = {}
    open_types: dict[str, Term] = {h.name: Var(f"?{h.name}") for h in goal.types}
    sorts = tuple((f"?{h.name}", show(h.type)) for h in goal.types)
    for term in (goal.conclusion, *(h.type for h in goal.propositions)):
        for part in subterms(term):
            symbol = _applied(part, theory, open_types, sorts)
            if symbol is not None:
                found.setdefault(symbol.template, symbol)
    if any(Const("Nat") in (*s.arguments, s.result) for s in found.values()):
        for digit in ("0", "1"):
            literal = App(Const("OfNat.ofNat"), (Const("Nat"), Lit(digit, True), App(Const("instOfNatNat"), (Lit(digit, True),))))
            found[literal] = Symbol(digit, literal, (), Const("Nat"), True)
    return list(found.values())


_LOGICAL = frozenset(("Eq", "Ne", "ite", "dite", "OfNat.ofNat", "Decidable.decide", "Nat.succ"))


def _applied(part: Term, theory: Theory, open_types: dict[str, Term], sorts: tuple[tuple[str, str], ...]) -> Symbol | None:
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
    data = tuple(substitute(t, values) for _, t, _ in binders[len(fixed):])
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
            choices = [{**choice, name: type_} for choice in choices for type_ in (ATOM, *(t for t in basic if t != ATOM))]
        for choice in choices[:60]:
            arguments = tuple(substitute(t, choice) for t in symbol.arguments)
            result = substitute(symbol.result, choice)
            if all(t in universe for t in (*arguments, result)):
                found.append(Instance(symbol, arguments, result))
    return found


def ground(type_: Term) -> Term:
    """Type variables replaced by the atom type."""
    return substitute(type_, {name: ATOM for name in free(type_)})


@dataclass
class Explorer:
    """Enumerates level by level; `level(n)` yields the conjectures whose larger side has size n."""

    theory: Theory
    evaluator: Evaluator
    symbols: list[Symbol]
    seed: int = 0
    deadline: float = 0.0
    limit: int = 6000
    levels: dict[str, int] = field(default_factory=dict)  # calls between a function and those that the goal names
    environments: list[dict[str, Value]] = field(default_factory=list)
    terms: dict[int, list[Tree]] = field(default_factory=dict)  # representatives by size
    vectors: dict[Tree, tuple[Value, ...]] = field(default_factory=dict)
    classes: dict[tuple[Term, tuple[Value, ...]], Tree] = field(default_factory=dict)
    instances: list[Instance] = field(default_factory=list)
    count: int = 0

    def prepare(self) -> None:
        """Variables, constants and sample environments."""
        self.symbols = [s for s in self.symbols if self._supported(s)]
        self.instances = instances_of(self.symbols)
        types: dict[Term, None] = {}
        for instance in self.instances:
            for type_ in (*instance.arguments, instance.result):
                types[type_] = None
        variables: list[Tree] = []
        pools: dict[Term, list[Value]] = {}
        for type_ in types:
            pool = self.evaluator.values(type_, 60, self.seed)
            if not pool or type_ == Const("Bool"):
                continue
            pools[type_] = pool
            amount = VARIABLES["function" if isinstance(type_, Bind) else "data"]
            variables += [Tree(None, (), type_, i) for i in range(amount)]
        rng = random.Random(self.seed)
        for _ in range(SAMPLES):
            env: dict[str, Value] = {}
            for variable in variables:
                pool = pools[variable.type]
                env[_key(variable)] = pool[min(int(rng.random() ** 1.3 * len(pool)), len(pool) - 1)]
            self.environments.append(env)
        self.terms[1] = []
        for variable in variables:
            self._enter(variable, tuple(env[_key(variable)] for env in self.environments))
        for value, name in ((True, "Bool.true"), (False, "Bool.false")):
            truth = Symbol(name, Const(name), (), Const("Bool"), True)
            self._enter(Tree(truth, (), Const("Bool"), 0, 0), (value,) * SAMPLES)
        for instance in self.instances:
            if not instance.arguments:
                tree = Tree(instance.symbol, (), instance.result)
                vector = self._vector(instance.symbol, ())
                if vector is not None:
                    self._enter(tree, vector)

    def _supported(self, symbol: Symbol) -> bool:
        if any(not self.evaluator.values(ground(t), 2, self.seed) for t in symbol.arguments):
            return False
        return not any(isinstance(t, Bind) and isinstance(t.type, Bind) for t in symbol.arguments)

    def level(self, size: int) -> list[Conjecture]:
        """All conjectures with a new term of this size on the left."""
        found: list[Conjecture] = []
        self.terms.setdefault(size, [])
        for instance in self.instances:
            symbol = instance.symbol
            if not symbol.arguments:
                continue
            for children in self._arguments(instance, size - 1):
                if self.count >= self.limit or time.monotonic() > self.deadline:
                    return found
                self.count += 1
                tree = Tree(symbol, children, instance.result, 0, size)
                vector = self._vector(symbol, tuple(self.vectors[child] for child in children))
                if vector is None:
                    continue
                known = self._enter(tree, vector)
                if known is not None:
                    found.append(Conjecture(tree, known))
        return found

    def _arguments(self, instance: Instance, total: int) -> Iterator[tuple[Tree, ...]]:
        types = instance.arguments
        for sizes in _compositions(total, len(types)):
            pools = [[t for t in self.terms.get(s, ()) if t.type == type_] for s, type_ in zip(sizes, types, strict=True)]
            if all(pools):
                yield from _product(pools)

    def _vector(self, symbol: Symbol, columns: tuple[tuple[Value, ...], ...]) -> tuple[Value, ...] | None:
        names = [f"x{i}" for i in range(len(columns))]
        code = self._code(symbol)
        if code is None:
            return None
        rows = zip(*columns, strict=True) if columns else [()] * SAMPLES
        values: list[Value] = []
        for row in rows:
            try:
                values.append(self.evaluator.run(code, dict(zip(names, row, strict=True))))
            except Unsupported:
                return None
        if any(callable(v) for v in values):
            return None
        return tuple(values)

    _codes: dict[Term, object] = field(default_factory=dict)

    def _code(self, symbol: Symbol):  # type: ignore[no-untyped-def]
        if symbol.template not in self._codes:
            try:
                term = apply(symbol.template, [Var(f"x{i}") for i in range(len(symbol.arguments))])
                self._codes[symbol.template] = self.evaluator.compile(term)
            except Unsupported:
                self._codes[symbol.template] = None
        return self._codes[symbol.template]

    def _enter(self, tree: Tree, vector: tuple[Value, ...]) -> Tree | None:
        """Record a term; the representative with the same values if there is one."""
        known = self.classes.get((tree.type, vector))
        if known is not None:
            return known
        self.classes[(tree.type, vector)] = tree
        self.vectors[tree] = vector
        self.terms.setdefault(tree.size, []).append(tree)
        return None

    def conditional(self, largest: int) -> Iterator[Conjecture]:
        """Facts about predicates p on variables: `p = b ↔ x = t`, and `p = b → l = r` where l and r differ without it."""
        atoms = [t for t in self._up_to(4) if t.type == Const("Bool") and t.symbol is not None and t.children
                 and all(c.symbol is None for c in t.children) and len(set(t.children)) == len(t.children)]
        terms = [t for t in self._up_to(largest) if not isinstance(t.type, Bind)]
        for atom in atoms:
            bits = self.vectors[atom]
            inside = set(atom.variables())
            mine = [t for t in terms if set(t.variables()) <= inside and t != atom]
            for left in mine:
                for right in mine:
                    if left.symbol is not None or left == right or left.type != right.type or left.type == Const("Bool"):
                        continue
                    equal = tuple(a == b for a, b in zip(self.vectors[left], self.vectors[right], strict=True))
                    for wanted in (True, False):
                        if equal == tuple(bit is wanted for bit in bits) and any(equal):
                            yield Conjecture(left, right, (atom, wanted), both=True)
            for wanted in (True, False):
                rows = [i for i, bit in enumerate(bits) if bit is wanted]
                if len(rows) < 6 or len(rows) == len(bits):
                    continue
                seen: dict[tuple[Term, tuple[Value, ...]], Tree] = {}
                for term in mine:
                    if time.monotonic() > self.deadline:
                        return
                    vector = self.vectors[term]
                    known = seen.setdefault((term.type, tuple(vector[i] for i in rows)), term)
                    if known is term or term.symbol is None or term.symbol.constructor or not set(term.variables()) >= inside:
                        continue
                    if all(c.symbol is None for c in term.children):
                        yield Conjecture(term, known, (atom, wanted))

    def schemas(self, largest: int) -> Iterator[Conjecture]:
        """`f (g x y) = h (f x) (f y)`, the other arguments of the second `f` replaced by small terms (`take`, `drop`)."""
        binary = [i for i in self.instances if len(i.arguments) == 2 and i.arguments[0] == i.arguments[1] == i.result
                  and not i.symbol.constructor]
        for outer in self.instances:
            if outer.symbol.constructor:
                continue
            variables = self._distinct(outer.arguments)
            for place, type_ in enumerate(outer.arguments):
                for inner in binary:
                    if inner.result == type_ and variables is not None and inner.symbol != outer.symbol:
                        yield from self._schema(outer, place, inner, binary, variables, largest)

    def _distinct(self, types: Sequence[Term]) -> list[Tree] | None:
        """A variable for each type, all different."""
        chosen: list[Tree] = []
        for type_ in types:
            pool = [t for t in self.terms.get(1, ()) if t.symbol is None and t.type == type_ and t not in chosen]
            if not pool:
                return None
            chosen.append(pool[0])
        return chosen

    def _schema(self, outer: Instance, place: int, inner: Instance, binary: Sequence[Instance], variables: list[Tree],
                largest: int) -> Iterator[Conjecture]:
        x = variables[place]
        others = [t for t in self.terms.get(1, ()) if t.symbol is None and t.type == x.type and t not in variables]
        if not others:
            return
        y = others[0]
        left = self._build(outer, [*variables[:place], self._build(inner, [x, y]), *variables[place + 1:]])
        first = self._build(outer, variables)
        if left is None or first is None:
            return
        allowed = {*variables, y}
        choices = [[variables[i]] if i == place or isinstance(t, Bind) else self._replacements(t, allowed, largest)
                   for i, t in enumerate(outer.arguments)]
        for combination in _product(choices):
            if time.monotonic() > self.deadline:
                return
            second = self._build(outer, [y if i == place else t for i, t in enumerate(combination)])
            for joining in binary:
                if joining.result != outer.result or second is None:
                    continue
                for a, b in ((first, second), (second, first)):
                    right = self._build(joining, [a, b])
                    if right is not None and right != left and self.vectors[right] == self.vectors[left]:
                        yield Conjecture(left, right, directed=True)

    def _replacements(self, type_: Term, allowed: set[Tree], largest: int) -> list[Tree]:
        return [t for t in self._up_to(largest) if t.type == type_ and set(t.variables()) <= allowed][:60]

    def _build(self, instance: Instance, children: Sequence[Tree | None]) -> Tree | None:
        """A term with its values, outside the classes."""
        if any(child is None for child in children):
            return None
        kept = tuple(child for child in children if child is not None)
        tree = Tree(instance.symbol, kept, instance.result, 0, 1 + sum(child.size for child in kept))
        if tree not in self.vectors:
            vector = self._vector(instance.symbol, tuple(self.vectors[child] for child in kept))
            if vector is None:
                return None
            self.vectors[tree] = vector
        return tree

    def depth_of(self, conjecture: Conjecture) -> int:
        """How far its functions are from those that the goal names."""
        names = conjecture.left.names() | conjecture.right.names()
        return max((self.levels.get(name, 0) for name in names), default=0)

    def _up_to(self, size: int) -> list[Tree]:
        return [t for s in sorted(self.terms) if s <= size for t in self.terms[s]]


def _key(variable: Tree) -> str:
    return f"{variable.type!r}{variable.index}"


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        if total >= 1:
            yield (total,)
        return
    for first in range(1, total - parts + 2):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def _product(pools: Sequence[Sequence[Tree]]) -> Iterator[tuple[Tree, ...]]:
    if not pools:
        yield ()
        return
    for first in pools[0]:
        for rest in _product(pools[1:]):
            yield (first, *rest)


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
        context.append(Hypothesis(show(names[name]), Sort(sort if sort in ("Type", "Type 1") else f"{kind} u_{number + 1}")))
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
