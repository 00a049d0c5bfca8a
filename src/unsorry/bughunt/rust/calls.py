"""Calls: functions of the crate, constructors, associated functions, and where methods begin."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .body import Body, handles
from .infer import integral, show, substitute, unknown
from .loops import leave_with
from .methods import method
from .operators import call_function
from .paths import owner_of, variant_type
from .places import instantiate
from .scope import Decl, Std, VariantOf, segments
from .syntax import Refused, named, text
from .values import default_value
from .world import FnDecl, Signature, head

ALONE = frozenset(("expression_statement", "block"))  # around what is no part of a longer expression
STD_FUNCTIONS = {"std::mem::swap": 2, "std::mem::replace": 2, "std::cmp::min": 2, "std::cmp::max": 2}


@handles("call_expression")
def call(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`f(x)`, `x.m(y)`, `Some(x)`, `Type::f(x)`."""
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    assert function is not None and listed is not None
    args = named(listed)
    if any(a.type == "attribute_item" for a in args):
        raise body.refuse("attribute", "attribute in an expression", node)
    if function.type == "break_expression" and len(args) == 1 and node.parent is not None and node.parent.type in ALONE:
        return leave_with(body, function, args[0])  # so the grammar reads `break (value)`
    turbofish: list[ir.Type] | None = None
    if function.type == "generic_function":
        given = function.child_by_field_name("type_arguments")
        turbofish = [body.types.lower(t) for t in named(given) if t.type != "lifetime"] if given is not None else None
        inner = function.child_by_field_name("function")
        assert inner is not None
        function = inner
    if function.type == "field_expression":
        return method(body, node, function, args, turbofish, want)
    if function.type not in ("identifier", "scoped_identifier", "self"):
        raise body.refuse("function-value", f"call of `{text(function)[:40]}`", node)
    if body.local(text(function)) is not None:
        raise body.refuse("function-value", f"call of the value `{text(function)[:40]}`", node)
    names = segments(function)
    if names == ("Self",) and isinstance(body.types.owner, ir.Adt):
        return construct(body, node, body.types.owner, "", args, want)
    owner = owner_of(body, function, names)
    if owner is not None:
        return associated(body, node, owner, names[-1], args, turbofish, want, qualified(function))
    target = body.lookup(names)
    if target is None:
        target = body.lookup(names, value=False)
    if isinstance(target, VariantOf | Std) and (found := variant_type(body, target, body.span(node))) is not None:
        return construct(body, node, found[0], found[1], args, want)
    if isinstance(target, Std):
        if target.path == "std::default::Default::default" and not args and want is not None:
            return default_value(body, node, body.known(want, node, "this default"))
        return standard(body, node, target.path, args)
    if isinstance(target, Decl) and target.kind == "fn":
        fn = body.world.functions[target.path]
        return invoke(body, node, fn, args, turbofish, want)
    if isinstance(target, Decl) and target.kind == "struct":
        return construct(body, node, tuple_struct(body, node, target, names, turbofish), "", args, want)
    raise body.refuse("unresolved", f"`{'::'.join(names)[:60]}` is not a function of the crate", node)


def tuple_struct(
    body: Body, node: Node, target: Decl, names: tuple[str, ...], turbofish: list[ir.Type] | None
) -> ir.Adt:
    """The type of a tuple struct that is built."""
    ty = body.types.named(target, names, turbofish, body.span(node))
    body.world.usable(ty, body.span(node))
    assert isinstance(ty, ir.Adt)
    return ty


def construct(body: Body, node: Node, ty: ir.Adt, variant: str, args: list[Node], want: ir.Type | None) -> ir.Expr:
    """A tuple struct or a variant with its fields."""
    declared = body.world.fields(ty, variant)
    if len(declared) != len(args) or (declared and declared[0].name != "0"):
        raise body.refuse("inference", f"`{variant or ty.path}` with {len(args)} fields", node)
    body.unify_hint(ty, want)
    fields = tuple((f.name, body.check(a, f.ty)) for f, a in zip(declared, args, strict=True))
    if variant:
        return ir.VariantLit(ty=ty, span=body.span(node), variant=variant, fields=fields)
    return ir.StructLit(ty=ty, span=body.span(node), fields=fields)


def invoke(
    body: Body, node: Node, fn: FnDecl, args: list[Node], turbofish: list[ir.Type] | None, want: ir.Type | None
) -> ir.Expr:
    """A call with arguments as written."""
    try:
        signature = body.world.signature(fn)
    except Refused as fault:
        message = f"calls `{fn.path}`, which is refused: {fault.refusal.message}"
        raise body.refuse("calls-refused", message, node) from None
    type_args, values = instantiate(body, signature.generics, turbofish)
    return _applied(body, node, fn, signature, type_args, values, args, want)


def standard(body: Body, node: Node, path: str, args: list[Node]) -> ir.Expr:
    """A free function of the standard library."""
    span = body.span(node)
    if STD_FUNCTIONS.get(path) != len(args):
        raise body.refuse("std", f"`{path}` is not supported", node)
    if path.startswith("std::cmp::"):
        left = body.lower(args[0])
        right = body.check(args[1], left.ty)
        ty = body.type_of(left)
        if not (integral(ty) or ty in (ir.BOOL, ir.CHAR)):
            raise body.refuse("std", f"`{path}` on {show(body.inference.zonk(ty))}", node)
        return ir.Intrinsic(ty=ty, span=span, name="ord::" + path[10:], args=(left, right))
    inner = body.inference.fresh()
    place = body.check(args[0], ir.Ref(True, inner))
    if path == "std::mem::swap":
        other = body.check(args[1], ir.Ref(True, inner))
        return ir.Intrinsic(ty=ir.UNIT, span=span, name="mem::swap", args=(place, other))
    return ir.Intrinsic(ty=inner, span=span, name="mem::replace", args=(place, body.check(args[1], inner)))


def qualified(function: Node) -> str:
    """The trait of `<Type as Trait>::f`, "" for other paths."""
    before = function.child_by_field_name("path")
    if before is not None and before.type == "bracketed_type":
        inside = named(before)
        if len(inside) == 1 and inside[0].type == "qualified_type":
            return segments(named(inside[0])[1])[-1]
    return ""


def associated(
    body: Body,
    node: Node,
    owner: ir.Type,
    name: str,
    args: list[Node],
    turbofish: list[ir.Type] | None,
    want: ir.Type | None,
    trait: str,
) -> ir.Expr:
    """`Type::name(…)`: a variant, a function of an impl, or one of the standard library."""
    owner = body.inference.resolve(owner)
    span = body.span(node)
    if isinstance(owner, ir.Adt):
        body.world.usable(owner, span)
        enum = body.world.enums.get(owner.path)
        if enum is not None and any(v.name == name for v in enum.variants):
            return construct(body, node, owner, name, args, want)
    found = impl_functions(body, owner, name, trait)
    if len(found) > 1 and name == "from" and len(args) == 1:
        value = body.lower(args[0])
        fits = [f for f in found if f.impl is not None and f.impl.trait == "From" and len(f.impl.trait_args) == 1]
        fits = [f for f in fits if f.impl and body.inference.could_unify(value.ty, f.impl.trait_args[0])]
        if len(fits) == 1 and fits[0].impl is not None and not fits[0].impl.generics:
            return call_function(body, node, fits[0], [value])
    if len(found) > 1:
        raise body.refuse("ambiguous", f"`{name}` is in several impls of {show(body.inference.zonk(owner))}", node)
    if found:
        fn = found[0]
        assert fn.impl is not None
        if name == "from" and len(args) == 1:
            return call_function(body, node, fn, [body.lower(args[0])])
        signature = body.world.signature(fn) if fn.refusal is None else None
        if signature is not None and fn.impl.generics:
            return _generic_associated(body, node, fn, owner, args, turbofish, want)
        return invoke(body, node, fn, args, turbofish, want)
    if isinstance(owner, ir.TypeParam) and not unknown(owner):
        raise body.refuse("type-parameter", f"`{owner.name}::{name}` on a type parameter", node)
    from .standard import type_function

    return type_function(body, node, owner, name, args, want)


def _applied(
    body: Body,
    node: Node,
    fn: FnDecl,
    signature: Signature,
    type_args: tuple[ir.Type, ...],
    values: dict[str, ir.Type],
    args: list[Node],
    want: ir.Type | None,
) -> ir.Expr:
    """The call itself, once the type parameters have their `values`."""
    if len(args) != len(signature.params):
        raise body.refuse("inference", f"`{fn.path}` called with {len(args)} arguments", node)
    ret = substitute(signature.ret, values)
    body.unify_hint(ret, want if not isinstance(ret, ir.Ref) else None)
    done = tuple(body.check(a, substitute(p.ty, values)) for a, (_, p) in zip(args, signature.params, strict=True))
    body.calls.add(fn.path)
    return ir.Call(ty=ret, span=body.span(node), function=fn.path, type_args=type_args, args=done)


def _generic_associated(
    body: Body,
    node: Node,
    fn: FnDecl,
    owner: ir.Type,
    args: list[Node],
    turbofish: list[ir.Type] | None,
    want: ir.Type | None,
) -> ir.Expr:
    """A function of a generic impl: the owner's arguments are those of the path."""
    assert fn.impl is not None
    signature = body.world.signature(fn)
    type_args, values = instantiate(body, signature.generics, turbofish)
    body.unify(substitute(fn.impl.owner, values), owner, node)
    return _applied(body, node, fn, signature, type_args, values, args, want)


def impl_functions(body: Body, owner: ir.Type, name: str, trait: str = "") -> list[FnDecl]:
    """The functions of that name in impls that fit the type; inherent ones hide those of traits."""
    fits = []
    for fn in body.world.methods.get(head(owner), {}).get(name, []):
        assert fn.impl is not None
        if trait and fn.impl.trait.rsplit("::", 1)[-1] != trait:
            continue
        _, values = instantiate(body, fn.impl.generics)
        if body.inference.could_unify(substitute(fn.impl.owner, values), owner):
            fits.append(fn)
    inherent = [f for f in fits if f.impl is not None and not f.impl.trait]
    return inherent or fits


def conversion(body: Body, source: ir.Type, target: ir.Type, node: Node) -> FnDecl:
    """The crate's `impl From<source> for target`."""
    for fn in body.world.methods.get(head(target), {}).get("from", []):
        plain = fn.impl is not None and fn.impl.trait == "From" and not fn.impl.generics
        if plain and fn.impl is not None and fn.impl.trait_args == (source,) and fn.impl.owner == target:
            body.calls.add(fn.path)
            return fn
    raise body.refuse("conversion", f"conversion from {show(source)} to {show(target)}", node)
