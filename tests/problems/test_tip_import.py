"""Whole imports: what they print and write, and that Lean accepts it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.cli import run as command_line
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain
from unsorry.problems import jsonl
from unsorry.problems.tip.importer import find_files, import_file, import_files

LIST = "(declare-datatype list (par (a) ((nil) (cons (head a) (tail (list a))))))\n"
NAT = "(declare-datatype Nat ((Z) (S (p Nat))))\n"
ADD = NAT + "(define-fun-rec + ((x Nat) (y Nat)) Nat (match x ((Z y) ((S z) (S (+ z y))))))\n"
GOAL = "(prove (forall ((x Nat) (y Nat)) (= (+ x y) (+ y x))))\n"


def imported(text: str, tmp_path: Path, embedded: Toolchain, name: str = "t.smt2") -> str:
    """The Lean file of the only problem; it must elaborate, as a whole, with exactly one sorry."""
    path = tmp_path / name
    path.write_text(text)
    with Session(embedded) as session:
        result = import_file(path, session)
        assert result.elaborated and not result.refusal, result.refusal
        (problem,) = result.problems
        run = session.check(problem.source + f"\n#check @_root_.{problem.targets[0]}\n")
        assert not run.errors, run.errors
        assert [m.kind for m in run.messages if m.severity == "warning"] == ["hasSorry"]
    return problem.source


def test_clauses_namespace_and_names(tmp_path: Path, embedded: Toolchain) -> None:
    assert (
        imported(ADD + GOAL, tmp_path, embedded)
        == """namespace TIP

inductive Nat' where
  | Z
  | S (p : Nat')
  deriving DecidableEq, Repr

def add : Nat' → Nat' → Nat'
  | .Z, y => y
  | .S z, y => Nat'.S (add z y)

theorem t (x : Nat') (y : Nat') :
    add x y = add y x := by sorry
"""
    )


def test_assertions_are_hypotheses(tmp_path: Path, embedded: Toolchain) -> None:
    text = imported(ADD + "(assert (forall ((x Nat)) (= (+ x Z) x)))" + GOAL, tmp_path, embedded)
    assert "(h1 : ∀ (x : Nat'), add x Nat'.Z = x) (x : Nat')" in text


def test_uninterpreted_symbols_and_sorts_are_parameters(tmp_path: Path, embedded: Toolchain) -> None:
    text = imported(
        "(declare-sort Any 0)"
        + LIST
        + """(declare-const undefined (par (a) a))(declare-fun f (Any Int) Any)
(define-fun hd (par (a) (((x (list a))) a)) (match x ((nil (_ undefined a)) ((cons y z) y))))
(prove (forall ((x (list Any))) (exists ((y Int)) (= (f (hd x) y) (hd x)))))""",
        tmp_path,
        embedded,
    )
    assert "def hd {a : Type} (undefined : a) : list a → a" in text
    assert "theorem t {Any : Type} [Nonempty Any]" in text
    assert "(f : Any → Int → Any)" in text


def test_no_termination_argument_leaves_the_equation(tmp_path: Path, embedded: Toolchain) -> None:
    text = imported(
        "(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (+ x (f (- x 1)))))(prove (= (f 3) 6))", tmp_path, embedded
    )
    assert "theorem t (f : Int → Int) (f_eq : ∀ (x : Int), f x = (if x = 0 then 0 else x + f (x - 1))) :" in text


def test_an_equation_without_solution_is_guarded(tmp_path: Path, embedded: Toolchain) -> None:
    text = imported(
        LIST
        + """(define-fun-rec down ((x Int)) (list Int)
  (ite (= x 0) (_ nil Int) (cons x (down (- x 1)))))(prove (forall ((x Int)) (distinct (down x) (_ nil Int))))""",
        tmp_path,
        embedded,
    )
    assert "if h : 0 ≤ x - 1 ∧ x - 1 < x then down down_outside (x - 1) else down_outside (x - 1)" in text


def test_several_goals_and_families(tmp_path: Path, embedded: Toolchain) -> None:
    (tmp_path / "sort_nat_Quick.smt2").write_text(ADD + GOAL + GOAL)
    (tmp_path / "prop_07.smt2").write_text(ADD + GOAL)
    results = list(import_files(find_files(tmp_path), embedded))
    problems = [p for r in results for p in r.problems]
    assert [p.id for p in problems] == ["prop_07", "sort_nat_Quick_1", "sort_nat_Quick_2"]
    assert [p.family.partition("/")[2] for p in problems] == ["add", "sort_nat", "sort_nat"]
    assert problems[1].targets == ("TIP.sort_nat_Quick_1",)


def test_the_command(
    tmp_path: Path, embedded: Toolchain, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UNSORRY_TOOLCHAIN", "embedded")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "good.smt2").write_text(ADD + GOAL)
    (tmp_path / "set" / "bad.smt2").write_text("(prove\n(= 1.5 1))")
    out = tmp_path / "out.jsonl"
    assert command_line(["import", "tip", str(tmp_path / "set"), "-o", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (said["files"], said["problems"], said["elaborated"]) == (2, 1, 1)
    assert said["refused"] == {
        str(tmp_path / "set/bad.smt2"): f"{tmp_path / 'set/bad.smt2'}:2: real numbers (`1.5`) are not covered"
    }
    assert [p.id for p in jsonl.read(out)] == ["good"]


def test_wrong_paths(tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="does not exist"):
        find_files(tmp_path / "no")
    with pytest.raises(UnsorryError, match=r"holds no \.smt2 file"):
        find_files(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("data", "count"), [("isaplanner", 86), ("tip2015", 162), ("false", 68)])
def test_every_file_of_the_sets_is_imported(data: str, count: int, shared: Path, embedded: Toolchain) -> None:
    results = list(import_files(find_files(shared / "data/tip" / data), embedded))
    assert not [r.refusal for r in results if r.refusal]
    problems = [p for r in results for p in r.problems]
    assert len(problems) == len(results) == count
    with Session(embedded) as session:
        for problem in problems:
            run = session.check(problem.source, timeout=120)
            assert not run.errors, (problem.id, run.errors)
            assert sum(m.kind == "hasSorry" for m in run.messages) == 1
