"""Types as Rust writes them."""

from __future__ import annotations

from .types import Adt, Array, Never, Ref, Scalar, Slice, Str, Tuple, Type, TypeParam, Vec


def show(ty: Type) -> str:
    """The type as Rust writes it."""
    match ty:
        case Scalar(name) | TypeParam(name):
            return "_" if name.startswith("?") else name
        case Never():
            return "!"
        case Str():
            return "str"
        case Tuple(items):
            return f"({', '.join(map(show, items))}{',' if len(items) == 1 else ''})"
        case Array(item, length):
            return f"[{show(item)}; {length}]"
        case Slice(item):
            return f"[{show(item)}]"
        case Vec(item):
            return f"Vec<{show(item)}>"
        case Ref(mutable, target):
            return f"&{'mut ' if mutable else ''}{show(target)}"
        case Adt(path, args):
            return path + (f"<{', '.join(map(show, args))}>" if args else "")
