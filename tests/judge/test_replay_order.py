"""The order in which declarations are put before the kernel: fixed by the declarations, found in linear time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry.judge import axioms, replay
from unsorry.judge.components import components
from unsorry.judge.replay import ReplayError, plan
from unsorry.lean import traversal
from unsorry.lean.declarations import Declaration, Kind
from unsorry.lean.names import Name
from unsorry.lean.terms import Arena, Expr


def N(*parts: str | int) -> Name:
    return Name(parts)


def definition(name: Name, type_: Expr, value: Expr) -> Declaration:
    return Declaration(Kind.DEFINITION, name, (), type_, value)


def sharing(count: int, size: int) -> dict[Name, Declaration]:
    """`count` definitions whose values have a term of `size` applications in common, and one that uses them all."""
    arena = Arena()
    nat = arena.const(N("Nat"), ())
    shared = arena.const(N("f"), ())
    for number in range(size):
        shared = arena.app(shared, arena.nat(number))
    own = {N("c", i): definition(N("c", i), nat, arena.app(shared, arena.nat(size + i))) for i in range(count)}
    top = arena.const(N("g"), ())
    for name in own:
        top = arena.app(top, arena.const(name, ()))
    return own | {N("t"): definition(N("t"), nat, top)}


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the terms that are taken apart."""
    counted, original = [0], traversal.children

    def children(e: Expr) -> tuple[Expr, ...]:
        counted[0] += 1
        return original(e)

    monkeypatch.setattr(traversal, "children", children)
    monkeypatch.setattr(replay, "children", children)
    return counted


class NoLibrary:
    def __contains__(self, name: Name) -> bool:
        return False


WALKS: dict[str, Callable[[dict[Name, Declaration]], object]] = {
    "plan": lambda own: plan([N("t")], own.get, lambda name: name not in own),
    "axioms": lambda own: axioms.walk([N("t")], own, NoLibrary()),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("walk", WALKS)
def test_terms_that_many_declarations_share_are_walked_once(visits: list[int], walk: str) -> None:
    """Else a file of a few megabytes would keep the judge for days."""
    WALKS[walk](sharing(300, 300))
    assert 300 < visits[0] < 4000


def test_the_order_is_that_of_the_terms_whatever_strings_hash_to() -> None:
    own = sharing(12, 3)
    assert [g.head.name for g in plan([N("t")], own.get, lambda n: n not in own)] == [
        *(N("c", i) for i in range(12)),
        N("t"),
    ]


def test_a_circle_through_a_shared_term_is_found() -> None:
    """The term is met first from a target, before the constant that both uses it and is used in it."""
    arena = Arena()
    nat = arena.const(N("Nat"), ())
    shared = arena.app(arena.const(N("a"), ()), arena.const(N("b"), ()))
    own = {
        N("t"): definition(N("t"), nat, shared),
        N("a"): definition(N("a"), nat, arena.app(shared, nat)),
        N("b"): definition(N("b"), nat, shared),
    }
    with pytest.raises(ReplayError) as caught:
        plan([N("t")], own.get, lambda name: name not in own)
    assert caught.value.reason == "replay.circular"


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1)), min_size=n, max_size=n)))
def test_components_agree_with_reachability(edges: list[list[int]]) -> None:
    reach = [{i} for i in range(len(edges))]
    for _ in edges:
        for node, targets in enumerate(edges):
            reach[node].update(*(reach[t] for t in targets))
    found = list(components(range(len(edges)), lambda node: edges[node]))
    assert sorted(node for part in found for node in part) == list(range(len(edges)))
    place = {node: number for number, part in enumerate(found) for node in part}
    for a, mine in place.items():
        for b in reach[a]:
            assert place[b] <= mine
            assert (place[b] == mine) == (a in reach[b])
