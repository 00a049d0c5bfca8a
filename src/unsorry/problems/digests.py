"""Digests of many elaborated statements at the cost of few runs of Lean: the problems of a batch share a file.

Each problem stands in a namespace of its own; a digest does not depend on names, so it is the one that the judge
gives to the problem alone.  A batch that Lean does not take as a whole is halved until the fault is one problem's.
Digests made here serve to compare statements; a verdict never rests on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

from unsorry import Problem
from unsorry.judge import statement
from unsorry.judge.compile import compile_source
from unsorry.judge.digest import statement_digest
from unsorry.judge.judge import StrictJudge
from unsorry.judge.reasons import Refusal
from unsorry.lean import olean
from unsorry.lean.olean import OleanError
from unsorry.lean.terms import Arena

TOGETHER = 40  # problems in one file


def digests(problems: Iterable[Problem], judge: StrictJudge, *, workers: int = 1) -> Mapping[Problem, str]:
    """The digest of each problem's statement; a problem whose statement cannot be used is left out."""
    ordered = sorted(dict.fromkeys(problems), key=lambda p: p.header)
    batches: list[list[Problem]] = []
    for _, group in groupby(ordered, key=lambda p: p.header):
        members = list(group)
        batches += [members[i : i + TOGETHER] for i in range(0, len(members), TOGETHER)]
    with ThreadPoolExecutor(max(1, workers)) as pool:
        found = list(pool.map(lambda batch: _batch(batch, judge), batches))
    return {problem: digest for part in found for problem, digest in part.items()}


def _batch(problems: Sequence[Problem], judge: StrictJudge) -> dict[Problem, str]:
    if len(problems) == 1:
        try:
            return {problems[0]: judge.prepare(problems[0]).digest}
        except Refusal:
            return {}
    try:
        return _together(problems, judge)
    except (Refusal, OleanError):
        half = len(problems) // 2
        return _batch(problems[:half], judge) | _batch(problems[half:], judge)


def _together(problems: Sequence[Problem], judge: StrictJudge) -> dict[Problem, str]:
    """All of a batch from one compiled file; raises Refusal or OleanError."""
    parts = [problems[0].header.rstrip("\n") + "\n" if problems[0].header else ""]
    for number, problem in enumerate(problems):
        body = "".join(part.rstrip("\n") + "\n" for part in (problem.preamble, problem.statement) if part)
        parts.append(f"namespace {_space(number)}\n{body}end {_space(number)}\n")
    compiled = compile_source(judge.toolchain, "".join(parts), confinement=judge.confinement, limits=judge.limits)
    module = olean.read(compiled.olean, arena=Arena(), version=judge.toolchain.version)
    scope = judge.library.scope(i.module for i in module.imports)
    statement.check_names(module, scope)
    found: dict[Problem, str] = {}
    for number, problem in enumerate(problems):
        targets = [f"{_space(number)}.{target}" for target in problem.targets]
        found[problem] = statement_digest(statement.understand(module, scope, targets))
    return found


def _space(number: int) -> str:
    return f"UnsorryBatch{number}"
