"""The embedded front end: a documented subset of safe Rust, read with tree-sitter; the rest is refused by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from unsorry import UnsorryError

from .. import ir
from ..manifest import Manifest, read_manifest

T = TypeVar("T", ir.Struct, ir.Enum, ir.Const)
RECURSION = 8000  # frames; the depth of what is read is bounded well below


@contextmanager
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def read_crate(folder: Path, manifest: Manifest | None = None) -> ir.Crate:
    """The crate in `folder` (the one with Cargo.toml, whose `manifest` may be known) in the intermediate form.

    Raises UnsorryError if the folder is no crate or the reader of Rust is not installed; whatever is wrong inside
    refuses items, never the crate.
    """
    if find_spec("tree_sitter") is None or find_spec("tree_sitter_rust") is None:
        raise UnsorryError("tree-sitter and tree-sitter-rust are not installed: pip install 'unsorry[hunt]'")
    manifest = manifest if manifest is not None else read_manifest(folder)
    with _deep():
        return _read(folder.resolve(), manifest)


def _read(folder: Path, manifest: Manifest) -> ir.Crate:
    from .collect import Collector
    from .constcalls import lacking, without_calls
    from .exports import exports
    from .facts import finish
    from .lower import adts, function, spread
    from .scope import Module
    from .syntax import Refused, guarded
    from .world import World

    root = Module((), None)
    world = World(manifest.name, root, manifest.edition)
    collector = Collector(world, folder)
    entry = folder / manifest.root
    where = ir.Span(manifest.root, 1, 1, 0, 0)
    try:
        with guarded(where):
            collector.file(entry, root, entry.parent)
    except Refused as fault:
        collector.refuse("crate", manifest.name, fault)
    adts(world)
    collector.finish()
    spread(world)
    found = exports(world, manifest.library)
    functions = [function(world, fn) for fn in list(world.functions.values())]
    for path, decl in world.decls.items():
        if decl.kind in ("const", "static"):
            try:
                with guarded(decl.span):
                    world.const(path, decl.span)
            except Refused as fault:
                collector.refuse(decl.kind, path, fault)
    for path in world.assoc_consts:
        try:
            with guarded(world.assoc_consts[path][0].span):
                world.const(path, world.assoc_consts[path][0].span)
        except Refused as fault:
            collector.refuse("const", path, fault)
    for path, refusal in world.bad_types.items():
        if path in world.decls and not any(r.path == path for r in world.refused):
            world.refused.append(ir.RefusedItem(world.decls[path].kind, path, refusal))
    table = {f.path: f for f in functions}
    for path in [p for p, calls in world.const_calls.items() if calls and p in world.consts]:
        const = world.consts[path]
        try:
            with guarded(const.span):
                world.consts[path] = without_calls(const, table)
        except Refused as fault:
            del world.consts[path]
            collector.refuse("const", path, fault)
    while lost := lacking(world.consts):
        const = world.consts.pop(lost)
        collector.refuse("const", lost, Refused("refused-const", "it is made from a refused constant", const.span))
    return ir.Crate(
        name=manifest.name,
        structs=tuple(_exported(s, found) for p, s in world.structs.items() if p not in world.bad_types),
        enums=tuple(
            _exported(e, found)
            for p, e in world.enums.items()
            if p not in world.bad_types and p not in ir.BUILTIN_ENUMS
        ),
        consts=tuple(_exported(c, found) for c in world.consts.values()),
        functions=tuple(finish(functions, world.consts)),
        refused=tuple(world.refused),
        source_hash=manifest.source_hash,
    )


def _exported(item: T, found: dict[str, str]) -> T:
    from dataclasses import replace

    return replace(item, export=found.get(item.path, ""), public=item.path in found)


__all__ = ["read_crate"]
