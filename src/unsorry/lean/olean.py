"""Read a compiled Lean module (`.olean`, format 2) as data: bytes -> declarations, trusting nothing in the file.

The format: a header of 88 bytes ("olean", version 2, flags, Lean version, git hash, base address), a word that points
to the root, then compacted objects.  A pointer is an address relative to the base; an odd word is a boxed number.  An
object's first word holds its reference count (0), its size, its number of pointers and its tag.

Rooms: olean_image.py lays the bytes out, olean_shapes.py knows the objects' headers, olean_objects.py reads raw objects
(and says why a hostile file is harmless), olean_terms.py decodes names, levels and expressions, this one declarations.

A module of Lean's module system has three parts, which are read as one file (see olean_image.py): the last one lists
every constant with its value.

Whatever is wrong raises `OleanError`; places in its text count from the first byte of the first part.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field

from unsorry.lean.declarations import (
    ConstructorInfo,
    Declaration,
    InductiveInfo,
    Kind,
    RecursorInfo,
    RecursorRule,
    Safety,
)
from unsorry.lean.names import ANONYMOUS, Name
from unsorry.lean.olean_image import IS_MODULE, MODULE, OleanError
from unsorry.lean.olean_shapes import CONST, CONSTANT_VAL, IMPORT, PROJ, REGULAR_HINT, RULE, VALUES, head
from unsorry.lean.olean_terms import Terms
from unsorry.lean.terms import ZERO, Arena, Expr, Sort

__all__ = ["Import", "Module", "OleanError", "Reader", "read"]

KINDS = tuple(Kind)
QUOT_KINDS = ("type", "mk", "lift", "ind")
PLACEHOLDER = Sort(ZERO)
SAFETY = (Safety.UNSAFE, Safety.SAFE, Safety.PARTIAL)


@dataclass(frozen=True, slots=True)
class Import:
    """One import line; the flags belong to the module system."""

    module: Name
    all: bool = False
    exported: bool = True
    meta: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """What a file declares.  `is_module` tells files of the module system, whose proofs may be elsewhere."""

    version: str
    imports: tuple[Import, ...]
    declarations: dict[Name, Declaration] = field(repr=False)
    is_module: bool
    arena: Arena


def read(data: bytes, *later: bytes, arena: Arena | None = None, version: str | None = None) -> Module:
    """Every declaration of the module; `version` is the Lean version that it must have been written by."""
    reader = Reader(data, *later, arena=arena, version=version)
    declarations = {name: reader.declaration(name) for name in reader.names}
    reader.check_overlaps()
    return Module(reader.version, reader.imports, declarations, reader.is_module, reader.arena)


class Reader(Terms):
    """A module whose declarations are decoded one by one, when asked for.

    `later` are the other parts, in Lean's order, of a module of the module system; without them its first part gives
    what importing modules see.
    """

    def __init__(self, data: bytes, *later: bytes, arena: Arena | None = None, version: str | None = None) -> None:
        super().__init__(data, *later, arena=arena, version=version)
        self._root()

    def _root(self) -> None:
        """Reads the tables of every part; those of the last one are the module's."""
        tables: dict[tuple[int, int], dict[Name, tuple[int, int]]] = {}
        imports: set[tuple[Import, ...]] = set()
        for part in self._image.parts:
            root = self._object(part.root, part.end, MODULE, "module")  # an equal root of an earlier part serves too
            self.is_module = self._flag(root, IS_MODULE)
            if len(self._image.parts) > 1 and not self.is_module:
                raise OleanError("parts", "a part does not belong to the module system")
            self.imports = self._imports(self.words[root + 1], root)
            imports.add(self.imports)
            table = self.words[root + 2], self.words[root + 3]  # parts often share theirs
            self._constants = tables[table] = tables.get(table) or self._table(root)
        if len(imports) > 1 or any(not table.keys() <= self._constants.keys() for table in tables.values()):
            raise OleanError("parts", "the parts disagree on imports or constants: they are not of one build")
        self.names = tuple(self._constants)

    def _imports(self, address: int, owner: int) -> tuple[Import, ...]:
        index, pointers = self._array(address, owner)
        imports: list[Import] = []
        for pointer in pointers:
            i = self._object(pointer, index, IMPORT, "import")
            imports.append(Import(self._name(self.words[i + 1], i), *(self._flag(i, 16 + byte) for byte in range(3))))
        return tuple(imports)

    def _table(self, root: int) -> dict[Name, tuple[int, int]]:
        """Name of each constant -> (pointer, index of its owner)."""
        index, pointers = self._array(self.words[root + 2], root)
        names = [self._name(pointer, index) for pointer in pointers]
        index, pointers = self._array(self.words[root + 3], root)
        constants = list(pointers)
        if len(constants) != len(names):
            raise OleanError("count", "the tables of names and of constants differ in length")
        table = {name: (pointer, index) for name, pointer in zip(names, constants, strict=True)}
        if len(table) != len(names):
            raise OleanError("duplicate", "a name is declared twice")
        if ANONYMOUS in table:
            raise OleanError("name", "a constant without a name")
        return table

    def __contains__(self, name: Name) -> bool:
        return name in self._constants

    @functools.cached_property
    def digest(self) -> bytes:
        """sha256 over the bytes of the module's files."""
        return self._image.digest()

    def declaration(self, name: Name) -> Declaration:
        """The declaration of that name; raises KeyError if the module has none."""
        return self._declaration(name, self._expr)

    def statement(self, name: Name) -> Declaration:
        """The declaration with its type, and placeholders for all other terms; faster by what its proof would take."""
        calls = 0

        def type_only(address: int, owner: int) -> Expr:
            nonlocal calls
            calls += 1
            return self._expr(address, owner) if calls == 1 else PLACEHOLDER

        return self._declaration(name, type_only)

    def outline(self, name: Name) -> tuple[Declaration, frozenset[Name]]:
        """A declaration whose terms are placeholders, and what it is built from; several times faster."""
        found: set[Name] = set()
        seen: set[int] = set()

        def visit(address: int, owner: int) -> Expr:
            fresh = self._fresh_exprs(self._at(address, owner), seen)
            seen.update(fresh)
            for i in fresh:
                if self.words[i] in (CONST, PROJ):
                    found.add(self._name(self.words[i + 1], i))
            return PLACEHOLDER

        declaration = self._declaration(name, visit)
        return declaration, frozenset(found.union(declaration.relatives()) - {name})

    def _declaration(self, name: Name, expr: Callable[[int, int], Expr]) -> Declaration:
        pointer, owner = self._constants[name]
        index = self._at(pointer, owner)
        tag = self.words[index] >> 56
        if tag >= len(KINDS):
            raise OleanError("object", f"no constant at byte {8 * index}")
        kind = KINDS[tag]
        index = self._object(pointer, owner, head(tag, 1, 16), "constant")
        value = self._object(self.words[index + 1], index, VALUES[kind], kind)
        const = self._object(self.words[value + 1], value, CONSTANT_VAL, "name and type")
        if self._name(self.words[const + 1], const) != name:
            raise OleanError("name", f"the constant listed as {name} has another name")
        params = self._name_list(self.words[const + 2], const)
        if len(set(params)) != len(params):
            raise OleanError("duplicate", f"{name} has a universe parameter twice")
        return self._finish(kind, value, name, params, expr(self.words[const + 3], const), expr)

    def _finish(
        self, kind: Kind, v: int, name: Name, universes: tuple[Name, ...], type_: Expr, expr: Callable[[int, int], Expr]
    ) -> Declaration:
        words = self.words
        if kind is Kind.QUOT:
            which = self._scalar(v, 16)
            if which > 3:
                raise OleanError("scalar", f"no kind of quotient constant at byte {8 * v + 16}")
            return Declaration(kind, name, universes, type_, quot=QUOT_KINDS[which])
        if kind is Kind.AXIOM:
            return Declaration(kind, name, universes, type_, safety=self._unsafe(v, 16))
        if kind is Kind.DEFINITION:
            safety = self._scalar(v, 40)
            if safety > 2:
                raise OleanError("scalar", f"no safety mark at byte {8 * v + 40}")
            return Declaration(
                kind,
                name,
                universes,
                type_,
                expr(words[v + 2], v),
                SAFETY[safety],
                self._hint(words[v + 3], v),
                self._name_list(words[v + 4], v),
            )
        if kind is Kind.THEOREM:
            return Declaration(
                kind, name, universes, type_, expr(words[v + 2], v), all=self._name_list(words[v + 3], v)
            )
        if kind is Kind.OPAQUE:
            return Declaration(
                kind,
                name,
                universes,
                type_,
                expr(words[v + 2], v),
                self._unsafe(v, 32),
                all=self._name_list(words[v + 3], v),
            )
        info: InductiveInfo | ConstructorInfo | RecursorInfo
        if kind is Kind.INDUCTIVE:
            info = InductiveInfo(
                self._small(words[v + 2], v),
                self._small(words[v + 3], v),
                self._name_list(words[v + 4], v),
                self._name_list(words[v + 5], v),
                self._small(words[v + 6], v),
                self._flag(v, 56),
                self._flag(v, 58),
            )
            return Declaration(kind, name, universes, type_, safety=self._unsafe(v, 57), all=info.all, info=info)
        if kind is Kind.CONSTRUCTOR:
            cidx, params, fields = (self._small(words[v + k], v) for k in (3, 4, 5))
            info = ConstructorInfo(self._name(words[v + 2], v), cidx, params, fields)
            return Declaration(kind, name, universes, type_, safety=self._unsafe(v, 48), info=info)
        rules = tuple(self._rule(a, o, expr) for a, o in self._list(words[v + 7], v))
        params, indices, motives, minors = (self._small(words[v + k], v) for k in (3, 4, 5, 6))
        info = RecursorInfo(
            self._name_list(words[v + 2], v), params, indices, motives, minors, rules, self._flag(v, 64)
        )
        return Declaration(kind, name, universes, type_, safety=self._unsafe(v, 65), all=info.all, info=info)

    def _unsafe(self, index: int, byte: int) -> Safety:
        return Safety.UNSAFE if self._flag(index, byte) else Safety.SAFE

    def _hint(self, address: int, owner: int) -> int | str:
        if address == 1:
            return "opaque"
        if address == 3:
            return "abbrev"
        index = self._object(address, owner, REGULAR_HINT, "reducibility hint")
        return self.words[index + 1] & 0xFFFFFFFF

    def _rule(self, address: int, owner: int, expr: Callable[[int, int], Expr]) -> RecursorRule:
        i = self._object(address, owner, RULE, "recursor rule")
        constructor, fields = self._name(self.words[i + 1], i), self._small(self.words[i + 2], i)
        return RecursorRule(constructor, fields, expr(self.words[i + 3], i))

    def check_overlaps(self) -> None:
        """Refuses a file in which two of the objects read so far share a byte."""
        extents = [(index, size) for index, size in self._extents.items()]
        extents += [(i, 4) for i in self._names]
        for table in (self._levels, self._exprs):
            extents += [(i, self.words[i] >> 35 & 0x1FFF) for i in table]
        extents.sort()
        end = 0
        for index, size in extents:
            if index < end:
                raise OleanError("overlap", f"two objects overlap at byte {8 * index}")
            end = index + size
