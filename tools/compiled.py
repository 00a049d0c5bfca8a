"""Compiled definitions of the core library and what the shared library has under the same names.

The interpreter runs the native symbol of a definition's mangled name when there is one (unless
`interpreter.prefer_native` is off, as it is for users' files), and an `extern` definition always runs native code.
This module reads the intermediate representation from an `.olean` and the symbols from the shared library.
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Compiled:
    """One compiled definition: its name, for each parameter whether it is borrowed, and whether it is `extern`."""

    module: str
    name: str
    borrowed: tuple[bool, ...]
    extern: bool


def mangle(name: str) -> str:
    """The symbol of a definition: `_` doubled, other characters as hexadecimal codes, components joined by `_`."""
    return "l_" + "_".join(_mangle_part(part) for part in _components(name))


def _components(name: str) -> list[str]:
    parts, inside, current = [], False, ""
    for c in name:
        if c == "." and not inside:
            parts.append(current)
            current = ""
            continue
        inside = c == "«" or (inside and c != "»")
        current += "" if c in "«»" else c
    return [*parts, current]


def _mangle_part(part: str) -> str:
    def code(c: str) -> str:
        if c == "_":
            return "__"
        if c.isascii() and c.isalnum():
            return c
        n = ord(c)
        return f"_x{n:02x}" if n < 0x100 else f"_u{n:04x}" if n < 0x10000 else f"_U{n:08x}"

    return "".join(code(c) for c in part)


def native_symbols(library: Path) -> frozenset[str]:
    """Names of the functions and data that `library` defines; needs `nm` (binutils)."""
    run = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True)
    return frozenset(line.split()[-1] for line in run.stdout.splitlines())


class Olean:
    """Just enough of the format (see unsorry.lean.olean) to read a module's extension entries; the file is our own."""

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        if self.data[:6] != b"olean\x02":
            raise ValueError(f"{path} is not a version 2 .olean")
        (self.base,) = struct.unpack_from("<Q", self.data, 80)
        self.root = self.word(88)

    def word(self, offset: int) -> int:
        return int.from_bytes(self.data[offset : offset + 8], "little")

    def field(self, address: int, i: int) -> int:
        return self.word(address - self.base + 8 + 8 * i)

    def tag(self, address: int) -> int:
        return self.data[address - self.base + 7]

    def flag(self, address: int, pointers: int) -> bool:
        return self.data[address - self.base + 8 + 8 * pointers] != 0

    def array(self, address: int) -> Iterator[int]:
        offset = address - self.base
        return (self.word(offset + 24 + 8 * i) for i in range(self.word(offset + 8)))

    def name(self, address: int) -> str:
        parts = []
        while not address & 1:
            last = self.field(address, 1)
            if self.tag(address) == 1:
                offset = last - self.base
                parts.append(self.data[offset + 32 : offset + 31 + self.word(offset + 8)].decode())
            else:
                parts.append(str(last >> 1))
            address = self.field(address, 0)
        return ".".join(f"«{p}»" if "." in p else p for p in reversed(parts))

    def entries(self, extension: str) -> Iterator[int]:
        for pair in self.array(self.field(self.root, 4)):
            if self.name(self.field(pair, 0)) == extension:
                yield from self.array(self.field(pair, 1))


def compiled(library: Path) -> Iterator[Compiled]:
    """Every compiled definition of the modules below `library`."""
    for path in sorted(library.glob("**/*.olean")):
        module, olean = ".".join(path.relative_to(library).with_suffix("").parts), Olean(path)
        for entry in olean.entries("Lean.IR.declMapExt"):
            borrowed = tuple(olean.flag(p, 2) for p in olean.array(olean.field(entry, 1)))
            yield Compiled(module, olean.name(olean.field(entry, 0)), borrowed, olean.tag(entry) == 1)
