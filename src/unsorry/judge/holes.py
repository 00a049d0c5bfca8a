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
from unsorry.lean.olean import Module
from unsorry.lean.terms import (
    App,
    Arena,
    BVar,
    Const,
    Declaration,
    Expr,
    Lam,
    Let,
    Name,
    Pi,
    children,
    constants,
    postorder,
    rebuild,
)

MAX_STEPS = 200_000  # places looked at in one declaration; occurrences are counted as in a tree, which can be huge


def check_holes(statement: Statement, module: Module, reached: frozenset[Name], scope: Scope) -> tuple[int, int]:
    """(sorries that remain, sorries of the statement) over all targets; raises Refusal for any other sorry."""
    own = module.declarations
    for name in reached:
        tolerated = {SORRY} if name in statement.targets else set()
        for used in own[name].dependencies() - tolerated:
            if used == SORRY or (used in scope and SORRY in scope.trail(used).axioms):
                raise Refusal(Reason.AXIOMS_SORRY, f"{name} uses sorry outside the target", str(name))
    remaining = total = 0
    for name in statement.targets:
        asked = goals(statement.module.declarations[name], module.arena)
        left = goals(own[name], module.arena)
        extra = left - asked
        if extra:
            raise Refusal(Reason.AXIOMS_SORRY, f"{name} has a sorry that the statement does not have", str(name))
        same_constants(statement, module, set().union(*(constants(goal) for goal in left)))
        remaining, total = remaining + left.total(), total + asked.total()
    return remaining, total


def goals(declaration: Declaration, arena: Arena) -> Counter[Expr]:
    """The goals of the sorries in a declaration's value, closed over their context, each as often as it occurs."""
    if SORRY in constants(declaration.type):
        raise Refusal(Reason.AXIOMS_SORRY, f"the type of {declaration.name} uses sorry", str(declaration.name))
    found: Counter[Expr] = Counter()
    for context, goal in occurrences(declaration):
        closed = close(arena, context, goal)
        if closed.loose or SORRY in constants(closed):
            raise Refusal(
                Reason.AXIOMS_SORRY, f"a goal in {declaration.name} depends on a sorry itself", str(declaration.name)
            )
        found[closed] += 1
    return found


def occurrences(declaration: Declaration) -> Iterator[tuple[tuple[Expr, ...], Expr]]:
    """(binders around it from outside in, type argument) for each sorry in the value."""
    if declaration.value is None:
        return
    inside = holding(declaration.value)
    todo: list[tuple[Expr, tuple[Expr, ...]]] = [(declaration.value, ())]
    steps = 0
    while todo:
        e, context = todo.pop()
        steps += 1 + len(context) // 16
        if steps > MAX_STEPS:
            raise Refusal(
                Reason.AXIOMS_SORRY, f"{declaration.name} holds too many sorries to count", str(declaration.name)
            )
        if e not in inside:
            continue
        if isinstance(e, Const):
            raise Refusal(Reason.AXIOMS_SORRY, f"{declaration.name} uses sorry as a function", str(declaration.name))
        if isinstance(e, App) and isinstance(e.fn, Const) and e.fn.name == SORRY:
            yield context, e.arg
            todo.append((e.arg, context))
        elif isinstance(e, Lam | Pi):
            todo += [(e.domain, context), (e.body, (*context, e))]
        elif isinstance(e, Let):
            todo += [(e.domain, context), (e.value, context), (e.body, (*context, e))]
        else:
            todo += [(child, context) for child in children(e)]


def holding(root: Expr) -> set[Expr]:
    """The expressions below `root` that mention sorry."""
    done: dict[Expr, bool] = {}
    for e in postorder(root, done=done):
        done[e] = (isinstance(e, Const) and e.name == SORRY) or any(done[c] for c in children(e))
    return {e for e, holds in done.items() if holds}


def close(arena: Arena, context: tuple[Expr, ...], goal: Expr) -> Expr:
    """The goal under its context: a product over each variable, a `let` over each defined one that is mentioned."""
    for binder in reversed(context):
        if isinstance(binder, Lam | Pi):
            goal = arena.pi(binder.binder, binder.domain, goal)
        elif isinstance(binder, Let):
            lowered = lower(arena, goal)
            goal = arena.let(binder.binder, binder.domain, binder.value, goal) if lowered is None else lowered
    return goal


def lower(arena: Arena, e: Expr) -> Expr | None:
    """`e` without its variable 0, the others moved down by one; None if the variable occurs."""

    def variable(v: BVar, depth: int) -> Expr | None:
        if v.index == depth:
            return None
        return arena.bvar(v.index - 1) if v.index > depth else v

    return rebuild(arena, e, variable)
