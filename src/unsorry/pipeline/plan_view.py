"""A plan as a person reads it: what runs, the memory of a card, what is missing here."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from unsorry.pipeline.arithmetic import GIB
from unsorry.pipeline.plan import Hours, Plan

MEMORY = (
    "tokens of a sequence, one a card",
    "trained",
    "weights, sharded",
    "two layers, gathered",
    "trained weights, gradient, Adam",
    "checkpointed hidden states",
    "one layer's backward pass",
    "logits of one chunk",
    "sum",
    "host memory for offload, all cards",
    "float32 logits that are never made",
)


def show(plan: Plan) -> RenderableType:
    """Everything, for a terminal."""
    parts: list[RenderableType] = [Text(line) for line in _head(plan)]
    parts += [_stages(plan), Text(_total(plan), style="bold")]
    if any(stage.training for stage in plan.stages):
        parts += [Text(""), _memory(plan)]
    parts += [Text(""), *(Text(line) for line in plan.sources)]
    parts += [Text(f"not run: {s.name}: {s.skip}{_would(s.hours)}") for s in plan.stages if s.skip]
    parts += [Text(f"does not fit: {fault}", style="bold red") for fault in plan.faults]
    if plan.missing:
        lines = [Text(f"  {m.what}; {m.fix}") for m in plan.missing]
        parts += [Text(""), Text("missing on this machine:", style="bold"), *lines]
    else:
        parts.append(Text("nothing is missing on this machine"))
    return Group(*parts)


def _head(plan: Plan) -> list[str]:
    lines = [f"{plan.name}, seed {plan.seed}, on {plan.box}", f"model: {plan.model}"]
    model = plan.dimensions
    if model is not None:
        size = f"{model.parameters / 1e9:.2f}B" if model.parameters >= 1e8 else f"{model.parameters / 1e6:.2f}M"
        lines.append(
            f"{size} parameters, {_size(model.weight_bytes())} in bf16, KV cache {model.kv_bytes():,} bytes a token"
        )
    fits = next((s for s in plan.stages if s.kv_tokens is not None), None)
    if fits is not None and fits.work is not None:
        lines.append(
            f"KV cache: {fits.kv_tokens:,} tokens fit, {fits.sequences} sequences of {fits.work.context:,} tokens"
        )
    return lines


def _stages(plan: Plan) -> Table:
    table = Table()
    table.add_column("stage", overflow="fold")
    for title in ("sampled", "trained", "judged", "box-hours", "disk"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("on fail", no_wrap=True)
    for stage in plan.stages:
        work = stage.work
        table.add_row(
            Text(stage.name),
            _count(work.sampled if work else 0),
            _count(work.trained if work else 0),
            _count(work.judged if work else 0),
            f"({_time(stage.hours)})" if stage.skip else _time(stage.hours),
            f"{stage.disk / GIB:.1f} GiB" if stage.disk >= GIB / 20 else "-",
            "skipped" if stage.skip else stage.on_fail,
            style="dim" if stage.skip else "",
        )
    return table


def _memory(plan: Plan) -> Table:
    """GiB a card in training, by what they hold; a column for each stage that trains."""
    table = Table(title="GiB a card in training", title_justify="left")
    table.add_column("")
    columns: list[list[str]] = []
    for stage in plan.stages:
        memory, work = stage.training, stage.work
        if memory is None or work is None or plan.dimensions is None:
            continue
        table.add_column(Text(stage.name), justify="right", overflow="fold")
        parts = (
            memory.weights,
            memory.gathered,
            memory.optimiser,
            memory.hidden,
            memory.layer,
            memory.head,
            memory.card,
        )
        saved = plan.dimensions.logits_bytes(work.length, 4)
        columns.append(
            [
                f"{work.length:,}",
                f"LoRA r={work.rank}" if work.rank else "all weights",
                *(f"{part / GIB:.2f}" for part in parts),
                f"{memory.host / GIB:.1f}",
                f"{saved / GIB:.1f}",
            ]
        )
    for title, *cells in zip(MEMORY, *columns, strict=True):
        table.add_row(title, *cells, style="bold" if title == "sum" else "")
    return table


def _total(plan: Plan) -> str:
    known = "" if plan.complete else " and what is not known"
    return f"total: {plan.hours:.1f} box-hours ({plan.hours / 24:.1f} days){known}, {plan.disk / GIB:.1f} GiB of disk"


def _would(hours: Hours) -> str:
    total = hours.total
    return f" (by this plan's rates {total:,.0f} box-hours, {total / 24:.0f} days)" if total else ""


def _time(hours: Hours) -> str:
    if hours.total is None:
        known = sum(part or 0.0 for part in (hours.sampling, hours.training, hours.judging))
        return f">{known:.1f}" if known else "unknown"
    return f"{hours.total:,.1f}" if hours.total >= 0.05 else "-" if not hours.total else "<0.1"


def _size(size: float) -> str:
    return f"{size / GIB:.2f} GiB" if size >= GIB / 10 else f"{size / (1 << 20):.1f} MiB"


def _count(value: int | None) -> str:
    if value is None:
        return "unknown"
    for size, unit in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.1f}{unit}"
    return str(value) if value else "-"
