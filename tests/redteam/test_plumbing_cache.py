"""What is remembered between judgements: keys that two different questions must not share, sessions that stay warm."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from unsorry import Problem
from unsorry.evaluation.run import Settings, key
from unsorry.judge import FastJudge, StrictJudge
from unsorry.judge.certificate import problem_digest
from unsorry.judge.tiered import TieredJudge
from unsorry.redteam.judges import Bench

BASE = Problem("p", "theorem t : True := by sorry\n", ("t",))
ASKED = {
    "the base": BASE,
    "another statement": replace(BASE, statement="theorem t : 1 = 1 := by sorry\n"),
    "a preamble": replace(BASE, preamble="def a := 1"),
    "the preamble as header": replace(BASE, header="def a := 2"),
    "two targets": replace(BASE, targets=("t", "u")),
    "two targets in one": replace(BASE, targets=("t u",)),
    "a target with a quote and a comma": replace(BASE, targets=('t", "u',)),
    "the targets swapped": replace(BASE, targets=("u", "t")),
    "a target that ends the statement": replace(BASE, statement="theorem t : True := by sorry\nt\n", targets=()),
    "more space": replace(BASE, statement="theorem t : True := by  sorry\n"),
    "a final newline more": replace(BASE, statement="theorem t : True := by sorry\n\n"),
    "no-break space": replace(BASE, statement="theorem t : True := by\u00a0sorry\n"),
    "decomposed": replace(BASE, preamble="-- e\u0301"),
    "composed": replace(BASE, preamble="-- \u00e9"),
    "escaped": replace(BASE, preamble="-- \\u00e9"),
}


@pytest.mark.parametrize("digest", [problem_digest, lambda p: key(p, Settings())])
def test_different_questions_have_different_keys(digest: Callable[[Problem], str]) -> None:
    for (one, a), (other, b) in itertools.combinations(ASKED.items(), 2):
        assert digest(a) != digest(b), f"{one} and {other}"


def test_settings_are_part_of_the_key_of_an_attempt() -> None:
    base = Settings()
    others = [
        replace(base, prover="scripted"), replace(base, samples=2), replace(base, timeout=61.0), replace(base, seed=1),
        replace(base, disprove=False), replace(base, sandbox="none"),
    ]  # fmt: skip
    assert len({key(BASE, settings) for settings in (base, *others)}) == 1 + len(others)


def test_the_memo_of_verdicts_tells_targets_from_submissions(bench: Bench) -> None:
    judge = TieredJudge(StrictJudge(bench.toolchain, bench.confinement), FastJudge(bench.toolchain, bench.confinement))
    asked = [
        (BASE, "u"), (replace(BASE, targets=("t", "u")), ""), (replace(BASE, targets=("t", "u")), "u"),
        (replace(BASE, targets=()), "t"), (replace(BASE, id="q"), "u"), (BASE, "u\n"), (BASE, " u"), (BASE, ""),
    ]  # fmt: skip
    assert len({judge._key(problem, submission) for problem, submission in asked}) == len(asked)


@pytest.fixture(scope="module")
def strict(bench: Bench) -> Iterator[StrictJudge]:
    with StrictJudge(bench.toolchain, bench.confinement) as made:
        yield made


def test_one_name_for_two_problems(strict: StrictJudge) -> None:
    """The elaborated statement is remembered by its text, never by the problem's id."""
    easy = Problem("same", "theorem t : 1 = 1 := by sorry", ("t",))
    false = Problem("same", "theorem t : 1 = 2 := by sorry", ("t",))
    proof = "theorem t : 1 = 1 := rfl"
    for problem, status in ((easy, "accepted"), (false, "rejected"), (easy, "accepted")):
        assert strict.judge(problem, proof).status == status


def test_one_statement_with_other_targets(strict: StrictJudge) -> None:
    text = "theorem t : 1 = 1 := by sorry\ntheorem u : 1 = 2 := by sorry"
    proof = "theorem t : 1 = 1 := rfl\ntheorem u : 1 = 2 := by sorry"
    for targets, status in ((("t",), "accepted"), (("t", "u"), "rejected"), (("u",), "rejected"), (("t",), "accepted")):
        assert strict.judge(Problem("p", text, targets), proof).status == status


POISON = {
    "an axiom": "axiom cheat : False",
    "the target itself": "theorem t (n : Nat) : n + 1 = n := by sorry",
    "a notation": 'notation:50 a " = " b => True',
    "a macro": "macro_rules | `(tactic| omega) => `(tactic| sorry)",
    "an instance": "instance (priority := high) evil : HAdd Nat Nat Nat := ⟨fun a _ => a⟩",
    "an option": "set_option debug.skipKernelTC true",
    "a simp lemma": "@[simp] theorem lie (n : Nat) : n + 1 = n := sorry",
    "an open scope": "namespace Evil\nsection\nvariable (h : False)",
    "a comment without end": "/- from here on",
    "the end": "#exit",
    "a quiet message": "set_option warn.sorry false",
    "few errors": "set_option maxErrors 0",
}


def test_a_warm_session_forgets_each_submission(bench: Bench) -> None:
    """One session serves all texts with one header: what one leaves behind must not help or harm the next."""
    problem = Problem("p", "theorem t (n : Nat) : n + 1 = n := by sorry", ("t",))
    true = Problem("q", "theorem t (n : Nat) : n + 0 = n := by sorry", ("t",))
    wrong = "theorem t (n : Nat) : n + 1 = n := by omega"
    uses = "theorem t (n : Nat) : n + 1 = n := cheat.elim"
    admitted = "theorem t (n : Nat) : n + 1 = n := by sorry"
    with FastJudge(bench.toolchain, bench.confinement) as fast:
        for name, poison in POISON.items():
            fast.judge(problem, poison + "\n")
            assert fast.judge(problem, wrong).reason == "fast.error", name
            assert fast.judge(problem, uses).reason == "fast.error", name
            assert fast.judge(problem, admitted).reason == "fast.sorry", name
            assert fast.judge(true, "theorem t (n : Nat) : n + 0 = n := rfl").reason == "fast.passed", name
