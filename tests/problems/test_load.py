from __future__ import annotations

from pathlib import Path

import pytest

from unsorry import Problem, UnsorryError
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain
from unsorry.problems import jsonl, load

FILE = """-- a file
/-! sorry, not a hole -/
namespace N

def double (n : Nat) : Nat := n + n

/-- About double. -/
@[simp] theorem double_eq (n : Nat) : double n = 2 * n := by
  unfold double
  sorry

theorem proved : True := trivial

section
variable (m : Nat)
theorem pos (h : 0 < m) : 0 < double m := sorry
end
end N

theorem last (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · sorry
  · sorry
"""


def test_each_unproved_theorem_is_a_problem(tmp_path: Path, embedded: Toolchain) -> None:
    path = tmp_path / "Some.lean"
    path.write_text(FILE)
    problems = load(path)
    assert [p.id for p in problems] == ["Some.lean:N.double_eq", "Some.lean:N.pos", "Some.lean:last"]
    assert [p.targets for p in problems] == [("N.double_eq",), ("N.pos",), ("last",)]
    for problem in problems:
        assert problem.statement.endswith(":= by sorry")
        run = run_lean(embedded, problem.source + f"\n#check @_root_.{problem.targets[0]}\n")
        assert not run.errors


def test_a_folder_holds_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "A.lean").write_text("theorem t : True := by sorry\n")
    jsonl.write(tmp_path / "a.jsonl", [Problem(id="x", statement="theorem x : True := by sorry", targets=("x",))])
    (tmp_path / "notes.txt").write_text("no problem")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "B.lean").write_text("not looked at")
    assert [p.id for p in load(tmp_path)] == ["x", "b/A.lean:t"]


@pytest.mark.parametrize(("name", "content", "said"), [
    ("A.lean", "theorem t : True := trivial\n", "holds no theorem with a sorry"),
    ("A.lean", "def f : Nat := sorry\n", "line 1 (def)"),
    ("A.lean", "example : True := sorry\n", "line 1 (example)"),
    ("A.lean", "/- open", "A.lean"),
    ("A.txt", "theorem t : True := by sorry\n", "expected a .jsonl or .lean file"),
    ("a.smt2", "(prove true)\n", "unsorry import tip"),
])  # fmt: skip
def test_faults_are_one_line(name: str, content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(UnsorryError) as caught:
        load(tmp_path / name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_and_empty(tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="does not exist"):
        load(tmp_path / "no.jsonl")
    with pytest.raises(UnsorryError, match=r"holds no \.jsonl or \.lean file"):
        load(tmp_path)
