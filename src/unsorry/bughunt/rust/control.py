"""Blocks, branches, loops and jumps."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .body import Body, handles
from .infer import is_int
from .patterns import let_pattern, lower_pattern, pattern_parts
from .syntax import child, named, text, words

ITEMS = words(
    """
    use_declaration const_item static_item function_item struct_item enum_item impl_item trait_item mod_item
    """
)
TOP_LEVEL = words("use_declaration const_item static_item function_item struct_item enum_item")


@handles("block")
def block(body: Body, node: Node, want: ir.Type | None) -> ir.Block:
    """`{ … }`."""
    if child(node, "label") is not None:
        raise body.refuse("labeled-block", "block with a label", node)
    with body.scope():
        return statements(body, node, want)


def statements(body: Body, node: Node, want: ir.Type | None, top: bool = False) -> ir.Block:
    """What stands in a block; the scope is the caller's."""
    parts = named(node)
    done: list[ir.Stmt] = []
    tail: ir.Expr | None = None
    diverges = False
    for n, part in enumerate(parts):
        last = n == len(parts) - 1
        if part.type in ITEMS:
            if not top or part.type not in TOP_LEVEL:
                kind = part.type.removesuffix("_item").removesuffix("_declaration")
                raise body.refuse("inner-item", f"{kind} inside of a body", part)
            continue
        if part.type in ("empty_statement", "label"):
            continue
        if part.type in ("attribute_item", "inner_attribute_item"):
            _attribute(body, part)
            continue
        if part.type == "let_declaration":
            let = _let(body, part)
            done.append(let)
            diverges |= let.init is not None and isinstance(body.type_of(let.init), ir.Never)
            continue
        semicolon = part.type == "expression_statement" and part.children[-1].type == ";"
        inner = named(part)[0] if part.type == "expression_statement" else part
        if last and not semicolon:
            tail = body.check(inner, want) if want is not None else body.lower(inner)
            continue
        expr = body.lower(inner) if semicolon else body.check(inner, ir.UNIT)
        diverges |= isinstance(body.type_of(expr), ir.Never)
        done.append(ir.ExprStmt(expr))
    ty: ir.Type = tail.ty if tail is not None else ir.NEVER if diverges else ir.UNIT
    return ir.Block(ty=ty, span=body.span(node), statements=tuple(done), tail=tail)


def _attribute(body: Body, node: Node) -> None:
    written = text(node).lstrip("#![ ")
    if written.startswith("cfg"):
        raise body.refuse("cfg", f"conditional compilation: {text(node)[:60]}", node)
    if not written.startswith(("allow", "warn", "expect", "deny", "inline", "rustfmt", "doc", "must_use", "derive")):
        raise body.refuse("attribute", f"attribute {text(node)[:60]} inside of a body", node)


def _let(body: Body, node: Node) -> ir.Let:
    pattern, kind, value = (node.child_by_field_name(n) for n in ("pattern", "type", "value"))
    otherwise = node.child_by_field_name("alternative")
    assert pattern is not None
    mutable = any(c.type == "mutable_specifier" for c in node.children)
    ty = body.types.lower(kind) if kind is not None else None
    if ty is not None:
        body.world.usable(ty, body.span(node))
    init: ir.Expr | None = None
    if value is not None:
        init = body.check(value, ty) if ty is not None else body.lower(value)
        if ty is None:
            ty = init.ty
    if isinstance(body.inference.resolve(ty), ir.Never) if ty is not None else False:
        ty = body.inference.fresh()
    other: ir.Block | None = None
    if otherwise is not None:
        with body.scope():
            other = block(body, otherwise, None)
        if not isinstance(body.inference.resolve(other.ty), ir.Never):
            raise body.refuse("inference", "`else` of a `let` that seems to go on", otherwise)
    lowered = let_pattern(body, pattern, ty if ty is not None else body.inference.fresh(), mutable)
    return ir.Let(lowered, init, other, body.span(node))


def branch(body: Body, node: Node, want: ir.Type | None, found: ir.Type | None) -> ir.Expr:
    """One of several branches: of the wanted type, or of that of the branches before."""
    if want is not None:
        return body.check(node, want)
    if found is not None:
        return body.check(node, found)
    return body.lower(node)


def joined(body: Body, types: list[ir.Type]) -> ir.Type:
    """The type of a choice: that of the first branch that comes to an end."""
    return next((t for t in types if not isinstance(body.inference.resolve(t), ir.Never)), ir.NEVER)


@handles("if_expression")
def conditional(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`if`, `if let`."""
    condition, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    alternative = node.child_by_field_name("alternative")
    assert condition is not None and then is not None
    otherwise = named(alternative)[0] if alternative is not None else None
    if otherwise is None:
        want = ir.UNIT
    if condition.type == "let_chain":
        raise body.refuse("let-chain", "`let` chained with `&&`", condition)
    span = body.span(node)
    if condition.type == "let_condition":
        return _if_let(body, node, condition, then, otherwise, want)
    test = body.check(condition, ir.BOOL)
    first = branch(body, then, want, None)
    assert isinstance(first, ir.Block)
    if otherwise is None:
        return ir.If(ty=ir.UNIT, span=span, condition=test, then=first, otherwise=None)
    found = joined(body, [first.ty])
    second = branch(body, otherwise, want, None if isinstance(found, ir.Never) else found)
    return ir.If(ty=joined(body, [first.ty, second.ty]), span=span, condition=test, then=first, otherwise=second)


def _if_let(
    body: Body, node: Node, condition: Node, then: Node, otherwise: Node | None, want: ir.Type | None
) -> ir.Expr:
    pattern, value = condition.child_by_field_name("pattern"), condition.child_by_field_name("value")
    assert pattern is not None and value is not None
    span = body.span(node)
    scrutinee = body.lower(value)
    with body.scope():
        lowered = lower_pattern(body, pattern, scrutinee.ty)
        first = branch(body, then, want, None)
    found = joined(body, [first.ty])
    second: ir.Expr = ir.Block(ty=ir.UNIT, span=span, statements=(), tail=None)
    if otherwise is not None:
        second = branch(body, otherwise, want, None if isinstance(found, ir.Never) else found)
    arms = (ir.Arm(lowered, None, first), ir.Arm(ir.Wild(scrutinee.ty), None, second))
    ty = joined(body, [first.ty, second.ty])
    return ir.Match(ty=ty, span=span, scrutinee=scrutinee, arms=arms)


@handles("match_expression")
def match(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`match`."""
    value, listed = node.child_by_field_name("value"), node.child_by_field_name("body")
    assert value is not None and listed is not None
    scrutinee = body.lower(value)
    arms: list[ir.Arm] = []
    found: ir.Type | None = None
    for part in named(listed):
        if part.type == "attribute_item":
            _attribute(body, part)
            continue
        pattern, result = part.child_by_field_name("pattern"), part.child_by_field_name("value")
        if part.type not in ("match_arm", "last_match_arm") or pattern is None or result is None:
            raise body.refuse("syntax", "arm of a match", part)
        inside = [c for c in part.named_children if c.type in ("attribute_item", "inner_attribute_item")]
        for attribute in inside:
            _attribute(body, attribute)
        with body.scope():
            lowered = lower_pattern(body, pattern_parts(pattern)[0], scrutinee.ty)
            guard_node = pattern.child_by_field_name("condition")
            if guard_node is not None and guard_node.type in ("let_condition", "let_chain"):
                raise body.refuse("let-chain", "`let` in a guard", guard_node)
            guard = body.check(guard_node, ir.BOOL) if guard_node is not None else None
            expr = branch(body, result, want, found)
        if found is None and not isinstance(body.type_of(expr), ir.Never):
            found = expr.ty
        arms.append(ir.Arm(lowered, guard, expr))
    return ir.Match(ty=found or ir.NEVER, span=body.span(node), scrutinee=scrutinee, arms=tuple(arms))


@handles("return_expression")
def give_back(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`return`."""
    parts = named(node)
    value = None
    if parts:
        value = body.check(parts[0], body.ret)
    else:
        body.unify(body.ret, ir.UNIT, node)
    return ir.Return(ty=ir.NEVER, span=body.span(node), value=value)


@handles("try_expression")
def question(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`value?`."""
    wanted = body.inference.resolve(want) if want is not None else None
    hint = ir.result(wanted, body.inference.fresh()) if wanted is not None and is_int(wanted) else None
    operand = body.lower(named(node)[0], hint)
    ty, ret = body.known(operand.ty, node, "this value"), body.known(body.ret, node, "the result")
    span = body.span(node)
    if isinstance(ty, ir.Adt) and isinstance(ret, ir.Adt) and ty.path == ret.path == "Option":
        return ir.Try(ty=ty.args[0], span=span, operand=operand)
    if not (isinstance(ty, ir.Adt) and isinstance(ret, ir.Adt) and ty.path == ret.path == "Result"):
        raise body.refuse("try", "`?` that is not on Option or Result of one kind", node)
    have, need = body.inference.zonk(ty.args[1]), body.inference.zonk(ret.args[1])
    if have == need:
        return ir.Try(ty=ty.args[0], span=span, operand=operand)
    from .calls import conversion

    fn = conversion(body, have, need, node)
    return ir.Try(ty=ty.args[0], span=span, operand=operand, convert=fn.path)


@handles(
    "foreign_mod_item",
    "unsafe_block",
    "async_block",
    "closure_expression",
    "await_expression",
    "yield_expression",
    "const_block",
)
def refused(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """Forms that are outside of the subset by name."""
    code = node.type.split("_")[0]
    raise body.refuse(
        {"const": "const-block", "foreign": "ffi"}.get(code, code), f"{node.type.replace('_', ' ')}", node
    )


@handles("range_expression")
def range_value(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """A range that is neither a loop's nor an index."""
    raise body.refuse("range", "range as a value", node)
