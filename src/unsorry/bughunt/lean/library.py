"""The Lean library: fixed parts, and the operations of each integer type that a translation asks for."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from unsorry.bughunt import ir

FOLDER = Path(__file__).parent.parent / "lib"
SCALARS = {name: name[0].upper() + name[1:] for name in ir.BITS}  # u8 -> U8, usize -> Usize


@functools.cache
def part(name: str) -> str:
    """The text of one library file."""
    return (FOLDER / f"{name}.lean").read_text(encoding="utf-8")


@functools.cache
def _definitions(kind: str) -> dict[str, str]:
    """Operation -> its definition over T, LO, HI, BITS, MOD; those of the kind win over the common ones."""
    found: dict[str, str] = {}
    for name in (kind, "Scalar"):
        for block in re.split(r"\n\n(?=@|def |/--)", part(name))[1:]:
            match = re.search(r"\b(?:def|theorem) T\.(\w+)", block)
            assert match is not None, block
            found.setdefault(match.group(1), block.strip())
    return found


class Operations:
    """Collects which operations are used and writes their definitions."""

    def __init__(self) -> None:
        self._used: dict[str, set[str]] = {}

    def of(self, scalar: ir.Scalar, operation: str) -> str:
        """The Lean name of an operation, which will be defined.  Raises KeyError if the library has none."""
        kind = _kind(scalar)
        if operation not in _definitions(kind):
            raise KeyError(operation)
        self._need(kind, self._used.setdefault(scalar.name, set()), operation)
        return f"{SCALARS[scalar.name]}.{operation}"

    def _need(self, kind: str, used: set[str], operation: str) -> None:
        if operation not in used:
            used.add(operation)
            for other in re.findall(r"\bT\.(\w+)", _definitions(kind)[operation]):
                self._need(kind, used, other)

    def text(self) -> str:
        """The definitions, each after those that it needs."""
        lines: list[str] = []
        for name in ir.BITS:
            if name in self._used:
                scalar = ir.Scalar(name)
                done: set[str] = set()
                for operation in _definitions(_kind(scalar)):
                    if operation in self._used[name]:
                        _write(scalar, operation, done, lines)
        return "\n".join(lines)


def _kind(scalar: ir.Scalar) -> str:
    return "Signed" if scalar.signed else "Unsigned"


def _write(scalar: ir.Scalar, operation: str, done: set[str], lines: list[str]) -> None:
    if operation in done:
        return
    done.add(operation)
    text = _definitions(_kind(scalar))[operation]
    for other in re.findall(r"\bT\.(\w+)", text):
        _write(scalar, other, done, lines)
    values = {
        "T": SCALARS[scalar.name],
        "LO": f"({scalar.min})" if scalar.min < 0 else "0",
        "HI": str(scalar.max),
        "BITS": str(scalar.bits),
        "MOD": str(1 << scalar.bits),
    }
    lines.append(re.sub(r"\b(T|LO|HI|BITS|MOD)\b", lambda m: values[m.group(1)], text))


@functools.cache
def _blocks() -> dict[str, str]:
    """Name -> block, of the parts that are taken by need; those without a name of their own are numbered."""
    found: dict[str, str] = {}
    for file in ("Numbers", "Ascii", "Options", "Order", "Lists", "Bounds"):
        for block in re.split(r"\n\n(?=@|def |class |instance |theorem |/--)", part(file))[1:]:
            match = re.search(r"^(?:@\[.*?\] )?(?:def|class|theorem) ([\w.]+)", block, re.M)
            found[match.group(1) if match else f"instance {len(found)}"] = block.strip()
    return found


def _mentioned(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_][\w.]*", text)) & _blocks().keys()


def needed(text: str) -> str:
    """The blocks of the library that the text refers to, with what they need, in order."""
    blocks = _blocks()
    used: set[str] = set()
    written: list[str] = []

    def take(name: str) -> None:
        if name in used:
            return
        used.add(name)
        for other in sorted(_mentioned(blocks[name]) - {name}, key=list(blocks).index):
            take(other)
        written.append(blocks[name])

    for name in sorted(_mentioned(text), key=list(blocks).index):
        take(name)
    for name, block in blocks.items():
        words = _mentioned(block) - {name}
        unnamed = name.startswith("instance ")
        follows = "RustOrd" in used if unnamed and "RustOrd" in block else bool(words) and words <= used
        if name not in used and follows and (unnamed or re.match(r"(@\[\w+\] )?theorem ", block)):
            take(name)
    return "\n".join(written)


def heads() -> frozenset[str]:
    """First components of the library's names: nothing of a crate may hide them."""
    return frozenset(name.split(".", 1)[0] for name in _blocks()) | frozenset(SCALARS.values())
