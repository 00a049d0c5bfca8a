"""Operations that the evaluator knows by itself: logic, arithmetic, and the overloaded ones on lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from unsorry.provers.search.syntax import App, Const, Term

if TYPE_CHECKING:
    from unsorry.provers.search.evaluate import Evaluator

Value = Any  # int (Nat, Int), bool (Bool and propositions), (constructor, *fields), ("#", n) for atoms, callables
Env = dict[str, Value]
Code = Callable[[Env], Value]
LARGEST = 1 << 64


class Unsupported(Exception):
    """The term has something that this evaluator does not run."""


def truth(value: Value) -> bool:
    if value is True or value is False:
        return value
    raise Unsupported


Special = tuple[int, Callable[["Evaluator", tuple[Term, ...]], Code], int]


def _binary(types: int, operation: Callable[[Value, Value], Value]) -> Special:
    """An operation whose last two of `types + 2` arguments are data; the first argument must be Nat or Int."""

    def build(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
        if types and args[0] not in (Const("Nat"), Const("Int")):
            raise Unsupported
        left, right = evaluator.compile(args[types]), evaluator.compile(args[types + 1])
        return lambda env: operation(left(env), right(env))

    return (types + 2, build, types + 2)


def _arithmetic(nat: Callable[[int, int], int], integer: Callable[[int, int], int]) -> Special:
    def build(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
        if args[0] not in (Const("Nat"), Const("Int")):
            raise Unsupported
        operation = nat if args[0] == Const("Nat") else integer
        left, right = evaluator.compile(args[4]), evaluator.compile(args[5])

        def compute(env: Env) -> int:
            result = operation(left(env), right(env))
            if abs(result) > LARGEST:
                raise Unsupported
            return result

        return compute

    return (6, build, 6)


def _power(a: int, b: int) -> int:
    if b < 0 or b > 64:
        raise Unsupported
    return int(a**b)


def _integer_mod(a: int, b: int) -> int:
    return a % abs(b) if b else a


def _integer_div(a: int, b: int) -> int:
    return (a - _integer_mod(a, b)) // b if b else 0


def _if(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
    condition, then, other = (evaluator.compile(args[i]) for i in (1, 3, 4))
    return lambda env: then(env) if truth(condition(env)) else other(env)


def _dependent_if(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
    condition, then, other = (evaluator.compile(args[i]) for i in (1, 3, 4))
    return lambda env: (then(env) if truth(condition(env)) else other(env))(None)


def _fixed(value: Value) -> Special:
    return (0, lambda evaluator, args: lambda env: value, 0)


def _unary(skip: int, operation: Callable[[Value], Value]) -> Special:
    def build(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
        inner = evaluator.compile(args[skip])
        return lambda env: operation(inner(env))

    return (skip + 1, build, skip + 1)


def _lazy(skip: int, stop: bool) -> Special:
    """`and` (stop on False) and `or` (stop on True)."""

    def build(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
        left, right = evaluator.compile(args[skip]), evaluator.compile(args[skip + 1])
        return lambda env: stop if truth(left(env)) is stop else truth(right(env))

    return (skip + 2, build, skip + 2)


def _literal(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
    if args[0] not in (Const("Nat"), Const("Int")):
        raise Unsupported
    return evaluator.compile(args[1])


def _append(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
    if not (isinstance(args[0], App) and args[0].fn == Const("List")):
        raise Unsupported
    return evaluator.compile(App(Const("List.append"), (args[0].args[0], args[4], args[5])))


def _member(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
    if not (isinstance(args[1], App) and args[1].fn == Const("List")):
        raise Unsupported
    container, element = evaluator.compile(args[3]), evaluator.compile(args[4])

    def search(env: Env) -> bool:
        wanted, rest = element(env), container(env)
        while rest[0] == "List.cons":
            if rest[1] == wanted:
                return True
            rest = rest[2]
        return False

    return search


def _equal(a: Value, b: Value) -> bool:
    if callable(a) or callable(b):
        raise Unsupported
    return bool(a == b)


def _structural(skip: int, operation: Callable[[Value, Value], bool]) -> Special:
    def build(evaluator: Evaluator, args: tuple[Term, ...]) -> Code:
        left, right = evaluator.compile(args[skip]), evaluator.compile(args[skip + 1])
        return lambda env: operation(left(env), right(env))

    return (skip + 2, build, skip + 2)


def _ordered(types: int, operation: Callable[[Value, Value], Value]) -> Special:
    return _binary(types, operation)


SPECIAL: dict[str, Special] = {
    "True": _fixed(True),
    "False": _fixed(False),
    "Bool.true": _fixed(True),
    "Bool.false": _fixed(False),
    "Nat.zero": _fixed(0),
    "Nat.succ": _unary(0, lambda n: n + 1),
    "Not": _unary(0, lambda p: not truth(p)),
    "Bool.not": _unary(0, lambda p: not truth(p)),
    "And": _lazy(0, False),
    "Or": _lazy(0, True),
    "Bool.and": _lazy(0, False),
    "Bool.or": _lazy(0, True),
    "Bool.xor": _structural(0, lambda a, b: a is not b),
    "Iff": _structural(0, lambda a, b: truth(a) is truth(b)),
    "Eq": _structural(1, _equal),
    "Ne": _structural(1, lambda a, b: not _equal(a, b)),
    "BEq.beq": _structural(2, _equal),
    "bne": _structural(2, lambda a, b: not _equal(a, b)),
    "Decidable.decide": (2, lambda evaluator, args: evaluator.compile(args[0]), 2),
    "ite": (5, _if, 5),
    "dite": (5, _dependent_if, 5),
    "cond": (4, lambda e, a: _if(e, (a[0], a[1], a[1], a[2], a[3])), 4),
    "id": (2, lambda evaluator, args: evaluator.compile(args[1]), 2),
    "OfNat.ofNat": (3, _literal, 3),
    "HAdd.hAdd": _arithmetic(lambda a, b: a + b, lambda a, b: a + b),
    "HSub.hSub": _arithmetic(lambda a, b: max(0, a - b), lambda a, b: a - b),
    "HMul.hMul": _arithmetic(lambda a, b: a * b, lambda a, b: a * b),
    "HDiv.hDiv": _arithmetic(lambda a, b: a // b if b else 0, _integer_div),
    "HMod.hMod": _arithmetic(lambda a, b: a % b if b else a, _integer_mod),
    "HPow.hPow": _arithmetic(_power, _power),
    "Nat.add": _binary(0, lambda a, b: a + b),
    "Nat.sub": _binary(0, lambda a, b: max(0, a - b)),
    "Nat.mul": _binary(0, lambda a, b: a * b),
    "Nat.beq": _binary(0, lambda a, b: a == b),
    "Nat.ble": _binary(0, lambda a, b: a <= b),
    "Nat.blt": _binary(0, lambda a, b: a < b),
    "Nat.pred": _unary(0, lambda n: max(0, n - 1)),
    "Int.add": _binary(0, lambda a, b: a + b),
    "Int.sub": _binary(0, lambda a, b: a - b),
    "Int.mul": _binary(0, lambda a, b: a * b),
    "Int.neg": _unary(0, lambda n: -n),
    "Int.ofNat": _unary(0, lambda n: n),
    "Int.toNat": _unary(0, lambda n: max(0, n)),
    "Int.natAbs": _unary(0, abs),
    "Nat.cast": _unary(2, lambda n: n),
    "NatCast.natCast": _unary(2, lambda n: n),
    "IntCast.intCast": _unary(2, lambda n: n),
    "Neg.neg": _unary(2, lambda n: -n),
    "LE.le": _ordered(2, lambda a, b: a <= b),
    "LT.lt": _ordered(2, lambda a, b: a < b),
    "GE.ge": _ordered(2, lambda a, b: a >= b),
    "GT.gt": _ordered(2, lambda a, b: a > b),
    "Min.min": _ordered(2, min),
    "Max.max": _ordered(2, max),
    "Dvd.dvd": _binary(2, lambda a, b: b % a == 0 if a else b == 0),
    "HAppend.hAppend": (6, _append, 6),
    "Membership.mem": (5, _member, 5),
}
