"""A tiny evaluator of TIP files, for tests: it shares no code with the importer it checks.

Values: int, bool, ("constructor", field, ...), Python functions.  Terms are read and run as nested lists.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

Term = Any
Value = Any


class Diverges(Exception):
    """More steps than allowed, or a constant without a value."""


def read(text: str) -> list[Term]:
    tokens = re.findall(r"\|[^|]*\||[()]|[^\s()|]+", re.sub(r";[^\n]*", "", text))
    stack: list[list[Term]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token.strip("|"))
    return stack[0]


def without_par(term: Term) -> tuple[list[str], Term]:
    return (term[1], term[2]) if isinstance(term, list) and term and term[0] == "par" else ([], term)


class Program:
    """Datatypes and functions of one file.  `datatypes` maps names to (parameters, [(constructor, field sorts)])."""

    def __init__(self, text: str, fuel: int = 20_000) -> None:
        self.datatypes: dict[str, tuple[list[str], list[tuple[str, list[Term]]]]] = {}
        self.constructors: dict[str, int] = {}
        self.selectors: dict[str, int] = {}
        self.functions: dict[str, tuple[list[str], list[Term], Term, Term]] = {}  # arguments, sorts, result, body
        self.variables: dict[str, list[str]] = {}
        self.goals: list[tuple[list[str], Term]] = []
        self.fuel, self.left = fuel, 0
        for form in read(text):
            getattr(self, "on_" + form[0].replace("-", "_"), lambda _: None)(form)

    def on_declare_datatype(self, form: Term) -> None:
        params, body = without_par(form[2])
        self.add(form[1], params, body)

    def on_declare_datatypes(self, form: Term) -> None:
        for (name, _), body in zip(form[1], form[2], strict=True):
            self.add(name, *without_par(body))

    def add(self, name: str, params: list[str], body: Term) -> None:
        self.datatypes[name] = (params, [(c[0], [f[1] for f in c[1:]]) for c in body])
        for constructor in body:
            self.constructors[constructor[0]] = len(constructor) - 1
            self.selectors |= {f[0]: i for i, f in enumerate(constructor[1:], 1)}

    def on_define_fun(self, form: Term) -> None:
        if len(form) == 4:
            params, (args, result, body) = without_par(form[2])[0], (*without_par(form[2])[1], form[3])
        else:
            params, (args, result, body) = [], form[2:]
        self.define(form[1], params, args, result, body)

    on_define_fun_rec = on_define_fun

    def on_define_funs_rec(self, form: Term) -> None:
        for head, body in zip(form[1], form[2], strict=True):
            params, signature = without_par(head[1]) if len(head) == 2 else ([], head[1:])
            self.define(head[0], params, signature[0], signature[1], body)

    def define(self, name: str, params: list[str], args: Term, result: Term, body: Term) -> None:
        self.functions[name] = ([a[0] for a in args], [a[1] for a in args], result, body)
        self.variables[name] = params

    def on_prove(self, form: Term) -> None:
        self.goals.append(without_par(form[1]))

    def call(self, name: str, *args: Value) -> Value:
        """The value of a function; raises Diverges."""
        self.left = self.fuel
        try:
            return self.apply(name, list(args))
        except RecursionError:
            raise Diverges from None

    def truth(self, term: Term, env: dict[str, Value]) -> Value:
        self.left = self.fuel
        try:
            return self.run(term, env)
        except RecursionError:
            raise Diverges from None

    def apply(self, name: str, args: list[Value]) -> Value:
        self.left -= 1
        if self.left < 0:
            raise Diverges
        if name in self.functions:
            names, _, _, body = self.functions[name]
            return self.run(body, dict(zip(names, args, strict=True)))
        if name in self.selectors and name not in self.constructors:
            return args[0][self.selectors[name]]
        if name.startswith("is-"):
            return args[0][0] == name[3:]
        if name not in self.constructors:
            raise Diverges  # declared without a value
        return (name, *args)

    def run(self, term: Term, env: dict[str, Value]) -> Value:
        if isinstance(term, str):
            if term in env:
                return env[term]
            if term in ("true", "false") and term not in self.constructors:
                return term == "true"
            return int(term) if re.fullmatch(r"\d+", term) else self.apply(term, [])
        head, *rest = term
        if isinstance(head, list) and head[1] == "is":
            return self.run(rest[0], env)[0] == head[2]
        if isinstance(head, list):
            return self.apply(head[1], [self.run(t, env) for t in rest])
        if head in ("_", "as") and head not in self.functions:
            return self.apply(rest[0], [])
        special: Callable[[list[Term], dict[str, Value]], Value] | None = getattr(
            self, f"do_{NAMES.get(head, '')}", None
        )
        if special is not None and head not in self.functions and head not in self.constructors:
            return special(rest, env)
        if head in OPERATIONS and head not in self.functions and head not in self.constructors:
            return OPERATIONS[head](*[self.run(t, env) for t in rest])
        return self.apply(head, [self.run(t, env) for t in rest])

    def do_ite(self, rest: list[Term], env: dict[str, Value]) -> Value:
        return self.run(rest[1] if self.run(rest[0], env) else rest[2], env)

    def do_and(self, rest: list[Term], env: dict[str, Value]) -> Value:
        return all(self.run(t, env) for t in rest)

    def do_or(self, rest: list[Term], env: dict[str, Value]) -> Value:
        return any(self.run(t, env) for t in rest)

    def do_imp(self, rest: list[Term], env: dict[str, Value]) -> Value:
        return not all(self.run(t, env) for t in rest[:-1]) or self.run(rest[-1], env)

    def do_let(self, rest: list[Term], env: dict[str, Value]) -> Value:
        # By name, as a pure language may: an unused binding must not make the test diverge.
        return self.run(rest[1], env | {name: self.run(value, env) for name, value in rest[0]})

    def do_lambda(self, rest: list[Term], env: dict[str, Value]) -> Value:
        names = [b[0] for b in rest[0]]
        return curried(len(names), lambda args: self.run(rest[1], env | dict(zip(names, args, strict=True))))

    def do_at(self, rest: list[Term], env: dict[str, Value]) -> Value:
        value = self.run(rest[0], env)
        for argument in rest[1:]:
            value = value(self.run(argument, env))
        return value

    def do_match(self, rest: list[Term], env: dict[str, Value]) -> Value:
        value = self.run(rest[0], env)
        for pattern, body in rest[1]:
            parts = pattern if isinstance(pattern, list) else [pattern]
            if parts[0] not in self.constructors:
                return self.run(body, env | ({} if parts[0] == "_" else {parts[0]: value}))
            if value[0] == parts[0]:
                return self.run(body, env | dict(zip(parts[1:], value[1:], strict=True)))
        raise AssertionError(f"no case for {value}")

    def values(self, sort: Term, mapping: dict[str, Term], depth: int) -> list[tuple[Value, Term]]:
        """Small values of a sort; type variables stand for what `mapping` says."""
        return list(itertools.islice(self._values(sort, mapping, depth), 12))

    def _values(self, sort: Term, mapping: dict[str, Term], depth: int) -> Iterator[Value]:
        if isinstance(sort, str) and sort in mapping:
            sort = mapping[sort]
        if sort == "Int":
            yield from (0, 1, 3, 2, -1)
        elif sort == "Bool":
            yield from (True, False)
        elif isinstance(sort, list) and sort[0] == "=>":
            for value in self.values(sort[-1], mapping, depth - 1)[:2]:
                yield curried(len(sort) - 2, lambda _, value=value: value)
        else:
            name, args = (sort[0], sort[1:]) if isinstance(sort, list) else (sort, [])
            params, constructors = self.datatypes[name]
            inner = {p: resolve(a, mapping) for p, a in zip(params, args, strict=True)}
            for constructor, fields in sorted(constructors, key=lambda c: len(c[1])):
                if depth > 0 or not fields:
                    pools = [self.values(f, inner, depth - 1) for f in fields]
                    yield from ((constructor, *v) for v in itertools.islice(mixed(pools), 5))


def mixed(pools: list[list[Value]]) -> Iterator[tuple[Value, ...]]:
    """Combinations that vary all positions early."""
    if all(pools):
        for i in range(max(map(len, pools), default=1)):
            yield tuple(p[(i * (k + 1) + k) % len(p)] for k, p in enumerate(pools))


def resolve(sort: Term, mapping: dict[str, Term]) -> Term:
    return [resolve(s, mapping) for s in sort] if isinstance(sort, list) else mapping.get(sort, sort)


def curried(count: int, body: Callable[[list[Value]], Value]) -> Value:
    def take(done: list[Value]) -> Value:
        return body(done) if len(done) == count else lambda x: take([*done, x])

    return take([])


def euclidean(a: int, b: int) -> tuple[int, int]:
    r = a % abs(b)
    return (a - r) // b, r


NAMES = {
    "ite": "ite",
    "and": "and",
    "or": "or",
    "=>": "imp",
    "let": "let",
    "lambda": "lambda",
    "@": "at",
    "match": "match",
}
OPERATIONS: dict[str, Callable[..., Value]] = {
    "not": lambda a: not a,
    "xor": lambda a, b: a != b,
    "=": lambda *a: all(x == y for x, y in itertools.pairwise(a)),
    "distinct": lambda *a: all(x != y for x, y in itertools.combinations(a, 2)),
    "+": lambda *a: sum(a),
    "-": lambda a, *b: a - sum(b) if b else -a,
    "*": lambda a, *b: a * (b[0] if len(b) == 1 else OPERATIONS["*"](*b)),
    "div": lambda a, b: euclidean(a, b)[0],
    "mod": lambda a, b: euclidean(a, b)[1],
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}  # fmt: skip
