"""Facts about translated functions, proved, and accepted by the strict judge."""

from __future__ import annotations

import pytest
from benchmarks.hunt_differential import write_crate

from unsorry import Problem, Verdict
from unsorry.bughunt.lean import translate
from unsorry.bughunt.lean.statements import lean_names, never_fails, theorem
from unsorry.bughunt.lean.tactics import by_loops, operations
from unsorry.bughunt.rust import read_crate
from unsorry.judge.judge import StrictJudge
from unsorry.judge.sandbox import choose

RUST = """
pub fn mean(a: u8, b: u8) -> u8 { a / 2 + b / 2 }
pub fn wraps(a: i32, b: i32) -> i32 { a.wrapping_add(b) }
pub fn saturates(a: i16, b: i16) -> i16 { a.saturating_mul(b).saturating_sub(3) }
pub fn within(a: i32) -> i32 { a.clamp(-5, 9) }
pub fn mix(xs: &[u8]) -> u8 {
    let mut total = 7u8;
    for x in xs {
        if *x > 3 { total = total.wrapping_mul(31) ^ *x; }
    }
    total
}
pub fn zeros(n: u64) -> u32 {
    let mut left = n;
    let mut count = 0u32;
    while left % 2 == 0 && count < 64 { left /= 2; count = count.saturating_add(1); }
    count
}
pub fn at(xs: &[u8], i: usize) -> u8 { if i < xs.len() { xs[i] } else { 0 } }
pub fn middle(xs: &[u8]) -> u8 { if xs.is_empty() { 0 } else { xs[xs.len() / 2] } }
"""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    folder = tmp_path_factory.mktemp("crate")
    write_crate(folder, RUST)
    translation = translate(read_crate(folder))
    items: list[tuple[Problem, str]] = []
    for path, function in translation.functions.items():
        variables = [(p.name, p.ty) for p in function.params]
        problem = theorem(translation, path + "_ok", variables, never_fails(translation, path, lean_names(variables)))
        loops = by_loops(translation, path, "x")
        unfold = ", ".join([function.name, *operations(translation)])
        close = "first | rfl | omega | (simp_all; done) | (simp_all <;> omega)"
        proof = f"simp only [{unfold}]\n  repeat' split\n  all_goals {close}" if loops is None else loops[1]
        statement = problem.statement.replace("sorry", f"\n  {proof}")
        items.append((problem, f"{problem.preamble}\n{loops[0] if loops else ''}\n{statement}"))
    with StrictJudge(confinement=choose("limits"), workers=1) as judge:
        return dict(zip(translation.functions, judge.judge_many(items), strict=True))


@pytest.mark.parametrize("path", ["mean", "wraps", "saturates", "within", "mix", "zeros", "at", "middle"])
def test_what_cannot_fail_is_proved(verdicts: dict[str, Verdict], path: str) -> None:
    assert verdicts[path].accepted, verdicts[path].message
    assert set(verdicts[path].axioms) <= {"propext", "Classical.choice", "Quot.sound"}
