"""Terms made to cost the judge more than their size: equal hashes, long levels, one long name in many places."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from unsorry.judge import axioms
from unsorry.judge.levels import MAX_ATOMS, LevelForms
from unsorry.judge.reasons import MAX_MESSAGE, Reason, Refusal
from unsorry.lean.declarations import Declaration, Kind
from unsorry.lean.names import Name, in_order
from unsorry.lean.pretty import show
from unsorry.lean.terms import Arena, Level, NatLit

MODULUS = (1 << 61) - 1  # of Python's hashes of integers


class Counted(int):
    """An integer that counts how often one is compared."""

    comparisons = 0
    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.comparisons += 1
        return int.__eq__(self, other) is True


def test_numbers_with_equal_hashes_are_not_compared_with_each_other() -> None:
    arena = Arena()
    numbers = [Counted(k * MODULUS + 5) for k in range(500)]
    assert len({hash(number) for number in numbers}) == 1
    made = [arena.nat(number) for number in numbers]
    assert Counted.comparisons < 5000
    assert len(set(made)) == 500 and made == [arena.nat(int(number)) for number in numbers]
    assert [e.value for e in made if isinstance(e, NatLit)] == numbers


@pytest.mark.parametrize("value", [0, (1 << 60) - 1, 1 << 60, int("10", 16), 1 << 64, 10**40])
def test_a_number_is_itself_alone(value: int) -> None:
    arena = Arena()
    others = {arena.nat(other) for other in (value + 1, value + MODULUS, int(f"{value:x}", 36), int(str(value), 16))}
    found = arena.nat(value)
    assert isinstance(found, NatLit) and found.value == value and arena.nat(value) is found
    assert all(isinstance(other, NatLit) and (other is found) == (other.value == value) for other in others)


def parameters(arena: Arena, count: int) -> list[Level]:
    return [arena.param(Name((f"u{i}",))) for i in range(count)]


def unresolved(arena: Arena, count: int) -> list[Level]:
    u, v = parameters(arena, 2)
    made = []
    for _ in range(count):
        u = arena.succ(u)
        made.append(arena.imax(u, v))
    return made


@pytest.mark.parametrize("parts", [parameters, unresolved])
@pytest.mark.parametrize("declared", [2, 300])
def test_a_level_of_many_parts_has_a_short_form(parts: Callable[[Arena, int], list[Level]], declared: int) -> None:
    arena = Arena()
    forms, other = (LevelForms([Name((f"{u}{i}",)) for i in range(declared)]) for u in "uv")
    level = arena.param(Name(("u0",)))
    for part in parts(arena, 300):
        level = arena.max(part, level)
        assert len(forms.form(level)) <= MAX_ATOMS
    assert forms.form(level) != forms.form(arena.succ(level))
    if declared == 300:
        assert forms.form(level) != other.form(level)


def test_names_are_sorted_without_their_text() -> None:
    long = "x" * 10_000_000  # a thousand texts of it would fill the memory
    names = [Name((long, i)) for i in range(1000)] + [Name((long, "a")), Name((2,)), Name(("b",)), Name(())]
    found = in_order(reversed(names))
    assert found == [Name(()), Name((2,)), Name(("b",)), *names[:1000], names[1000]]


def test_a_long_name_in_many_axioms_is_told_once() -> None:
    class NoLibrary:
        def __contains__(self, name: Name) -> bool:
            return False

    arena, long = Arena(), "x" * 10_000_000
    proposition = arena.const(Name(("P",)), ())
    own = {n: Declaration(Kind.AXIOM, n, (), proposition) for n in (Name((long, i)) for i in range(1000))}
    value = proposition
    for name in own:
        value = arena.app(value, arena.const(name, ()))
    target = Name(("t",))
    own[target] = Declaration(Kind.THEOREM, target, (), proposition, value)
    footprint = axioms.walk([target], own, NoLibrary())  # type: ignore[arg-type]
    assert len(footprint.axioms) == 1000
    with pytest.raises(Refusal) as refused:
        axioms.check(footprint, NoLibrary())  # type: ignore[arg-type]
    assert len(str(refused.value)) < 10_000
    assert len(refused.value.verdict().target) < 2000


def test_a_long_name_is_not_shown_at_each_place() -> None:
    arena = Arena()
    level = arena.param(Name(("y" * 10_000_000,)))
    term = long = arena.const(Name(("x" * 10_000_000,)), (level,))
    binder = Name(("z" * 10_000_000,))
    for _ in range(1000):
        term = arena.pi(binder, arena.app(term, long), arena.sort(level))
    assert len(show(term)) <= 400


@pytest.mark.parametrize("text", ["x" * 5_000_000, "\n" * 5_000_000])
def test_a_verdict_keeps_the_beginning_of_a_message(text: str) -> None:
    verdict = Refusal(Reason.COMPILE_FAILED, text, text).verdict()
    assert len(verdict.message) < 2 * MAX_MESSAGE and len(verdict.target) < 2 * MAX_MESSAGE
