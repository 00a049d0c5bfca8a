"""What is tried on each input of the fuzzer: all that the judge does with a file before it reaches the kernel.

Nothing but the named errors may be raised, and processor time and memory are bounded by the file's size.
"""

from __future__ import annotations

import contextlib
import resource
import struct
import time

from unsorry.judge import axioms, replay, statement
from unsorry.judge.digest import declarations_digest, statement_digest
from unsorry.judge.reasons import Refusal
from unsorry.judge.replay import ReplayError
from unsorry.lean import olean
from unsorry.lean.declarations import Declaration
from unsorry.lean.names import Name
from unsorry.lean.olean import Module, OleanError, Reader
from unsorry.lean.olean_image import is_module
from unsorry.lean.pretty import signature

# Seconds and bytes that an empty file may take, and those of each byte; the fuzzer's instruments make it slower.
SECONDS, SECONDS_A_BYTE = 0.5, 40e-6
MEMORY, MEMORY_A_BYTE = 64 << 20, 600
PARTS = b"PARTS"  # begins an input of three files: two lengths of four bytes come after it


class Finding(Exception):
    """Something that must not happen with any input."""


class NoScope:
    """A library without constants."""

    modules = (statement.INIT,)

    def __contains__(self, name: Name) -> bool:
        return False


def files(data: bytes) -> tuple[bytes, ...]:
    """The files that an input stands for: one, or the three parts of a module."""
    if not data.startswith(PARTS) or len(data) < 13:
        return (data,)
    first, second = struct.unpack_from("<II", data, 5)
    rest = data[13:]
    return rest[:first], rest[first : first + second], rest[first + second :]


def pack(*parts: bytes) -> bytes:
    """The input for three files."""
    return PARTS + struct.pack("<II", len(parts[0]), len(parts[1])) + b"".join(parts)


def check(data: bytes) -> bool:
    """Whether the input could be read; raises whatever goes wrong, Finding for time and memory."""
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    try:
        module = olean.read(*files(data))
    except OleanError as error:
        if not error.reason or not str(error).isprintable():
            raise Finding(f"an error that is not one line: {error!r}") from None
        module = None
    with contextlib.suppress(OleanError):
        is_module(data)
    if module is not None:
        use(module)
        as_statement(module)
        one_by_one(module, data)
    seconds = time.process_time() - start
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    if seconds > SECONDS + SECONDS_A_BYTE * len(data):
        raise Finding(f"{seconds:.2f} s for {len(data)} bytes")
    if memory > MEMORY + MEMORY_A_BYTE * len(data):
        raise Finding(f"{memory >> 20} MiB for {len(data)} bytes")
    return module is not None


def use(module: Module) -> None:
    """The walks of the judge over all constants: printed types, axioms, order of checking, digest."""
    own = module.declarations
    for name, declaration in own.items():
        text = signature(declaration)
        if len(text) > 400 or "\n" in text:
            raise Finding(f"the type of {name!r} is not printed on one short line")
    axioms.walk(own, own, NoScope())  # type: ignore[arg-type]
    good = []
    for name in own:
        try:
            replay.plan((name,), own.get, lambda other: other not in own)
            good.append(name)
        except ReplayError as error:
            str(error)
        if len(good) > 64:
            break
    try:
        groups = replay.plan(good, own.get, lambda other: other not in own)
        if declarations_digest(groups) != declarations_digest(groups):
            raise Finding("two digests of the same declarations differ")
    except ReplayError as error:
        str(error)


def as_statement(module: Module) -> None:
    """A constant is what a statement that consists of the same file asks for, and the statement has one digest."""
    for name in list(module.declarations)[:8]:
        try:
            asked = statement.understand(module, NoScope(), [str(name)])  # type: ignore[arg-type]
            first = statement_digest(asked)
        except Refusal:
            continue
        try:
            statement.compare(asked, module)
        except Refusal as refusal:
            raise Finding(f"{name!r} differs from itself: {refusal}") from None
        if first != statement_digest(asked):
            raise Finding(f"two digests of the statement {name!r} differ")


def one_by_one(module: Module, data: bytes) -> None:
    """Reading one declaration at a time gives what reading all of them gives; an outline names the same constants."""
    reader = Reader(*files(data), arena=module.arena)
    if len(reader.digest) != 32 or reader.names != tuple(module.declarations):
        raise Finding("a second reader finds other names")
    for name in reader.names[:64]:
        whole = module.declarations[name]
        outline, used = reader.outline(name)
        if reader.declaration(name) != whole:
            raise Finding(f"{name!r} read alone is another declaration")
        if (outline.kind, outline.name) != (whole.kind, name) or not same_needs(whole, used):
            raise Finding(f"the outline of {name!r} names other constants")


def same_needs(whole: Declaration, used: frozenset[Name]) -> bool:
    return used == whole.dependencies()
