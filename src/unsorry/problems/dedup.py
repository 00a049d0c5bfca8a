"""Copies within a corpus: equal after normalisation, or near by MinHash and then by the true Jaccard similarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from datasketch import MinHash, MinHashLSH

from unsorry import UnsorryError
from unsorry.problems.normalise import normalise, shingles

SEED = 1  # of the permutations; fixed, so that the same corpus always gives the same answer


@dataclass(frozen=True, slots=True)
class DedupConfig:
    """What counts as near: runs of `shingle` tokens, Jaccard similarity of at least `similarity`."""

    similarity: float = 0.8
    shingle: int = 5
    permutations: int = 128

    def __post_init__(self) -> None:
        if not 0 < self.similarity <= 1:
            raise UnsorryError(f"dedup: `similarity` is {self.similarity}; it must be above 0 and at most 1")
        if self.shingle < 1 or self.permutations < 16:
            raise UnsorryError("dedup: `shingle` must be at least 1 and `permutations` at least 16")


@dataclass(frozen=True, slots=True)
class Copy:
    """A document that was left out, and the one that it copies, by their places in the corpus."""

    index: int
    of: int
    kind: str  # "exact" | "near" | "empty" (then `of` is -1)
    similarity: float


@dataclass(frozen=True, slots=True)
class Deduplicated:
    kept: tuple[int, ...]
    copies: tuple[Copy, ...]

    def count(self, kind: str) -> int:
        return sum(copy.kind == kind for copy in self.copies)


def deduplicate(texts: Sequence[str], config: DedupConfig | None = None) -> Deduplicated:
    """Keep the first of each group of copies.

    MinHash proposes pairs, at a lower threshold as its estimate errs by about 0.05; the sets themselves decide.
    """
    config = config or DedupConfig()
    words = [normalise(text) for text in texts]
    first: dict[tuple[str, ...], int] = {}
    kept: list[int] = []
    copies: list[Copy] = []
    sets: dict[int, frozenset[tuple[str, ...]]] = {}
    index = MinHashLSH(threshold=max(0.05, config.similarity - 0.15), num_perm=config.permutations)
    for number, text in enumerate(words):
        if not text:
            copies.append(Copy(number, -1, "empty", 1.0))
            continue
        if text in first:
            copies.append(Copy(number, first[text], "exact", 1.0))
            continue
        first[text] = number
        mine = shingles(text, config.shingle)
        sketch = _sketch(mine, config.permutations)
        near = max(
            ((jaccard(mine, sets[other]), -other) for other in index.query(sketch)),
            default=(0.0, 0),
        )
        if near[0] >= config.similarity:
            copies.append(Copy(number, -near[1], "near", near[0]))
            first[text] = -near[1]
            continue
        sets[number] = mine
        index.insert(number, sketch)
        kept.append(number)
    return Deduplicated(tuple(kept), tuple(copies))


def jaccard(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    """|a ∩ b| / |a ∪ b|; two empty sets are equal."""
    return len(a & b) / len(a | b) if a or b else 1.0


def _sketch(parts: frozenset[tuple[str, ...]], permutations: int) -> MinHash:
    sketch = MinHash(num_perm=permutations, seed=SEED)
    sketch.update_batch(["\0".join(part).encode("utf-8", "surrogatepass") for part in parts])
    return sketch
