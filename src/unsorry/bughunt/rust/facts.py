"""What follows from all bodies together: who can fail, who may run for ever, who calls what is refused."""

from __future__ import annotations

from dataclasses import replace

from .. import ir
from ..intrinsics import INTRINSICS
from ..ir.walk import walk
from .syntax import words

FAILING = words("+ - * / % << >>")


def finish(functions: list[ir.Function], consts: dict[str, ir.Const]) -> list[ir.Function]:
    """The functions with `can_fail` and `can_diverge` set, and without those that call refused ones."""
    table = {f.path: _needing(f, consts) for f in functions}
    changed = True
    while changed:
        changed = False
        for path, function in table.items():
            if function.body is None:
                continue
            bad = next((c for c in sorted(function.calls) if table[c].body is None), None)
            if bad is not None:
                why = table[bad].refusal
                message = f"calls `{bad}`, which is refused: {_root(why.message) if why else ''}"
                refusal = ir.Refusal("calls-refused", message, function.span)
                table[path] = replace(function, body=None, opaque=True, refusal=refusal)
                changed = True
    fails = {p for p, f in table.items() if f.body is not None and _fails(f.body)}
    loops = {p for p, f in table.items() if f.body is not None and _loops(f.body)}
    reach = _reach(table)
    for path, function in table.items():
        if function.body is not None:
            below = reach[path]
            fail, diverge = bool(below & fails) or path in fails, bool(below & loops) or path in loops
            table[path] = replace(
                function, can_fail=fail, can_diverge=diverge or path in below or _cyclic(below, reach)
            )
    return [table[f.path] for f in functions]


def _needing(function: ir.Function, consts: dict[str, ir.Const]) -> ir.Function:
    """The function, refused if it names a constant that is not there."""
    if function.body is None:
        return function
    lost = [n for n in walk(function.body) if isinstance(n, ir.ConstRef) and n.path not in consts]
    if not lost:
        return function
    refusal = ir.Refusal("refused-const", f"constant `{lost[0].path}` is refused", lost[0].span)
    return replace(function, body=None, opaque=True, refusal=refusal)


def _root(message: str) -> str:
    return message.rsplit("which is refused: ", 1)[-1]


def _cyclic(below: set[str], reach: dict[str, set[str]]) -> bool:
    return any(p in reach.get(p, set()) for p in below)


def _reach(table: dict[str, ir.Function]) -> dict[str, set[str]]:
    """Which functions a function calls, directly or not."""
    found: dict[str, set[str]] = {}
    for path, function in table.items():
        seen: set[str] = set()
        todo = [*function.calls]
        while todo:
            here = todo.pop()
            if here not in seen and here in table:
                seen.add(here)
                todo += table[here].calls
        found[path] = seen
    return found


def _fails(body: ir.Block) -> bool:
    for node in walk(body):
        if isinstance(node, ir.Panic | ir.Assert | ir.Index | ir.SliceOf | ir.IterChunks):
            return True
        if isinstance(node, ir.Binary | ir.AssignOp) and node.op in FAILING:
            return True
        if isinstance(node, ir.Unary) and node.op == "-":
            return True
        if isinstance(node, ir.Intrinsic) and INTRINSICS[node.name].panic:
            return True
        if isinstance(node, ir.IterAdapter) and node.kind in ("step_by", "enumerate"):
            return True
        if isinstance(node, ir.IterRange) and node.high is None:
            return True
    return False


def _loops(body: ir.Block) -> bool:
    return any(
        isinstance(node, ir.Loop | ir.While) or (isinstance(node, ir.IterRange) and node.high is None)
        for node in walk(body)
    )
