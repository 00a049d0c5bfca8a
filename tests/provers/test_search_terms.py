"""Printed terms and goals: read, written, and taken apart without Lean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry.provers.search.goals import generalise, goal_of, prune, read_goal, split_goals
from unsorry.provers.search.rewriting import Rewriter, match, same_shape
from unsorry.provers.search.syntax import (
    App,
    Bind,
    Const,
    ParseFailure,
    Sort,
    Term,
    Var,
    apply,
    free,
    parse,
    show,
    substitute,
)

LOCALS = ("x", "y", "xs", "f")


def terms() -> st.SearchStrategy[Term]:
    leaves = st.one_of(
        st.sampled_from(LOCALS).map(Var),
        st.sampled_from(("Nat", "List.nil", "TIP.count", "f'")).map(Const),
        st.just(Sort("Prop")),
        st.just(Sort("Type u")),
    )

    def larger(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        heads = st.one_of(st.sampled_from(LOCALS).map(Var), st.just(Const("TIP.append")))
        return st.one_of(
            st.builds(apply, heads, st.lists(inner, min_size=1, max_size=3)),
            st.builds(Bind, st.just("fun"), st.sampled_from(("z", "x")), inner, inner),
            st.builds(Bind, st.just("pi"), st.sampled_from(("z", "x", "_")), inner, inner, st.sampled_from("({[")),
        )

    return st.recursive(leaves, larger, max_leaves=12)


@given(terms())
def test_what_is_printed_is_read_back(term: Term) -> None:
    text = show(term)
    again = parse(text, LOCALS)
    assert show(again) == text
    assert parse(show(again), LOCALS) == again


@given(terms(), terms())
def test_substitution_does_not_capture(term: Term, value: Term) -> None:
    result = substitute(term, {"x": value})
    expected = (free(term) - {"x"}) | (free(value) if "x" in free(term) else frozenset())
    assert free(result) == expected


@pytest.mark.parametrize("text", ["a + b", "(x : Nat)", "match x with | y => z", "fun x => x", "f (x", ""])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ParseFailure):
        parse(text)


STATE = """\
case cons
α : Type u_1
n head✝ : N
tail✝ : L N
tail_ih✝ :
  ∀ (n : N), @Eq N (count n tail✝) (count n tail✝)
⊢ @Eq N (count n (@L.cons N head✝ tail✝))
    (count n tail✝)
case other
⊢ True"""


def test_goal_states_are_split_and_read() -> None:
    first, second = split_goals(STATE)
    goal, renamed = read_goal(first)
    assert goal.names == ("α", "n", "head", "tail", "tail_ih")
    assert renamed == ("head", "tail", "tail_ih")
    assert [h.name for h in goal.propositions] == ["tail_ih"]
    assert [h.name for h in goal.types] == ["α"]
    assert read_goal(second)[0].conclusion == Const("True")


def test_a_let_in_the_context_is_refused() -> None:
    with pytest.raises(ParseFailure):
        read_goal("n : Nat := 3\n⊢ True")


def test_goals_equal_up_to_names_share_a_key() -> None:
    one = goal_of(parse("∀ (x y : N), @Eq N (add x y) (add y x)"))
    two = goal_of(parse("∀ (a b : N), @Eq N (add a b) (add b a)"))
    other = goal_of(parse("∀ (a b : N), @Eq N (add a b) (add a b)"))
    assert one.key == two.key != other.key


def test_pruning_keeps_what_is_mentioned() -> None:
    goal = goal_of(parse("∀ (x y z : N) (h : @Eq N x y) (k : @Eq N z z), @Eq N x x"))
    assert prune(goal, ()).names == ("x",)
    assert prune(goal, ("h",)).names == ("x", "y", "h")


def test_generalisation_replaces_every_occurrence() -> None:
    goal = goal_of(parse("∀ (xs : L), @Eq N (len (rev xs)) (len (app (rev xs) nil))"))
    general = generalise(goal, parse("rev xs", ["xs"]), Const("L"), "ys")
    assert show(general.conclusion) == "@Eq @N (@len ys) (@len (@app ys @nil))"


def test_rewriting_uses_symmetric_rules_in_one_direction_only() -> None:
    rewriter = Rewriter()
    rewriter.add(parse("add x y", ["x", "y"]), parse("add y x", ["x", "y"]))
    a, b = parse("add (s a) b", ["a", "b"]), parse("add b (s a)", ["a", "b"])
    assert rewriter.normal(a) == rewriter.normal(b)
    assert same_shape(a, parse("add (s u) v", ["u", "v"]))
    assert not match(parse("add x x", ["x"]), a, {})
    assert isinstance(a, App)
