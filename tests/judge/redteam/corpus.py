"""The cases of `redteam/`, read from their folders; the format is documented in redteam/README.md."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from unsorry import Problem, Verdict

CORPUS = Path(__file__).resolve().parents[3] / "redteam"
KINDS = ("hostile", "honest")
NEEDS = ("core", "lean", "mathlib")
VERDICTS = ("accepted", "rejected", "undecided")
FOOLS = ("exit-code", "messages", "print-axioms")
DEFENCES = tuple("TACKMSPHV")


@dataclass(frozen=True, slots=True)
class Case:
    """One submission with its right verdict; `verdict` and `reason` list all answers that are right."""

    id: str
    kind: str
    mechanism: str
    targets: tuple[str, ...]
    needs: str
    verdict: tuple[str, ...]
    reason: tuple[str, ...]
    statement: str
    submission: str
    vectors: tuple[int, ...] = ()
    defence: tuple[str, ...] = ()
    fools: tuple[str, ...] = ()
    plant: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.kind}/{self.id}"

    @property
    def problem(self) -> Problem:
        return Problem(self.id, self.statement, self.targets, origin=f"redteam/{self.kind}/{self.id}", family=self.kind)

    def complaint(self, verdict: Verdict) -> str:
        """What is wrong with a verdict, "" if nothing."""
        got = f"{verdict.status} ({verdict.reason}: {verdict.message})"
        if verdict.status in self.verdict and verdict.reason in self.reason:
            return ""
        wrong = "false accept" if verdict.accepted else "false reject" if "accepted" in self.verdict else "wrong verdict"
        if verdict.status in self.verdict:
            wrong = "wrong reason"
        return f"{wrong}: {self.id}: {got}, right is {' or '.join(self.verdict)} ({' or '.join(self.reason)}); {self.mechanism}"


def read(folder: Path) -> Case:
    """A case from its folder; raises ValueError for a key that the format does not have, or a value it does not allow."""
    raw = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
    if raw.pop("format") != 1:
        raise ValueError(f"{folder}: only format 1 is known")
    texts = {name: (folder / f"{name}.lean").read_bytes().decode() for name in ("statement", "submission")}
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
    case = Case(**values, **texts)
    for name, value, allowed in (("kind", [case.kind], KINDS), ("needs", [case.needs], NEEDS), ("fools", case.fools, FOOLS),
                                 ("verdict", case.verdict, VERDICTS), ("defence", case.defence, DEFENCES)):
        if not set(value) <= set(allowed):
            raise ValueError(f"{folder}: {name} is {value}, allowed are {allowed}")
    return case


def load(corpus: Path = CORPUS) -> list[Case]:
    """All cases of a corpus, in the order of their paths."""
    return [read(path.parent) for path in sorted(corpus.glob("*/*/case.toml"))]


CASES = load()
RUNNABLE = [case for case in CASES if case.needs == "core"]
