"""A part of the corpus that still meets every attack vector."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from unsorry.redteam.corpus import Case


def sample(cases: Sequence[Case], n: int, seed: int = 0) -> list[Case]:
    """About `n` cases: every vector at least once, honest cases in their share, at least one of them.

    The same for the same cases, `n` and `seed`, whatever the cases' order.  Larger than `n` where the vectors alone
    need more; all cases where there are no more than `n`.
    """
    pool = sorted(cases, key=str)
    random.Random(seed).shuffle(pool)  # noqa: S311
    if n >= len(pool):
        return sorted(pool, key=str)
    hostile = [case for case in pool if case.hostile]
    honest = [case for case in pool if not case.hostile]
    share = min(len(honest), max(1, round(n * len(honest) / len(pool)))) if honest else 0
    chosen = _cover(hostile, honest)
    for group, wanted in ((honest, share), (hostile, n - share)):
        have = sum(case in chosen for case in group)
        chosen.update(dict.fromkeys([case for case in group if case not in chosen][: max(0, wanted - have)]))
    return sorted(chosen, key=str)


def _cover(hostile: Sequence[Case], honest: Sequence[Case]) -> dict[Case, None]:
    """Cases that have every vector between them, the rarest vectors first; a hostile case where there is one."""
    count = Counter(vector for case in hostile for vector in case.vectors)
    twins = Counter(vector for case in honest for vector in case.vectors if vector not in count)
    chosen: dict[Case, None] = {}
    for group, vectors in ((hostile, count), (honest, twins)):
        for vector in sorted(vectors, key=lambda v: (vectors[v], v)):
            if not any(vector in case.vectors for case in chosen if case.hostile or group is honest):
                chosen[next(case for case in group if vector in case.vectors)] = None
    return chosen
