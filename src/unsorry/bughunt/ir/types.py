"""Spans, refusals and types of the intermediate form."""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_DEPTH = 120  # a front end refuses what nests deeper, so that walkers may recurse


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source file: path relative to the crate, lines from 1, byte offsets (end exclusive)."""

    file: str
    first_line: int
    last_line: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.first_line}"


NOWHERE = Span("", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not translated: a stable code such as `unsafe` or `float`, a line for people, the place."""

    code: str
    message: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Scalar:
    """`u8 … u128, usize, i8 … i128, isize, bool, char`."""

    name: str

    @property
    def is_int(self) -> bool:
        return self.name in BITS

    @property
    def signed(self) -> bool:
        return self.name[0] == "i"

    @property
    def bits(self) -> int:
        return BITS[self.name]

    @property
    def min(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def max(self) -> int:
        return (1 << (self.bits - 1 if self.signed else self.bits)) - 1


BITS = {f"{s}{n}": b for s in "ui" for n, b in ((8, 8), (16, 16), (32, 32), (64, 64), (128, 128), ("size", 64))}


@dataclass(frozen=True, slots=True)
class Never:
    """`!`: the type of `return`, `break`, `continue`, panics and endless loops."""


@dataclass(frozen=True, slots=True)
class Str:
    """The unsized `str`; always behind a `Ref`.  Only literals, passing on and `==` are in the subset."""


@dataclass(frozen=True, slots=True)
class Tuple:
    items: tuple[Type, ...]  # () is the unit type


@dataclass(frozen=True, slots=True)
class Array:
    item: Type
    length: int


@dataclass(frozen=True, slots=True)
class Slice:
    """The unsized `[T]`; always behind a `Ref`."""

    item: Type


@dataclass(frozen=True, slots=True)
class Vec:
    item: Type


@dataclass(frozen=True, slots=True)
class Ref:
    """`&T` or `&mut T`.  `&mut` occurs only as the type of parameters, arguments (`Borrow`) and `Bind`s."""

    mutable: bool
    target: Type


@dataclass(frozen=True, slots=True)
class Adt:
    """A struct or enum by its path; `Option`, `Result`, `Ordering`, `TryFromIntError` are in `BUILTIN_ENUMS`."""

    path: str
    args: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeParam:
    name: str


Type = Scalar | Never | Str | Tuple | Array | Slice | Vec | Ref | Adt | TypeParam
UNIT, NEVER, BOOL, CHAR, USIZE, U8, U32, I32 = (
    Tuple(()),
    Never(),
    *(Scalar(name) for name in ("bool", "char", "usize", "u8", "u32", "i32")),
)


def option(item: Type) -> Adt:
    """`Option<item>`."""
    return Adt("Option", (item,))


def result(ok: Type, error: Type) -> Adt:
    """`Result<ok, error>`."""
    return Adt("Result", (ok, error))


ORDERING = Adt("Ordering")
