"""Walks over bodies: every expression, statement, arm, pattern and iterator below one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from .types import Adt, Array, Never, Ref, Scalar, Slice, Span, Str, Tuple, TypeParam, Vec

_LEAVES = (Span, Scalar, Never, Str, Tuple, Array, Slice, Vec, Ref, Adt, TypeParam)


def children(node: Any) -> list[Any]:
    """The nodes directly inside a node, in the order of fields; types and spans are none."""
    found: list[Any] = []
    for field in fields(node):
        _gather(getattr(node, field.name), found)
    return found


def _gather(value: Any, found: list[Any]) -> None:
    if isinstance(value, tuple):
        for part in value:
            _gather(part, found)
    elif is_dataclass(value) and not isinstance(value, _LEAVES):
        found.append(value)


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
        return tuple(rewrite(part, change) for part in value)
    if not is_dataclass(value) or isinstance(value, _LEAVES):
        return value
    assert not isinstance(value, type)
    new = {f.name: rewrite(old, change) for f in fields(value) if _holds(old := getattr(value, f.name))}
    return change(replace(value, **new) if new else value)


def _holds(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value)
    return is_dataclass(value) and not isinstance(value, _LEAVES)
