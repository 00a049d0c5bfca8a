"""Values as lists of integers: what Lean and Rust are handed, and give back, in tests of many calls.

Integers are themselves, bool 0 or 1, char its code point; tuples, structs and arrays their parts in order (arrays,
slices, vectors and strings after their length); enums the number of the variant (in order of declaration), then its
fields.  An outcome is 0 and the value with the `&mut` parameters after it, 1 and a number for a panic, or 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unsorry import UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.values import Data, Endless, Outcome, Panicked, Returned, Shapes, Value

ERRORS = (
    "assertionFailure", "integerOverflow", "divisionByZero", "arrayOutOfBounds", "maximumSizeExceeded", "panic",
)  # fmt: skip


def encode(value: Value, ty: ir.Type, shapes: Shapes) -> list[int]:
    """Raises UnsorryError for a value that is none of the type."""
    match value, ty:
        case _, ir.Ref(_, target):
            return encode(value, target, shapes)
        case bool(), ir.Scalar("bool"):
            return [int(value)]
        case int(), ir.Scalar() if ty.is_int and ty.min <= value <= ty.max and not isinstance(value, bool):
            return [value]
        case str(), ir.Scalar("char") if len(value) == 1:
            return [ord(value)]
        case str(), ir.Str():
            return [len(value), *map(ord, value)]
        case tuple(), ir.Tuple(items) if len(items) == len(value):
            return [x for v, t in zip(value, items, strict=True) for x in encode(v, t, shapes)]
        case list(), ir.Array(item) | ir.Slice(item) | ir.Vec(item):
            if not isinstance(ty, ir.Array) or len(value) == ty.length:
                return [len(value), *(x for v in value for x in encode(v, item, shapes))]
        case Data(path, variant, fields), ir.Adt() if path == ty.path:
            types = [t for _, t in shapes.fields(ty, variant)]
            if len(types) == len(fields):
                inner = [x for v, t in zip(fields, types, strict=True) for x in encode(v, t, shapes)]
                return [*_tag(ty, variant, shapes), *inner]
    raise UnsorryError(f"{value!r} is no value of the type {ty}")


def _tag(ty: ir.Adt, variant: str, shapes: Shapes) -> list[int]:
    if ty.path in shapes.structs or ty.path == "TryFromIntError":
        return []
    return [[v.name for v in shapes.enums[ty.path].variants].index(variant)]


def decode(numbers: Iterator[int], ty: ir.Type, shapes: Shapes) -> Value:
    """The value whose numbers come next.  Raises StopIteration or ValueError for a list that is cut or wrong."""
    match ty:
        case ir.Ref(_, target):
            return decode(numbers, target, shapes)
        case ir.Scalar("bool"):
            return next(numbers) != 0
        case ir.Scalar("char"):
            return chr(next(numbers))
        case ir.Scalar():
            return next(numbers)
        case ir.Never():
            return ()
        case ir.Str():
            return "".join(chr(next(numbers)) for _ in range(next(numbers)))
        case ir.Tuple(items):
            return tuple([decode(numbers, t, shapes) for t in items])
        case ir.Array(item) | ir.Slice(item) | ir.Vec(item):
            return [decode(numbers, item, shapes) for _ in range(next(numbers))]
        case ir.Adt(path):
            variant = ""
            if path == "TryFromIntError":
                variant = path
            elif path not in shapes.structs:
                variants = shapes.enums[path].variants
                at = next(numbers)
                if not 0 <= at < len(variants):
                    raise ValueError(f"variant {at} of {path}")
                variant = variants[at].name
            return Data(path, variant, tuple([decode(numbers, t, shapes) for _, t in shapes.fields(ty, variant)]))
    raise ValueError(f"values of the type {ty} cannot be read")


def decode_outcome(numbers: Sequence[int], ret: ir.Type, changed: Sequence[ir.Type], shapes: Shapes) -> Outcome:
    """What a call did.  Raises UnsorryError for numbers that say nothing."""
    left = iter(numbers)
    try:
        match next(left):
            case 0:
                value = decode(left, ret, shapes)
                back = tuple([decode(left, t, shapes) for t in changed])
                if next(left, None) is None:
                    return Returned(value, back)
            case 1:
                return Panicked(ERRORS[next(left)])
            case 2:
                return Endless()
    except (StopIteration, RuntimeError, ValueError, IndexError):
        pass
    raise UnsorryError(f"an evaluation gave numbers that cannot be read: {list(numbers)[:20]}")
