"""Types that are not known yet, and how they become known: unification, as rustc's, without guesses."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from .. import ir
from ..ir.names import show
from .syntax import Refused

N = TypeVar("N")
_CHANGING = (ir.Tuple, ir.Array, ir.Slice, ir.Vec, ir.Ref, ir.Adt)
_TYPES = (*_CHANGING, ir.Scalar, ir.Never, ir.Str, ir.TypeParam)


class Inference:
    """The unknown types of one function.  An unknown is a `TypeParam` named `?n`, or `?in` if it is some integer."""

    def __init__(self) -> None:
        self.known: dict[str, ir.Type] = {}
        self.count = 0

    def fresh(self, integer: bool = False) -> ir.TypeParam:
        """A new unknown."""
        self.count += 1
        return ir.TypeParam(f"?i{self.count}" if integer else f"?{self.count}")

    def resolve(self, ty: ir.Type) -> ir.Type:
        """The type as far as its outermost part is known."""
        while isinstance(ty, ir.TypeParam) and ty.name in self.known:
            ty = self.known[ty.name]
        return ty

    def zonk(self, ty: ir.Type) -> ir.Type:
        """The type with all that is known written in."""
        ty = self.resolve(ty)
        return map_type(ty, self.zonk) if isinstance(ty, _CHANGING) else ty

    def unify(self, left: ir.Type, right: ir.Type, span: ir.Span) -> None:
        """Make both one type; refuses where they differ."""
        if not self.unifies(left, right):
            said = f"{show(self.zonk(left))} and {show(self.zonk(right))}"
            raise Refused("inference", f"cannot make the types agree: {said}", span)

    def unifies(self, left: ir.Type, right: ir.Type) -> bool:
        """Make both one type if that is possible; may leave parts known if it is not."""
        left, right = self.resolve(left), self.resolve(right)
        if left == right:
            return True
        if unknown(right) and not (unknown(left) and is_int_unknown(right)):
            left, right = right, left
        if isinstance(left, ir.TypeParam) and unknown(left):
            return self._learn(left, right)
        match left, right:
            case ir.Tuple(a), ir.Tuple(b):
                return len(a) == len(b) and all(self.unifies(x, y) for x, y in zip(a, b, strict=True))
            case ir.Array(a1, n), ir.Array(b1, m):
                return n == m and self.unifies(a1, b1)
            case (ir.Slice(a1), ir.Slice(b1)) | (ir.Vec(a1), ir.Vec(b1)):
                return self.unifies(a1, b1)
            case ir.Ref(m1, a1), ir.Ref(m2, b1):
                return m1 == m2 and self.unifies(a1, b1)
            case ir.Adt(p, a2), ir.Adt(q, b2):
                return p == q and len(a2) == len(b2) and all(self.unifies(x, y) for x, y in zip(a2, b2, strict=True))
        return False

    def _learn(self, name: ir.TypeParam, ty: ir.Type) -> bool:
        if is_int_unknown(name) and not (is_int(ty) or is_int_unknown(ty)):
            return False
        if isinstance(ty, ir.Never) or self._occurs(name, ty):
            return False
        self.known[name.name] = ty
        return True

    def _occurs(self, name: ir.TypeParam, ty: ir.Type) -> bool:
        ty = self.resolve(ty)
        if ty == name:
            return True
        return any(self._occurs(name, part) for part in parts(ty))

    def could_unify(self, left: ir.Type, right: ir.Type) -> bool:
        """Whether `unify` would work; nothing is learned."""
        before = dict(self.known)
        try:
            return self.unifies(left, right)
        finally:
            self.known = before

    def default_integers(self) -> None:
        """Integers that nothing decides are i32, as the language says."""
        for n in range(1, self.count + 1):
            ty = self.resolve(ir.TypeParam(f"?i{n}"))
            if is_int_unknown(ty) and isinstance(ty, ir.TypeParam):
                self.known[ty.name] = ir.I32

    def finish(self, tree: N, span: ir.Span) -> N:
        """The tree with every type written out; refuses if one is not known."""
        done: N = self._finish(tree, span)
        return done

    def _finish(self, tree: Any, span: ir.Span) -> Any:
        if isinstance(tree, tuple):
            return tuple(self._finish(t, span) for t in tree)
        if tree is None or isinstance(tree, str | int | ir.Span) or not is_dataclass(tree):
            return tree
        if isinstance(tree, _TYPES):
            ty = self.zonk(tree)
            if holds_unknown(ty):
                raise Refused("inference", "a type that is not written and that nothing decides", span)
            return ty
        here = getattr(tree, "span", span)
        changed = {f.name: self._finish(getattr(tree, f.name), here) for f in fields(tree) if f.name != "span"}
        return replace(tree, **changed)  # type: ignore[type-var]


def parts(ty: ir.Type) -> tuple[ir.Type, ...]:
    """The types directly inside a type."""
    match ty:
        case ir.Tuple(items):
            return items
        case ir.Array(item, _) | ir.Slice(item) | ir.Vec(item):
            return (item,)
        case ir.Ref(_, target):
            return (target,)
        case ir.Adt(_, args):
            return args
    return ()


def map_type(ty: ir.Type, f: Any) -> ir.Type:
    """The type with `f` applied to those directly inside."""
    match ty:
        case ir.Tuple(items):
            return ir.Tuple(tuple(f(t) for t in items))
        case ir.Array(item, n):
            return ir.Array(f(item), n)
        case ir.Slice(item):
            return ir.Slice(f(item))
        case ir.Vec(item):
            return ir.Vec(f(item))
        case ir.Ref(mutable, target):
            return ir.Ref(mutable, f(target))
        case ir.Adt(path, args):
            return ir.Adt(path, tuple(f(t) for t in args))
    return ty


def substitute(ty: ir.Type, values: dict[str, ir.Type]) -> ir.Type:
    """The type with type parameters replaced."""
    if isinstance(ty, ir.TypeParam):
        return values.get(ty.name, ty)
    return map_type(ty, lambda t: substitute(t, values))


def unknown(ty: ir.Type) -> bool:
    """Whether it is an unknown."""
    return isinstance(ty, ir.TypeParam) and ty.name.startswith("?")


def is_int_unknown(ty: ir.Type) -> bool:
    """Whether it is an unknown integer."""
    return isinstance(ty, ir.TypeParam) and ty.name.startswith("?i")


def is_int(ty: ir.Type) -> bool:
    """Whether it is an integer type."""
    return isinstance(ty, ir.Scalar) and ty.is_int


def integral(ty: ir.Type) -> bool:
    """Whether it is an integer, known or not."""
    return is_int(ty) or is_int_unknown(ty)


def holds_unknown(ty: ir.Type) -> bool:
    """Whether some part of it is an unknown."""
    return unknown(ty) or any(holds_unknown(t) for t in parts(ty))


__all__ = [
    "Inference",
    "holds_unknown",
    "integral",
    "is_int",
    "is_int_unknown",
    "map_type",
    "parts",
    "show",
    "substitute",
    "unknown",
]
