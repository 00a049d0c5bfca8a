"""Test goals on small values before anything is proved about them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unsorry.provers.search.evaluate import Evaluator
from unsorry.provers.search.goals import Goal
from unsorry.provers.search.operations import Code, Env, Unsupported, Value


@dataclass(frozen=True, slots=True)
class Tested:
    """`witness` refutes; `cases` counts the samples on which all hypotheses held."""

    witness: Mapping[str, Value] | None
    cases: int
    supported: bool


def samples(evaluator: Evaluator, goal: Goal, budget: int, seed: int) -> Iterator[Env]:
    """Assignments to the data of a goal: small combinations first, then random ones."""
    variables = [h for h in goal.context if h in goal.variables]
    facts = {h.name for h in goal.propositions}
    pools = [(h.name, evaluator.values(h.type, 60, seed)) for h in variables if h.name not in facts]
    if any(not pool for _, pool in pools):
        raise Unsupported
    names = [name for name, _ in pools]
    if not names:
        yield {}
        return
    small = max(2, int((budget / 2) ** (1 / len(names))))
    for values in itertools.product(*(pool[:small] for _, pool in pools)):
        yield dict(zip(names, values, strict=True))
    rng = random.Random(seed)  # noqa: S311
    for _ in range(budget // 2):
        yield {name: pool[min(int(rng.random() ** 1.5 * len(pool)), len(pool) - 1)] for name, pool in pools}


def test(evaluator: Evaluator, goal: Goal, budget: int = 300, seed: int = 0) -> Tested:
    """Look for values that satisfy the hypotheses and not the conclusion; hypotheses that cannot be run are ignored.

    A goal with ignored hypotheses is not refuted by a failure: it then counts as unsupported.
    """
    try:
        conclusion = evaluator.compile(goal.conclusion)
    except Unsupported:
        return Tested(None, 0, False)
    premises: list[Code] = []
    ignored = False
    for h in goal.propositions:
        try:
            premises.append(evaluator.compile(h.type))
        except Unsupported:
            ignored = True
    cases = 0
    failures = 0
    try:
        for env in samples(evaluator, goal, budget, seed):
            try:
                if not all(evaluator.run(p, env) is True for p in premises):
                    continue
                holds = evaluator.run(conclusion, env)
            except Unsupported:
                failures += 1
                if failures > 20 and not cases:
                    return Tested(None, 0, False)
                continue
            cases += 1
            if holds is False:
                if ignored:
                    return Tested(None, cases, False)
                return Tested(env, cases, True)
    except Unsupported:
        return Tested(None, 0, False)
    return Tested(None, cases, cases > 0)
