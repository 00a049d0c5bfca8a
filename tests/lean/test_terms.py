"""Names, hash-consed terms, traversals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry.lean.declarations import Declaration, Kind
from unsorry.lean.names import Name
from unsorry.lean.terms import ZERO, App, Arena, Const
from unsorry.lean.traversal import constants, level_postorder, postorder, subterms

components = st.one_of(
    st.text(alphabet=st.characters(exclude_characters="«»", exclude_categories=("Cs",)), min_size=1),
    st.integers(min_value=0, max_value=10**9 - 1),
)


def test_names_keep_their_structure() -> None:
    assert Name.parse("Nat.add") == Name(("Nat", "add"))
    assert Name.parse("«a.b».c") == Name(("a.b", "c")) != Name.parse("a.b.c")
    assert Name.parse("x.1") == Name(("x", 1)) != Name(("x", "1")) == Name.parse("x.«1»")
    assert len({Name(("a\nb",)), Name(("a", "b")), Name(("a.b",))}) == 3


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a..b", "«a", "«a»b"])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="name"):
        Name.parse(text)


@given(st.lists(components, min_size=1, max_size=5))
def test_a_name_is_read_back_from_quoted_components(parts: list[str | int]) -> None:
    text = ".".join(str(p) if isinstance(p, int) else f"«{p}»" for p in parts)
    assert Name.parse(text) == Name(parts)


@given(st.lists(components, max_size=5))
def test_printing_a_name_stays_on_one_line(parts: list[str | int]) -> None:
    assert len(str(Name(parts)).splitlines()) == 1


def test_equal_terms_are_one_object() -> None:
    arena = Arena()
    n = Name(("f",))
    a = arena.lam(Name(("x",)), arena.sort(ZERO), arena.app(arena.const(n, ()), arena.bvar(0)))
    b = arena.lam(Name(("y",)), arena.sort(ZERO), arena.app(arena.const(n, ()), arena.bvar(0)))
    assert a is b
    assert arena.const(n, (arena.succ(ZERO),)) is arena.const(n, (arena.succ(ZERO),))
    assert arena.nat(1) is not arena.bvar(1)
    assert arena.string("1") is not arena.nat(1)
    assert arena.lam(n, a, a) is not arena.pi(n, a, a)


def test_loose_variables_are_counted() -> None:
    arena = Arena()
    x = arena.bvar(2)
    assert x.loose == 3
    assert arena.lam(Name(), arena.sort(ZERO), x).loose == 2
    assert arena.let(Name(), arena.bvar(0), arena.bvar(4), arena.bvar(0)).loose == 5
    assert arena.pi(Name(), arena.sort(ZERO), arena.bvar(0)).loose == 0


def test_a_child_arena_shares_its_parents_terms() -> None:
    parent = Arena()
    e = parent.app(parent.nat(1), parent.nat(2))
    with pytest.raises(ValueError, match="frozen"):
        Arena(parent)
    child = Arena(parent.freeze())
    assert child.app(child.nat(1), child.nat(2)) is e
    before = len(parent)
    new = child.nat(3)
    assert child.nat(3) is new
    assert len(parent) == before
    with pytest.raises(ValueError, match="frozen"):
        parent.nat(3)


def test_a_term_that_is_huge_as_a_tree_is_small_as_a_graph() -> None:
    arena = Arena()
    e = arena.const(Name(("x",)), ())
    for _ in range(500):  # 2^500 leaves
        e = arena.app(e, e)
    assert sum(1 for _ in subterms(e)) == 501
    assert constants(e) == {Name(("x",))}
    done: dict[object, int] = {}
    for i, part in enumerate(postorder(e, done=done)):
        if isinstance(part, App):
            assert part.fn in done and part.arg in done
        done[part] = i
    assert len(done) == 501


def test_a_deep_term_needs_no_deep_stack() -> None:
    arena = Arena()
    level = ZERO
    e = arena.const(Name(("x",)), ())
    for _ in range(100_000):
        e = arena.app(arena.const(Name(("s",)), ()), e)
        level = arena.succ(level)
    assert constants(e) == {Name(("x",)), Name(("s",))}
    done: set[object] = set()
    for part in level_postorder(level, done=done):
        done.add(part)
    assert len(done) == 100_001


def test_structures_of_projections_are_constants_of_a_term() -> None:
    arena = Arena()
    e = arena.proj(Name(("Hidden",)), 0, arena.const(Name(("p",)), ()))
    assert constants(e) == {Name(("Hidden",)), Name(("p",))}
    declaration = Declaration(Kind.THEOREM, Name(("t",)), (), arena.sort(ZERO), e)
    assert declaration.dependencies() == {Name(("Hidden",)), Name(("p",))}


def test_constants_with_other_universes_differ() -> None:
    arena = Arena()
    u = arena.param(Name(("u",)))
    assert isinstance(arena.const(Name(("c",)), (u,)), Const)
    assert arena.const(Name(("c",)), (u,)) is not arena.const(Name(("c",)), (ZERO,))
    assert arena.max(u, ZERO) is not arena.imax(u, ZERO)
    assert arena.max(u, ZERO) is not arena.max(ZERO, u)
