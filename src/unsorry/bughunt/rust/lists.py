"""Methods of slices, arrays and vectors; those that take closures are refused."""

from __future__ import annotations

from tree_sitter import Node

from .. import ir
from .body import Body, is_place
from .infer import is_int, is_int_unknown, show
from .operators import structural
from .places import is_range, range_parts
from .syntax import words

List = ir.Array | ir.Slice | ir.Vec
VEC_ONLY = words("push pop clear truncate insert remove swap_remove extend_from_slice resize")
CHANGING = words("swap reverse fill copy_from_slice clone_from_slice rotate_left rotate_right sort")


def list_method(
    body: Body, node: Node, value: ir.Expr, ty: List, name: str, args: list[Node], want: ir.Type | None
) -> ir.Expr | None:
    """A known method of a list; None for others."""
    if any(a.type == "closure_expression" for a in args):
        raise body.refuse("closure", f"closure given to `{name}`", node)
    if "_mut" in name and name != "as_mut_slice":
        raise body.refuse("mut-borrow", f"method `{name[:40]}`, which gives a `&mut`", node)
    name = {"sort_unstable": "sort"}.get(name, name)
    if name in VEC_ONLY:
        return _vector(body, node, value, ty, name, args)
    if name in CHANGING:
        return _change(body, node, value, ty, name, args)
    return _read(body, node, value, ty, name, args, want)


def _vector(body: Body, node: Node, value: ir.Expr, ty: List, name: str, args: list[Node]) -> ir.Expr | None:
    from .standard import arity, intrinsic

    if not isinstance(ty, ir.Vec) or not is_place(value):
        return None
    types: dict[str, list[ir.Type]] = {
        "push": [ty.item],
        "truncate": [ir.USIZE],
        "insert": [ir.USIZE, ty.item],
        "remove": [ir.USIZE],
        "swap_remove": [ir.USIZE],
        "resize": [ir.USIZE, ty.item],
        "extend_from_slice": [ir.Ref(False, ir.Slice(ty.item))],
    }
    wanted = types.get(name, [])
    arity(body, node, args, len(wanted))
    place = body.borrow(value, True)
    rest = [body.check(a, t) for a, t in zip(args, wanted, strict=True)]
    result = {"pop": ir.option(ty.item), "remove": ty.item, "swap_remove": ty.item}.get(name, ir.UNIT)
    return intrinsic(body, node, "Vec::" + name, result, [place, *rest])


def _change(body: Body, node: Node, value: ir.Expr, ty: List, name: str, args: list[Node]) -> ir.Expr | None:
    from .methods import clones_plainly
    from .standard import arity, intrinsic

    if not is_place(value):
        return None
    if name == "sort" and not (is_int(item := body.inference.resolve(ty.item)) or item in (ir.BOOL, ir.CHAR)):
        return None
    if name in ("fill", "clone_from_slice", "copy_from_slice") and not clones_plainly(body, ty.item):
        return None
    types: dict[str, list[ir.Type]] = {
        "swap": [ir.USIZE, ir.USIZE],
        "fill": [ty.item],
        "copy_from_slice": [ir.Ref(False, ir.Slice(ty.item))],
        "clone_from_slice": [ir.Ref(False, ir.Slice(ty.item))],
        "rotate_left": [ir.USIZE],
        "rotate_right": [ir.USIZE],
    }
    wanted = types.get(name, [])
    arity(body, node, args, len(wanted))
    place = body.slice_ref(value, True, node)
    rest = [body.check(a, t) for a, t in zip(args, wanted, strict=True)]
    known = {"clone_from_slice": "copy_from_slice"}.get(name, name)
    return intrinsic(body, node, "slice::" + known, ir.UNIT, [place, *rest])


def _read(
    body: Body, node: Node, value: ir.Expr, ty: List, name: str, args: list[Node], want: ir.Type | None
) -> ir.Expr | None:
    from .methods import clones_plainly
    from .standard import arity, intrinsic

    item = ir.Ref(False, ty.item)
    part = ir.Ref(False, ir.Slice(ty.item))

    def made(result: ir.Type, *rest: ir.Expr, to: str = "") -> ir.Expr:
        return intrinsic(body, node, "slice::" + (to or name), result, [body.slice_ref(value, False, node), *rest])

    if name in ("len", "is_empty"):
        arity(body, node, args, 0)
        return made(ir.USIZE if name == "len" else ir.BOOL)
    if name in ("first", "last"):
        arity(body, node, args, 0)
        return made(ir.option(item))
    if name in ("split_first", "split_last"):
        arity(body, node, args, 0)
        return made(ir.option(ir.Tuple((item, part))))
    if name == "split_at":
        arity(body, node, args, 1)
        return made(ir.Tuple((part, part)), body.check(args[0], ir.USIZE))
    if name == "get":
        arity(body, node, args, 1)
        return _get(body, node, value, ty, args[0])
    if name == "contains":
        arity(body, node, args, 1)
        if is_int_unknown(body.inference.resolve(ty.item)) or structural(body, ty.item, "PartialEq"):
            return made(ir.BOOL, body.check(args[0], item))
        return None
    if name in ("starts_with", "ends_with"):
        arity(body, node, args, 1)
        return made(ir.BOOL, body.check(args[0], part)) if structural(body, ty.item, "PartialEq") else None
    if name == "is_sorted":
        arity(body, node, args, 0)
        known = body.inference.resolve(ty.item)
        return made(ir.BOOL) if is_int(known) or known in (ir.BOOL, ir.CHAR) else None
    if name in ("to_vec", "to_owned") and not args:
        return made(ir.Vec(ty.item), to="to_vec") if clones_plainly(body, ty.item) else None
    if name == "as_slice" and not args:
        return body.slice_ref(value, False, node)
    if name == "as_mut_slice" and not args and is_place(value):
        return body.slice_ref(value, True, node)
    return None


def _get(body: Body, node: Node, value: ir.Expr, ty: List, argument: Node) -> ir.Expr:
    from .standard import intrinsic

    base = body.slice_ref(value, False, node)
    while argument.type == "parenthesized_expression" and argument.named_child_count == 1:
        argument = argument.named_children[0]
    if not is_range(argument):
        position = body.check(argument, ir.USIZE)
        return intrinsic(body, node, "slice::get", ir.option(ir.Ref(False, ty.item)), [base, position])
    low_node, high_node, inclusive = range_parts(argument)
    if inclusive:
        raise body.refuse("range", "`get` of an inclusive range", node)
    zero = ir.IntLit(ty=ir.USIZE, span=body.span(node), value=0)
    if high_node is None and not isinstance(value, ir.Local | ir.FieldOf | ir.Deref):
        raise body.refuse("range", f"`get` of an open range on {show(body.inference.zonk(ty))}", node)
    low = body.check(low_node, ir.USIZE) if low_node is not None else zero
    high: ir.Expr = (
        body.check(high_node, ir.USIZE)
        if high_node is not None
        else intrinsic(body, node, "slice::len", ir.USIZE, [base])
    )
    result = ir.option(ir.Ref(False, ir.Slice(ty.item)))
    return intrinsic(body, node, "slice::get_range", result, [base, low, high])
