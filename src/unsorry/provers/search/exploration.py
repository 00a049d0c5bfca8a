"""Theory exploration: enumerate terms over the problem's functions, group them by their values, and conjecture
that terms with equal values are equal (as QuickSpec does)."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unsorry.provers.search.clock import COMPARED, EXPLORED, Clock
from unsorry.provers.search.evaluate import Evaluator
from unsorry.provers.search.operations import Code, Unsupported, Value
from unsorry.provers.search.symbols import Conjecture, Instance, Symbol, Tree, ground, instances_of
from unsorry.provers.search.syntax import Bind, Const, Term, Var, apply
from unsorry.provers.search.theory import Theory

SAMPLES = 48
VARIABLES = {"data": 3, "function": 1}


@dataclass
class Explorer:
    """Enumerates level by level; `level(n)` yields the conjectures whose larger side has size n."""

    theory: Theory
    evaluator: Evaluator
    symbols: list[Symbol]
    seed: int = 0
    clock: Clock = field(default_factory=lambda: Clock.until(math.inf))
    deadline: float = float("inf")
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
        rng = random.Random(self.seed)  # noqa: S311  (samples, no secrets)
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

    def begin(self, seconds: float) -> None:
        """A new piece of work, of so many seconds; where effort is counted, of a tenth of it."""
        clock = self.clock
        seconds = clock.left(seconds)
        self.deadline = clock.now() + (clock.share(0.1) if clock.budget else seconds)

    def late(self) -> bool:
        return self.clock.now() > self.deadline

    def level(self, size: int) -> list[Conjecture]:
        """All conjectures with a new term of this size on the left."""
        found: list[Conjecture] = []
        self.terms.setdefault(size, [])
        for instance in self.instances:
            symbol = instance.symbol
            if not symbol.arguments:
                continue
            for children in self._arguments(instance, size - 1):
                if self.count >= self.limit or self.late():
                    return found
                self.count += 1
                self.clock.spend(EXPLORED)
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
            pools = [
                [t for t in self.terms.get(s, ()) if t.type == type_] for s, type_ in zip(sizes, types, strict=True)
            ]
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

    _codes: dict[Term, Code | None] = field(default_factory=dict)

    def _code(self, symbol: Symbol) -> Code | None:
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
        """Facts about predicates p on variables: `p = b ↔ x = t`, and `p = b → l = r` for l and r that differ."""
        atoms = [
            t
            for t in self._up_to(4)
            if t.type == Const("Bool")
            and t.symbol is not None
            and t.children
            and all(c.symbol is None for c in t.children)
            and len(set(t.children)) == len(t.children)
        ]
        terms = [t for t in self._up_to(largest) if not isinstance(t.type, Bind)]
        for atom in atoms:
            bits = self.vectors[atom]
            inside = set(atom.variables())
            mine = [t for t in terms if set(t.variables()) <= inside and t != atom]
            for left in mine:
                self.clock.spend(COMPARED * len(mine))
                if self.late():
                    return
                for right in mine:
                    if (
                        left.symbol is not None
                        or left == right
                        or left.type != right.type
                        or left.type == Const("Bool")
                    ):
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
                    self.clock.spend(COMPARED)
                    if self.late():
                        return
                    vector = self.vectors[term]
                    known = seen.setdefault((term.type, tuple(vector[i] for i in rows)), term)
                    if (
                        known is term
                        or term.symbol is None
                        or term.symbol.constructor
                        or not set(term.variables()) >= inside
                    ):
                        continue
                    if all(c.symbol is None for c in term.children):
                        yield Conjecture(term, known, (atom, wanted))

    def schemas(self, largest: int) -> Iterator[Conjecture]:
        """`f (g x y) = h (f x) (f y)`, the other arguments of the second `f` replaced by small terms."""
        binary = [
            i
            for i in self.instances
            if len(i.arguments) == 2 and i.arguments[0] == i.arguments[1] == i.result and not i.symbol.constructor
        ]
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

    def _schema(
        self,
        outer: Instance,
        place: int,
        inner: Instance,
        binary: Sequence[Instance],
        variables: list[Tree],
        largest: int,
    ) -> Iterator[Conjecture]:
        x = variables[place]
        others = [t for t in self.terms.get(1, ()) if t.symbol is None and t.type == x.type and t not in variables]
        if not others:
            return
        y = others[0]
        left = self._build(outer, [*variables[:place], self._build(inner, [x, y]), *variables[place + 1 :]])
        first = self._build(outer, variables)
        if left is None or first is None:
            return
        allowed = {*variables, y}
        choices = [
            [variables[i]] if i == place or isinstance(t, Bind) else self._replacements(t, allowed, largest)
            for i, t in enumerate(outer.arguments)
        ]
        for combination in _product(choices):
            self.clock.spend(COMPARED)
            if self.late():
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
            self.clock.spend(EXPLORED)
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
