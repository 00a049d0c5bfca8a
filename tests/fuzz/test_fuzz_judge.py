"""A sample of the changed files that `benchmarks.fuzz_judge` sends through the whole judge, and how it counts them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.fuzz_bases import Base, compiled
from benchmarks.fuzz_judge import outcome, unchanged
from benchmarks.fuzz_mutations import mutate
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry.judge import StrictJudge
from unsorry.lean.process import Unconfined, run_lean
from unsorry.lean.toolchain import Toolchain


@pytest.fixture(scope="module")
def bases(embedded: Toolchain) -> list[Base]:
    return compiled(embedded)


@pytest.fixture(scope="module")
def strict(embedded: Toolchain) -> StrictJudge:
    with StrictJudge(embedded, Unconfined()) as made:
        yield made  # type: ignore[misc]


@pytest.fixture(scope="module")
def digests(strict: StrictJudge, bases: list[Base]) -> dict[str, str]:
    found = {base.name: unchanged(strict, base) for base in bases}
    assert [bool(found[base.name]) for base in bases] == [base.right for base in bases]
    return found


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.integers(0, 15), st.randoms(use_true_random=False))
def test_no_changed_file_is_accepted_that_proves_nothing(
    strict: StrictJudge, bases: list[Base], digests: dict[str, str], which: int, luck: object
) -> None:
    base = bases[which % len(bases)]
    data = mutate(base.data, luck)  # type: ignore[arg-type]
    what, fault = outcome(strict, base, data, strict.judge_olean(base.problem, data), digests[base.name])
    assert not fault, (base.name, what, fault)


def test_another_right_proof_is_told_from_the_same(embedded: Toolchain, strict: StrictJudge, bases: list[Base]) -> None:
    base = next(b for b in bases if b.name == "logic")
    digest = unchanged(strict, base)
    run = run_lean(embedded, base.problem.statement.replace("by sorry", "fun h => ⟨h.2, h.1⟩"), olean=True)
    assert run.olean is not None
    verdict = strict.judge_olean(base.problem, run.olean)
    assert outcome(strict, base, run.olean, verdict, digest) == ("accepted, another right proof", "")
    assert outcome(strict, base, base.data, strict.judge_olean(base.problem, base.data), digest)[0].endswith(
        "the same declarations"
    )
    assert outcome(strict, replace(base, right=False), run.olean, verdict, "")[1] == "a cheat was accepted"
