"""All nodes of a piece of the intermediate form, from the outside in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from unsorry.bughunt import ir


def nodes(tree: Any) -> Iterator[Any]:
    """The tree and everything in it, but no types and no spans."""
    waiting = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple | list):
            waiting += reversed(item)
        elif is_dataclass(item) and not isinstance(item, (*ir.type_forms, ir.Span, ir.Refusal)):
            yield item
            waiting += [getattr(item, f.name) for f in reversed(fields(item)) if f.name not in ("ty", "span")]
