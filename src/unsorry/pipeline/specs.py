"""A recipe as values: what the rest of the pipeline works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from unsorry import UnsorryError
from unsorry.pipeline.faults import similar
from unsorry.pipeline.settings import JudgeConfig, ModelConfig, ResourcesConfig, RowConfig
from unsorry.pipeline.stage import KINDS, StageConfig, data_fields

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Reference:
    """`stage.artifact` of an earlier stage."""

    stage: str
    artifact: str

    def __str__(self) -> str:
        return f"{self.stage}.{self.artifact}"


@dataclass(frozen=True, slots=True)
class StageSpec:
    """One [[stage]] table, checked."""

    name: str
    kind: str
    row: str
    config: StageConfig
    inputs: Mapping[str, tuple[Reference, ...]]
    on_fail: str = "stop"  # of its gate: "stop" | "rollback" (its outputs are its inputs of the same name) | "continue"
    skip: str = ""  # a reason: it is shown and planned, never run; its outputs are its inputs of the same name
    expect: Mapping[str, float] = field(default_factory=dict)  # for the plan only
    needs: tuple[str, ...] = ()  # for the plan only: "dataset:ID", "package:NAME", "program:NAME"

    def handed_on(self, output: str) -> tuple[Reference, ...]:
        """What stands for an output when the stage is skipped or rolled back; () if nothing does."""
        found = self.inputs.get(KINDS[self.kind].stand_in(output), ())
        return found if len(found) == 1 else ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """A whole recipe, flags applied."""

    path: Path
    name: str
    seed: int
    model: ModelConfig
    judge: JudgeConfig
    resources: ResourcesConfig
    rows: Mapping[str, RowConfig]
    stages: tuple[StageSpec, ...]

    def stage(self, name: str) -> StageSpec:
        """The stage of that name; UnsorryError with the most similar one."""
        for spec in self.stages:
            if spec.name == name:
                return spec
        raise UnsorryError(f"{self.path}: no stage {name!r}{similar(name, [s.name for s in self.stages])}")

    def source(self, reference: Reference) -> Reference:
        """What a reference means once stages that are skipped hand their inputs on."""
        spec = self.stage(reference.stage)
        while spec.skip:
            (reference,) = spec.handed_on(reference.artifact)
            spec = self.stage(reference.stage)
        return reference

    def as_json(self) -> dict[str, Any]:
        """The recipe as it is run, defaults and flags included."""
        tables = {name: getattr(self, name).model_dump(mode="json") for name in ("model", "judge", "resources")}
        stages = [
            {
                "kind": spec.kind,
                "name": spec.name,
                "row": spec.row,
                "on_fail": spec.on_fail,
                "skip": spec.skip,
                **{name: [str(r) for r in given] for name, given in spec.inputs.items()},
                **spec.config.model_dump(mode="json"),
            }
            for spec in self.stages
        ]
        return {"format": FORMAT, "name": self.name, "seed": self.seed, **tables, "stage": stages}


def missing_data(recipe: Recipe) -> list[str]:
    """One line for every data file that the stages to run name and that is not there."""
    lines = []
    for spec in recipe.stages:
        if spec.skip:
            continue
        for key, path in data_of(spec.config):
            if not path.exists():
                lines.append(f"{recipe.path}: [[stage]] {spec.name}: `{key}`: no such file or folder: {path}")
    return lines


def data_of(config: BaseModel) -> list[tuple[str, Path]]:
    """(field, path) of every data file that a config names."""
    found = []
    for key in data_fields(type(config)):
        value = getattr(config, key)
        paths = [value] if isinstance(value, Path) else list(value or ())
        found += [(key, path) for path in paths]
    return found
