"""The cases of `redteam/`, read from their folders; the format is documented in redteam/README.md."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
        known, sound = verdict.status in self.verdict, verdict.reason in self.reason
        if known and sound:
            return ""
        wrong = "wrong reason" if known else "wrong verdict"
        if not known and verdict.accepted:
            wrong = "false accept"
        elif not known and "accepted" in self.verdict:
            wrong = "false reject"
        right = f"{' or '.join(self.verdict)} ({' or '.join(self.reason)})"
        got = f"{verdict.status} ({verdict.reason}: {verdict.message})"
        return f"{wrong}: {self}: {got}, right is {right}; {self.mechanism}"


def read(folder: Path) -> Case:
    """A case from its folder; raises ValueError for keys that the format does not have and values it does not allow."""
    raw = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
    if raw.pop("format") != 1:
        raise ValueError(f"{folder}: only format 1 is known")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
    for name in ("statement", "submission"):  # line ends belong to the case
        values[name] = (folder / f"{name}.lean").read_bytes().decode()
    try:
        case = Case(**values)
    except TypeError as error:
        raise ValueError(f"{folder}: {error}") from None
    allowed = {"kind": KINDS, "needs": NEEDS, "fools": FOOLS, "verdict": VERDICTS, "defence": DEFENCES}
    for key, choices in allowed.items():
        value = values.get(key, ())
        if not {value} <= set(choices) if isinstance(value, str) else not set(value) <= set(choices):
            raise ValueError(f"{folder}: {key} is {value}, allowed are {', '.join(choices)}")
    return case


def load(corpus: Path = CORPUS) -> list[Case]:
    """All cases of a corpus, in the order of their paths."""
    return [read(path.parent) for path in sorted(corpus.glob("*/*/case.toml"))]


CASES = load()
RUNNABLE = [case for case in CASES if case.needs == "core"]
