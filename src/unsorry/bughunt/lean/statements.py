"""Theorems about translated functions, as problems for the provers and the judge."""

from __future__ import annotations

from collections.abc import Sequence

from unsorry import Problem, UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.lean.bounds import propositions
from unsorry.bughunt.lean.names import component
from unsorry.bughunt.lean.translation import LeanFunction, Translation
from unsorry.bughunt.lean.unit import Unit
from unsorry.bughunt.values import Data, Shapes, Value, lean_string


def function(translation: Translation, path: str) -> LeanFunction:
    """Raises UnsorryError for a function without translation."""
    found = translation.functions.get(path)
    if found is None:
        raise UnsorryError(f"{path} has no translation")
    return found


def call(translation: Translation, path: str, args: Sequence[str]) -> str:
    """The call as a Lean term of type `Result …`; `fuel` is a variable of the theorem, where one is needed."""
    callee = function(translation, path)
    return f"({' '.join([callee.name, *(['fuel'] if callee.fuel else []), *args])})"


def never_fails(translation: Translation, path: str, args: Sequence[str]) -> str:
    """It does not panic."""
    return f"{call(translation, path, args)}.fails = false"


def gives(translation: Translation, path: str, args: Sequence[str], name: str, then: str) -> str:
    """It does not panic, and if it ends, then `then` holds of its result, called `name`."""
    return f"{call(translation, path, args)}.post (fun {name} => {then})"


def holds(translation: Translation, path: str, args: Sequence[str]) -> str:
    """A function to bool gives true (or does not end): a property, stated in Rust."""
    return f"{call(translation, path, args)}.holds = true"


def assumed(translation: Translation, path: str, args: Sequence[str]) -> str:
    """A function to bool gives true: a precondition, stated in Rust."""
    return f"{call(translation, path, args)} = ok true"


def in_bounds(translation: Translation, ty: ir.Type, term: str) -> list[str]:
    """That `term` is a value of the Rust type; the type must occur in the signature of a translated function."""
    return propositions(Unit(translation.crate, translation.mode, None), ty, term)


def theorem(
    translation: Translation,
    name: str,
    variables: Sequence[tuple[str, ir.Type]],
    conclusion: str,
    *,
    assumptions: Sequence[str] = (),
    used: Sequence[str] = (),
) -> Problem:
    """For all values of the variables that fit their types and the assumptions, the conclusion holds.

    `variables`: names as Rust has them, `lean_names` gives those for terms.  `fuel` is quantified if it occurs.
    """
    unit = Unit(translation.crate, translation.mode, None)
    names = lean_names(variables)
    binders, bounds = [], []
    for (_, ty), lean in zip(variables, names, strict=True):
        binders.append(f"({lean} : {unit.type(ty)})")
        bounds += [f"(h{lean}{i or ''} : {p})" for i, p in enumerate(propositions(unit, ty, lean))]
    given = [f"(assumed{i or ''} : {a})" for i, a in enumerate(assumptions)]
    text = " ".join([*assumptions, conclusion])
    fuel = ["(fuel : Nat)"] if " fuel" in text else []
    parts = [*fuel, *binders, *bounds, *given]
    line = f"theorem {name} {' '.join(parts)} :\n    {conclusion} := by sorry\n"
    return Problem(
        id=name, statement=line, targets=(name,), preamble=translation.source,
        origin=f"{translation.crate.name} ({translation.mode})",
    )  # fmt: skip


def lean_names(variables: Sequence[tuple[str, ir.Type]]) -> list[str]:
    """The names of the variables in Lean, distinct."""
    found: list[str] = []
    for name, _ in variables:
        lean = component(name)
        while lean in found or lean == "fuel":
            lean += "_"
        found.append(lean)
    return found


def lean_literal(value: Value, ty: ir.Type, translation: Translation) -> str:
    """The value as a Lean term.  Raises UnsorryError."""
    return _literal(value, ty, translation.shapes, Unit(translation.crate, translation.mode, None))


def _literal(value: Value, ty: ir.Type, shapes: Shapes, unit: Unit) -> str:
    match value, ty:
        case _, ir.Ref(_, target):
            return _literal(value, target, shapes, unit)
        case bool(), ir.Scalar("bool"):
            return "true" if value else "false"
        case int(), ir.Scalar() if ty.is_int and not isinstance(value, bool):
            return str(value) if value >= 0 else f"({value})"
        case str(), ir.Scalar("char") if len(value) == 1:
            return str(ord(value))
        case str(), ir.Str():
            return lean_string(value)
        case tuple(), ir.Tuple(items) if len(items) == len(value):
            parts = [_literal(v, t, shapes, unit) for v, t in zip(value, items, strict=True)]
            return f"({', '.join(parts)})" if parts else "()"
        case list(), ir.Array(item) | ir.Slice(item) | ir.Vec(item):
            return f"[{', '.join(_literal(v, item, shapes, unit) for v in value)}]"
        case Data(path, variant, fields), ir.Adt() if path == ty.path:
            types = [t for _, t in shapes.fields(ty, variant)]
            return unit.construct(
                ty, variant, [_literal(v, t, shapes, unit) for v, t in zip(fields, types, strict=True)]
            )
    raise UnsorryError(f"{value!r} is no value of the type {ty}")


__all__ = [
    "assumed", "call", "function", "gives", "holds", "in_bounds", "lean_literal", "lean_names", "never_fails",
    "theorem",
]  # fmt: skip
