"""The shape of a statement: `_ ++ [] = _`, `List.length ?a ≤ ?b`, `Sorted _ → Sorted (insert _ _)`.

A pattern is operators, names, numerals, `_` and `?x`.  A name stands for every constant that ends in it; its arguments
are the explicit ones, those that Lean puts in are passed over.  `?x` is the same term wherever it is in one part.  What
stands before an arrow must be among the hypotheses, in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from unsorry import UnsorryError
from unsorry.lean.terms import App, Const, Expr, NatLit, Pi

Names = tuple[str, ...]  # a constant is meant if its name is one of these, or ends in `.` and one of these

# Symbol -> (precedence, binds to the right, constants).
OPERATORS: dict[str, tuple[int, bool, Names]] = {
    "↔": (20, False, ("Iff",)), "→": (25, True, ()), "∨": (30, True, ("Or",)), "∧": (35, True, ("And",)),
    "=": (50, False, ("Eq",)), "==": (50, False, ("BEq.beq",)), "≠": (50, False, ("Ne",)), "<": (50, False, ("LT.lt",)),
    "≤": (50, False, ("LE.le",)), ">": (50, False, ("GT.gt",)), "≥": (50, False, ("GE.ge",)),
    "∣": (50, False, ("Dvd.dvd",)), "∈": (50, False, ("Membership.mem",)), "≍": (50, False, ("HEq",)),
    "~": (50, False, ("List.Perm",)),
    "||": (30, False, ("or",)), "&&": (35, False, ("and",)), "++": (65, False, ("HAppend.hAppend", "Append.append")),
    "+": (65, False, ("HAdd.hAdd",)), "-": (65, False, ("HSub.hSub",)), "*": (70, False, ("HMul.hMul",)),
    "/": (70, False, ("HDiv.hDiv",)), "%": (70, False, ("HMod.hMod",)), "::": (67, True, ("List.cons",)),
    "^": (75, True, ("HPow.hPow",)), "∘": (90, True, ("Function.comp",)), "×": (35, True, ("Prod",)),
}  # fmt: skip
SPELLED = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "<->": "↔", "/\\": "∧", "\\/": "∨"}
PREFIX: dict[str, tuple[int, Names]] = {"¬": (40, ("Not",)), "!": (90, ("not",))}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<variable>\?[^\W\d][\w']*|_(?![\w'])|\?)|(?P<name>(?:«[^»]*»|[^\W\d][\w'!?₀-₉]*)"
    r"(?:\.(?:«[^»]*»|[^\W\d][\w'!?₀-₉]*))*)|(?P<symbol>\[\]|<->|\\/|/\\|->|<=|>=|!=|==|\+\+|::|\|\||&&|[^\s\w]))"
)
MAX_ARGUMENTS = 40
MAX_WORDS = 150  # of one pattern, and so of its depth: it is read and matched by recursion
MAX_DIGITS = 1000  # of a numeral
MAX_STEPS = 4000  # of one match


@dataclass(frozen=True, slots=True)
class Variable:
    name: str  # "" matches anything, each time


@dataclass(frozen=True, slots=True)
class Number:
    value: int


@dataclass(frozen=True, slots=True)
class Applied:
    """A constant (or a variable, `names` being empty) with the last of its arguments."""

    names: Names
    arguments: tuple[Node, ...]
    bare: bool = False  # written without arguments: any number of them


@dataclass(frozen=True, slots=True)
class Arrow:
    left: Node
    right: Node


Node = Variable | Number | Applied | Arrow


@dataclass(frozen=True, slots=True)
class Pattern:
    hypotheses: tuple[Node, ...]
    conclusion: Node

    def constants(self) -> list[Names]:
        """What must occur in a statement that matches: of each entry one."""
        return [names for node in (*self.hypotheses, self.conclusion) for names in _constants(node)]

    def matches(self, type_: Expr) -> bool:
        """Whether a statement has this shape."""
        domains: list[Expr] = []
        while isinstance(type_, Pi):
            domains.append(type_.domain)
            type_ = type_.body
        if not _Match().node(self.conclusion, type_):
            return False
        return all(any(_Match().node(wanted, domain) for domain in domains) for wanted in self.hypotheses)


def parse_pattern(text: str) -> Pattern:
    """Reads a pattern; raises UnsorryError that says where it cannot be read."""
    parser = _Parser(text.strip().removeprefix("⊢"))
    node = parser.expression(0)
    if parser.word:
        raise parser.fault()
    hypotheses = []
    while isinstance(node, Arrow):
        hypotheses.append(node.left)
        node = node.right
    return Pattern(tuple(hypotheses), node)


def names_of(text: str) -> Names:
    """The constants that a word of a query means: a name, or an operator's."""
    symbol = SPELLED.get(text, text)
    if symbol in OPERATORS:
        return OPERATORS[symbol][2]
    return PREFIX[symbol][1] if symbol in PREFIX else (text,)


def meant(constant: str, names: Names) -> bool:
    return any(constant == name or constant.endswith("." + name) for name in names)


def _constants(node: Node) -> Iterator[Names]:
    if isinstance(node, Applied):
        if node.names:
            yield node.names
        for argument in node.arguments:
            yield from _constants(argument)
    elif isinstance(node, Arrow):
        yield from _constants(node.left)
        yield from _constants(node.right)


class _Match:
    """One match: what its variables stand for."""

    def __init__(self) -> None:
        self.bound: dict[str, Expr] = {}
        self.steps = 0

    def node(self, node: Node, e: Expr) -> bool:
        self.steps += 1
        if self.steps > MAX_STEPS:
            return False
        if isinstance(node, Variable):
            return not node.name or self.bound.setdefault(node.name, e) is e
        if isinstance(node, Arrow):
            return isinstance(e, Pi) and self.node(node.left, e.domain) and self.node(node.right, e.body)
        head, arguments = _spine(e)
        if isinstance(node, Number):
            if isinstance(e, NatLit):
                return e.value == node.value
            return isinstance(head, Const) and str(head.name) == "OfNat.ofNat" and len(arguments) == 3 and (
                isinstance(arguments[1], NatLit) and arguments[1].value == node.value
            )  # fmt: skip
        if node.names and not (isinstance(head, Const) and meant(str(head.name), node.names)):
            return False
        if node.bare:
            return True
        return self._arguments(node, arguments)

    def _arguments(self, node: Applied, given: list[Expr]) -> bool:
        """The last ones; of a function that is written by name, an instance may stand behind them (`decide p`)."""
        if node.names and node.names[0] in ("ite", "dite") and len(given) == 5:
            given = [*given[:2], *given[3:]]  # the instance stands among the explicit ones
        count = len(node.arguments)
        operator = any(node.names == names for _, _, names in OPERATORS.values())
        for end in (len(given),) if operator else (len(given), len(given) - 1):
            kept = dict(self.bound)
            if end >= count and all(map(self.node, node.arguments, given[end - count : end])):
                return True
            self.bound = kept
        return False


def _spine(e: Expr) -> tuple[Expr, list[Expr]]:
    arguments: list[Expr] = []
    while isinstance(e, App) and len(arguments) < MAX_ARGUMENTS:
        arguments.append(e.arg)
        e = e.fn
    return e, arguments[::-1]


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.words = text, 0, 0
        self.kind, self.word, self.start = "", "", 0
        self.advance()

    def advance(self) -> None:
        found = _TOKEN.match(self.text, self.at)
        if found is None or not self.text[self.at :].strip():
            self.kind, self.word, self.start = "", "", len(self.text)
            return
        self.kind = str(found.lastgroup)
        self.word = SPELLED.get(found[self.kind], found[self.kind])
        self.start, self.at = found.start(self.kind), found.end()
        self.words += 1
        if self.words > MAX_WORDS:
            raise UnsorryError(f"the pattern has more than {MAX_WORDS} words and symbols: put `_` for parts of it")
        if self.kind == "number" and len(self.word) > MAX_DIGITS:
            raise UnsorryError(f"the pattern has a numeral of more than {MAX_DIGITS} digits: put `_` for it")

    def fault(self) -> UnsorryError:
        where = f"`{self.word}` at character {self.start + 1}" if self.word else "its end"
        return UnsorryError(
            f"the pattern {self.text!r} cannot be read at {where}: use names, numerals, `_`, `?x`, brackets and "
            "operators such as = ≤ + ++ → ∧"
        )

    def expression(self, least: int) -> Node:
        left = self.prefixed()
        while self.kind == "symbol" and self.word in OPERATORS and OPERATORS[self.word][0] >= least:
            precedence, right, names = OPERATORS[self.word]
            arrow = self.word == "→"
            self.advance()
            other = self.expression(precedence if right else precedence + 1)
            left = Arrow(left, other) if arrow else Applied(names, (left, other))
        return left

    def prefixed(self) -> Node:
        if self.word in PREFIX:
            precedence, names = PREFIX[self.word]
            self.advance()
            return Applied(names, (self.expression(precedence),))
        head = self.atom()
        arguments: list[Node] = []
        while self.kind in ("number", "variable", "name") or self.word in ("(", "[]"):
            arguments.append(self.atom())
        if not arguments:
            return head
        if isinstance(head, Applied) and head.bare:
            return Applied(head.names, tuple(arguments))
        if isinstance(head, Variable):
            return Applied((), tuple(arguments))
        raise self.fault()

    def atom(self) -> Node:
        kind, word = self.kind, self.word
        if kind == "number":
            self.advance()
            return Number(int(word))
        if kind == "variable":
            self.advance()
            return Variable("" if word in ("_", "?") else word[1:])
        if kind == "name":
            self.advance()
            return Applied((word,), (), bare=True)
        if word == "[]":
            self.advance()
            return Applied(("List.nil",), (), bare=True)
        if word == "(":
            self.advance()
            inner = self.expression(0)
            if self.word != ")":
                raise self.fault()
            self.advance()
            return inner
        raise self.fault()
