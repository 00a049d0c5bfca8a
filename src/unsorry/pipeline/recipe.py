"""A recipe: what a person wrote, read and checked whole before anything runs."""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError, field_validator

from unsorry import UnsorryError
from unsorry.pipeline import reference
from unsorry.pipeline.stage import EXPECTED, KINDS, RESERVED, Stage, StageConfig, data_fields, find
from unsorry.provers import formats

FORMAT = 1
NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")  # of recipes and stages: they become folders
TABLES = ("format", "name", "seed", "model", "judge", "resources", "rows", "stage")


class ShapeConfig(StageConfig):
    """Dimensions of a Qwen3-architecture model: of the new one a recipe makes, or of the one that `path` names."""

    layers: int = Field(gt=0)
    hidden: int = Field(gt=0)
    heads: int = Field(gt=0)
    kv_heads: int = Field(gt=0)
    intermediate: int = Field(gt=0)
    head_dim: int = Field(default=0, ge=0)  # 0: hidden / heads
    vocab: int = Field(default=0, ge=0)  # 0: what the tokenizer that the recipe trains has
    tied: bool = False  # the LM head is the embedding


class ModelConfig(StageConfig):
    """[model]: where training starts."""

    path: str = ""  # a folder (relative to where the run is started) or a hub id in the local cache; "" makes a new one
    revision: str = ""  # of a hub id: a commit
    format: str = "plain"  # prompt format: of provers/formats
    dtype: Literal["float32", "bfloat16"] = "float32"  # of the frozen or trained weights
    fp32_head: bool = True  # the LM head runs in float32, in training and (where it can) in sampling
    attention: Literal["eager", "sdpa", "flash_attention_2"] = "sdpa"
    context: int = Field(default=1024, gt=0)  # longest sequence, prompt included, tokens
    shape: ShapeConfig | None = None

    @field_validator("format")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in formats.NAMES:
            raise ValueError(f"is {value!r}{_similar(value, formats.NAMES)}; it is one of {', '.join(formats.NAMES)}")
        return value


class JudgeConfig(StageConfig):
    """[judge]: the one judge of the whole run."""

    sandbox: Literal["strict", "limits", "none"] = "strict"
    fast: bool = True  # a fast tier rejects first; only the strict one accepts
    seconds: float = Field(default=30.0, gt=0)  # of processor time, an elaboration
    memory_mib: int = Field(default=4096, gt=0)  # an elaboration
    workers: int = Field(default=0, ge=0)  # submissions at a time; 0 is the cores
    full_replay: bool = False
    project: str = ""  # a Lake project (with Mathlib) whose toolchain and libraries are used; "" is the one found here


class ResourcesConfig(StageConfig):
    """[resources]: the machine the recipe is written for.  Nothing here changes results; the plan computes with it."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: int = Field(default=0, ge=0)  # of torch on CPU; 0 is the cores
    box: str = ""  # a name for the machine, for people
    gpus: int = Field(default=0, ge=0)
    gpu_memory_gib: float = Field(default=0.0, ge=0)  # usable, a card
    gpu_bandwidth_gbs: float = Field(default=0.0, ge=0)  # memory, GB/s a card
    gpu_tflops: float = Field(default=0.0, ge=0)  # dense bf16, a card
    mfu: float = Field(default=0.4, gt=0, le=1)  # share of the peak that training reaches
    host_memory_gib: float = Field(default=0.0, ge=0)
    disk_gib: float = Field(default=0.0, ge=0)
    sampler: Literal["local", "vllm"] = "local"
    tensor_parallel: int = Field(default=1, gt=0)  # vLLM: cards that share one copy of the model
    data_parallel: int = Field(default=1, gt=0)  # vLLM: copies
    gpu_utilisation: float = Field(default=0.92, gt=0, le=1)  # vLLM's share of a card
    offload: bool = False  # checkpointed hidden states wait in host memory
    sample_tokens_per_second: float = Field(default=0.0, ge=0)  # of the box; 0: from the bandwidth bound
    train_tokens_per_second: float = Field(default=0.0, ge=0)  # of the box; 0: from `gpu_tflops` and `mfu`
    judged_per_second: float = Field(default=0.0, ge=0)  # of the box; 0: the plan says it is unknown
    throughput_source: str = ""  # where these figures come from


class RowConfig(StageConfig):
    """[rows."Bug finding"]: what the table says of a row that no stage feeds."""

    status: Literal["Planned", "Out of scope"] = "Planned"
    reason: str = ""
    ours: str = ""


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
        raise UnsorryError(f"{self.path}: no stage {name!r}{_similar(name, [s.name for s in self.stages])}")

    def source(self, reference: Reference) -> Reference:
        """What a reference means once stages that are skipped hand their inputs on."""
        spec = self.stage(reference.stage)
        while spec.skip:
            (reference,) = spec.handed_on(reference.artifact)
            spec = self.stage(reference.stage)
        return reference


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
                raise self.fault("", f"unknown key `{key}`{_similar(key, TABLES)}")
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
                raise self.fault("[rows]", f"unknown row `{row}`{_similar(row, reference.ROWS)}")
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
                place, f"no stage of the kind {kind!r}{_similar(kind, KINDS)}; there are {', '.join(sorted(KINDS))}"
            )
        if not NAME.fullmatch(name):
            raise self.fault(place, "`name` must be lower-case letters, digits, - and _")
        right = [*RESERVED, *stage.inputs, *stage.Config.model_fields]
        for key in table:
            if key not in right:
                raise self.fault(place, f"unknown key `{key}`{_similar(key, right)}")
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
            raise self.fault(place, f"the input `{name}` names {giver!r}, which is no stage{_similar(giver, names)}")
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
            raise self.fault(*_explain(error, model, place)) from None

    def choice(self, table: Mapping[str, Any], key: str, right: Sequence[str], default: str, place: str) -> str:
        value = table.get(key, default)
        if value not in right:
            hint = _similar(value, right)
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
                raise self.fault(f"{place}.expect", f"unknown key `{key}`{_similar(key, EXPECTED)}")
        return {str(key): float(number) for key, number in value.items()}

    def needs(self, value: object, place: str) -> tuple[str, ...]:
        kinds = ("dataset", "package", "program")
        if not isinstance(value, list) or not all(isinstance(v, str) and v.partition(":")[0] in kinds for v in value):
            raise self.fault(place, '`needs` must be a list such as ["dataset:ID", "package:NAME", "program:NAME"]')
        return tuple(value)


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
            raise UnsorryError(f"--set {key}: {path} has no stage {parts[1]!r}{_similar(parts[1], map(_name, tables))}")
        table, parts = named[0], parts[2:]
    for part in parts[:-1]:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise UnsorryError(f"--set {key}: `{part}` is not a table in {path}")
    table[parts[-1]] = value


def _explain(error: ValidationError, model: type[BaseModel], place: str) -> tuple[str, str]:
    """(table, what is wrong there) for the first fault that pydantic found."""
    faults = error.errors(include_url=False)
    first = next((f for f in faults if f["type"] == "extra_forbidden"), faults[0])  # may explain what is missing
    location = [str(part) for part in first["loc"]]
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    if not location:
        return place, first["msg"].removeprefix("Value error, ") + more
    inner = "".join(f".{part}" for part in location[:-1])
    table = f"{place[:-1]}{inner}]" if place.endswith("]") else place + inner
    key = location[-1]
    if first["type"] == "extra_forbidden":
        return table, f"unknown key `{key}`{_similar(key, _keys(model, location[:-1]))}{more}"
    if first["type"] == "missing":
        return table, f"the key `{key}` is missing{more}"
    said = first["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    said = said.replace("Input should", "should", 1)
    given = "" if first["type"] in ("value_error", "assertion_error") else f", not {first['input']!r}"
    return table, f"`{key}` {said}{given}{more}"


def _keys(model: Any, location: Sequence[str]) -> list[str]:
    """The right keys of a nested table."""
    for part in location:
        info = model.model_fields.get(part) if hasattr(model, "model_fields") else None
        if info is None:
            return []
        kinds = [info.annotation, *getattr(info.annotation, "__args__", ())]
        nested = (k for k in kinds if hasattr(k, "model_fields") or hasattr(k, "__dataclass_fields__"))
        model = next(nested, None)
    return [*getattr(model, "model_fields", ()), *getattr(model, "__dataclass_fields__", ())]


def _similar(word: object, right: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(word), list(right), n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else ""
