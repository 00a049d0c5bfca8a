"""A run of a benchmark on disk.

RUN/run.json            what was asked for: source, model, profile, samples, limits, tasks
RUN/attempts.jsonl      one line an attempt that has ended, kept before the next begins (docs/eval.md)
RUN/scores.jsonl        the same attempts with their verdicts
RUN/attempts/TASK/N/    the agent's run: trajectory, patch.diff
RUN/objects, RUN/stubs  trees, and what agents begin with
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from unsorry import Attempt, UnsorryError
from unsorry.canonical import json_digest
from unsorry.evaluation import attempts as store
from unsorry.repos.scores import outcome
from unsorry.repos.sources import Item
from unsorry.repos.tasks import write_file
from unsorry.scaffolds.agent.limits import Limits

FORMAT = "unsorry-bench-run-1"
TRIES = 3  # of an attempt that fails for reasons of ours


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is; all of it but `samples` and the budgets is part of an attempt's key.

    `limits` are those of one attempt; `budget` in US dollars and `budget_tokens` are those of the whole run.
    """

    source: str
    model: str = "search"
    profile: str = "prove"
    name: str = ""  # in tables; the model's by default
    samples: int = 1
    limits: Limits = field(default_factory=Limits)
    sandbox: str = "strict"
    allow: bool = False
    prices: str = ""
    budget: float | None = None
    budget_tokens: int | None = None
    repository: str = ""
    environments: str = ""  # compiled packages, by environment

    @property
    def title(self) -> str:
        return self.name or self.model

    def key(self, id: str, stub: str, sample: int) -> str:
        """Names an attempt: the task, its stub's tree, the settings, the sample."""
        fixed = [self.model, self.profile, asdict(self.limits), self.sandbox, self.allow]
        return json_digest([id, stub, fixed, sample])[:20]


class Run:
    """A run's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def attempts(self) -> Path:
        return self.path / "attempts.jsonl"

    @property
    def scores(self) -> Path:
        return self.path / "scores.jsonl"

    def folder(self, id: str, sample: int) -> Path:
        return self.path / "attempts" / id / str(sample)

    def save(self, plan: Plan, items: Sequence[Item]) -> None:
        """Writes run.json, tasks of earlier calls included; raises UnsorryError where the folder holds another run."""
        if (self.path / "run.json").exists():
            before, earlier = self.load()
            items = [*earlier, *(item for item in items if item.id not in {e.id for e in earlier})]
            for name in ("source", "model", "profile"):
                was, now = getattr(before, name), getattr(plan, name)
                if was != now:
                    raise UnsorryError(f"{self.path} is a run with {name} {was}, not {now}: name another folder")
        raw = {"format": FORMAT, "plan": asdict(plan), "items": [asdict(item) for item in items]}
        write_file(self.path / "run.json", (json.dumps(raw, indent=1, ensure_ascii=False) + "\n").encode())
        write_file(self.path / ".gitignore", b"*\n")

    def load(self) -> tuple[Plan, tuple[Item, ...]]:
        """Raises UnsorryError where there is no run."""
        path = self.path / "run.json"
        try:
            raw: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if raw["format"] != FORMAT:
                raise ValueError(f"format is {raw['format']!r}, this version reads {FORMAT}")
            plan = {**raw["plan"], "limits": Limits(**raw["plan"]["limits"])}
            return Plan(**plan), tuple(Item(**item) for item in raw["items"])
        except OSError as error:
            raise UnsorryError(f"{self.path} holds no run: {path.name}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError) as error:
            raise UnsorryError(f"{path} cannot be read: {error}") from None


def latest(attempts: Iterable[Attempt]) -> dict[str, Attempt]:
    """For each key the line that counts: the last that is a sample, else the last."""
    found: dict[str, Attempt] = {}
    for attempt in attempts:
        key = str(attempt.notes.get("key", ""))
        if key not in found or outcome(attempt) != "infra" or outcome(found[key]) == "infra":
            found[key] = attempt
    return found


def current(plan: Plan, attempts: Iterable[Attempt]) -> list[Attempt]:
    """Those that were made under the plan as it is now: a journal may hold others, of other limits or of another stub
    of a task.  A stub's tree is in each attempt's notes."""
    return [
        a for a in attempts
        if type(sample := a.notes.get("sample", 0)) is int
        and a.notes.get("key") == plan.key(a.problem, str(a.notes.get("stub", "")), sample)
    ]  # fmt: skip


def unfinished(attempts: Iterable[Attempt], key: str) -> bool:
    """Whether an attempt is to be made, or made again: there is no sample of it, and not too many failures of ours."""
    mine = [a for a in attempts if a.notes.get("key") == key]
    return all(outcome(a) == "infra" for a in mine) and len(mine) < TRIES


def read(path: Path) -> list[Attempt]:
    """All lines of a journal, none where there is no file yet."""
    return list(store.read(path))
