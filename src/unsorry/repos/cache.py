"""What was asked for last, within a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Cache(Generic[T]):
    """The values that were asked for last; `size` counts what bounds them."""

    def __init__(self, most: int, size: Callable[[T], int]) -> None:
        self.most, self.size = most, size
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._held = 0

    def get(self, key: str, make: Callable[[], T]) -> T:
        """The value of a key; what `make` raises is raised."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        made = self._kept[key] = make()
        self._held += self.size(made) + 1
        while self._held > self.most and len(self._kept) > 1:
            self._held -= self.size(self._kept.popitem(last=False)[1]) + 1
        return made
