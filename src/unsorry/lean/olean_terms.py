"""Names, universe levels and expressions of a compiled file, each object decoded once."""

from __future__ import annotations

from collections.abc import Callable, Container

from unsorry.lean.names import ANONYMOUS, MAX_NAME_COMPONENTS, MAX_NAME_NUMBERS, Name
from unsorry.lean.olean_image import FIRST, OleanError
from unsorry.lean.olean_objects import Objects
from unsorry.lean.olean_shapes import (
    APP,
    BVAR,
    CONST,
    FREE,
    IMAX,
    LAM,
    LET,
    LIT,
    MAX,
    NAME_NUM,
    NAME_STR,
    NAT_LIT,
    PARAM,
    PI,
    PROJ,
    SHAPES,
    SORT,
    STR_LIT,
    SUCC,
)  # fmt: skip
from unsorry.lean.terms import ZERO, Arena, Expr, Level

MAX_INDEX = (1 << 20) - 2  # the kernel's own bound for de Bruijn indices
MAX_LEVELS = 256  # universe arguments of one constant


class Terms(Objects):
    """What is decoded is interned in the arena; `_names`, `_levels`, `_exprs` map an object's index to its value."""

    def __init__(self, *parts: bytes, arena: Arena | None = None, version: str | None = None) -> None:
        super().__init__(*parts, version=version)
        self.arena = Arena() if arena is None else arena
        self._names: dict[int, Name] = {}
        self._levels: dict[int, Level] = {}
        self._exprs: dict[int, Expr] = {}
        self._numbers: dict[int, Expr] = {}  # literals by their number's address

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
                if sum(isinstance(known, int) for known in prefix) >= MAX_NAME_NUMBERS:
                    raise OleanError("name", f"a name has more than {MAX_NAME_NUMBERS} numbers")
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
            number = self.words[index + 1]
            if number not in self._numbers:  # one may be shared, and is long to hash
                self._numbers[number] = self.arena.nat(self._nat(number, index))
            elif not number & 1:
                self._at(number, index)
            return self._numbers[number]
        return self.arena.string(self._string(self.words[index + 1], index))
