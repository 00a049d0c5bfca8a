"""Statements of the tiny world: read from the tables, varied, tested on small values, written as Lean."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from unsorry.problems.world.definitions import ELEMENTS
from unsorry.problems.world.language import Language, TooLong, language
from unsorry.problems.world.properties import LEMMAS, PROPERTIES
from unsorry.problems.world.terms import Term, parse

_BINDER = re.compile(r"\(([^():]+) : ([^()]+)\) ?")
Equation = tuple[Term, Term]


@dataclass(frozen=True, slots=True)
class Statement:
    """`∀ variables, hypotheses → left = right`."""

    variables: tuple[tuple[str, str], ...]  # name, type
    hypotheses: tuple[tuple[str, Equation], ...]  # name, equation
    left: Term
    right: Term

    @property
    def types(self) -> Mapping[str, str]:
        return dict(self.variables)

    @property
    def binders(self) -> str:
        groups = [
            f"({' '.join(name for name, _ in members)} : {type_})"
            for type_, members in itertools.groupby(self.variables, key=lambda v: v[1])
        ]
        return " ".join([*groups, *(f"({name} : {a} = {b})" for name, (a, b) in self.hypotheses)])

    @property
    def conclusion(self) -> str:
        return f"{self.left} = {self.right}"

    def substitute(self, values: Mapping[str, Term]) -> Statement:
        equations = tuple((n, (a.substitute(values), b.substitute(values))) for n, (a, b) in self.hypotheses)
        return replace(
            self, hypotheses=equations, left=self.left.substitute(values), right=self.right.substitute(values)
        )


@dataclass(frozen=True, slots=True)
class Lemma:
    name: str
    uses: tuple[str, ...]  # functions
    text: str  # `(x : N) : add x z = x`
    proof: str
    lemmas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Property:
    """One line of the table."""

    family: str
    difficulty: int
    uses: tuple[str, ...]
    text: str
    lemmas: tuple[str, ...]


@dataclass(frozen=True)
class Draft:
    """A statement with its definitions and the lemmas given before it."""

    family: str
    difficulty: int
    language: Language
    statement: Statement
    lemmas: tuple[Lemma, ...]
    form: str  # how the table's statement was varied


@cache
def properties() -> tuple[Property, ...]:
    return tuple(
        Property(row[0], int(row[1]), tuple(row[2].split()), row[3], tuple(row[4].split()) if len(row) > 4 else ())
        for row in _rows(PROPERTIES)
    )


@cache
def lemmas() -> tuple[Lemma, ...]:
    return tuple(
        Lemma(row[0], tuple(row[1].split()), row[2], row[3], tuple(row[4].split()) if len(row) > 4 else ())
        for row in _rows(LEMMAS)
    )


@cache
def given_families() -> frozenset[str]:
    """Families that state what some other problem is given as a lemma, proof and all: never held out."""
    given = {_plain(lemma.text) for lemma in lemmas()}
    return frozenset(row.family for row in properties() if _plain(row.text) in given)


def _plain(text: str) -> str:
    """A statement with its variables numbered and its premises as implications."""
    found = text
    while match := re.search(r"\(\w+ : ([^()]* = [^()]*)\) (.*?): (.*)", found):  # (h : a = b) before the colon
        found = f"{found[: match.start()]}{match.group(2)}: {match.group(1)} → {match.group(3)}"
    names: dict[str, str] = {}
    variables = {name for group in _BINDER.findall(found.split(" : ")[0] + " : A)") for name in group[0].split()}
    variables |= {name for group in re.findall(r"\(([^():]+) :", found) for name in group.split()}
    return re.sub(
        r"[A-Za-z_]\w*", lambda m: names.setdefault(m[0], f"_{len(names)}") if m[0] in variables else m[0], found
    )


def _rows(table: str) -> Iterator[list[str]]:
    for line in table.strip().splitlines():
        if line:
            yield [part.strip() for part in line.split(";")] if " <;> " not in line else _proof_row(line)


def _proof_row(line: str) -> list[str]:
    return [part.strip().replace("\0", "<;>") for part in line.replace("<;>", "\0").split(";")]


def read(text: str, element: str) -> Statement:
    """`(x : N) (h : a = b) : c = d`, with the element type and its operation put in."""
    variables: list[tuple[str, str]] = []
    hypotheses: list[tuple[str, Equation]] = []
    at = 0
    while match := _BINDER.match(text, at):
        at = match.end()
        names, type_ = match.group(1).split(), match.group(2)
        if "=" in type_:
            hypotheses.append((names[0], _equation(type_, element)))
        else:
            variables += [(name, element if type_ == "A" else type_) for name in names]
    left, right = _equation(text[at:].removeprefix(": "), element)
    return Statement(tuple(variables), tuple(hypotheses), left, right)


def _equation(text: str, element: str) -> Equation:
    left, right = text.split(" = ")
    return _operation(parse(left), element), _operation(parse(right), element)


def _operation(term: Term, element: str) -> Term:
    head = ELEMENTS[element] if term.head == "g" else term.head
    return Term(head, tuple(_operation(arg, element) for arg in term.args))


@cache
def drafts() -> tuple[Draft, ...]:
    """Every statement of the table with each element type, in each form."""
    return tuple(_drafts())


def _drafts() -> Iterator[Draft]:
    for row in properties():
        seen: set[str] = set()
        for element in ELEMENTS:
            statement = read(row.text, element)
            spoken = _language(row, statement, element)
            look = f"{spoken.datatypes} {spoken.functions}"
            if look in seen or not _typed(spoken, statement):
                continue  # the element type plays no part, or does not fit
            seen.add(look)
            given = _given(row)
            for form, varied in forms(statement, spoken):
                own = _language(row, varied, element)
                least = 4 if form.startswith("branched") and row.difficulty > 1 else row.difficulty
                if given or row.difficulty < 3:
                    yield Draft(row.family, least, own, varied, given, form)
                if row.difficulty >= 3:
                    yield Draft(row.family, max(least, row.difficulty + bool(given)), own, varied, (), form)


def _language(row: Property, statement: Statement, element: str) -> Language:
    terms = [statement.left, statement.right, *(t for _, pair in statement.hypotheses for t in pair)]
    names = {name for name, _ in statement.variables}
    open_terms = [part for term in terms for part in term.parts() if part.head not in names]
    heads = [Term(part.head) for part in open_terms]
    return language(row.uses, [t for _, t in statement.variables], heads, element)


def _given(row: Property) -> tuple[Lemma, ...]:
    """The lemmas of a row with those that they are proved by, in order."""
    found: dict[str, Lemma] = {}

    def want(name: str) -> None:
        if name in found:
            return
        known = [lemma for lemma in lemmas() if lemma.name == name]
        lemma = next((k for k in known if set(k.uses) <= set(row.uses)), known[0])
        for other in lemma.lemmas:
            want(other)
        found[name] = lemma

    for name in row.lemmas:
        want(name)
    return tuple(found.values())


def _typed(spoken: Language, statement: Statement) -> bool:
    types = statement.types

    def fits(term: Term, type_: str) -> bool:
        if spoken.type_of(term, types) != type_:
            return False
        wanted = () if term.head in types else spoken.arguments(term.head)
        return len(wanted) == len(term.args) and all(fits(a, t) for a, t in zip(term.args, wanted, strict=True))

    pairs = [(statement.left, statement.right), *(pair for _, pair in statement.hypotheses)]
    well = all(fits(a, spoken.type_of(a, types)) and fits(b, spoken.type_of(a, types)) for a, b in pairs)
    return well and all(_fits_equations(spoken, name) for name in spoken.functions)


def _fits_equations(spoken: Language, name: str) -> bool:
    made = spoken.functions[name]
    for patterns, right in made.equations:
        types: dict[str, str] = {}
        for pattern, type_ in zip(patterns, made.arguments, strict=True):
            _bind(spoken, pattern, type_, types)
        for part in right.parts():
            wanted = spoken.arguments(part.head) if part.args else ()
            if any(spoken.type_of(a, types) != t for a, t in zip(part.args, wanted, strict=True)):
                return False
        if spoken.type_of(right, types) != made.result:
            return False
    return True


def _bind(spoken: Language, pattern: Term, type_: str, types: dict[str, str]) -> None:
    for constructor in spoken.datatypes[type_].constructors if type_ in spoken.datatypes else ():
        if constructor.name == pattern.head:
            for arg, field in zip(pattern.args, constructor.fields, strict=True):
                _bind(spoken, arg, field, types)
            return
    types[pattern.head] = type_


def forms(statement: Statement, spoken: Language) -> Iterator[tuple[str, Statement]]:
    """The statement; turned round; with a constructor around a variable or around both sides."""
    yield "plain", statement
    if statement.right.size > 1:
        yield "turned", replace(statement, left=statement.right, right=statement.left)
    for name, type_ in statement.variables:
        if spoken.recursive(type_):
            yield from _grown(statement, spoken, name, type_)
    result = spoken.type_of(statement.left, statement.types)
    if result == "N":
        wrapped = replace(statement, left=Term("s", (statement.left,)), right=Term("s", (statement.right,)))
        yield "wrapped", wrapped


def _grown(statement: Statement, spoken: Language, name: str, type_: str) -> Iterator[tuple[str, Statement]]:
    """A variable replaced by a constructor applied to it and to new variables.

    With two new trees below it (`branched`) no one induction reaches both: the general statement has to be found first.
    """
    taken = {n for n, _ in statement.variables} | {n for n, _ in statement.hypotheses}
    for constructor in spoken.datatypes[type_].constructors:
        if type_ not in constructor.fields:
            continue
        arguments: list[Term] = []
        new: list[tuple[str, str]] = []
        for field in constructor.fields:
            if field == type_ and Term(name) not in arguments:
                arguments.append(Term(name))
                continue
            fresh = next(n for n in "abcdijpq" if n not in taken and n not in {v for v, _ in new})
            new.append((fresh, field))
            arguments.append(Term(fresh))
        grown = statement.substitute({name: Term(constructor.name, tuple(arguments))})
        branched = constructor.fields.count(type_) > 1 and _taken_apart(statement, spoken, name)
        kind = "branched" if branched else "grown"
        yield f"{kind}:{name}:{constructor.name}", replace(grown, variables=(*statement.variables, *new))


def _taken_apart(statement: Statement, spoken: Language, name: str) -> bool:
    """Is the variable an argument that some function of the statement matches on?"""
    for part in (*statement.left.parts(), *statement.right.parts()):
        made = spoken.functions.get(part.head)
        for index, arg in enumerate(part.args):
            if made is not None and arg.head == name and any(p[index].args for p, _ in made.equations):
                return True
    return False


def counterexample(statement: Statement, spoken: Language, most: int = 600) -> dict[str, Term] | None:
    """Values for which the hypotheses hold and the conclusion does not, among the first `most` assignments."""
    names = [name for name, _ in statement.variables]
    each = {1: 40, 2: 20, 3: 9, 4: 6}.get(len(names), 4)
    pools = [spoken.values(type_, each) for _, type_ in statement.variables]
    assignments = sorted(itertools.product(*pools), key=lambda row: sum(v.size for v in row))
    for row in itertools.islice(assignments, most):
        values = dict(zip(names, row, strict=True))
        try:
            if not all(holds(pair, spoken, values) for _, pair in statement.hypotheses):
                continue
            if not holds((statement.left, statement.right), spoken, values):
                return values
        except TooLong:
            continue
    return None


def holds(equation: Equation, spoken: Language, values: Mapping[str, Term]) -> bool:
    """Are both sides of an equation equal at these values?"""
    return spoken.evaluate(equation[0], values) == spoken.evaluate(equation[1], values)
