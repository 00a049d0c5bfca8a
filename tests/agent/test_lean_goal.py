"""lean_goal: goals before and after, of every sorry, at places that count characters; a dead Lean is one line."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from lean_world import ENDLESS, TOWN, Watched, project, wait_for, write

from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.lean.worker import utf16
from unsorry.scaffolds.agent.lean_session import close_projects, goal_at
from unsorry.scaffolds.agent.lean_tools import LeanGoal

STREETS = """import Town.Base

theorem 𝔸_αβ (α β : Nat) (h : α = β) : twice β = α + α := by
  have «𝔸 𝔸» := "𝔸𝔸"; have k := h.symm; subst k
  rfl

theorem two (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · sorry
  · exact (sorry : q)

def data : Nat := sorry
"""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory, embedded: Toolchain) -> Iterator[LeanProject]:
    root = tmp_path_factory.mktemp("goals") / "town"
    opened = project(root, embedded, TOWN | {"Town/Streets.lean": STREETS})
    yield opened
    opened.close()


FILE = Path("Town/Streets.lean")


def test_goals_before_and_after_a_line(town: LeanProject) -> None:
    goals = town.goals(FILE, 8)
    assert goals.before == ("p q : Prop\nhp : p\nhq : q\n⊢ p ∧ q",)
    assert goals.after is not None
    assert [g.rpartition("⊢ ")[2] for g in goals.after] == ["p", "q"]
    assert (goals.line, goals.column) == (8, 3)


def test_columns_count_characters_not_bytes_or_units(town: LeanProject) -> None:
    line = STREETS.split("\n")[3]
    at = line.index("subst")
    assert utf16(line[:at]) != at != len(line[:at].encode())
    goals = town.goals(FILE, 4, at + 1)
    assert goals.before is not None
    assert "k : β = α" in goals.before[0]
    assert goals.after is not None
    assert "k :" not in goals.after[0]


def test_every_sorry_of_a_declaration(town: LeanProject) -> None:
    found = town.holes(FILE, "two")
    assert [(h.line, name) for h, name, _ in found] == [(9, "two"), (10, "two")]
    assert found[0][2].before is not None
    assert found[0][2].before[0].endswith("⊢ p")
    assert found[1][2].expected.endswith("⊢ q")
    everything = town.holes(FILE)
    assert everything[-1][2].expected.endswith("⊢ Nat")
    tool = LeanGoal(town).run({"file": "Town/Streets.lean", "declaration": "two"})
    assert tool.status == "ok"
    assert "two, sorry at Town/Streets.lean:9:5" in tool.text


def test_where_there_is_no_goal(town: LeanProject) -> None:
    assert town.goals(FILE, 2).before is None
    assert "no goals here" in town.goals(FILE, 2).text
    assert town.goals(FILE, 5).after == ()
    assert "there is no line 99" in town.goals(FILE, 99).reason
    assert "there is no column 200" in town.goals(FILE, 5, 200).reason


def test_edits_are_followed_below_and_in_the_file(embedded: Toolchain, tmp_path: Path) -> None:
    text = "import Town.Base\nexample : twice 3 = 6 := by\n  skip\n"
    opened = project(tmp_path / "town", embedded, {**TOWN, "A.lean": text})
    try:
        assert "⊢ twice 3 = 6" in opened.goals(Path("A.lean"), 3).text
        write(opened.root, {"A.lean": text.replace("3 = 6", "4 = 8")})
        assert "⊢ twice 4 = 8" in opened.goals(Path("A.lean"), 3).text
        other = "import Town.Street\nexample : twice 1 = 2 := by\n  have h := twice_one\n  skip\n"
        write(opened.root, {"A.lean": other})
        assert "h : twice 1 = 2" in opened.goals(Path("A.lean"), 4).text
        write(opened.root, {"Town/Base.lean": TOWN["Town/Base.lean"] + "\ndef new := 1\n"})
        write(opened.root, {"A.lean": "import Town.Base\nexample : new = 1 := by\n  skip\n"})
        assert "⊢ new = 1" in opened.goals(Path("A.lean"), 3).text
        write(opened.root, {"Town/Base.lean": "def"})
        broken = opened.goals(Path("A.lean"), 3)
        assert "imports Town.Base, which has errors" in broken.reason
    finally:
        opened.close()


def test_an_error_above_is_told(town: LeanProject) -> None:
    text = "theorem a : 1 = 2 := by\n  exact 5 5\n  skip\n"
    assert town.goals(FILE, 2, text=text).before == ("⊢ 1 = 2",)
    wait_for(lambda: "error at line 2" in town.goals(FILE, 2, text=text).text)


def test_running_out_of_time_is_unknown_and_the_next_call_works(town: LeanProject) -> None:
    goals = town.goals(FILE, 3, text=ENDLESS + "example : 1 = 1 := by rfl\n", timeout=2.0)
    assert "still elaborating" in goals.reason
    assert town.goals(FILE, 8).known


def test_a_worker_that_is_killed_is_one_line_and_the_next_call_works(tmp_path: Path, embedded: Toolchain) -> None:
    watched = Watched()
    opened = project(tmp_path / "town", embedded, confinement=watched)
    try:
        answers = []
        text = ENDLESS + "example : 1 = 1 := by rfl\n"
        thread = threading.Thread(target=lambda: answers.append(opened.goals(Path("Town.lean"), 3, text=text)))
        thread.start()
        wait_for(watched.started.is_set)
        watched.servers[0].kill()
        thread.join()
        assert "the Lean process died" in answers[0].reason
        assert "\n" not in answers[0].text
        assert opened.goals(Path("Town/Base.lean"), 3).known
    finally:
        opened.close()


def test_the_plain_function_opens_the_project(
    tmp_path: Path, embedded: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNSORRY_TOOLCHAIN", "embedded")
    write(tmp_path, TOWN)
    try:
        goals = goal_at(tmp_path / "Town" / "Base.lean", 3, 37, root=tmp_path)
        assert goals.expected.endswith("⊢ twice 0 = 0")
    finally:
        close_projects()
