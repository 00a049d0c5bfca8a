"""Sorries that may remain: those that the statement itself has.

A declaration with several sorries can be filled one by one.  What remains is tolerated only inside a target's own
value, and only where the statement's value has a sorry of the same goal in the same context: the goals are closed over
the binders around them and compared as multisets.  The claim of such a verdict is then: from the goals that remain, and
nothing else that is unproved, the target follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from unsorry.judge.axioms import SORRY
from unsorry.judge.library import Scope
from unsorry.judge.reasons import Reason, Refusal
from unsorry.judge.statement import Statement, same_constants
from unsorry.lean.declarations import Declaration
from unsorry.lean.names import Name
from unsorry.lean.olean import Module
from unsorry.lean.terms import App, Arena, BVar, Const, Expr, Lam, Let, Pi, Proj, children
from unsorry.lean.traversal import constants, postorder, rebuild

MAX_STEPS = 2_000_000  # of one check: occurrences are counted as in a tree, and goals closed, which can be huge


def check_holes(statement: Statement, module: Module, reached: frozenset[Name], scope: Scope) -> tuple[int, int]:
    """(sorries that remain, sorries of the statement) over all targets; raises Refusal for any other sorry, and
    `holes.limit`, which decides nothing, where there is too much to count."""
    own = module.declarations
    seen: dict[bool, set[Expr]] = {True: set(), False: set()}  # apart: in a target sorry itself is no fault
    for name in reached:
        target = name in statement.targets
        used_here = constants(*own[name].expressions(), seen=seen[target]).union(own[name].relatives())
        for used in used_here - ({SORRY} if target else set()):
            if used == SORRY or (used in scope and SORRY in scope.trail(used).axioms):
                raise Refusal(Reason.AXIOMS_SORRY, f"{name} uses sorry outside the target", str(name))
    remaining = total = 0
    survey = _Survey(module.arena)
    kept: set[Expr] = set()
    for name in statement.targets:
        asked = survey.goals(statement.module.declarations[name])
        left = survey.goals(own[name])
        extra = left - asked
        if extra:
            raise Refusal(Reason.AXIOMS_SORRY, f"{name} has a sorry that the statement does not have", str(name))
        kept.update(left)
        remaining, total = remaining + left.total(), total + asked.total()
    same_constants(statement, module, constants(*kept))
    return remaining, total


class _Survey:
    """The goals of declarations: terms that they share are looked at once, and all steps are counted together."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.name = Name()
        self._mentions: dict[Expr, bool] = {}
        self._left = MAX_STEPS

    def goals(self, declaration: Declaration) -> Counter[Expr]:
        """The goals of the sorries in a declaration's value, closed over their context, each as often as it occurs."""
        self.name = declaration.name
        if self.mentions(declaration.type):
            raise self._refused("the type of {} uses sorry")
        found: Counter[Expr] = Counter()
        for context, goal in self._occurrences(declaration.value):
            closed = self._close(context, goal)
            if closed.loose or self.mentions(closed):
                raise self._refused("a goal in {} depends on a sorry itself")
            found[closed] += 1
        return found

    def mentions(self, root: Expr) -> bool:
        """Whether an expression mentions sorry."""
        known = self._mentions
        for e in postorder(root, done=known):
            known[e] = _is_sorry(e) or any(known[c] for c in children(e))
        return known[root]

    def spend(self, steps: int = 1) -> None:
        """Counts; raises Refusal, which decides nothing, when there were too many."""
        self._left -= steps
        if self._left < 0:
            message = f"{self.name} has sorries too many, or with goals too large, to be compared"
            raise Refusal(Reason.HOLES_LIMIT, message, str(self.name))

    def _refused(self, message: str) -> Refusal:
        return Refusal(Reason.AXIOMS_SORRY, message.format(self.name), str(self.name))

    def _occurrences(self, value: Expr | None) -> Iterator[tuple[tuple[Expr, ...], Expr]]:
        """(binders around it from outside in, type argument) for each sorry in the value."""
        if value is None:
            return
        self.mentions(value)
        todo: list[tuple[Expr, tuple[Expr, ...]]] = [(value, ())]
        while todo:
            e, context = todo.pop()
            self.spend(1 + len(context) // 16)
            if not self._mentions[e]:
                continue
            if _is_sorry(e):
                raise self._refused("{} uses sorry as a function")
            if isinstance(e, App) and isinstance(e.fn, Const) and e.fn.name == SORRY:
                yield context, e.arg
                todo.append((e.arg, context))
            elif isinstance(e, Lam | Pi):
                todo += [(e.domain, context), (e.body, (*context, e))]
            elif isinstance(e, Let):
                todo += [(e.domain, context), (e.value, context), (e.body, (*context, e))]
            else:
                todo += [(child, context) for child in children(e)]

    def _close(self, context: tuple[Expr, ...], goal: Expr) -> Expr:
        """The goal under its context: a product over each variable, a `let` over each defined one that is mentioned."""
        arena = self.arena
        self.spend(len(context))
        for binder in reversed(context):
            if isinstance(binder, Lam | Pi):
                goal = arena.pi(binder.binder, binder.domain, goal)
            elif isinstance(binder, Let):
                lowered = self._lower(goal)
                goal = arena.let(binder.binder, binder.domain, binder.value, goal) if lowered is None else lowered
        return goal

    def _lower(self, e: Expr) -> Expr | None:
        """`e` without its variable 0, the others moved down by one; None if the variable occurs."""

        def variable(v: BVar, depth: int) -> Expr | None:
            if v.index == depth:
                return None
            return self.arena.bvar(v.index - 1) if v.index > depth else v

        return rebuild(self.arena, e, variable, self.spend)


def _is_sorry(e: Expr) -> bool:
    return (isinstance(e, Const) and e.name == SORRY) or (isinstance(e, Proj) and e.structure == SORRY)
