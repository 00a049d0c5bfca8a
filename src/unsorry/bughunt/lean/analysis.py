"""What an expression may do: leave its place, change locals, fail."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from unsorry.bughunt import ir

_SKIPPED = {"ty", "span", "kind", "label"}
_TYPES = (
    ir.Scalar, ir.Never, ir.Str, ir.Tuple, ir.Array, ir.Slice, ir.Vec, ir.Ref, ir.Adt, ir.TypeParam,
    ir.Span, ir.Refusal,
)  # fmt: skip


def parts(node: Any) -> Iterator[Any]:
    """The nodes directly below: expressions, statements, iterators, arms, patterns."""
    for field in dataclasses.fields(node):
        if field.name not in _SKIPPED:
            yield from _nodes(getattr(node, field.name))


def _nodes(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, _TYPES):
        yield value


def walk(node: Any) -> Iterator[Any]:
    """The node and everything below it."""
    yield node
    for part in parts(node):
        yield from walk(part)


def root(place: ir.Expr) -> ir.Local | None:
    """The local that a place is in."""
    match place:
        case ir.Local():
            return place
        case ir.FieldOf(base=base) | ir.Index(base=base) | ir.SliceOf(base=base):
            return root(base)
        case ir.Deref(operand=inner) | ir.Unsize(operand=inner):
            return root(inner)
        case ir.Borrow(place=inner):
            return root(inner)
        case _:
            return None


class Effects:
    """Answers about the expressions of one function, remembered."""

    def __init__(self) -> None:
        self._changed: dict[int, frozenset[str]] = {}
        self._exits: dict[int, frozenset[str]] = {}
        self._kept: list[Any] = []  # identities stay valid while their nodes live

    def changed(self, node: Any) -> frozenset[str]:
        """Locals from outside that the node assigns to, or lends mutably."""
        if id(node) not in self._changed:
            self._kept.append(node)
            found: frozenset[str] = frozenset().union(*(self.changed(p) for p in parts(node)))
            match node:
                case ir.Assign(place=place) | ir.AssignOp(place=place) | ir.Borrow(mutable=True, place=place):
                    found |= _name(place)
                case ir.Unsize(operand=operand, ty=ir.Ref(mutable=True)):
                    found |= _name(operand)
                case ir.IterList(base=base, mode="mut"):
                    found |= _name(base)
                case ir.Match(scrutinee=scrutinee) if any(
                    isinstance(n, ir.Bind) and n.by == "mut" for arm in node.arms for n in walk(arm.pattern)
                ):
                    found |= _name(scrutinee)
            self._changed[id(node)] = found - bound(node)
        return self._changed[id(node)]

    def exits(self, node: Any) -> frozenset[str]:
        """Where control may go from inside: labels of loops around, and "" for a return."""
        if id(node) not in self._exits:
            self._kept.append(node)
            found: frozenset[str] = frozenset().union(*(self.exits(p) for p in parts(node)))
            match node:
                case ir.Return() | ir.Try():
                    found |= {""}
                case ir.Break(label=label) | ir.Continue(label=label):
                    found |= {label}
                case ir.Loop(label=label) | ir.While(label=label) | ir.For(label=label):
                    found -= {label}
            self._exits[id(node)] = found
        return self._exits[id(node)]


def _name(place: ir.Expr) -> frozenset[str]:
    local = root(place)
    return frozenset() if local is None else frozenset({local.name})


def bound(node: Any) -> frozenset[str]:
    """Locals that are declared inside."""
    return frozenset(n.name for n in walk(node) if isinstance(n, ir.Bind))


def used(node: Any) -> frozenset[str]:
    """Locals from outside that occur."""
    return frozenset(n.name for n in walk(node) if isinstance(n, ir.Local)) - bound(node)
