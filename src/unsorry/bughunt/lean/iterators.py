"""The items of an iterator, as a Lean list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean.refusals import Untranslatable
from unsorry.bughunt.lean.writing import K, Lines

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body


def lends(source: ir.Iter) -> bool:
    """Whether the items are `&mut`."""
    match source:
        case ir.IterList(mode=mode):
            return mode == "mut"
        case ir.IterAdapter(kind="enumerate", inner=ir.IterList(mode=mode)):
            return mode == "mut"
        case _:
            return False


def items(body: Body, source: ir.Iter, k: K) -> Lines:
    """Go on with the list of all items; they are values, so that running ahead changes nothing."""
    match source:
        case ir.IterList(mode="mut"):
            raise Untranslatable("mutable reference", "an adapter over mutable items")
        case ir.IterList(base=base):
            return body.expr(base, k)
        case ir.IterRange(high=None):
            raise Untranslatable("open range", "a range without end in an iterator")
        case ir.IterRange(item=item, low=low, high=high, inclusive=inclusive):
            if item == ir.CHAR:
                raise Untranslatable("char range", "a range of chars")
            assert high is not None
            top = " + 1" if inclusive else ""

            def ranged(low_: str, high_: str) -> Lines:
                return body.bind(f"Iter.range{body.bounded} {low_} {f'({high_}{top})' if top else high_}", k)

            return body.many([low, high], lambda ts: ranged(ts[0], ts[1]))
        case ir.IterAdapter(kind="zip", inner=inner, other=other):
            assert other is not None
            return items(
                body,
                inner,
                lambda a: body.let(
                    a, ir.Vec(inner.item), lambda x: items(body, other, lambda b: k(f"(List.zip {x} {b})"))
                ),
            )
        case ir.IterAdapter(kind=kind, inner=inner, amount=amount):
            return items(body, inner, lambda xs: _adapt(body, kind, xs, amount, k))
        case ir.IterChunks(kind=kind, base=base, size=size):
            names = {"windows": "Slice.windows", "chunks": "Slice.chunks", "chunks_exact": "Slice.chunks_exact"}
            return body.many([base, size], lambda ts: body.bind(f"{names[kind]} {ts[0]} {ts[1]}", k))
    raise AssertionError(source)


def _adapt(body: Body, kind: str, xs: str, amount: ir.Expr | None, k: K) -> Lines:
    if kind == "rev":
        return k(f"(List.reverse {xs})")
    if kind == "enumerate":
        return k(f"(Iter.enumerate 0 {xs})")
    assert amount is not None

    def with_amount(n: str) -> Lines:
        if kind == "step_by":
            return body.bind(f"Iter.step_by {xs} {n}", k)
        return k(f"(Slice.{kind} {xs} {n})")

    return body.expr(amount, lambda n: body.let(n, ir.USIZE, with_amount))
