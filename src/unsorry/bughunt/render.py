"""The intermediate form as text: Rust with everything silent written out.  Stable, for tests and for people."""

from __future__ import annotations

from typing import Any

from . import ir
from .ir.names import show


def crate(of: ir.Crate) -> str:
    """The whole crate; functions in order, refusals as comments."""
    parts = [f"// crate {of.name}"]
    parts += [_struct(s) for s in of.structs]
    parts += [_enum(e) for e in of.enums]
    parts += [f"const {c.path}: {show(c.ty)} = {expr(c.value)};" for c in of.consts]
    parts += [function(f) for f in of.functions]
    parts += [f"// refused {r.kind} {r.path}: {r.refusal.code}: {r.refusal.message}" for r in of.refused]
    return "\n".join(parts) + "\n"


def _generics(generics: tuple[ir.Generic, ...]) -> str:
    shown = [g.name + (": " + " + ".join(g.bounds) if g.bounds else "") for g in generics]
    return f"<{', '.join(shown)}>" if shown else ""


def _fields(fields: tuple[ir.Field, ...]) -> str:
    return "{ " + ", ".join(f"{f.name}: {show(f.ty)}" for f in fields) + " }" if fields else "{}"


def _struct(struct: ir.Struct) -> str:
    return f"struct {struct.path}{_generics(struct.generics)} {_fields(struct.fields)}"


def _enum(enum: ir.Enum) -> str:
    variants = ", ".join(f"{v.name} = {v.discriminant} {_fields(v.fields)}" for v in enum.variants)
    return f"enum {enum.path}{_generics(enum.generics)} {{ {variants} }}"


def function(of: ir.Function) -> str:
    """One function, with its facts above it."""
    if not of.signature_known:
        assert of.refusal is not None
        return f"// refused fn {of.path}: {of.refusal.code}: {of.refusal.message}"
    params = ", ".join(f"{'mut ' if p.mutable else ''}{p.name}: {show(p.ty)}" for p in of.params)
    head = f"fn {of.path}{_generics(of.generics)}({params}) -> {show(of.ret)}"
    if of.body is None:
        why = f"{of.refusal.code}: {of.refusal.message}" if of.refusal is not None else "opaque"
        return f"// refused {head}: {why}"
    facts = [w for w, on in (("can fail", of.can_fail), ("can diverge", of.can_diverge)) if on]
    above = f"// {', '.join(facts)}\n" if facts else ""
    return f"{above}{head} {_block(of.body, 0)}"


def _block(block: ir.Block, level: int) -> str:
    lines = [_statement(s, level + 1) for s in block.statements]
    if block.tail is not None:
        lines.append(expr(block.tail, level + 1))
    if not lines:
        return "{}"
    pad = "    " * (level + 1)
    return "{\n" + "".join(f"{pad}{line}\n" for line in lines) + "    " * level + "}"


def _statement(statement: ir.Stmt, level: int) -> str:
    if isinstance(statement, ir.ExprStmt):
        return expr(statement.expr, level) + ";"
    init = f" = {expr(statement.init, level)}" if statement.init is not None else ""
    other = f" else {_block(statement.otherwise, level)}" if statement.otherwise is not None else ""
    return f"let {pattern(statement.pattern)}: {show(statement.pattern.ty)}{init}{other};"


def _list(parts: Any, level: int) -> str:
    return ", ".join(expr(p, level) for p in parts)


def _named(fields: tuple[tuple[str, ir.Expr], ...], level: int) -> str:
    return "{ " + ", ".join(f"{n}: {expr(e, level)}" for n, e in fields) + " }" if fields else "{}"


def expr(e: ir.Expr, level: int = 0) -> str:
    """One expression; operators in brackets."""
    match e:
        case ir.IntLit(value=value):
            return f"{value}_{show(e.ty)}"
        case ir.BoolLit(value=flag):
            return "true" if flag else "false"
        case ir.CharLit(value=text):
            return f"'\\u{{{ord(text):x}}}'"
        case ir.StrLit(value=text):
            return '"' + text.encode("unicode_escape").decode("ascii").replace('"', '\\"') + '"'
        case ir.Local(name=name):
            return name
        case ir.ConstRef(path=path):
            return path
        case ir.Unary(op=op, operand=inner):
            return f"({op}{expr(inner, level)})"
        case ir.Binary(op=op, left=left, right=right) | ir.Logic(op=op, left=left, right=right):
            return f"({expr(left, level)} {op} {expr(right, level)})"
        case ir.Cast(operand=inner):
            return f"({expr(inner, level)} as {show(e.ty)})"
        case ir.TupleLit(items=items):
            return f"({_list(items, level)}{',' if len(items) == 1 else ''})"
        case ir.ListLit(items=items):
            return f"{'vec!' if isinstance(e.ty, ir.Vec) else ''}[{_list(items, level)}]"
        case ir.Repeat(item=item, count=count):
            return f"{'vec!' if isinstance(e.ty, ir.Vec) else ''}[{expr(item, level)}; {expr(count, level)}]"
        case ir.StructLit(fields=fields, base=base):
            more = f" ..{expr(base, level)}" if base is not None else ""
            return f"{show(e.ty)} {_named(fields, level)}{more}"
        case ir.VariantLit(variant=variant, fields=fields):
            return f"{show(e.ty)}::{variant}" + (f" {_named(fields, level)}" if fields else "")
        case ir.FieldOf(base=base, name=name):
            return f"{expr(base, level)}.{name}"
        case ir.Index(base=base, index=index):
            return f"{expr(base, level)}[{expr(index, level)}]"
        case ir.SliceOf(base=base, low=low, high=high, inclusive=inclusive):
            ends = [expr(x, level) if x is not None else "" for x in (low, high)]
            return f"{expr(base, level)}[{ends[0]}{'..=' if inclusive else '..'}{ends[1]}]"
        case ir.Borrow(mutable=mutable, place=place):
            return f"&{'mut ' if mutable else ''}{expr(place, level)}"
        case ir.Deref(operand=inner):
            return f"(*{expr(inner, level)})"
        case ir.Unsize(operand=inner):
            return f"unsize({expr(inner, level)})"
        case ir.Call(function=path, type_args=types, args=args):
            given = f"::<{', '.join(map(show, types))}>" if types else ""
            return f"{path}{given}({_list(args, level)})"
        case ir.Intrinsic(name=name, args=args):
            return f"{name}({_list(args, level)}): {show(e.ty)}"
        case _:
            return _control(e, level)


def _control(e: ir.Expr, level: int) -> str:
    match e:
        case ir.Block():
            return _block(e, level)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            more = f" else {expr(otherwise, level)}" if otherwise is not None else ""
            return f"if {expr(condition, level)} {_block(then, level)}{more}"
        case ir.Match(scrutinee=scrutinee, arms=arms):
            pad = "    " * (level + 1)
            lines = []
            for arm in arms:
                guard = f" if {expr(arm.guard, level + 1)}" if arm.guard is not None else ""
                lines.append(f"{pad}{pattern(arm.pattern)}{guard} => {expr(arm.body, level + 1)},\n")
            return f"match {expr(scrutinee, level)} {{\n{''.join(lines)}{'    ' * level}}}"
        case ir.Loop(label=label, body=body):
            return f"'{label}: loop {_block(body, level)}"
        case ir.While(label=label, condition=condition, body=body):
            return f"'{label}: while {expr(condition, level)} {_block(body, level)}"
        case ir.For(label=label, pattern=shape, source=source, body=body):
            return f"'{label}: for {pattern(shape)} in {iterator(source)} {_block(body, level)}"
        case ir.Break(label=label, value=value):
            return f"break '{label}" + (f" {expr(value, level)}" if value is not None else "")
        case ir.Continue(label=label):
            return f"continue '{label}"
        case ir.Return(value=value):
            return "return" + (f" {expr(value, level)}" if value is not None else "")
        case ir.Try(operand=inner, convert=convert):
            return f"{expr(inner, level)}?" + (f"[{convert}]" if convert is not None else "")
        case ir.Panic(kind=kind):
            return f"{kind}!()"
        case ir.Assert(condition=condition, debug=debug):
            return f"{'debug_' if debug else ''}assert!({expr(condition, level)})"
        case ir.Assign(place=place, value=value):
            return f"{expr(place, level)} = {expr(value, level)}"
        case ir.AssignOp(op=op, place=place, value=value):
            return f"{expr(place, level)} {op}= {expr(value, level)}"
    raise TypeError(f"no expression: {type(e).__name__}")


def iterator(it: ir.Iter) -> str:
    """What a loop runs over."""
    match it:
        case ir.IterRange(low=low, high=high, inclusive=inclusive):
            return f"{expr(low)}{'..=' if inclusive else '..'}{expr(high) if high is not None else ''}"
        case ir.IterList(base=base, mode=mode):
            return f"{mode}({expr(base)})"
        case ir.IterAdapter(kind=kind, inner=inner, amount=amount, other=other):
            more = [expr(amount)] if amount is not None else [iterator(other)] if other is not None else []
            return f"{iterator(inner)}.{kind}({', '.join(more)})"
        case ir.IterChunks(kind=kind, base=base, size=size):
            return f"{expr(base)}.{kind}({expr(size)})"
    raise TypeError(f"no iterator: {type(it).__name__}")


def pattern(p: ir.Pattern) -> str:
    """One pattern."""
    match p:
        case ir.Wild():
            return "_"
        case ir.Bind(name=name, mutable=mutable, by=by, sub=sub):
            how = {"value": "mut " if mutable else "", "ref": "ref ", "mut": "ref mut "}[by]
            return f"{how}{name}" + (f" @ {pattern(sub)}" if sub is not None else "")
        case ir.LitPat(value=value):
            return f"'\\u{{{ord(value):x}}}'" if isinstance(value, str) else str(value).lower()
        case ir.RangePat(low=low, high=high, inclusive=inclusive):
            dots = "..=" if inclusive and high is not None else ".."
            return f"{'' if low is None else low}{dots}{'' if high is None else high}"
        case ir.TuplePat(items=items):
            return f"({', '.join(map(pattern, items))})"
        case ir.StructPat(variant=variant, fields=fields):
            inside = ", ".join(f"{n}: {pattern(f)}" for n, f in fields)
            return (variant or show(p.ty)) + (f" {{ {inside} }}" if fields else "")
        case ir.RefPat(sub=sub):
            return f"&{pattern(sub)}"
        case ir.SlicePat(before=before, rest=rest, after=after):
            middle = [f"{pattern(rest)} @ .." if not isinstance(rest, ir.Wild) else ".."] if rest is not None else []
            return f"[{', '.join([*map(pattern, before), *middle, *map(pattern, after)])}]"
        case ir.OrPat(choices=choices):
            return "(" + " | ".join(map(pattern, choices)) + ")"
    raise TypeError(f"no pattern: {type(p).__name__}")
