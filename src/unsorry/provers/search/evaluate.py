"""Run terms on small values, from the equations that Lean gives for the functions.

Only a filter: a conjecture that fails here is not tried, one that passes must still be proved in Lean.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from unsorry.provers.search.operations import SPECIAL, Code, Env, Unsupported, Value, truth
from unsorry.provers.search.syntax import App, Bind, Const, Lit, Sort, Term, Var, free, show, substitute
from unsorry.provers.search.theory import Theory

FUEL = 3000  # function calls for one evaluation


@dataclass(frozen=True, slots=True)
class Table:
    """A pseudo-random function: equal arguments give equal results."""

    seed: int
    results: tuple[Value, ...]

    def __call__(self, argument: Value) -> Value:
        if not self.results:
            raise Unsupported
        return self.results[random.Random(f"{self.seed}:{argument!r}").randrange(len(self.results))]  # noqa: S311

    def __repr__(self) -> str:
        return f"f{self.seed}"


class Evaluator:
    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.fuel = 0
        self.memo: dict[tuple[str, tuple[Value, ...]], Value] = {}
        self.pools: dict[tuple[Term, int, int, int], list[Value]] = {}
        self.compiled: dict[str, list[tuple[list[Matcher], Code]]] = {}

    def run(self, code: Code, env: Env) -> Value:
        """Evaluate; raises Unsupported also when it takes too long."""
        self.fuel = FUEL
        try:
            return code(env)
        except (RecursionError, KeyError, TypeError, IndexError, ValueError, OverflowError, AttributeError):
            raise Unsupported from None

    def call(self, name: str, args: tuple[Value, ...]) -> Value:
        """Apply a defined function to all its (unerased) arguments."""
        self.fuel -= 1
        if self.fuel < 0:
            raise Unsupported
        key = (name, args)
        if key in self.memo:
            return self.memo[key]
        for matchers, code in self._equations(name):
            env: Env = {}
            if all(matcher(value, env) for matcher, value in zip(matchers, args, strict=False)):
                result = code(env)
                for extra in args[len(matchers) :]:
                    result = result(extra)
                if len(self.memo) < 400_000:
                    self.memo[key] = result
                return result
        raise Unsupported

    def _equations(self, name: str) -> list[tuple[list[Matcher], Code]]:
        known = self.compiled.get(name)
        if known is None:
            function = self.theory.functions.get(name)
            if function is None:
                raise Unsupported
            erased = self.theory.erased(name)
            known = []
            for equation in function.equations:
                kept = [arg for arg, gone in zip(equation.arguments, erased, strict=False) if not gone]
                known.append(([self._matcher(arg) for arg in kept], self.compile(equation.rhs)))
            self.compiled[name] = known  # only when whole: what is unknown now may be learned later
        return known

    def _matcher(self, pattern: Term) -> Matcher:
        match pattern:
            case Var(name):

                def bind(value: Value, env: Env) -> bool:
                    env[name] = value
                    return True

                return bind
            case App(Const("Nat.succ"), (inner,)):
                return _successor(self._matcher(inner), 1)
            case App(Const("HAdd.hAdd"), (Const("Nat"), _, _, _, inner, amount)):
                number = self.compile(amount)({})
                return _successor(self._matcher(inner), number)
            case App(Const("OfNat.ofNat"), (_, Lit(text), _)):
                literal = int(text)
                return lambda value, env: bool(value == literal)
            case Const("Nat.zero"):
                return lambda value, env: bool(value == 0)
            case Const("Bool.true"):
                return lambda value, env: value is True
            case Const("Bool.false"):
                return lambda value, env: value is False
            case Const("Int.ofNat") | App(Const("Int.ofNat"), _):
                assert isinstance(pattern, App)
                below = self._matcher(pattern.args[0])
                return lambda value, env: value >= 0 and below(value, env)
            case App(Const("Int.negSucc"), (inner,)):
                below_zero = self._matcher(inner)
                return lambda value, env: value < 0 and below_zero(-value - 1, env)
            case Const(name) if name in self.theory.constructors:
                return lambda value, env: bool(value == (name,))
            case App(Const(name), args) if name in self.theory.constructors:
                datatype, _ = self.theory.constructors[name]
                fields = [self._matcher(arg) for arg in args[len(datatype.parameters) :]]

                def take_apart(value: Value, env: Env) -> bool:
                    return value[0] == name and all(m(v, env) for m, v in zip(fields, value[1:], strict=True))

                return take_apart
        raise Unsupported

    def compile(self, term: Term) -> Code:
        """A closure from an environment of locals to the value."""
        match term:
            case Var(name):
                return lambda env: env[name]
            case Lit(text, _):
                if text.lstrip("-").isdigit():
                    number = int(text)
                    return lambda env: number
                return lambda env: text
            case Const(name):
                return self._application(name, ())
            case App(Const(name), args):
                return self._application(name, args)
            case App(fn, args):
                function = self.compile(fn)
                codes = [self.compile(arg) for arg in args]

                def apply_all(env: Env) -> Value:
                    result = function(env)
                    for code in codes:
                        result = result(code(env))
                    return result

                return apply_all
            case Bind("fun", name, _, body):
                inner = self.compile(body)
                return lambda env: lambda value: inner({**env, name: value})
            case Bind("pi", name, type_, body):
                if name != "_" and name in free(body):
                    raise Unsupported
                premise, conclusion = self.compile(type_), self.compile(body)
                return lambda env: not truth(premise(env)) or truth(conclusion(env))
        raise Unsupported

    def _application(self, name: str, args: tuple[Term, ...]) -> Code:
        special = SPECIAL.get(name)
        if special is not None and len(args) >= special[0]:
            code = special[1](self, args)
            return self._apply_rest(code, args[special[2] :])
        if name in self.theory.constructors and name not in ("Nat.succ", "Nat.zero"):
            datatype, index = self.theory.constructors[name]
            total = len(datatype.constructors[index].fields)
            codes = [self.compile(arg) for arg in args[len(datatype.parameters) :]]
            if len(codes) == total:
                return lambda env: (name, *[code(env) for code in codes])
            return lambda env: _curry(lambda *values: (name, *values), total, tuple(code(env) for code in codes))
        if name not in self.theory.functions:
            raise Unsupported
        erased = self.theory.erased(name)
        total = sum(not gone for gone in erased)
        kept = [self.compile(arg) for arg, gone in zip(args, erased, strict=False) if not gone]
        extra = [self.compile(arg) for arg in args[len(erased) :]]
        call = self.call
        if len(kept) == total:

            def full(env: Env) -> Value:
                result = call(name, tuple([code(env) for code in kept]))
                for code in extra:
                    result = result(code(env))
                return result

            return full
        return lambda env: _curry(lambda *values: call(name, values), total, tuple(code(env) for code in kept))

    def _apply_rest(self, code: Code, rest: tuple[Term, ...]) -> Code:
        if not rest:
            return code
        codes = [self.compile(arg) for arg in rest]

        def applied(env: Env) -> Value:
            result = code(env)
            for argument in codes:
                result = result(argument(env))
            return result

        return applied

    def values(self, type_: Term, limit: int, seed: int = 0, depth: int = 6) -> list[Value]:
        """Up to `limit` values of a type: the smallest, then random ones; empty if the type is not covered."""
        key = (type_, limit, seed, depth)
        known = self.pools.get(key)
        if known is None:
            known = list(itertools.islice(self._values(type_, seed, depth), limit))
            if limit >= 20 and len(known) == limit:
                rng = random.Random(f"{seed}{show(type_)}")  # noqa: S311
                larger = [value for _ in range(limit) if (value := self._random(type_, rng, 5)) is not None]
                known = list(dict.fromkeys([*known[: limit // 2], *larger]))[:limit]
            self.pools[key] = known
        return known

    def _random(self, type_: Term, rng: random.Random, depth: int) -> Value | None:
        """A random value, None where the type does not allow one."""
        datatype = self.theory.is_data(type_)
        if datatype is None or (isinstance(type_, Const) and type_.name in ("Nat", "Int", "Bool")):
            pool = self.values(type_, 8)
            return rng.choice(pool) if pool else None
        parameters = dict(zip(datatype.parameters, type_.args if isinstance(type_, App) else (), strict=False))
        choices = [c for c in datatype.constructors if any(c.recursive)] if depth > 0 and rng.random() < 0.75 else []
        choices = choices or [c for c in datatype.constructors if not any(c.recursive)]
        if not choices:
            return None
        constructor = rng.choice(choices)
        fields: list[Value] = []
        for field, recursive in zip(constructor.fields, constructor.recursive, strict=True):
            field_type = substitute(field, dict(parameters))
            shrunk = depth - 1 if sum(constructor.recursive) < 2 else depth // 2
            value = self._random(field_type, rng, shrunk if recursive else min(depth, 3))
            if value is None:
                return None
            fields.append(value)
        return (constructor.name, *fields)

    def _values(self, type_: Term, seed: int, depth: int) -> Iterator[Value]:
        match type_:
            case Const("Nat"):
                yield from range(8)
                return
            case Const("Int"):
                yield from (0, 1, -1, 2, -2, 3, -3)
                return
            case Const("Bool"):
                yield from (False, True)
                return
            case Sort("Prop"):
                yield from (False, True)
                return
            case Var(_):
                yield from (("#", n) for n in range(3))
                return
            case Bind("pi", _, _, result):
                results = tuple(self.values(result, 4, seed, depth))
                if results:
                    yield from (Table(seed + n, results) for n in range(4))
                return
        datatype = self.theory.is_data(type_)
        if datatype is None or depth < 0:
            return
        args = type_.args if isinstance(type_, App) else ()
        parameters = dict(zip(datatype.parameters, args, strict=False))
        seen: set[Value] = set()
        for level in range(depth + 1):
            for value in self._level(datatype, parameters, level, seed):
                if value not in seen:
                    seen.add(value)
                    yield value
                    if len(seen) > 400:
                        return

    def _level(self, datatype: Any, parameters: Mapping[str, Term], level: int, seed: int) -> Iterator[Value]:
        """Values whose nesting is at most `level`, fields of small values only."""
        for constructor in datatype.constructors:
            if any(constructor.recursive) and level == 0:
                continue
            pools = []
            for field, recursive in zip(constructor.fields, constructor.recursive, strict=True):
                field_type = substitute(field, dict(parameters))
                if recursive:
                    if self.theory.is_data(field_type) is datatype:
                        pools.append(list(itertools.islice(self._level(datatype, parameters, level - 1, seed), 40)))
                    else:
                        pools.append(self.values(field_type, 4, seed, level - 1))
                else:
                    pools.append(self.values(field_type, 3, seed, 2))
            for fields in itertools.product(*pools):
                yield (constructor.name, *fields)


Matcher = Callable[[Value, Env], bool]


def _successor(inner: Matcher, amount: int) -> Matcher:
    return lambda value, env: value >= amount and inner(value - amount, env)


def _curry(function: Callable[..., Value], total: int, given: tuple[Value, ...]) -> Value:
    if len(given) == total:
        return function(*given)
    return lambda value: _curry(function, total, (*given, value))
