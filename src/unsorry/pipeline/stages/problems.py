"""`problems`: the problem sets of a run, generated or read from files, one for each split."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from unsorry import Problem, UnsorryError
from unsorry.pipeline.stage import Context, Data, Outcome, Stage, StageConfig, register
from unsorry.problems import jsonl
from unsorry.problems.load import load
from unsorry.problems.world import World, WorldConfig, generate

SPLITS = ("train", "valid", "test", "guard")


class WorldTable(StageConfig):
    """A generated world: how many true problems each split gets (docs/problems.md)."""

    train: int = Field(default=240, ge=0)
    valid: int = Field(default=60, ge=1)
    test: int = Field(default=80, ge=1)
    guard: int = Field(default=30, ge=1)
    false: float = Field(default=0.25, ge=0, le=1)
    difficulties: tuple[int, ...] = (1, 2, 3, 4)
    heartbeats: int = Field(default=4000, ge=0)
    tagged: bool = False
    names: Literal["own", "random"] = "own"
    valid_share: float = Field(default=0.2, gt=0, lt=1)  # of the families
    test_share: float = Field(default=0.25, gt=0, lt=1)
    seed: int | None = None  # of the world; by default the run's, so that another seed is another world


class Config(StageConfig):
    """Either a world, or a file (or folder of TIP files) for each split."""

    world: WorldTable | None = None
    train: Data | None = None
    valid: Data | None = None
    test: Data | None = None
    guard: Data | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Config:
        files = [name for name in SPLITS if getattr(self, name) is not None]
        if self.world is not None and files:
            raise ValueError(f"give a world or files, not both: {', '.join(files)}")
        if self.world is None and not files:
            raise ValueError("give [stage.world] or a file for each of train, valid, test and guard")
        return self


@register
class Problems(Stage):
    """Writes `train`, `valid`, `test`, `guard` (true statements) and `false` (known to be false)."""

    kind = "problems"
    outputs = (*SPLITS, "false")
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        sets = _of_world(config.world, context) if config.world is not None else _of_files(config)
        paths: dict[str, Path] = {}
        for name in self.outputs:
            paths[name] = context.folder / f"{name}.jsonl"
            jsonl.write(paths[name], sets.get(name, []))
        counts = {name: len(sets.get(name, [])) for name in self.outputs}
        families = {name: len({p.family for p in sets.get(name, [])}) for name in SPLITS}
        text = ", ".join(f"{counts[name]} {name} ({families[name]} families)" for name in SPLITS)
        return Outcome(
            ours=f"{text}; {counts['false']} false",
            data="generated world" if config.world is not None else "files",
            metrics={"problems": counts, "families": families},
            artifacts=paths,
        )


def _of_world(table: WorldTable, context: Context) -> Mapping[str, list[Problem]]:
    options: dict[str, Any] = table.model_dump(exclude={"seed"})
    seed = context.recipe.seed if table.seed is None else table.seed
    world: World = generate(WorldConfig(**options), seed)
    return {
        **{split: world.problems(split) for split in SPLITS},
        "false": [item.problem for item in world.items if not item.truth],
    }


def _of_files(config: Config) -> Mapping[str, list[Problem]]:
    sets: dict[str, list[Problem]] = {}
    for split in SPLITS:
        path = getattr(config, split)
        if path is not None:
            sets[split] = [replace(problem, split=split) for problem in load(path)]
            if not sets[split]:
                raise UnsorryError(f"{path} holds no problem; the split `{split}` would be empty")
    return sets
