"""Tables of small values as Lean definitions: for each type and each size the list of its values and their texts.

The size of a value is its number of constructors; a number n counts n + 1.  Sizes are counted here first, so that no
table gets longer than it may.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from unsorry.lean.names import Name
from unsorry.provers.telescope import Environment, Fun, Ind, Ty, Unsupported

MAX_SIZE = 24
MAX_FUNCTION_SIZE = 7  # larger functions cost more text than they find
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
        self.needed = MAX_SIZE  # no larger value can be part of a tuple

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
            self.shapes[here] = [
                (name, tuple(self.index(f) for f in fields)) for name, fields in self.environment.constructors(type_)
            ]
        return here

    def grow(self, columns: Sequence[int], tuples: int) -> int:
        """Fill the counts; returns the largest total size for which all tuples together stay within the limit."""
        self.counts = [[0] * (MAX_SIZE + 1) for _ in self.types]
        for size in range(1, MAX_SIZE + 1):
            for i, type_ in enumerate(self.types):
                if isinstance(type_, Ind):
                    self.counts[i][size] = self._capped(i, size, self._count(i, type_, size))
            for i, type_ in reversed(list(enumerate(self.types))):
                if isinstance(type_, Fun) and size <= MAX_FUNCTION_SIZE:
                    self.counts[i][size] = self._capped(i, size, self._function_count(i, size))
        total, largest = 0, len(columns)
        for size in range(len(columns), MAX_SIZE + 1):
            new = sum(
                prod(self.counts[c][s] for c, s in zip(columns, split, strict=True))
                for split in compositions(size, len(columns))
            )
            total += new
            if total > tuples:
                break
            if new:
                largest = size
        self.needed = largest - len(columns) + 1
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
        return sum(
            prod(self.counts[f][s] for f, s in zip(fields, split, strict=True))
            for _, fields in self.shapes[index]
            for split in compositions(size - 1, len(fields))
        )

    def _function_count(self, index: int, size: int) -> int:
        type_ = self.types[index]
        assert isinstance(type_, Fun)
        codomain = self.index(type_.codomain)
        count = self.counts[codomain][size] + (1 if size == 1 and type_.domain == type_.codomain else 0)
        if splittable(type_.domain):
            domain = self.index(type_.domain)
            count += sum(
                self.counts[domain][a] * self.counts[codomain][b] * self.counts[codomain][c]
                for a, b, c in compositions(size, 3)
            )
        return count

    def definitions(self) -> Iterator[str]:
        """For each type a step that makes its values of one size from smaller ones, `t{type}_{size}` for each size
        that has values, and `t{type}`, which selects by size."""
        yield "namespace UnsorryValues"
        order = [i for i, t in enumerate(self.types) if isinstance(t, Ind)]
        order += [i for i, t in reversed(list(enumerate(self.types))) if isinstance(t, Fun)]
        parts = {i: self._parts(i) for i in order}
        parents = {i: sorted({j for j in range(len(self.types)) if f"l{j} " in parts[i]}) for i in order}
        for i in order:
            tables = "".join(f" (l{j} : Nat → {self._list(j)})" for j in parents[i])
            yield f"def step{i}{tables} (size : Nat) : {self._list(i)} :=\n  {parts[i]}"
        known = [f"(fun _ => ([] : {self._list(i)}))" for i in range(len(self.types))]
        # Data of one size is made from smaller data; functions of one size from results of that very size.
        data = [i for i in order if isinstance(self.types[i], Ind)]
        batches = [data, *([i] for i in order if i not in data)]
        for size, batch in ((s, b) for s in range(1, self.needed + 1) for b in batches):
            here = [i for i in batch if self.counts[i][size]]
            for i in here:
                tables = "".join(f" {known[j]}" for j in parents[i])
                yield f"def t{i}_{size} : {self._list(i)} := step{i}{tables} {size}"
            for i in here:
                yield (
                    f"def u{i}_{size} (n : Nat) : {self._list(i)} :=\n"
                    f"  bif Nat.beq n {size} then t{i}_{size} else {known[i]} n"
                )
                known[i] = f"u{i}_{size}"
        for i in order:
            yield f"def t{i} (n : Nat) : {self._list(i)} := {known[i]} n"
        yield "end UnsorryValues"

    def _list(self, index: int) -> str:
        return f"List ({self.types[index].text()} × String)"

    def _parts(self, index: int) -> str:
        """All values of one `size`, from the tables `l{type}` of smaller values (and of results, for functions)."""
        type_ = self.types[index]
        if isinstance(type_, Fun):
            return " ++\n  ".join(f"({p})" for p in self._functions(type_))
        if type_.name == NAT:
            return "[(size - 1, Nat.repr (size - 1))]"
        if type_.name == INT:
            return (
                'bif Nat.beq size 1 then [(0, "0")] else '
                "[(Int.ofNat (size - 1), Nat.repr (size - 1)), "
                '(Int.negSucc (size - 2), "(-" ++ Nat.repr (size - 1) ++ ")")]'
            )
        return " ++\n  ".join(f"({_constructed(name, type_, fields)})" for name, fields in self.shapes[index])

    def _functions(self, type_: Fun) -> Iterator[str]:
        """Constants, the identity, and one exception to a constant."""
        codomain = self.index(type_.codomain)
        result, domain_text = type_.text(), type_.domain.text()
        if type_.domain == type_.codomain:
            yield f'bif Nat.beq size 1 then [((fun x => x : {result}), "(fun x => x)")] else []'
        yield f'each (l{codomain} size) fun c => [((fun _ => c.1 : {result}), "(fun _ => " ++ c.2 ++ ")")]'
        if splittable(type_.domain):
            domain = self.index(type_.domain)
            yield (
                f"each (range 1 (size - 2)) fun i => each (l{domain} i) fun a =>\n    "
                f"each (range 1 (size - 1 - i)) fun j => each (l{codomain} j) fun b =>\n    "
                f"each (l{codomain} (size - i - j)) fun c => [((fun x => if x = a.1 then b.1 else c.1 : {result}), "
                f'"(fun (x : {domain_text}) => if x = " ++ a.2 ++ " then " ++ b.2 ++ " else " ++ c.2 ++ ")")]'
            )


def _constructed(name: Name, type_: Ind, fields: Sequence[int]) -> str:
    if not fields:
        return f'bif Nat.beq size 1 then [((_root_.{name} : {type_.text()}), "{name}")] else []'
    last = len(fields) - 1
    value = " ".join([f"_root_.{name}", *(f"a{i}.1" for i in range(last + 1))])
    shown = ' ++ " " ++ '.join([f'"({name}"', *(f"a{i}.2" for i in range(last + 1))]) + ' ++ ")"'
    rest = "".join(f" - s{i}" for i in range(last))
    text = f"each (l{fields[last]} (size - 1{rest})) fun a{last} =>\n    [(({value} : {type_.text()}), {shown})]"
    for i in reversed(range(last)):
        rest = "".join(f" - s{j}" for j in range(i))
        bound = f"(size - 1{rest} - {last - i})"
        text = f"each (range 1 {bound}) fun s{i} => each (l{fields[i]} s{i}) fun a{i} =>\n    {text}"
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
