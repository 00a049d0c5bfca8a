"""What a recipe would do and take: tokens, memory, box-hours, disk, and what this machine lacks for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from unsorry.pipeline import arithmetic
from unsorry.pipeline.arithmetic import GIB, Dimensions, TrainingMemory
from unsorry.pipeline.machine import Missing, missing
from unsorry.pipeline.recipe import Recipe, StageSpec
from unsorry.pipeline.stage import KINDS, TOTALS, Work

SAMPLING_SHARE = 0.7  # of the bandwidth bound that a sampler reaches: 1,450 of 2,100 tokens/s on four 24 GB cards
TOKEN_TEXT = 24  # bytes of a kept token: its id and log-prob as JSON


@dataclass(frozen=True, slots=True)
class Hours:
    """Box-hours of a stage's parts; None is unknown."""

    sampling: float | None = 0.0
    training: float | None = 0.0
    judging: float | None = 0.0

    @property
    def total(self) -> float | None:
        """Of what is known; None if a part is not known."""
        parts = (self.sampling, self.training, self.judging)
        return None if None in parts else sum(part or 0.0 for part in parts)


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage; the fields that do not apply to it are None."""

    name: str
    kind: str
    row: str
    skip: str  # why it is not run; it is planned all the same and left out of the totals
    on_fail: str
    work: Work | None
    hours: Hours
    training: TrainingMemory | None
    train_rate: float | None  # tokens/s of the box
    sample_rate: float | None
    kv_tokens: int | None  # that fit, all copies
    sequences: int | None  # of full context that fit
    disk: int  # bytes that stay


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole plan; bytes are bytes, hours are box-hours."""

    name: str
    seed: int
    box: str
    model: str
    dimensions: Dimensions | None
    stages: tuple[StagePlan, ...]
    faults: tuple[str, ...]  # what cannot work on the machine that the recipe is written for
    missing: tuple[Missing, ...]  # what this machine lacks
    sources: tuple[str, ...]  # where rates come from, and what is not known

    @property
    def run(self) -> tuple[StagePlan, ...]:
        return tuple(stage for stage in self.stages if not stage.skip)

    @property
    def hours(self) -> float:
        """Of what is known."""
        return sum(p or 0.0 for s in self.run for p in (s.hours.sampling, s.hours.training, s.hours.judging))

    @property
    def complete(self) -> bool:
        """Whether every part of every stage is known."""
        return all(stage.hours.total is not None for stage in self.run)

    @property
    def disk(self) -> int:
        return sum(stage.disk for stage in self.run)


def make(recipe: Recipe) -> Plan:
    """The plan of a recipe; reads the machine, runs nothing of the recipe."""
    dimensions = _dimensions(recipe)
    stages = tuple(_stage(spec, recipe, dimensions) for spec in recipe.stages)
    running = [stage for stage in stages if not stage.skip]
    needs = [
        *(need for spec in recipe.stages if not spec.skip for need in spec.needs),
        *(need for stage in running if stage.work is not None for need in stage.work.needs),
    ]
    weights = dimensions.weight_bytes(4 if recipe.model.dtype == "float32" else 2) if dimensions else 0
    host = max((s.training.host for s in running if s.training), default=0)
    return Plan(
        name=recipe.name,
        seed=recipe.seed,
        box=recipe.resources.box or "this machine",
        model=recipe.model.path or "made new by the recipe",
        dimensions=dimensions,
        stages=stages,
        faults=tuple(_faults(recipe, running, weights)),
        missing=tuple(missing(recipe, needs, disk=weights + sum(s.disk for s in running), host=host)),
        sources=tuple(_sources(recipe, stages, dimensions)),
    )


def as_json(plan: Plan) -> dict[str, Any]:
    """The plan as one JSON object."""
    stages = [
        {**asdict(s), "hours": {**asdict(s.hours), "total": s.hours.total}, "training": _memory(s.training)}
        for s in plan.stages
    ]
    return {
        **asdict(plan),
        "stages": stages,
        "parameters": plan.dimensions.parameters if plan.dimensions else None,
        "weights_gib": round(plan.dimensions.weight_bytes() / GIB, 2) if plan.dimensions else None,
        "kv_bytes_per_token": plan.dimensions.kv_bytes() if plan.dimensions else None,
        "box_hours": round(plan.hours, 2),
        "complete": plan.complete,
        "disk": plan.disk,
    }


def _memory(memory: TrainingMemory | None) -> Mapping[str, int] | None:
    return None if memory is None else {**asdict(memory), "card": memory.card}


def _stage(spec: StageSpec, recipe: Recipe, model: Dimensions | None) -> StagePlan:
    work = KINDS[spec.kind]().work(spec.config, spec.expect, recipe)
    if work is not None and not spec.expect:
        work = _unstated(work)
    stated = {key: int(value) for key, value in spec.expect.items() if key in TOTALS}
    if stated:
        numbers: dict[str, Any] = dict(stated)
        work = replace(work or Work(), **numbers)
    if work is None:
        nothing = Hours()
        return StagePlan(spec.name, spec.kind, spec.row, spec.skip, spec.on_fail, None, nothing, *(None,) * 5, 0)
    box = recipe.resources
    memory = None
    if model is not None and work.trained and box.gpus:
        offload = bool(getattr(spec.config, "offload", False))
        length = work.length or recipe.model.context
        memory = arithmetic.training_memory(model, length=length, rank=work.rank, cards=box.gpus, offload=offload)
    train_rate = _train_rate(spec, work, recipe, model) if work.trained else None
    sample_rate, kv = _sample_rate(spec, work, recipe, model) if work.sampled else (None, None)
    hours = Hours(
        sampling=_hours(work.sampled, sample_rate),
        training=_hours(work.trained, train_rate),
        judging=_hours(work.judged, box.judged_per_second),
    )
    adapter = model.lora_parameters(work.rank) * 4 if model and work.rank else 0
    kept = work.models * (adapter or (model.weight_bytes() if model and work.trained else 0))
    disk = kept + ((work.sampled or 0) * TOKEN_TEXT if work.sampled_tokens_kept else 0)
    return StagePlan(
        name=spec.name,
        kind=spec.kind,
        row=spec.row,
        skip=spec.skip,
        on_fail=spec.on_fail,
        work=work,
        hours=hours,
        training=memory,
        train_rate=train_rate,
        sample_rate=sample_rate,
        kv_tokens=kv,
        sequences=kv // (work.context or recipe.model.context) if kv is not None else None,
        disk=disk,
    )


def _unstated(work: Work) -> Work:
    """Work of a stage whose [stage.expect] says nothing: what depends on it is unknown, not nothing."""
    return replace(
        work,
        sampled=work.sampled or (None if work.context else 0),
        judged=work.judged or (None if work.context else 0),
        trained=work.trained or (None if work.rank else 0),
    )


def _train_rate(spec: StageSpec, work: Work, recipe: Recipe, model: Dimensions | None) -> float | None:
    box = recipe.resources
    if box.train_tokens_per_second:
        return box.train_tokens_per_second
    if model is None or not (box.gpus and box.gpu_tflops):
        return None
    expect = spec.expect
    answer = expect.get("prompt_tokens", 0) + expect.get("completion_tokens", 0)
    length = int(expect.get("row_tokens", 0) or answer or work.length or recipe.model.context)
    return arithmetic.training_rate(model, length=length, flops=box.gpu_tflops * 1e12, mfu=box.mfu, cards=box.gpus)


def _sample_rate(
    spec: StageSpec, work: Work, recipe: Recipe, model: Dimensions | None
) -> tuple[float | None, int | None]:
    """(tokens/s of the box, KV tokens that fit)."""
    box = recipe.resources
    kv = None
    if model is not None and box.gpus and box.gpu_memory_gib:
        layout = {"tensor_parallel": box.tensor_parallel, "data_parallel": box.data_parallel}
        kv = arithmetic.kv_tokens(model, card_bytes=box.gpu_memory_gib * GIB, utilisation=box.gpu_utilisation, **layout)
        if not box.sample_tokens_per_second and box.gpu_bandwidth_gbs:
            answer = spec.expect.get("completion_tokens", work.context or recipe.model.context)
            mean = spec.expect.get("prompt_tokens", 0) + answer / 2  # of a sequence while it grows
            bound = arithmetic.sampling_bound(
                model, tokens=kv, mean_context=mean, bandwidth=box.gpu_bandwidth_gbs * 1e9, **layout
            )
            return SAMPLING_SHARE * bound or None, kv
    return box.sample_tokens_per_second or None, kv


def _hours(amount: int | None, rate: float | None) -> float | None:
    if amount == 0:
        return 0.0
    return amount / rate / 3600 if amount is not None and rate else None


def _dimensions(recipe: Recipe) -> Dimensions | None:
    """From the recipe's shape, or the config.json of the model's folder; None where neither says enough."""
    shape = recipe.model.shape
    if shape is not None:
        vocab = shape.vocab or _trained_vocabulary(recipe)
        head = shape.head_dim or shape.hidden // shape.heads
        return Dimensions(
            shape.layers, shape.hidden, shape.heads, shape.kv_heads, head, shape.intermediate, vocab, shape.tied
        )
    try:
        config = json.loads((Path(recipe.model.path).expanduser() / "config.json").read_text(encoding="utf-8"))
        heads = config["num_attention_heads"]
        return Dimensions(
            config["num_hidden_layers"],
            config["hidden_size"],
            heads,
            config.get("num_key_value_heads", heads),
            config.get("head_dim") or config["hidden_size"] // heads,
            config["intermediate_size"],
            config["vocab_size"],
            bool(config.get("tie_word_embeddings", False)),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _trained_vocabulary(recipe: Recipe) -> int:
    """The vocabulary of a tokenizer that a stage of the recipe trains, 0 where none says how large it is."""
    sizes = [getattr(s.config, field, 0) for s in recipe.stages for field in ("vocab", "vocab_size", "vocabulary")]
    return next((size for size in sizes if isinstance(size, int) and size > 0), 0)


def _faults(recipe: Recipe, running: list[StagePlan], weights: int) -> list[str]:
    """What the recipe's own machine is too small for."""
    box = recipe.resources
    found = []
    for stage in running:
        if stage.training is not None and box.gpu_memory_gib:
            card, host = stage.training.card / GIB, stage.training.host / GIB
            if card > box.gpu_memory_gib:
                found.append(f"{stage.name}: training takes {card:.1f} GiB a card of {box.gpu_memory_gib:g}")
            if box.host_memory_gib and host > box.host_memory_gib:
                found.append(f"{stage.name}: offload takes {host:.0f} GiB of host memory of {box.host_memory_gib:g}")
        if stage.sequences == 0:
            found.append(f"{stage.name}: the KV cache holds no sequence of full context: raise tensor_parallel")
    disk = (weights + sum(stage.disk for stage in running)) / GIB
    if box.disk_gib and disk > box.disk_gib:
        found.append(f"{disk:.0f} GiB of disk of {box.disk_gib:g}")
    return found


def _sources(recipe: Recipe, stages: tuple[StagePlan, ...], model: Dimensions | None) -> list[str]:
    """How the figures were come by, one line each."""
    box = recipe.resources
    lines = []
    silent = [stage.name for stage in stages if stage.work and None in (stage.work.sampled, stage.work.trained)]
    if silent:
        lines.append(f"no [stage.expect] says how many tokens these take: {', '.join(silent)}")
    if model is None:
        lines.append(
            "the model's dimensions are not known: give [model.shape], or a folder with config.json as model.path"
        )
    running = [stage for stage in stages if not stage.skip and stage.work is not None]
    if any(stage.work and stage.work.sampled != 0 for stage in running):
        if box.sample_tokens_per_second:
            lines.append(f"sampling {box.sample_tokens_per_second:,.0f} tokens/s: {box.throughput_source or 'stated'}")
        elif box.gpus and box.gpu_bandwidth_gbs:
            lines.append(f"sampling: {SAMPLING_SHARE:.0%} of the bound that {box.gpu_bandwidth_gbs:g} GB/s a card set")
        else:
            lines.append("sampling: unknown rate; give resources.sample_tokens_per_second")
    if any(stage.work and stage.work.trained != 0 for stage in running):
        if box.train_tokens_per_second:
            lines.append(f"training {box.train_tokens_per_second:,.0f} tokens/s: {box.throughput_source or 'stated'}")
        elif box.gpus and box.gpu_tflops:
            lines.append(f"training: {box.mfu:.0%} of {box.gpu_tflops:g} TFLOPS a card, at each stage's mean length")
        else:
            lines.append("training: unknown rate; give resources.train_tokens_per_second")
    if any(stage.work and stage.work.judged != 0 for stage in running):
        rate = f"{box.judged_per_second:g} submissions/s: {box.throughput_source or 'stated'}"
        lines.append(
            f"judging {rate}" if box.judged_per_second else "judging: unknown rate; give resources.judged_per_second"
        )
    return lines
