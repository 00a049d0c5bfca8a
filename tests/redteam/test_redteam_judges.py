"""The judges by name, on real Lean; an adapter of one's own; programs that are not there."""

from __future__ import annotations

import stat
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.lean.process import Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam import Case, home, load, programs, run_corpus
from unsorry.redteam.judges import JUDGES, Bench, absent, make

CASES = {case.id: case for case in load(home())}
FEW = [CASES[name] for name in ("calc", "true-negation", "v01-sorry-term", "v14-axiom-plain", "v38-skip-kernel")]


@pytest.mark.parametrize(
    ("name", "accepts", "rejects", "undecided"),
    [
        ("strict", 0, 0, 0),
        ("fast", 0, 0, 4),  # all but the sorry: it accepts nothing, and believes what Lean says of the rest
        ("lean-exit-code", 3, 0, 0),
        ("lean-messages", 2, 0, 0),
        ("lean-print-axioms", 1, 0, 0),
    ],
)
def test_the_scoreboard_of_each(bench: Bench, name: str, accepts: int, rejects: int, undecided: int) -> None:
    with ExitStack() as stack:
        board = run_corpus(make(name, bench, stack), FEW)
    assert (board.false_accepts, board.false_rejects, board.undecided) == (accepts, rejects, undecided)
    assert board.wrong_reasons == 0


def test_an_endless_case_is_undecided_for_those_that_believe_lean(bench: Bench) -> None:
    endless = replace(CASES["v67-endless-macro"], seconds=1.5)
    with ExitStack() as stack:
        for name in ("lean-messages", "fast"):
            assert run_corpus(make(name, bench, stack), [endless]).false_accepts == 0


def test_an_adapter_of_ones_own_is_two_lines(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def judge(case):\n    return 'rejected' if 'sorry' in case.submission else 'accepted'\n")
    with ExitStack() as stack:
        board = run_corpus(make(f"{file}:judge", bench, stack), FEW)
    assert (board.false_accepts, board.false_rejects) == (2, 0)
    monkeypatch.syspath_prepend(str(tmp_path))
    with ExitStack() as stack:
        assert run_corpus(make("mine:judge", bench, stack), FEW).false_accepts == 2


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("def judge(case): pass", "absent", "AttributeError"),
        ("judge = 3", "judge", "is no adapter"),
        ("def judge(case:", "judge", "SyntaxError"),
        ("raise SystemError('a\\nb')", "judge", "SystemError: a b"),
    ],
)
def test_an_adapter_that_cannot_be_loaded_is_one_line(
    bench: Bench, tmp_path: Path, text: str, name: str, said: str
) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    with pytest.raises(UnsorryError, match=said) as error, ExitStack() as stack:
        make(f"{file}:{name}", bench, stack)
    assert "\n" not in str(error.value)


def test_a_wrong_name(bench: Bench) -> None:
    with pytest.raises(UnsorryError, match="use strict, fast"), ExitStack() as stack:
        make("strikt", bench, stack)
    with pytest.raises(UnsorryError, match="ModuleNotFoundError"), ExitStack() as stack:
        make("no_such_module:judge", bench, stack)


@pytest.mark.parametrize("name", list(programs.PROGRAMS))
def test_programs_that_are_not_there(bench: Bench, name: str) -> None:
    assert absent(name, bench.toolchain)
    with pytest.raises(UnsorryError, match="is not present"), ExitStack() as stack:
        make(name, bench, stack)


def test_ours_are_always_there(embedded: Toolchain) -> None:
    assert [name for name in JUDGES if not absent(name, embedded)] == [
        "strict", "fast", "lean-exit-code", "lean-messages", "lean-print-axioms",
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "executable"), [("leanchecker", "leanchecker"), ("safeverify", "safe_verify")])
@pytest.mark.parametrize(
    ("body", "answer"),
    [("exit 0", "accepted"), ("exit 1", "rejected"), ("kill -9 $$", "undecided"), ("sleep 60", "undecided")],
)
def test_what_the_exit_code_of_a_checker_means(
    embedded: Toolchain, tmp_path: Path, name: str, executable: str, body: str, answer: str
) -> None:
    """On a stand-in for the program: none of them runs on the embedded Lean."""
    program = tmp_path / executable
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    toolchain = replace(embedded, kind="path")
    bench = Bench(replace(toolchain, lean=(str(tmp_path / "lean"), *toolchain.lean[1:])), Unconfined())
    assert not absent(name, bench.toolchain)
    found = programs.PROGRAMS[name]
    limits = replace(bench.limits(FEW[0]), wall=2.5 if "sleep" in body else 30.0)
    assert found.judge(program, FEW[0], embedded, bench.confinement, limits) == answer
    broken: Case = replace(FEW[0], submission="theorem target : := 1\n")
    assert found.judge(program, broken, embedded, bench.confinement, limits) == "rejected"


def test_the_question_that_comparator_is_asked() -> None:
    asked = programs.question(FEW[0])
    assert asked["theorem_names"] == ["target"]
    assert "sorryAx" not in str(asked) and asked["permitted_axioms"] == ["propext", "Quot.sound", "Classical.choice"]
