"""Canaries: problems that must never be proved ride in a batch; an accepted one stops the run.

A canary is a false statement: the negation of a problem that has a proof, or one known to be false otherwise.  A
statement and its negation both accepted is the same alarm.  What set it off is on disk before the run stops.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unsorry import Attempt, Problem, UnsorryError
from unsorry.evaluation.attempts import to_json
from unsorry.scaffolds.prove_or_disprove import disproves, proves


class CanaryAccepted(UnsorryError):
    """The judge accepted a proof of something false; nothing that this run rewarded can be trusted."""


@dataclass(frozen=True, slots=True)
class Canaries:
    """Canary problems, each with the reason why it is false."""

    problems: tuple[Problem, ...] = ()
    why: Mapping[str, str] = dataclasses.field(default_factory=dict)  # by problem id

    def mix(self, problems: Sequence[Problem], *, count: int, seed: int) -> list[Problem]:
        """`problems` in their order with `count` canaries among them (all, if there are fewer), drawn by the seed."""
        chosen = random.Random(seed)  # noqa: S311
        known = {problem.id for problem in problems}
        free = [canary for canary in self.problems if canary.id not in known]
        mixed = list(problems)
        for canary in chosen.sample(free, min(count, len(free))):
            mixed.insert(chosen.randint(0, len(mixed)), canary)
        return mixed

    def split(self, attempts: Iterable[Attempt]) -> tuple[list[Attempt], list[Attempt]]:
        """(the attempts to train on, those at canaries)."""
        mine = set(self.why)
        ordinary: list[Attempt] = []
        canary: list[Attempt] = []
        for attempt in attempts:
            (canary if attempt.problem in mine else ordinary).append(attempt)
        return ordinary, canary

    def inspect(self, attempts: Iterable[Attempt], folder: Path) -> None:
        """Raises CanaryAccepted for a proof of a canary, or of both a statement and its negation.

        What was accepted is stored in `folder` before.  To have disproved a canary is right and no alarm.
        """
        proved: dict[str, Attempt] = {}
        disproved: dict[str, Attempt] = {}
        for attempt in attempts:
            if proves(attempt):
                if attempt.problem in self.why:
                    self._stop(folder, attempt.problem, self.why[attempt.problem], [attempt])
                proved.setdefault(attempt.problem, attempt)
            elif disproves(attempt):
                disproved.setdefault(attempt.problem, attempt)
        for name, attempt in proved.items():
            other = disproved.get(name) or proved.get(f"{name}.neg")
            if other is not None:
                self._stop(folder, name, "it and its negation were both accepted", [attempt, other])

    def _stop(self, folder: Path, name: str, why: str, attempts: Sequence[Attempt]) -> None:
        incident = {"problem": name, "why": why, "attempts": [to_json(attempt) for attempt in attempts]}
        path = _store(folder, incident)
        raise CanaryAccepted(
            f"the judge accepted a proof of {name}, although {why}; the run is stopped, the incident is in {path}"
        )


def canaries(
    problems: Iterable[Problem], negation: Callable[[Problem], Problem | None], *, known_false: Iterable[Problem] = ()
) -> Canaries:
    """Canaries from problems that have an accepted proof, by negating them, and from statements known to be false."""
    made: dict[str, Problem] = {}
    why: dict[str, str] = {}
    for problem in problems:
        negated = negation(problem)
        if negated is not None:
            made[negated.id], why[negated.id] = negated, f"its negation {problem.id} has a proof"
    for problem in known_false:
        made[problem.id], why[problem.id] = problem, "it is known to be false"
    return Canaries(tuple(made.values()), why)


def _store(folder: Path, incident: Mapping[str, Any]) -> Path:
    """A file for the incident, whole and synced; its name tells what is in it, so the same one is stored once."""
    data = json.dumps(incident, indent=1, default=str).encode()
    path = folder / f"canary-{hashlib.sha256(data).hexdigest()[:12]}.json"
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:  # the alarm matters more than its record
        raise CanaryAccepted(
            f"the judge accepted a proof of {incident['problem']}, although {incident['why']}; the run is stopped; "
            f"the incident could not be stored in {folder}: {error.strerror or error}"
        ) from None
    return path
