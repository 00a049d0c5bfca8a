"""What lowering one body needs to know: locals, unknown types, coercions.  The forms of syntax register themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from tree_sitter import Node

from .. import ir
from .infer import Inference, integral, show, unknown
from .scope import Module, Target, lookup
from .syntax import Refused, Source, text
from .types import TypeScope
from .world import World


@dataclass(frozen=True)
class LocalName:
    """What a name in the source stands for."""

    unique: str
    ty: ir.Type


@dataclass
class LoopHere:
    """A loop around the place that is being lowered."""

    written: str  # the label in the source, "" for none
    label: str
    ty: ir.Type | None  # of `break` values; None for `while` and `for`
    broken: bool = False


Handler = Callable[["Body", Node, ir.Type | None], ir.Expr]
H = TypeVar("H", bound=Handler)
HANDLERS: dict[str, Handler] = {}


def handles(*kinds: str) -> Callable[[H], H]:
    """Register the lowering of syntax nodes of these kinds."""

    def register(handler: H) -> H:
        for kind in kinds:
            HANDLERS[kind] = handler
        return handler

    return register


class Body:
    """The lowering of one body."""

    def __init__(self, world: World, types: TypeScope, source: Source, module: Module, ret: ir.Type) -> None:
        self.world, self.source, self.module, self.ret = world, source, module, ret
        self.inference = Inference()
        self.types = TypeScope(world, module, source, types.generics, types.owner, types.assoc, self.inference)
        self.scopes: list[dict[str, LocalName]] = [{}]
        self.used: set[str] = set()
        self.loops: list[LoopHere] = []
        self.calls: set[str] = set()
        self.level = 0
        self.bounds: dict[str, tuple[str, ...]] = {}  # of type parameters

    # ------------------------------------------------------------------------------------------------ names

    def span(self, node: Node) -> ir.Span:
        """Where a node is."""
        return self.source.span(node)

    def refuse(self, code: str, message: str, node: Node) -> Refused:
        """A refusal at a node, to be raised."""
        return Refused(code, message, self.span(node))

    def fresh_name(self, name: str) -> str:
        """A name no other local of the function has."""
        unique, n = name, 0
        while unique in self.used:
            n += 1
            unique = f"{name}_{n}"
        self.used.add(unique)
        return unique

    def declare(self, name: str, ty: ir.Type) -> str:
        """A new local; later uses of the name mean it."""
        unique = self.fresh_name(name)
        self.scopes[-1][name] = LocalName(unique, ty)
        return unique

    def local(self, name: str) -> LocalName | None:
        """The local a name means here."""
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A stretch of source with locals of its own."""
        self.scopes.append({})
        try:
            yield
        finally:
            self.scopes.pop()

    @contextmanager
    def within(self, source: Source) -> Iterator[None]:
        """Nodes of another stretch of text (the arguments of a macro)."""
        before, types = self.source, self.types.source
        self.source = self.types.source = source
        try:
            yield
        finally:
            self.source, self.types.source = before, types

    def lookup(self, path: tuple[str, ...], value: bool = True) -> Target | None:
        """What a path means in the module of the body."""
        return lookup(self.module, path, "value" if value else "type")

    # ------------------------------------------------------------------------------------------------ types

    def type_of(self, expr: ir.Expr) -> ir.Type:
        """The type as far as its outermost part is known."""
        return self.inference.resolve(expr.ty)

    def unify(self, left: ir.Type, right: ir.Type, node: Node) -> None:
        """Both are one type."""
        self.inference.unify(left, right, self.span(node))

    def known(self, ty: ir.Type, node: Node, what: str) -> ir.Type:
        """The type, whose outermost part must be known by now."""
        ty = self.inference.resolve(ty)
        if unknown(ty):
            raise self.refuse("inference", f"the type of {what} is not known here", node)
        return ty

    def has_bound(self, name: str, traits: tuple[str, ...]) -> bool:
        """Whether a type parameter is asked to have one of the traits."""
        return any(b.rsplit("::", 1)[-1] in traits for b in self.bounds.get(name, ()))

    # ------------------------------------------------------------------------------------------ expressions

    def lower(self, node: Node, want: ir.Type | None = None) -> ir.Expr:
        """The expression; `want` is a hint, and what branches are made to agree with."""
        handler = HANDLERS.get(node.type)
        if handler is None:
            raise self.refuse("expression", f"{node.type.replace('_', ' ')} `{text(node)[:40]}`", node)
        self.level += 1
        if self.level > ir.MAX_DEPTH - 40:
            raise self.refuse("nesting", "expressions nested too deep", node)
        expr = handler(self, node, want)
        self.level -= 1
        return expr

    def check(self, node: Node, want: ir.Type) -> ir.Expr:
        """The expression, as one of type `want`: coerced as Rust does."""
        return self.coerce(self.lower(node, want), want, node)

    def coerce(self, expr: ir.Expr, want: ir.Type, node: Node) -> ir.Expr:
        """The expression with the silent conversions to `want` written out."""
        have, want = self.type_of(expr), self.inference.resolve(want)
        if isinstance(have, ir.Never):
            return expr
        if isinstance(have, ir.Ref) and isinstance(want, ir.Ref):
            return self._coerce_ref(expr, have, want, node)
        self.unify(have, want, node)
        return expr

    def _coerce_ref(self, expr: ir.Expr, have: ir.Ref, want: ir.Ref, node: Node) -> ir.Expr:
        span = expr.span
        if want.mutable and not have.mutable:
            raise self.refuse("inference", f"{show(self.inference.zonk(have))} where &mut is needed", node)
        target, aim = self.inference.resolve(have.target), self.inference.resolve(want.target)
        if have.mutable:
            expr = self.reborrow(expr, want.mutable)
        while isinstance(target, ir.Ref) and not isinstance(aim, ir.Ref) and not unknown(aim) and not want.mutable:
            expr = ir.Deref(ty=target, span=span, operand=expr)
            if target.mutable:
                expr = self.reborrow(expr, False)
            target = self.inference.resolve(target.target)
        if isinstance(aim, ir.Slice) and isinstance(target, ir.Array | ir.Vec):
            self.unify(target.item, aim.item, node)
            return ir.Unsize(ty=ir.Ref(want.mutable, aim), span=span, operand=expr)
        self.unify(target, aim, node)
        return expr

    def reborrow(self, expr: ir.Expr, mutable: bool) -> ir.Expr:
        """A `&mut` passed on, or seen as a `&`."""
        ty = self.type_of(expr)
        assert isinstance(ty, ir.Ref)
        if isinstance(expr, ir.Borrow):
            return ir.Borrow(ty=ir.Ref(mutable, ty.target), span=expr.span, mutable=mutable, place=expr.place)
        return self.borrow(ir.Deref(ty=ty.target, span=expr.span, operand=expr), mutable)

    def borrow(self, place: ir.Expr, mutable: bool) -> ir.Expr:
        """`&place`; `&*r` of a shared reference is `r`."""
        if isinstance(place, ir.Deref) and not mutable:
            inner = self.type_of(place.operand)
            if isinstance(inner, ir.Ref) and not inner.mutable:
                return place.operand
        return ir.Borrow(ty=ir.Ref(mutable, place.ty), span=place.span, mutable=mutable, place=place)

    def deref(self, expr: ir.Expr) -> ir.Expr:
        """The value behind all references."""
        while isinstance(ty := self.type_of(expr), ir.Ref):
            expr = self.step(expr, ty)
        return expr

    def step(self, reference: ir.Expr, ty: ir.Ref) -> ir.Expr:
        """The place behind one reference."""
        if isinstance(reference, ir.Borrow):
            return reference.place
        return ir.Deref(ty=ty.target, span=reference.span, operand=reference)

    def slice_ref(self, place: ir.Expr, mutable: bool, node: Node) -> ir.Expr:
        """A place of type array, slice or vector as a reference to a slice."""
        ty = self.type_of(place)
        borrowed = self.borrow(place, mutable)
        if isinstance(ty, ir.Array | ir.Vec):
            return ir.Unsize(ty=ir.Ref(mutable, ir.Slice(ty.item)), span=place.span, operand=borrowed)
        if not isinstance(ty, ir.Slice):
            raise self.refuse("inference", f"{show(self.inference.zonk(ty))} is not a slice", node)
        return borrowed

    def integer(self, expr: ir.Expr, node: Node) -> ir.Expr:
        """The expression as an integer value, through references."""
        expr = self.deref(expr)
        ty = self.type_of(expr)
        if not integral(ty):
            self.unify(ty, self.inference.fresh(integer=True), node)
        return expr

    def known_or_integer(self, expr: ir.Expr, node: Node) -> ir.Type:
        """The type of an expression, which is known or at least known to be an integer."""
        ty = self.type_of(expr)
        return ty if integral(ty) else self.known(ty, node, "this value")

    def unify_hint(self, ty: ir.Type, want: ir.Type | None) -> None:
        """Learn what a hint says, if it agrees; what wants it checks it again."""
        if want is not None and self.inference.could_unify(ty, want):
            self.inference.unifies(ty, want)

    def finish(self, tree: ir.Block, span: ir.Span) -> ir.Block:
        """The body with all types known."""
        self.inference.default_integers()
        return self.inference.finish(tree, span)


def is_place(expr: ir.Expr) -> bool:
    """Whether the expression is a place."""
    return isinstance(expr, ir.Local | ir.FieldOf | ir.Index | ir.SliceOf | ir.Deref)
