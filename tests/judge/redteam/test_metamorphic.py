"""What must not change a verdict, over cases of the corpus; and what two tiers may say of one submission."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from unsorry import Status
from unsorry.judge import FastJudge, StrictJudge
from unsorry.lean.process import Confinement, Limits
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.formats.negation import negation
from unsorry.redteam import Case, home, load

Change = Callable[[Case], Case]
LIMITS = Limits(wall=60.0, cpu=30.0, memory=2 << 30, file_size=64 << 20)
FIRST, SECOND = "theorem unused_1 : True := trivial\n", "theorem unused_2 (n : Nat) : n = n := rfl\n"


def usable(case: Case) -> bool:
    """Of one text, with one right status, that ends by itself and names its target plainly."""
    return (
        case.needs == "core" and not case.build and not case.files and len(case.verdict) == 1 and not case.seconds
        and case.targets == ("target",) and "undecided" not in case.verdict and not case.markers and not case.plant
        and not case.environment
    )  # fmt: skip


CASES = [case for case in load(home()) if usable(case)]
PLAIN = [c for c in CASES if not re.match(r"\s*(import|prelude|module|/-)", c.submission)]


def renamed(case: Case) -> Case:
    """The target has another name, in statement and submission alike."""
    new = "goal_of_another_name"
    rename = re.compile(r"\btarget\b").sub
    return replace(case, statement=rename(new, case.statement), submission=rename(new, case.submission), targets=(new,))


def reformatted(case: Case) -> Case:
    """Other white space and comments around and between what is there, the statement's included."""
    return replace(
        case,
        statement="/- what is asked -/\n\n" + case.statement.replace("\n", "  \n") + "\n\n-- the end\n",
        submission="/- what is\n given -/\n\n" + case.submission.replace("\n\n", "\n\n-- between\n\n") + "\n\n\n",
    )


def with_lemmas(case: Case) -> Case:
    return replace(case, submission=FIRST + SECOND + case.submission)


def reordered(case: Case) -> Case:
    return replace(case, submission=SECOND + FIRST + case.submission)


def with_last_lemma(case: Case) -> Case:
    return replace(case, submission=case.submission.rstrip("\n") + "\n\n" + FIRST)


CHANGES = (renamed, reformatted, with_lemmas, reordered, with_last_lemma)


@pytest.fixture(scope="module")
def strict(embedded: Toolchain, sandbox: Confinement) -> Iterator[StrictJudge]:
    with StrictJudge(embedded, sandbox, limits=LIMITS) as judge:
        yield judge


@pytest.fixture(scope="module")
def fast(embedded: Toolchain, sandbox: Confinement) -> Iterator[FastJudge]:
    with FastJudge(embedded, sandbox, limits=LIMITS) as judge:
        yield judge


def sampled(cases: list[Case], small: int, every: int) -> list[object]:
    """A few cases of a list, evenly taken, and more for the slow tests."""
    step = max(1, len(cases) // small)
    chosen = set(range(0, len(cases), step))
    return [
        pytest.param(case, id=str(case), marks=[] if number in chosen else [pytest.mark.slow])
        for number, case in enumerate(cases)
        if number in chosen or number % every == 0
    ]


@pytest.mark.parametrize("case", sampled(PLAIN, 5, 7))
def test_what_does_not_count_changes_no_verdict(strict: StrictJudge, case: Case) -> None:
    for change in CHANGES:
        changed = change(case)
        verdict = strict.judge(changed.problem, changed.submission)
        assert str(verdict.status) in case.verdict, (change.__name__, verdict.reason, verdict.message)


def test_a_case_and_its_copies_have_one_digest(strict: StrictJudge) -> None:
    """Renamed and reformatted statements are the same question."""
    for case in [c for c in PLAIN if not c.hostile][::90]:
        asked = {strict.prepare(change(case).problem).digest for change in (renamed, reformatted, with_lemmas)}
        assert asked == {strict.prepare(case.problem).digest}, case.id


@pytest.mark.parametrize("case", sampled(CASES, 8, 3))
def test_the_fast_tier_rejects_nothing_that_the_strict_one_accepts(
    strict: StrictJudge, fast: FastJudge, case: Case
) -> None:
    quick = fast.judge(case.problem, case.submission)
    assert quick.status is not Status.ACCEPTED
    if quick.status is Status.REJECTED:
        assert strict.judge(case.problem, case.submission).status is not Status.ACCEPTED, quick.message


HONEST = [c for c in PLAIN if not c.hostile and negation(c.problem) is not None]
TRY = "by first | decide | omega | (intros; simp_all) | (intro h; simp at h) | (intro h; exact absurd (h 0) (by simp))"


@pytest.mark.parametrize("case", sampled(HONEST, 3, 5))
def test_a_statement_and_its_negation_are_never_both_accepted(strict: StrictJudge, case: Case) -> None:
    """The proof of a statement, under the negation's name too; and what a prover would try on the negation."""
    opposite = negation(case.problem)
    assert opposite is not None
    [name] = opposite.targets
    assert strict.judge(case.problem, case.submission).accepted
    tries = [
        case.submission,
        re.sub(r"\btarget\b", name, case.submission),
        opposite.source.replace("by sorry", TRY),
        re.sub(r"\btarget\b", "proved", case.submission) + "\n" + opposite.source.replace("by sorry", "proved"),
    ]
    for text in tries:
        verdict = strict.judge(opposite, text)
        assert verdict.status is not Status.ACCEPTED, (verdict.message, text)
