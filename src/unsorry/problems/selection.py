"""Which of many statements become a problem set: those that elaborate, each once, and none of another set.

Statements are compared by runs of tokens (decontamination.py) and, where Lean is there, by the digest of what they
elaborate to, so that a copy under other names is found.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from unsorry import Problem
from unsorry.problems.decontamination import Index
from unsorry.problems.normalise import statement

BATCH = 40  # statements that are elaborated at a time
Digests = Callable[[Sequence[Problem]], Mapping[Problem, str]]  # of those that elaborate


@dataclass
class Selected:
    """The problems that are kept, in their order, and id -> why another was left out."""

    problems: list[Problem] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def select(
    problems: Sequence[Problem],
    digests: Digests | None,
    *,
    without: Sequence[Problem] = (),
    sample: int = 0,
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
) -> Selected:
    """`sample` of the problems drawn at random (0: all) that elaborate, are no copies and share nothing with `without`.

    Without `digests` nothing is elaborated, and copies are told by their text alone.
    """
    order = list(range(len(problems)))
    if sample:
        random.Random(seed).shuffle(order)  # noqa: S311
    held = Index()
    for problem in without:
        held.add(problem)
    taken = {digest: problem.id for problem, digest in digests(without).items()} if digests and without else {}
    texts: dict[tuple[str, ...], str] = {}
    made = Selected()
    kept: list[int] = []
    wanted = sample or len(problems)
    for start in range(0, len(order), BATCH):
        if len(kept) >= wanted:
            break
        places = order[start : start + BATCH]
        found = digests([problems[i] for i in places]) if digests else {}
        for place in places:
            problem = problems[place]
            reason = _against(problem, held, texts)
            if not reason and digests:
                digest = found.get(problem)
                if digest is None:
                    reason = "Lean does not elaborate the statement"
                else:
                    other = taken.setdefault(digest, problem.id)
                    reason = f"states the same as {other}" if other != problem.id else ""
            if reason:
                made.refused[problem.id] = reason
            elif len(kept) < wanted:
                kept.append(place)
        progress(len(kept))
    made.problems = [problems[place] for place in sorted(kept)]
    return made


def _against(problem: Problem, held: Index, texts: dict[tuple[str, ...], str]) -> str:
    shared = held.text(problem.statement)
    if shared is not None:
        return f"shares a run of tokens with {shared[0]}"
    key = (problem.header, problem.preamble, *statement(problem))
    other = texts.setdefault(key, problem.id)
    return f"states the same as {other}" if other != problem.id else ""


@contextmanager
def elaborator(project: Path | None, sandbox: str) -> Iterator[Digests]:
    """Digests by the Lean of a project, or the one found here."""
    import os

    from unsorry.judge import StrictJudge
    from unsorry.judge.sandbox import choose
    from unsorry.lean import toolchain
    from unsorry.problems.digests import digests

    workers = os.cpu_count() or 1
    with StrictJudge(toolchain.find(project), choose(sandbox), workers=workers) as judge:
        yield lambda problems: digests(problems, judge, workers=workers)


@contextmanager
def unchecked() -> Iterator[None]:
    """Nothing is elaborated."""
    yield None
