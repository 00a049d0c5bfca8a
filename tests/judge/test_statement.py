"""Comparing statements as terms, and digests that do not depend on spelling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from unsorry import Problem, Status
from unsorry.judge import Reason, StrictJudge
from unsorry.judge.reasons import Refusal

Digest = Callable[[str, tuple[str, ...]], str]


@pytest.fixture(scope="module")
def digest(judge: StrictJudge) -> Digest:
    def compute(text: str, targets: tuple[str, ...]) -> str:
        return judge.prepare(Problem("d", text, targets)).digest

    return compute


BASE = """
inductive Tree (α : Type u) where
  | leaf
  | node (l : Tree α) (x : α) (r : Tree α)
def size : Tree α → Nat
  | .leaf => 0
  | .node l _ r => size l + size r + 1
theorem t (a : Tree α) : size a = size a ∧ (match size a with | 0 => True | _ => True) := by sorry
"""
SAME = {
    "binder": BASE.replace("(a : Tree α) : size a = size a", "(b : Tree α) : size b = size b").replace(
        "match size a", "match size b"
    ),
    "layout": BASE.replace("\n  |", "\n      |").replace(" = ", "  =  "),
    "comment": "-- a comment\n" + BASE,
    "target": BASE.replace("theorem t ", "theorem u "),
    "function": BASE.replace("size", "count"),
    "type": BASE.replace("Tree", "Baum"),
    "constructors": BASE.replace("leaf", "nil").replace("node", "fork"),
    "universe": BASE.replace("Type u", "Type v"),
    "lemma before": "theorem l : True := trivial\n" + BASE,
    "same match before": "def early (n : Nat) : Prop := match n with | 0 => True | _ => True\n" + BASE,
    "implicit": BASE.replace("theorem t (a : Tree α)", "theorem t {a : Tree α}"),
    "hole": BASE.replace(":= by sorry", ":= sorry"),
    "section": BASE.replace("theorem t (a : Tree α)", "section\nvariable (a : Tree α)\ntheorem t"),
}
OTHER = {
    "hypothesis": BASE.replace("theorem t (a : Tree α)", "theorem t (a : Tree α) (h : 0 < size a)"),
    "body": BASE.replace("size l + size r", "size r + size l"),
    "constructor": BASE.replace("| leaf\n", "| leaf\n  | other\n", 1).replace(
        "| .leaf => 0", "| .leaf => 0\n  | .other => 0"
    ),
    "constructor order": BASE.replace("(l : Tree α) (x : α)", "(x : α) (l : Tree α)").replace(
        ".node l _ r", ".node _ l r"
    ),
    "literal": BASE.replace("+ 1", "+ 2"),
    "universe": BASE.replace("Type u", "Type"),
    "matcher": BASE.replace("| 0 => True |", "| 1 => True |"),
}


@pytest.mark.parametrize("case", SAME, ids=lambda c: c.replace(" ", "-"))
def test_spelling_does_not_change_a_digest(digest: Digest, case: str) -> None:
    target = "u" if case == "target" else "t"
    assert digest(SAME[case], (target,)) == digest(BASE, ("t",))


@pytest.mark.parametrize("case", OTHER, ids=lambda c: c.replace(" ", "-"))
def test_meaning_changes_a_digest(digest: Digest, case: str) -> None:
    assert OTHER[case] != BASE
    assert digest(OTHER[case], ("t",)) != digest(BASE, ("t",))


def test_holes_and_targets_enter_a_digest(digest: Digest) -> None:
    two = "def f : Nat → Nat := sorry\ntheorem a : f 0 = 0 := sorry\ntheorem b : f 1 = 1 := sorry"
    assert digest(two, ("f", "a", "b")) == digest(
        two.replace("f :", "g :").replace("f 0", "g 0").replace("f 1", "g 1"), ("g", "a", "b")
    )
    assert digest(two, ("f", "a")) != digest(two, ("f", "b"))
    assert digest(two, ("f", "a", "b")) != digest(two, ("f", "b", "a"))
    assert digest(two, ("f", "a")) != digest(two, ("a",))  # with f given, not asked for
    assert digest(two, ("f", "a")) == digest(two.replace("Nat := sorry", "Nat := fun n => n"), ("f", "a"))


def judged(judge: StrictJudge, statement: str, submission: str, *targets: str) -> tuple[Status, str]:
    verdict = judge.judge(Problem("p", statement, targets or ("t",)), submission)
    return verdict.status, verdict.reason


PROOF = BASE.replace(":= by sorry", ":= by\n  refine ⟨rfl, ?_⟩\n  cases size a <;> exact True.intro")


def test_an_earlier_helper_may_take_the_matchers_name(judge: StrictJudge) -> None:
    """Lean shares matchers: with an equal match before it, the statement mentions another auxiliary constant."""
    early = "def early (n : Nat) : Prop := match n with | 0 => True | _ => True\n"
    assert judged(judge, BASE, PROOF)[0] is Status.ACCEPTED
    assert judged(judge, BASE, early + PROOF)[0] is Status.ACCEPTED


def test_a_matcher_with_other_branches_is_another_statement(judge: StrictJudge) -> None:
    changed = BASE.replace("| 0 => True |", "| 1 => True |")
    assert judged(judge, BASE, changed)[1] in (Reason.TYPE_DIFFERS, Reason.DEFINITION_DIFFERS)


PROJ = """
structure Box where
  value : Nat
def Box.get (b : Box) : Nat := b.1
theorem t (b : Box) : b.get = b.value := by sorry
"""


def test_a_structure_seen_through_a_projection_is_compared(judge: StrictJudge) -> None:
    done = PROJ.replace("by sorry", "rfl")
    assert judged(judge, PROJ, done)[0] is Status.ACCEPTED
    assert judged(judge, PROJ, done.replace("value : Nat\n", "value : Nat\n  other : Nat := 0\n"))[0] is Status.REJECTED


def test_a_class_instance_is_compared_by_value(judge: StrictJudge) -> None:
    text = (
        "structure P where\n  n : Nat\ninstance : Add P := ⟨fun a b => ⟨a.n + b.n⟩⟩\n"
        "theorem t (a b : P) : a + b = b + a := by sorry"
    )
    proof = "by\n  show P.mk _ = P.mk _\n  rw [Nat.add_comm]"
    assert judged(judge, text, text.replace("by sorry", proof))[0] is Status.ACCEPTED
    lazy = text.replace("⟨a.n + b.n⟩⟩", "⟨0⟩⟩").replace("by sorry", "rfl")
    assert judged(judge, text, lazy)[1] == Reason.DEFINITION_DIFFERS
    local = text.replace("theorem", "instance (priority := high) mine : Add P := ⟨fun _ _ => ⟨0⟩⟩\ntheorem").replace(
        "by sorry", "rfl"
    )
    assert judged(judge, text, local)[1] == Reason.TYPE_DIFFERS


def test_universes_are_compared_by_position(judge: StrictJudge) -> None:
    text = "theorem t.{u, v} (α : Type u) (β : Type v) (f : α → β) : f = f := by sorry"
    done = text.replace("by sorry", "rfl")
    assert judged(judge, text, done)[0] is Status.ACCEPTED
    assert judged(judge, text, done.replace("u", "w"))[0] is Status.ACCEPTED
    assert judged(judge, text, done.replace("{u, v}", "{v, u}"))[1] == Reason.TYPE_DIFFERS
    assert judged(judge, text, done.replace("{u, v}", "{u}").replace("Type v", "Type u"))[1] == Reason.UNIVERSES_DIFFER


def test_private_targets_are_found(judge: StrictJudge) -> None:
    text = "private theorem t : 1 + 1 = 2 := by sorry"
    assert judged(judge, text, text.replace("by sorry", "rfl"))[0] is Status.ACCEPTED
    assert judged(judge, text, "theorem t : 1 + 1 = 2 := rfl")[1] == Reason.TARGET_MISSING


@pytest.mark.parametrize("name", ["«odd name»", "«a.b»", "«1»", "A.«b c».d", "naïve", "x₁", "«∀»"])
def test_unusual_names_can_be_targets(judge: StrictJudge, name: str) -> None:
    text = f"theorem {name} : 1 + 1 = 2 := by sorry"
    assert judged(judge, text, text.replace("by sorry", "rfl"), name)[0] is Status.ACCEPTED
    assert (
        judged(judge, text, f"theorem {name}x : 1 + 1 = 2 := rfl".replace("»x", "x»"), name)[1] == Reason.TARGET_MISSING
    )


def test_look_alikes_are_other_names(judge: StrictJudge) -> None:
    text = "theorem a.b : 1 + 1 = 2 := by sorry"
    assert judged(judge, text, "theorem «a.b» : 1 + 1 = 2 := rfl", "a.b")[1] == Reason.TARGET_MISSING
    omicron = "theorem \u03bf.b : 1 + 1 = 2 := rfl"
    assert judged(judge, text.replace("a.b", "o.b"), omicron, "o.b")[1] == Reason.TARGET_MISSING


def test_opaque_constants_and_axioms_of_a_statement_are_compared(judge: StrictJudge) -> None:
    text = "opaque secret : Nat\ntheorem t : secret = secret := by sorry"
    assert judged(judge, text, text.replace("by sorry", "rfl"))[0] is Status.ACCEPTED
    assert (
        judged(judge, text, "def secret : Nat := 0\ntheorem t : secret = secret := rfl")[1] == Reason.DEFINITION_DIFFERS
    )
    assert (
        judged(judge, text, "opaque secret : Nat := 7\ntheorem t : secret = secret := rfl")[1]
        == Reason.DEFINITION_DIFFERS
    )


def test_lemmas_of_a_statement_may_be_proved_differently(judge: StrictJudge) -> None:
    text = "theorem pos : 0 < 2 := by decide\ntheorem t : (⟨0, pos⟩ : Fin 2) = ⟨0, pos⟩ := by sorry"
    other = "theorem pos : 0 < 2 := Nat.zero_lt_succ 1\ntheorem t : (⟨0, pos⟩ : Fin 2) = ⟨0, pos⟩ := rfl"
    assert judged(judge, text, other)[0] is Status.ACCEPTED


def test_a_statement_is_elaborated_once(judge: StrictJudge) -> None:
    problem = Problem("once", "theorem once : True := by sorry", ("once",))
    assert judge.prepare(problem) is judge.prepare(Problem("other id", problem.statement, problem.targets))
    with pytest.raises(Refusal):
        judge.prepare(Problem("bad", "theorem", ("bad",)))
