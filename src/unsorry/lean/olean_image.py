"""The bytes of one compiled module side by side: a single file, or the three parts of Lean's module system.

A file that begins with `module` is compiled into `X.olean` (what importing modules see: theorems without proofs, many
definitions without bodies), `X.olean.server` and `X.olean.private` (everything).  Each part is a file of the usual
format with its own base address; the parts lie at ascending addresses with at most a page's rounding between them, and
an object may point into an earlier part.  Laid out at those distances in one run of bytes, with zeros for headers and
gaps, they can be read like a single file: no header word is zero, so no object begins in a gap.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

HEADER = 88
FIRST = (HEADER + 8) // 8  # index of the first word of a part that can belong to an object
PARTS = ("", ".server", ".private")  # suffixes of a module's parts after `X.olean`, in the order of their addresses
MAX_GAP = 1 << 20  # bytes between two parts; Lean rounds their addresses up to 64 KiB
MODULE = 5 << 48 | 56 << 32  # the header of a root: ModuleData, five pointers, one flag
IS_MODULE = 48  # the flag's byte in it


class OleanError(Exception):
    """The bytes are not a module that can be read; `reason` is a short code, the text says where."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Part:
    """A part's place in the image, as indices of words: its first object, its end; and the address of its root."""

    first: int
    end: int
    root: int


@dataclass(frozen=True, slots=True)
class Image:
    """`data[0]` has the address `base`; `headers` are the bytes that came before each part's objects."""

    version: str
    base: int
    data: bytes = field(repr=False)
    parts: tuple[Part, ...]
    headers: bytes = field(repr=False)

    def digest(self) -> bytes:
        """sha256 of a single file's bytes; of headers, places and contents for several parts."""
        if len(self.parts) == 1:
            return hashlib.sha256(self.data).digest()
        places = [number for part in self.parts for number in (part.first, part.end)]
        digest = hashlib.sha256(struct.pack(f"<{len(places)}Q", *places) + self.headers)
        digest.update(self.data)
        return digest.digest()


def lay_out(files: Sequence[bytes]) -> Image:
    """One file, or the parts of one module in Lean's order; raises OleanError."""
    if len(files) not in (1, len(PARTS)):
        raise OleanError("parts", f"a module has one file or {len(PARTS)} parts, not {len(files)}")
    version = read_version(files[0])
    base, root = struct.unpack_from("<QQ", files[0], HEADER - 8)
    if base & 7:
        raise OleanError("base", "the base address is not aligned")
    parts = [Part(FIRST, len(files[0]) // 8, root)]
    if len(files) == 1:
        return Image(version, base, files[0], tuple(parts), b"")
    pieces: list[bytes] = []
    size = 0
    for place, data in enumerate(files):
        what = f"part {place + 1}"
        read_version(data)
        if data[5 : HEADER - 8] != files[0][5 : HEADER - 8]:
            raise OleanError("parts", f"{what} was written by another Lean than part 1")
        if len(data) & 7:
            raise OleanError("truncated", f"{what} ends within a word")
        own_base, root = struct.unpack_from("<QQ", data, HEADER - 8)
        gap = own_base - base - size
        if own_base & 7:
            raise OleanError("base", f"the base address of {what} is not aligned")
        if not 0 <= gap <= MAX_GAP:
            raise OleanError("parts", f"{what} does not follow the part before it: they are not of one module")
        start = size + gap
        if place:
            parts.append(Part(start // 8 + FIRST, (start + len(data)) // 8, root))
        pieces += (bytes(gap + HEADER + 8), data[HEADER + 8 :])
        size = start + len(data)
    headers = b"".join(data[: HEADER + 8] for data in files)
    return Image(version, base, b"".join(pieces), tuple(parts), headers)


def is_module(data: bytes) -> bool:
    """Does a file belong to the module system, so that its other parts are needed?  False for what is no module."""
    read_version(data)
    base, root = struct.unpack_from("<QQ", data, HEADER - 8)
    at = root - base
    if at & 7 or not HEADER + 8 <= at <= len(data) - 56:
        return False
    return bool(struct.unpack_from("<Q", data, at)[0] == MODULE and data[at + IS_MODULE])


def read_version(data: bytes) -> str:
    """The Lean version in a file's header."""
    if len(data) < HEADER + 8:
        raise OleanError("truncated", f"{len(data)} bytes are less than a header")
    if data[:5] != b"olean":
        raise OleanError("magic", "the file does not start as a compiled module does")
    if data[5] != 2:
        raise OleanError("format", f"format {data[5]} of compiled modules is not known, only 2")
    text = data[7:40].rstrip(b"\0")
    if not text.isascii() or not text.decode("ascii").isprintable():
        raise OleanError("version", "the Lean version is not printable")
    return text.decode("ascii")
