"""Goals: a context of hypotheses and a conclusion, as terms; read from Lean's goal states, closed into statements."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from unsorry.provers.search.syntax import (
    App,
    Bind,
    Const,
    ParseFailure,
    Sort,
    Term,
    Var,
    constants,
    free,
    fresh,
    parse,
    replace,
    show,
    size,
    strip_pis,
    substitute,
    subterms,
)

_HYPOTHESIS = re.compile(r"^((?:\S+ )*?\S+) :\s+(.*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    name: str
    type: Term


@dataclass(frozen=True)
class Goal:
    """`context` in dependency order; every name in it is accessible and occurs once."""

    context: tuple[Hypothesis, ...]
    conclusion: Term

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(h.name for h in self.context)

    @cached_property
    def propositions(self) -> tuple[Hypothesis, ...]:
        """Hypotheses that are facts, as far as their shape tells."""
        return tuple(h for h in self.context if is_proposition(h.type, self))

    @cached_property
    def variables(self) -> tuple[Hypothesis, ...]:
        """Hypotheses that are data: neither facts, nor types, nor class instances."""
        facts = {h.name for h in self.propositions}
        return tuple(h for h in self.context if h.name not in facts and not is_type(h.type) and h.name[:4] != "inst")

    @cached_property
    def types(self) -> tuple[Hypothesis, ...]:
        return tuple(h for h in self.context if is_type(h.type))

    def type_of(self, name: str) -> Term | None:
        return next((h.type for h in self.context if h.name == name), None)

    def closed(self) -> Term:
        """The goal as one closed proposition."""
        body = self.conclusion
        for h in reversed(self.context):
            name = h.name if h.name in free(body) else "_"
            info = "{" if is_type(h.type) else "("
            body = Bind("pi", name, h.type, body, info if name != "_" else "(")
        return body

    def header(self) -> str:
        """Binders and conclusion, ready to follow a theorem's name."""
        parts = []
        for h in self.context:
            opening, closing = (
                ("{", "}") if is_type(h.type) else ("[", "]") if h.name.startswith("inst") else ("(", ")")
            )
            parts.append(f"{opening}{h.name} : {show(h.type)}{closing}")
        return " ".join([*parts, ":", show(self.conclusion)])

    @cached_property
    def key(self) -> str:
        """Equal for goals that differ in names only."""
        renaming: dict[str, Term] = {}
        for index, h in enumerate(self.context):
            renaming[h.name] = Var(f"v{index}")
        parts = [show(alpha(substitute(h.type, renaming))) for h in self.context]
        return " ; ".join([*parts, show(alpha(substitute(self.conclusion, renaming)))])

    @cached_property
    def weight(self) -> int:
        return size(self.conclusion) + sum(size(h.type) for h in self.propositions)

    @cached_property
    def constants(self) -> frozenset[str]:
        return constants(self.conclusion).union(*(constants(h.type) for h in self.context))


def alpha(term: Term, depth: int = 0) -> Term:
    """Bound names replaced by their depth."""
    match term:
        case App(fn, args):
            return App(alpha(fn, depth), tuple(alpha(arg, depth) for arg in args))
        case Bind(kind, name, type_, body, _):
            new = f"b{depth}"
            inner = substitute(body, {name: Var(new)}) if name != "_" else body
            return Bind(kind, new if name in free(body) else "_", alpha(type_, depth), alpha(inner, depth + 1))
    return term


def is_type(term: Term) -> bool:
    """Is this the type of a type (or of a family of types)?  `outParam` around it says nothing."""
    while isinstance(term, App) and isinstance(term.fn, Const) and term.fn.name in ("outParam", "semiOutParam"):
        term = term.args[0]
    _, target = strip_pis(term)
    return isinstance(target, Sort) and target.text != "Prop"


_LOGIC = frozenset(
    (
        "Eq",
        "Ne",
        "Not",
        "And",
        "Or",
        "Iff",
        "Exists",
        "True",
        "False",
        "HEq",
        "LE.le",
        "LT.lt",
        "GE.ge",
        "GT.gt",
        "Membership.mem",
        "Dvd.dvd",
        "List.Mem",
        "List.Perm",
    )
)


def is_proposition(term: Term, goal: Goal) -> bool:
    """Does the shape of a hypothesis' type show that it is a proposition?"""
    _, target = strip_pis(term)
    head = target.fn if isinstance(target, App) else target
    if isinstance(head, Const):
        return head.name in _LOGIC
    if isinstance(head, Var):
        owner = goal.type_of(head.name)
        if owner is None:
            return False
        _, result = strip_pis(owner)
        return isinstance(result, Sort) and result.text == "Prop"
    return False


def read_goal(text: str) -> tuple[Goal, tuple[str, ...]]:
    """A goal as Lean prints it, and the fresh names for what had no accessible name, in order (for `rename_i`).

    Raises ParseFailure for what the structured view does not cover (let-bound hypotheses, notation).
    """
    entries: list[str] = []
    for line in text.split("\n"):
        if line.startswith("case ") and not entries:
            continue
        if line.startswith((" ", "\t")) and entries:
            entries[-1] += "\n" + line
        elif line.strip():
            entries.append(line)
    if not entries or not entries[-1].startswith("⊢ "):
        raise ParseFailure("not a goal")
    raw: list[tuple[str, str]] = []
    for entry in entries[:-1]:
        match = _HYPOTHESIS.match(entry)
        if match is None:
            raise ParseFailure("a hypothesis that is not `names : type`")
        raw += [(name, match.group(2)) for name in match.group(1).split(" ")]
    taken = {name for name, _ in raw if "✝" not in name}
    renaming: dict[str, Term] = {}
    scope: list[str] = []
    context: list[Hypothesis] = []
    renamed: list[str] = []
    for name, type_text in raw:
        type_ = substitute(parse(type_text, scope), renaming)
        scope.append(name)
        if "✝" in name:
            new = fresh(name, taken)
            taken.add(new)
            renaming[name] = Var(new)
            renamed.append(new)
        context.append(Hypothesis(show(renaming[name]) if name in renaming else name, type_))
    conclusion = substitute(parse(entries[-1][2:], scope), renaming)
    return Goal(tuple(context), conclusion), tuple(renamed)


def split_goals(text: str) -> list[str]:
    """The goals of one printed state: each ends with its conclusion, whose further lines are indented."""
    goals: list[list[str]] = [[]]
    concluded = False
    for line in text.split("\n"):
        if concluded and line.strip() and not line.startswith((" ", "\t")):
            goals.append([])
            concluded = False
        goals[-1].append(line)
        concluded = concluded or line.startswith("⊢ ")
    return ["\n".join(lines).strip() for lines in goals if any(line.startswith("⊢ ") for line in lines)]


def prune(goal: Goal, keep: Iterable[str]) -> Goal:
    """Keep the named facts, and of the data what they and the conclusion mention."""
    wanted = set(keep)
    needed = set(free(goal.conclusion))
    context: list[Hypothesis] = []
    facts = {h.name for h in goal.propositions}
    for h in reversed(goal.context):
        if (h.name in wanted and h.name in facts) or h.name in needed or h.name.startswith("inst"):
            needed |= free(h.type)
            needed.add(h.name)
            context.append(h)
    return Goal(tuple(reversed(context)), goal.conclusion)


def goal_of(statement: Term) -> Goal:
    """A closed proposition as a goal: its binders become the context."""
    context: list[Hypothesis] = []
    taken: set[str] = set()
    renaming: dict[str, Term] = {}
    term = statement
    while isinstance(term, Bind) and term.kind == "pi":
        name = fresh("h" if term.name == "_" else term.name, taken)
        taken.add(name)
        context.append(Hypothesis(name, substitute(term.type, renaming)))
        renaming = {**renaming, term.name: Var(name)} if term.name != "_" else renaming
        term = term.body
    return Goal(tuple(context), substitute(term, renaming))


def generalise(goal: Goal, target: Term, type_: Term, stem: str) -> Goal:
    """Replace `target` by a new variable, in the conclusion and in the facts."""
    name = fresh(stem, goal.names)
    new = Var(name)
    facts = {h.name for h in goal.propositions}
    before = [h for h in goal.context if h.name not in facts]
    after = [Hypothesis(h.name, replace(h.type, target, new)) for h in goal.context if h.name in facts]
    return Goal((*before, Hypothesis(name, type_), *after), replace(goal.conclusion, target, new))


__all__ = [
    "Goal",
    "Hypothesis",
    "alpha",
    "generalise",
    "goal_of",
    "is_proposition",
    "is_type",
    "prune",
    "read_goal",
    "split_goals",
    "subterms",
]
