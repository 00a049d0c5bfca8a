"""What a translation is: Lean source, where each function is in it, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from unsorry.bughunt import ir
from unsorry.bughunt.values import Shapes

Mode = Literal["debug", "release"]


@dataclass(frozen=True, slots=True)
class LeanParam:
    """A parameter: its name and type in Lean, its type in Rust."""

    name: str
    lean_type: str
    ty: ir.Type


@dataclass(frozen=True, slots=True)
class LeanFunction:
    """A translated function.

    Apply `name` to `fuel` first if `fuel` is set, then to the parameters.  `result` is the type inside `Result`: that
    of the Rust function, paired with those of the `&mut` parameters (`changed`, in order; unit is left out).  `first`
    and `last` are lines of `Translation.source`, from 1.
    """

    path: str
    name: str
    params: tuple[LeanParam, ...]
    result: str
    ret: ir.Type
    fuel: bool
    changed: tuple[ir.Type, ...]
    first: int
    last: int
    generics: tuple[str, ...] = ()  # implicit type parameters


@dataclass(frozen=True, slots=True)
class Refused:
    """A function that has no translation, and why."""

    path: str
    code: str
    message: str
    span: ir.Span


@dataclass(frozen=True, slots=True)
class Translation:
    """A crate in Lean, for one overflow mode.

    `source` is a whole Lean file without imports: the library, the crate's types, its functions.  It is the `preamble`
    of a Problem; the theorem follows.  `functions` by Rust path, `types`: Lean name -> path of a struct or enum.
    """

    crate: ir.Crate
    mode: Mode
    source: str
    functions: Mapping[str, LeanFunction]
    refused: tuple[Refused, ...]
    shapes: Shapes
    types: Mapping[str, str] = field(default_factory=dict)
