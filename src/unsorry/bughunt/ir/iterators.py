"""What a `for` runs over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .expressions import Expr
from .types import Type


@dataclass(frozen=True, slots=True)
class IterRange:
    """`low..high` or `low..=high` over integers of type `item`; without `high` it ends by overflow only."""

    item: Type
    low: Expr
    high: Expr | None
    inclusive: bool


@dataclass(frozen=True, slots=True)
class IterList:
    """The elements of a place of type array, slice or vector (never a reference).

    mode `ref`: items are `&T`; `mut`: `&mut T`, writes go to the place; `value`: `T` (by value, `copied`, `cloned`).
    """

    item: Type
    base: Expr
    mode: Literal["ref", "mut", "value"]


@dataclass(frozen=True, slots=True)
class IterAdapter:
    """`rev`, `enumerate` (items `(usize, T)`), `skip`, `take`, `step_by` (amount: usize; step 0 panics), `zip`."""

    item: Type
    kind: Literal["rev", "enumerate", "skip", "take", "step_by", "zip"]
    inner: Iter
    amount: Expr | None = None
    other: Iter | None = None


@dataclass(frozen=True, slots=True)
class IterChunks:
    """`windows`, `chunks`, `chunks_exact` of a slice (items `&[T]`; size 0 panics)."""

    item: Type
    kind: Literal["windows", "chunks", "chunks_exact"]
    base: Expr  # a place of type array, slice or vector
    size: Expr


Iter = IterRange | IterList | IterAdapter | IterChunks
