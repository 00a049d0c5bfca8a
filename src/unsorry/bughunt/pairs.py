"""Properties of two functions: one undoes the other, or both compute the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate, Subject
from unsorry.bughunt.findings import Kind
from unsorry.bughunt.inputs import STRING, Input

UNDOES = re.compile(
    r"\b(?:undoes|inverse of|reverses|opposite of|inverts|the inverse to|"
    r"(?:reads|decodes|parses|restores|recovers|unpacks)(?: back)? (?:what|(?:the )?(?:result|output) of)) "
    r"\[?`(?:\w+::)*(\w+)(?:\(\))?`",
    re.I,
)
SAME = re.compile(
    r"\b(?:(?:the )?same(?: result| results| value| values)? as|equivalent to|equal to|agrees with) "
    r"\[?`(?:\w+::)*(\w+)(?:\(\))?`",
    re.I,
)
LOSSY = re.compile(
    r"\b(round\w*|truncat\w*|floor\w*|ceil\w*|part|drop\w*|loss\w*|whole|again|wrap\w*|saturat\w*|nearest|modulo|"
    r"approximat\w*|at most|only|without|ignor\w*|lossy|case)\b",
    re.I,
)
NAMES = (
    ("encode", "decode"), ("pack", "unpack"), ("compress", "decompress"), ("zigzag", "unzigzag"),
    ("escape", "unescape"), ("serialize", "deserialize"), ("zip", "unzip"), ("encrypt", "decrypt"),
    ("interleave", "deinterleave"), ("to", "from"),
)  # fmt: skip
SLOW = "naive|slow|ref|reference|simple|spec|brute_force|bruteforce|model"


def of(subjects: Sequence[Subject]) -> list[Candidate]:
    """All round trips and equivalences among functions of one module or type."""
    found: list[Candidate] = []
    for first in subjects:
        for second in subjects:
            if first is second or _home(first) != _home(second):
                continue
            found += [*round_trip(first, second), *same(first, second)]
    return found


def _home(subject: Subject) -> str:
    return subject.original.path.rpartition("::")[0]


def partner(name: str) -> Iterator[str]:
    """Names of what would undo a function of this name."""
    words = name.split("_")
    for there, back in NAMES:
        for i, word in enumerate(words):
            if word == there and (there != "to" or (i == 0 and len(words) > 1)):
                yield "_".join((*words[:i], back, *words[i + 1 :]))


def round_trip(there: Subject, back: Subject) -> list[Candidate]:
    """`back(there(x)) == x`, where docs or names pair them."""
    name = there.original.name
    undone = UNDOES.search(back.contract.text)
    said = undone is not None and undone[1] == name
    if undone is not None and not said:
        return []
    if UNDOES.search(there.contract.text) and not said:
        return []  # the pair goes the other way round
    if not said:
        if back.original.name not in partner(name):
            return []
        if loses(there):
            return []  # then at most the other way round gives the same
        if LOSSY.search(there.contract.text + " " + back.contract.text) and name.startswith("to_"):
            return []
    predicate = trip(there, back)
    if predicate is None:
        return []
    basis = f'"{undone[0]}"' if undone is not None else f"the names {name} and {back.original.name}"
    return [
        back.make(
            Kind.ROUND_TRIP, f"undoes-{name}", f"{back.original.path} undoes {there.original.path}", basis,
            predicate=predicate, inputs=there.inputs, assumptions=there.conditions(), also=(there.original.path,),
            promised=said or not name.startswith("to_"), shape="round-trip", partner=there.original.path,
        )
    ]  # fmt: skip


def loses(there: Subject) -> bool:
    """Whether a result cannot tell all inputs apart: it has fewer bits, and the docs restrict no input."""
    given = [_bits(i.ty) for i in there.inputs or ()]
    made = _bits(there.function.ret)
    known = [b for b in given if b is not None]
    return made is not None and len(known) == len(given) and sum(known) > made and not there.conditions()


def _bits(ty: ir.Type) -> int | None:
    match ty:
        case ir.Scalar("bool"):
            return 1
        case ir.Scalar() if ty.is_int:
            return ty.bits
        case ir.Array(item, length):
            inner = _bits(item)
            return None if inner is None else inner * length
        case ir.Tuple(items):
            parts = [_bits(t) for t in items]
            known = [p for p in parts if p is not None]
            return sum(known) if len(known) == len(parts) else None
        case _:
            return None


def trip(there: Subject, back: Subject) -> str | None:
    """The predicate, None if the types do not fit."""
    inputs = there.inputs
    if not inputs or any(i.mutable for i in inputs) or not there.copies():
        return None
    made, wrap = _unwrapped(there.function.ret)
    given = _given(made, [p.ty for p in back.function.params])
    if given is None:
        return None
    types = [i.ty for i in inputs]
    if not all(there.compares(t) for t in types):
        return None
    expected = ir.Tuple(tuple(types)) if len(types) > 1 else types[0]
    names = ", ".join(i.name for i in inputs)
    wanted = f"({names})" if len(types) > 1 else names
    check = _check(_path_call(back, given), back.function.ret, expected, wanted)
    if check is None:
        return None
    call = there.call(again=True)
    if wrap == "Option":
        return f"match {call} {{ Some(made) => {check}, None => true }}"
    if wrap == "Result":
        return f"match {call} {{ Ok(made) => {check}, Err(_) => true }}"
    return f"let made = {call}; {check}"


def _path_call(subject: Subject, given: str) -> str:
    from unsorry.bughunt.inputs import call_path

    return f"{call_path(subject.function)}({given})"


def _unwrapped(ty: ir.Type) -> tuple[ir.Type, str]:
    if isinstance(ty, ir.Adt) and ty.path in ("Option", "Result"):
        return ty.args[0], ty.path
    return ty, ""


def _given(made: ir.Type, wanted: list[ir.Type]) -> str | None:
    """How `made` is passed to parameters of these types."""
    if len(wanted) == 1:
        return _passed("made", made, wanted[0])
    if isinstance(made, ir.Tuple) and len(made.items) == len(wanted):
        parts = [_passed(f"made.{i}", t, w) for i, (t, w) in enumerate(zip(made.items, wanted, strict=True))]
        known = [p for p in parts if p is not None]
        return ", ".join(known) if len(known) == len(parts) else None
    return None


def _passed(text: str, ty: ir.Type, wanted: ir.Type) -> str | None:
    if ty == wanted:
        return text
    if isinstance(wanted, ir.Ref) and not wanted.mutable:
        if wanted.target == ty or (wanted.target == ir.Str() and ty == STRING):
            return f"&{text}"
        if isinstance(wanted.target, ir.Slice):
            if isinstance(ty, ir.Vec | ir.Array) and ty.item == wanted.target.item:
                return f"&{text}[..]"
            if isinstance(ty, ir.Tuple) and len(ty.items) == 2 and ty.items[1] == ir.USIZE:
                inner = ty.items[0]
                if isinstance(inner, ir.Vec | ir.Array) and inner.item == wanted.target.item:
                    return f"&{text}.0[..{text}.1]"
    return None


def _check(call: str, ret: ir.Type, expected: ir.Type, wanted: str) -> str | None:
    if ret == expected:
        return f"{call} == {wanted}"
    inner, wrap = _unwrapped(ret)
    option = call + (".ok()" if wrap == "Result" else "")
    if wrap and inner == expected:
        return f"{option} == Some({wanted})"
    if wrap and inner == ir.Tuple((expected, ir.USIZE)):
        return f"{option}.map(|got| got.0) == Some({wanted})"
    return None


def same(first: Subject, second: Subject) -> list[Candidate]:
    """Two functions that are to agree: the docs of the second say so, or its name is that of a simple version."""
    name = first.original.name
    said = next(
        (m for m in SAME.finditer(second.contract.text) if m[1] == name and not _doubted(second.contract.text, m)), None
    )
    if said is None and not re.fullmatch(rf"{re.escape(name)}_({SLOW})", second.original.name):
        return []
    one, two = first.function, second.function
    if [p.ty for p in one.params] != [p.ty for p in two.params] or one.ret != two.ret:
        return []
    if first.inputs is None or any(i.mutable for i in first.inputs) or not first.copies():
        return []
    if not first.compares(one.ret) or not first.inputs:
        return []
    names = [i.name for i in first.inputs]
    basis = f'"{said[0]}"' if said is not None else f"the names {name} and {second.original.name}"
    renamed = tuple(c for c in second.conditions() if [p.name for p in one.params] == [p.name for p in two.params])
    return [
        first.make(
            Kind.MODEL, f"same-as-{second.original.name}", f"{first.original.path} agrees with {second.original.path}",
            basis, predicate=f"{first.call(again=True)} == {second.call(names, again=True)}",
            assumptions=(*first.conditions(), *renamed), also=(second.original.path,), shape="same",
            partner=second.original.path,
        )
    ]  # fmt: skip


def _doubted(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 40) : match.start()].lower()
    after = text[match.end() : match.end() + 40].lower()
    return bool(re.search(r"\b(not|almost|nearly|mostly|roughly|about|approximately)\b", before)) or bool(
        re.search(r"^`?\]?,? (?:but|except|unless|for |if |when )", after)
    )


__all__ = ["Input", "of", "partner", "round_trip", "same", "trip"]
