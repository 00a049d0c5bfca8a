"""What a run comes to: each declaration against its original statement, by the strict judge, over several files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from repositories import repository, write

from unsorry.judge import StrictJudge
from unsorry.lean.process import Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.patch import make_patch
from unsorry.scaffolds.agent.report import Report, review
from unsorry.scaffolds.agent.workspace import Workspace

BASE = """def double (n : Nat) : Nat := n + n

theorem double_zero : double 0 = 0 := by
  sorry

theorem known : double 1 = 2 := rfl
"""
MAIN = """import Lib.Base

namespace Main
theorem double_eq (n : Nat) : double n = 2 * n := by
  sorry

theorem one : 1 = 1 := by
  sorry

theorem uses : double 1 = 2 := known
"""
FILES = {
    "Lib/Base.lean": BASE,
    "Lib/Main.lean": MAIN,
    "Other.lean": "theorem far : True := trivial\n",
    "README": "read me\n",
}
DOUBLE_ZERO = BASE.replace("  sorry", "  rfl")
DOUBLE_EQ = MAIN.replace("2 * n := by\n  sorry", "2 * n := by\n  unfold double; omega")
ALL = DOUBLE_EQ.replace("  sorry", "  rfl")


@pytest.fixture(scope="module")
def judge(embedded: Toolchain) -> Iterator[StrictJudge]:
    with StrictJudge(embedded, Unconfined()) as judge:
        yield judge


def reviewed(
    tmp_path: Path, judge: StrictJudge, made: Mapping[str, str | None], base: Mapping[str, str | bytes] = FILES,
    task: tuple[str, ...] = (),
) -> Report:  # fmt: skip
    """The report on a run that left these texts (None: deleted)."""
    with Workspace.create(repository(tmp_path / "user", base), place=tmp_path / "place") as workspace:
        for name, text in made.items():
            if text is None:
                (workspace.files / name).unlink()
            else:
                write(workspace.files, {name: text})
        return review(workspace, make_patch(workspace), judge, task=task)


def words(report: Report) -> dict[str, str]:
    return {d.name: d.word if d.word in ("proved", "open") else d.reason for d in report.declarations}


def read(report: Report) -> set[tuple[str, str]]:
    return {(r.what, r.name or r.file) for r in report.reading}


def test_an_honest_run_over_files_that_import_each_other(tmp_path: Path, judge: StrictJudge) -> None:
    report = reviewed(
        tmp_path, judge, {"Lib/Base.lean": DOUBLE_ZERO, "Lib/Main.lean": DOUBLE_EQ}, task=("Lib/Main.lean",)
    )
    assert words(report) == {"double_zero": "proved", "Main.double_eq": "proved", "Main.one": "open"}
    assert report.faults == [] and report.unchecked == []
    proved = {d.name: d for d in report.of("proved")}
    assert (proved["Main.double_eq"].file, proved["Main.double_eq"].line) == ("Lib/Main.lean", 4)
    assert proved["double_zero"].certificate is not None and proved["double_zero"].axioms == ()
    assert report.axioms == ("propext",) or report.axioms == proved["Main.double_eq"].axioms
    assert read(report) == {("outside the task", "Lib/Base.lean")}


def test_a_definition_changed_in_another_file_is_not_overlooked(tmp_path: Path, judge: StrictJudge) -> None:
    """Every theorem about it is another theorem, though its own text is as it was."""
    made = BASE.replace("n + n", "2 * n").replace("  sorry", "  rfl")
    report = reviewed(
        tmp_path, judge, {"Lib/Base.lean": made, "Lib/Main.lean": ALL.replace("unfold double; omega", "rfl")}
    )
    assert words(report) == {
        "double_zero": "statement.definition_differs", "known": "statement.definition_differs",
        "Main.double_eq": "statement.definition_differs", "Main.uses": "statement.definition_differs",
        "Main.one": "proved",
    }  # fmt: skip
    assert {d.name: d.change for d in report.declarations}["Main.uses"] == "untouched"
    assert ("definition", "double") in read(report)


def test_weakened_removed_axioms_and_hidden_sorries(tmp_path: Path, judge: StrictJudge) -> None:
    base = BASE.replace("double 0 = 0", "double 0 = 0 ∨ True").replace("  sorry", "  exact Or.inr trivial")
    main = (
        "import Lib.Base\n\naxiom wish (n : Nat) : double n = 2 * n\ntheorem aux : 1 = 1 := by sorry\n"
        'instance (priority := high) : Inhabited Nat := ⟨7⟩\nnotation "two" => 3\nnamespace Main\n'
        "theorem double_eq (n : Nat) : double n = 2 * n := wish n\ntheorem one : 1 = 1 := aux\n"
    )
    report = reviewed(tmp_path, judge, {"Lib/Base.lean": base, "Lib/Main.lean": main})
    assert words(report) == {
        "double_zero": "statement.type_differs", "Main.double_eq": "axioms.illegal", "Main.one": "axioms.sorry",
        "Main.uses": "statement.missing", "wish": "axioms.illegal", "aux": "open",
    }  # fmt: skip
    statement = next(r for r in report.reading if r.what == "statement")
    assert "double 0 = 0 :=" not in statement.before and statement.before.endswith("double 0 = 0")
    assert statement.after.endswith("double 0 = 0 ∨ True")
    whats = {what for what, _ in read(report)}
    assert {"axiom", "new statement", "new instance", "command", "removed", "statement"} <= whats


def test_a_proof_that_does_not_compile_does_not_cost_the_others(tmp_path: Path, judge: StrictJudge) -> None:
    broken = ALL.replace("unfold double; omega", "exact nonsense")
    report = reviewed(tmp_path, judge, {"Lib/Base.lean": DOUBLE_ZERO, "Lib/Main.lean": broken})
    assert words(report) == {"double_zero": "proved", "Main.double_eq": "compile.failed", "Main.one": "proved"}
    assert any(fault.startswith("Lib/Main.lean:5: ") for fault in report.faults)
    failed = next(d for d in report.declarations if d.name == "Main.double_eq")
    assert failed.message.startswith("Lib/Main.lean:5: ")


def test_a_base_that_does_not_compile_still_states(tmp_path: Path, judge: StrictJudge) -> None:
    """A migration: the old proof fails, the statement is what it was."""
    old = "theorem stays : 1 + 1 = 2 := rfl\ntheorem breaks (a b : Nat) : a + b = b + a := by\n  rfl\n"
    report = reviewed(
        tmp_path,
        judge,
        {"A.lean": old.replace("by\n  rfl", "Nat.add_comm a b").replace(":= rfl", ":= by decide")},
        {"A.lean": old},
    )
    assert words(report) == {"stays": "proved", "breaks": "proved"}
    report = reviewed(
        tmp_path / "2", judge, {"A.lean": old.replace("a + b = b + a := by\n  rfl", "a = a := rfl")}, {"A.lean": old}
    )
    assert words(report) == {"breaks": "statement.type_differs"}


def test_moved_renamed_deleted_and_linked_files(tmp_path: Path, judge: StrictJudge) -> None:
    moved = DOUBLE_ZERO + "theorem far : True := trivial\n"
    report = reviewed(
        tmp_path, judge, {"Lib/Base.lean": moved, "Other.lean": None, "Lib/Main.lean": None, "Lib/Last.lean": ALL}
    )
    assert words(report) == {
        "double_zero": "proved", "far": "proved", "Main.double_eq": "proved", "Main.one": "proved",
    }  # fmt: skip
    with Workspace.create(repository(tmp_path / "linked", FILES), place=tmp_path / "p2") as workspace:
        (workspace.files / "Lib" / "Base.lean").unlink()
        (workspace.files / "Lib" / "Base.lean").symlink_to("/etc/passwd")
        report = review(workspace, make_patch(workspace), judge, task=("Lib/Main.lean",))
    assert not report.of("proved") and ("link", "Lib/Base.lean") in read(report)
    assert {"double_zero", "known"} <= {d.name for d in report.of("failed")}
    assert "root:" not in str(report)


def test_examples_and_nameless_instances_are_judged_too(tmp_path: Path, judge: StrictJudge) -> None:
    base = (
        "namespace N\nexample : 1 + 1 = 2 := by\n  sorry\nexample (n : Nat) : n = n := sorry\n"
        "example : 2 = 2 := sorry\n"
        "structure S where\n  x : 1 = 1\ninstance : Inhabited S := ⟨sorry⟩\nend N\n"
    )
    made = (
        "namespace N\nexample : 1 + 1 = 2 := by\n  rfl\nexample (n : Nat) : n = n := sorry\n"
        "example : 2 = 2 ∨ True := .inr ⟨⟩\n"
        "structure S where\n  x : 1 = 1\ninstance : Inhabited S := ⟨⟨rfl⟩⟩\nend N\n"
    )
    report = reviewed(tmp_path, judge, {"A.lean": made}, {"A.lean": base})
    assert words(report) == {
        "example : 1 + 1 = 2": "proved", "example (n : Nat) : n = n": "open", "example : 2 = 2": "statement.missing",
        "instance : Inhabited S": "proved",
    }  # fmt: skip
    assert {d.name: d.line for d in report.declarations}["instance : Inhabited S"] == 8


def test_equal_examples_are_told_apart_by_what_is_around_them(tmp_path: Path, judge: StrictJudge) -> None:
    """The first is the one that is hard; filling the second must not hide it."""
    base = (
        "section\nvariable (p : Prop)\nexample : p := sorry\nend\n"
        "section\nvariable (p : Prop) (h : p)\nexample : p := sorry\nend\n"
        "example : 1 = 1 := sorry\n"
    )
    second = "section\nvariable (p : Prop) (h : p)\ninclude h\nexample : p := h\nend\n"
    made = base.replace("section\nvariable (p : Prop) (h : p)\nexample : p := sorry\nend\n", second)
    report = reviewed(tmp_path, judge, {"A.lean": made.replace("1 = 1 := sorry", "1 = 1 := rfl")}, {"A.lean": base})
    assert words(report)["example : p"] == "open" and words(report)["example : 1 = 1"] == "proved"
    gone = second + "example : 1 = 1 := rfl\n"
    report = reviewed(tmp_path / "gone", judge, {"A.lean": gone}, {"A.lean": base})
    assert words(report)["example : p"] != "proved" and words(report)["example : p (number 2)"] == "statement.missing"


def test_definitions_that_were_to_be_given(tmp_path: Path, judge: StrictJudge) -> None:
    base = {
        "D.lean": "def twice (n : Nat) : Nat := sorry\ndef thrice (n : Nat) : Nat := sorry\ndef four : Nat := 4\n",
        "M.lean": "import D\ntheorem both (n : Nat) : twice n + n = thrice n := sorry\n"
        "theorem fixed : four = twice 2 := sorry\n",
    }
    made = {
        "D.lean": "def twice (n : Nat) : Nat := 2 * n\ndef thrice (n : Nat) : Nat := 3 * n\ndef four : Nat := 4\n",
        "M.lean": "import D\ntheorem both (n : Nat) : twice n + n = thrice n := by unfold twice thrice; omega\n"
        "theorem fixed : four = twice 2 := rfl\n",
    }
    report = reviewed(tmp_path, judge, made, base)
    assert words(report) == dict.fromkeys(("twice", "thrice", "both", "fixed"), "proved")
    assert "about twice, thrice as now defined: read it" in str([d.message for d in report.declarations]).replace(
        "thrice, twice", "twice, thrice"
    )
    assert {("definition", "twice"), ("definition", "thrice")} <= read(report)
    made["D.lean"] = made["D.lean"].replace("four : Nat := 4", "four : Nat := 2 * 2")
    made["M.lean"] = made["M.lean"].replace("thrice n := by", "thrice n + 0 := by")
    report = reviewed(tmp_path / "2", judge, made, base)
    assert words(report) == {
        "twice": "proved", "thrice": "proved", "both": "statement.type_differs",
        "fixed": "statement.definition_differs",
    }  # fmt: skip


def test_a_file_that_cannot_be_read_any_more_has_nothing_proved(tmp_path: Path, judge: StrictJudge) -> None:
    report = reviewed(tmp_path, judge, {"Lib/Base.lean": DOUBLE_ZERO + "/- never ends", "Other.lean": "/-"})
    assert not report.of("proved") and {"double_zero", "known", "far"} <= {d.name for d in report.of("failed")}
    assert "Main.uses" in {d.name for d in report.of("unknown")}  # it rests on one
    assert [fault for fault in report.faults if fault.startswith("Lib/Base.lean, as it is now, cannot be judged: ")]
    broken = {"A.lean": "theorem a : 1 = 1 := sorry\n/- never ends"}
    report = reviewed(tmp_path / "2", judge, {"A.lean": "theorem a : True := trivial\n"}, broken)
    assert words(report) == {"a": "statement.invalid"}


def test_what_builds_and_runs_is_named(tmp_path: Path, judge: StrictJudge) -> None:
    report = reviewed(
        tmp_path, judge,
        {"lakefile.lean": "-- x\n", "lean-toolchain": "x\n", ".gitattributes": "* filter=x\n",
         ".github/workflows/x.yml": "x\n", "README": None},
    )  # fmt: skip
    assert read(report) == {
        ("build file", "lakefile.lean"), ("build file", "lean-toolchain"), ("other file", "README"),
        ("file that can run things", ".gitattributes"), ("file that can run things", ".github/workflows/x.yml"),
    }  # fmt: skip
    assert report.declarations == []
