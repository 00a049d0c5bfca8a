"""Rust patterns as Lean patterns, with conditions for what Lean's cannot say (numbers, ranges)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean.arithmetic import strip

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body


@dataclass(slots=True)
class LeanPattern:
    """`text` matches, and then all of `conditions` must hold.  `total`: Lean sees that `text` matches always."""

    text: str
    conditions: list[str] = field(default_factory=list)
    total: bool = True
    lent: list[str] = field(default_factory=list)  # locals bound by `ref mut`


def alternatives(pattern: ir.Pattern) -> list[ir.Pattern]:
    """The pattern without `|`, except between numbers."""
    match pattern:
        case ir.OrPat() if not all(_numeric(c) for c in _choices(pattern)):
            return [a for choice in _choices(pattern) for a in alternatives(choice)]
        case ir.TuplePat(ty, items):
            return [ir.TuplePat(ty, each) for each in itertools.product(*map(alternatives, items))]
        case ir.StructPat(ty, variant, fields):
            names = [n for n, _ in fields]
            return [
                ir.StructPat(ty, variant, tuple(zip(names, each, strict=True)))
                for each in itertools.product(*(alternatives(p) for _, p in fields))
            ]
        case ir.RefPat(ty, sub):
            return [ir.RefPat(ty, each) for each in alternatives(sub)]
        case _:
            return [pattern]


def _choices(pattern: ir.Pattern) -> list[ir.Pattern]:
    """The alternatives of `a | b | c`, however they are nested."""
    return [c for p in pattern.choices for c in _choices(p)] if isinstance(pattern, ir.OrPat) else [pattern]


def _numeric(pattern: ir.Pattern) -> bool:
    return isinstance(pattern, ir.RangePat) or (isinstance(pattern, ir.LitPat) and not isinstance(pattern.value, bool))


def translate(body: Body, pattern: ir.Pattern, subject: str = "", named: bool = False) -> LeanPattern:
    """`subject` is the term that is matched, if it has a name; `named`: no `_`, so that the text is a term too."""
    match pattern:
        case ir.Wild():
            return LeanPattern(body.fresh() if named else "_")
        case ir.Bind(name=name, by=by, sub=sub):
            lean = body.locals[name]
            if sub is None:
                return LeanPattern(lean, lent=[name] if by == "mut" else [])
            inner = translate(body, sub, lean)
            if inner.text == lean:
                return inner
            if inner.text == "_":
                return LeanPattern(lean, inner.conditions)
            return LeanPattern(f"{lean}@{_atom(inner.text)}", inner.conditions, inner.total, inner.lent)
        case ir.LitPat(value=bool() as value):
            return LeanPattern("true" if value else "false", total=False)
        case ir.LitPat() | ir.RangePat() | ir.OrPat():
            name = subject or body.fresh()
            return LeanPattern(name, [_condition(body, pattern, name)])
        case ir.RefPat(sub=sub):
            return translate(body, sub, subject, named)
        case ir.TuplePat(items=items):
            found = [translate(body, p, "", named) for p in items]
            text = "()" if not found else f"({', '.join(f.text for f in found)})"
            return _all(text, found, True)
        case ir.StructPat(ty=ty, variant=variant, fields=fields):
            plain = strip(ty)
            assert isinstance(plain, ir.Adt)
            by_name = dict(fields)
            order = [n for n, _ in body.unit.shapes.fields(plain, variant)]
            found = [translate(body, by_name[n], "", named) for n in order]
            head = body.unit.constructor(plain, variant)
            text = " ".join([head, *(_atom(f.text) for f in found)])
            single = not variant or len(body.unit.shapes.enums[plain.path].variants) == 1
            return _all(text, found, single)
        case ir.SlicePat(before=before, rest=rest, after=after):
            if after:
                raise body.refuse("slice pattern", "a slice pattern with elements after `..`")
            found = [translate(body, p, "", named) for p in before]
            if rest is None:
                return _all(f"[{', '.join(f.text for f in found)}]", found, False)
            tail = translate(body, rest, "", named)
            return _all(" :: ".join(_atom(f.text) for f in [*found, tail]), [*found, tail], not found)
    raise body.refuse("pattern", f"a pattern of the form {type(pattern).__name__}")


def _all(text: str, found: list[LeanPattern], total: bool) -> LeanPattern:
    return LeanPattern(
        text,
        [c for f in found for c in f.conditions],
        total and all(f.total for f in found),
        [name for f in found for name in f.lent],
    )


def _condition(body: Body, pattern: ir.Pattern, name: str) -> str:
    match pattern:
        case ir.LitPat(value=value):
            number = ord(value) if isinstance(value, str) else int(value)
            return f"{name} = {_number(number)}"
        case ir.RangePat(low=low, high=high, inclusive=inclusive):
            sides = [] if low is None else [f"{_number(low)} ≤ {name}"]
            if high is not None:
                sides.append(f"{name} {'≤' if inclusive else '<'} {_number(high)}")
            return " ∧ ".join(sides) or "True"
        case ir.OrPat():
            parts = [_condition(body, c, name) for c in _choices(pattern)]
            return " ∨ ".join(f"({p})" if "∧" in p else p for p in parts)
    raise AssertionError(pattern)


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"


def _atom(text: str) -> str:
    return text if text[0] in "([" or " " not in text else f"({text})"
