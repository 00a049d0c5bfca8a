"""What `for` runs over, and the few methods that use an iterator up (written out as loops)."""

from __future__ import annotations

from typing import Literal, cast

from tree_sitter import Node

from .. import ir
from .body import Body
from .infer import integral, show
from .places import is_range, range_parts
from .syntax import named, text, words

SOURCES = words("iter iter_mut into_iter windows chunks chunks_exact")
ADAPTERS = words("rev enumerate skip take step_by zip copied cloned")
CLOSURES = words(
    """
    map filter fold any all for_each find position filter_map flat_map take_while skip_while scan inspect max_by_key
    min_by_key max_by min_by try_fold reduce partition rposition
    """
)
Kind = Literal["rev", "enumerate", "skip", "take", "step_by", "zip"]


def iterator(body: Body, node: Node) -> ir.Iter:
    """What a `for` runs over."""
    while node.type == "parenthesized_expression":
        node = named(node)[0]
    if is_range(node):
        return _range(body, node)
    if (chain := _chain(body, node)) is not None:
        return chain
    value = body.lower(node)
    ty = body.known(value.ty, node, "what the loop runs over")
    by: Literal["ref", "mut", "value"] = "value"
    if isinstance(ty, ir.Ref):
        by = "mut" if ty.mutable else "ref"
        value = value.place if isinstance(value, ir.Borrow) else ir.Deref(ty=ty.target, span=value.span, operand=value)
        ty = body.known(ty.target, node, "what the loop runs over")
    if not isinstance(ty, ir.Array | ir.Vec | ir.Slice) or (by == "value" and isinstance(ty, ir.Slice)):
        raise body.refuse("iterator", f"loop over {show(body.inference.zonk(ty))}", node)
    return elements(ty.item, value, by)


def elements(item: ir.Type, base: ir.Expr, mode: Literal["ref", "mut", "value"]) -> ir.IterList:
    """The elements of a list, by reference or by value."""
    return ir.IterList(item if mode == "value" else ir.Ref(mode == "mut", item), base, mode)


def _range(body: Body, node: Node) -> ir.Iter:
    low_node, high_node, inclusive = range_parts(node)
    if low_node is None:
        raise body.refuse("iterator", "loop over a range without a beginning", node)
    low = body.lower(low_node)
    ty = body.known_or_integer(low, low_node)
    if not integral(ty):
        raise body.refuse("iterator", f"loop over a range of {show(body.inference.zonk(ty))}", node)
    high = body.check(high_node, ty) if high_node is not None else None
    return ir.IterRange(ty, low, high, inclusive)


def _call(node: Node) -> tuple[Node, str, list[Node]] | None:
    """Receiver, name and arguments of a method call."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    listed = node.child_by_field_name("arguments")
    if function is None or listed is None or function.type != "field_expression":
        return None
    receiver = function.child_by_field_name("value")
    return (receiver, text(function.child_by_field_name("field")), named(listed)) if receiver is not None else None


def is_iterator(node: Node) -> bool:
    """Whether an expression looks like an iterator: a range, or a chain of methods that begins with one of a list."""
    while node.type == "parenthesized_expression":
        node = named(node)[0]
    if is_range(node):
        return True
    parts = _call(node)
    if parts is None:
        return False
    receiver, name, _ = parts
    if name in SOURCES:
        return True
    return (name in ADAPTERS or name in CLOSURES) and is_iterator(receiver)


def _chain(body: Body, node: Node) -> ir.Iter | None:
    """A chain of iterator methods; None if it is none."""
    parts = _call(node)
    if parts is None or not is_iterator(node):
        return None
    receiver, name, args = parts
    if name in CLOSURES:
        raise body.refuse("closure", f"iterator method `{name}` with a closure", node)
    body.level += 1
    if body.level > ir.MAX_DEPTH - 40:
        raise body.refuse("nesting", "chain of methods too long", node)
    if name in SOURCES:
        found = _source(body, node, receiver, name, args)
    else:
        found = _adapter(body, node, iterator(body, receiver), name, args)
    body.level -= 1
    return found


def _source(body: Body, node: Node, receiver: Node, name: str, args: list[Node]) -> ir.Iter | None:
    value = body.lower(receiver)
    owned = not isinstance(body.type_of(value), ir.Ref)
    by_mut = isinstance(ty := body.type_of(value), ir.Ref) and ty.mutable
    base = body.deref(value)
    kind = body.known(base.ty, receiver, "what is iterated over")
    if not isinstance(kind, ir.Array | ir.Vec | ir.Slice):
        if isinstance(kind, ir.Adt):
            raise body.refuse("iterator", f"method `{name}` of {show(body.inference.zonk(kind))}", node)
        raise body.refuse("iterator", f"iterator over {show(body.inference.zonk(kind))}", node)
    if name in ("windows", "chunks", "chunks_exact"):
        if len(args) != 1:
            raise body.refuse("inference", f"`{name}` with {len(args)} arguments", node)
        size = body.check(args[0], ir.USIZE)
        form = cast(Literal["windows", "chunks", "chunks_exact"], name)
        return ir.IterChunks(ir.Ref(False, ir.Slice(kind.item)), form, base, size)
    if args:
        raise body.refuse("inference", f"`{name}` with arguments", node)
    if name == "iter":
        return elements(kind.item, base, "ref")
    if name == "iter_mut":
        return elements(kind.item, base, "mut")
    if owned:
        if isinstance(kind, ir.Array) and body.world.edition in ("2015", "2018"):
            raise body.refuse("iterator", "`into_iter` of an array, which borrows in old editions", node)
        return elements(kind.item, base, "value")
    return elements(kind.item, base, "mut" if by_mut else "ref")


def _adapter(body: Body, node: Node, inner: ir.Iter, name: str, args: list[Node]) -> ir.Iter:
    if len(args) != (1 if name in ("skip", "take", "step_by", "zip") else 0):
        raise body.refuse("inference", f"`{name}` with {len(args)} arguments", node)
    if name in ("copied", "cloned"):
        from .methods import clones_plainly

        by_ref = isinstance(inner, ir.IterList) and inner.mode == "ref"
        if by_ref and isinstance(inner, ir.IterList) and isinstance(inner.item, ir.Ref):
            target = inner.item.target
            if clones_plainly(body, target):
                return elements(target, inner.base, "value")
        raise body.refuse("iterator", f"`{name}` of this iterator", node)
    if name == "rev" and not _finite(inner):
        raise body.refuse("iterator", "`rev` of a range without an end", node)
    kind = cast(Kind, name)
    if name in ("skip", "take", "step_by"):
        return ir.IterAdapter(inner.item, kind, inner, body.check(args[0], ir.USIZE))
    if name == "enumerate":
        return ir.IterAdapter(ir.Tuple((ir.USIZE, inner.item)), kind, inner)
    if name == "zip":
        other = iterator(body, args[0])
        return ir.IterAdapter(ir.Tuple((inner.item, other.item)), kind, inner, None, other)
    return ir.IterAdapter(inner.item, kind, inner)


def _finite(it: ir.Iter) -> bool:
    if isinstance(it, ir.IterRange):
        return it.high is not None
    return _finite(it.inner) if isinstance(it, ir.IterAdapter) else True
