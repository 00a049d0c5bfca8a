"""Run translated functions on values, with Lean: many calls in one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unsorry.bughunt import ir
from unsorry.bughunt.lean.translation import Translation
from unsorry.bughunt.values import Outcome, Value
from unsorry.lean.process import Confinement, Limits
from unsorry.lean.toolchain import Toolchain


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the function with this Rust path; `types` are for its type parameters (default: all `u8`)."""

    function: str
    args: tuple[Value, ...]
    types: tuple[ir.Type, ...] = ()


def evaluate(
    translation: Translation,
    calls: Sequence[Call],
    *,
    fuel: int = 100_000,
    toolchain: Toolchain | None = None,
    confinement: Confinement | None = None,
    limits: Limits | None = None,
) -> list[Outcome]:
    """What each call does; `Endless` for those that run out of fuel.

    Raises UnsorryError if Lean does not run the file: out of time or memory, or a fault of the translation.
    """
    raise NotImplementedError
