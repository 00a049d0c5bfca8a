#!/usr/bin/env python3
"""grammar.py [REGEX]: the grammar that the binary carries, one parser description a line, from its static data.

A node is printed as `KIND:PRECEDENCE{ .. }`, a trailing one with `_` for the operand before it.  Needs `nm` (binutils).
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

from unsorry.lean.embedded import wheel_folder

NODE, TRAILING, WORD, ANTIQUOT, SEP1 = 3, 4, 6, 9, 11  # tags of `ParserDescr` that are mentioned below
MAX_DEPTH = 60


class Memory:
    """Objects in this process, read through /proc so that a wild pointer is an error and not a crash."""

    def __init__(self) -> None:
        self.handle = os.open("/proc/self/mem", os.O_RDONLY)

    def word(self, address: int) -> int:
        return int.from_bytes(os.pread(self.handle, 8, address), "little")

    def byte(self, address: int) -> int:
        return os.pread(self.handle, 1, address)[0]

    def tag(self, address: int) -> int:
        return self.byte(address + 7)

    def pointers(self, address: int) -> int:
        return self.byte(address + 6)

    def field(self, address: int, i: int) -> int:
        return self.word(address + 8 + 8 * i)

    def string(self, address: int) -> str:
        return os.pread(self.handle, min(self.word(address + 8), 4096) - 1, address + 32).decode()

    def name(self, address: int) -> str:
        if address & 1:
            return ""
        prefix, last = self.name(self.field(address, 0)), self.field(address, 1)
        part = self.string(last) if self.tag(address) == 1 else str(last >> 1)
        return f"{prefix}.{part}" if prefix else part

    def grammar(self, a: int, depth: int = 0) -> str:
        """A parser description as text; a nested named node is shown by its name alone."""
        if a & 1 or depth > MAX_DEPTH:
            return "??"

        def sub(i: int) -> str:
            return self.grammar(self.field(a, i), depth + 1)

        match self.tag(a):
            case 0 | 8:
                return self.name(self.field(a, 0))
            case 1:
                return f"{self.name(self.field(a, 0))}({sub(1)})"
            case 2:
                name = self.name(self.field(a, 0))
                form = {"andthen": "{} {}", "orelse": "({} <|> {})"}.get(name, name + "({}, {})")
                return form.format(sub(1), sub(2))
            case 3:
                return f"{self.name(self.field(a, 0))}:{self.field(a, 1) >> 1}{{ {sub(2)} }}"
            case 4:
                left = self.field(a, 2) >> 1
                return f"{self.name(self.field(a, 0))}:{self.field(a, 1) >> 1}{{ _:{left} {sub(3)} }}"
            case 5 | 6:
                return ("&" if self.tag(a) == WORD else "") + repr(self.string(self.field(a, 0)))
            case 7:
                return f"{self.name(self.field(a, 0))}:{self.field(a, 1) >> 1}"
            case 9:
                return self.name(self.field(a, 1)) if depth else f"{self.name(self.field(a, 1))}{{ {sub(2)} }}"
            case 10 | 11:
                return f"sepBy{'1' if self.tag(a) == SEP1 else ''}({sub(0)}, {self.string(self.field(a, 1))!r})"
            case 12:
                return f"unicode({self.string(self.field(a, 0))!r}, {self.string(self.field(a, 1))!r})"
        return "??"


def descriptions(library: Path) -> dict[str, str]:
    """Symbol -> grammar for every parser description among the static data of `library`."""
    loaded = ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
    loaded.lean_initialize()
    loaded.initialize_Init.restype = ctypes.c_void_p
    loaded.initialize_Init(ctypes.c_uint8(1))
    memory, found = Memory(), {}
    listing = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True)
    for _, kind, symbol in (line.split() for line in listing.stdout.splitlines()):
        if kind not in "DBdb" or not symbol.startswith("l_") or re.search("__closed|___boxed|_value|___lam", symbol):
            continue
        address = ctypes.c_uint64.in_dll(loaded, symbol).value
        if address & 7 or address < 0x10000 or address >> 47:
            continue
        try:
            shape = memory.tag(address), memory.pointers(address)
            if shape in ((NODE, NODE), (TRAILING, TRAILING), (ANTIQUOT, 3)):
                found[symbol] = memory.grammar(address)
        except (OSError, IndexError, UnicodeDecodeError):
            continue  # the data had the shape of a description by chance
    return found


def main(argv: list[str]) -> int:
    pattern = re.compile(argv[0] if argv else ".")
    for symbol, text in sorted(descriptions(wheel_folder() / "libleanshared.so").items()):
        if pattern.search(text) or pattern.search(symbol):
            print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
