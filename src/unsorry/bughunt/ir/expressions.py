"""Expressions and statements of the intermediate form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .types import NOWHERE, Span, Type

if TYPE_CHECKING:
    from .iterators import Iter
    from .patterns import Pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What all expressions have; spans do not count in comparisons."""

    ty: Type
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntLit(Node):
    """Also what `u8::MAX`, `MIN` and `BITS` become; negative literals are folded."""

    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoolLit(Node):
    value: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CharLit(Node):
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StrLit(Node):
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Local(Node):
    """A parameter or local; a place."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstRef(Node):
    """A `const` or immutable `static` item of the crate (`Crate.consts`)."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unary(Node):
    """`-` on signed integers; `!` on integers (bits) and bool."""

    op: Literal["-", "!"]
    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(Node):
    """Arithmetic, bits (also on bool) and comparison.

    Both sides have one type, except for shifts.  Arithmetic only on scalars.  Comparison also on tuples, arrays,
    slices, vectors, references (compared through) and ADTs that derive it: structural for `== !=`, lexicographic in
    the order of fields and of variants for `< <= > >=`.  Hand-written `PartialEq`, `Add` and the like are `Call`s.
    """

    op: Literal["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Logic(Node):
    op: Literal["&&", "||"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast(Node):
    """`as`; also the lossless `u32::from(x)` and `x.into()`.  Enums without fields give their discriminant."""

    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleLit(Node):
    items: tuple[Expr, ...]  # () is the unit value


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLit(Node):
    """`[a, b]` or `vec![a, b]`; `ty` says which."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Node):
    """`[x; n]` (count is an `IntLit`) or `vec![x; n]`; `ty` says which."""

    item: Expr
    count: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class StructLit(Node):
    """All fields in the order written (the order of running); with `base` (`..base`), the others come from it."""

    fields: tuple[tuple[str, Expr], ...]  # tuple structs: "0", "1", …
    base: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantLit(Node):
    """An enum value: `Some(x)`, `Shape::Circle { r }`; fields named as in `StructLit`."""

    variant: str
    fields: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldOf(Node):
    """`base.name` of a struct or tuple ("0", "1", …); a place if the base is."""

    base: Expr
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Index(Node):
    """`base[index]`, base of type array, slice or vector (never a reference); a place."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceOf(Node):
    """`base[low..high]` of type `Slice`; always inside a `Borrow`.  Panics if low > high or high > len.

    `inclusive` is `low..=high`; Rust panics there also for high = usize::MAX.
    """

    base: Expr
    low: Expr | None
    high: Expr | None
    inclusive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Borrow(Node):
    """`&place` or `&mut place`; a `&` of a value that is not a place borrows a temporary."""

    mutable: bool
    place: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Deref(Node):
    """`*reference`; a place."""

    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsize(Node):
    """`&[T; N]` or `&Vec<T>` seen as `&[T]` (`&mut` alike)."""

    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Node):
    """A call of a function of the crate; each `&mut` argument is a `Borrow` (reborrows: of a `Deref`)."""

    function: str  # Function.path
    type_args: tuple[Type, ...]  # for Function.generics, in order
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Intrinsic(Node):
    """A call of the standard library; `name` is a key of `intrinsics.INTRINSICS`; receivers are args[0]."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(Node):
    statements: tuple[Stmt, ...]
    tail: Expr | None  # None: unit, or never when the end is not reached


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Node):
    """`if let` is a `Match`."""

    condition: Expr
    then: Block
    otherwise: Expr | None  # a Block or an If


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Node):
    """Arms are tried in order; exhaustive, as rustc checks.  The scrutinee is a place where it can be."""

    scrutinee: Expr
    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop(Node):
    """`loop`; its type is that of its `break` values.  `label` is unique in the function."""

    label: str
    body: Block


@dataclass(frozen=True, slots=True, kw_only=True)
class While(Node):
    """`while condition`; `while let` is a `Loop` with a `Match` whose last arm breaks."""

    label: str
    condition: Expr
    body: Block


@dataclass(frozen=True, slots=True, kw_only=True)
class For(Node):
    """`for pattern in source`; the source is run once, before the first turn."""

    label: str
    pattern: Pattern
    source: Iter
    body: Block


@dataclass(frozen=True, slots=True, kw_only=True)
class Break(Node):
    label: str
    value: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(Node):
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Node):
    value: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Try(Node):
    """`operand?` on Option or Result; `convert` is the path of the crate's `From::from` for the error, if one runs."""

    operand: Expr
    convert: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panic(Node):
    kind: Literal["panic", "unreachable", "todo", "unimplemented"]
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assert(Node):
    """`assert!`, `assert_eq!`, `assert_ne!` and their `debug_` forms."""

    condition: Expr
    debug: bool
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(Node):
    place: Expr  # `_ = value` is an ExprStmt
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignOp(Node):
    """`place op= value` on scalars (hand-written `AddAssign` is a `Call`)."""

    op: Literal["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]
    place: Expr
    value: Expr


Place = Local | FieldOf | Index | SliceOf | Deref
Expr = (
    IntLit | BoolLit | CharLit | StrLit | Local | ConstRef | Unary | Binary | Logic | Cast | TupleLit | ListLit | Repeat
    | StructLit | VariantLit | FieldOf | Index | SliceOf | Borrow | Deref | Unsize | Call | Intrinsic | Block | If
    | Match | Loop | While | For | Break | Continue | Return | Try | Panic | Assert | Assign | AssignOp
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Let:
    """`let pattern: ty = init else { otherwise };`; without init the local is assigned later, before any use."""

    pattern: Pattern
    init: Expr | None
    otherwise: Block | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ExprStmt:
    expr: Expr


Stmt = Let | ExprStmt


@dataclass(frozen=True, slots=True)
class Arm:
    pattern: Pattern
    guard: Expr | None
    body: Expr
