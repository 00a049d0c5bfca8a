"""Splits by family: seeded, and stable when families are added, as each family's place depends on itself alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace

from unsorry import Problem, UnsorryError
from unsorry.canonical import text_bytes


def place(key: str, seed: int = 0) -> float:
    """A number in [0, 1) that depends on the key and the seed alone."""
    return int.from_bytes(hashlib.sha256(text_bytes(f"{seed}/{key}")).digest()[:6]) / 2**48


def split_of(family: str, shares: Mapping[str, float], seed: int = 0, rest: str = "train") -> str:
    """The split of a family; `shares` are fractions of all families, what they leave goes to `rest`."""
    if any(not 0 <= share <= 1 for share in shares.values()) or sum(shares.values()) > 1:
        raise UnsorryError(f"split shares {dict(shares)} must lie between 0 and 1 and add up to at most 1")
    where = place(family, seed)
    upper = 0.0
    for name, share in shares.items():
        upper += share
        if where < upper:
            return name
    return rest


def by_family(
    problems: Iterable[Problem], shares: Mapping[str, float], seed: int = 0, rest: str = "train"
) -> list[Problem]:
    """The problems with their splits set; a problem without a family is a family of its own."""
    return [replace(p, split=split_of(p.family or p.id, shares, seed, rest)) for p in problems]
