"""The command lines of Charon and Aeneas, exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

JSON = "translation.json"


@dataclass(frozen=True, slots=True)
class Step:
    """One extraction: `charon` is run in the crate's folder and writes `llbc`; `aeneas` reads it and writes `folder`.

    `function` is the Charon name that it starts from, "" for the whole crate.
    """

    function: str
    llbc: Path
    folder: Path
    charon: tuple[str, ...]
    aeneas: tuple[str, ...]


def whole(crate: str, out: Path, charon: str = "charon", aeneas: str = "aeneas") -> Step:
    """The extraction of a whole crate into `out`."""
    return _step(crate, "", "Code", out, charon, aeneas)


def single(crate: str, path: str, number: int, out: Path, charon: str = "charon", aeneas: str = "aeneas") -> Step:
    """The extraction of one function and what it needs: its faults are its own."""
    return _step(crate, charon_name(crate, path), f"F{number:03}", out, charon, aeneas)


def _step(crate: str, function: str, part: str, out: Path, charon: str, aeneas: str) -> Step:
    llbc = out / f"{part}.llbc"
    name = lean_name(crate)
    start = ("--start-from", function) if function else ()
    return Step(
        function,
        llbc,
        out / name / part,
        # never `charon rustc`: it takes edition 2015 and gives another result
        (charon, "cargo", "--preset=aeneas", *start, f"--dest-file={llbc}"),
        (
            aeneas, "-backend", "lean", str(llbc), "-dest", str(out), "-subdir", f"/{name}/{part}", "-split-files",
            "-namespace", name, "-emit-json",
        ),
    )  # fmt: skip


def lean_name(crate: str) -> str:
    """`ring_log` is `RingLog` in Lean."""
    words = [word for word in re.split(r"[^A-Za-z0-9]+", crate) if word]
    name = "".join(word[0].upper() + word[1:] for word in words)
    return name if name[:1].isalpha() else f"C{name}"


def charon_name(crate: str, path: str) -> str:
    """Our path of a function as Charon writes it: `m::T::f` is `krate::m::{krate::m::T}::f`.

    By convention types begin with a capital; a module that does so is taken for a type, and then Charon finds nothing.
    """
    krate = crate.replace("-", "_")
    if found := re.fullmatch(r"<(.+) as (.+)>::(\w+)", path):
        owner, trait, name = found.groups()
        module = owner.rpartition("::")[0]
        prefix = f"{krate}::{module}" if module else krate
        return f"{prefix}::{{impl {trait} for {krate}::{owner}}}::{name}"
    *owner_parts, name = path.split("::")
    if owner_parts and owner_parts[-1][:1].isupper():
        prefix = "::".join([krate, *owner_parts[:-1]])
        return f"{prefix}::{{{krate}::{'::'.join(owner_parts)}}}::{name}"
    return f"{krate}::{path}"


def our_path(crate: str, name: str) -> str:
    """The path that a Charon name has here; a name that is not understood comes back as it is."""
    krate = crate.replace("-", "_")
    bare = name.removeprefix(f"{krate}::")
    found = re.fullmatch(r"(?:.*?::)?\{(?:impl )?(?:(?P<trait>.+) for )?(?P<owner>[^{}]+)\}::(?P<name>\w+)", bare)
    if not found:
        return bare
    owner = re.sub(r"<.*>$", "", found["owner"].strip().removeprefix(f"{krate}::"))
    if not found["trait"]:
        return f"{owner}::{found['name']}"
    return f"<{owner} as {found['trait'].rpartition('::')[2].strip()}>::{found['name']}"
