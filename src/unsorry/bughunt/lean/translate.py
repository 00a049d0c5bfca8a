"""Translate a crate to Lean."""

from __future__ import annotations

import re

from unsorry.bughunt import ir
from unsorry.bughunt.lean import bounds, declarations, library
from unsorry.bughunt.lean.body import Body
from unsorry.bughunt.lean.refusals import Untranslatable
from unsorry.bughunt.lean.translation import LeanFunction, LeanParam, Mode, Refused, Translation
from unsorry.bughunt.lean.unit import Unit


def translate(
    crate: ir.Crate, *, mode: Mode = "debug", bound: int | None = None, without: frozenset[str] = frozenset()
) -> Translation:
    """The crate in Lean, in one overflow mode; what cannot be said there is in `refused`, by name.

    `bound`: loops over ranges with more turns give `div`, so that evaluation ends.  `without`: functions to leave out.
    """
    unit = Unit(crate, mode, bound)
    refused: dict[str, Refused] = {}
    for function in crate.functions:
        if function.body is None:
            why = function.refusal or ir.Refusal("opaque", "it has no body", function.span)
            refused[function.path] = Refused(function.path, why.code, why.message, why.span)
        elif function.path in without:
            refused[function.path] = Refused(function.path, "lean", "Lean does not take its translation", function.span)
            del unit.functions[function.path]
    texts: dict[str, tuple[ir.Function, str]] = {}
    for path in _ordered(unit):
        function = unit.functions[path]
        try:
            texts[path] = function, _function(unit, function)
        except Untranslatable as why:
            span = why.span if why.span != ir.NOWHERE else function.span
            refused[path] = Refused(path, why.code, why.message, span)
            del unit.functions[path]
        except RecursionError:
            refused[path] = Refused(path, "depth", "its body nests too deep", function.span)
            del unit.functions[path]
    return _assemble(unit, texts, tuple(refused[f.path] for f in crate.functions if f.path in refused))


def _ordered(unit: Unit) -> list[str]:
    """Callees first."""
    done: dict[str, None] = {}

    def visit(path: str, above: frozenset[str]) -> None:
        if path in done or path in above:
            return
        for callee in sorted(unit.calls[path]):
            visit(callee, above | {path})
        done[path] = None

    for path in unit.functions:
        visit(path, frozenset())
    return [path for path in done if path in unit.functions]


def _function(unit: Unit, function: ir.Function) -> str:
    """The definition, after those of its loops."""
    path = function.path
    recursive = path in unit.cycle(path)
    if unit.cycle(path) - {path}:
        raise Untranslatable("mutual recursion", "functions that call each other")
    if any(g.bounds and set(g.bounds) - {"Copy", "Clone", "Sized"} for g in function.generics):
        raise Untranslatable("generic bound", "a type parameter with a trait that the body may use")
    name = unit.names.of(path)
    body = Body(unit, function, name)
    assert function.body is not None
    lines = body.expr(function.body, body.ret)
    params = "".join(f" ({body.locals[p.name]} : {unit.type(p.ty)})" for p in function.params)
    generics = "".join(f" {{{g} : Type}}" for g in unit.generics(function))
    fuel = " (fuel : Nat)" if path in unit.fuelled else ""
    result = unit.result_type(function)
    head = f"def {name}{generics}{fuel}{params} : Result {f'({result})' if ' ' in result else result} :="
    if recursive:
        text = [head, "  match fuel with", "  | 0 => div", "  | fuel+1 => do", *("    " + x for x in lines)]
    elif len(lines) == 1:
        text = [head, f"  {lines[0]}"]
    else:
        text = [f"{head} do", *("  " + x for x in lines)]
    return _tidy("\n\n".join([*body.helpers, "\n".join(text)]))


def _tidy(text: str) -> str:
    """`let t1 ← f x`, `let y := t1`, with no other use of `t1`, is `let y ← f x`."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        match = re.fullmatch(r"( *)let (\w+) := (t\d+)", lines[at])
        if match is not None:
            space, name, temporary = match.groups()
            word = re.compile(rf"\b{temporary}\b")
            start = at - 1
            while start >= 0 and lines[start].startswith(space + " "):
                start -= 1
            opening = re.match(rf"{space}let (\(?[\w, ]*\)?) ←", lines[start]) if start >= 0 else None
            if (
                opening is not None and word.search(opening.group(1)) and len(word.findall(text)) == 2
                and not re.search(rf"\b{name}\b", opening.group(1))
            ):  # fmt: skip
                lines[start] = word.sub(name, lines[start], count=1)
                del lines[at]
                continue
        at += 1
    return "\n".join(lines)


def _assemble(unit: Unit, texts: dict[str, tuple[ir.Function, str]], refused: tuple[Refused, ...]) -> Translation:
    hypotheses = {f.path: _bounds(unit, f) for f, _ in texts.values()}
    own = [declarations.declaration(unit, path) for path in unit.types_used]
    own += [declarations.discriminant(unit, path) for path in unit.discriminants]
    own += [declarations.order(unit, path) for path in unit.ordered]
    own += [text for text in unit.bounded.values() if text]
    own += [text for text in unit.constants_used.values() if text]
    operations = unit.operations.text()
    everything = "\n".join([*hypotheses.values(), *own, operations, *(t for _, t in texts.values())])
    parts = [
        "set_option linter.unusedVariables false",
        library.part("Result").rstrip(),
        library.needed(everything),
        operations,
        "end Rust\n\nopen Rust",
    ]
    source = "\n\n".join([*(p for p in parts if p), *own]) + "\n"
    functions: dict[str, LeanFunction] = {}
    types = {unit.names.of(path): path for path in unit.types_used}
    for path, (function, text) in texts.items():
        comment = _comment(function)
        source += f"\n{comment}\n"
        first = source.count("\n") + 1
        source += text + "\n"
        functions[path] = _facts(unit, function, first, source.count("\n"))
    return Translation(unit.crate, unit.mode, source, functions, refused, unit.shapes, types)


def _bounds(unit: Unit, function: ir.Function) -> str:
    """Has the definitions made that the bounds of the function's types need; gives the text that names them."""
    types = [*(p.ty for p in function.params), function.ret]
    return "\n".join(p for ty in types for p in bounds.propositions(unit, ty, "x"))


def _comment(function: ir.Function) -> str:
    place = f", {function.span}" if function.span != ir.NOWHERE else ""
    return f"/- Rust: {function.path}{place} -/".replace("-/", "- /", (function.path + place).count("-/"))


def _facts(unit: Unit, function: ir.Function, first: int, last: int) -> LeanFunction:
    names = Body(unit, function, "").locals
    params = tuple(LeanParam(names[p.name], unit.type(p.ty), p.ty) for p in function.params)
    changed = tuple(p.ty for p in function.params if isinstance(p.ty, ir.Ref) and p.ty.mutable)
    return LeanFunction(
        path=function.path, name=unit.names.of(function.path), params=params, result=unit.result_type(function),
        ret=function.ret, fuel=function.path in unit.fuelled, changed=changed, first=first, last=last,
        generics=tuple(unit.generics(function)),
    )  # fmt: skip
