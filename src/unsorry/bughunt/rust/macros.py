"""The few macros of the standard library that are known."""

from __future__ import annotations

from typing import Literal, cast

from tree_sitter import Node

from .. import ir
from .body import Body, handles
from .literals import listing
from .operators import compare
from .patterns import lower_pattern, pattern_parts
from .scope import segments
from .syntax import Source, fragment, named, text

ASSERTS = ("assert", "assert_eq", "assert_ne")
PANICS = ("panic", "unreachable", "todo", "unimplemented")
Panics = Literal["panic", "unreachable", "todo", "unimplemented"]


@handles("macro_invocation")
def macro(body: Body, node: Node, want: ir.Type | None) -> ir.Expr:
    """`assert!(…)`, `panic!(…)`, `vec![…]`, `matches!(…)`."""
    names = segments(node.child_by_field_name("macro") or node)
    name = names[-1]
    tree = next((c for c in node.children if c.type == "token_tree"), None)
    own = name in body.world.macros or body.lookup((name,)) is not None or body.lookup((name,), value=False) is not None
    qualified = len(names) > 1 and names[0] not in ("std", "core")
    if tree is None or own or qualified:
        raise body.refuse("macro", f"macro `{name}!`", node)
    if name in PANICS:
        return ir.Panic(ty=ir.NEVER, span=body.span(node), kind=cast(Panics, name), message=_message(tree))
    plain = name.removeprefix("debug_")
    if plain in ASSERTS:
        return _assert(body, node, tree, plain, name != plain)
    if name == "vec":
        return _vec(body, node, tree, want)
    if name == "matches":
        return _matches(body, node, tree)
    raise body.refuse("macro", f"macro `{name}!`", node)


def _message(tree: Node) -> str:
    """The first string in the arguments."""
    first = next((c for c in named(tree) if c.type in ("string_literal", "raw_string_literal")), None)
    return text(first)[1:-1] if first is not None else ""


def _inside(tree: Node) -> bytes:
    return (tree.text or b"")[1:-1]


def _arguments(body: Body, tree: Node) -> tuple[Source, list[Node]]:
    """The arguments of a macro, parsed as those of a call."""
    source, root = fragment(body.source, tree, _inside(tree), 1, b"f(", b");")
    call = named(root)[0] if named(root) else root
    if call.type == "expression_statement":
        call = named(call)[0]
    listed = call.child_by_field_name("arguments")
    if call.type != "call_expression" or listed is None or len(named(root)) != 1:
        raise body.refuse("macro", "arguments of a macro that are not expressions", tree)
    return source, named(listed)


def _assert(body: Body, node: Node, tree: Node, name: str, debug: bool) -> ir.Expr:
    source, args = _arguments(body, tree)
    span = body.span(node)
    needed = 1 if name == "assert" else 2
    if len(args) < needed:
        raise body.refuse("macro", f"`{name}!` with {len(args)} arguments", node)
    with body.within(source):
        if name == "assert":
            condition = body.check(args[0], ir.BOOL)
        else:
            left, right = body.lower(args[0]), body.lower(args[1])
            condition = compare(body, args[0], "==" if name == "assert_eq" else "!=", left, right)
    message = text(args[needed])[1:-1] if len(args) > needed and args[needed].type == "string_literal" else ""
    return ir.Assert(ty=ir.UNIT, span=span, condition=condition, debug=debug, message=message)


def _vec(body: Body, node: Node, tree: Node, want: ir.Type | None) -> ir.Expr:
    source, root = fragment(body.source, tree, _inside(tree), 1, b"[", b"];")
    array = named(root)[0] if named(root) else root
    if array.type == "expression_statement":
        array = named(array)[0]
    if array.type != "array_expression" or len(named(root)) != 1:
        raise body.refuse("macro", "arguments of `vec!`", node)
    wanted = body.inference.resolve(want) if want is not None else None
    item = wanted.item if isinstance(wanted, ir.Vec) else body.inference.fresh()
    with body.within(source):
        made = listing(body, array, item, vector=True)
    if isinstance(made, ir.Repeat):
        from .methods import clones_plainly

        if not clones_plainly(body, made.item.ty):
            raise body.refuse("clone", "`vec!` that clones values of the crate", node)
    return made


def _matches(body: Body, node: Node, tree: Node) -> ir.Expr:
    """`matches!(value, pattern if guard)`."""
    inside = _inside(tree)
    comma = next((c for c in tree.children if c.type == ","), None)
    if comma is None:
        raise body.refuse("macro", "`matches!` with one argument", node)
    at = comma.start_byte - tree.start_byte
    span = body.span(node)
    head, rest = inside[: at - 1], inside[at:].rstrip().removesuffix(b",")
    source, root = fragment(body.source, tree, head, 1, b"f(", b");")
    call = named(root)[0]
    call = named(call)[0] if call.type == "expression_statement" else call
    listed = call.child_by_field_name("arguments")
    if listed is None or len(named(listed)) != 1:
        raise body.refuse("macro", "arguments of `matches!`", node)
    with body.within(source):
        scrutinee = body.lower(named(listed)[0])
    source, root = fragment(body.source, tree, rest, at + 1, b"match x { ", b" => 0 };")
    arms = [n for n in _walk(root) if n.type == "match_pattern"]
    if len(arms) != 1:
        raise body.refuse("macro", "arguments of `matches!`", node)
    pattern = arms[0]
    with body.within(source), body.scope():
        lowered = lower_pattern(body, pattern_parts(pattern)[0], scrutinee.ty)
        guard_node = pattern.child_by_field_name("condition")
        guard = body.check(guard_node, ir.BOOL) if guard_node is not None else None
    yes, no = (ir.BoolLit(ty=ir.BOOL, span=span, value=v) for v in (True, False))
    choices = (ir.Arm(lowered, guard, yes), ir.Arm(ir.Wild(scrutinee.ty), None, no))
    return ir.Match(ty=ir.BOOL, span=span, scrutinee=scrutinee, arms=choices)


def _walk(node: Node) -> list[Node]:
    """The nodes of a tree."""
    found, todo = [], [node]
    while todo:
        here = todo.pop()
        found.append(here)
        todo += here.children
    return found
