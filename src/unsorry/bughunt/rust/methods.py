"""Method calls: the receiver is taken through references as Rust does, then the crate's impls, then what is known."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .body import Body, is_place
from .infer import integral, is_int_unknown, show, substitute, unknown
from .operators import call_function, structural
from .places import instantiate
from .syntax import Refused, text, words
from .world import FnDecl, Signature, head


def method(
    body: Body, node: Node, function: Node, args: list[Node], turbofish: list[ir.Type] | None, want: ir.Type | None
) -> ir.Expr:
    """`receiver.name(args)`."""
    from .standard import std_method

    receiver_node, name = function.child_by_field_name("value"), text(function.child_by_field_name("field"))
    assert receiver_node is not None
    from .consumers import consumer, range_contains

    if name == "contains" and len(args) == 1 and (inside := range_contains(body, node, receiver_node, args[0])):
        return inside
    if (used := consumer(body, node, receiver_node, name, args, turbofish, want)) is not None:
        return used
    receiver = body.lower(receiver_node)
    ty = body.type_of(receiver)
    if unknown(ty) and not is_int_unknown(ty):
        raise body.refuse("inference", f"the type of the receiver of `{name}` is not known here", node)
    if isinstance(ty, ir.Never):
        raise body.refuse("never", "a receiver that does not return", node)
    if isinstance(ty, ir.Ref) and name == "clone" and isinstance(body.inference.resolve(ty.target), ir.TypeParam):
        _clone_bound(body, node, ty.target)
    step = receiver
    while True:
        here = body.type_of(step)
        if isinstance(here, ir.Ref):
            own = own_method(body, node, here.target, name)
            # a method by `self` on the reference itself comes first in Rust; impls for references are refused
            if own is None:
                step = (
                    step.place
                    if isinstance(step, ir.Borrow)
                    else ir.Deref(ty=here.target, span=step.span, operand=step)
                )
                continue
            step = step.place if isinstance(step, ir.Borrow) else ir.Deref(ty=here.target, span=step.span, operand=step)
            return _own(body, node, own, step, args, turbofish)
        own = own_method(body, node, here, name)
        if own is not None:
            return _own(body, node, own, step, args, turbofish)
        break
    if isinstance(here, ir.TypeParam) and not unknown(here) and name not in ("clone",):
        raise body.refuse("type-parameter", f"method `{name}` on a value of type parameter `{here.name}`", node)
    return std_method(body, node, step, name, args, turbofish, want)


def _clone_bound(body: Body, node: Node, ty: ir.Type) -> None:
    """`clone` on a reference to a type parameter copies the reference unless the parameter is Clone: be sure."""
    ty = body.inference.resolve(ty)
    assert isinstance(ty, ir.TypeParam)
    if not unknown(ty) and not body.has_bound(ty.name, ("Clone", "Copy")):
        raise body.refuse("type-parameter", f"`clone` of a reference to `{ty.name}`, which may not be Clone", node)


def own_method(body: Body, node: Node, ty: ir.Type, name: str) -> tuple[FnDecl, Signature] | None:
    """The method of the crate's impls for a type; refuses where several could be meant."""
    ty = body.inference.resolve(ty)
    found = []
    for fn in body.world.methods.get(head(ty), {}).get(name, []):
        assert fn.impl is not None
        _, values = instantiate(body, fn.impl.generics)
        if isinstance(fn.impl.owner, ir.Ref):
            raise body.refuse("ambiguous", f"method `{name}` of an impl for a reference", node)
        if body.inference.could_unify(substitute(fn.impl.owner, values), ty):
            found.append(fn)
    if not found:
        return None
    if isinstance(ty, ir.Scalar) and name in STD_NAMES:
        raise body.refuse("ambiguous", f"method `{name}` of a trait of the crate on {ty.name}", node)
    signatures: list[tuple[FnDecl, Signature]] = []
    for fn in found:
        try:
            signatures.append((fn, body.world.signature(fn)))
        except Refused as fault:
            message = f"calls `{fn.path}`, which is refused: {fault.refusal.message}"
            raise body.refuse("calls-refused", message, node) from None
    signatures = [(f, s) for f, s in signatures if s.receiver]
    inherent = [(f, s) for f, s in signatures if f.impl is not None and not f.impl.trait]
    chosen = inherent or signatures
    hidden = (
        not inherent and name in COMPARING and any(f.impl and f.impl.trait.startswith("crate::") for f, _ in chosen)
    )
    if len(chosen) > 1 or len({s.receiver for _, s in signatures}) > 1 or hidden:
        raise body.refuse("ambiguous", f"several methods `{name}` for {show(body.inference.zonk(ty))}", node)
    return chosen[0] if chosen else None


def _own(
    body: Body,
    node: Node,
    found: tuple[FnDecl, Signature],
    place: ir.Expr,
    args: list[Node],
    turbofish: list[ir.Type] | None,
) -> ir.Expr:
    """A call of a method of the crate on a place (or value) of its own type."""
    fn, signature = found
    type_args, values = instantiate(body, signature.generics, turbofish)
    assert fn.impl is not None
    body.unify(substitute(fn.impl.owner, values), place.ty, node)
    if len(args) + 1 != len(signature.params):
        raise body.refuse("inference", f"`{fn.path}` called with {len(args)} arguments", node)
    if signature.receiver == "mut" and not is_place(place):
        raise body.refuse("mut-borrow", "`&mut` method on a value that is no place", node)
    first = place if signature.receiver == "value" else body.borrow(place, signature.receiver == "mut")
    rest = tuple(body.check(a, substitute(p.ty, values)) for a, (_, p) in zip(args, signature.params[1:], strict=True))
    body.calls.add(fn.path)
    ty = substitute(signature.ret, values)
    return ir.Call(ty=ty, span=body.span(node), function=fn.path, type_args=type_args, args=(first, *rest))


def clone(body: Body, node: Node, value: ir.Expr) -> ir.Expr:
    """`x.clone()` of a value whose clone is the value itself, or a hand-written one."""
    ty = body.type_of(value)
    if clones_plainly(body, ty):
        return value
    raise body.refuse("clone", f"`clone` of {show(body.inference.zonk(ty))}", node)


def clones_plainly(body: Body, ty: ir.Type, seen: frozenset[str] = frozenset()) -> bool:
    """Whether `clone` gives an equal value without running code of the crate."""
    ty = body.inference.resolve(ty)
    match ty:
        case ir.Scalar() | ir.Str() | ir.Never() | ir.Ref():
            return not (isinstance(ty, ir.Ref) and ty.mutable)
        case ir.TypeParam():
            return is_int_unknown(ty) or (not unknown(ty) and _param_clones(body, ty.name))
        case ir.Tuple(items):
            return all(clones_plainly(body, t, seen) for t in items)
        case ir.Array(item, _) | ir.Vec(item):
            return clones_plainly(body, item, seen)
        case ir.Adt(path, args):
            if path in seen:
                return True
            own = body.world.methods.get(head(ty), {}).get("clone", [])
            if "Clone" not in body.world.derives(path) or own:
                return False
            return all(clones_plainly(body, a, seen | {path}) for a in args)
    return False


def _param_clones(body: Body, name: str) -> bool:
    own = any(i.trait == "Clone" for i in body.world.impls)
    return body.has_bound(name, ("Copy",) if own else ("Copy", "Clone"))


def ordered(body: Body, ty: ir.Type) -> bool:
    """Whether `cmp`, `min`, `max` on the type are structural."""
    ty = body.inference.resolve(ty)
    return integral(ty) or (structural(body, ty, "Ord") and structural(body, ty, "PartialOrd"))


COMPARING = words("max min clamp cmp partial_cmp clone eq ne lt le gt ge")
STD_NAMES = words(
    """
    abs abs_diff add borrow borrow_mut ceil checked_add checked_sub clamp clone cmp count_ones count_zeros div
    div_ceil div_euclid eq from ge gt hash ilog ilog2 ilog10 into is_ascii is_negative is_positive is_power_of_two
    isqrt le leading_zeros lt max midpoint min mul ne neg next_power_of_two not partial_cmp pow rem rem_euclid
    reverse_bits rotate_left rotate_right shl shr signum sub swap_bytes to_be to_le to_owned to_string
    trailing_zeros try_from try_into unsigned_abs is_digit to_digit to_lowercase to_uppercase len_utf8
    is_multiple_of is_alphabetic is_numeric is_whitespace is_control is_uppercase is_lowercase is_alphanumeric then
    then_some as_str as_bytes checked_mul checked_div checked_rem checked_neg checked_shl checked_shr checked_pow
    checked_abs saturating_add saturating_sub saturating_mul saturating_pow saturating_neg saturating_abs
    wrapping_add wrapping_sub wrapping_mul wrapping_div wrapping_neg wrapping_shl wrapping_shr wrapping_pow
    wrapping_abs overflowing_add overflowing_sub overflowing_mul cast_signed cast_unsigned checked_ilog2
    checked_ilog10 to_be_bytes to_le_bytes to_ne_bytes next_multiple_of checked_next_multiple_of carrying_add
    borrowing_sub widening_mul strict_add strict_sub
    """
)

__all__ = ["call_function", "clone", "clones_plainly", "method", "ordered"]
