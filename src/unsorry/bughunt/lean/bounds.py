"""That a Lean value is one of a Rust type, as propositions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean.library import SCALARS
from unsorry.bughunt.lean.names import component, field

if TYPE_CHECKING:
    from unsorry.bughunt.lean.unit import Unit


def propositions(unit: Unit, ty: ir.Type, term: str) -> list[str]:
    """What holds of `term`, a value of the type; nothing for types that Lean has as they are."""
    match ty:
        case ir.Ref(_, target):
            return propositions(unit, target, term)
        case ir.Scalar("bool") | ir.Never() | ir.Str() | ir.TypeParam():
            return []
        case ir.Scalar("char"):
            return [f"char.In {term}"]
        case ir.Scalar(name):
            unit.op(ty, "In")
            return [f"{SCALARS[name]}.In {term}"]
        case ir.Tuple(items):
            parts = [unit.projection(ty, str(i), term) for i in range(len(items))]
            return [p for t, part in zip(items, parts, strict=True) for p in propositions(unit, t, part)]
        case ir.Array(item, length):
            return [f"{term}.length = {length}", *_each(unit, item, term)]
        case ir.Slice(item) | ir.Vec(item):
            return [f"Slice.Fits {term}", *_each(unit, item, term)]
        case ir.Adt("Option", (item,)):
            inner = propositions(unit, item, "v")
            return [f"Opt.In (fun v => {_all(inner)}) {term}"] if inner else []
        case ir.Adt("Result", (good, bad)):
            left, right = propositions(unit, good, "v"), propositions(unit, bad, "v")
            if not left and not right:
                return []
            return [f"Res.In (fun v => {_all(left)}) (fun v => {_all(right)}) {term}"]
        case ir.Adt(path, args) if path not in ir.BUILTIN_ENUMS and not args:
            need(unit, path)
            return [f"{unit.names.of(path)}.In {term}"] if unit.bounded[path] else []
        case ir.Adt(path, args) if path in unit.shapes.structs:
            fields = unit.shapes.fields(ty, "")
            return [p for n, t in fields for p in propositions(unit, t, f"{term}.{field(n)}")]
    return []


def _each(unit: Unit, item: ir.Type, term: str) -> list[str]:
    inner = propositions(unit, item, "e")
    return [f"∀ e ∈ {term}, {_all(inner)}"] if inner else []


def _all(parts: list[str]) -> str:
    return " ∧ ".join(f"({p})" if "∀" in p else p for p in parts) or "True"


def need(unit: Unit, path: str) -> None:
    """Have `In` of a struct or enum defined."""
    if path in unit.bounded:
        return
    unit.need_type(path)
    name = unit.names.of(path)
    if path in unit.shapes.structs:
        parts = [p for f in unit.shapes.structs[path].fields for p in propositions(unit, f.ty, f"x.{field(f.name)}")]
        unit.bounded[path] = f"@[reducible] def {name}.In (x : {name}) : Prop := {_all(parts)}" if parts else ""
        return
    lines, any_part = [], False
    for variant in unit.shapes.enums[path].variants:
        names = [f"x{i}" for i in range(len(variant.fields))]
        parts = [p for n, f in zip(names, variant.fields, strict=True) for p in propositions(unit, f.ty, n)]
        any_part = any_part or bool(parts)
        lines.append(f"  | {' '.join(['.' + component(variant.name), *names])} => {_all(parts)}")
    head = f"@[simp] def {name}.In (x : {name}) : Prop :=\n  match x with"
    instance = [
        f"instance {name}.decidableIn (x : {name}) : Decidable ({name}.In x) := by",
        f"  cases x <;> unfold {name}.In <;> infer_instance",
    ]
    unit.bounded[path] = "\n".join([head, *lines, *instance]) if any_part else ""


__all__ = ["need", "propositions"]
