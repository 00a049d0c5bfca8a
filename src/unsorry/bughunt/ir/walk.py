"""Walks over bodies: every expression, statement, arm, pattern and iterator below one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from .types import Adt, Array, Never, Ref, Scalar, Slice, Span, Str, Tuple, TypeParam, Vec

_LEAVES = frozenset((Span, Scalar, Never, Str, Tuple, Array, Slice, Vec, Ref, Adt, TypeParam))
_NAMES: dict[type, tuple[str, ...]] = {}  # of the fields of the classes of nodes; () for what is no node


def names(kind: type) -> tuple[str, ...]:
    """The names of the fields of a class of nodes that may hold nodes; () for types, spans and plain values."""
    found = _NAMES.get(kind)
    if found is None:
        node = is_dataclass(kind) and kind not in _LEAVES
        found = tuple(f.name for f in fields(kind) if f.name not in ("ty", "span")) if node else ()
        _NAMES[kind] = found
    return found


def children(node: Any) -> list[Any]:
    """The nodes directly inside a node, in the order of fields; types and spans are none."""
    found: list[Any] = []
    for name in names(type(node)):
        _gather(getattr(node, name), found)
    return found


def _gather(value: Any, found: list[Any]) -> None:
    if isinstance(value, tuple):
        for part in value:
            _gather(part, found)
    elif _is_node(value):
        found.append(value)


def _is_node(value: Any) -> bool:
    kind = type(value)
    return kind not in (str, int, bool) and value is not None and kind not in _LEAVES and is_dataclass(value)


def walk(tree: Any) -> Iterator[Any]:
    """The node and all below it, parents first."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(children(node)))


def depth(tree: Any) -> int:
    """How deep the tree is."""
    deepest, todo = 0, [(tree, 1)]
    while todo:
        node, level = todo.pop()
        deepest = max(deepest, level)
        todo.extend((c, level + 1) for c in children(node))
    return deepest


def rewrite(value: Any, change: Callable[[Any], Any]) -> Any:
    """The tree with `change` applied to every node, inner ones first."""
    if isinstance(value, tuple):
        return tuple([rewrite(part, change) for part in value])
    if not _is_node(value):
        return value
    new = {}
    for name in names(type(value)):
        old = getattr(value, name)
        if isinstance(old, tuple) or _is_node(old):
            new[name] = rewrite(old, change)
    return change(replace(value, **new) if new else value)
