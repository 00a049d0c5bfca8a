"""The items of a crate: its files read, its modules and impls gathered; nothing is worked out yet."""

from __future__ import annotations

from pathlib import Path

from tree_sitter import Node

from .. import ir
from .scope import KINDS, Decl, Module, Use, uses
from .syntax import (
    MAX_BYTES,
    Item,
    Refused,
    Source,
    attribute_name,
    check_attributes,
    check_syntax,
    child,
    guarded,
    harmless,
    inner_attributes,
    items,
    parse,
    skipped,
    text,
)
from .world import FnDecl, Impl, World

MAX_FILES = 2000
ROOTED = ("self", "super", "crate", "std", "core", "alloc")
REFUSED_KINDS = {
    "macro_invocation": ("macro", "macro"),
    "macro_definition": ("macro", "macro"),
    "foreign_mod_item": ("ffi", "foreign functions"),
    "union_item": ("unsafe", "union"),
    "extern_crate_declaration": ("external-crate", "external crate"),
    "ERROR": ("syntax", "text"),
}


class Collector:
    """Reads files and fills a World."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world, self.folder = world, folder.resolve()
        self.files = 0
        self.impls: list[tuple[Item, Source, Module]] = []
        self.seen: set[Path] = set()

    def refuse(self, kind: str, path: str, fault: Refused) -> None:
        """Count an item out."""
        self.world.refused.append(ir.RefusedItem(kind, path, fault.refusal))

    def file(self, path: Path, module: Module, subfolder: Path) -> None:
        """Read a module's file; `subfolder` is where its own modules lie."""
        name = path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else path.name
        where = ir.Span(name, 1, 1, 0, 0)
        real = path.resolve()
        if not real.is_relative_to(self.folder) or real in self.seen:
            raise Refused("file", f"{name} is outside of the crate or read already", where)
        self.seen.add(real)
        self.files += 1
        if self.files > MAX_FILES:
            raise Refused("file", f"more than {MAX_FILES} files", where)
        try:
            size = real.stat().st_size
            if size > MAX_BYTES:
                raise Refused("file", f"{name} has {size} bytes, more than {MAX_BYTES}", where)
            data = real.read_bytes()
            data.decode("utf-8")
        except UnicodeDecodeError as fault:
            raise Refused("utf-8", f"{name} is not UTF-8 at byte {fault.start}", where) from None
        except OSError as fault:
            raise Refused("file", f"cannot read {name}: {fault.strerror}", where) from None
        root = parse(data.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b" "))
        self.module(root, Source(name), module, subfolder)

    def module(self, node: Node, source: Source, module: Module, folder: Path | None) -> None:
        """Gather the items directly in a module."""
        inner = inner_attributes(node)
        if skipped(tuple(inner)):
            return
        for attribute in inner:
            name = attribute_name(attribute)
            if name == "cfg" or (name == "cfg_attr" and not harmless(attribute, inner=True)):
                raise Refused("cfg", f"conditional compilation: #![{attribute[:60]}]", source.span(node))
        for item in items(node):
            if skipped(item.attributes):
                continue
            kind, path = item.node.type, ""
            try:
                path = module.join(text(item.node.child_by_field_name("name")) or kind)
                with guarded(source.span(item.node)):
                    self.item(item, source, module, folder)
            except Refused as fault:
                if kind == "function_item":
                    self.function(path, item, source, module, None, fault.refusal)
                else:
                    self.refuse(KINDS.get(kind, (kind.removesuffix("_item"), ""))[0], path, fault)
                    self._declare_bad(item, source, module, fault)

    def _declare_bad(self, item: Item, source: Source, module: Module, fault: Refused) -> None:
        kind, name = item.node.type, text(item.node.child_by_field_name("name"))
        if kind in ("struct_item", "enum_item") and name not in module.types:
            decl = Decl(KINDS[kind][0], name, module.join(name), item, source, module, False)
            module.types[name] = decl
            self.world.bad_types[decl.path] = fault.refusal

    def item(self, item: Item, source: Source, module: Module, folder: Path | None) -> None:
        """Gather one item."""
        node, span = item.node, source.span(item.node)
        if node.type == "expression_statement" and child(node, "macro_invocation") is not None:
            node = child(node, "macro_invocation") or node
        if node.type in REFUSED_KINDS:
            code, what = REFUSED_KINDS[node.type]
            if node.type == "macro_definition":
                self.world.macros.add(text(node.child_by_field_name("name")))
            raise Refused(code, f"{what} `{text(node).split(chr(10))[0][:60]}`", span)
        if node.type == "use_declaration":
            check_syntax(node, span)
            found = list(uses(node, (), public(node)))
            if self.world.edition == "2015":  # there `use` begins at the root
                found = [
                    u if u.path[:1] and u.path[0] in ROOTED else Use(("crate", *u.path), u.name, u.public)
                    for u in found
                ]
            module.uses += found
            return
        check_attributes(item.attributes, span)
        if node.type == "mod_item":
            self.submodule(item, source, module, folder)
            return
        if node.type == "impl_item":
            self.impls.append((item, source, module))
            return
        if node.type not in KINDS:
            raise Refused("item", f"{node.type.removesuffix('_item').replace('_', ' ')} is no item of the subset", span)
        check_syntax(node, span)
        kind, space = KINDS[node.type]
        name = text(node.child_by_field_name("name"))
        if kind == "static" and any(c.type == "mutable_specifier" for c in node.children):
            raise Refused("unsafe", f"static mut `{name}`", span)
        decl = Decl(kind, name, module.join(name), item, source, module, public(node))
        if name in module.names(space):
            raise Refused("duplicate", f"`{name}` is declared twice", span)
        module.names(space)[name] = decl
        if kind == "fn":
            self.function(decl.path, item, source, module, None, None)
        else:
            self.world.decls[decl.path] = decl

    def submodule(self, item: Item, source: Source, module: Module, folder: Path | None) -> None:
        """A module in its own file or in braces."""
        node, span = item.node, source.span(item.node)
        name = text(node.child_by_field_name("name"))
        inner = Module((*module.path, name), module)
        body = node.child_by_field_name("body")
        decl = Decl("module", name, module.join(name), item, source, module, public(node), inner)
        if item.attribute("path") is not None or len(inner.path) > 30:
            raise Refused("attribute", f"module `{name}` with a path of its own or too deep", span)
        module.types[name] = decl
        below = folder / name if folder is not None else None
        if body is not None:
            self.module(body, source, inner, below)
        elif folder is None:
            raise Refused("file", f"module `{name}` in a file, inside of a function", span)
        else:
            choices = [c for c in (folder / f"{name}.rs", folder / name / "mod.rs") if c.is_file()]
            if len(choices) != 1:
                raise Refused("file", f"module `{name}` has no file", span)
            self.file(choices[0], inner, folder / name)

    def function(
        self, path: str, item: Item, source: Source, module: Module, impl: Impl | None, fault: ir.Refusal | None
    ) -> FnDecl:
        """A function and the items inside its body."""
        name = path.rsplit("::", 1)[-1]
        unique, n = path, 1
        while unique in self.world.functions:
            n += 1
            unique = f"{path}#{n}"
        if unique != path and fault is None:
            fault = ir.Refusal("duplicate", f"`{path}` is declared twice", source.span(item.node))
        inner = Module((*module.path, name), None, module)
        fn = FnDecl(unique, name, item, source, inner, impl, public(item.node), "", fault)
        self.world.functions[unique] = fn
        body = item.node.child_by_field_name("body")
        if body is None or fault is not None:
            return fn
        try:
            self.inner_items(body, source, inner)
        except Refused as refused:
            fn.refusal = refused.refusal
        return fn

    def inner_items(self, body: Node, source: Source, inner: Module) -> None:
        """Constants, uses and functions that stand in a body."""
        attributes: tuple[str, ...] = ()
        for node in body.named_children:
            if node.type == "attribute_item":
                attributes = (*attributes, text(node).strip()[2:-1].strip())
                continue
            if node.type in (
                "use_declaration",
                "const_item",
                "static_item",
                "function_item",
                "struct_item",
                "enum_item",
            ):
                self.item(Item(node, attributes, ""), source, inner, None)
            attributes = ()

    def finish(self) -> None:
        """The impls, once all names are known."""
        from .impls import gather_impl

        for item, source, module in self.impls:
            gather_impl(self, item, source, module)


def public(node: Node) -> bool:
    """Whether an item is `pub` without limits."""
    return text(child(node, "visibility_modifier")).strip() == "pub"
