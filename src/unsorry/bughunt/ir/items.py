"""Items of the intermediate form: structs, enums, constants, functions, the crate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .expressions import Block, Expr
from .types import NOWHERE, Refusal, Span, Type, TypeParam


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
    export: str = ""  # the path by which other crates reach it, after `crate_name::`; "" if they cannot
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
    export: str = ""  # the path by which other crates reach it, after `crate_name::`; "" if they cannot
    docs: str = ""
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Const:
    path: str
    ty: Type
    value: Expr
    public: bool = False
    export: str = ""  # the path by which other crates reach it, after `crate_name::`; "" if they cannot
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

    `path` is unique and relative to the crate: `module::f`, `module::Type::f`, `<module::Type<u8>>::f` in an impl for
    some arguments only, `<module::Type as Trait>::f`.
    `body` is None for what is refused or opaque; then `refusal` says why.
    `signature_known` is False if `params` and `ret` mean nothing.
    """

    path: str
    generics: tuple[Generic, ...]  # those of the impl first
    params: tuple[Param, ...]  # `self` is params[0], named "self"
    ret: Type
    body: Block | None
    span: Span = field(default=NOWHERE, compare=False)
    docs: str = ""
    attributes: tuple[str, ...] = ()  # as written, without #[ ]
    public: bool = False  # reachable from outside the crate, by `export`
    export: str = ""  # after `crate_name::`, or with it inside the angle brackets of `<Type as Trait>::f`
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
