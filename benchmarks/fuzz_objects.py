"""The objects in a compiled file, found without the reader that is under test: by walking from one to the next."""

from __future__ import annotations

import struct
from collections import defaultdict
from dataclasses import dataclass, field, replace

FIRST = 12  # index of the first word that belongs to an object
BASE, ROOT = 10, 11  # indices of the words that hold the base address and the root's
ARRAY, BYTES, STRING, BIG = 246, 248, 249, 250
LARGEST = 244  # tag of a constructor


@dataclass(frozen=True, slots=True)
class Object:
    """Place and size are in words; `pointers` is the number of words after the header (or after an array's counts)."""

    at: int
    size: int
    head: int
    first: int
    pointers: int

    @property
    def tag(self) -> int:
        return self.head >> 56


@dataclass(slots=True)
class Layout:
    """A file's words and objects; `like` groups places of objects that have the same header.

    `live` are the objects below the root's imports and constants: the rest is data of Lean's that no judge reads.
    """

    words: list[int]
    tail: bytes
    objects: list[Object] = field(default_factory=list)
    like: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    by_place: dict[int, Object] = field(default_factory=dict)
    live: list[Object] = field(default_factory=list)

    def clone(self) -> Layout:
        """One whose words may be changed; the objects stay those of the original."""
        return replace(self, words=self.words.copy())

    def address(self, at: int) -> int:
        return self.words[BASE] + 8 * at

    def target(self, pointer: int) -> Object | None:
        """The object at a pointer, None for a number and for a pointer to no object's start."""
        return None if pointer & 7 else self.by_place.get((pointer - self.words[BASE]) // 8)

    def data(self) -> bytes:
        mask = (1 << 64) - 1
        return struct.pack(f"<{len(self.words)}Q", *(word & mask for word in self.words)) + self.tail


def parse(data: bytes) -> Layout:
    """As many objects as can be walked; none for a file that is shorter than a header."""
    count = len(data) // 8
    layout = Layout(list(struct.unpack_from(f"<{count}Q", data)), data[8 * count :])
    at, words = FIRST, layout.words
    while at < count:
        found = _object(words, at)
        if found is None or found.size < 1 or at + found.size > count:
            break
        layout.objects.append(found)
        layout.like[found.head].append(at)
        layout.by_place[at] = found
        at += found.size
    layout.live = _live(layout) or layout.objects
    return layout


def _live(layout: Layout) -> list[Object]:
    root = layout.target(layout.words[ROOT]) if len(layout.words) > FIRST else None
    if root is None or root.pointers < 3:
        return []
    found = {root.at: root}
    todo = layout.words[root.at + 1 : root.at + 4]
    while todo:
        target = layout.target(todo.pop())
        if target is not None and target.at not in found:
            found[target.at] = target
            start = target.at + target.first
            todo += layout.words[start : start + target.pointers]
    return [found[at] for at in sorted(found)]


def _object(words: list[int], at: int) -> Object | None:
    head = words[at]
    tag = head >> 56
    if tag <= LARGEST:
        size = max(head >> 35 & 0x1FFF, 1)
        return Object(at, size, head, 1, min(head >> 48 & 0xFF, size - 1))
    if at + 3 > len(words):
        return None
    if tag == ARRAY:
        return Object(at, 3 + words[at + 1], head, 3, words[at + 1])
    if tag == BYTES:
        return Object(at, 3 + (words[at + 1] + 7) // 8, head, 3, 0)
    if tag == STRING:
        return Object(at, 4 + (words[at + 1] + 7) // 8, head, 4, 0)
    if tag == BIG:
        return Object(at, 3 + (words[at + 1] >> 32), head, 3, 0)
    return None
