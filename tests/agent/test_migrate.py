"""Migration: the smallest failing file, the cause, and every fix tried with the real Lean and the strict judge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.judge import StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean.names import Name
from unsorry.lean.session import Session
from unsorry.lean.source import parse
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.migrate import Diagnosis, as_json, diagnose, report
from unsorry.scaffolds.migrate.causes import RENAMED, TRANSPARENCY, UNKNOWN
from unsorry.scaffolds.migrate.failing import failures
from unsorry.scaffolds.migrate.inline import inline
from unsorry.scaffolds.migrate.reduce import Reducer, without_comments

ALIAS = (Path(__file__).parents[1] / "cases" / "alias" / "def.lean").read_text()
NOISE = """
/-! Nothing to do with it. -/

def twice (n : Nat) : Nat := n + n

theorem twice_eq (n : Nat) : twice n = 2 * n := by
  unfold twice
  omega
"""


@pytest.fixture(scope="module")
def session(embedded: Toolchain) -> Iterator[Session]:
    with Session(embedded) as opened:
        yield opened


@pytest.fixture(scope="module")
def judge(embedded: Toolchain) -> Iterator[StrictJudge]:
    with StrictJudge(embedded, choose("strict")) as opened:
        yield opened


@pytest.fixture(scope="module")
def alias(session: Session, judge: StrictJudge) -> Diagnosis:
    return diagnose(NOISE + ALIAS, session.check, judge)


def test_the_alias_is_named_as_the_cause(alias: Diagnosis) -> None:
    assert [f.declaration for f in alias.failures] == ["use", "L2_length"]
    cause = alias.cause
    assert (cause.kind, cause.name, cause.value, cause.alias) == (TRANSPARENCY, "T2", "List Bool", True)
    assert len(cause.evidence) == 2  # `abbrev` repairs it, and so does Lean's option for just this


def test_the_failing_file_is_minimal_and_fails_for_the_same_reason(alias: Diagnosis, session: Session) -> None:
    text = alias.minimal
    assert alias.is_minimal
    assert "twice" not in text and "L2_length" not in text and "/-" not in text
    first = failures(parse(text), session.check(text))
    assert [f.headline for f in first] == [alias.failures[0].headline]
    assert session.check(text.replace("def T2", "abbrev T2")).ok
    for index in range(len(parse(text).commands)):  # no command can be missed
        command = parse(text).commands[index]
        less = text[: command.start] + text[command.end :]
        run = session.check(less)
        assert run.ok or [f.headline for f in failures(parse(less), run)] != [alias.failures[0].headline]


def test_the_ladder_rises_and_only_what_repairs_is_recommended(alias: Diagnosis) -> None:
    reach = [trial.rung.reach for trial in alias.trials]
    assert reach == sorted(reach, key=["the proof", "the definition", "the file"].index)
    results = {trial.rung.name: trial for trial in alias.trials}
    assert set(results["`show`"].left) == {"L2_length"}  # it mends the `rw`, not the `simp`
    assert not results["`unfold`"].repairs
    for name in ("`abbrev`", "`@[reducible]`", "`@[implicit_reducible]`", "`set_option`", "`set_option ... in`"):
        verdict = results[name].verdict
        assert results[name].repairs and verdict is not None and verdict.accepted and verdict.tier == "strict", name
    assert results["`abbrev`"].rung.declarations == 3  # L2 and the two theorems
    assert alias.recommended is results["`abbrev`"]
    assert "abbrev T2 := List Bool" in results["`abbrev`"].rung.text


def test_the_report_and_the_json_say_the_same(alias: Diagnosis) -> None:
    text = report(alias, "def.lean")
    assert "definition" in text and "Recommended: `abbrev`" in text and alias.minimal.strip() in text
    data = as_json(alias, NOISE + ALIAS)
    assert data["recommended"] == "`abbrev`" and data["cause"]["name"] == "T2"
    abbrev = next(rung for rung in data["rungs"] if rung["name"] == "`abbrev`")
    assert "-def T2 := List Bool\n+abbrev T2 := List Bool\n" in abbrev["diff"]


@pytest.mark.slow
def test_a_renamed_lemma_is_found_by_trying_the_nearest_names(session: Session, judge: StrictJudge) -> None:
    text = "theorem a (n : Nat) : n + 0 = n := by\n  rw [Nat.add_nought]\n"
    names = [str(name) for name in judge.library.scope([Name.parse("Init")]).names]
    found = diagnose(text, session.check, judge, known=lambda: names)
    assert (found.cause.kind, found.cause.name) == (RENAMED, "Nat.add_nought")
    if found.recommended is not None:  # the nearest name that fits
        assert found.recommended.repairs and "Nat.add_nought" not in found.recommended.rung.text
    near = diagnose(text.replace("add_nought", "add_zer"), session.check, judge, known=lambda: names)
    assert near.recommended is not None and near.recommended.rung.name == "`Nat.add_zero`"


def test_what_no_experiment_explains_is_called_unknown(session: Session) -> None:
    found = diagnose("def f (n : Nat) : Nat := n\n\ntheorem a : f 1 = 2 := by\n  rfl\n", session.check)
    assert (found.cause.kind, found.trials, found.recommended) == (UNKNOWN, (), None)
    assert found.minimal.startswith("def f")  # still cut down and told


def test_a_file_without_failure_has_none(session: Session) -> None:
    assert diagnose("theorem a : 1 + 1 = 2 := rfl\n", session.check).failures == ()


@pytest.mark.slow
def test_the_files_of_a_project_become_one_text(tmp_path: Path, session: Session) -> None:
    (tmp_path / "Lib").mkdir()
    (tmp_path / "Lib" / "Alias.lean").write_text("namespace Lib\n" + ALIAS.split("theorem")[0])
    uses = "import Lib.Alias\n\nnamespace Lib\n\ntheorem" + ALIAS.split("theorem")[1] + "\nend Lib\n"
    (tmp_path / "Lib" / "Uses.lean").write_text(uses)
    text = inline(tmp_path, tmp_path / "Lib" / "Uses.lean")
    assert "import" not in text
    found = diagnose(text, session.check, checks=3)
    assert [f.declaration for f in found.failures] == ["Lib.use"]
    assert found.cause.name == "Lib.T2"
    assert found.recommended is not None and found.recommended.rung.name == "`abbrev`"


def test_files_that_import_each_other_are_told(tmp_path: Path) -> None:
    (tmp_path / "A.lean").write_text("import B\n")
    (tmp_path / "B.lean").write_text("import A\n")
    with pytest.raises(UnsorryError, match=r"imports itself, through A\.lean, B\.lean"):
        inline(tmp_path, tmp_path / "A.lean")


def test_the_reduction_stops_at_its_budget_and_says_so() -> None:
    reducer = Reducer(lambda text: "keep" in text, checks=5)
    reduced = reducer.reduce("".join(f"def a{i} := {i}\n" for i in range(50)) + "def keep := 1\n")
    assert reducer.exhausted and reducer.asked == 5 and "keep" in reduced
    assert without_comments("/- a -/ def x := 1 -- b\n\n\ndef y := 2\n") == " def x := 1\ndef y := 2\n"
