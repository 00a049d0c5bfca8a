"""Counterexamples that the judge accepted, kept one by one; those that an earlier start kept are judged again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unsorry import Judge, Problem
from unsorry.pipeline.storage import read_json, write_json
from unsorry.scaffolds.disprove import disprove, refutes


@dataclass(frozen=True, slots=True)
class Refuted:
    """A proof of the negation of a problem and the values of its data, to read; "" where none was found."""

    source: str = ""
    witness: str = ""

    def __bool__(self) -> bool:
        return bool(self.source)


def refutations(
    problems: Sequence[Problem],
    judge: Judge,
    path: Path,
    *,
    seconds: float,
    seed: int,
    workers: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> dict[str, Refuted]:
    """Problem id -> its refutation; `seconds` for each search.

    The file at `path` saves searching again.  Anybody may have written there: a proof of it counts once the judge has
    accepted it again, and a witness is for reading.
    """
    kept = _read(path)

    def one(problem: Problem) -> Refuted:
        earlier = kept.get(problem.id)
        if earlier is not None and (not earlier or refutes(problem, earlier.source, judge, timeout=seconds)):
            return earlier
        found = disprove(problem, judge, timeout=seconds, seed=seed)
        return Refuted(found.source, found.witness) if found else Refuted()

    done: dict[str, Refuted] = {}
    with ThreadPoolExecutor(max(1, workers)) as pool:
        for problem, found in zip(problems, pool.map(one, problems), strict=True):
            done[problem.id] = found
            write_json(path, {"format": 1, "refutations": {name: asdict(one) for name, one in (kept | done).items()}})
            if progress is not None:
                progress(len(done), len(problems))
    return done


def _read(path: Path) -> dict[str, Refuted]:
    raw: Any = read_json(path)
    entries = raw.get("refutations") if isinstance(raw, Mapping) else None
    found = {}
    for name, entry in entries.items() if isinstance(entries, Mapping) else ():
        parts = [entry.get(key) for key in ("source", "witness")] if isinstance(entry, Mapping) else [None]
        if all(isinstance(part, str) for part in parts):
            found[name] = Refuted(*parts)
    return found
