"""Ordered rewriting with known equations: tells cheaply which conjectures follow from what is known already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from unsorry.provers.search.goals import Goal
from unsorry.provers.search.syntax import App, Const, Term, Var, apply, free, show, size, strip_pis, substitute
from unsorry.provers.search.theory import Theory

STEPS = 400


@dataclass(frozen=True, slots=True)
class Rule:
    left: Term
    right: Term
    permutative: bool = False  # both sides are equal up to renaming: used only to make terms smaller in the order


@dataclass
class Rewriter:
    rules: dict[str, list[Rule]] = field(default_factory=dict)
    steps: int = 0

    @staticmethod
    def of(theory: Theory) -> Rewriter:
        """The equations of the functions."""
        rewriter = Rewriter()
        for function in theory.functions.values():
            for equation in function.equations:
                if function.recursive and not function.matched:
                    continue
                rewriter.add(apply(Const(function.name), equation.arguments), equation.rhs)
        return rewriter

    def add(self, left: Term, right: Term) -> None:
        head = left.fn if isinstance(left, App) else left
        if isinstance(head, Const):
            permutative = same_shape(left, right)
            self.rules.setdefault(head.name, []).append(Rule(left, right, permutative))

    def add_goal(self, goal: Goal) -> None:
        """Use a proved equation without premises."""
        if not goal.propositions and isinstance(goal.conclusion, App) and goal.conclusion.fn == Const("Eq"):
            _, left, right = goal.conclusion.args
            if free(right) <= free(left):
                self.add(left, right)

    def normal(self, term: Term) -> Term:
        self.steps = STEPS
        return self._normal(term)

    def _normal(self, term: Term) -> Term:
        while self.steps > 0:
            self.steps -= 1
            if isinstance(term, App):
                term = apply(
                    self._normal(term.fn) if not isinstance(term.fn, Const) else term.fn,
                    [self._normal(arg) for arg in term.args],
                )
            reduced = self._once(term)
            if reduced is None:
                return term
            term = reduced
        return term

    def _once(self, term: Term) -> Term | None:
        head = term.fn if isinstance(term, App) else term
        if not isinstance(head, Const):
            return None
        if head.name == "ite" and isinstance(term, App) and len(term.args) == 5:
            chosen = _decided(term.args[1])
            return None if chosen is None else term.args[3 if chosen else 4]
        for rule in self.rules.get(head.name, ()):
            binding: dict[str, Term] = {}
            if match(rule.left, term, binding):
                result = substitute(rule.right, binding)
                if not rule.permutative or _smaller(result, term):
                    return result
        return None


def _decided(condition: Term) -> bool | None:
    """`true = true` holds, `false = true` does not."""
    if isinstance(condition, App) and condition.fn == Const("Eq") and len(condition.args) == 3:
        _, left, right = condition.args
        if left == right:
            return True
        if {left, right} == {Const("Bool.true"), Const("Bool.false")}:
            return False
    return None


def match(pattern: Term, term: Term, binding: dict[str, Term]) -> bool:
    """First-order matching; every local of the pattern is a variable of it."""
    match pattern:
        case Var(name):
            known = binding.get(name)
            if known is None:
                binding[name] = term
                return True
            return known == term
        case App(fn, args):
            return (
                isinstance(term, App)
                and len(term.args) == len(args)
                and match_(fn, term.fn, binding)
                and all(match_(p, t, binding) for p, t in zip(args, term.args, strict=True))
            )
    return pattern == term


match_ = match


def same_shape(a: Term, b: Term, renaming: dict[str, str] | None = None) -> bool:
    """Equal up to a renaming of variables?"""
    pairs: dict[str, str] = {} if renaming is None else renaming
    match a, b:
        case Var(x), Var(y):
            return pairs.setdefault(x, y) == y
        case App(f, xs), App(g, ys):
            return (
                len(xs) == len(ys)
                and same_shape(f, g, pairs)
                and all(same_shape(x, y, pairs) for x, y in zip(xs, ys, strict=True))
            )
    return a == b


def _smaller(a: Term, b: Term) -> bool:
    return (size(a), show(a)) < (size(b), show(b))


def oriented(left: Term, right: Term, theory: Theory) -> tuple[Term, Term]:
    """The side with more to compute first; functions weigh more than constructors, so these move outwards."""
    known = frozenset(theory.constructors)
    if free(right) - free(left):
        return right, left
    if free(left) - free(right):
        return left, right
    a, b = _weight(left, known, theory), _weight(right, known, theory)
    return (left, right) if a >= b else (right, left)


def _weight(term: Term, constructors: frozenset[str], theory: Theory) -> tuple[int, int, int, int, str]:
    functions, spread = _count(term, constructors, 1)
    return functions, structured(term, theory), stuck(term, theory), spread, show(term)


def structured(term: Term, theory: Theory) -> int:
    """Functions that build containers: `length (drop n xs)` has one, `length xs - n` has none."""
    if not isinstance(term, App):
        return 0
    own = 0
    if isinstance(term.fn, Const) and term.fn.name in theory.functions:
        own = isinstance(strip_pis(theory.functions[term.fn.name].type)[1], App)
    return own + sum(structured(arg, theory) for arg in term.args)


def stuck(term: Term, theory: Theory) -> int:
    """Applications that wait for the result of another: what a rule should take apart, as in `(xs ++ ys) ++ zs`."""
    if not isinstance(term, App):
        return 0
    total = sum(stuck(arg, theory) for arg in term.args)
    function = theory.functions.get(term.fn.name) if isinstance(term.fn, Const) else None
    if function is not None:
        waiting = [term.args[i] for i in function.matched if i < len(term.args)]
        total += sum(
            isinstance(arg, App) and isinstance(arg.fn, Const) and arg.fn.name in theory.functions for arg in waiting
        )
    return total


def _count(term: Term, constructors: frozenset[str], depth: int) -> tuple[int, int]:
    """Number of function symbols; and how deep the constructors lie, summed."""
    if isinstance(term, App):
        head = term.fn
        is_constructor = isinstance(head, Const) and head.name in constructors
        total, spread = (0, depth) if is_constructor else (1, 0)
        for arg in term.args:
            more, deeper = _count(arg, constructors, depth + 1)
            total, spread = total + more, spread + deeper
        return total, spread
    return 0, 0


Binding = Mapping[str, Term]
