"""The copy of a crate that is compiled for testing: its own files, and one module for each thing that is run in it.

Modules are put right behind the item they are about, on its last line: they see what is private there, and every line
of the crate keeps its number.  Their text is in files of its own, so that an error of rustc names the one it is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from unsorry.bughunt import ir
from unsorry.bughunt.inputs import RUNTIME, Input, Inputs, owned_text
from unsorry.bughunt.rustc import FOLDER, VARIABLE, Diagnostic

HEAD = """extern crate std;
#[allow(unused_imports)]
use super::*;
#[allow(unused_imports)]
use self::std::{boxed::Box, format, string::String, vec, vec::Vec};
#[allow(unused_imports)]
use self::std::string::ToString;
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file a module is put: a byte offset, -1 for the end."""

    file: str
    offset: int = -1


@dataclass(frozen=True, slots=True)
class Piece:
    """A module of ours: its name, its place, its text; `path` is the module that it is in, "" for the root."""

    name: str
    place: Place
    text: str


@cache
def runtime() -> bytes:
    """The part of a test program that is the same for every crate."""
    return (files("unsorry.bughunt") / "harness" / "runtime.rs").read_bytes()


def place_of(function: ir.Function, crate: ir.Crate) -> Place:
    """Right behind the function, or behind the type whose method it is."""
    owner = function.owner
    if owner is None and not function.path.startswith("<"):
        return Place(function.span.file, function.span.end)
    if isinstance(owner, ir.Adt) and (place := place_of_type(owner, crate)) is not None:
        return place
    return Place(function.span.file)


def place_of_type(ty: ir.Adt, crate: ir.Crate) -> Place | None:
    """Right behind a struct or enum of the crate."""
    items: list[ir.Struct | ir.Enum] = [*crate.structs, *crate.enums]
    item = next((i for i in items if i.path == ty.path), None)
    return Place(item.span.file, item.span.end) if item is not None and item.span.file else None


def module_of(function: ir.Function) -> str:
    """The path of the module that the function is in, "" for the root."""
    path = function.path
    if path.startswith("<"):
        path = path[1:].split(" as ")[0]
        return path.rpartition("::")[0]
    parts = path.split("::")[:-1]
    if isinstance(function.owner, ir.Adt) and parts:
        parts = parts[:-1]
    return "::".join(parts)


def assemble(
    sources: Mapping[str, bytes], root: str, pieces: Sequence[Piece], *, with_runtime: bool = True
) -> dict[str, bytes]:
    """The files of the copy."""
    inserted: dict[Place, list[str]] = {}
    made = dict(sources)
    all_pieces = list(pieces)
    for piece in all_pieces:
        made[f"{FOLDER}/{piece.name}.rs"] = piece.text.encode()
        inserted.setdefault(piece.place, []).append(_module(piece.name))
    if with_runtime:
        made[f"{FOLDER}/runtime.rs"] = runtime()
        name = RUNTIME.removeprefix("crate::")
        include = f'include!(concat!(env!("{VARIABLE}"), "/runtime.rs"));'
        inserted.setdefault(Place(root), []).append(f"#[cfg(test)] #[allow(dead_code)] mod {name} {{ {include} }}")
    for place, texts in sorted(inserted.items(), key=lambda i: (i[0].file, -_offset(i[0], sources))):
        data = made[place.file]
        at = _offset(place, sources)
        lead = b" " if place.offset >= 0 else b"\n"
        made[place.file] = data[:at] + lead + " ".join(texts).encode() + b" " + data[at:]
    return made


def _offset(place: Place, sources: Mapping[str, bytes]) -> int:
    return place.offset if place.offset >= 0 else len(sources[place.file])


def _module(name: str) -> str:
    return f'#[cfg(test)] #[allow(warnings)] mod {name} {{ include!(concat!(env!("{VARIABLE}"), "/{name}.rs")); }}'


def blamed(errors: Sequence[Diagnostic], pieces: Sequence[Piece]) -> set[str]:
    """Names of the pieces that rustc complains about; empty if it complains about the crate itself."""
    names = {p.name for p in pieces}
    found = set()
    for error in errors:
        for file, _ in error.places:
            name = file.rsplit("/", 1)[-1].removesuffix(".rs")
            if f"{FOLDER}/" in file and name in names:
                found.add(name)
    return found


def generators(inputs: Inputs, types: Sequence[ir.Type]) -> list[Piece]:
    """The pieces that make values of the crate's own types."""
    found = []
    for i, adt in enumerate(inputs.needed(list(types))):
        place = place_of_type(adt, inputs.crate)
        if place is not None:
            found.append(Piece(f"unsorry_make_{i}", place, HEAD + inputs.code(adt) + "\n"))
    return found


def property_text(inputs: Sequence[Input], assumptions: Sequence[str], predicate: str, call: str) -> str:
    """The text of a piece that tests one property: a test `run`, which `drive`s its body."""
    lines = [HEAD, f"fn body(hunt_choices: &mut {RUNTIME}::Choices) -> {RUNTIME}::Verdict {{"]
    for one in inputs:
        text = owned_text(one.ty)
        lines.append(
            f"    let (mut {one.name}, hunt_text) = match <{text} as {RUNTIME}::Generate>::generate(hunt_choices) "
            f"{{ Some(made) => made, None => return {RUNTIME}::Verdict::Discard }};"
        )
        if one.sort:
            lines.append(f'    {one.name}.sort(); let hunt_text = format!("vec!{{:?}}", {one.name});')
        lines.append(f'    hunt_choices.input("{one.name}", "{text}", hunt_text);')
    lines.append(f"    if {RUNTIME}::describing() {{ return {RUNTIME}::Verdict::Discard; }}")
    for condition in assumptions:
        lines.append(f"    if !({condition}) {{ return {RUNTIME}::Verdict::Discard; }}")
    if predicate:
        lines += [
            "    let hunt_tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || -> bool {",
            f"        {predicate}",
            "    }));",
            f"    match hunt_tried {{ Ok(true) => {RUNTIME}::Verdict::Holds, Ok(false) => {RUNTIME}::Verdict::Fails, "
            f"Err(_) => {RUNTIME}::Verdict::Discard }}",
        ]
    else:
        lines += [f"    let _ = {call};", f"    {RUNTIME}::Verdict::Holds"]
    lines += ["}", "#[test]", f'fn run() {{ {RUNTIME}::drive("", body) }}', ""]
    return "\n".join(lines)
