"""Notes and lemmas outlive a context and a process; a lemma is judged when it is kept and whenever it is used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lean_world import TOWN, project, write

from unsorry import UnsorryError
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.lemmas import Lemmas, UseLemmas
from unsorry.scaffolds.agent.notes import SHOWN, Notes, TakeNotes

LEMMAS = """import Town.Base

namespace Corner
variable (n : Nat)
open Nat in
theorem aside : 1 = 1 := rfl
section
open Nat
theorem twice_eq : twice n = 2 * n := by unfold twice; omega
theorem twice_twice : twice (twice n) = 4 * n := by rw [twice_eq, twice_eq]; omega
theorem unproved : twice n = n + n := by sorry
theorem from_unproved : twice n = n + n := unproved n
end
end Corner
"""
FILE = Path("Corner.lean")


@pytest.fixture
def town(tmp_path: Path, embedded: Toolchain) -> Iterator[LeanProject]:
    opened = project(tmp_path / "town", embedded, TOWN | {"Corner.lean": LEMMAS, "Use.lean": "import Town.Base\n"})
    yield opened
    opened.close()


def test_notes_are_a_file(tmp_path: Path) -> None:
    tool = TakeNotes(Notes(tmp_path))
    assert tool.run({"action": "read"}).text == "There are no notes yet."
    assert tool.run({"action": "append", "text": "α: induction fails"}).status == "ok"
    assert tool.run({"action": "append", "text": "β: use omega\n"}).status == "ok"
    assert (tmp_path / ".unsorry" / "notes.md").read_text() == "α: induction fails\n\nβ: use omega\n"
    assert TakeNotes(Notes(tmp_path)).run({"action": "read"}).text == "α: induction fails\n\nβ: use omega\n"
    assert tool.run({"action": "replace", "text": "all done"}).status == "ok"
    assert Notes(tmp_path).shown() == "all done"
    assert tool.run({"action": "append"}).status == "error"


def test_notes_that_cannot_be_written_leave_what_was_there(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    notes.append("first")
    for text in ("x" * 300_000, "lone \ud800"):
        with pytest.raises(UnsorryError):
            notes.replace(text)
    assert notes.read() == "first\n"
    assert [p.name for p in (tmp_path / ".unsorry").iterdir()] == ["notes.md"]
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / ".unsorry").write_text("a file")
    told = TakeNotes(Notes(tmp_path / "b")).run({"action": "append", "text": "x"})
    assert told.status == "error"
    assert "\n" not in told.text


def test_long_notes_are_shown_from_their_end(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    notes.append("first " + "x" * SHOWN)
    notes.append("last")
    assert notes.shown().endswith("last")
    assert len(notes.shown()) < SHOWN + 200


def test_a_lemma_is_judged_kept_and_judged_again_where_it_is_used(town: LeanProject) -> None:
    tool = UseLemmas(Lemmas(town))
    assert tool.run({"action": "list"}).text == "No lemma has been saved yet."
    saved = tool.run({"action": "save", "file": "Corner.lean", "name": "twice_eq"})
    assert (saved.status, saved.data["name"]) == ("ok", "Corner.twice_eq")
    again = UseLemmas(Lemmas(town))  # another process would read the same file
    assert "theorem twice_eq : twice n = 2 * n   [Corner.twice_eq]" in again.run({"action": "list"}).text
    used = again.run({"action": "use", "name": "twice_eq", "file": "Use.lean"})
    assert used.status == "ok"
    inserted = used.text.partition("put this there:\n")[2]
    write(town.root, {"Use.lean": "import Town.Base\n" + inserted + "\nexample : twice 3 = 6 := Corner.twice_eq 3\n"})
    assert town.check(Path("Use.lean")).clean
    assert again.run({"action": "use", "name": "twice_eq"}).status == "ok"
    assert (
        "declares Corner.twice_eq already" in again.run({"action": "use", "name": "twice_eq", "file": "Use.lean"}).text
    )


def test_what_the_judge_does_not_accept_is_not_kept(town: LeanProject) -> None:
    tool = UseLemmas(Lemmas(town))
    told = {
        name: tool.run({"action": "save", "file": "Corner.lean", "name": name})
        for name in ("unproved", "from_unproved", "nothing", "twice")
    }
    assert all(observation.status == "error" for observation in told.values())
    assert "still has a sorry" in told["unproved"].text
    assert "not saved: axioms.sorry" in told["from_unproved"].text
    assert not (town.root / ".unsorry").exists()
    assert tool.run({"action": "use", "name": "twice_eq"}).status == "error"


def test_a_lemma_that_no_longer_holds_is_refused_when_it_is_used(town: LeanProject) -> None:
    tool = UseLemmas(Lemmas(town))
    assert tool.run({"action": "save", "file": "Corner.lean", "name": "twice_eq"}).status == "ok"
    write(town.root, {"Town/Base.lean": "def twice (n : Nat) : Nat := n + n + 1\n"})
    for place in ({}, {"file": "Use.lean"}):
        refused = tool.run({"action": "use", "name": "twice_eq", **place})
        assert refused.status == "error"
        assert "cannot be used: compile.failed" in refused.text


@pytest.mark.parametrize("text", ["theorem twice_eq : twice n = 2 * n := sorry", "axiom twice_eq : twice n = 2 * n"])
def test_a_file_that_somebody_wrote_into_the_library_is_not_believed(town: LeanProject, text: str) -> None:
    tool = UseLemmas(Lemmas(town))
    assert tool.run({"action": "save", "file": "Corner.lean", "name": "twice_eq"}).status == "ok"
    (file,) = (town.root / ".unsorry" / "lemmas").iterdir()
    raw = json.loads(file.read_text())
    file.write_text(json.dumps({**raw, "text": text}))
    assert tool.run({"action": "use", "name": "twice_eq", "file": "Use.lean"}).status == "error"
    (file.parent / "odd.json").write_text("{}")
    listed = tool.run({"action": "list"}).text
    assert "odd.json is no saved lemma" in listed
