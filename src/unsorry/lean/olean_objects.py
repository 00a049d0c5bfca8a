"""The raw objects of a compiled file: pointers, arrays, lists, strings, numbers; every access is checked.

Two facts of the format make a hostile file harmless.  The compactor writes an object after everything it points to,
so a pointer must be smaller than the address of its owner: that excludes cycles and gives every walk an end.  Each
object is decoded at most once and objects may not overlap, so that time and memory are linear in the file's size;
lists and names, which are flattened, have budgets of their own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from unsorry.lean.olean_image import FIRST, OleanError, lay_out
from unsorry.lean.olean_shapes import ARRAY, BIG, CONS, FIXED, STRING, head


class Objects:
    """The words of a module's parts; `_extents` and `_strings` tell what has been decoded."""

    def __init__(self, *parts: bytes, version: str | None = None) -> None:
        if not all(isinstance(part, bytes) for part in parts):
            raise TypeError("bytes are needed: nobody else may change what is being read")
        self._image = lay_out(parts)
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
        self._strings: dict[int, str] = {}
        self._extents: dict[int, int] = {}  # objects other than names, levels, expressions: first word -> words
        self._flattened = self.count  # budget for list elements and name components, shared tails included
        self._decoded = len(data)  # budget for bytes of strings and numbers, so that they cannot overlap

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

    def _object(self, address: int, owner: int, header: int, what: str) -> int:
        """Index of an object that must have this header; its extent is inside the file."""
        index = self._at(address, owner)
        size = (header >> 32 & 0xFFFF) >> 3
        if self.words[index] != header or (index in self._late and index + size > self._end(index)):
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
        if self.words[index] != head(ARRAY, 0, 1) or index + 3 > end:
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
        if index + 4 > end or self.words[index] != head(STRING, 0, 1):
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
        if self.words[index] != head(BIG, 0, size & 0xFFFF) or not limbs or index + size // 8 > self._end(index):
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
