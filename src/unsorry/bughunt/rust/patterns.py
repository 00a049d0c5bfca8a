"""Patterns, with match ergonomics written out."""

from __future__ import annotations

from typing import Literal

from tree_sitter import Node

from .. import ir
from .body import Body
from .infer import integral, is_int, show, unknown
from .literals import character_value, integer
from .paths import assoc_value, owner_of, variant_type
from .places import struct_type
from .scope import Decl, Std, VariantOf, segments
from .syntax import child, named, text

By = Literal["value", "ref", "mut"]


def lower_pattern(body: Body, node: Node, ty: ir.Type) -> ir.Pattern:
    """A pattern for values of a type; its names are declared in the innermost scope."""
    return _Lowering(body).pattern(node, ty, "value", False)


def let_pattern(body: Body, node: Node, ty: ir.Type, mutable: bool) -> ir.Pattern:
    """The pattern of a `let`, whose `mut` stands outside of it."""
    return _Lowering(body).pattern(node, ty, "value", mutable)


class _Lowering:
    def __init__(self, body: Body) -> None:
        self.body = body
        self.bound: dict[str, tuple[str, ir.Type]] = {}  # alternatives bind the same locals

    def pattern(self, node: Node, ty: ir.Type, by: By, mutable: bool) -> ir.Pattern:
        """One pattern under a default way of binding."""
        body, kind = self.body, node.type
        body.level += 1
        if body.level > ir.MAX_DEPTH - 40:
            raise body.refuse("nesting", "patterns nested too deep", node)
        try:
            if kind == "_" or text(node) == "_":
                return ir.Wild(ty)
            if kind == "identifier" and not self.is_value(node):
                if text(node)[0].isupper():  # a constant or variant that comes from where we cannot see
                    raise body.refuse("pattern", f"`{text(node)[:40]}`, which is not known and no usual local", node)
                return self.bind(node, text(node), ty, by, mutable, None)
            if kind == "mut_pattern":
                return self.pattern(named(node)[-1], ty, "value", True)
            if kind == "ref_pattern":
                return self.ref(node, ty)
            if kind == "captured_pattern":
                name, sub = pattern_parts(node)
                return self.bind(name, text(name), ty, by, mutable, sub)
            if kind == "or_pattern":
                return ir.OrPat(ty, tuple(self.pattern(p, ty, by, False) for p in pattern_parts(node)))
            if kind == "reference_pattern":
                return self.reference(node, ty)
            if kind == "parenthesized_pattern" or parenthesized(node):
                return self.pattern(pattern_parts(node)[0], ty, by, mutable)
            return self.peeled(node, ty, by)
        finally:
            body.level -= 1

    def is_value(self, node: Node) -> bool:
        """Whether a name in a pattern is a constant, unit struct or variant."""
        target = self.body.lookup((text(node),))
        if isinstance(target, Decl) and target.kind in ("const", "static"):
            return True
        if isinstance(target, VariantOf):
            return True
        if isinstance(target, Std) and variant_type(self.body, target, ir.NOWHERE) is not None:
            return True
        unit = self.body.lookup((text(node),), value=False)
        return isinstance(unit, Decl) and unit.kind == "struct"

    def bind(self, node: Node, name: str, ty: ir.Type, by: By, mutable: bool, sub: Node | None) -> ir.Pattern:
        """A name, and what stands behind `@`."""
        body = self.body
        held = ty if by == "value" else ir.Ref(by == "mut", ty)
        inner = self.pattern(sub, ty, by, False) if sub is not None else None
        if name in self.bound:
            unique, before = self.bound[name]
            body.unify(before, held, node)
        else:
            unique = body.declare(name, held)
            self.bound[name] = (unique, held)
        return ir.Bind(held, unique, mutable, by, inner)

    def ref(self, node: Node, ty: ir.Type) -> ir.Pattern:
        """`ref x`, `ref mut x`."""
        inner, by = named(node)[-1], "ref"
        if inner.type == "mut_pattern":
            inner, by = named(inner)[-1], "mut"
        sub = None
        if inner.type == "captured_pattern":
            inner, sub = named(inner)
        if inner.type != "identifier":
            raise self.body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
        return self.bind(inner, text(inner), ty, "mut" if by == "mut" else "ref", False, sub)

    def reference(self, node: Node, ty: ir.Type) -> ir.Pattern:
        """`&sub`."""
        known = self.body.known(ty, node, "what is matched")
        if not isinstance(known, ir.Ref):
            raise self.body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
        inner = pattern_parts(node)[-1]
        return ir.RefPat(ty, self.pattern(inner, known.target, "value", False))

    def peeled(self, node: Node, ty: ir.Type, by: By) -> ir.Pattern:
        """A pattern that looks through references."""
        body = self.body
        if node.type in ("identifier", "scoped_identifier") and (const := self.constant(node)) is not None:
            body.unify(const.ty, ty, node)
            return ir.LitPat(ty, const.value) if not isinstance(const, ir.RangePat) else const
        known = body.inference.resolve(ty)
        if isinstance(known, ir.Ref):
            inner: By = "ref" if by == "ref" or not known.mutable else "mut"
            return ir.RefPat(ty, self.peeled(node, known.target, inner))
        match node.type:
            case "integer_literal" | "negative_literal" | "char_literal" | "boolean_literal":
                return self.literal(node, ty)
            case "range_pattern":
                return self.range(node, ty)
            case "tuple_pattern":
                return self.tuples(node, ty, by)
            case "unit_expression" | "unit_type":
                body.unify(ty, ir.UNIT, node)
                return ir.TuplePat(ir.UNIT, ())
            case "tuple_struct_pattern" | "struct_pattern" | "identifier" | "scoped_identifier":
                return self.struct(node, ty, by)
            case "slice_pattern":
                return self.slice(node, ty, by)
        raise body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)

    def constant(self, node: Node) -> ir.LitPat | None:
        """The value of a constant in a pattern; None if the name is none."""
        body = self.body
        names = segments(node)
        from .consts import evaluate

        target = body.lookup(names)
        expr: ir.Expr | None = None
        if isinstance(target, Decl) and target.kind in ("const", "static"):
            expr = body.world.const(target.path, body.span(node)).value
        elif (owner := owner_of(body, node, names)) is not None:
            expr = assoc_value(body, node, owner, names[-1])
            if isinstance(expr, ir.VariantLit):
                return None
            if isinstance(expr, ir.ConstRef):
                expr = body.world.const(expr.path, body.span(node)).value
        if expr is None:
            return None
        ty = body.inference.zonk(expr.ty)
        if not isinstance(ty, ir.Scalar):
            raise body.refuse("pattern", f"constant `{text(node)[:40]}` of type {show(ty)} as a pattern", node)
        return ir.LitPat(ty, evaluate(body.world, expr))

    def literal(self, node: Node, ty: ir.Type) -> ir.Pattern:
        """A literal."""
        body = self.body
        value, found = self.literal_value(node)
        if found is None:
            if not integral(body.inference.resolve(ty)):
                body.unify(ty, body.inference.fresh(integer=True), node)
        else:
            body.unify(ty, found, node)
        return ir.LitPat(ty, value)

    def literal_value(self, node: Node) -> tuple[int | bool | str, ir.Type | None]:
        """The value and type of a literal; no type for an integer without suffix."""
        body = self.body
        if node.type == "boolean_literal":
            return text(node) == "true", ir.BOOL
        if node.type == "char_literal":
            char, byte = character_value(body, node)
            return (ord(char), ir.U8) if byte else (char, ir.CHAR)
        inner = named(node)[0] if node.type == "negative_literal" else node
        if inner.type != "integer_literal":
            raise body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
        lit = integer(body, inner, None)
        assert isinstance(lit, ir.IntLit)
        value = -lit.value if node.type == "negative_literal" else lit.value
        return value, lit.ty if is_int(lit.ty) else None

    def range(self, node: Node, ty: ir.Type) -> ir.Pattern:
        """`a..=b` and its relatives."""
        body = self.body
        bounds: list[int | None] = []
        for side in ("left", "right"):
            part = node.child_by_field_name(side)
            if part is None:
                bounds.append(None)
                continue
            if part.type in ("identifier", "scoped_identifier"):
                const = self.constant(part)
                if const is None:
                    raise body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
                value, found = const.value, const.ty
            else:
                value, maybe = self.literal_value(part)
                found = maybe if maybe is not None else body.inference.fresh(integer=True)
            body.unify(ty, found, node)
            bounds.append(ord(value) if isinstance(value, str) else int(value))
        inclusive = any(c.type in ("..=", "...") for c in node.children)
        return ir.RangePat(ty, bounds[0], bounds[1], inclusive or bounds[1] is None)

    def tuples(self, node: Node, ty: ir.Type, by: By) -> ir.Pattern:
        """`(a, .., z)`."""
        parts = pattern_parts(node)
        known = self.body.inference.resolve(ty)
        if unknown(known) and not any(p.type == "remaining_field_pattern" for p in parts):
            known = ir.Tuple(tuple(self.body.inference.fresh() for _ in parts))
            self.body.unify(ty, known, node)
        if not isinstance(known, ir.Tuple):
            raise self.body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
        return ir.TuplePat(ty, self.positional(node, parts, list(known.items), by))

    def positional(self, node: Node, parts: list[Node], types: list[ir.Type], by: By) -> tuple[ir.Pattern, ...]:
        """Patterns by position, `..` filled with Wild."""
        rest = [i for i, p in enumerate(parts) if p.type == "remaining_field_pattern"]
        missing = len(types) - (len(parts) - len(rest))
        if len(rest) > 1 or missing < 0 or (missing and not rest):
            raise self.body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
        done: list[ir.Pattern] = []
        left = list(types)
        for part in parts:
            if part.type == "remaining_field_pattern":
                done += [ir.Wild(left.pop(0)) for _ in range(missing)]
            else:
                done.append(self.pattern(part, left.pop(0), by, False))
        return tuple(done)

    def struct(self, node: Node, ty: ir.Type, by: By) -> ir.Pattern:
        """`Some(x)`, `Point { x, .. }`, `Shape::Unit`."""
        body = self.body
        name_node = node.child_by_field_name("type") or node
        mine, variant = struct_type(body, name_node)
        body.unify(mine, ty, node)
        declared = body.world.fields(mine, variant)
        if node.type in ("identifier", "scoped_identifier"):
            if declared:
                raise body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
            return ir.StructPat(ty, variant, ())
        if node.type == "tuple_struct_pattern":
            parts = [p for p in pattern_parts(node) if p != name_node]
            if declared and declared[0].name != "0":
                raise body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
            subs = self.positional(node, parts, [f.ty for f in declared], by)
            return ir.StructPat(ty, variant, tuple((f.name, s) for f, s in zip(declared, subs, strict=True)))
        given = self.field_patterns(node, name_node, {f.name: f.ty for f in declared}, by)
        return ir.StructPat(ty, variant, tuple((f.name, given.get(f.name, ir.Wild(f.ty))) for f in declared))

    def field_patterns(self, node: Node, name_node: Node, types: dict[str, ir.Type], by: By) -> dict[str, ir.Pattern]:
        """The fields written in `{ … }`."""
        body = self.body
        given: dict[str, ir.Pattern] = {}
        open_ended = False
        for part in named(node):
            if part == name_node:
                continue
            if part.type == "remaining_field_pattern":
                open_ended = True
                continue
            name, sub = part.child_by_field_name("name"), part.child_by_field_name("pattern")
            if part.type != "field_pattern" or name is None or text(name) not in types:
                raise body.refuse("pattern", f"pattern `{text(part)[:40]}`", part)
            kinds = [c.type for c in part.children]
            field = text(name)
            if sub is not None:
                given[field] = self.pattern(sub, types[field], by, False)
            elif "ref" in kinds:
                mode: By = "mut" if "mutable_specifier" in kinds else "ref"
                given[field] = self.bind(name, field, types[field], mode, False, None)
            else:
                mutable = "mutable_specifier" in kinds
                given[field] = self.bind(name, field, types[field], "value" if mutable else by, mutable, None)
        if not open_ended and len(given) != len(types):
            raise body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
        return given

    def slice(self, node: Node, ty: ir.Type, by: By) -> ir.Pattern:
        """`[first, rest @ .., last]`."""
        body = self.body
        known = body.known(ty, node, "what is matched")
        if not isinstance(known, ir.Array | ir.Slice):
            raise body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
        before: list[ir.Pattern] = []
        after: list[ir.Pattern] = []
        rest: ir.Pattern | None = None
        parts = pattern_parts(node)
        fixed = sum(1 for p in parts if not _is_rest(p))
        middle: ir.Type = ir.Slice(known.item)
        if isinstance(known, ir.Array):
            middle = ir.Array(known.item, max(known.length - fixed, 0))
        for part in parts:
            if not _is_rest(part):
                (before if rest is None else after).append(self.pattern(part, known.item, by, False))
                continue
            if rest is not None:
                raise body.refuse("pattern", f"pattern `{text(node)[:40]}`", node)
            if part.type == "remaining_field_pattern":
                rest = ir.Wild(middle)
            else:
                name = named(part)[0]
                mode: By = by
                if name.type == "ref_pattern":
                    name, mode = named(name)[-1], "ref"
                if name.type != "identifier":
                    raise body.refuse("pattern", f"pattern `{text(part)[:40]}`", part)
                rest = self.bind(name, text(name), middle, mode, False, None)
        return ir.SlicePat(ty, tuple(before), rest, tuple(after))


def pattern_parts(node: Node) -> list[Node]:
    """The patterns inside a pattern; `_` is no named node of the grammar."""
    return [c for c in node.children if c.type == "_" or (c.is_named and not c.type.endswith("_comment"))]


def parenthesized(node: Node) -> bool:
    """Whether what the grammar calls a tuple is a pattern in brackets."""
    inside = pattern_parts(node) if node.type == "tuple_pattern" else []
    comma = any(c.type == "," for c in node.children)
    return len(inside) == 1 and not comma and inside[0].type != "remaining_field_pattern"


def _is_rest(node: Node) -> bool:
    return node.type == "remaining_field_pattern" or (
        node.type == "captured_pattern" and child(node, "remaining_field_pattern") is not None
    )
