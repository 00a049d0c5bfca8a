"""Print terms for people, in bounded space: long or deep terms are cut with `…`."""

from __future__ import annotations

from collections.abc import Mapping

from unsorry.lean.declarations import Declaration
from unsorry.lean.names import Name
from unsorry.lean.terms import (
    App,
    BVar,
    Const,
    Expr,
    IMax,
    Lam,
    Let,
    Level,
    Max,
    NatLit,
    Param,
    Pi,
    Proj,
    Sort,
    StrLit,
    Succ,
    Zero,
)

MAX_DEPTH = 60  # nested parts; deeper ones are cut
INFIX: Mapping[Name, tuple[str, int, int]] = {  # operator, arguments in all, precedence
    Name.parse(name): (symbol, arguments, precedence)
    for name, symbol, arguments, precedence in (
        ("Eq", "=", 3, 50), ("Ne", "≠", 3, 50), ("HEq", "≍", 4, 50), ("And", "∧", 2, 35), ("Or", "∨", 2, 30),
        ("Iff", "↔", 2, 20), ("LT.lt", "<", 4, 50), ("LE.le", "≤", 4, 50), ("GT.gt", ">", 4, 50), ("GE.ge", "≥", 4, 50),
        ("HAdd.hAdd", "+", 6, 65), ("HSub.hSub", "-", 6, 65), ("HMul.hMul", "*", 6, 70), ("HDiv.hDiv", "/", 6, 70),
        ("HMod.hMod", "%", 6, 70), ("HPow.hPow", "^", 6, 75), ("HAppend.hAppend", "++", 6, 65), ("Dvd.dvd", "∣", 4, 50),
    )
}  # fmt: skip
ARROW, APPLICATION, ATOM = 25, 1022, 1024
OF_NAT, NOT = Name(("OfNat", "ofNat")), Name(("Not",))


def signature(declaration: Declaration, limit: int = 400) -> str:
    """The type of a declaration on one line of at most `limit` characters."""
    return show(declaration.type, limit)


def show(e: Expr, limit: int = 400) -> str:
    """One line of at most `limit` characters, near to what Lean prints; not meant to be read back."""
    text = " ".join(_Printer(4 * limit).expr(e, (), 0, 0).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def show_level(level: Level, depth: int = 0) -> str:
    """A universe level, as Lean writes it."""
    offset = 0
    while isinstance(level, Succ):
        level, offset = level.level, offset + 1
    if isinstance(level, Zero):
        return str(offset)
    if isinstance(level, Param):
        base = str(level.name)
    elif isinstance(level, Max | IMax) and depth < MAX_DEPTH // 10:
        word = "max" if isinstance(level, Max) else "imax"
        base = f"({word} {show_level(level.left, depth + 1)} {show_level(level.right, depth + 1)})"
    else:
        base = "…"
    return f"{base}+{offset}" if offset else base


class _Printer:
    """`room` bounds the number of parts that are printed, so that shared terms do not blow up."""

    def __init__(self, room: int) -> None:
        self.room = room

    def expr(self, e: Expr, context: tuple[str, ...], precedence: int, depth: int) -> str:
        self.room -= 1
        if self.room < 0 or depth > MAX_DEPTH:
            return "…"
        if isinstance(e, BVar):
            return context[-1 - e.index] if e.index < len(context) else f"#{e.index}"
        if isinstance(e, Sort):
            return self._sort(e.level, precedence)
        if isinstance(e, Const):
            return str(e.name)
        if isinstance(e, NatLit):
            return str(e.value) if e.value.bit_length() < 256 else "…"
        if isinstance(e, StrLit):
            return (
                '"' + e.value[:80].encode("unicode_escape").decode("ascii") + ("…" if len(e.value) > 80 else "") + '"'
            )
        if isinstance(e, Proj):
            return f"{self.expr(e.expr, context, ATOM, depth + 1)}.{e.index + 1}"
        if isinstance(e, App):
            return self._application(e, context, precedence, depth)
        assert isinstance(e, Lam | Pi | Let)
        text = self._binder(e, context, depth)
        return f"({text})" if precedence > ARROW or (precedence and not isinstance(e, Pi)) else text

    def _sort(self, level: Level, precedence: int) -> str:
        text = show_level(level)
        if text in ("0", "1"):
            return "Prop" if text == "0" else "Type"
        if text.isdigit():
            text = f"Type {int(text) - 1}"
        else:
            text = f"Type {text[:-2]}" if text.endswith("+1") else f"Sort {text}"
        return f"({text})" if precedence > APPLICATION else text

    def _binder(self, e: Lam | Pi | Let, context: tuple[str, ...], depth: int) -> str:
        if isinstance(e, Pi) and not _occurs(e.body):
            left = self.expr(e.domain, context, ARROW + 1, depth + 1)
            return f"{left} → {self.expr(e.body, (*context, '_'), ARROW, depth + 1)}"
        name = _fresh(str(e.binder) if e.binder else "x", context)
        domain, inner = self.expr(e.domain, context, 0, depth + 1), (*context, name)
        body = self.expr(e.body, inner, 0, depth + 1)
        if isinstance(e, Let):
            return f"let {name} : {domain} := {self.expr(e.value, context, 0, depth + 1)}; {body}"
        return f"∀ ({name} : {domain}), {body}" if isinstance(e, Pi) else f"fun ({name} : {domain}) => {body}"

    def _application(self, e: App, context: tuple[str, ...], precedence: int, depth: int) -> str:
        head: Expr = e
        arguments: list[Expr] = []
        while isinstance(head, App) and len(arguments) < self.room + 2:
            arguments.append(head.arg)
            head = head.fn
        arguments.reverse()
        if isinstance(head, Const):
            if head.name == OF_NAT and len(arguments) == 3 and isinstance(arguments[1], NatLit):
                return self.expr(arguments[1], context, precedence, depth + 1)
            if head.name == NOT and len(arguments) == 1:
                text = f"¬{self.expr(arguments[0], context, APPLICATION, depth + 1)}"
                return f"({text})" if precedence > 40 else text
            symbol, count, binds = INFIX.get(head.name, ("", -1, 0))
            if count == len(arguments):
                left, right = (self.expr(a, context, binds + 1, depth + 1) for a in arguments[-2:])
                return f"({left} {symbol} {right})" if precedence > binds else f"{left} {symbol} {right}"
        parts = [self.expr(part, context, ATOM, depth + 1) for part in (head, *arguments)]
        return f"({' '.join(parts)})" if precedence > APPLICATION else " ".join(parts)


def _occurs(body: Expr) -> bool:
    """May variable 0 occur?  Looks at a bounded number of parts, and says yes when it cannot tell."""
    todo, steps = [(body, 0)], 0
    seen: set[tuple[Expr, int]] = set()
    while todo:
        e, depth = todo.pop()
        if e.loose <= depth or (e, depth) in seen:
            continue
        steps += 1
        if steps > 2000:
            return True
        seen.add((e, depth))
        if isinstance(e, BVar):
            if e.index == depth:
                return True
        elif isinstance(e, App):
            todo += [(e.fn, depth), (e.arg, depth)]
        elif isinstance(e, Lam | Pi):
            todo += [(e.domain, depth), (e.body, depth + 1)]
        elif isinstance(e, Let):
            todo += [(e.domain, depth), (e.value, depth), (e.body, depth + 1)]
        elif isinstance(e, Proj):
            todo.append((e.expr, depth))
    return False


def _fresh(name: str, context: tuple[str, ...]) -> str:
    if name not in context:
        return name
    number = 1
    while f"{name}_{number}" in context:
        number += 1
    return f"{name}_{number}"
