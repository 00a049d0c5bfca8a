"""Functions of Rust's standard library (names of `bughunt.intrinsics`) in Lean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean import places
from unsorry.bughunt.lean.arithmetic import strip
from unsorry.bughunt.lean.writing import K, Lines, anchored, bare

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body

_ALWAYS = {
    "div_euclid", "rem_euclid", "div_ceil", "wrapping_div", "wrapping_rem", "ilog2", "ilog10", "isqrt", "clamp",
    "saturating_div", "wrapping_div_euclid", "wrapping_rem_euclid",
}  # fmt: skip
_DEBUG = {"abs": "wrapping_abs", "pow": "wrapping_pow", "next_power_of_two": "wrapping_next_power_of_two"}

Format = str | Callable[["Body", ir.Intrinsic, Sequence[str]], str]
TERMS: dict[str, Format] = {
    "Ordering::reverse": "(orderingReverse {0})",
    "Ordering::then": "(thenCmp {0} {1})",
    "Ordering::is_lt": "(decide ({0} = Ordering.lt))",
    "Ordering::is_le": "(decide ({0} ≠ Ordering.gt))",
    "Ordering::is_gt": "(decide ({0} = Ordering.gt))",
    "Ordering::is_ge": "(decide ({0} ≠ Ordering.lt))",
    "Ordering::is_eq": "(decide ({0} = Ordering.eq))",
    "Ordering::is_ne": "(decide ({0} ≠ Ordering.eq))",
    "char::from_u32": "(char.from_u32 {0})",
    "char::len_utf8": "(char.len_utf8 {0})",
    "Option::is_some": "(Opt.is_some {0})",
    "Option::is_none": "(Opt.is_none {0})",
    "Option::unwrap_or": "(Opt.unwrap_or {0} {1})",
    "Option::or": "(Opt.or {0} {1})",
    "Option::xor": "(Opt.xor {0} {1})",
    "Option::and": "(Opt.and {0} {1})",
    "Option::ok_or": "(Opt.ok_or {0} {1})",
    "Option::copied": "{0}",
    "Option::as_ref": "{0}",
    "Option::flatten": "(Opt.flatten {0})",
    "Result::is_ok": "(Res.is_ok {0})",
    "Result::is_err": "(Res.is_err {0})",
    "Result::unwrap_or": "(Res.unwrap_or {0} {1})",
    "Result::ok": "(Res.value {0})",
    "Result::err": "(Res.error {0})",
    "slice::len": "(Slice.len {0})",
    "slice::is_empty": "(decide (Slice.len {0} = 0))",
    "slice::get": "(Slice.get {0} {1})",
    "slice::get_range": "(Slice.get_range {0} {1} {2})",
    "slice::first": "(Slice.first {0})",
    "slice::last": "(Slice.last {0})",
    "slice::split_first": "(Slice.split_first {0})",
    "slice::split_last": "(Slice.split_last {0})",
    "slice::contains": "(Slice.contains {1} {0})",
    "slice::starts_with": "(Slice.starts_with {0} {1})",
    "slice::ends_with": "(Slice.ends_with {0} {1})",
    "slice::to_vec": "{0}",
    "Vec::new": "[]",
}
ACTIONS: dict[str, str] = {
    "char::from_digit": "char.from_digit {0} {1}",
    "char::to_digit": "char.to_digit {0} {1}",
    "char::is_digit": "char.is_digit {0} {1}",
    "Option::unwrap": "Opt.unwrap {0}",
    "Option::expect": "Opt.unwrap {0}",
    "Result::unwrap": "Res.unwrap {0}",
    "Result::expect": "Res.unwrap {0}",
    "Result::unwrap_err": "Res.unwrap_err {0}",
    "slice::split_at": "Slice.split_at {0} {1}",
}
# The new value of the first argument (a `&mut`): a term, or an action where it can fail.
STORES: dict[str, tuple[str, bool]] = {
    "slice::swap": ("Slice.swap {0} {1} {2}", True),
    "slice::reverse": ("(List.reverse {0})", False),
    "slice::fill": ("(Slice.fill {0} {1})", False),
    "slice::copy_from_slice": ("Slice.copy_from {0} {1}", True),
    "slice::rotate_left": ("Slice.rotate_left {0} {1}", True),
    "slice::rotate_right": ("Slice.rotate_right {0} {1}", True),
    "Vec::push": ("({0} ++ [{1}])", False),
    "Vec::clear": ("[]", False),
    "Vec::truncate": ("(Slice.take {0} {1})", False),
    "Vec::insert": ("Vec.insert {0} {1} {2}", True),
    "Vec::extend_from_slice": ("({0} ++ {1})", False),
    "Vec::resize": ("Vec.resize{bounded} {0} {1} {2}", True),
}


def _number(ty: ir.Type) -> ir.Scalar:
    plain = strip(ty)
    assert isinstance(plain, ir.Scalar) and plain.is_int, ty
    return plain


def is_total(body: Body, e: ir.Intrinsic) -> bool:
    """Whether the call, its arguments apart, is a plain term."""
    family, _, name = e.name.partition("::")
    if family == "int":
        return name not in _ALWAYS and not (body.debug and name in _DEBUG)
    if family == "ord":
        return name != "clamp"
    return family == "ascii" or e.name in TERMS


def expr(body: Body, e: ir.Intrinsic, k: K) -> Lines:
    family, _, name = e.name.partition("::")
    if e.name in STORES:
        return _store(body, e, k)
    if e.name in _SPECIAL:
        return _SPECIAL[e.name](body, e, k)
    if family == "int":
        return body.many(e.args, lambda ts: _integer(body, e, name, ts, k))
    if family == "ord":
        return body.many(e.args, lambda ts: _order(body, e, name, _typed(body, e, ts), k))
    if family == "ascii":
        return body.many(e.args, lambda ts: k(f"(Ascii.{' '.join([name, *ts])})"))
    if e.name in TERMS:
        form = TERMS[e.name]
        assert isinstance(form, str)
        return body.many(e.args, lambda ts: k(form.format(*_typed(body, e, ts))))
    if e.name in ACTIONS:
        return body.many(e.args, lambda ts: body.bind(ACTIONS[e.name].format(*_typed(body, e, ts)), k))
    raise body.refuse("standard library", f"{e.name} has no translation", e)


def _typed(body: Body, e: ir.Intrinsic, terms: Sequence[str]) -> list[str]:
    """The arguments, with their types where Lean would take numbers for `Nat`, or not know what `none` is of."""
    pairs = zip(terms, e.args, strict=True)
    return [t if anchored(t) else f"({bare(t)} : {body.type(a.ty)})" for t, a in pairs]


def _integer(body: Body, e: ir.Intrinsic, name: str, ts: list[str], k: K) -> Lines:
    unit = body.unit
    if name in ("from_be_bytes", "from_le_bytes"):
        ty = _number(e.ty)
        xs = f"(List.reverse {ts[0]})" if name == "from_be_bytes" else ts[0]
        return k(f"({unit.op(ty, 'wrap')} (ofDigits 256 {xs}))")
    if name == "try_from":
        assert isinstance(e.ty, ir.Adt)
        ty = _number(e.ty.args[0])
        return k(f"({unit.op(ty, 'try_from')} {ts[0]})")
    ty = _number(e.args[0].ty)
    if name in ("to_be_bytes", "to_le_bytes"):
        digits = f"(toDigits 256 {ty.bits // 8} ({unit.op(ty, 'bits')} {ts[0]}))"
        return k(f"(List.reverse {digits})" if name == "to_be_bytes" else digits)
    if name == "to_le":
        return k(ts[0])
    if name == "to_be":
        name = "swap_bytes"
    fallible = name in _ALWAYS or (body.debug and name in _DEBUG)
    if name in _DEBUG and not body.debug:
        name = _DEBUG[name]
    try:
        head = unit.op(ty, name)
    except KeyError:
        raise body.refuse("standard library", f"{e.name} has no translation", e) from None
    action = " ".join([head, *ts])
    return body.bind(action, k) if fallible else k(f"({action})")


def _order(body: Body, e: ir.Intrinsic, name: str, ts: list[str], k: K) -> Lines:
    plain = strip(e.args[0].ty)
    number = isinstance(plain, ir.Scalar) and plain != ir.BOOL
    if name in ("min", "max") and number:
        return k(f"(i{name} {ts[0]} {ts[1]})")
    if name == "clamp" and number:
        return body.bind(f"iclamp {ts[0]} {ts[1]} {ts[2]}", k)
    body.unit.need_order(plain)
    match name:
        case "cmp":
            return k(f"(rcmp {ts[0]} {ts[1]})")
        case "partial_cmp":
            return k(f"(some (rcmp {ts[0]} {ts[1]}))")
        case "min":
            return k(f"(if rcmp {ts[1]} {ts[0]} = Ordering.lt then {ts[1]} else {ts[0]})")
        case "max":
            return k(f"(if rcmp {ts[1]} {ts[0]} = Ordering.lt then {ts[0]} else {ts[1]})")
    raise body.refuse("standard library", f"{e.name} has no translation on this type", e)


def _store(body: Body, e: ir.Intrinsic, k: K) -> Lines:
    form, fallible = STORES[e.name]

    def run(terms: list[str], found: list[ir.Expr]) -> Lines:
        text = form.format(*terms, bounded=body.bounded)

        def done(new: str) -> Lines:
            return places.give_back(body, found, [new], lambda: k("()"))

        return body.bind(text, done) if fallible else done(text)

    return places.lend(body, e.args, run)


def _with_value(form: str) -> Callable[[Body, ir.Intrinsic, K], Lines]:
    """An action that gives the result and the new value of the first argument."""

    def translate(body: Body, e: ir.Intrinsic, k: K) -> Lines:
        def run(terms: list[str], found: list[ir.Expr]) -> Lines:
            value, new = body.fresh(), body.fresh()
            lines = [f"let ({value}, {new}) {form.format(*terms)}"]
            return [*lines, *places.give_back(body, found, [new], lambda: k(value))]

        return places.lend(body, e.args, run)

    return translate


def _sort(body: Body, e: ir.Intrinsic, k: K) -> Lines:
    plain = strip(e.args[0].ty)
    boolean = isinstance(plain, ir.Slice) and plain.item == ir.BOOL
    name = "Slice.sortBool" if boolean else "Slice.sort"
    return places.lend(
        body, e.args, lambda ts, found: places.give_back(body, found, [f"({name} {ts[0]})"], lambda: k("()"))
    )


def _is_sorted(body: Body, e: ir.Intrinsic, k: K) -> Lines:
    plain = strip(e.args[0].ty)
    if isinstance(plain, ir.Slice):
        body.unit.need_order(plain.item)
    return body.many(e.args, lambda ts: k(f"(Slice.is_sorted {ts[0]})"))


def _to_array(body: Body, e: ir.Intrinsic, k: K) -> Lines:
    assert isinstance(e.ty, ir.Adt)
    array = strip(e.ty.args[0])
    assert isinstance(array, ir.Array)
    return body.many(e.args, lambda ts: k(f"(Slice.to_array {array.length} {ts[0]})"))


def _swap(body: Body, e: ir.Intrinsic, k: K) -> Lines:
    def run(terms: list[str], found: list[ir.Expr]) -> Lines:
        return body.let(
            f"({terms[0]}, {terms[1]})",
            ir.Tuple((strip(e.args[0].ty), strip(e.args[1].ty))),
            lambda both: places.give_back(body, found, [f"{both}.2", f"{both}.1"], lambda: k("()")),
        )

    return places.lend(body, e.args, run)


_SPECIAL: dict[str, Callable[[Body, ir.Intrinsic, K], Lines]] = {
    "Option::take": _with_value(":= ({0}, none)"),
    "Option::replace": _with_value(":= ({0}, some {1})"),
    "mem::replace": _with_value(":= ({0}, {1})"),
    "mem::swap": _swap,
    "Vec::pop": _with_value(":= (Slice.last {0}, Slice.init {0})"),
    "Vec::remove": _with_value("← Vec.remove {0} {1}"),
    "Vec::swap_remove": _with_value("← Vec.swap_remove {0} {1}"),
    "slice::sort": _sort,
    "slice::is_sorted": _is_sorted,
    "slice::to_array": _to_array,
}
