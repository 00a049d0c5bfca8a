"""Stronger goals that imply a stuck one: fewer hypotheses, subterms replaced by variables; kept if they test true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from unsorry.provers.search.evaluate import Evaluator
from unsorry.provers.search.goals import Goal, generalise, prune
from unsorry.provers.search.syntax import (
    App,
    Const,
    Term,
    free,
    show,
    size,
    strip_pis,
    substitute,
    subterms,
)
from unsorry.provers.search.testing import test
from unsorry.provers.search.theory import Theory

MOST = 6


def variants(goal: Goal, theory: Theory, evaluator: Evaluator, seed: int) -> Iterator[tuple[Goal, tuple[str, ...]]]:
    """Generalised goals, each with the arguments that instantiate it to `goal`."""
    found: dict[str, tuple[Goal, tuple[str, ...]]] = {}
    minimal = _weakenings(goal, evaluator, seed)
    for pruned in [*minimal, *(goal for g in minimal[:1] if g.key != goal.key)]:
        for general, values in _abstractions(pruned, theory, 2):
            if general.key == goal.key or general.key in found:
                continue
            if general is not pruned and not _true(general, evaluator, seed):
                continue
            reduced = next(iter(_weakenings(general, evaluator, seed)), general)
            arguments = tuple(values.get(name, name) for name in reduced.names)
            if reduced.key != goal.key:
                found.setdefault(reduced.key, (reduced, arguments))
    yield from sorted(found.values(), key=lambda item: item[0].weight)[:MOST]


def _true(goal: Goal, evaluator: Evaluator, seed: int) -> bool:
    tested = test(evaluator, goal, 200, seed)
    return tested.witness is None and tested.supported


def _weakenings(goal: Goal, evaluator: Evaluator, seed: int) -> list[Goal]:
    """The goal with as few facts as it stays true with; the goal itself when nothing can be tested."""
    facts = [h.name for h in goal.propositions]
    for count in range(min(len(facts), 3) + 1):
        chosen = [prune(goal, kept) for kept in combinations(facts, count)]
        good = [g for g in chosen if _true(g, evaluator, seed)]
        if good:
            return good[:2]
    return [goal]


def _abstractions(goal: Goal, theory: Theory, depth: int) -> Iterator[tuple[Goal, dict[str, str]]]:
    """The goal itself, then with one and with two subterms replaced by variables."""
    yield goal, {}
    if depth == 0:
        return
    for target, type_ in _targets(goal, theory):
        general = generalise(goal, target, type_, _stem(target))
        new = next(name for name in general.names if name not in goal.names)
        for further, values in _abstractions(general, theory, depth - 1):
            value = show(target, True)
            yield further, {**{k: _replace_name(v, new, value) for k, v in values.items()}, new: value}


def _replace_name(text: str, name: str, value: str) -> str:
    return re.sub(rf"(?<![\w.✝'@]){re.escape(name)}(?![\w.✝'])", lambda _: value, text)


def _targets(goal: Goal, theory: Theory) -> list[tuple[Term, Term]]:
    """Subterms to abstract, with their types: applications of functions, and data that occurs more than once (what an
    accumulator starts with); those that occur often and are large first."""
    counts: dict[Term, int] = {}
    types = {h.name for h in goal.types}
    locals_ = set(goal.names)
    for term in (goal.conclusion, *(h.type for h in goal.propositions)):
        for part in subterms(term):
            if isinstance(part, App) and isinstance(part.fn, Const) and free(part) and free(part) <= locals_:
                counts[part] = counts.get(part, 0) + 1
    found: list[tuple[int, int, str, Term, Term]] = []
    for part, count in counts.items():
        assert isinstance(part, App) and isinstance(part.fn, Const)
        repeated = count > 1 and part.fn.name in theory.constructors and not free(part) <= types
        if part.fn.name not in theory.functions and not repeated:
            continue
        type_ = result_type(part, theory)
        if type_ is None or theory.is_data(type_) is None or type_ == Const("Bool"):
            continue
        found.append((-count, -size(part), show(part), part, type_))
    return [(part, type_) for _, _, _, part, type_ in sorted(found, key=lambda item: item[:3])][:5]


def result_type(term: Term, theory: Theory) -> Term | None:
    """The type of a full application of a known constant."""
    if isinstance(term, Const):
        return theory.types.get(term.name)
    if not (isinstance(term, App) and isinstance(term.fn, Const)):
        return None
    type_ = theory.types.get(term.fn.name)
    if type_ is None:
        return None
    binders, target = strip_pis(type_)
    if len(binders) < len(term.args):
        return None
    values = {name: arg for (name, _, _), arg in zip(binders, term.args, strict=False) if name != "_"}
    if len(binders) > len(term.args):
        return None
    return substitute(target, values)


def _stem(target: Term) -> str:
    return "ys" if isinstance(target, App) and "ist" in show(target) else "m"
