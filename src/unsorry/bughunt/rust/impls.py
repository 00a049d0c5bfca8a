"""The impls of a crate: their methods, constants and the default methods of traits."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .collect import Collector, public
from .scope import Decl, Module, Std, lookup, segments
from .syntax import (
    Item,
    Refused,
    Source,
    check_attributes,
    check_syntax,
    items,
    named,
    skipped,
    text,
)
from .types import TypeScope
from .world import FnDecl, Impl, generics, head


def gather_impl(self: Collector, item: Item, source: Source, module: Module) -> None:
    """An impl: its methods by the head of its type."""
    node, span, world = item.node, source.span(item.node), self.world
    type_node, trait_node = node.child_by_field_name("type"), node.child_by_field_name("trait")
    body = node.child_by_field_name("body")
    trait_text = " ".join(text(trait_node).split())
    label = " ".join(text(type_node).split())
    fault: ir.Refusal | None = None
    impl: Impl | None = None
    try:
        if type_node is None or depth_fault(node):
            raise Refused("syntax", "syntax error in the head of an impl", span)
        for part in node.children:
            if part.type != "declaration_list":
                check_syntax(part, span)
        if any(c.type in ("unsafe", "!") for c in node.children):
            raise Refused("unsafe", f"unsafe or negative impl of {trait_text}", span)
        params = generics(node, source)
        scope = TypeScope(world, module, source, frozenset(g.name for g in params))
        owner = world.usable(scope.lower(type_node), source.span(type_node))
        scope.owner = owner
        trait_args: tuple[ir.Type, ...] = ()
        if trait_node is not None and (listed := trait_node.child_by_field_name("type_arguments")) is not None:
            trait_args = tuple(scope.lower(t) for t in named(listed) if t.type != "lifetime")
        inner = owner.target if isinstance(owner, ir.Ref) else owner
        if not head(inner) or (isinstance(inner, ir.Adt) and inner.path in ir.BUILTIN_ENUMS):
            raise Refused("foreign-impl", f"impl for the type `{label[:60]}`", span)
        trait = segments(trait_node)[-1] if trait_node is not None else ""
        impl = Impl(owner, params, trait, trait_text, trait_args, module, source)
        if trait_node is not None:
            target = lookup(module, segments(trait_node), "type")
            if isinstance(target, Std):
                impl.trait_export = target.path
                impl.trait = target.path.rsplit("::", 1)[-1]
            elif isinstance(target, Decl):
                impl.trait_export = "crate::" + target.path
                impl.trait = "crate::" + target.path
            else:
                impl.trait = "?" + trait
        if impl.trait == "Drop" and isinstance(owner, ir.Adt):
            world.bad_types[owner.path] = ir.Refusal("drop", f"`{owner.path}` has a destructor", span)
        world.impls.append(impl)
    except Refused as refused:
        fault = refused.refusal
    methods(self, impl, fault, label, trait_text, body, source, module)


def depth_fault(node: Node) -> bool:
    """Whether the head of an impl has a syntax error; its body may."""
    return any(c.has_error or c.is_missing for c in node.children if c.type != "declaration_list")


def methods(
    self: Collector,
    impl: Impl | None,
    fault: ir.Refusal | None,
    label: str,
    trait_text: str,
    body: Node | None,
    source: Source,
    module: Module,
) -> None:
    """The functions and constants of an impl."""
    base = label
    if impl is not None:
        from .infer import show

        base = show(impl.owner)
        if isinstance(impl.owner, ir.Adt) and not trait_text:
            free = all(isinstance(a, ir.TypeParam) for a in impl.owner.args) and len(set(impl.owner.args)) == len(
                impl.owner.args
            )
            base = impl.owner.path if free else f"<{base}>"
    prefix = f"<{base} as {trait_text}>" if trait_text else base
    present: set[str] = set()
    for item in items(body) if body is not None else []:
        name = text(item.node.child_by_field_name("name"))
        if skipped(item.attributes):
            continue
        present.add(name)
        kind = item.node.type
        if kind == "type_item" and impl is not None:
            body_type = item.node.child_by_field_name("type")
            if body_type is not None:
                impl.assoc[name] = body_type
            continue
        here = fault
        try:
            check_attributes(item.attributes, source.span(item.node))
            check_syntax(item.node, source.span(item.node))
        except Refused as refused:
            here = here or refused.refusal
        if kind == "function_item":
            add_method(self, f"{prefix}::{name}", item, source, module, impl, here)
        elif kind == "const_item" and impl is not None and here is None:
            fn = FnDecl(f"{prefix}::{name}", name, item, source, module, impl, public(item.node))
            self.world.assoc_consts[fn.path] = (fn, item.node)
            self.world.methods.setdefault(head(impl.owner), {}).setdefault("const " + name, []).append(fn)
        elif kind not in ("type_item",):
            refusal = here or ir.Refusal("item", f"{kind} in an impl", source.span(item.node))
            self.world.refused.append(ir.RefusedItem(kind.removesuffix("_item"), f"{prefix}::{name or kind}", refusal))
    if impl is not None and impl.trait.startswith("crate::"):
        defaults(self, impl, prefix, present)


def add_method(
    self: Collector, path: str, item: Item, source: Source, module: Module, impl: Impl | None, fault: ir.Refusal | None
) -> FnDecl:
    """One function of an impl."""
    fn = self.function(path, item, source, module, impl, fault)
    if impl is not None:
        owner = impl.owner.target if isinstance(impl.owner, ir.Ref) else impl.owner
        self.world.methods.setdefault(head(owner), {}).setdefault(fn.name, []).append(fn)
    return fn


def defaults(self: Collector, impl: Impl, prefix: str, present: set[str]) -> None:
    """The default methods of a trait of the crate, for a type that does not replace them."""
    trait = self.world.decls.get(impl.trait.removeprefix("crate::"))
    body = trait.item.node.child_by_field_name("body") if trait is not None else None
    if trait is None or body is None:
        return
    for item in items(body):
        name = text(item.node.child_by_field_name("name"))
        if name in present or item.node.type not in ("function_item", "const_item") or skipped(item.attributes):
            continue
        if item.node.type == "function_item":
            fn = add_method(self, f"{prefix}::{name}", item, trait.source, trait.module, impl, None)
            fn.default_of = trait.path
            if trait.item.node.child_by_field_name("type_parameters") is not None:
                fn.refusal = ir.Refusal("generic-trait", "default method of a generic trait", fn.span)
        elif item.node.child_by_field_name("value") is not None:
            fn = FnDecl(f"{prefix}::{name}", name, item, trait.source, trait.module, impl)
            self.world.assoc_consts[fn.path] = (fn, item.node)
            self.world.methods.setdefault(head(impl.owner), {}).setdefault("const " + name, []).append(fn)
