"""Rollouts: attempts at many problems, chunk by chunk, each chunk one shard on disk before the next begins.

What a run is made of, problems, prover, scaffold, n, seed, decides the chunks, their seeds and their contents; a shard
that is there is never made again, so a run that was killed at any moment goes on with the chunk it was in.  Answers
that were paid for within that chunk are the prover's to keep (provers/journal.py).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from unsorry import Attempt, Judge, Problem, Prover, Sampling, UnsorryError
from unsorry.canonical import json_digest
from unsorry.evaluation import backing
from unsorry.evaluation.backing import Negate
from unsorry.judge.certificate import problem_digest
from unsorry.judge.reasons import one_line
from unsorry.pipeline import shards
from unsorry.pipeline.progress import Progress
from unsorry.provers.formats.negation import negation


class BatchScaffold(Protocol):
    """A scaffold that takes many problems at once; `settings` is all that its attempts depend on, as JSON."""

    id: str
    sampling: Sampling

    @property
    def settings(self) -> dict[str, Any]: ...

    def attempt_many(
        self, problems: Sequence[Problem], prover: Prover, judge: Judge, *, n: int, sampling: Sampling | None = None
    ) -> list[list[Attempt]]: ...


@dataclass(frozen=True, slots=True)
class Rollouts:
    """Finished rollouts: read from disk as often as wanted, in the order of the problems, never all in memory.

    Reading raises UnsorryError for an attempt that does not belong there, or that claims an acceptance which its
    certificate does not back.
    """

    paths: tuple[Path, ...]
    n: int
    problems: Mapping[str, Problem]  # by id
    negate: Negate = negation  # what a disproof's certificate is about

    def __iter__(self) -> Iterator[Attempt]:
        seen: Counter[str] = Counter()
        for path in self.paths:
            for attempt in shards.read(path):
                seen[attempt.problem] += 1
                self._check(path, attempt, seen[attempt.problem])
                yield attempt

    def _check(self, path: Path, attempt: Attempt, number: int) -> None:
        try:
            if attempt.problem not in self.problems or number > self.n:
                raise UnsorryError("nothing asked for it")
            backing.check(attempt, self.problems[attempt.problem], self.negate)
        except UnsorryError as error:
            name = one_line(attempt.problem)
            raise UnsorryError(
                f"{path}: an attempt at {name} is not what was stored ({error}); delete the shard to have it made again"
            ) from None

    def groups(self) -> Iterator[list[Attempt]]:
        """The attempts at each problem together."""
        group: list[Attempt] = []
        for attempt in self:
            if group and attempt.problem != group[0].problem:
                yield group
                group = []
            group.append(attempt)
        if group:
            yield group

    @property
    def fingerprint(self) -> str:
        """Hex sha256 of the attempts without their timings: equal for an unbroken run and one that was resumed."""
        return shards.fingerprint(self)


def rollouts(
    problems: Sequence[Problem],
    scaffold: BatchScaffold,
    prover: Prover,
    judge: Judge,
    *,
    n: int,
    seed: int,
    folder: Path,
    chunk: int = 64,
    progress: Progress | None = None,
) -> Rollouts:
    """Makes `n` attempts at each problem, except those that `folder` holds already; `chunk` problems to a shard.

    Raises UnsorryError if two problems share an id, if the folder holds rollouts of something else or a damaged shard,
    if another run is writing there, or if the disk is full: what is finished is kept.
    """
    _distinct(problems)
    if n < 1 or chunk < 1:
        raise UnsorryError(f"rollouts need n and chunk of at least 1, got n={n}, chunk={chunk}")
    pieces = [problems[start : start + chunk] for start in range(0, len(problems), chunk)]
    paths = tuple(folder / f"{index:05d}.jsonl" for index in range(len(pieces)))
    with _only_writer(folder):
        shards.sweep(folder)
        for index, (piece, path) in enumerate(zip(pieces, paths, strict=True)):
            sampling = replace(scaffold.sampling, seed=chunk_seed(seed, index))
            header = _header(piece, scaffold, sampling, prover, n)
            if not _finished(path, header):
                groups = scaffold.attempt_many(piece, prover, judge, n=n, sampling=sampling)
                shards.write(path, header, [attempt for group in groups for attempt in group])
            if progress is not None:
                progress.step(min((index + 1) * chunk, len(problems)), len(problems), "problems")
    negate: Negate = getattr(scaffold, "negation", negation)
    return Rollouts(paths, n, {problem.id: problem for problem in problems}, negate)


def chunk_seed(seed: int, index: int) -> int:
    """The seed of a chunk's samples, in [0, 2^63)."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{index}".encode()).digest()[:8], "big") >> 1


def _header(
    piece: Sequence[Problem], scaffold: BatchScaffold, sampling: Sampling, prover: Prover, n: int
) -> dict[str, Any]:
    """What the chunk is made of; `key` names all of it."""
    made_of = {
        "prover": prover.id,
        "scaffold": scaffold.id,
        "settings": scaffold.settings,
        "sampling": {"temperature": sampling.temperature, "top_p": sampling.top_p, "max_tokens": sampling.max_tokens},
        "seed": sampling.seed,
        "n": n,
        "problems": [problem.id for problem in piece],
    }
    texts = [problem_digest(problem) for problem in piece]
    key = json_digest([made_of, texts])
    return {"key": key, **made_of}


def _finished(path: Path, header: dict[str, Any]) -> bool:
    if not path.exists():
        return False
    found = shards.read_header(path)
    if found.get("key") == header["key"]:
        return True
    differs = [name for name, value in header.items() if name != "key" and found.get(name) != value]
    raise UnsorryError(
        f"{path} holds rollouts of another run ({', '.join(differs) or 'other problem texts'} differ); "
        "use another folder or delete it"
    )


def _distinct(problems: Sequence[Problem]) -> None:
    seen: set[str] = set()
    for problem in problems:
        if problem.id in seen:
            raise UnsorryError(f"two problems are called {problem.id}: their attempts could not be told apart")
        seen.add(problem.id)


@contextmanager
def _only_writer(folder: Path) -> Iterator[None]:
    """Holds the folder's lock, which a killed process gives up by itself."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise UnsorryError(f"cannot write in {folder}: {error.strerror or error}") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UnsorryError(f"another run is writing in {folder}; wait for it, or use another folder") from None
        yield
    finally:
        os.close(handle)
