"""Properties as Lean theorems over the translation; a property that cannot be said there has none."""

from __future__ import annotations

import re
from collections.abc import Mapping

from unsorry import Problem
from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.lean.statements import lean_names, theorem
from unsorry.bughunt.lean.translation import LeanFunction, Translation

PREFIX = "hunt_"


def problem(candidate: Candidate, translation: Translation, name: str, *, checks: bool) -> Problem | None:
    """The problem whose theorem is `name`, None where there is none.

    `checks`: the function has panics that its author wrote; then only other ones are excluded.
    """
    holds = candidate.shape == "holds"  # a predicate of its own, which calls the function
    function = translation.functions.get(candidate.partner if holds else candidate.function.path)
    partner = translation.functions.get(candidate.partner) if candidate.partner else None
    if function is None or (candidate.partner and partner is None) or function.generics:
        return None
    if function.changed and candidate.shape != "panic-free":
        return None
    if candidate.sorted_lists:
        return None
    variables = [(i.name, i.ty) for i in candidate.inputs]
    names = lean_names(variables)
    conditions = _conditions(candidate, dict(zip((i.name for i in candidate.inputs), names, strict=True)))
    if conditions is None:
        return None
    claim = _claim(candidate, function, partner, names, checks)
    return theorem(translation, name, variables, claim, assumptions=conditions) if claim else None


def exact(candidate: Candidate, translation: Translation) -> bool:
    """Whether the theorem says no more than the property.

    One about a type with private fields is about all values of its fields: a proof is one for those that occur, but
    its negation says nothing.
    """
    return all(_open(i.ty, translation) for i in candidate.inputs)


def _open(ty: ir.Type, translation: Translation, depth: int = 0) -> bool:
    """Whether every value that fits the type can occur: no invariant behind private fields."""
    if depth > 4:
        return False
    match ty:
        case ir.Scalar():
            return True
        case ir.Vec(item) | ir.Array(item):
            return _open(item, translation, depth + 1)
        case ir.Tuple(items):
            return all(_open(t, translation, depth + 1) for t in items)
        case ir.Adt("Option" | "Result" | "Ordering", args):
            return all(_open(t, translation, depth + 1) for t in args)
        case ir.Adt(path, ()) if path in translation.shapes.structs:
            fields = translation.shapes.structs[path].fields
            return all(f.public and _open(f.ty, translation, depth + 1) for f in fields)
        case ir.Adt(path, ()) if path in translation.shapes.enums:
            variants = translation.shapes.enums[path].variants
            return all(_open(f.ty, translation, depth + 1) for v in variants for f in v.fields)
        case _:
            return False


def _number(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


def _conditions(candidate: Candidate, names: Mapping[str, str]) -> list[str] | None:
    found = []
    types = {i.name: i.ty for i in candidate.inputs}
    for text in candidate.property.assumptions:
        condition = lean_condition(text, types, names)
        if condition is None:
            return None
        found.append(condition)
    return found


_TOKEN = re.compile(
    r"\s*(?:(?P<bound>[iu](?:8|16|32|64|128|size)::(?:MAX|MIN|BITS))|(?P<number>\d[\d_]*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op><=|>=|==|!=|&&|\|\||[<>!()+*.-]))"
)


def lean_condition(text: str, types: Mapping[str, ir.Type], names: Mapping[str, str]) -> str | None:
    """A Rust condition over integers and lengths as a Lean proposition; None for anything else."""
    tokens = []
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        tokens.append((match.lastgroup or "", match.group().strip()))
        at = match.end()
    out: list[str] = []
    i = 0
    while i < len(tokens):
        kind, word = tokens[i]
        if kind == "name":
            if word not in types:
                return None
            rest = [w for _, w in tokens[i + 1 : i + 5]]
            if rest == [".", "len", "(", ")"]:
                out.append(f"({names[word]}.length : Int)")
                i += 5
                continue
            if rest == [".", "is_empty", "(", ")"]:
                out.append(f"({names[word]}.length = 0)")
                i += 5
                continue
            ty = types[word]
            if not (isinstance(ty, ir.Scalar) and ty.is_int):
                return None
            out.append(names[word])
        elif kind == "number":
            out.append(word.replace("_", ""))
        elif kind == "bound":
            scalar = ir.Scalar(word.split("::")[0])
            out.append(str({"MAX": scalar.max, "MIN": f"({scalar.min})", "BITS": scalar.bits}[word.split("::")[1]]))
        elif word == ".":
            return None
        else:
            out.append({"<=": "≤", ">=": "≥", "==": "=", "!=": "≠", "&&": "∧", "||": "∨", "!": "¬"}.get(word, word))
        i += 1
    return " ".join(out)


def _call(function: LeanFunction, arguments: list[str]) -> str:
    return " ".join([function.name, *(["fuel"] if function.fuel else []), *arguments])


def _claim(
    candidate: Candidate, function: LeanFunction, partner: LeanFunction | None, names: list[str], checks: bool
) -> str:
    shape = candidate.shape
    if shape == "panic-free":
        call = _call(function, names)
        if checks:
            return f"∀ e, {call} = fail e → e = Error.assertionFailure ∨ e = Error.panic"
        return f"({call}).fails = false"
    if shape == "holds":
        return f"{_call(function, names)} ≠ ok false"
    if shape.startswith("range "):
        _, low, high = shape.split(" ")
        return f"∀ r, {_call(function, names)} = ok r → {_number(int(low))} ≤ r ∧ r ≤ {high}"
    if shape == "same" and partner is not None:
        return f"∀ r s, {_call(function, names)} = ok r → {_call(partner, names)} = ok s → r = s"
    if shape == "commutes":
        return f"∀ r s, {_call(function, names)} = ok r → {_call(function, names[::-1])} = ok s → r = s"
    if shape == "antisymmetric" and candidate.function.ret == ir.ORDERING:
        calls = f"{_call(function, names)} = ok r → {_call(function, names[::-1])} = ok s"
        return f"∀ r s, {calls} → ((r = Ordering.lt ↔ s = Ordering.gt) ∧ (r = Ordering.eq ↔ s = Ordering.eq))"
    if shape == "idempotent":
        return f"∀ r s, {_call(function, names)} = ok r → {_call(function, ['r'])} = ok s → s = r"
    if shape == "involution":
        return f"∀ r s, {_call(function, names)} = ok r → {_call(function, ['r'])} = ok s → s = {names[0]}"
    if shape == "round-trip" and partner is not None and len(names) == 1:
        return _trip(candidate, function, partner, names[0])
    return ""


def _trip(candidate: Candidate, back: LeanFunction, there: LeanFunction, name: str) -> str:
    made = "m"
    if isinstance(there.ret, ir.Adt) and there.ret.path == "Option":
        made = "(some m)"
    elif isinstance(there.ret, ir.Adt) and there.ret.path == "Result":
        return ""
    if len(back.params) != 1:
        return ""
    expected, ret = candidate.inputs[0].ty, back.ret
    if isinstance(ret, ir.Adt) and ret.path == "Option" and ret.args[0] == expected:
        value = f"some {name}"
    elif ret == expected:
        value = name
    else:
        return ""
    return f"∀ m s, {_call(there, [name])} = ok {made} → {_call(back, ['m'])} = ok s → s = {value}"
