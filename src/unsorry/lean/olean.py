"""Read a compiled Lean module (`.olean`, format 2) as data: bytes -> declarations, trusting nothing in the file.

The format: a header of 88 bytes ("olean", version 2, flags, Lean version, git hash, base address), a word that points
to the root, then compacted objects.  A pointer is an address relative to the base; an odd word is a boxed number.  An
object's first word holds its reference count (0), its size, its number of pointers and its tag.

Two facts of the format make a hostile file harmless.  The compactor writes an object after everything it points to,
so a pointer must be smaller than the address of its owner: that excludes cycles and gives every walk an end.  Each
object is decoded at most once and objects may not overlap, so that time and memory are linear in the file's size;
lists and names, which are flattened, have budgets of their own.

A module of Lean's module system has three parts, which are read as one file (see olean_image.py): the last one lists
every constant with its value.

Whatever is wrong raises `OleanError`; places in its text count from the first byte of the first part.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field

from unsorry.lean.olean_image import FIRST, IS_MODULE, MODULE, OleanError, lay_out
from unsorry.lean.terms import (
    ANONYMOUS,
    MAX_NAME_COMPONENTS,
    ZERO,
    Arena,
    ConstructorInfo,
    Declaration,
    Expr,
    InductiveInfo,
    Kind,
    Level,
    Name,
    RecursorInfo,
    RecursorRule,
    Safety,
    Sort,
)

__all__ = ["Import", "Module", "OleanError", "Reader", "read"]

MAX_INDEX = (1 << 20) - 2  # the kernel's own bound for de Bruijn indices
MAX_LEVELS = 256  # universe arguments of one constant
FIXED = 9  # words of the largest object of fixed size
ARRAY, STRING, BIG = 246, 249, 250
KINDS = tuple(Kind)
QUOT_KINDS = ("type", "mk", "lift", "ind")
PLACEHOLDER = Sort(ZERO)
SAFETY = (Safety.UNSAFE, Safety.SAFE, Safety.PARTIAL)


def _head(tag: int, pointers: int, size: int) -> int:
    return tag << 56 | pointers << 48 | size << 32


# Expressions: header -> places of the pointers to other expressions.
BVAR, SORT, CONST, APP = _head(0, 1, 24), _head(3, 1, 24), _head(4, 2, 32), _head(5, 2, 32)
LAM, PI, LET = _head(6, 3, 48), _head(7, 3, 48), _head(8, 4, 56)
LIT, MDATA, PROJ = _head(9, 1, 24), _head(10, 2, 32), _head(11, 3, 40)
SHAPES: dict[int, tuple[int, ...]] = {
    BVAR: (),
    SORT: (),
    CONST: (),
    APP: (1, 2),
    LAM: (2, 3),
    PI: (2, 3),
    LET: (2, 3, 4),
    LIT: (),
    MDATA: (2,),
    PROJ: (3,),
}
FREE = {_head(1, 1, 24): "a free variable", _head(2, 1, 24): "a metavariable"}
NAT_LIT, STR_LIT = _head(0, 1, 16), _head(1, 1, 16)
SUCC, MAX, IMAX, PARAM = _head(1, 1, 24), _head(2, 2, 32), _head(3, 2, 32), _head(4, 1, 24)
NAME_STR, NAME_NUM = _head(1, 2, 32), _head(2, 2, 32)
CONS = _head(1, 2, 24)
CONSTANT_VAL = _head(0, 3, 32)
# ConstantInfo: its kind's tag, with the value object's pointers and size.
VALUES = {
    Kind.AXIOM: _head(0, 1, 24),
    Kind.DEFINITION: _head(0, 4, 48),
    Kind.THEOREM: _head(0, 3, 32),
    Kind.OPAQUE: _head(0, 3, 40),
    Kind.QUOT: _head(0, 1, 24),
    Kind.INDUCTIVE: _head(0, 6, 64),
    Kind.CONSTRUCTOR: _head(0, 5, 56),
    Kind.RECURSOR: _head(0, 7, 72),
}
RULE, REGULAR_HINT = _head(0, 3, 32), _head(2, 0, 16)
IMPORT = _head(0, 1, 24)


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


class Reader:
    """A module whose declarations are decoded one by one, when asked for.

    `later` are the other parts, in Lean's order, of a module of the module system; without them its first part gives
    what importing modules see.
    """

    def __init__(self, data: bytes, *later: bytes, arena: Arena | None = None, version: str | None = None) -> None:
        if not all(isinstance(part, bytes) for part in (data, *later)):
            raise TypeError("bytes are needed: nobody else may change what is being read")
        self.arena = Arena() if arena is None else arena
        self._image = lay_out((data, *later))
        self.version = self._image.version
        if version is not None and self.version != version:
            raise OleanError("version", f"written by Lean {self.version!r}, not {version}")
        self.data = data = self._image.data
        whole = len(data) & ~7
        self.words: memoryview | tuple[int, ...] = memoryview(data)[:whole].cast("Q")
        if struct.pack("=H", 1) != struct.pack("<H", 1):  # a big-endian host
            self.words = struct.unpack_from(f"<{whole // 8}Q", data)
        self.count = whole // 8
        self.base = self._image.base
        # Places at which an object of fixed size may reach beyond the end of its part.
        self._late = frozenset(part.end - k for part in self._image.parts for k in range(1, FIXED))
        self._names: dict[int, Name] = {}
        self._levels: dict[int, Level] = {}
        self._exprs: dict[int, Expr] = {}
        self._strings: dict[int, str] = {}
        self._extents: dict[int, int] = {}  # objects other than names, levels, expressions: first word -> words
        self._flattened = self.count  # budget for list elements and name components, shared tails included
        self._decoded = len(data)  # budget for bytes of strings and numbers, so that they cannot overlap
        self._root()

    # --- raw objects -----------------------------------------------------------------------------------------------

    def _at(self, address: int, owner: int) -> int:
        """Index of the word that `address` points to; `owner` is the index of the object that holds the pointer."""
        index = (address - self.base) >> 3
        if address & 7 or not FIRST <= index < owner:
            raise OleanError("pointer", f"{address:#x} is not the address of an earlier object")
        return index

    def _end(self, index: int) -> int:
        """Index of the word after the part that an object is in."""
        for part in self._image.parts:
            if index < part.end:
                return part.end
        return self.count

    def _object(self, address: int, owner: int, head: int, what: str) -> int:
        """Index of an object that must have this header; its extent is inside the file."""
        index = self._at(address, owner)
        size = (head >> 32 & 0xFFFF) >> 3
        if self.words[index] != head or (index in self._late and index + size > self._end(index)):
            raise OleanError("object", f"no {what} at byte {8 * index}")
        self._extents[index] = size
        return index

    def _scalar(self, index: int, byte: int) -> int:
        return self.data[8 * index + byte]

    def _flag(self, index: int, byte: int) -> bool:
        value = self.data[8 * index + byte]
        if value > 1:
            raise OleanError("scalar", f"{value} is no truth value, at byte {8 * index + byte}")
        return value == 1

    def _array(self, address: int, owner: int) -> tuple[int, Iterator[int]]:
        """(index, elements) of an array of pointers."""
        index = self._at(address, owner)
        end = self._end(index)
        if self.words[index] != _head(ARRAY, 0, 1) or index + 3 > end:
            raise OleanError("object", f"no array at byte {8 * index}")
        size, capacity = self.words[index + 1], self.words[index + 2]
        if size != capacity or size > end - index - 3:
            raise OleanError("count", f"an array of {size} elements does not fit, at byte {8 * index}")
        self._extents[index] = 3 + size
        return index, iter(self.words[index + 3 : index + 3 + size])

    def _spend(self, count: int) -> None:
        self._flattened -= count
        if self._flattened < 0:
            raise OleanError("count", "lists or names share so much that reading them would not be linear")

    def _list(self, address: int, owner: int, limit: int | None = None) -> list[tuple[int, int]]:
        """(pointer, index of its owner) for each element of a list."""
        found: list[tuple[int, int]] = []
        while not address & 1:
            owner = self._object(address, owner, CONS, "list cell")
            found.append((self.words[owner + 1], owner))
            self._spend(1)
            if limit is not None and len(found) > limit:
                raise OleanError("count", f"more than {limit} elements in a list, at byte {8 * owner}")
            address = self.words[owner + 2]
        if address != 1:
            raise OleanError("scalar", f"{address} does not end a list, at byte {8 * owner}")
        return found

    def _string(self, address: int, owner: int) -> str:
        index = self._at(address, owner)
        known = self._strings.get(index)
        if known is not None:
            return known
        end = self._end(index)
        if index + 4 > end or self.words[index] != _head(STRING, 0, 1):
            raise OleanError("object", f"no string at byte {8 * index}")
        size, capacity, length = self.words[index + 1 : index + 4]
        start = 8 * index + 32
        if size == 0 or size != capacity or size > 8 * end - start:
            raise OleanError("count", f"a string of {size} bytes does not fit, at byte {8 * index}")
        self._decoded -= size
        if self._decoded < 0:
            raise OleanError("overlap", f"strings overlap, at byte {8 * index}")
        raw = self.data[start : start + size]
        try:
            text = raw[:-1].decode("utf-8")
        except UnicodeDecodeError:
            raise OleanError("utf8", f"a string is not UTF-8, at byte {8 * index}") from None
        if raw[-1] != 0 or len(text) != length:
            raise OleanError("string", f"a string has a wrong length or no end, at byte {8 * index}")
        self._extents[index] = 4 + (size + 7) // 8
        self._strings[index] = text
        return text

    def _nat(self, address: int, owner: int) -> int:
        if address & 1:
            return address >> 1
        index = self._at(address, owner)
        allocated, limbs = self.words[index + 1] & 0xFFFFFFFF, self.words[index + 1] >> 32
        size = 24 + 8 * limbs  # the header keeps its low 16 bits
        if self.words[index] != _head(BIG, 0, size & 0xFFFF) or not limbs or index + size // 8 > self._end(index):
            raise OleanError("object", f"no number at byte {8 * index}")
        if allocated != limbs or self.words[index + 2] != self.base + 8 * (index + 3):
            raise OleanError("number", f"a big number is not laid out as Lean does it, at byte {8 * index}")
        self._decoded -= size
        if self._decoded < 0:
            raise OleanError("overlap", f"numbers overlap, at byte {8 * index}")
        value = int.from_bytes(self.data[8 * index + 24 : 8 * index + size], "little")
        if value < 1 << 63 or value >> (64 * (limbs - 1)) == 0:
            raise OleanError("number", f"a number is not in canonical form, at byte {8 * index}")
        self._extents[index] = size // 8
        return value

    def _small(self, address: int, owner: int) -> int:
        """A count or an index: a number below 2^32."""
        value = self._nat(address, owner)
        if value >> 32:
            raise OleanError("number", f"a number of 2^32 or more as a count, at byte {8 * owner}")
        return value

    # --- names, levels, expressions --------------------------------------------------------------------------------

    def _name(self, address: int, owner: int) -> Name:
        chain: list[int] = []
        prefix = ANONYMOUS
        while address != 1:
            index = self._at(address, owner)
            known = self._names.get(index)
            if known is not None:
                prefix = known
                break
            head = self.words[index]
            if head not in (NAME_STR, NAME_NUM) or (index in self._late and index + 4 > self._end(index)):
                raise OleanError("object", f"no name at byte {8 * index}")
            chain.append(index)
            if len(chain) > MAX_NAME_COMPONENTS:
                break
            owner, address = index, self.words[index + 1]
        if len(chain) + len(prefix) > MAX_NAME_COMPONENTS:
            raise OleanError("name", f"a name has more than {MAX_NAME_COMPONENTS} components")
        for index in reversed(chain):
            part: str | int
            if self.words[index] == NAME_STR:
                part = self._string(self.words[index + 2], index)
            else:
                part = self._small(self.words[index + 2], index)
            prefix = Name((*prefix, part))
            self._spend(len(prefix) >> 2)  # short names are paid by the four words of their object
            self._names[index] = prefix
        return prefix

    def _name_list(self, address: int, owner: int) -> tuple[Name, ...]:
        return tuple(self._name(a, o) for a, o in self._list(address, owner))

    def _level(self, address: int, owner: int) -> Level:
        if address == 1:
            return ZERO
        root = self._at(address, owner)
        known = self._levels.get(root)
        if known is not None:
            return known
        for index in self._fresh(root, self._levels, self._level_shape):
            head = self.words[index]
            if head == SUCC:
                made = self.arena.succ(self._known_level(index, 1))
            elif head == PARAM:
                made = self.arena.param(self._name(self.words[index + 1], index))
            else:
                make = self.arena.max if head == MAX else self.arena.imax
                made = make(self._known_level(index, 1), self._known_level(index, 2))
            self._levels[index] = made
        return self._levels[root]

    def _known_level(self, index: int, place: int) -> Level:
        address = self.words[index + place]
        return ZERO if address == 1 else self._levels[(address - self.base) >> 3]

    def _level_shape(self, index: int) -> tuple[int, ...]:
        head = self.words[index]
        if head == SUCC:
            return (1,) if self.words[index + 1] != 1 else ()
        if head == PARAM:
            return ()
        if head in (MAX, IMAX):
            return tuple(place for place in (1, 2) if self.words[index + place] != 1)
        raise OleanError("object", f"no universe level at byte {8 * index}")

    def _fresh(self, root: int, known: dict[int, Level], shape: Callable[[int], tuple[int, ...]]) -> list[int]:
        """Objects below `root` that are not known yet, in ascending order: what they point to comes first."""
        found: set[int] = set()
        todo = [root]
        while todo:
            index = todo.pop()
            if index in known or index in found:
                continue
            if index in self._late and index + 4 > self._end(index):
                raise OleanError("truncated", f"an object is cut off, at byte {8 * index}")
            found.add(index)
            todo.extend(self._at(self.words[index + place], index) for place in shape(index))
        return sorted(found)

    def _expr(self, address: int, owner: int) -> Expr:
        root = self._at(address, owner)
        if root not in self._exprs:
            self._decode(self._fresh_exprs(root, self._exprs))
        return self._exprs[root]

    def _fresh_exprs(self, root: int, known: Container[int]) -> list[int]:
        """Expressions below `root` that are not known yet, in ascending order: what they point to comes first."""
        words, base, late = self.words, self.base, self._late
        found: set[int] = set()
        todo = [root]
        while todo:
            index = todo.pop()
            if index in found or index in known:
                continue
            head = words[index]
            shape = SHAPES.get(head)
            if shape is None:
                raise OleanError("object", f"{FREE.get(head, 'no expression')} at byte {8 * index}")
            if index in late and index + (head >> 35 & 0x1FFF) > self._end(index):
                raise OleanError("truncated", f"an expression is cut off, at byte {8 * index}")
            found.add(index)
            for place in shape:
                pointer = words[index + place]
                child = (pointer - base) >> 3
                if pointer & 7 or not FIRST <= child < index:
                    raise OleanError("pointer", f"{pointer:#x} is not the address of an earlier object")
                todo.append(child)
        return sorted(found)

    def _decode(self, fresh: list[int]) -> None:
        words, known, base, arena = self.words, self._exprs, self.base, self.arena
        for i in fresh:
            head = words[i]
            e: Expr
            if head == APP:
                e = arena.app(known[(words[i + 1] - base) >> 3], known[(words[i + 2] - base) >> 3])
            elif head == CONST:
                levels = self._list(words[i + 2], i, MAX_LEVELS)
                e = arena.const(self._name(words[i + 1], i), tuple([self._level(a, o) for a, o in levels]))
            elif head in (LAM, PI):
                make = arena.lam if head == LAM else arena.pi
                if self._scalar(i, 40) > 3:
                    raise OleanError("scalar", f"no binder annotation at byte {8 * i + 40}")
                e = make(
                    self._name(words[i + 1], i), known[(words[i + 2] - base) >> 3], known[(words[i + 3] - base) >> 3]
                )
            elif head == BVAR:
                index = self._nat(words[i + 1], i)
                if index > MAX_INDEX:
                    raise OleanError("number", f"a bound variable is out of every scope, at byte {8 * i}")
                e = arena.bvar(index)
            elif head == SORT:
                e = arena.sort(self._level(words[i + 1], i))
            elif head == LET:
                value, body = known[(words[i + 3] - base) >> 3], known[(words[i + 4] - base) >> 3]
                e = arena.let(self._name(words[i + 1], i), known[(words[i + 2] - base) >> 3], value, body)
            elif head == LIT:
                e = self._literal(words[i + 1], i)
            elif head == PROJ:
                structure, field = self._name(words[i + 1], i), self._small(words[i + 2], i)
                e = arena.proj(structure, field, known[(words[i + 3] - base) >> 3])
            else:  # metadata
                e = known[(words[i + 2] - base) >> 3]
            known[i] = e

    def _literal(self, address: int, owner: int) -> Expr:
        index = self._at(address, owner)
        if self.words[index] not in (NAT_LIT, STR_LIT) or (index in self._late and index + 2 > self._end(index)):
            raise OleanError("object", f"no literal at byte {8 * index}")
        self._extents[index] = 2
        if self.words[index] == NAT_LIT:
            return self.arena.nat(self._nat(self.words[index + 1], index))
        return self.arena.string(self._string(self.words[index + 1], index))

    # --- declarations ----------------------------------------------------------------------------------------------

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
        index = self._object(pointer, owner, _head(tag, 1, 16), "constant")
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
