"""What a stage is: its kind, the inputs it takes, its own Config, what it is given and what it gives back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict

from unsorry.pipeline.progress import Progress

if TYPE_CHECKING:
    from unsorry.pipeline.recipe import Recipe
    from unsorry.pipeline.resources import Resources


class StageStatus(StrEnum):
    """The words of the ledger's status column."""

    PLANNED = "Planned"
    QUEUED = "Queued"
    RUNNING = "Running"
    DONE = "Done"
    FAILED_GATE = "Failed gate"
    OUT_OF_SCOPE = "Out of scope"


class StageConfig(BaseModel):
    """Base of every Config: unknown keys are errors, values do not change once read."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class _FromRecipe:
    """Marks a path that is relative to the recipe's folder and must be there; its content enters the stage's key."""


Data = Annotated[Path, _FromRecipe()]  # a file or folder of data that a recipe names


@dataclass(frozen=True, slots=True)
class Input:
    """An input: `artifact` is what is taken of a stage when the recipe names the stage alone."""

    artifact: str
    required: bool = True
    many: bool = False  # a list of references; the runner gives a tuple


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file or folder that a finished stage made."""

    stage: str  # the name of the stage that made it
    name: str
    path: Path
    key: str  # content address of the stage
    metrics: Mapping[str, Any] = field(default_factory=dict)  # what that stage measured


class Inputs(Mapping[str, Artifact]):
    """The inputs by name: `inputs["model"]` is one artifact, `inputs.many("pools")` a tuple, in the recipe's order."""

    def __init__(self, given: Mapping[str, tuple[Artifact, ...]]) -> None:
        self._given = dict(given)

    def __getitem__(self, name: str) -> Artifact:
        found = self._given[name]
        if len(found) != 1:
            raise KeyError(name)
        return found[0]

    def __iter__(self) -> Any:
        return (name for name, found in self._given.items() if len(found) == 1)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def many(self, name: str) -> tuple[Artifact, ...]:
        """All artifacts of an input, () where the recipe gives none."""
        return self._given.get(name, ())


@dataclass(frozen=True, slots=True)
class Context:
    """What a running stage is given.  `folder` is its own and survives interruptions: journals go there."""

    name: str
    folder: Path
    config: Any  # an instance of the stage's Config
    seed: int  # of this stage: derived from the run's seed and the stage's name
    inputs: Inputs
    recipe: Recipe
    progress: Progress
    resources: Resources


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a stage did and measured: the cells of its row, and what later stages take.

    `artifacts` are paths inside the stage's folder, one for each of the stage's `outputs`.  A gate that failed is
    `status=FAILED_GATE` with the `reason`; what happens then is the recipe's `on_fail`.
    """

    ours: str
    data: str = "-"
    gate: str = "-"
    status: StageStatus = StageStatus.DONE
    reason: str = ""
    metrics: Mapping[str, Any] = field(default_factory=dict)  # plain JSON
    artifacts: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Work:
    """What a stage will do, for the plan; 0 is none, None is unknown.  Tokens are totals of the stage."""

    sampled: int | None = 0  # tokens that the prover writes
    prompted: int | None = 0  # tokens that it reads
    trained: int | None = 0  # tokens in forward and backward passes, every epoch and update counted
    judged: int | None = 0  # submissions that the strict judge sees
    length: int = 0  # longest sequence in training
    context: int = 0  # longest sequence in sampling
    rank: int = 0  # of LoRA; 0 with `trained` is all weights
    sampled_tokens_kept: bool = False  # attempts stay on disk with token ids and log-probs
    models: int = 0  # model copies or adapters (rank > 0) that stay on disk
    needs: tuple[str, ...] = ()  # data sets, packages, programs that must be had: "dataset:ID", "package:NAME"
    note: str = ""

    @classmethod
    def of_attempts(cls, attempts: int, expect: Mapping[str, float], context: int, **more: Any) -> Work:
        """`attempts` sampled and judged, with the lengths that the recipe expects; `more` is what else is done."""
        return cls(
            sampled=int(attempts * expect.get("completion_tokens", 0)),
            prompted=int(attempts * expect.get("prompt_tokens", 0)),
            judged=attempts,
            context=context,
            **more,
        )


TOTALS = ("sampled", "prompted", "trained", "judged", "length", "context", "rank")  # of Work, that a recipe may state
EXPECTED = (*TOTALS, "problems", "completion_tokens", "prompt_tokens", "rows", "row_tokens", "models")  # [stage.expect]


class Stage(ABC):
    """A function from artifacts to artifacts.  Subclass, fill the class variables, decorate with `register`.

    `run` is called in a folder that may hold what an interrupted call left: it goes on from there, and pays for
    nothing twice.  It raises UnsorryError for what a person can mend.
    """

    kind: ClassVar[str]
    row: ClassVar[str] = ""  # the reference table's row that it feeds; "" is none
    inputs: ClassVar[Mapping[str, Input]] = {}
    outputs: ClassVar[tuple[str, ...]] = ()
    instead: ClassVar[Mapping[str, str]] = {}  # output -> input that stands for it after a rollback; else the same name
    Config: ClassVar[type[StageConfig]] = StageConfig

    @classmethod
    def stand_in(cls, output: str) -> str:
        """The input that is handed on for an output when the stage is skipped or rolled back."""
        return cls.instead.get(output, output)

    @abstractmethod
    def run(self, context: Context) -> Outcome:
        """Do the work."""

    def work(self, config: Any, expect: Mapping[str, float], recipe: Recipe) -> Work | None:
        """What it would do, from its config and what the recipe expects; None: nothing that costs anything.

        Totals that `expect` states (see TOTALS) go over what this returns.
        """
        return None


KINDS: dict[str, type[Stage]] = {}
RESERVED = frozenset({"kind", "name", "row", "on_fail", "skip", "expect", "needs"})  # keys of every [[stage]]

S = TypeVar("S", bound=type[Stage])


def register(stage: S) -> S:
    """Make a kind known to recipes; a class decorator."""
    keys = [*stage.inputs, *stage.Config.model_fields]
    taken = {key for key in keys if key in RESERVED or keys.count(key) > 1}
    if taken:
        raise TypeError(f"stage {stage.kind}: {sorted(taken)} mean two things in its recipe table")
    known = KINDS.setdefault(stage.kind, stage)
    if known is not stage and known.__qualname__ != stage.__qualname__:
        raise TypeError(f"two stages of the kind {stage.kind}: {known.__qualname__} and {stage.__qualname__}")
    KINDS[stage.kind] = stage
    return stage


def find(kind: str) -> type[Stage] | None:
    """The stage of a kind; the package's own are imported when a kind is not known yet."""
    if kind not in KINDS:
        from unsorry.pipeline import stages

        stages.load()
    return KINDS.get(kind)


def data_fields(config: type[BaseModel]) -> tuple[str, ...]:
    """The fields of a Config that are `Data` (or `Data | None`, or tuples of it): paths that must exist."""
    return tuple(name for name, info in config.model_fields.items() if _marked(info.annotation, info.metadata))


def _marked(annotation: Any, metadata: Any = ()) -> bool:
    parts = (*metadata, *getattr(annotation, "__metadata__", ()))
    return any(isinstance(m, _FromRecipe) for m in parts) or any(
        _marked(a) for a in getattr(annotation, "__args__", ())
    )
