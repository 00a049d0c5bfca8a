"""Tables of small values as Lean definitions: for each type and each size the list of its values and their texts.

The size of a value is its number of constructors; a number n counts n + 1.  Sizes are counted here first, so that no
table gets longer than it may.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from unsorry.lean.terms import Name
from unsorry.provers.telescope import Environment, Fun, Ind, Ty, Unsupported

MAX_SIZE = 24
MAX_TYPES = 40
NAT, INT, BOOL, CHAR, STRING = (Name((n,)) for n in ("Nat", "Int", "Bool", "Char", "String"))

PRELUDE = """def UnsorryValues.first {α β : Type} : List α → (α → Option β) → Option β
  | [], _ => none
  | x :: xs, f => match f x with
    | some y => some y
    | none => UnsorryValues.first xs f
def UnsorryValues.each {α β : Type} : List α → (α → List β) → List β
  | [], _ => []
  | x :: xs, f => f x ++ UnsorryValues.each xs f
def UnsorryValues.upto : Nat → List Nat → List Nat
  | 0, l => l
  | n + 1, l => UnsorryValues.upto n (n :: l)
def UnsorryValues.range (first last : Nat) : List Nat :=
  UnsorryValues.each (UnsorryValues.upto (last + 1) []) fun n => bif Nat.ble first n then [n] else []"""


class Tables:
    """Types that are enumerated, and how many values each has by size."""

    def __init__(self, environment: Environment, limit: int) -> None:
        self.environment = environment
        self.limit = limit
        self.types: list[Ty] = []
        self.shapes: list[list[tuple[Name, tuple[int, ...]]]] = []  # constructors with the tables of their fields
        self.counts: list[list[int]] = []  # by type and size

    def index(self, type_: Ty) -> int:
        """The number of the type's table."""
        if type_ in self.types:
            return self.types.index(type_)
        if len(self.types) >= MAX_TYPES:
            raise Unsupported(f"more than {MAX_TYPES} types are involved")
        here = len(self.types)
        self.types.append(type_)
        self.shapes.append([])
        if isinstance(type_, Fun):
            self.index(type_.codomain)
            if splittable(type_.domain):
                self.index(type_.domain)
        elif type_.name in (CHAR, STRING):
            raise Unsupported(f"values of {type_.name} are not enumerated")
        elif type_.name not in (NAT, INT):
            self.shapes[here] = [(name, tuple(self.index(f) for f in fields))
                                 for name, fields in self.environment.constructors(type_)]
        return here

    def grow(self, columns: Sequence[int], tuples: int) -> int:
        """Fill the counts; returns the largest total size for which all tuples together stay within the limit."""
        self.counts = [[0] * (MAX_SIZE + 1) for _ in self.types]
        for size in range(1, MAX_SIZE + 1):
            for i, type_ in enumerate(self.types):
                if isinstance(type_, Ind):
                    self.counts[i][size] = self._capped(i, size, self._count(i, type_, size))
            for i, type_ in reversed(list(enumerate(self.types))):
                if isinstance(type_, Fun):
                    self.counts[i][size] = self._capped(i, size, sum(1 for _ in self._functions(i, size)) and
                                                        self._function_count(i, size))
        total, largest = 0, max(len(columns), 1)
        for size in range(len(columns), MAX_SIZE + 1):
            total += sum(prod(self.counts[c][s] for c, s in zip(columns, split, strict=True))
                         for split in compositions(size, len(columns)))
            if total > tuples:
                break
            largest = size
        return largest

    def _capped(self, index: int, size: int, count: int) -> int:
        """A table that would get too long is left empty; everything after it too."""
        row = self.counts[index]
        if size > 1 and any(row[:size]) and row[size - 1] == 0 and sum(row) > self.limit // 2:
            return 0
        return count if sum(row) + count <= self.limit else 0

    def _count(self, index: int, type_: Ind, size: int) -> int:
        if type_.name == NAT:
            return 1
        if type_.name == INT:
            return 1 if size == 1 else 2
        return sum(prod(self.counts[f][s] for f, s in zip(fields, split, strict=True))
                   for _, fields in self.shapes[index] for split in compositions(size - 1, len(fields)))

    def _function_count(self, index: int, size: int) -> int:
        type_ = self.types[index]
        assert isinstance(type_, Fun)
        codomain = self.index(type_.codomain)
        count = self.counts[codomain][size] + (1 if size == 1 and type_.domain == type_.codomain else 0)
        if splittable(type_.domain):
            domain = self.index(type_.domain)
            count += sum(self.counts[domain][a] * self.counts[codomain][b] * self.counts[codomain][c]
                         for a, b, c in compositions(size, 3))
        return count

    def _functions(self, index: int, size: int) -> Iterator[str]:
        """Lists of functions: constants, the identity, and one exception to a constant."""
        type_ = self.types[index]
        assert isinstance(type_, Fun)
        codomain = self.index(type_.codomain)
        result, domain_text = type_.text(), type_.domain.text()
        if size == 1 and type_.domain == type_.codomain:
            yield '[(fun x => x, "(fun x => x)")]'
        if self.counts[codomain][size]:
            yield (f"UnsorryValues.each t{codomain}_{size} fun c => "
                   f'[((fun _ => c.1 : {result}), "(fun _ => " ++ c.2 ++ ")")]')
        if splittable(type_.domain):
            domain = self.index(type_.domain)
            for a, b, c in compositions(size, 3):
                if self.counts[domain][a] and self.counts[codomain][b] and self.counts[codomain][c]:
                    yield (f"UnsorryValues.each t{domain}_{a} fun a => UnsorryValues.each t{codomain}_{b} fun b => "
                           f"UnsorryValues.each t{codomain}_{c} fun c => "
                           f"[((fun x => if x = a.1 then b.1 else c.1 : {result}), "
                           f'"(fun (x : {domain_text}) => if x = " ++ a.2 ++ " then " ++ b.2 ++ " else " ++ c.2 ++ ")")]')

    def definitions(self) -> Iterator[str]:
        """`t{type}_{size}` for each table that is not empty, then `t{type}` which selects by size."""
        yield "namespace UnsorryValues"
        for size in range(1, MAX_SIZE + 1):
            order = [i for i, t in enumerate(self.types) if isinstance(t, Ind)]
            order += [i for i, t in reversed(list(enumerate(self.types))) if isinstance(t, Fun)]
            for i in order:
                if self.counts[i][size]:
                    parts = list(self._parts(i, size))
                    yield (f"def t{i}_{size} : List ({self.types[i].text()} × String) :=\n  "
                           + " ++\n  ".join(f"({p})" for p in parts))
        for i, type_ in enumerate(self.types):
            sizes = [s for s in range(1, MAX_SIZE + 1) if self.counts[i][s]]
            cases = "".join(f"\n  | {s} => t{i}_{s}" for s in sizes)
            yield f"def t{i} : Nat → List ({type_.text()} × String){cases}\n  | _ => []"
        yield "end UnsorryValues"

    def _parts(self, index: int, size: int) -> Iterator[str]:
        type_ = self.types[index]
        if isinstance(type_, Fun):
            yield from self._functions(index, size)
        elif type_.name == NAT:
            yield f'[({size - 1}, "{size - 1}")]'
        elif type_.name == INT:
            n = size - 1
            yield f'[({n}, "{n}"), (-{n}, "(-{n})")]' if n else '[(0, "0")]'
        else:
            for name, fields in self.shapes[index]:
                for split in compositions(size - 1, len(fields)):
                    if all(self.counts[f][s] for f, s in zip(fields, split, strict=True)):
                        yield _constructed(name, type_, fields, split)


def _constructed(name: Name, type_: Ind, fields: Sequence[int], split: Sequence[int]) -> str:
    if not fields:
        return f'[(_root_.{name}, "{name}")]'
    value = " ".join([f"_root_.{name}", *(f"a{i}.1" for i in range(len(fields)))])
    shown = ' ++ " " ++ '.join([f'"({name}"', *(f"a{i}.2" for i in range(len(fields)))]) + ' ++ ")"'
    text = f"[(({value} : {type_.text()}), {shown})]"
    for i in reversed(range(len(fields))):
        text = f"UnsorryValues.each t{fields[i]}_{split[i]} fun a{i} => {text}"
    return text


def splittable(type_: Ty) -> bool:
    """Types whose equality core decides, so that functions can tell values apart."""
    return isinstance(type_, Ind) and type_.name in (NAT, INT, BOOL)


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write `total` as an ordered sum of `parts` positive numbers."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(1, total - parts + 2):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)
