"""Read a recipe: what a person wrote, checked whole before anything runs."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from unsorry import UnsorryError
from unsorry.pipeline import reference
from unsorry.pipeline.faults import explain, similar
from unsorry.pipeline.settings import JudgeConfig, ModelConfig, ResourcesConfig, RowConfig, ShapeConfig
from unsorry.pipeline.specs import FORMAT, Recipe, Reference, StageSpec, data_of, missing_data
from unsorry.pipeline.stage import EXPECTED, KINDS, RESERVED, Stage, data_fields, find

__all__ = [
    "JudgeConfig",
    "ModelConfig",
    "Recipe",
    "Reference",
    "ResourcesConfig",
    "RowConfig",
    "ShapeConfig",
    "StageSpec",
    "data_of",
    "load",
    "missing_data",
]

NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")  # of recipes and stages: they become folders
TABLES = ("format", "name", "seed", "model", "judge", "resources", "rows", "stage")


def load(path: Path, *, sets: Sequence[str] = (), seed: int | None = None) -> Recipe:
    """Read and check a recipe; `sets` are `table.key=value` flags.  Raises UnsorryError, one line, for any fault."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UnsorryError(f"no recipe at {path}; the recipes that come with unsorry are in recipes/") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnsorryError(f"cannot read the recipe {path}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise UnsorryError(f"{path} is not TOML: {error}") from None
    if seed is not None:
        raw["seed"] = seed
    for assignment in sets:
        _override(raw, assignment, path)
    return _Reader(path).recipe(raw)


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path

    def fault(self, table: str, text: str) -> UnsorryError:
        return UnsorryError(f"{self.path}: {table + ': ' if table else ''}{text}")

    def recipe(self, raw: Mapping[str, Any]) -> Recipe:
        if raw.get("format") != FORMAT:
            raise self.fault("", f"`format` must be {FORMAT}, not {raw.get('format')!r}")
        for key in raw:
            if key not in TABLES:
                raise self.fault("", f"unknown key `{key}`{similar(key, TABLES)}")
        name, seed = raw.get("name"), raw.get("seed", 0)
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise self.fault("", f"`name` must be lower-case letters, digits, - and _, not {name!r}")
        if type(seed) is not int or seed < 0:
            raise self.fault("", f"`seed` must be a whole number from 0, not {seed!r}")
        rows = raw.get("rows", {})
        if not isinstance(rows, dict):
            raise self.fault("[rows]", "must be a table")
        for row in rows:
            if row not in reference.ROWS:
                raise self.fault("[rows]", f"unknown row `{row}`{similar(row, reference.ROWS)}")
        return Recipe(
            path=self.path,
            name=name,
            seed=seed,
            model=self.config(ModelConfig, raw.get("model", {}), "[model]"),
            judge=self.config(JudgeConfig, raw.get("judge", {}), "[judge]"),
            resources=self.config(ResourcesConfig, raw.get("resources", {}), "[resources]"),
            rows={row: self.config(RowConfig, value, f'[rows."{row}"]') for row, value in rows.items()},
            stages=self.stages(raw.get("stage", [])),
        )

    def stages(self, tables: object) -> tuple[StageSpec, ...]:
        if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
            raise self.fault("", "no [[stage]] table: a recipe needs at least one stage")
        specs: dict[str, StageSpec] = {}
        names = [_name(table) for table in tables]
        for table, name in zip(tables, names, strict=True):
            if names.count(name) > 1:
                raise self.fault(f"[[stage]] {name}", "two stages have this name: give each a `name` of its own")
            specs[name] = self.spec(table, name, specs, names)
        return tuple(specs.values())

    def spec(self, table: dict[str, Any], name: str, earlier: Mapping[str, StageSpec], names: list[str]) -> StageSpec:
        place = f"[[stage]] {name}"
        kind = table.get("kind", "")
        stage = find(kind) if isinstance(kind, str) else None
        if stage is None:
            raise self.fault(
                place, f"no stage of the kind {kind!r}{similar(kind, KINDS)}; there are {', '.join(sorted(KINDS))}"
            )
        if not NAME.fullmatch(name):
            raise self.fault(place, "`name` must be lower-case letters, digits, - and _")
        right = [*RESERVED, *stage.inputs, *stage.Config.model_fields]
        for key in table:
            if key not in right:
                raise self.fault(place, f"unknown key `{key}`{similar(key, right)}")
        own = {key: value for key, value in table.items() if key not in RESERVED and key not in stage.inputs}
        spec = StageSpec(
            name=name,
            kind=kind,
            row=self.choice(table, "row", ("", *reference.ROWS), stage.row, place),
            config=self.config(stage.Config, self.resolved(own, stage), place),
            inputs={i: self.references(table, i, stage, earlier, names, place) for i in stage.inputs},
            on_fail=self.choice(table, "on_fail", ("stop", "rollback", "continue"), "stop", place),
            skip=self.text(table, "skip", place),
            expect=self.expect(table.get("expect", {}), place),
            needs=self.needs(table.get("needs", []), place),
        )
        if spec.on_fail == "rollback" and not any(map(spec.handed_on, stage.outputs)):
            raise self.fault(place, f'on_fail = "rollback" needs an input that it can go back to: a {kind} has none')
        return spec

    def resolved(self, own: dict[str, Any], stage: type[Stage]) -> dict[str, Any]:
        """Data paths are relative to the recipe."""
        folder = self.path.parent

        def absolute(value: Any) -> Any:
            if isinstance(value, str):
                return os.path.normpath(folder / value)
            return [absolute(v) for v in value] if isinstance(value, list) else value

        data = data_fields(stage.Config)
        return {key: absolute(value) if key in data else value for key, value in own.items()}

    def references(
        self,
        table: Mapping[str, Any],
        name: str,
        stage: type[Stage],
        earlier: Mapping[str, StageSpec],
        names: list[str],
        place: str,
    ) -> tuple[Reference, ...]:
        wanted, value, skipped = stage.inputs[name], table.get(name), bool(table.get("skip"))
        if value is None or value == []:
            if wanted.required and not skipped:
                givers = [n for n, s in earlier.items() if wanted.artifact in KINDS[s.kind].outputs]
                hint = f'such as {name} = "{givers[-1]}"' if givers else f"no stage before it makes a {wanted.artifact}"
                raise self.fault(place, f"the input `{name}` is missing: name an earlier stage, {hint}")
            return ()
        values: list[Any] = value if isinstance(value, list) else [value]
        if (isinstance(value, list) and not wanted.many) or not all(isinstance(v, str) for v in values):
            shape = "a list of names" if wanted.many else "one name"
            raise self.fault(place, f"the input `{name}` must be {shape} of earlier stages, not {value!r}")
        return tuple(self.reference(v, name, wanted.artifact, earlier, names, place, skipped) for v in values)

    def reference(
        self,
        text: str,
        name: str,
        default: str,
        earlier: Mapping[str, StageSpec],
        names: list[str],
        place: str,
        skipped: bool,
    ) -> Reference:
        giver, _, artifact = text.partition(".")
        artifact = artifact or default
        if giver not in earlier:
            if giver in names:
                raise self.fault(place, f"the input `{name}` names {giver!r}, which is not before it: move that up")
            raise self.fault(place, f"the input `{name}` names {giver!r}, which is no stage{similar(giver, names)}")
        outputs = KINDS[earlier[giver].kind].outputs
        if artifact not in outputs:
            makes = f"it makes {', '.join(outputs)}" if outputs else "it makes nothing"
            raise self.fault(place, f"the input `{name}` wants {giver}.{artifact}, but {makes}")
        if earlier[giver].skip and not skipped and not earlier[giver].handed_on(artifact):
            raise self.fault(
                place, f"the input `{name}` needs {giver!r}, which is skipped and has no {artifact} of its own"
            )
        return Reference(giver, artifact)

    def config(self, model: type[Any], raw: object, place: str) -> Any:
        if not isinstance(raw, dict):
            raise self.fault(place, "must be a table")
        try:  # through JSON, because strict Python input refuses lists for tuples and text for paths
            return model.model_validate_json(json.dumps(raw, default=str), strict=True)
        except ValidationError as error:
            raise self.fault(*explain(error, model, place)) from None

    def choice(self, table: Mapping[str, Any], key: str, right: Sequence[str], default: str, place: str) -> str:
        value = table.get(key, default)
        if value not in right:
            hint = similar(value, right)
            raise self.fault(place, f"`{key}` is {value!r}{hint}; it is one of {', '.join(map(repr, right))}")
        return str(value)

    def text(self, table: Mapping[str, Any], key: str, place: str) -> str:
        value = table.get(key, "")
        if not isinstance(value, str):
            raise self.fault(place, f"`{key}` must be text that gives the reason, not {value!r}")
        return value

    def expect(self, value: object, place: str) -> Mapping[str, float]:
        if not isinstance(value, dict) or not all(type(v) in (int, float) for v in value.values()):
            raise self.fault(place, "`expect` must be a table of numbers")
        for key in value:
            if key not in EXPECTED:
                raise self.fault(f"{place}.expect", f"unknown key `{key}`{similar(key, EXPECTED)}")
        return {str(key): float(number) for key, number in value.items()}

    def needs(self, value: object, place: str) -> tuple[str, ...]:
        kinds = ("dataset", "package", "program")
        if not isinstance(value, list) or not all(isinstance(v, str) and v.partition(":")[0] in kinds for v in value):
            raise self.fault(place, '`needs` must be a list such as ["dataset:ID", "package:NAME", "program:NAME"]')
        return tuple(value)


def _name(table: Mapping[str, Any]) -> str:
    return str(table.get("name", table.get("kind", "")))


def _override(raw: dict[str, Any], assignment: str, path: Path) -> None:
    """Apply one `--set stage.sft.epochs=2`; the value is TOML, or text when it is none."""
    key, equals, text = assignment.partition("=")
    if not equals or not key.strip():
        raise UnsorryError(f"--set {assignment!r}: write it as table.key=value, such as --set stage.sft.epochs=2")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    parts = key.strip().split(".")
    table: Any = raw
    if parts[0] == "stage" and len(parts) > 2:
        tables = [t for t in raw.get("stage", []) if isinstance(t, dict)]
        named = [t for t in tables if _name(t) == parts[1]]
        if not named:
            raise UnsorryError(f"--set {key}: {path} has no stage {parts[1]!r}{similar(parts[1], map(_name, tables))}")
        table, parts = named[0], parts[2:]
    for part in parts[:-1]:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise UnsorryError(f"--set {key}: `{part}` is not a table in {path}")
    table[parts[-1]] = value
