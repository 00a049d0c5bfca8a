"""The typed intermediate form of a Rust crate: what the front ends make and what the translation to Lean reads.

Promises of a front end: the crate is one that rustc accepts (moves and borrows are not checked again); names are
resolved; every expression has its type; what Rust inserts silently (auto-ref, auto-deref, reborrows, unsizing, match
ergonomics, operator methods, `From` in `?`) is written out; anything else is a `Refusal` and has no body here.

Meaning, where Rust leaves a choice or a reader may stumble:

- `usize` and `isize` have 64 bits.
- Overflow of `+ - *`, of `-x`, of `pow`, `abs` and of the sum of an iterator is a parameter of the whole run: `debug`
  panics, `release` wraps.  The same holds for `<<` and `>>` by an amount that is negative or >= the width: `debug`
  panics, `release` masks the amount by width - 1.  `>>` is arithmetic on signed types.
- Division and remainder by zero and MIN / -1, MIN % -1 panic always; so do indices and slice ranges out of bounds.
- Operands run left to right; `&&` and `||` stop early.  `Assign` runs the value first, then the place; `AssignOp`
  on scalars runs the value first, then reads and writes the place.
- `Cast` between integers truncates or sign-extends; `bool` and `char` give their number; `u8` gives a `char`.
- `debug_assert*` (`Assert.debug`) exists in debug only: in release its condition is not even run.
- Locals of one function have distinct names (shadowing gets a suffix `_1`), parameters included.
- `If`, `Match` and `Block` may have branches of type `Never` beside a type that is not.
- Recursion of nodes is at most `MAX_DEPTH` deep.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

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


# ---------------------------------------------------------------------------------------------------------- types


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


type_forms = (Scalar, Never, Str, Tuple, Array, Slice, Vec, Ref, Adt, TypeParam)
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

# ---------------------------------------------------------------------------------------------------- expressions


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

# ------------------------------------------------------------------------------------------------------ iterators


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

# ------------------------------------------------------------------------------------------------------- patterns


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


@dataclass(frozen=True, slots=True)
class Arm:
    pattern: Pattern
    guard: Expr | None
    body: Expr


# ---------------------------------------------------------------------------------------------------------- items


@dataclass(frozen=True, slots=True)
class Generic:
    """A type parameter and the traits asked of it; only `Copy`, `Clone` and `Sized` let a body use it."""

    name: str
    bounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    name: str  # "0", "1", … in tuple structs
    ty: Type
    public: bool = False


@dataclass(frozen=True, slots=True)
class Struct:
    path: str
    generics: tuple[Generic, ...]
    fields: tuple[Field, ...]
    derives: frozenset[str] = frozenset()
    public: bool = False
    docs: str = ""
    span: Span = field(default=NOWHERE, compare=False)
    shape: Literal["named", "tuple", "unit"] = "named"


@dataclass(frozen=True, slots=True)
class Variant:
    name: str
    fields: tuple[Field, ...] = ()
    discriminant: int = 0
    shape: Literal["named", "tuple", "unit"] = "unit"


@dataclass(frozen=True, slots=True)
class Enum:
    path: str
    generics: tuple[Generic, ...]
    variants: tuple[Variant, ...]
    derives: frozenset[str] = frozenset()
    public: bool = False
    docs: str = ""
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Const:
    path: str
    ty: Type
    value: Expr
    public: bool = False
    docs: str = ""
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    ty: Type
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method.

    `path` is unique and relative to the crate: `module::f`, `module::Type::f`, `<module::Type as Trait>::f`; written
    after `crate_name::` (inside the angle brackets for the last form) it is also the Rust path.  `body` is None for
    what is refused or opaque; then `refusal` says why.  `signature_known` is False if `params` and `ret` mean nothing.
    """

    path: str
    generics: tuple[Generic, ...]  # those of the impl first
    params: tuple[Param, ...]  # `self` is params[0], named "self"
    ret: Type
    body: Block | None
    span: Span = field(default=NOWHERE, compare=False)
    docs: str = ""
    attributes: tuple[str, ...] = ()  # as written, without #[ ]
    public: bool = False  # reachable from outside the crate
    owner: Type | None = None  # Self, for methods and associated functions
    trait: str = ""  # the trait of `impl Trait for Type`, with its arguments, as written
    can_fail: bool = True  # some run may panic, in debug or in release
    can_diverge: bool = False  # has a `loop`, a `while` or recursion
    opaque: bool = False  # no body to be had, yet the signature is known
    signature_known: bool = True
    refusal: Refusal | None = None
    calls: frozenset[str] = frozenset()  # paths of the functions of the crate that it calls

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rsplit("::", 1)[-1]


@dataclass(frozen=True, slots=True)
class RefusedItem:
    """An item that is no function and is left out (a trait, a macro, a struct with a float …)."""

    kind: str
    path: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Crate:
    """A crate: everything that came through, and everything that did not, by name."""

    name: str
    structs: tuple[Struct, ...] = ()
    enums: tuple[Enum, ...] = ()
    consts: tuple[Const, ...] = ()
    functions: tuple[Function, ...] = ()  # refused ones too
    refused: tuple[RefusedItem, ...] = ()
    source_hash: str = ""

    def function(self, path: str) -> Function | None:
        """The function of that path."""
        return next((f for f in self.functions if f.path == path), None)


T, E = TypeParam("T"), TypeParam("E")
BUILTIN_ENUMS: dict[str, Enum] = {
    enum.path: enum
    for enum in (
        Enum(
            "Option",
            (Generic("T"),),
            (Variant("None", (), 0), Variant("Some", (Field("0", T, True),), 1, "tuple")),
            frozenset({"PartialEq", "Eq", "PartialOrd", "Ord", "Clone", "Copy", "Default"}),
        ),
        Enum(
            "Result",
            (Generic("T"), Generic("E")),
            (Variant("Ok", (Field("0", T, True),), 0, "tuple"), Variant("Err", (Field("0", E, True),), 1, "tuple")),
            frozenset({"PartialEq", "Eq", "PartialOrd", "Ord", "Clone", "Copy"}),
        ),
        Enum(
            "Ordering",
            (),
            (Variant("Less", (), -1), Variant("Equal", (), 0), Variant("Greater", (), 1)),
            frozenset({"PartialEq", "Eq", "PartialOrd", "Ord", "Clone", "Copy"}),
        ),
        Enum(  # the error of `u8::try_from(x)`: one value, no contents
            "TryFromIntError", (), (Variant("TryFromIntError"),), frozenset({"PartialEq", "Eq", "Clone", "Copy"})
        ),
    )
}
