"""Cheap provers before a paid call: what they did is told; nothing is offered that the strict judge did not accept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lean_world import TOWN, project, write

from unsorry import Completion, Prompt, Sampling, UnsorryError
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.scripted import ScriptedProver
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.provers_tool import Provers, TryProvers, first_look

GOALS = """import Town.Street

theorem easy (n : Nat) : twice n = 2 * n := by
  sorry

theorem wrong (n : Nat) : twice n = n := by
  sorry

theorem other : twice 5 = 10 := by
  sorry
"""
FILE = Path("Goals.lean")


@pytest.fixture
def town(tmp_path: Path, embedded: Toolchain) -> Iterator[LeanProject]:
    opened = project(tmp_path / "town", embedded, TOWN | {"Goals.lean": GOALS})
    yield opened
    opened.close()


def scripted(**answers: object) -> ScriptedProver:
    return ScriptedProver(answers)


def test_what_each_prover_did_is_told_and_the_file_is_filled(town: LeanProject) -> None:
    provers = Provers(
        town, (), made={"first": scripted(other="omega"), "second": scripted(easy="unfold twice; omega", other="rfl")}
    )
    tried = provers.attempt(FILE, write=True, disprove=False)
    assert [(t.declaration, t.closed) for t in tried.tries] == [("easy", True), ("wrong", False), ("other", True)]
    assert [[(r.prover, r.found) for r in t.runs] for t in tried.tries] == [
        [("first", False), ("second", True)],
        [("first", False), ("second", False)],
        [("first", False), ("second", True)],
    ]
    assert "closed 4:3 easy: first 0.0 s, second" in tried.text
    assert tried.tries[0].proof == "unfold twice; omega"
    text = (town.root / FILE).read_text()
    assert text == GOALS.replace("sorry", "unfold twice; omega", 1).replace("10 := by\n  sorry", "10 := by\n  rfl")
    assert town.check(FILE).sorries == ("wrong",)


def test_search_proves_behind_imports_and_a_false_statement_is_told_so(town: LeanProject) -> None:
    text = "import Town.Street\n\ntheorem easy (a b : Nat) (h : twice a = b) : b = twice a := by\n  sorry\n"
    write(town.root, {"Easy.lean": text, "Wrong.lean": "theorem wrong (a b : Nat) : a + b = a := by\n  sorry\n"})
    tool = TryProvers(Provers(town))
    easy = tool.run({"file": "Easy.lean", "write": False, "seconds": 300.0})
    assert easy.status == "ok", easy.text
    assert easy.data["tries"][0]["proof"]
    assert "+++ b/Easy.lean" in easy.text
    assert (town.root / "Easy.lean").read_text() == text
    wrong = tool.run({"file": "Wrong.lean", "seconds": 300.0})
    assert wrong.status == "unknown"
    assert "false: a = 0, b = 1" in wrong.text
    assert [(t["declaration"], t["refuted"]) for t in wrong.data["tries"]] == [("wrong", True)]
    assert not easy.data["tries"][0]["refuted"]


@pytest.mark.parametrize(
    ("imported", "proof"),
    [
        ("theorem lie : twice 5 = 10 := by sorry\n", "exact lie"),
        ("axiom lie : twice 5 = 10\n", "exact lie"),
        ("", "exact sorryAx _ false"),
        ("", "native_decide"),
    ],
)
def test_only_what_the_strict_judge_accepts_is_a_proof(town: LeanProject, imported: str, proof: str) -> None:
    write(town.root, {"Town/Street.lean": TOWN["Town/Street.lean"] + imported})
    provers = Provers(town, (), made={"liar": scripted(other=proof)})
    tried = provers.attempt(FILE, "other", write=True, disprove=False)
    assert tried.closed == 0
    assert not tried.tries[0].proof
    assert not tried.diff
    assert (town.root / FILE).read_text() == GOALS


def test_what_failed_is_tried_again_only_after_a_change(town: LeanProject) -> None:
    prover = scripted()
    provers = Provers(town, (), made={"none": prover})
    assert not provers.attempt(FILE, "other", disprove=False).tries[0].repeated
    asked = len(prover.asked)
    again = provers.attempt(FILE, "other", disprove=False)
    assert again.tries[0].repeated
    assert "tried before, and nothing has changed" in again.text
    assert len(prover.asked) == asked
    write(town.root, {"Town/Base.lean": TOWN["Town/Base.lean"] + "-- a comment\n"})
    assert not provers.attempt(FILE, "other", disprove=False).tries[0].repeated
    assert len(prover.asked) > asked


def test_a_file_that_somebody_changes_meanwhile_is_left_alone(town: LeanProject) -> None:
    class Slow:
        id = "slow"

        def propose(self, prompts: list[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
            write(town.root, {"Goals.lean": GOALS + "-- mine\n"})
            return scripted(other="rfl").propose(prompts, n=n, sampling=sampling)

    with pytest.raises(UnsorryError, match="was changed during the work and left alone"):
        Provers(town, (), made={"slow": Slow()}).attempt(FILE, "other", write=True, disprove=False)
    assert (town.root / FILE).read_text() == GOALS + "-- mine\n"


def test_no_time_left_is_told_and_not_remembered(town: LeanProject) -> None:
    assert town.check(FILE).clean  # what it imports is compiled
    provers = Provers(town, (), made={"none": scripted()})
    tried = provers.attempt(FILE, total=1e-3, disprove=False)
    assert "not tried: the time was over" in tried.text
    assert not any(t.repeated for t in provers.attempt(FILE, disprove=False).tries if t.runs and t.line > 4)


def test_the_first_look_takes_all_files_and_survives_those_it_cannot_read(town: LeanProject) -> None:
    write(town.root, {"Broken.lean": "import Nowhere\ntheorem t : 1 = 1 := by sorry\n"})
    provers = Provers(town, (), made={"first": scripted(other="rfl", easy="unfold twice; omega")})
    text, data = first_look(provers, [FILE, Path("Broken.lean"), Path("Town.lean")])
    assert "Goals.lean: provers closed 2 of 3 sorries" in text
    assert [(d["file"], d["closed"]) for d in data] == [("Goals.lean", 2)]
    assert "Broken.lean: the provers were not tried: Broken.lean:1: imports Nowhere" in text
    assert "Town.lean" not in text


def test_a_write_that_is_not_allowed_is_a_diff(town: LeanProject) -> None:
    tool = TryProvers(
        Provers(town, (), made={"first": scripted(other="rfl")}), may_write=lambda name: name != "Goals.lean"
    )
    told = tool.run({"file": "Goals.lean", "declaration": "other"})
    assert "Not written" in told.text
    assert (town.root / FILE).read_text() == GOALS
