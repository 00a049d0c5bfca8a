"""Constants of a Lean environment, as the kernel knows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from unsorry.lean.names import Name
from unsorry.lean.terms import Expr
from unsorry.lean.traversal import constants


class Kind(StrEnum):
    AXIOM = "axiom"
    DEFINITION = "def"
    THEOREM = "theorem"
    OPAQUE = "opaque"
    QUOT = "quot"
    INDUCTIVE = "inductive"
    CONSTRUCTOR = "constructor"
    RECURSOR = "recursor"


class Safety(StrEnum):
    SAFE = "safe"
    UNSAFE = "unsafe"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class InductiveInfo:
    params: int
    indices: int
    all: tuple[Name, ...]  # the types of the mutual block
    constructors: tuple[Name, ...]
    nested: int
    recursive: bool
    reflexive: bool


@dataclass(frozen=True, slots=True)
class ConstructorInfo:
    inductive: Name
    index: int
    params: int
    fields: int


@dataclass(frozen=True, slots=True)
class RecursorRule:
    constructor: Name
    fields: int
    rhs: Expr


@dataclass(frozen=True, slots=True)
class RecursorInfo:
    all: tuple[Name, ...]
    params: int
    indices: int
    motives: int
    minors: int
    rules: tuple[RecursorRule, ...]
    k: bool


@dataclass(frozen=True, slots=True)
class Declaration:
    """A constant of a Lean environment, as the kernel knows it.

    `value` is there for definitions, theorems and opaque constants.  `hint` steers the kernel's unfolding order:
    "opaque", "abbrev" or a height; it has no meaning.  `info` is there for inductive types, constructors, recursors.
    """

    kind: Kind
    name: Name
    level_params: tuple[Name, ...]
    type: Expr
    value: Expr | None = None
    safety: Safety = Safety.SAFE
    hint: int | str = "opaque"
    all: tuple[Name, ...] = ()
    info: InductiveInfo | ConstructorInfo | RecursorInfo | None = None
    quot: str = ""  # "type", "mk", "lift", "ind"

    def expressions(self) -> tuple[Expr, ...]:
        """The type, the value and the right-hand sides of a recursor's rules."""
        found = [self.type]
        if self.value is not None:
            found.append(self.value)
        if isinstance(self.info, RecursorInfo):
            found.extend(rule.rhs for rule in self.info.rules)
        return tuple(found)

    def relatives(self) -> tuple[Name, ...]:
        """Constants that come with this one: types, constructors of the family."""
        if isinstance(self.info, InductiveInfo):
            return (*self.info.all, *self.info.constructors)
        if isinstance(self.info, ConstructorInfo):
            return (self.info.inductive,)
        if isinstance(self.info, RecursorInfo):
            return self.info.all
        return ()

    def dependencies(self) -> set[Name]:
        """Every constant that this one is built from, itself excepted."""
        return (constants(*self.expressions()) | set(self.relatives())) - {self.name}
