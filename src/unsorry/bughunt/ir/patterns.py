"""Patterns of the intermediate form; match ergonomics are written out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .types import Type


@dataclass(frozen=True, slots=True)
class Wild:
    """`_`; binds and moves nothing."""

    ty: Type


@dataclass(frozen=True, slots=True)
class Bind:
    """`name`, `mut name`, `ref name`, `ref mut name`, `name @ sub`.  `ty` is the type of the local (a `Ref` if by
    reference)."""

    ty: Type
    name: str
    mutable: bool = False
    by: Literal["value", "ref", "mut"] = "value"
    sub: Pattern | None = None


@dataclass(frozen=True, slots=True)
class LitPat:
    ty: Type
    value: int | bool | str  # constants of the crate are folded; str is a char


@dataclass(frozen=True, slots=True)
class RangePat:
    """`low..=high`, `low..high`, open at either end; on integers and chars (then the bounds are code points)."""

    ty: Type
    low: int | None
    high: int | None
    inclusive: bool = True


@dataclass(frozen=True, slots=True)
class TuplePat:
    ty: Type
    items: tuple[Pattern, ...]  # `..` is filled with Wild


@dataclass(frozen=True, slots=True)
class StructPat:
    """A struct (variant "") or a variant of an enum; every field is there, those not written as Wild."""

    ty: Type
    variant: str
    fields: tuple[tuple[str, Pattern], ...]


@dataclass(frozen=True, slots=True)
class RefPat:
    """`&sub`; match ergonomics are written so."""

    ty: Type
    sub: Pattern


@dataclass(frozen=True, slots=True)
class SlicePat:
    """`[a, b, rest @ .., z]` on an array, slice or vector behind a reference; `rest` is None without `..`.

    `rest` matches the middle: a Wild, or a Bind whose type is an array or a reference to a slice.
    """

    ty: Type
    before: tuple[Pattern, ...]
    rest: Pattern | None
    after: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class OrPat:
    """`a | b`; alternatives bind the same names."""

    ty: Type
    choices: tuple[Pattern, ...]


Pattern = Wild | Bind | LitPat | RangePat | TuplePat | StructPat | RefPat | SlicePat | OrPat
