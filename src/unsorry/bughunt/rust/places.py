"""Names, fields, indices, borrows, dereferences, casts, assignments."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .body import Body, handles, is_place
from .infer import integral, show, unknown
from .paths import path_value, variant_type
from .scope import Decl, Std, VariantOf, segments
from .syntax import named, text


@handles("identifier", "self")
def identifier(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """A local, a constant, a unit struct or variant."""
    local = body.local(text(node))
    if local is not None:
        return ir.Local(ty=local.ty, span=body.span(node), name=local.unique)
    return path_value(body, node, want)


@handles("field_expression")
def field(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`base.name`, through references."""
    base_node, name = node.child_by_field_name("value"), text(node.child_by_field_name("field"))
    assert base_node is not None
    base = body.deref(body.lower(base_node))
    ty = body.known(base.ty, base_node, "this value")
    if isinstance(ty, ir.Tuple) and name.isdigit() and int(name) < len(ty.items):
        return ir.FieldOf(ty=ty.items[int(name)], span=body.span(node), base=base, name=name)
    if isinstance(ty, ir.Adt):
        for declared in body.world.fields(ty):
            if declared.name == name:
                return ir.FieldOf(ty=declared.ty, span=body.span(node), base=base, name=name)
    raise body.refuse("field", f"no field `{name[:40]}` in {show(body.inference.zonk(ty))}", node)


@handles("index_expression")
def index(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`base[index]`; with a range only behind `&`, or where Rust borrows by itself."""
    base_node, index_node = named(node)
    base = body.deref(body.lower(base_node))
    ty = body.known(base.ty, base_node, "this value")
    if not isinstance(ty, ir.Array | ir.Slice | ir.Vec):
        raise body.refuse("index", f"index into {show(body.inference.zonk(ty))}", node)
    while index_node.type == "parenthesized_expression":
        index_node = named(index_node)[0]
    if is_range(index_node):
        low, high, inclusive = range_parts(index_node)
        return ir.SliceOf(
            ty=ir.Slice(ty.item),
            span=body.span(node),
            base=base,
            low=body.check(low, ir.USIZE) if low is not None else None,
            high=body.check(high, ir.USIZE) if high is not None else None,
            inclusive=inclusive,
        )
    position = body.lower(index_node)
    if not (integral(body.type_of(position)) or unknown(body.type_of(position))):
        raise body.refuse("index", f"index of type {show(body.inference.zonk(position.ty))}", node)
    body.unify(position.ty, ir.USIZE, index_node)
    return ir.Index(ty=ty.item, span=body.span(node), base=base, index=position)


def is_range(node: Node) -> bool:
    """Whether an expression is a range; the grammar takes `..=b` for an assignment to `..`."""
    if node.type == "assignment_expression":
        left = node.child_by_field_name("left")
        return left is not None and left.type == "range_expression" and text(node).startswith("..=")
    return node.type == "range_expression"


def range_parts(node: Node) -> tuple[Node | None, Node | None, bool]:
    """The bounds of `a..b`, and whether it is `..=`."""
    if node.type == "assignment_expression":
        return None, node.child_by_field_name("right"), True
    operator = next(i for i, c in enumerate(node.children) if c.type in ("..", "..=", "..."))
    low = node.children[operator - 1] if operator > 0 else None
    high = node.children[operator + 1] if operator + 1 < len(node.children) else None
    return low, high, node.children[operator].type == "..="


@handles("reference_expression")
def reference(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`&place`, `&mut place`."""
    kinds = [c.type for c in node.children]
    if "raw" in kinds:
        raise body.refuse("unsafe", "raw borrow", node)
    mutable = "mutable_specifier" in kinds
    inner = node.child_by_field_name("value")
    assert inner is not None
    wanted = body.inference.resolve(want) if want is not None else None
    hint = wanted.target if isinstance(wanted, ir.Ref) else None
    plain = inner.type in ("array_expression", "integer_literal", "tuple_expression", "struct_expression")
    place = body.lower(inner, hint if plain else None)
    if mutable and not is_place(place):
        raise body.refuse("mut-borrow", "`&mut` of a value that is no place", node)
    return body.borrow(place, mutable)


@handles("type_cast_expression")
def cast(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`value as type`."""
    value, type_node = node.child_by_field_name("value"), node.child_by_field_name("type")
    assert value is not None and type_node is not None
    ty = body.types.lower(type_node)
    if not isinstance(ty, ir.Scalar):
        raise body.refuse("cast", f"cast to {show(ty)}", node)
    operand = body.lower(value, ty if literal_like(value) else None)
    have = body.known_or_integer(operand, value)
    allowed = integral(have) and (ty.is_int or (ty == ir.CHAR and have == ir.U8))
    if isinstance(have, ir.Scalar) and have.name in ("bool", "char"):
        allowed = ty.is_int or ty == have
    if isinstance(have, ir.Adt) and ty.is_int and (enum := body.world.enums.get(have.path)) is not None:
        allowed = all(v.shape == "unit" for v in enum.variants)
    if ty == ir.CHAR and integral(have) and not isinstance(have, ir.Scalar):
        body.unify(have, ir.U8, node)
        allowed = True
    if not allowed:
        raise body.refuse("cast", f"cast from {show(body.inference.zonk(have))} to {show(ty)}", node)
    return ir.Cast(ty=ty, span=body.span(node), operand=operand)


def literal_like(node: Node) -> bool:
    """Whether a cast's type is a hint for the literal inside, as in `-1 as i64`."""
    while node.type in ("parenthesized_expression", "unary_expression"):
        node = named(node)[0]
    return node.type == "integer_literal"


@handles("assignment_expression")
def assignment(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`place = value`; `(a, b) = value` takes the value apart."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    assert left is not None and right is not None
    span = body.span(node)
    if is_range(node):
        raise body.refuse("range", "range as a value", node)
    if text(left) == "_":
        statement = ir.ExprStmt(body.lower(right))
        return ir.Block(ty=ir.UNIT, span=span, statements=(statement,), tail=None)
    if left.type == "tuple_expression":
        return _destructure(body, node, left, right)
    if left.type in ("array_expression", "struct_expression", "call_expression"):
        raise body.refuse("assignment", "assignment that takes a value apart", node)
    place = body.lower(left)
    if not is_place(place):
        raise body.refuse("assignment", "assignment to what is no place", node)
    return ir.Assign(ty=ir.UNIT, span=span, place=place, value=body.check(right, place.ty))


def _destructure(body: Body, node: Node, left: Node, right: Node) -> ir.Expr:
    """`(a, b) = (c, d)`: the value first, into fresh locals, then each place in order."""
    span = body.span(node)
    parts = named(left)
    places = [body.lower(p) if text(p) != "_" else None for p in parts]
    if any(p is not None and not is_place(p) for p in places):
        raise body.refuse("assignment", "assignment that takes a value apart", node)
    types = tuple(p.ty if p is not None else body.inference.fresh() for p in places)
    value = body.check(right, ir.Tuple(types))
    patterns: list[ir.Pattern] = []
    statements: list[ir.Stmt] = []
    for place, ty in zip(places, types, strict=True):
        if place is None:
            patterns.append(ir.Wild(ty))
            continue
        name = body.fresh_name("part")
        patterns.append(ir.Bind(ty, name))
        assign = ir.Assign(ty=ir.UNIT, span=span, place=place, value=ir.Local(ty=ty, span=span, name=name))
        statements.append(ir.ExprStmt(assign))
    first = ir.Let(ir.TuplePat(ir.Tuple(types), tuple(patterns)), value, None, span)
    return ir.Block(ty=ir.UNIT, span=span, statements=(first, *statements), tail=None)


@handles("struct_expression")
def struct(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`Point { x, y: 1, ..base }`, also for a variant."""
    span, name_node, listed = body.span(node), node.child_by_field_name("name"), node.child_by_field_name("body")
    assert name_node is not None and listed is not None
    ty, variant = struct_type(body, name_node)
    body.unify_hint(ty, want)
    declared = {f.name: f.ty for f in body.world.fields(ty, variant)}
    written: list[tuple[str, ir.Expr]] = []
    base: ir.Expr | None = None
    for part in named(listed):
        if part.type == "base_field_initializer":
            base = body.check(named(part)[0], ty)
            continue
        if part.type == "shorthand_field_initializer":
            name_part = named(part)[-1]
            name, value_node = text(name_part), name_part
        else:
            found = part.child_by_field_name("value")
            name = text(part.child_by_field_name("field"))
            if found is None or part.type != "field_initializer":
                raise body.refuse("syntax", "field of a struct", part)
            value_node = found
        if name not in declared:
            raise body.refuse("field", f"no field `{name[:40]}` in {show(ty)}", part)
        written.append((name, body.check(value_node, declared[name])))
    if len({n for n, _ in written}) != len(written) or (base is None and len(written) != len(declared)):
        raise body.refuse("syntax", "fields missing or given twice", node)
    if variant:
        if base is not None:
            raise body.refuse("syntax", "base of a variant", node)
        return ir.VariantLit(ty=ty, span=span, variant=variant, fields=tuple(written))
    return ir.StructLit(ty=ty, span=span, fields=tuple(written), base=base)


def struct_type(body: Body, name_node: Node) -> tuple[ir.Adt, str]:
    """The type that a struct literal or pattern names, and the variant ("" for a struct)."""
    span, names = body.span(name_node), segments(name_node)
    target = body.lookup(names, value=False)
    if names[0] == "Self" and body.types.owner is not None and len(names) <= 2:
        owner = body.types.owner
        if isinstance(owner, ir.Adt):
            body.world.usable(owner, span)
            return owner, names[1] if len(names) == 2 else ""
    if target is None:
        target = body.lookup(names)
    if target is None and len(names) > 1:
        owner_target = body.lookup(names[:-1], value=False)
        if isinstance(owner_target, Decl) and owner_target.kind == "alias":
            ty = body.types.named(owner_target, names[:-1], None, span)
            if isinstance(ty, ir.Adt):
                return ty, names[-1]
    if isinstance(target, VariantOf | Std) and (found := variant_type(body, target, span)) is not None:
        return found
    if isinstance(target, Decl) and target.kind in ("struct", "alias"):
        args = body.types.arguments(name_node)
        ty = body.types.named(target, names, args, span)
        if isinstance(ty, ir.Adt):
            body.world.usable(ty, span)
            return ty, ""
    raise body.refuse("unresolved", f"`{'::'.join(names)[:60]}` is no struct of the crate", name_node)


def instantiate(
    body: Body, generics: tuple[ir.Generic, ...], given: list[ir.Type] | None = None
) -> tuple[tuple[ir.Type, ...], dict[str, ir.Type]]:
    """Unknowns for type parameters (the last ones may be given), in order and by name."""
    values: list[ir.Type] = [body.inference.fresh() for _ in generics]
    if given:
        values[len(values) - len(given) :] = given
    return tuple(values), {g.name: v for g, v in zip(generics, values, strict=True)}
