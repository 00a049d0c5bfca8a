"""Names, universe levels, expressions and declarations of Lean's kernel, as immutable hash-consed values.

An `Arena` interns levels and expressions: two of them are equal exactly when they are the same object, so equality and
hashing take constant time and a term that is small as a graph stays small.  An arena may have a frozen parent, whose
values it shares.  Names are plain structured values, equal across arenas and never flattened to text.

What does not count for meaning is not part of a value: metadata is dropped, binder names are kept only as a hint for
printing (the first one seen wins), binder annotations (implicit, instance) are dropped.

Every traversal is iterative and visits each shared node once.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_NAME_COMPONENTS = 128
MAX_SHOWN = 1000  # characters of a component that are printed; a hostile one may be as long as its file
MAX_NAME_NUMBERS = 16  # of them; Lean makes names with three or four, and hashes of long rows of numbers can be chosen


class Name(tuple[str | int, ...]):
    """A hierarchical name: its components, outermost first; a number is not the string that prints like it."""

    __slots__ = ()

    @staticmethod
    def parse(text: str) -> Name:
        """The name written as `text`, with `«»` around odd components; raises ValueError."""
        parts: list[str | int] = []
        rest = text
        while True:
            if rest.startswith("«"):
                end = rest.find("»")
                if end < 0:
                    raise ValueError(f"unclosed « in the name {text!r}")
                part, rest = rest[1:end], rest[end + 1 :]
                parts.append(part)
            else:
                end = rest.find(".")
                part, rest = (rest, "") if end < 0 else (rest[:end], rest[end:])
                if not part:
                    raise ValueError(f"empty component in the name {text!r}")
                parts.append(int(part) if part.isascii() and part.isdigit() and len(part) < 10 else part)
            if not rest:
                return Name(parts)
            if not rest.startswith("."):
                raise ValueError(f"a dot is missing after » in the name {text!r}")
            rest = rest[1:]

    def __str__(self) -> str:
        """As Lean prints it, odd components in «», long ones cut; not injective, for people only."""
        return ".".join(_component(part) for part in self) or "[anonymous]"

    def __repr__(self) -> str:
        return f"Name({tuple(self)!r})"


def _component(part: str | int) -> str:
    if isinstance(part, int):
        return str(part)
    if len(part) > MAX_SHOWN:
        part = part[:MAX_SHOWN] + "…"
    plain = bool(part) and all(c.isalnum() or c in "_'!?✝" or ord(c) > 0x2070 for c in part) and not part[0].isdigit()
    if plain and "«" not in part and "»" not in part and part.isprintable():
        return part
    return "«" + part.encode("unicode_escape").decode() + "»" if not part.isprintable() else f"«{part}»"


ANONYMOUS = Name()


def in_order(names: Iterable[Name]) -> list[Name]:
    """Names sorted by components, numbers first.  No text is made of them: a long component may be in many names."""
    return sorted(names, key=lambda name: [(isinstance(part, str), part) for part in name])


# --- universe levels -------------------------------------------------------------------------------------------------


class Level:
    """A universe level; made by an `Arena`, compared by identity."""

    __slots__ = ()


class Zero(Level):
    __slots__ = ()


class Succ(Level):
    __slots__ = ("level",)

    def __init__(self, level: Level) -> None:
        self.level: Final = level


class Max(Level):
    __slots__ = ("left", "right")

    def __init__(self, left: Level, right: Level) -> None:
        self.left: Final = left
        self.right: Final = right


class IMax(Level):
    __slots__ = ("left", "right")

    def __init__(self, left: Level, right: Level) -> None:
        self.left: Final = left
        self.right: Final = right


class Param(Level):
    __slots__ = ("name",)

    def __init__(self, name: Name) -> None:
        self.name: Final = name


ZERO = Zero()


def level_children(level: Level) -> tuple[Level, ...]:
    """The levels directly below `level`."""
    if isinstance(level, Succ):
        return (level.level,)
    if isinstance(level, Max | IMax):
        return (level.left, level.right)
    return ()


# --- expressions -----------------------------------------------------------------------------------------------------


class Expr:
    """An expression; made by an `Arena`, compared by identity.

    `loose` is one more than the largest de Bruijn index that points outside, 0 if the expression is closed.
    """

    __slots__ = ("loose",)
    loose: int


class BVar(Expr):
    """A bound variable, by de Bruijn index."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index: Final = index
        self.loose = index + 1


class Sort(Expr):
    __slots__ = ("level",)

    def __init__(self, level: Level) -> None:
        self.level: Final = level
        self.loose = 0


class Const(Expr):
    __slots__ = ("levels", "name")

    def __init__(self, name: Name, levels: tuple[Level, ...]) -> None:
        self.name: Final = name
        self.levels: Final = levels
        self.loose = 0


class App(Expr):
    __slots__ = ("arg", "fn")

    def __init__(self, fn: Expr, arg: Expr) -> None:
        self.fn: Final = fn
        self.arg: Final = arg
        self.loose = fn.loose if fn.loose > arg.loose else arg.loose


class Lam(Expr):
    __slots__ = ("binder", "body", "domain")

    def __init__(self, binder: Name, domain: Expr, body: Expr) -> None:
        self.binder: Final = binder
        self.domain: Final = domain
        self.body: Final = body
        self.loose = max(domain.loose, body.loose - 1)


class Pi(Expr):
    __slots__ = ("binder", "body", "domain")

    def __init__(self, binder: Name, domain: Expr, body: Expr) -> None:
        self.binder: Final = binder
        self.domain: Final = domain
        self.body: Final = body
        self.loose = max(domain.loose, body.loose - 1)


class Let(Expr):
    __slots__ = ("binder", "body", "domain", "value")

    def __init__(self, binder: Name, domain: Expr, value: Expr, body: Expr) -> None:
        self.binder: Final = binder
        self.domain: Final = domain
        self.value: Final = value
        self.body: Final = body
        self.loose = max(domain.loose, value.loose, body.loose - 1)


class NatLit(Expr):
    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value: Final = value
        self.loose = 0


class StrLit(Expr):
    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value: Final = value
        self.loose = 0


class Proj(Expr):
    """Field `index` of `expr`, a value of the structure `structure`."""

    __slots__ = ("expr", "index", "structure")

    def __init__(self, structure: Name, index: int, expr: Expr) -> None:
        self.structure: Final = structure
        self.index: Final = index
        self.expr: Final = expr
        self.loose = expr.loose


def children(e: Expr) -> tuple[Expr, ...]:
    """The expressions directly below `e`, in the order of the kernel's constructor."""
    kind = type(e)  # faster than isinstance, and this is where traversals spend their time
    if kind is App:
        return (e.fn, e.arg)  # type: ignore[attr-defined]
    if kind is Lam or kind is Pi:
        return (e.domain, e.body)  # type: ignore[attr-defined]
    if kind is Let:
        return (e.domain, e.value, e.body)  # type: ignore[attr-defined]
    if kind is Proj:
        return (e.expr,)  # type: ignore[attr-defined]
    return ()


class Arena:
    """Interns levels and expressions.

    With a `parent`, values of the parent are reused; the parent must not grow afterwards (`freeze` it), or equal
    values could exist twice.
    """

    def __init__(self, parent: Arena | None = None) -> None:
        if parent is not None and not parent.frozen:
            raise ValueError("the parent of an arena must be frozen")
        self.frozen: bool = False
        # own table first; the key's first element tells the constructors apart
        self._tables: tuple[dict[object, Expr | Level], ...] = ({}, *(() if parent is None else parent._tables))

    def freeze(self) -> Arena:
        """Refuses new values from now on; returns the arena."""
        self.frozen = True
        return self

    def __len__(self) -> int:
        return sum(len(table) for table in self._tables)

    def _intern(self, key: tuple[object, ...], make: Callable[..., Expr | Level], *args: object) -> Expr | Level:
        for table in self._tables:
            found = table.get(key)
            if found is not None:
                return found
        if self.frozen:
            raise ValueError("the arena is frozen")
        made = self._tables[0][key] = make(*args)
        return made

    def succ(self, level: Level) -> Level:
        return self._intern((Succ, level), Succ, level)  # type: ignore[return-value]

    def max(self, left: Level, right: Level) -> Level:
        return self._intern((Max, left, right), Max, left, right)  # type: ignore[return-value]

    def imax(self, left: Level, right: Level) -> Level:
        return self._intern((IMax, left, right), IMax, left, right)  # type: ignore[return-value]

    def param(self, name: Name) -> Level:
        return self._intern((Param, name), Param, name)  # type: ignore[return-value]

    def bvar(self, index: int) -> Expr:
        return self._intern((BVar, index), BVar, index)  # type: ignore[return-value]

    def sort(self, level: Level) -> Expr:
        return self._intern((Sort, level), Sort, level)  # type: ignore[return-value]

    def const(self, name: Name, levels: tuple[Level, ...]) -> Expr:
        return self._intern((Const, name, levels), Const, name, levels)  # type: ignore[return-value]

    def app(self, fn: Expr, arg: Expr) -> Expr:
        return self._intern((App, fn, arg), App, fn, arg)  # type: ignore[return-value]

    def lam(self, binder: Name, domain: Expr, body: Expr) -> Expr:
        return self._intern((Lam, domain, body), Lam, binder, domain, body)  # type: ignore[return-value]

    def pi(self, binder: Name, domain: Expr, body: Expr) -> Expr:
        return self._intern((Pi, domain, body), Pi, binder, domain, body)  # type: ignore[return-value]

    def let(self, binder: Name, domain: Expr, value: Expr, body: Expr) -> Expr:
        return self._intern((Let, domain, value, body), Let, binder, domain, value, body)  # type: ignore[return-value]

    def nat(self, value: int) -> Expr:
        # Large integers with equal hashes are easily found, texts with equal hashes are not.
        key = value if value < 1 << 60 else f"{value:x}"
        return self._intern((NatLit, key), NatLit, value)  # type: ignore[return-value]

    def string(self, value: str) -> Expr:
        return self._intern((StrLit, value), StrLit, value)  # type: ignore[return-value]

    def proj(self, structure: Name, index: int, expr: Expr) -> Expr:
        return self._intern((Proj, structure, index, expr), Proj, structure, index, expr)  # type: ignore[return-value]


# --- traversals ------------------------------------------------------------------------------------------------------


def subterms(*roots: Expr, seen: set[Expr] | None = None) -> Iterator[Expr]:
    """Every distinct expression below the roots, parents before children; skips and extends `seen`."""
    seen = set() if seen is None else seen
    todo = list(roots)
    while todo:
        e = todo.pop()
        if e not in seen:
            seen.add(e)
            yield e
            todo.extend(children(e))


def constants(*roots: Expr, seen: set[Expr] | None = None) -> set[Name]:
    """Names of the constants that the roots mention, structures of projections included."""
    found: set[Name] = set()
    for e in subterms(*roots, seen=seen):
        if isinstance(e, Const):
            found.add(e.name)
        elif isinstance(e, Proj):
            found.add(e.structure)
    return found


def postorder(*roots: Expr, done: Container[Expr]) -> Iterator[Expr]:
    """Every distinct expression below the roots that is not in `done`, children before parents.

    The caller adds to `done` each expression that it is given, before it asks for the next.
    """
    todo = list(reversed(roots))
    while todo:
        e = todo[-1]
        if e in done:
            todo.pop()
            continue
        waiting = [c for c in children(e) if c not in done]
        if waiting:
            todo.extend(waiting)
        else:
            todo.pop()
            yield e


def level_postorder(*roots: Level, done: Container[Level]) -> Iterator[Level]:
    """As `postorder`, for universe levels."""
    todo = list(reversed(roots))
    while todo:
        level = todo[-1]
        if level in done:
            todo.pop()
            continue
        waiting = [c for c in level_children(level) if c not in done]
        if waiting:
            todo.extend(waiting)
        else:
            todo.pop()
            yield level


def rebuild(
    arena: Arena, root: Expr, variable: Callable[[BVar, int], Expr | None], step: Callable[[], object] = bool
) -> Expr | None:
    """`root` with each loose variable replaced by `variable(v, depth)`, where `depth` counts the binders around it.

    None as soon as a replacement is None.  Closed parts are shared, each part is rebuilt once for each depth.
    `step` is called for each part that is looked at, and may raise to end it.
    """
    made: dict[tuple[Expr, int], Expr] = {}
    todo = [(root, 0)]
    while todo:
        e, depth = todo[-1]
        if (e, depth) in made:
            todo.pop()
            continue
        step()
        if e.loose <= depth:
            made[e, depth] = e
            continue
        if isinstance(e, BVar):
            new = variable(e, depth)
            if new is None:
                return None
            made[e, depth] = new
            continue
        parts = _under(e, depth)
        waiting = [part for part in parts if part not in made]
        if waiting:
            todo.extend(waiting)
            continue
        new_parts = [made[part] for part in parts]
        if isinstance(e, App):
            made[e, depth] = arena.app(new_parts[0], new_parts[1])
        elif isinstance(e, Lam):
            made[e, depth] = arena.lam(e.binder, new_parts[0], new_parts[1])
        elif isinstance(e, Pi):
            made[e, depth] = arena.pi(e.binder, new_parts[0], new_parts[1])
        elif isinstance(e, Let):
            made[e, depth] = arena.let(e.binder, new_parts[0], new_parts[1], new_parts[2])
        elif isinstance(e, Proj):
            made[e, depth] = arena.proj(e.structure, e.index, new_parts[0])
        else:
            raise TypeError(f"no expression with variables: {type(e)}")
    return made[root, 0]


def _under(e: Expr, depth: int) -> list[tuple[Expr, int]]:
    """The expressions directly below, with the number of binders around them."""
    parts = children(e)
    last = depth + 1 if isinstance(e, Lam | Pi | Let) else depth
    return [*((part, depth) for part in parts[:-1]), (parts[-1], last)]


# --- declarations ----------------------------------------------------------------------------------------------------


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
