"""From answers to submissions: the judge's statement stays, proofs and lemmas come from the model."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import Problem
from unsorry.lean.process import run_lean
from unsorry.lean.source import Source, parse
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.extraction import extract_code, extract_proof
from unsorry.provers.formats import DEFECTS, fences, make
from unsorry.provers.formats.fences import blocks, extract_answer
from unsorry.provers.formats.negation import negation

PROBLEM = Problem(
    "set/add",
    "theorem add_zero' (n : Nat) : n + 0 = n := by\n  sorry",
    ("World.add_zero'",),
    preamble="namespace World\ndef double (n : Nat) : Nat := n + n\nopen Nat",
)
SEVERAL = Problem("lets", "theorem t (n : Nat) : (let m : Nat := n; m = n) := by sorry", ("t",))
CHAT = make("goedel")


def fenced(code: str, info: str = "lean4") -> str:
    return f"Some plan.\n\n```{info}\n{code}\n```\n"


def test_the_statement_is_the_judges_and_the_lemmas_are_kept() -> None:
    code = """import Somewhere
open Nat
namespace World
def double (n : Nat) : Nat := 7
set_option maxRecDepth 1000
/-- A lemma. -/
theorem helper : 1 = 1 := rfl
private theorem other : 2 = 2 := by
  rfl
#eval 1
set_option maxHeartbeats 1000 in
@[simp] theorem add_zero' (m : Nat) : m + 0 = m := by
  have := helper
  rfl
theorem later : False := sorry
end World"""
    found = CHAT.extract(PROBLEM, fenced(code))
    assert found.defect == ""
    assert found.source == (
        "namespace World\ndef double (n : Nat) : Nat := n + n\nopen Nat\n"
        "set_option maxRecDepth 1000\n\n/-- A lemma. -/\ntheorem helper : 1 = 1 := rfl\n\n"
        "private theorem other : 2 = 2 := by\n  rfl\n\nset_option maxHeartbeats 1000 in\n\n"
        "theorem add_zero' (n : Nat) : n + 0 = n := by\n  have := helper\n  rfl\n"
    )


def test_what_is_put_together_is_lean(embedded: Toolchain) -> None:
    answers = [
        "theorem helper (n : Nat) : n + 0 = n := rfl\ntheorem add_zero' (n : Nat) : n + 0 = n := helper n",
        "namespace World\nsection\nvariable (k : Nat)\ntheorem h : k + 0 = k := rfl\nend\n"
        "theorem add_zero' (n : Nat) : n + 0 = n := h n\nend World",
        "namespace Mine\ntheorem h (k : Nat) : k + 0 = k := rfl\n"
        "theorem add_zero' (n : Nat) : n + 0 = n := by\n  exact h n\nend Mine",
        "theorem add_zero' : ∀ (n : Nat), n + 0 = n := fun n => rfl",
    ]
    for code in answers[:3]:
        found = CHAT.extract(PROBLEM, fenced(code))
        run = run_lean(embedded, found.source)
        assert not run.errors, (code, found.source, run.errors)
    # A copy with other binders is put under the judge's signature, where its proof has to stand: it does not.
    assert run_lean(embedded, CHAT.extract(PROBLEM, fenced(answers[3])).source).errors


def test_a_statement_with_several_assignments_is_not_cut_at_the_first() -> None:
    answer = fenced("theorem t (n : Nat) : (let m : Nat := n; m = n) := by\n  intro m\n  rfl")
    found = CHAT.extract(SEVERAL, answer)
    assert found.source == "theorem t (n : Nat) : (let m : Nat := n; m = n) := by\n  intro m\n  rfl\n"
    naive = SEVERAL.source.split(":=")[0] + ":= by rfl"  # what a cut at the first `:=` gives
    assert not naive.startswith("theorem t (n : Nat) : (let m : Nat := n; m = n) :=")


def test_an_auxiliary_theorem_before_the_target_is_kept_as_it_is() -> None:
    """The released code replaces the first `theorem ... := by`, which is the lemma."""
    code = "theorem aux : 1 = 1 := by\n  rfl\n\ntheorem t (n : Nat) : (let m : Nat := n; m = n) := by\n  exact rfl"
    found = CHAT.extract(SEVERAL, fenced(code))
    assert "theorem aux : 1 = 1 := by\n  rfl" in found.source
    naive = re.sub(r"theorem.*?:= by", SEVERAL.statement.removesuffix(" sorry"), code, count=1, flags=re.DOTALL)
    assert "theorem aux" not in naive


def test_dashes_in_strings_and_nested_comments_are_no_comments() -> None:
    proof = 'by\n  have h : "a -- b" = "a -- b" := rfl\n  /- one /- two -/ := by sorry -/\n  exact rfl'
    found = CHAT.extract(SEVERAL, fenced(f"theorem t (n : Nat) : (let m : Nat := n; m = n) := {proof}"))
    assert found.defect == "" and found.source.endswith(proof + "\n")
    naive = "\n".join(line.split("--")[0] for line in proof.split("\n"))
    assert naive.count('"') % 2 == 1


def test_options_and_opens_inside_a_proof_stay() -> None:
    proof = "by\n  open Nat in\n  set_option maxRecDepth 900 in\n  exact rfl"
    found = CHAT.extract(SEVERAL, fenced(f"theorem t (n : Nat) : (let m : Nat := n; m = n) := {proof}"))
    assert found.source.endswith(proof + "\n")


@pytest.mark.parametrize(
    ("output", "defect"),
    [
        ("I do not know.", "no_proof"),
        ("", "no_proof"),
        (fenced("theorem other : True := trivial"), "no_proof"),
        (fenced("theorem t (n : Nat) : n = n"), "no_proof"),
        (fenced("print(1)", "python"), "no_proof"),
        (fenced(SEVERAL.statement), "copied_statement"),
        (fenced("theorem t (n : Nat) : True := sorry"), "copied_statement"),
        (fenced("theorem t (n : Nat) : True := by\n  have : True := by sorry\n  exact rfl"), "sorry"),
        (fenced("theorem a : False := sorry\ntheorem t (n : Nat) : True := a.elim"), "sorry"),
        ("Plan.\n```lean4\ntheorem t (n : Nat) : True := by\n  simp", "unterminated"),
        ("The theorem t holds.\n```lean4\ntheorem t (n : Na", "unterminated"),
        (fenced("theorem t (n : Nat) : True := by /- open"), "no_proof"),
    ],
)
def test_defects(output: str, defect: str) -> None:
    found = CHAT.extract(SEVERAL, output)
    assert found.defect == defect and defect in DEFECTS
    assert bool(found.source) == (defect == "sorry")


def test_the_last_complete_block_that_holds_the_target() -> None:
    first, second = ("theorem t (n : Nat) : True := by " + tactic for tactic in ("first", "second"))
    assert CHAT.extract(SEVERAL, fenced(first) + fenced(second)).source.endswith(":= by second\n")
    later = fenced(first) + fenced("theorem other : True := trivial") + fenced("x = 1", "python")
    assert CHAT.extract(SEVERAL, later).source.endswith(":= by first\n")
    cut = fenced(first) + "```lean4\ntheorem t (n : Nat) : True := by\n  seco"
    assert CHAT.extract(SEVERAL, cut).source.endswith(":= by first\n")
    assert CHAT.extract(SEVERAL, f"<think>{fenced(second)}</think>\n{fenced(first)}").source.endswith(":= by first\n")


def test_fences_in_comments_and_other_fences() -> None:
    code = "/-- Example:\n```lean\nfoo\n```\n-/\ntheorem t (n : Nat) : True := by\n  done"
    assert CHAT.extract(SEVERAL, fenced(code)).source.endswith("  done\n")
    assert [block.complete for block in blocks("```lean4\na\n```lean4\nb\n```\n~~~\nc\n~~~")] == [False, True, True]
    assert [block.code for block in blocks("````lean\n```\n````")] == ["```\n"]
    assert CHAT.extract(SEVERAL, "```\nby exact rfl\n```").source.endswith("m = n) := by exact rfl\n")
    assert CHAT.extract(SEVERAL, "theorem t (n : Nat) : True := by exact rfl").source.endswith(
        "m = n) := by exact rfl\n"
    )
    crlf = fenced("theorem t (n : Nat) : True := by\n  done").replace("\n", "\r\n")
    assert CHAT.extract(SEVERAL, crlf).defect == ""


def test_several_targets() -> None:
    mutual = "mutual\ntheorem a : True := sorry\ntheorem b : True := sorry\nend"
    problem = Problem("two", mutual, ("a", "b"))
    answer = "theorem h : True := trivial\nmutual\ntheorem a : True := h\ntheorem b : True := h\nend"
    found = extract_code(problem, answer)
    assert found.source == "theorem h : True := trivial\n\nmutual\ntheorem a : True := h\ntheorem b : True := h\nend\n"
    assert extract_code(problem, "theorem a : True := trivial").defect == "no_proof"
    assert extract_proof(problem, "trivial").defect == "unsupported"
    row = Problem("row", "theorem a : True := sorry\ntheorem b : True := sorry", ("a", "b"))
    found = extract_code(row, "theorem a : True := h1\ntheorem g : True := a\ntheorem b : True := g")
    assert found.source == "theorem a : True := h1\ntheorem g : True := a\n\ntheorem b : True := g\n"


def test_equations_instead_of_an_assignment() -> None:
    problem = Problem("eq", "theorem t : ∀ n : Nat, n = n := by sorry", ("t",))
    found = extract_code(problem, "theorem t : ∀ n : Nat, n = n\n  | 0 => rfl\n  | n + 1 => rfl")
    assert found.source == "theorem t : ∀ n : Nat, n = n | 0 => rfl\n  | n + 1 => rfl\n"


def test_a_bare_proof() -> None:
    found = extract_proof(SEVERAL, " by\n  intro m\n  rfl\n", "theorem h : True := trivial")
    assert found.source == (
        "theorem h : True := trivial\n\ntheorem t (n : Nat) : (let m : Nat := n; m = n) := by\n  intro m\n  rfl\n"
    )


@pytest.mark.parametrize(
    ("proof", "defect"),
    [
        ("", "no_proof"),
        ("  \n", "no_proof"),
        (" -- by rfl", "no_proof"),
        ("sorry", "copied_statement"),
        ("by admit", "copied_statement"),
        ("by simp; sorry", "sorry"),
        ('"', "unparsable"),
    ],
)
def test_defects_of_a_bare_proof(proof: str, defect: str) -> None:
    assert extract_proof(SEVERAL, proof).defect == defect


def test_negation() -> None:
    problem = Problem(
        "n",
        "theorem t.{u} {α : Type u} [Inhabited α] -- all\n    (xs : List α) : (fun y : Nat => y) 0 = 0 := by sorry",
        ("A.t",), header="import Foo", preamble="namespace A",
    )  # fmt: skip
    negated = negation(problem)
    assert negated is not None
    assert negated.targets == ("A.t_neg",) and negated.id == "n.neg"
    assert negated.source == (
        "import Foo\nnamespace A\n"
        "theorem t_neg.{u} : ¬ (∀ {α : Type u} [Inhabited α] (xs : List α), (fun y : Nat => y) 0 = 0) := by sorry\n"
    )
    assert negation(Problem("two", "theorem a : True := sorry\ntheorem b : True := sorry", ("a", "b"))) is None
    assert negation(Problem("def", "def a : Nat := sorry", ("a",))) is None


def test_a_disproof_in_a_chat() -> None:
    problem = Problem("f", "theorem t (n : Nat) : n = 0 := by sorry", ("t",))
    disproof = "theorem t_neg : ¬ (∀ (n : Nat), n = 0) := by\n  intro h\n  cases h 1"
    for code in (disproof, f"{problem.statement}\n{disproof}"):
        found = extract_answer(problem, fenced(code), negation(problem))
        assert found.disproof and found.defect == ""
        assert found.source == f"{disproof}\n"
    both = "theorem t (n : Nat) : n = 0 := by simp\ntheorem t_neg : ¬ (∀ (n : Nat), n = 0) := by sorry"
    found = extract_answer(problem, fenced(both), negation(problem))
    assert not found.disproof and found.source == "theorem t (n : Nat) : n = 0 := by simp\n"


PIECES = st.sampled_from([
    "theorem t (n : Nat) : True := by", "theorem", "t", ":=", "by", "sorry", "rfl", "\n", "```", "```lean4\n",
    "\n```\n", "/-", "-/", '"', "end", "namespace A", "mutual", "--", "«", "»", "(", ")", "|", "=>", "section", "\x00",
    "\ud800", "where", "in", "open A in", "set_option x y in", "<|disproof|>", "<|lemma|>", "`(", "s!\"{", "}", "#exit",
    "import", " ",
])  # fmt: skip


@given(st.lists(PIECES, max_size=30).map(" ".join))
def test_hostile_answers_are_only_text(answer: str) -> None:
    for problem in (SEVERAL, PROBLEM):
        for name in ("goedel", "plain"):
            found = make(name).extract(problem, answer)
            assert found.defect in ("", *DEFECTS)
            if found.source and not found.disproof:
                own = parse(problem.source)
                target = own.declaration(problem.targets[0])
                assert target is not None
                signature = problem.source[target.start : target.body]
                assert signature.rstrip() in found.source
            if not found.defect:
                assert found.source


def test_the_parses_of_a_hostile_answer_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []

    def counting(text: str) -> Source:
        parsed.append(len(text))
        return parse(text)

    monkeypatch.setattr(fences, "parse", counting)
    for answer in ("```lean4\n/-\n" * 3000, fenced("theorem other : True := trivial") * 500, "```\n" * 5000):
        parsed.clear()
        assert CHAT.extract(SEVERAL, answer).source == ""
        assert sum(parsed) <= 40 * len(answer)  # linear: each stretch of text is read a bounded number of times
