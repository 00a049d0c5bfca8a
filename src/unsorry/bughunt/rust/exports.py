"""The paths by which other crates reach the items of a library."""

from __future__ import annotations

from .. import ir
from .scope import Decl, Module, lookup
from .world import FnDecl, World


def exports(world: World, library: bool) -> dict[str, str]:
    """From the path of a declaration to the shortest public path; empty for a program."""
    found: dict[str, str] = {}
    if library:
        _visit(world.root, (), found, set())
    for fn in world.functions.values():
        fn.export = _function(world, fn, found)
    for path, (fn, _) in world.assoc_consts.items():
        if (export := _function(world, fn, found)) and not export.startswith("<"):
            found[path] = export
    return found


def _note(decl: Decl, path: tuple[str, ...], found: dict[str, str]) -> None:
    text = "::".join(path)
    if decl.path not in found or text.count("::") < found[decl.path].count("::"):
        found[decl.path] = text


def _visit(module: Module, prefix: tuple[str, ...], found: dict[str, str], seen: set[tuple[int, int]]) -> None:
    if len(prefix) > 12 or (id(module), len(prefix)) in seen:
        return
    seen.add((id(module), len(prefix)))
    for decl in [*module.types.values(), *module.values.values()]:
        if decl.public:
            _item(decl, (*prefix, decl.name), found, seen)
    for use in module.uses:
        if not use.public:
            continue
        if use.name == "*":
            target = lookup(module, use.path, "type")
            if isinstance(target, Decl) and target.child is not None:
                _visit(target.child, prefix, found, seen)
            continue
        for space in ("type", "value"):
            target = lookup(module, use.path, space)
            if isinstance(target, Decl) and use.name != "_":
                _item(target, (*prefix, use.name), found, seen)


def _item(decl: Decl, path: tuple[str, ...], found: dict[str, str], seen: set[tuple[int, int]]) -> None:
    if decl.child is not None:
        _visit(decl.child, path, found, seen)
    else:
        _note(decl, path, found)


def _function(world: World, fn: FnDecl, found: dict[str, str]) -> str:
    if fn.impl is None:
        return found.get(fn.path, "")
    owner = fn.impl.owner
    if not isinstance(owner, ir.Adt) or owner.path not in found:
        return ""
    if not fn.impl.trait:
        return f"{found[owner.path]}::{fn.name}" if fn.public else ""
    trait = fn.impl.trait_export
    if trait.startswith("crate::"):
        known = found.get(trait.removeprefix("crate::"))
        trait = f"crate::{known}" if known is not None else ""
    if not trait or fn.impl.trait_args:
        return ""
    return f"<crate::{found[owner.path]} as {trait}>::{fn.name}"
