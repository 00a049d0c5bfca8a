"""Changes to a compiled file that a forger, a broken disk or chance would make; each is a function of bytes and luck.

Most keep the file's form, so that what is tested lies behind the first checks: a pointer leads to another object of the
same kind, a number becomes another one, a declaration's value is replaced by a new term at the end of the file.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from random import Random

from benchmarks.fuzz_objects import ARRAY, BASE, BIG, FIRST, ROOT, STRING, Layout, Object, parse

MOST = 1 << 20  # bytes; what grows beyond is cut
NUMBERS = (0, 1, 2, 3, 7, 127, 255, 1 << 20, (1 << 20) - 2, 1 << 31, 1 << 32, (1 << 62) - 1, 1 << 62, (1 << 63) - 1)
APP, BVAR, SORT, PI, LAM = (tag << 56 | pointers << 48 | size << 32 for tag, pointers, size in (
    (5, 2, 32), (0, 1, 24), (3, 1, 24), (7, 3, 48), (6, 3, 48)))  # fmt: skip
CONSTANTS = range(8)  # tags of ConstantInfo
Change = Callable[[Layout, Random], None]


def mutate(data: bytes, luck: Random, changes: int | None = None) -> bytes:
    """`data` with one to four changes; bytes that are no compiled file get raw ones."""
    layout = _parsed(data).clone()
    if not layout.objects:
        return _raw(data, luck)
    for _ in range(changes or luck.choice((1, 1, 1, 2, 2, 3, 4))):
        kind = luck.choices(tuple(CHANGES), tuple(CHANGES.values()))[0]
        kind(layout, luck)
        if kind is truncate:
            break  # the objects' places are no longer sure
    return layout.data()[:MOST]


_parsed = functools.lru_cache(64)(parse)


def _raw(data: bytes, luck: Random) -> bytes:
    changed = bytearray(data or b"olean\2")
    for _ in range(luck.randint(1, 4)):
        changed[luck.randrange(len(changed))] = luck.randrange(256)
    return bytes(changed)


def _any(layout: Layout, luck: Random) -> Object:
    return luck.choice(layout.live if luck.random() < 0.95 else layout.objects)


def _owner(layout: Layout, luck: Random) -> tuple[Object, int]:
    """An object with pointers, and the index of one of their words."""
    for _ in range(64):
        found = _any(layout, luck)
        if found.pointers:
            return found, found.at + found.first + luck.randrange(found.pointers)
    return layout.objects[-1], layout.objects[-1].at


def same_kind(layout: Layout, luck: Random) -> None:
    """A pointer to another, earlier object with the same header: what a forger would do."""
    owner, place = _owner(layout, luck)
    target = layout.target(layout.words[place])
    if target is not None:
        earlier = [at for at in layout.like[target.head] if at < owner.at]
        if earlier:
            layout.words[place] = layout.address(luck.choice(earlier))


def any_kind(layout: Layout, luck: Random) -> None:
    """A pointer to any object, later ones and its own owner included: circles."""
    _, place = _owner(layout, luck)
    layout.words[place] = layout.address(luck.choice(layout.objects).at)


def inside(layout: Layout, luck: Random) -> None:
    """A pointer into an object: two overlap."""
    _, place = _owner(layout, luck)
    layout.words[place] = layout.address(luck.randrange(FIRST, len(layout.words)))


def outside(layout: Layout, luck: Random) -> None:
    """A pointer out of the file, into its header, between words, or to nothing."""
    _, place = _owner(layout, luck)
    base, size = layout.words[BASE], 8 * len(layout.words)
    layout.words[place] = luck.choice((
        base, base + 88, base - 8, base + size, base + size - 8, base + size + (1 << 40), layout.words[place] + 4, 0, 8,
        (1 << 64) - 8, (1 << 63), layout.words[place] ^ 1 << luck.randrange(64),
    ))  # fmt: skip


def number(layout: Layout, luck: Random) -> None:
    """A boxed number in a pointer's place, or another number in a number's."""
    for _ in range(64):
        _, place = _owner(layout, luck)
        word = layout.words[place]
        if word & 1 or luck.random() < 0.05:
            value = (word >> 1) + luck.choice((-1, 1)) if luck.random() < 0.6 else luck.choice(NUMBERS)
            layout.words[place] = (max(value, 0) << 1 | 1) & (1 << 64) - 1
            return


def swap(layout: Layout, luck: Random) -> None:
    """Two pointers of one object change places: arguments, tables, fields."""
    for _ in range(64):
        owner, place = _owner(layout, luck)
        if owner.pointers > 1:
            other = owner.at + owner.first + luck.randrange(owner.pointers)
            layout.words[place], layout.words[other] = layout.words[other], layout.words[place]
            return


def header(layout: Layout, luck: Random) -> None:
    """Another tag, number of pointers, size or reference count."""
    found = _any(layout, luck)
    which = luck.randrange(4)
    if which == 0:
        tag = luck.choice((*range(12), 200, 245, 246, 247, 249, 250))
        layout.words[found.at] = found.head & (1 << 56) - 1 | tag << 56
    elif which == 1:
        layout.words[found.at] ^= luck.randrange(1, 8) << 48
    elif which == 2:
        layout.words[found.at] ^= luck.choice((8, 16, 24, 64)) << 32
    else:
        layout.words[found.at] = luck.choice(list(layout.like))


def count(layout: Layout, luck: Random) -> None:
    """Another count in an array, a string or a big number, sometimes consistently."""
    sized = [o for o in layout.live if o.tag in (ARRAY, STRING, BIG)]
    if not sized:
        return
    found = luck.choice(sized)
    near = max(0, layout.words[found.at + 1] + luck.choice((-8, -1, 1, 8)))
    value = near if luck.random() < 0.6 else luck.choice((0, 1 << 20, 1 << 32, 1 << 61, 1 << 63))
    if luck.random() < 0.7:
        layout.words[found.at + 1] = layout.words[found.at + 2] = value
    else:
        layout.words[found.at + luck.choice((1, 2, 3))] = value


def scalar(layout: Layout, luck: Random) -> None:
    """A byte after an object's pointers: flags, annotations, hints, cached hashes."""
    for _ in range(64):
        found = _any(layout, luck)
        spare = found.size - found.first - found.pointers
        if spare > 0 and found.tag <= 244:
            place = found.at + found.first + found.pointers + luck.randrange(spare)
            value = luck.choice((0, 1, 2, 3, 4, 255))
            shift = 8 * luck.randrange(8)
            layout.words[place] = layout.words[place] & ~(0xFF << shift) | value << shift
            return


def text(layout: Layout, luck: Random) -> None:
    """A character of a string: another name, another literal, or no UTF-8."""
    strings = [o for o in layout.live if o.tag == STRING and layout.words[o.at + 1] > 1]
    if strings:
        found = luck.choice(strings)
        byte = luck.randrange(layout.words[found.at + 1] - (luck.random() < 0.9))
        shift = 8 * (byte % 8)
        place = min(found.at + 4 + byte // 8, len(layout.words) - 1)
        value = luck.choice((*b"abtx.0", 0, 0xC3, 0xFF))
        layout.words[place] = layout.words[place] & ~(0xFF << shift) | value << shift


def truncate(layout: Layout, luck: Random) -> None:
    """The file ends early, at an object's end or anywhere."""
    end = luck.choice(layout.objects).at if luck.random() < 0.5 else luck.randrange(1, len(layout.words))
    del layout.words[end:]
    layout.tail = layout.tail[: luck.randrange(8)]


def version(layout: Layout, luck: Random) -> None:
    """A byte of the header: magic, format, flags, version, git hash, base."""
    place = luck.randrange(min(FIRST, len(layout.words)))
    layout.words[place] ^= 1 << luck.randrange(64)


def copy(layout: Layout, luck: Random) -> None:
    """A run of words over another."""
    size = luck.randint(1, 8)
    source, place = (luck.randrange(FIRST, max(FIRST + 1, len(layout.words) - size)) for _ in range(2))
    layout.words[place : place + size] = layout.words[source : source + size]


def noise(layout: Layout, luck: Random) -> None:
    """A word of any value."""
    place = luck.randrange(FIRST, len(layout.words))
    layout.words[place] = luck.getrandbits(64) if luck.random() < 0.3 else layout.words[place] ^ 1 << luck.randrange(64)


# --- new objects at the end -------------------------------------------------------------------------------------------


def graft(layout: Layout, luck: Random) -> None:
    """A constant's value, type or another field is a new object at the end of the file, and all its owners are new."""
    root = layout.target(layout.words[ROOT])
    table = layout.target(layout.words[root.at + 3]) if root is not None and root.size > 4 else None
    if root is None or table is None or not table.pointers or table.tag != ARRAY:
        return
    entry = table.first + luck.randrange(table.pointers)
    constant = layout.target(layout.words[table.at + entry])
    value = layout.target(layout.words[constant.at + 1]) if constant is not None and constant.pointers else None
    if constant is None or value is None or not value.pointers:
        return
    fields = _copy(layout, value)
    if luck.random() < 0.3:  # its name, parameters and type
        head = layout.target(fields[1])
        if head is not None and head.pointers > 2:
            inner = _copy(layout, head)
            inner[3] = _term(layout, luck, inner[3])
            fields[1] = _append(layout, inner)
    else:
        place = luck.randrange(1, value.pointers + 1)
        fields[place] = _term(layout, luck, fields[place])
    row = _copy(layout, constant)
    row[1] = _append(layout, fields)
    if luck.random() < 0.1:
        row[0] = row[0] & (1 << 56) - 1 | luck.choice(CONSTANTS) << 56
    rows = _copy(layout, table)
    rows[entry] = _append(layout, row)
    top = _copy(layout, root)
    top[3] = _append(layout, rows)
    layout.words[ROOT] = _append(layout, top)


def _copy(layout: Layout, found: Object) -> list[int]:
    return layout.words[found.at : found.at + found.size]


def _append(layout: Layout, words: list[int]) -> int:
    at = len(layout.words)
    layout.words += words
    return layout.address(at)


def _term(layout: Layout, luck: Random, old: int) -> int:
    """A new expression: a doubling chain (small as a graph, huge as a tree), a deep chain, or one of the file's."""
    which = luck.randrange(6)
    if which == 0:  # 2^n nodes as a tree
        for _ in range(luck.choice((10, 60, 400))):
            old = _append(layout, [APP, old, old, 0])
        return old
    if which == 1:  # deep
        other = _append(layout, [SORT, 1, 0])
        for _ in range(luck.choice((100, 3000))):
            old = _append(layout, [APP, old, other, 0] if luck.random() < 0.5 else [APP, other, old, 0])
        return old
    if which == 2:  # binders around it, with a variable that they bind or do not
        variable = _append(layout, [BVAR, luck.randrange(4) << 1 | 1, 0])
        body = _append(layout, [APP, old, variable, 0])
        return _append(layout, [luck.choice((PI, LAM)), 1, old, body, 0, 0])
    if which == 3:  # a value that shares its levels
        level = 1
        for _ in range(luck.choice((3, 300))):
            level = _append(layout, [luck.choice((2, 3)) << 56 | 2 << 48 | 32 << 32, level, level, 0])
        return _append(layout, [SORT, level, 0])
    kinds = [at for head in (APP, PI, LAM) for at in layout.like[head]] or [FIRST]
    return layout.address(luck.choice(kinds))


CHANGES: dict[Change, int] = {
    same_kind: 30, any_kind: 6, inside: 4, outside: 4, number: 10, swap: 8, header: 5, count: 5, scalar: 6, text: 6,
    truncate: 2, version: 1, copy: 3, noise: 4, graft: 14,
}  # fmt: skip
