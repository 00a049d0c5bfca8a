"""Filling files: real Lean, the real judge, a prover that answers from a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from unsorry.lean.source import parse

Fill = Callable[..., Any]  # see conftest.py


def test_one_theorem(fill: Fill) -> None:
    done = fill("theorem t (a b : Nat) : a + b = b + a := by\n  sorry\n", {"t": "omega"})
    (outcome,) = done.outcomes
    assert outcome.filled and outcome.kept and outcome.name == "t" and "propext" in outcome.axioms
    assert done.text == "theorem t (a b : Nat) : a + b = b + a := by\n  omega\n"
    assert done.filler.new_error() == ""


def test_the_prover_is_asked_for_exactly_one_hole(fill: Fill) -> None:
    text = """\
theorem before : True := by sorry
namespace A
theorem t (p q : Prop) (hp : p) (hq : q) : (p ∧ q) ∧ p := by
  constructor
  · constructor
    · sorry
    · have h : q := sorry
      exact h
  · admit
end A
theorem after : True := sorry
"""
    done = fill(text, {}, name="A.t")
    assert [len(parse(problem.source).holes) for problem in done.prover.asked] == [1] * len(done.prover.asked)
    assert {problem.id for problem in done.prover.asked} == {f"File.lean:A.t#{i}" for i in (1, 2, 3)}
    assert all(problem.targets == ("A.t",) and "after" not in problem.source for problem in done.prover.asked)
    assert done.reasons == [(line, "undecided", "prover.no_proof") for line in (6, 7, 9)]


def test_nested_holes_and_what_several_answers_do(fill: Fill) -> None:
    text = """\
theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · sorry -- first
  · have h : q := sorry
    exact h
"""
    answers = {"File.lean:t#1": ["exact hq", "exact hp"], "File.lean:t#2": "by\n  skip\n  exact hq"}
    done = fill(text, answers)
    assert [o.filled for o in done.outcomes] == [True, True]
    assert (
        done.text
        == """\
theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · exact hp -- first
  · have h : q := by
      skip
      exact hq
    exact h
"""
    )


def test_partial_success_inside_a_declaration_is_kept(fill: Fill) -> None:
    text = "theorem t (p q : Prop) (hp : p) : p ∧ q := by\n  constructor\n  · sorry\n  · sorry\n"
    done = fill(text, {"File.lean:t#1": "exact hp", "File.lean:t#2": "exact hp"})
    assert done.reasons == [(3, "accepted", "accepted.open_holes"), (4, "rejected", "fast.error")]
    assert done.text == text.replace("sorry", "exact hp", 1)


def test_terms_get_brackets_where_they_are_arguments(fill: Fill) -> None:
    text = "theorem t (f : 1 = 1 → 2 = 2 → True) : True := f sorry sorry\n"
    done = fill(text, {"t": "by rfl"})
    assert all(o.filled for o in done.outcomes)
    assert done.text == "theorem t (f : 1 = 1 → 2 = 2 → True) : True := f (by rfl) (by rfl)\n"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_bytes_elsewhere_stay_as_they_are(fill: Fill, mark: bytes) -> None:
    text = (
        "/- κόσμε -/  \r\ntheorem a : True := by\r\n  sorry  -- keep\t\r\n\r\n\r\n"
        "theorem b :\n    1 = 1 :=\n  sorry   \r\ntheorem c : 2 = 2 := by sorry /- sorry -/"
    ).encode()
    done = fill(mark + text, {"a": "skip\ntrivial", "b": "by\n  rfl", "c": "rfl"})
    assert all(o.filled for o in done.outcomes)
    expected = text.replace(b"by\r\n  sorry", b"by\r\n  skip\r\n  trivial")
    expected = expected.replace(b":=\n  sorry", b":=\n  by\r\n    rfl").replace(b"by sorry /", b"by rfl /")
    assert done.document.patched(done.filler.edits) == mark + expected


def test_lemmas_are_added_before_the_declaration(fill: Fill) -> None:
    text = "namespace A\n-- about t\n@[simp] theorem t : 1 + 1 = 2 := by sorry\nend A\ntheorem u : 1 = 1 := by sorry\n"
    answers = {"t": {"proof": "exact helper", "before": "theorem helper : 1 + 1 = 2 := by\n  rfl"}, "u": "rfl"}
    done = fill(text, answers)
    assert all(o.filled for o in done.outcomes)
    assert (
        done.text
        == """\
namespace A
-- about t
theorem helper : 1 + 1 = 2 := by
  rfl

@[simp] theorem t : 1 + 1 = 2 := by exact helper
end A
theorem u : 1 = 1 := by rfl
"""
    )


def test_added_lemmas_get_names_that_the_file_does_not_use(fill: Fill) -> None:
    text = "theorem t : 1 + 1 = 2 := by sorry\ntheorem helper : 3 = 3 := rfl\n"
    done = fill(text, {"t": {"proof": "exact helper", "before": "theorem helper : 1 + 1 = 2 := rfl"}})
    assert done.outcomes[0].filled and done.filler.new_error() == ""
    assert done.text.startswith("theorem helper_1 : 1 + 1 = 2 := rfl\n\ntheorem t : 1 + 1 = 2 := by exact helper_1\n")


@pytest.mark.parametrize(
    "answer",
    [
        {"proof": "trivial", "before": 'local notation "False" => True'},
        {"proof": "trivial", "before": "instance : Inhabited Nat := ⟨7⟩"},
        {"proof": "trivial", "before": "axiom false : False"},
        {"proof": "trivial", "before": "@[simp] theorem helper : True := trivial"},
        {"proof": "trivial", "before": "open Nat in theorem helper : True := trivial"},
        {"proof": "trivial", "before": "namespace B"},
        {"proof": 'trivial\n\nnotation "False" => True'},
        {"proof": "trivial\nend A\nnamespace A"},
        {"proof": "trivial /- "},
        {"proof": "trivial\n open Nat"},
        {"proof": "trivial\n set_option autoImplicit true"},
        {"proof": "trivial\n #eval 1"},
        {"proof": "trivial\n /-- doc -/ @[simp] theorem more : True := trivial"},
        {"proof": "trivial", "before": "theorem helper : True := trivial\n open Nat"},
        {"text": "/- "},
        {"proof": "  "},
        {"text": "theorem other : True := trivial"},
        {"text": ""},
    ],
)
def test_answers_that_do_more_than_answer_are_refused(fill: Fill, answer: dict[str, str]) -> None:
    text = "namespace A\ntheorem t : True := by\n  sorry\nend A\ntheorem u : ¬False := by simp\n"
    done = fill(text, {"t": answer})
    assert done.reasons == [(3, "rejected", "completion.unusable")]
    assert done.text == text


@pytest.mark.parametrize(
    ("answer", "reason"),
    [("exact sorry", "axioms.sorry"), ("exact sorryAx _ false", "axioms.sorry"), ("omega", "compile.failed")],
)
def test_answers_that_prove_nothing_are_rejected(fill: Fill, answer: str, reason: str) -> None:
    done = fill("theorem t : 1 = 2 := by\n  sorry\n", {"t": answer})
    assert done.reasons == [(2, "rejected", reason)]
    assert "sorry" in done.text and not done.filler.edits


def test_open_and_set_option_inside_a_proof(fill: Fill) -> None:
    done = fill("theorem t : True := by\n  sorry\n", {"t": "open Nat in\nset_option maxRecDepth 900 in\ntrivial"})
    assert done.outcomes[0].filled


def test_a_rewritten_declaration_is_understood(fill: Fill) -> None:
    text = "theorem t (a : Nat) : a = a := by\n  sorry\n"
    whole = "theorem t (a : Nat) :\n  a = a := by\n    -- easy\n    skip\n    rfl\n"
    done = fill(text, {"t": {"text": whole}})
    assert done.outcomes[0].filled
    assert done.text == "theorem t (a : Nat) : a = a := by\n  -- easy\n  skip\n  rfl\n"


def test_examples_instances_mutual_blocks_and_definitions(fill: Fill) -> None:
    text = """\
def g : Fin 3 := ⟨1, by sorry⟩
example : g.val = 1 := by
  sorry
instance : Inhabited (Fin 2) := ⟨⟨1, by sorry⟩⟩
instance (priority := low) : Inhabited (Fin 5) := ⟨⟨1, sorry⟩⟩
mutual
theorem m1 : True := sorry
theorem m2 : True := by admit
end
private theorem hidden : True := sorry
theorem «odd name» : True := sorry
theorem cases : (n : Nat) → n = n
  | 0 => sorry
  | _ + 1 => by sorry
"""
    answers = {"g": "decide", "unsorry_example_2": "rfl", "unsorry_instance_4": "decide",
               "unsorry_instance_5": "by decide", "m1": "trivial", "m2": "trivial", "hidden": "trivial",
               "«odd name»": "trivial",
               "File.lean:cases#1": "rfl", "File.lean:cases#2": "rfl"}  # fmt: skip
    done = fill(text, answers)
    assert [reason for _, _, reason in done.reasons] == ["accepted"] * 10
    assert "sorry" not in done.text and "admit" not in done.text and "unsorry_" not in done.text
    assert done.filler.new_error() == ""


def test_holes_that_only_a_person_can_fill(fill: Fill) -> None:
    text = """\
def f : Nat := sorry
theorem t (h : sorry) : True := by sorry
theorem u : ∃ n : Nat, n = n := ⟨sorry, rfl⟩
#check (sorry : Nat)
"""
    done = fill(text, {"f": "0", "t": "trivial", "u": "0"})
    assert done.reasons == [(1, "rejected", "hole.data"), (2, "rejected", "hole.statement"),
                            (2, "rejected", "hole.statement"), (3, "rejected", "hole.data"),
                            (4, "rejected", "hole.command")]  # fmt: skip
    assert done.text == text and done.prover.asked == []


def test_what_rests_on_another_sorry_is_kept_but_undecided(fill: Fill) -> None:
    text = """\
theorem hard : 1 = 1 := by sorry
theorem easy : 1 = 1 ∧ True := ⟨by sorry, trivial⟩
theorem free : 2 = 2 := by sorry
"""
    done = fill(text, {"easy": "exact hard", "free": "rfl"})
    assert [reason for _, _, reason in done.reasons] == ["prover.no_proof", "holes.open", "accepted"]
    rests = next(o for o in done.outcomes if o.hole.line == 2)
    assert rests.kept and "hard" in rests.message and "sorryAx" in rests.axioms
    assert "⟨by exact hard, trivial⟩" in done.text


def test_unproved_theorems_are_out_of_sight_first(fill: Fill) -> None:
    text = "theorem hard : 1 = 1 := by sorry\ntheorem easy : 1 = 1 := by sorry\n"
    done = fill(text, {"easy": ["exact hard", "rfl"]}, name="easy")
    assert "hard" not in done.prover.asked[0].source
    assert done.reasons == [(2, "accepted", "accepted")]
    assert done.text.endswith("by rfl\n")


def test_what_was_proved_can_be_used_later(fill: Fill) -> None:
    text = "theorem first : 1 + 1 = 2 := by sorry\ntheorem second : 1 + 1 = 2 := by sorry\n"
    done = fill(text, {"first": "rfl", "second": "exact first"})
    assert done.reasons == [(1, "accepted", "accepted"), (2, "accepted", "accepted")]


def test_errors_elsewhere_do_not_matter(fill: Fill) -> None:
    text = """\
theorem broken : 1 = = 2 := by simp [
theorem wrong : 1 = 2 := by rfl
theorem t : 1 = 1 := by sorry
theorem broken' : ( := by
theorem u : 2 = 2 := by sorry
theorem uses : 3 = 3 := by have := wrong; sorry
theorem bad (h : 1 + True) : True := by sorry
"""
    done = fill(text, {"t": "rfl", "u": "rfl", "uses": "rfl", "bad": "trivial"})
    assert done.reasons == [(3, "accepted", "accepted"), (5, "accepted", "accepted"),
                            (6, "undecided", "file.error"), (7, "undecided", "file.error")]  # fmt: skip
    assert len(done.filler.survey.faults) == 5


def test_a_proof_that_does_not_end_elsewhere_does_not_matter(fill: Fill) -> None:
    hang = "set_option maxHeartbeats 0 in\nset_option maxRecDepth 1000000 in\n"
    hang += "theorem hang : True := by\n  repeat (have h : True := trivial; try (clear h))\n"
    text = f"theorem s : 1 = 1 := by sorry\n{hang}theorem t : 1 = 1 := by sorry\n"
    done = fill(text, {"s": "rfl", "t": "rfl"}, file_timeout=16.0)
    assert [reason for _, _, reason in done.reasons] == ["accepted", "accepted"]
    assert [fault.startswith("does not end") for fault in done.filler.survey.faults.values()] == [True]


def test_workers(fill: Fill) -> None:
    text = "".join(f"theorem t{i} : {i} = {i} := by sorry\n" for i in range(6))
    done = fill(text, {f"t{i}": "rfl" for i in range(5)}, workers=3)
    assert [reason for _, _, reason in done.reasons] == ["accepted"] * 5 + ["prover.no_proof"]


def test_a_refutation_is_told(fill: Fill) -> None:
    done = fill("theorem t (n : Nat) : n = 0 := by\n  sorry\n", {}, disprove=True)
    assert done.reasons == [(2, "rejected", "statement.refuted")]
    assert done.outcomes[0].message.startswith("false: ") and "n" in done.outcomes[0].message
