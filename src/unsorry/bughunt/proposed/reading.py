"""Proposed predicates, read by the front end as functions of the crate; it refuses what is outside of the subset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from unsorry.bughunt import harness, ir
from unsorry.bughunt.candidates import Subject
from unsorry.bughunt.manifest import Manifest
from unsorry.bughunt.rust import read_crate


@dataclass(frozen=True, slots=True)
class Predicate:
    """A proposed predicate: `text` is a Rust function called `name`; `title` is what the model calls it."""

    subject: Subject
    name: str
    title: str
    text: str
    reason: str

    @property
    def path(self) -> str:
        """The function that it is about."""
        return self.subject.original.path


def written(rust: str, name: str) -> str:
    """The one function that a text is, under another name.  Raises ValueError, one line, for any other text."""
    from unsorry.bughunt.rust.syntax import MAX_NESTING, depth, named, parse, text

    root = parse(rust.encode("utf-8", "replace"))
    items = named(root)
    if root.has_error or len(items) != 1 or items[0].type != "function_item" or depth(root) > MAX_NESTING:
        raise ValueError("it is not one function")
    function = items[0]
    if text(function.child_by_field_name("return_type")) != "bool":
        raise ValueError("it does not return bool")
    if function.child_by_field_name("type_parameters") is not None:
        raise ValueError("it has type parameters")
    waiting = [*function.named_children]
    while waiting:
        node = waiting.pop()
        if node.type.endswith(("_item", "_definition", "_declaration")) and node.type != "let_declaration":
            raise ValueError(f"it has an item inside, {node.type.replace('_', ' ')}")
        waiting += node.named_children
    own = function.child_by_field_name("name")
    if own is None:
        raise ValueError("it has no name")
    data = rust.encode("utf-8", "replace")
    renamed = data[function.start_byte : own.start_byte] + name.encode() + data[own.end_byte : function.end_byte]
    return renamed.decode("utf-8", "replace")


def read(
    predicates: Sequence[Predicate], crate: ir.Crate, manifest: Manifest
) -> tuple[list[tuple[Predicate, ir.Function]], list[tuple[Predicate, str]]]:
    """The predicates that are in the subset, as functions of the crate; the others, each with the reason.

    A copy of the sources is read in which each stands behind the function that it is about.
    """
    if not predicates:
        return [], []
    inserted: dict[str, list[tuple[int, bytes]]] = {}
    for one in predicates:
        place = harness.place_of(one.subject.original, crate)
        at = place.offset if place.offset >= 0 else len(manifest.sources[place.file])
        inserted.setdefault(place.file, []).append((at, f"\n{one.text}\n".encode()))
    with TemporaryDirectory(prefix="unsorry-") as name:
        for path, given in manifest.sources.items():
            data = given
            for at, text in sorted(inserted.get(path, ()), key=lambda i: -i[0]):
                data = data[:at] + text + data[at:]
            target = Path(name) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        copy = read_crate(Path(name), manifest)
    functions = {f.name: f for f in copy.functions}
    taken, refused = [], []
    for one in predicates:
        function = functions.get(one.name)
        if function is None:
            refused.append((one, "it was not read"))
        elif function.refusal is not None or function.body is None:
            refusal = function.refusal
            refused.append((one, f"{refusal.code}: {refusal.message}" if refusal is not None else "it has no body"))
        elif function.ret != ir.BOOL or one.path not in function.calls:
            refused.append((one, "it does not call the function"))
        else:
            taken.append((one, function))
    return taken, refused
