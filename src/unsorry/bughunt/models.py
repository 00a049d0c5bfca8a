"""What functions of well-known names compute, as Rust predicates in a type wide enough; and rounding that docs name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate, Subject
from unsorry.bughunt.findings import Kind

Fits = Callable[[list[ir.Type], ir.Type], bool]


@dataclass(frozen=True, slots=True)
class Model:
    """`name` matches the function's; `fits` its types; `predicate` is over `r`, the result, and x0, x1, ... in i128."""

    key: str
    name: str
    fits: Fits
    predicate: str
    what: str
    unless: str = ""  # docs that say it means something else


def _int(ty: ir.Type, bits: int = 64) -> bool:
    return isinstance(ty, ir.Scalar) and ty.is_int and ty.bits <= bits


def _ints(count: int) -> Fits:
    return lambda given, ret: len(given) == count and all(_int(t) for t in (*given, ret))


def _same(count: int) -> Fits:
    return lambda given, ret: len(given) == count and _int(ret) and all(t == ret for t in given)


def _to_bool(given: list[ir.Type], ret: ir.Type) -> bool:
    return len(given) == 1 and _int(given[0]) and ret == ir.BOOL


def _standard(method: str, ret: Callable[[ir.Type], ir.Type], *, unsigned: bool = False) -> Fits:
    def fits(given: list[ir.Type], result: ir.Type) -> bool:
        first = given[0] if given else ir.UNIT
        return (
            len(given) == 1 and isinstance(first, ir.Scalar) and first.is_int and result == ret(first)
            and not (unsigned and first.signed)
        )  # fmt: skip

    return fits


def _searches(given: list[ir.Type], ret: ir.Type) -> bool:
    if len(given) != 2 or ret != ir.option(ir.USIZE):
        return False
    items, wanted = given
    return isinstance(items, ir.Vec) and isinstance(wanted, ir.Scalar) and items.item == wanted


def _extreme(given: list[ir.Type], ret: ir.Type) -> bool:
    return len(given) == 1 and isinstance(given[0], ir.Vec) and _int(given[0].item, 128) and (
        ret == ir.option(given[0].item)
    )  # fmt: skip


_LEAP = "(x0.rem_euclid(4) == 0 && (x0.rem_euclid(100) != 0 || x0.rem_euclid(400) == 0))"
_GCD = (
    "{ let (mut p, mut q) = (x0.unsigned_abs(), x1.unsigned_abs()); while q != 0 { let t = p % q; p = q; q = t; } p }"
)
_FOUND = "match r { Some(i) => i < v0.len() && v0[i] == v1, None => !v0.contains(&v1) }"
MODELS: tuple[Model, ...] = (
    Model("leap", r"(is_)?leap(_year)?", _to_bool, f"r == {_LEAP}", "the Gregorian rule for leap years", "julian"),
    Model(
        "midpoint", r"(midpoint|average|avg|mean)", _same(2),
        "{ let w = r as i128; x0.min(x1) <= w && w <= x0.max(x1) && (2 * w - (x0 + x1)).abs() <= 1 }",
        "the number in the middle", "geometric|harmonic|weighted",
    ),
    Model("abs-diff", r"abs_diff|absolute_difference", _ints(2), "r as i128 == (x0 - x1).abs()", "|a - b|"),
    Model("gcd", r"gcd", _same(2), f"r as u128 == {_GCD}", "the greatest common divisor"),
    Model(
        "isqrt", r"(i|int_|integer_)?sqrt", _ints(1),
        "x0 < 0 || { let w = r as i128; w >= 0 && w * w <= x0 && x0 < (w + 1) * (w + 1) }", "the root, rounded down",
        "round(ed)? up|ceil|nearest",
    ),
    Model("clamp", r"clamp", _same(3), "x1 > x2 || r as i128 == x0.max(x1).min(x2)", "the value, limited to a range"),
    Model("sign", r"sign|signum", _ints(1), "r as i128 == x0.signum()", "the sign"),
    Model("max", r"max|maximum", _same(2), "r as i128 == x0.max(x1)", "the larger one"),
    Model("min", r"min|minimum", _same(2), "r as i128 == x0.min(x1)", "the smaller one"),
    Model("reverse-bits", r"reverse_bits|bit_reverse", _standard("", lambda t: t), "r == v0.reverse_bits()",
          "the bits in reverse order"),
    Model("swap-bytes", r"swap_bytes|byte_swap|bswap", _standard("", lambda t: t), "r == v0.swap_bytes()",
          "the bytes in reverse order"),
    Model("count-ones", r"count_ones|popcount|pop_count|hamming_weight", _standard("", lambda t: ir.U32),
          "r == v0.count_ones()", "how many bits are set"),
    Model("leading-zeros", r"leading_zeros", _standard("", lambda t: ir.U32), "r == v0.leading_zeros()",
          "how many bits above the highest set one"),
    Model("trailing-zeros", r"trailing_zeros", _standard("", lambda t: ir.U32), "r == v0.trailing_zeros()",
          "how many bits below the lowest set one"),
    Model("power-of-two", r"is_power_of_two|is_pow2", _standard("", lambda t: ir.BOOL, unsigned=True),
          "r == v0.is_power_of_two()", "whether exactly one bit is set"),
    Model("search", r"(find|search|binary_search|bsearch|index_of|position|position_of|last_index_of|find_index)",
          _searches, _FOUND, "an index of the item, if it is there"),
    Model("largest", r"largest|maximum|max_of|max_value|max", _extreme, "r == v0.iter().copied().max()",
          "the largest item"),
    Model("smallest", r"smallest|minimum|min_of|min_value|min", _extreme, "r == v0.iter().copied().min()",
          "the smallest item"),
    Model("days-in-month", r"days_in_month", _ints(2),
          f"!(1..=12).contains(&x1) || r as i128 == match x1 {{ 2 => if {_LEAP} {{ 29 }} else {{ 28 }}, "
          "4 | 6 | 9 | 11 => 30, _ => 31 }", "the days of a Gregorian month", "julian"),
    *(
        Model(f"{how}-{op}", rf"{how}_{op}", _same(2), f"r == v0.{how}_{op}(v1)", f"what Rust's own {how}_{op} gives")
        for how in ("saturating", "wrapping") for op in ("add", "sub", "mul")
    ),
)  # fmt: skip


def known(subject: Subject) -> list[Candidate]:
    """The model of a function's name, and the rounding of a quotient that its docs name."""
    inputs = subject.inputs
    if not inputs or any(i.mutable for i in inputs) or not subject.copies():
        return []
    types = [i.ty for i in inputs]
    ret = subject.function.ret
    found = []
    for model in MODELS:
        if not re.fullmatch(model.name, subject.original.name) or not model.fits(types, ret):
            continue
        if model.unless and re.search(model.unless, subject.contract.text, re.I):
            continue
        used = inputs
        if model.key == "search" and ("search" in subject.original.name or "binary" in subject.contract.text.lower()):
            used = (replace(inputs[0], sort=True), *inputs[1:])
        lets = [f"let r = {subject.call(again=True)};"]
        for i, one in enumerate(inputs):
            wide = f"let x{i} = {one.name} as i128;" if _int(one.ty) else ""
            lets.append(f"let v{i} = {one.name}.clone(); {wide}")
        found.append(
            subject.make(
                Kind.MODEL, model.key, f"{subject.original.path} is {model.what}", f"its name, {subject.original.name}",
                predicate=f"{' '.join(lets)} {model.predicate}", shape=f"model {model.key}", inputs=used,
            )
        )  # fmt: skip
    return found + saturation(subject) + rounding(subject)


_QUOTIENT = re.compile(
    r"(?:`(?P<a>\w+) / (?P<b>\w+)`|`(?P<c>\w+)` divided by `?(?P<d>\w+)`?),? (?:and )?rounded "
    r"(?P<how>down|up|towards? zero|to (?:the )?nearest)(?P<rest>.*)",
    re.I,
)


def rounding(subject: Subject) -> list[Candidate]:
    """ "`a / b`, rounded up", "to the nearest integer; halves away from zero": compared with exact arithmetic."""
    match = _QUOTIENT.search(subject.contract.text)
    inputs, ret = subject.inputs, subject.function.ret
    if match is None or inputs is None or not (isinstance(ret, ir.Scalar) and _int(ret)):
        return []
    ints = {i.name for i in inputs if _int(i.ty)}
    top, bottom = match["a"] or match["c"], match["b"] or match["d"]
    if top not in ints or not (bottom in ints or bottom.isdigit()):
        return []
    how, rest = match["how"].lower(), match["rest"].lower()
    exact = {
        "down": "r * n <= m && m < (r + 1) * n",
        "up": "(r - 1) * n < m && m <= r * n",
        "toward zero": "r == m / n",
        "towards zero": "r == m / n",
    }.get(how)
    if exact is None:
        near = "2 * (m - r * n).abs() <= n"
        halves = re.search(r"hal(?:f|ves)(?: \w+)*? (away from zero|up|down|to even)", rest)
        tie = {
            "away from zero": "(r * n).abs() > m.abs()",
            "up": "r * n > m",
            "down": "r * n < m",
            "to even": "r % 2 == 0",
        }[halves[1]] if halves else "true"  # fmt: skip
        exact = f"{near} && (2 * (m - r * n).abs() != n || {tie})"
    predicate = (
        f"let r = {subject.call()} as i128; let (mut m, mut n) = ({top} as i128, {bottom} as i128); "
        "if n < 0 { m = -m; n = -n; } "
        f"n == 0 || m / n > {ret.name}::MAX as i128 - 1 || m / n < {ret.name}::MIN as i128 + 1 || ({exact})"
    )
    quoted = re.sub(r"\s+", " ", match[0]).split(". ")[0]
    return [
        subject.make(
            Kind.DOCUMENTED, "rounding", f"{subject.original.path} rounds as its docs say", f'"{quoted}"',
            predicate=predicate, shape="rounding",
        )
    ]  # fmt: skip


def saturation(subject: Subject) -> list[Candidate]:
    """Docs that say "saturates" of a function named after one operation."""
    inputs, ret = subject.inputs, subject.function.ret
    match = re.match(r"(add|sub|subtract|mul|multiply|plus|minus|times|sum)$", subject.original.name)
    if not match or not subject.contract.saturates or inputs is None or len(inputs) != 2:
        return []
    if not _int(ret, 128) or any(i.ty != ret for i in inputs):
        return []
    op = {"a": "add", "p": "add", "s": "sub", "m": "mul", "t": "mul"}[match[1][0]]
    op = {"minus": "sub", "sum": "add"}.get(match[1], op)
    a, b = (i.name for i in inputs)
    return [
        subject.make(
            Kind.DOCUMENTED, "saturates", f"{subject.original.path} saturates", f'"{subject.contract.saturates}"',
            predicate=f"{subject.call()} == {a}.saturating_{op}({b})", shape=f"model saturating-{op}",
        )
    ]  # fmt: skip
