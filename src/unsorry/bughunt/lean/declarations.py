"""Structs and enums in Lean, with their order and numbers where these are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.bughunt.lean.names import component, field

if TYPE_CHECKING:
    from unsorry.bughunt import ir
    from unsorry.bughunt.lean.unit import Unit


def declaration(unit: Unit, path: str) -> str:
    """The type of a struct or an enum."""
    name = unit.names.of(path)
    if path in unit.shapes.structs:
        struct = unit.shapes.structs[path]
        lines = [f"structure {name}{_parameters(struct.generics)} where"]
        lines += [f"  {field(f.name)} : {unit.type(f.ty)}" for f in struct.fields]
    else:
        enum = unit.shapes.enums[path]
        lines = [f"inductive {name}{_parameters(enum.generics)} where"]
        for variant in enum.variants:
            fields = "".join(f" ({field(f.name)} : {unit.type(f.ty)})" for f in variant.fields)
            lines.append(f"  | {component(variant.name)}{fields}")
    return "\n".join([*lines, "  deriving DecidableEq"])


def _parameters(generics: tuple[ir.Generic, ...]) -> str:
    return "".join(f" ({component(g.name)} : Type)" for g in generics)


def discriminant(unit: Unit, path: str) -> str:
    """`as` an integer, for an enum without fields."""
    enum = unit.shapes.enums[path]
    name = unit.names.of(path)
    lines = [f"@[simp] def {name}.discriminant (x : {name}) : Int :=", "  match x with"]
    return "\n".join([*lines, *(f"  | .{component(v.name)} => {v.discriminant}" for v in enum.variants)])


def order(unit: Unit, path: str) -> str:
    """The derived order."""
    name = unit.names.of(path)
    is_struct = path in unit.shapes.structs
    generics = (unit.shapes.structs[path] if is_struct else unit.shapes.enums[path]).generics
    names = [component(g.name) for g in generics]
    implicit = "".join(f" {{{n} : Type}} [RustOrd {n}]" for n in names)
    ty = f"({' '.join([name, *names])})" if names else name
    head = f"instance{implicit} : RustOrd {ty} where"
    if is_struct:
        fields = [field(f.name) for f in unit.shapes.structs[path].fields]
        return f"{head}\n  cmp a b := {_chain([f'(rcmp a.{f} b.{f})' for f in fields])}"
    variants = unit.shapes.enums[path].variants
    lines = [head, "  cmp a b := match a, b with"]
    for i, v in enumerate(variants):
        for j, w in enumerate(variants):
            if i == j:
                xs, ys = ([f"{c}{n}" for n in range(len(v.fields))] for c in "xy")
                value = _chain([f"(rcmp {x} {y})" for x, y in zip(xs, ys, strict=True)])
            else:
                xs, ys = ["_"] * len(v.fields), ["_"] * len(w.fields)
                value = ".lt" if i < j else ".gt"
            left, right = (" ".join([f".{component(n.name)}", *a]) for n, a in ((v, xs), (w, ys)))
            lines.append(f"    | {left}, {right} => {value}")
    return "\n".join(lines)


def _chain(parts: list[str]) -> str:
    if not parts:
        return "Ordering.eq"
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = f"(thenCmp {part} {text})"
    return text
