"""Lean terms as Lean prints them under the options `PRINTING`: explicit, without notation, and readable again.

Goal states and signatures come from Lean as text.  Under these options the text is an applicative language small
enough to parse exactly, and Lean elaborates it back to the same term.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

PRINTING = """\
set_option pp.explicit true
set_option pp.fullNames true
set_option pp.notation false
set_option pp.match false
set_option pp.fieldNotation false
set_option pp.coercions false
set_option pp.funBinderTypes true
set_option pp.piBinderTypes true
set_option pp.deepTerms true
set_option pp.maxSteps 100000
set_option pp.proofs true
set_option pp.beta false
set_option pp.structureInstances false
set_option pp.unicode.fun false
set_option format.width 1000000
"""


class ParseFailure(Exception):
    """The text is outside the printed language; the caller goes without a structured view of it."""


class _Cached:
    """Nodes hash once; terms are compared and looked up far more often than they are built."""

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined,no-any-return]


@dataclass(frozen=True)
class Const(_Cached):
    name: str

    @cached_property
    def _hash(self) -> int:
        return hash(("c", self.name))

    __hash__ = _Cached.__hash__


@dataclass(frozen=True)
class Var(_Cached):
    """A local: a hypothesis, a bound variable."""

    name: str

    @cached_property
    def _hash(self) -> int:
        return hash(("v", self.name))

    __hash__ = _Cached.__hash__


@dataclass(frozen=True)
class Sort(_Cached):
    """`Prop`, `Type u`, `Sort (max 1 u)`: kept as text."""

    text: str

    @cached_property
    def _hash(self) -> int:
        return hash(("s", self.text))

    __hash__ = _Cached.__hash__


@dataclass(frozen=True)
class Lit(_Cached):
    """A raw natural number (`raw`) or any other literal, kept as text."""

    text: str
    raw: bool = False

    @cached_property
    def _hash(self) -> int:
        return hash(("l", self.text))

    __hash__ = _Cached.__hash__


@dataclass(frozen=True)
class App(_Cached):
    fn: Term
    args: tuple[Term, ...]

    @cached_property
    def _hash(self) -> int:
        return hash((self.fn, self.args))

    __hash__ = _Cached.__hash__


@dataclass(frozen=True)
class Bind(_Cached):
    """`kind` is "fun" or "pi"; `info` is the opening bracket of the binder."""

    kind: str
    name: str
    type: Term
    body: Term
    info: str = "("

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.name, self.type, self.body))

    __hash__ = _Cached.__hash__


Term: TypeAlias = Const | Var | Sort | Lit | App | Bind

_CLOSING = {"(": ")", "{": "}", "[": "]", "⦃": "⦄"}
_TOKEN = re.compile(
    r"""\s*(?:(?P<str>"(?:[^"\\]|\\.)*")|(?P<chr>'(?:[^'\\]|\\.[^']*)')|(?P<sym>=>|:=|→|∀|[(){}\[\]⦃⦄:,@;])"""
    r"""|(?P<name>(?:«[^»]*»|[^\W\d]|[?_])(?:«[^»]*»|[\w'!?✝¹²³⁴⁵⁶⁷⁸⁹⁰.])*(?:\.\{[^}]*\})?)|(?P<num>-?\d+(?:\.\d+)?)|(?P<op>[^\s\w()]))""",
    re.UNICODE,
)


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.end() == position:
            raise ParseFailure(f"cannot read a printed term at {text[position : position + 20]!r}")
        if match.group("op"):
            raise ParseFailure(f"notation in a printed term: {match.group('op')!r}")
        tokens.append(match.group(0).strip())
        position = match.end()
    return tokens


class _Parser:
    def __init__(self, text: str, scope: Iterable[str]) -> None:
        self.tokens = _tokens(text)
        self.at = 0
        self.scope: list[str] = list(scope)

    def peek(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        if not token:
            raise ParseFailure("a printed term ends early")
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        if self.next() != token:
            raise ParseFailure(f"expected {token!r}")

    def binder_group(self) -> bool:
        """Is the next bracket a binder group `(x y : T)` rather than a term?"""
        if self.peek() not in _CLOSING:
            return False
        ahead = 1
        while self.peek(ahead) and _is_name(self.peek(ahead)):
            ahead += 1
        return ahead > 1 and self.peek(ahead) == ":"

    def binders(self) -> list[tuple[str, list[str], Term]]:
        groups = []
        while self.peek() in _CLOSING:
            groups.append(self.one_group())
        return groups

    def one_group(self) -> tuple[str, list[str], Term]:
        opening = self.next()
        names = []
        if opening == "[" and self.peek(1) != ":":
            names.append("inst✝")
        else:
            while self.peek() != ":":
                names.append(self.next())
            self.next()
        type_ = self.term()
        self.expect(_CLOSING[opening])
        self.scope.extend(names)
        return opening, names, type_

    def quantified(self, kind: str, stop: str) -> Term:
        depth = len(self.scope)
        groups = self.binders()
        if not groups:
            names = []
            while self.peek() not in (stop, ":"):
                names.append(self.next())
            if self.peek() != ":":
                raise ParseFailure("a binder without a type")
            self.next()
            groups = [("(", names, self.term())]
            self.scope.extend(names)
        self.expect(stop)
        return self.close(kind, groups, depth)

    def close(self, kind: str, groups: list[tuple[str, list[str], Term]], depth: int) -> Term:
        body = self.term()
        del self.scope[depth:]
        for opening, names, type_ in reversed(groups):
            for name in reversed(names):
                body = Bind(kind, name, type_, body, opening)
        return body

    def term(self) -> Term:
        token = self.peek()
        if token == "fun":
            self.next()
            return self.quantified("fun", "=>")
        if token == "∀":
            self.next()
            return self.quantified("pi", ",")
        if self.binder_group():
            depth = len(self.scope)
            group = self.one_group()
            self.expect("→")
            return self.close("pi", [group], depth)
        left = self.application()
        if self.peek() == "→":
            self.next()
            return Bind("pi", "_", left, self.term())
        return left

    def application(self) -> Term:
        head = self.atom()
        args = []
        while self.peek() and self.peek() not in (")", "}", "]", "⦄", ",", "→", ":", "=>", ":="):
            args.append(self.atom())
        return apply(head, args)

    def atom(self) -> Term:
        token = self.next()
        if token == "(":
            inner = self.term()
            if self.peek() == ":":
                raise ParseFailure("a type ascription")
            self.expect(")")
            return inner
        if token == "@":
            token = self.next()
        if token in ("Type", "Sort"):
            return Sort(f"{token} {self.level()}".strip())
        if token == "Prop":
            return Sort("Prop")
        if token == "nat_lit":
            return Lit(self.next(), raw=True)
        if token == "fun":
            self.at -= 1
            return self.term()
        if token[0].isdigit() or token[0] in "\"'-":
            return Lit(token)
        if token in ("let", "have", "match", "show", "if", "do") or not _is_name(token):
            raise ParseFailure(f"unexpected {token!r} in a printed term")
        return Var(token) if token in self.scope else Const(token)

    def level(self) -> str:
        token = self.peek()
        if token == "(":
            depth, parts = 0, []
            while True:
                part = self.next()
                parts.append(part)
                depth += (part == "(") - (part == ")")
                if depth == 0:
                    return " ".join(parts)
        if token and (_is_name(token) or token[0].isdigit()):
            return self.next()
        return ""


def _is_name(token: str) -> bool:
    return bool(token) and (token[0].isalpha() or token[0] in "_«?") and token not in ("fun",)


def parse(text: str, scope: Iterable[str] = ()) -> Term:
    """The term that Lean printed; names in `scope` are locals, all others constants.  Raises ParseFailure."""
    parser = _Parser(text, scope)
    term = parser.term()
    if parser.peek():
        raise ParseFailure(f"unexpected {parser.peek()!r} after a printed term")
    return term


def apply(fn: Term, args: Iterable[Term]) -> Term:
    """Application, flattened: the head of an App is never an App."""
    arguments = tuple(args)
    if not arguments:
        return fn
    if isinstance(fn, App):
        return App(fn.fn, fn.args + arguments)
    return App(fn, arguments)


def show(term: Term, atomic: bool = False) -> str:
    """Lean text that elaborates to `term`."""
    match term:
        case Const(name):
            return f"@{name}"
        case Var(name):
            return name
        case Sort(text):
            return f"({text})" if atomic and " " in text else text
        case Lit(text, raw):
            return f"(nat_lit {text})" if raw else text
        case App(fn, args):
            body = " ".join([show(fn, True), *(show(arg, True) for arg in args)])
        case Bind("fun", name, type_, inner):
            body = f"fun ({name} : {show(type_)}) => {show(inner)}"
        case Bind(_, "_", type_, inner):
            body = f"{show(type_, True)} → {show(inner)}"
        case Bind(_, name, type_, inner, info):
            body = f"∀ {info}{name} : {show(type_)}{_CLOSING[info]}, {show(inner)}"
        case _:
            raise AssertionError(term)
    return f"({body})" if atomic else body


def subterms(term: Term) -> Iterator[Term]:
    """Every subterm, the term itself first; binders are entered."""
    yield term
    match term:
        case App(fn, args):
            yield from subterms(fn)
            for arg in args:
                yield from subterms(arg)
        case Bind(_, _, type_, body):
            yield from subterms(type_)
            yield from subterms(body)


def free(term: Term) -> frozenset[str]:
    """Names of the locals that occur free."""
    match term:
        case Var(name):
            return frozenset((name,))
        case App(fn, args):
            return free(fn).union(*(free(arg) for arg in args))
        case Bind(_, name, type_, body):
            return free(type_) | (free(body) - {name})
    return frozenset()


def constants(term: Term) -> frozenset[str]:
    return frozenset(part.name for part in subterms(term) if isinstance(part, Const))


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """Replace free locals; bound names that would capture are renamed."""
    if not values:
        return term
    match term:
        case Var(name):
            return values.get(name, term)
        case App(fn, args):
            return apply(substitute(fn, values), [substitute(arg, values) for arg in args])
        case Bind(kind, name, type_, body, info):
            inner = {key: value for key, value in values.items() if key != name}
            if name != "_" and any(name in free(value) for value in inner.values()):
                new = fresh(name, free(body).union(*(free(value) for value in inner.values())))
                body, name = substitute(body, {name: Var(new)}), new
            return Bind(kind, name, substitute(type_, values), substitute(body, inner), info)
    return term


def replace(term: Term, old: Term, new: Term) -> Term:
    """Replace every occurrence of a closed-over subterm (binders do not matter: `old` must have no bound variable)."""
    if term == old:
        return new
    match term:
        case App(fn, args):
            return apply(replace(fn, old, new), [replace(arg, old, new) for arg in args])
        case Bind(kind, name, type_, body, info):
            return Bind(kind, name, replace(type_, old, new), replace(body, old, new), info)
    return term


def fresh(stem: str, taken: Iterable[str]) -> str:
    """A name built from `stem` that is not taken."""
    used = set(taken)
    stem = re.sub(r"[✝¹²³⁴⁵⁶⁷⁸⁹⁰]|_\d+$", "", stem) or "x"
    stem = stem if _is_name(stem) and "." not in stem and not stem.startswith("?") else "x"
    if stem not in used and stem != "_":
        return stem
    number = 1
    while f"{stem}_{number}" in used:
        number += 1
    return f"{stem}_{number}"


def size(term: Term) -> int:
    """Number of nodes, types of binders not counted."""
    match term:
        case App(fn, args):
            return size(fn) + sum(size(arg) for arg in args)
        case Bind(_, _, _, body):
            return 1 + size(body)
    return 1


def strip_pis(term: Term) -> tuple[list[tuple[str, Term, str]], Term]:
    """Split `∀ (x : A) ..., B` into its binders (name, type, bracket) and B; unnamed binders keep the name `_`."""
    binders = []
    while isinstance(term, Bind) and term.kind == "pi":
        binders.append((term.name, term.type, term.info))
        term = term.body
    return binders, term
