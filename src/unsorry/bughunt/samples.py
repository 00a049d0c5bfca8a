"""Values to call functions with: the ends of types, small ones, random ones."""

from __future__ import annotations

import random

from unsorry import UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.values import Data, Shapes, Value


def sample(ty: ir.Type, shapes: Shapes, chance: random.Random, size: int = 6) -> Value:
    """A value of the type; lists have at most `size` elements.  Raises UnsorryError for types without values."""
    match ty:
        case ir.Ref(_, target):
            return sample(target, shapes, chance, size)
        case ir.Scalar("bool"):
            return chance.random() < 0.5
        case ir.Scalar("char"):
            low, high = chance.choice([(32, 127), (0, 0xD800), (0xE000, 0x110000)])
            return chr(chance.randrange(low, high))
        case ir.Scalar():
            return integer(ty, chance)
        case ir.Tuple(items):
            return tuple([sample(t, shapes, chance, size) for t in items])
        case ir.Array(item, length):
            return [sample(item, shapes, chance, size) for _ in range(length)]
        case ir.Slice(item) | ir.Vec(item):
            found: list[Value] = [sample(item, shapes, chance, size) for _ in range(chance.randrange(size + 1))]
            return sorted(found, key=_size) if chance.random() < 0.3 else found
        case ir.Adt(path) if path in shapes.structs:
            return Data(path, "", tuple([sample(t, shapes, chance, size) for _, t in shapes.fields(ty, "")]))
        case ir.Adt(path) if path in shapes.enums:
            variant = chance.choice(shapes.enums[path].variants).name
            fields = [sample(t, shapes, chance, size) for _, t in shapes.fields(ty, variant)]
            return Data(path, variant, tuple(fields))
    raise UnsorryError(f"no values are made for the type {ty}")


def _size(value: Value) -> int:
    return value if isinstance(value, int) else 0


def integer(ty: ir.Scalar, chance: random.Random) -> int:
    """Small, near an end, near a power of two, or anything."""
    kind = chance.random()
    if kind < 0.45:
        value = chance.randrange(-4, 12)
    elif kind < 0.6:
        value = chance.choice([ty.min, ty.max]) + chance.randrange(-3, 4)
    elif kind < 0.75:
        value = (1 << chance.randrange(ty.bits)) + chance.randrange(-2, 3)
        value = -value if ty.signed and chance.random() < 0.5 else value
    elif kind < 0.85:
        value = chance.randrange(300)
    else:
        value = chance.randrange(ty.min, ty.max + 1)
    return min(max(value, ty.min), ty.max)
