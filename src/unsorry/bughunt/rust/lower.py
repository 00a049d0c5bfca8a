"""A crate's declarations to the intermediate form, one item at a time."""

from __future__ import annotations

import re

from tree_sitter import Node

from .. import ir
from . import calls, control, literals, loops, macros, operators, paths, places  # noqa: F401  each registers its forms
from .body import Body
from .checks import check_body, check_statements, holds_mut
from .control import statements
from .infer import parts, show
from .patterns import let_pattern
from .scope import Decl, unknown_globs
from .syntax import Item, Refused, Source, check_syntax, child, derives, guarded, named, text
from .types import TypeScope
from .world import FnDecl, World, generics


def adts(world: World) -> None:
    """All structs and enums; those that do not fit are refused, and then those made of them."""
    for decl in list(world.decls.values()):
        if decl.kind not in ("struct", "enum"):
            continue
        try:
            with guarded(decl.span):
                if decl.kind == "struct":
                    world.structs[decl.path] = _struct(world, decl)
                else:
                    world.enums[decl.path] = _enum(world, decl)
        except Refused as fault:
            world.bad_types[decl.path] = fault.refusal
    spread(world)


def spread(world: World) -> None:
    """Refuse the types made of refused types; note them all."""
    changed = True
    while changed:
        changed = False
        for path, types in _members(world).items():
            if path in world.bad_types:
                continue
            for ty in types:
                if (bad := world.bad_part(ty)) is not None:
                    why = world.bad_types[bad].message
                    span = world.decls[path].span
                    world.bad_types[path] = ir.Refusal("refused-type", f"has a `{bad}`, which is refused: {why}", span)
                    changed = True
                    break
    _recursive(world)


def _members(world: World) -> dict[str, list[ir.Type]]:
    found = {p: [f.ty for f in s.fields] for p, s in world.structs.items()}
    for path, enum in world.enums.items():
        if path not in ir.BUILTIN_ENUMS:
            found[path] = [f.ty for v in enum.variants for f in v.fields]
    return found


def _recursive(world: World) -> None:
    """Types that contain themselves (through a vector or a reference) are refused."""
    members = _members(world)

    def mentioned(ty: ir.Type) -> set[str]:
        inner = {p for t in parts(ty) for p in mentioned(t)}
        return inner | {ty.path} if isinstance(ty, ir.Adt) else inner

    edges = {p: {m for t in types for m in mentioned(t)} for p, types in members.items()}
    for path in members:
        seen: set[str] = set()
        todo = [*edges[path]]
        while todo:
            here = todo.pop()
            if here not in seen:
                seen.add(here)
                todo += edges.get(here, set())
        if path in seen and path not in world.bad_types:
            refusal = ir.Refusal("recursive-type", f"`{path}` contains itself", world.decls[path].span)
            world.bad_types[path] = refusal
            spread(world)
            return


def _scope(world: World, decl: Decl) -> tuple[TypeScope, tuple[ir.Generic, ...]]:
    params = generics(decl.item.node, decl.source)
    scope = TypeScope(world, decl.module, decl.source, frozenset(g.name for g in params))
    scope.owner = ir.Adt(decl.path, tuple(ir.TypeParam(g.name) for g in params))
    return scope, params


def _fields(scope: TypeScope, body: Node | None) -> tuple[tuple[ir.Field, ...], str]:
    """The fields of a struct or variant, and its shape."""
    if body is None:
        return (), "unit"
    found: list[ir.Field] = []
    if body.type == "field_declaration_list":
        for part in named(body):
            if part.type == "attribute_item":
                _field_attribute(scope.source, part)
                continue
            kind = part.child_by_field_name("type")
            assert kind is not None
            found.append(ir.Field(text(part.child_by_field_name("name")), _owned(scope, kind), _public(part)))
        return tuple(found), "named"
    public = False
    for part in named(body):
        if part.type == "attribute_item":
            _field_attribute(scope.source, part)
        elif part.type == "visibility_modifier":
            public = text(part).strip() == "pub"
        else:
            found.append(ir.Field(str(len(found)), _owned(scope, part), public))
            public = False
    return tuple(found), "tuple"


def _field_attribute(source: Source, node: Node) -> None:
    if re.match(r"#\[\s*cfg", text(node)):
        raise Refused("cfg", f"conditional compilation: {text(node)[:60]}", source.span(node))


def _owned(scope: TypeScope, node: Node) -> ir.Type:
    ty = scope.lower(node)
    if holds_mut(ty):
        raise Refused("mut-borrow", f"field with `&mut`: {show(ty)}", scope.source.span(node))
    return ty


def _public(node: Node) -> bool:
    return text(child(node, "visibility_modifier")).strip() == "pub"


def _struct(world: World, decl: Decl) -> ir.Struct:
    scope, params = _scope(world, decl)
    fields, shape = _fields(scope, decl.item.node.child_by_field_name("body"))
    return ir.Struct(
        path=decl.path,
        generics=params,
        fields=fields,
        derives=derives(decl.item),
        public=decl.public,
        docs=decl.item.docs,
        span=decl.span,
        shape=shape,  # type: ignore[arg-type]
    )


def _enum(world: World, decl: Decl) -> ir.Enum:
    from .consts import constant_of_node

    scope, params = _scope(world, decl)
    body = decl.item.node.child_by_field_name("body")
    assert body is not None
    variants: list[ir.Variant] = []
    following = 0
    repr_type = _repr(decl.item)
    for part in named(body):
        if part.type == "attribute_item":
            _field_attribute(decl.source, part)
            continue
        value = part.child_by_field_name("value")
        if value is not None:
            number = constant_of_node(world, scope, value, repr_type)
            assert isinstance(number, int)
            following = number
        fields, shape = _fields(scope, part.child_by_field_name("body"))
        name = text(part.child_by_field_name("name"))
        variants.append(ir.Variant(name, fields, following, shape))  # type: ignore[arg-type]
        following += 1
    traits = derives(decl.item)
    numbers = [v.discriminant for v in variants]
    if numbers != sorted(numbers):
        traits -= {"PartialOrd", "Ord"}  # the derived order is that of the numbers, not of the places
    return ir.Enum(
        path=decl.path,
        generics=params,
        variants=tuple(variants),
        derives=traits,
        public=decl.public,
        docs=decl.item.docs,
        span=decl.span,
    )


def _repr(item: Item) -> ir.Scalar:
    """The type of the discriminants."""
    written = item.attribute("repr") or ""
    found = re.search(r"\b([ui](?:8|16|32|64|128|size))\b", written)
    return ir.Scalar(found[1] if found else "isize")


def function(world: World, fn: FnDecl) -> ir.Function:
    """One function; what does not fit gives one with a refusal and no body."""
    public = bool(fn.export)
    base = ir.Function(
        path=fn.path,
        generics=(),
        params=(),
        ret=ir.UNIT,
        body=None,
        span=fn.span,
        docs=fn.item.docs,
        attributes=fn.item.attributes,
        public=public,
        export=fn.export,
        owner=fn.impl.owner if fn.impl else None,
        trait=fn.impl.trait_text if fn.impl else "",
        signature_known=False,
    )
    signature = None
    try:
        with guarded(fn.span):
            if fn.refusal is not None:
                raise Refused(fn.refusal.code, fn.refusal.message, fn.refusal.span)
            check_syntax(fn.item.node, fn.span)
            if globs := unknown_globs(fn.module):
                raise Refused("external-crate", f"names from `{globs[0]}::*` cannot be told", fn.span)
            signature = world.signature(fn)
            return _whole(world, fn, base)
    except Refused as fault:
        if signature is None:
            return _replace(base, refusal=fault.refusal)
        params = tuple(p for _, p in signature.params)
        return _replace(
            base,
            refusal=fault.refusal,
            generics=signature.generics,
            params=params,
            ret=signature.ret,
            signature_known=True,
            opaque=True,
        )


def _replace(base: ir.Function, **changes: object) -> ir.Function:
    from dataclasses import replace

    return replace(base, **changes)  # type: ignore[arg-type]


def _whole(world: World, fn: FnDecl, base: ir.Function) -> ir.Function:
    signature = world.signature(fn)
    node = fn.item.node.child_by_field_name("body")
    if node is None:
        raise Refused("no-body", "a function without a body", fn.span)
    body = Body(world, world.type_scope(fn), fn.source, fn.module, signature.ret)
    body.bounds = {g.name: g.bounds for g in signature.generics}
    params: list[ir.Param] = []
    first: list[ir.Stmt] = []
    for _, param in signature.params:
        params.append(ir.Param(body.declare(param.name, param.ty), param.ty, param.mutable))
    for pattern, param in signature.params:
        if pattern is None:
            continue
        if text(pattern) == "_":
            continue
        init = ir.Local(ty=param.ty, span=fn.source.span(pattern), name=body.local(param.name).unique)  # type: ignore[union-attr]
        first.append(ir.Let(let_pattern(body, pattern, param.ty, False), init, None, fn.source.span(pattern)))
    done = statements(body, node, signature.ret, top=True)
    if done.tail is None and not isinstance(body.inference.resolve(done.ty), ir.Never):
        body.unify(done.ty, signature.ret, node)
    whole = ir.Block(ty=done.ty, span=done.span, statements=(*first, *done.statements), tail=done.tail)
    tree = check_body(body.finish(whole, fn.span), fn.span)
    check_statements(tree, tuple(params), signature.ret, fn.span)
    return _replace(
        base,
        generics=signature.generics,
        params=tuple(params),
        ret=signature.ret,
        body=tree,
        signature_known=True,
        calls=frozenset(body.calls),
    )
